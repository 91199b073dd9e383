//! The wiki provider. Everything that is peculiar to it stays in this room; elsewhere it is *the wiki*.

mod address;

pub use self::address::{Address, read};
