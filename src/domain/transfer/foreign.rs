//! Files of other tools as documents to import.

use import::Reading;

use super::document::Document;
use crate::{
    domain::input,
    error::{Error, Result},
};

/// The document with the rows of a reading. They are validated like those of a request.
pub fn document(reading: &Reading) -> Result<Document> {
    let text = serde_json::to_vec(reading).map_err(Error::internal)?;
    input::parse(&text).map(|(document, _)| document)
}
