//! The sample workspace: a well-known system to explore and edit.

use super::document::Document;
use crate::{domain::input, error::Result};

/// The sample in export format.
pub const FILE: &str = include_str!("../../../assets/sample.json");

/// Parses the sample.
pub(in crate::domain) fn document() -> Result<Document> {
    input::parse(FILE.as_bytes()).map(|(document, _)| document)
}
