//! The memory that an image needs.

use drawing::{
    Detail, MAX_CHARACTERS, MAX_COMPONENTS, MAX_DESCRIPTION_CHARS, MAX_FULL_COMPONENTS, MAX_NOTE_CHARS,
    MAX_RELATIONSHIPS, Refused,
};

use super::{format::Format, map::Content};
use crate::{
    domain::{
        core::{Reads, ViewTx},
        map::{store, tables},
    },
    error::{Error, Result},
};

/// Maximum length of a UTF-8 character in bytes.
const CHAR_BYTES: usize = 4;
/// Number of characters on a card, and of those in its name, about.
const CARD_CHARS: usize = 100;
const NAME_CHARS: usize = 20;
/// Memory for the outline of a character in a PNG or PDF, in bytes.
const OUTLINE_BYTES: usize = 1_024;
/// Memory for outlines that a drawing need not wait for, because few images are drawn at the same time.
const FREE_OUTLINE_BYTES: usize = 48 << 20;

/// Estimated memory for an image in bytes: the rows, the drawn map, and the outlines of many characters.
///
/// # Errors
/// If the whole map is drawn and too large, which needs no rows.
pub fn weigh(tx: &ViewTx<'_>, content: &Content, detail: Option<Detail>, format: Format) -> Result<usize> {
    let components = tables::count(tx, tables::Part::Components)?;
    if content.is_whole() {
        let relationships = tables::listed(tx, tables::Part::Relationships)?;
        if components > MAX_COMPONENTS {
            return Err(refused(Refused::TooManyComponents(components)));
        }
        if relationships > MAX_RELATIONSHIPS {
            return Err(refused(Refused::TooManyRelationships(relationships)));
        }
    }
    let rows = tx.weight_abridged(MAX_DESCRIPTION_CHARS * CHAR_BYTES)?.saturating_mul(2);
    let has_outlines = format != Format::Svg && detail != Some(Detail::Thumbnail);
    let outlines = if has_outlines { weigh_outlines(tx, content, detail, components)? } else { 0 };
    Ok(rows.saturating_add(outlines))
}

fn weigh_outlines(tx: &ViewTx<'_>, content: &Content, detail: Option<Detail>, components: usize) -> Result<usize> {
    let names = components * NAME_CHARS;
    let on_cards = match detail {
        Some(Detail::Full) => components * CARD_CHARS,
        Some(_) => names,
        None => names.max(components.min(MAX_FULL_COMPONENTS) * CARD_CHARS),
    };
    let has_notes = content.is_whole();
    let in_notes = if has_notes { store::notes::text_bytes(tx.core().conn, tx.pk(), MAX_NOTE_CHARS)? } else { 0 };
    let characters = on_cards.saturating_add(in_notes).min(MAX_CHARACTERS);
    Ok((characters * OUTLINE_BYTES).saturating_sub(FREE_OUTLINE_BYTES))
}

/// Estimated memory for a drawn map with whole descriptions in bytes: the rows, the drawn map and its JSON.
pub fn weigh_whole(tx: &ViewTx<'_>) -> Result<usize> {
    Ok(tx.weight()?.saturating_mul(3))
}

/// The error of a request for an image that cannot be drawn.
pub fn refused(refused: Refused) -> Error {
    match refused {
        Refused::Canceled => Error::Cancelled,
        Refused::Failed(reason) => Error::internal(format!("cannot draw an image: {reason}")),
        too_large => Error::invalid("components", too_large.to_string()),
    }
}
