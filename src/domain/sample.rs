//! The sample: a system that many know, to look at and to play with.

use super::{document::Document, input};
use crate::error::Result;

/// The file, as it is exported.
pub const FILE: &str = include_str!("../../assets/sample.json");

/// The file, read.
pub(super) fn document() -> Result<Document> {
    input::parse(FILE.as_bytes()).map(|(document, _)| document)
}
