//! The rows that are drawn, and the memory that they need.
//!
//! Images show only the beginnings of descriptions, so that is all that is read for them.

use std::collections::HashSet;

use drawing::{
    Detail, MAX_CHARACTERS, MAX_COMPONENTS, MAX_DESCRIPTION_CHARS, MAX_FULL_COMPONENTS, MAX_NOTE_CHARS,
    MAX_RELATIONSHIPS, Refused,
};

use super::{
    Format,
    map::{Content, Part},
    refused,
};
use crate::{
    domain::{
        core::{Reads, ViewTx},
        directory,
        map::{components::Component, notes::Note, relationships::Relationship, store, tables},
        paging::Window,
    },
    error::Result,
};

/// The role of owners.
const OWNER: &str = "owner";
/// Maximum length of a UTF-8 character in bytes.
const CHAR_BYTES: usize = 4;
/// Number of characters on a card, and of those in its name, about.
const CARD_CHARS: usize = 100;
const NAME_CHARS: usize = 20;
/// Memory for the outline of a character in a PNG or PDF, in bytes.
const OUTLINE_BYTES: usize = 1_024;
/// Memory for outlines that a drawing need not wait for, because few images are drawn at the same time.
const FREE_OUTLINE_BYTES: usize = 48 << 20;

/// How much of the descriptions is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Descriptions {
    /// What an image shows.
    Beginning,
    /// Everything.
    Whole,
}

/// The rows of a map that are drawn.
pub(super) struct Rows {
    pub(super) components: Vec<Component>,
    pub(super) relationships: Vec<Relationship>,
    pub(super) notes: Vec<Note>,
    /// Ids of the components with an owner.
    pub(super) owned: HashSet<String>,
}

impl Rows {
    pub(super) fn read(tx: &ViewTx<'_>, content: &Content, descriptions: Descriptions) -> Result<Self> {
        let (conn, key) = (tx.core().conn, tx.key());
        let stakeholders = directory::stakeholders::rows(conn, &key, &Window::whole())?.items;
        let owners = stakeholders.into_iter().filter(|one| one.link.link_type == OWNER);
        Ok(Self {
            components: match descriptions {
                Descriptions::Beginning => store::components::list_abridged(conn, &key, MAX_DESCRIPTION_CHARS)?,
                Descriptions::Whole => store::components::list(conn, &key)?,
            },
            relationships: store::relationships::list(conn, &key)?,
            notes: if is_whole(content) { store::notes::list(conn, &key)? } else { Vec::new() },
            owned: owners.map(|one| one.link.component_id).collect(),
        })
    }
}

/// Whether everything on the map is drawn.
fn is_whole(content: &Content) -> bool {
    content.view.is_none() && content.part == Part::Whole
}

/// Estimated memory for an image in bytes: the rows, the drawn map, and the outlines of many characters.
///
/// # Errors
/// If the whole map is drawn and too large, which needs no rows.
pub fn weigh(tx: &ViewTx<'_>, content: &Content, detail: Option<Detail>, format: Format) -> Result<usize> {
    let components = tables::count(tx, tables::Part::Components)?;
    if is_whole(content) {
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
    let has_notes = is_whole(content);
    let in_notes = if has_notes { store::notes::text_bytes(tx.core().conn, tx.pk(), MAX_NOTE_CHARS)? } else { 0 };
    let characters = on_cards.saturating_add(in_notes).min(MAX_CHARACTERS);
    Ok((characters * OUTLINE_BYTES).saturating_sub(FREE_OUTLINE_BYTES))
}

/// Estimated memory for a drawn map with whole descriptions in bytes: the rows, the drawn map and its JSON.
pub fn weigh_whole(tx: &ViewTx<'_>) -> Result<usize> {
    Ok(tx.weight()?.saturating_mul(3))
}
