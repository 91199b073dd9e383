//! The file format of a workspace: export, import and the sample.

pub mod document;
pub mod duplicate;
pub mod export;
pub mod foreign;
pub mod formats;
pub mod import;
pub mod sample;
pub mod templates;
pub mod workspaces;
