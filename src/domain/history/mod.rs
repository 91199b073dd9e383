//! What a workspace was, and the ways back: undo of a gesture, the log to read.

mod kept;
mod steps;
mod undo;

pub use undo::{Undo, Undone, undo};
