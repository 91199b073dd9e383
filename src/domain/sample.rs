//! The sample workspace: a well-known system to explore and edit.

use super::{document::Document, input};
use crate::error::Result;

/// The sample in export format.
pub const FILE: &str = include_str!("../../assets/sample.json");

/// Parses the sample.
pub(super) fn document() -> Result<Document> {
    input::parse(FILE.as_bytes()).map(|(document, _)| document)
}
