//! The rows that are drawn.
//!
//! Images show only the beginnings of descriptions, so that is all that is read for them.

use std::collections::HashSet;

use drawing::MAX_DESCRIPTION_CHARS;

use crate::{
    domain::{
        core::{Reads, ViewTx},
        directory,
        map::{components::Component, notes::Note, relationships::Relationship, store},
        paging::Window,
    },
    error::Result,
};

/// The role of owners.
const OWNER: &str = "owner";

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
    pub(super) fn read(tx: &ViewTx<'_>, has_notes: bool, descriptions: Descriptions) -> Result<Self> {
        let (conn, key) = (tx.core().conn, tx.key());
        let stakeholders = directory::stakeholders::rows(conn, &key, &Window::whole())?.items;
        let owners = stakeholders.into_iter().filter(|one| one.link.link_type == OWNER);
        Ok(Self {
            components: match descriptions {
                Descriptions::Beginning => store::components::list_abridged(conn, &key, MAX_DESCRIPTION_CHARS)?,
                Descriptions::Whole => tx.rows()?,
            },
            relationships: tx.rows()?,
            notes: if has_notes { tx.rows()? } else { Vec::new() },
            owned: owners.map(|one| one.link.component_id).collect(),
        })
    }
}
