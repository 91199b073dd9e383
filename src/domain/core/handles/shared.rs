//! The handle of a share link.

use super::ViewTx;
use crate::{
    domain::core::{state::Core, store},
    error::{Error, Result},
};

/// The same error for all links that are not valid, so that it reveals nothing.
const NOT_FOUND: Error = Error::NotFound("share link");
/// Maximum length of the part of an address that names and proves a link, in bytes.
const MAX_TOKEN_BYTES: usize = 100;

/// Read access to a workspace by the address of a share link, while the owner of the link is an owner of the workspace.
/// `sharing` checks the rules of the instance and the organization, the expiry and the password.
pub struct SharedTx<'c> {
    view: ViewTx<'c>,
    link_id: String,
    generation: i64,
}

impl<'c> SharedTx<'c> {
    /// Opens the link with the address `token`: its id and its code, separated by a dot.
    pub(in crate::domain::core) fn open(core: &'c Core<'c>, token: &str) -> Result<Self> {
        let parts = token.split_once('.').filter(|_| token.len() <= MAX_TOKEN_BYTES);
        let (id, proof) = parts.ok_or(NOT_FOUND)?;
        let link = store::share_links::authority(core.conn, id)?.ok_or(NOT_FOUND)?;
        if !core.shared.keys.is_share_code(id, link.generation, proof) || link.is_paused {
            return Err(NOT_FOUND);
        }
        let found = store::scopes::by_pk(core.conn, link.workspace_pk)?.ok_or(NOT_FOUND)?;
        if found.workspace.deleted_at.is_some() || !core.is_owner(&found.workspace, link.owner_id)? {
            return Err(NOT_FOUND);
        }
        Ok(Self { view: ViewTx::shared(core, found), link_id: id.to_owned(), generation: link.generation })
    }

    /// The workspace.
    pub(in crate::domain) fn view(&self) -> &ViewTx<'c> {
        &self.view
    }

    /// Id of the link.
    pub(in crate::domain) fn link_id(&self) -> &str {
        &self.link_id
    }

    /// How often the link was rotated, from 1.
    pub(in crate::domain) fn generation(&self) -> i64 {
        self.generation
    }
}
