//! The file format of a workspace: export, import and the sample.

pub mod document;
pub mod export;
pub mod import;
pub mod sample;
pub mod workspaces;
