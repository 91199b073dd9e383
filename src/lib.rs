//! Planroom.

pub mod auth;
pub mod clock;
pub mod db;
pub mod domain;
pub mod error;
pub mod lane;

pub use error::Error;
