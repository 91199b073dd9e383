//! Creating a workspace: empty, from a template or with the sample.

use crate::{
    domain::{
        core::OrgTx,
        map::workspaces::{self, NewWorkspace, Workspace},
        transfer::{import, sample, templates},
    },
    error::{Error, Result},
};

/// Creates a workspace in the caller's organization, with the caller as its owner.
pub fn create(tx: &mut OrgTx<'_>, mut new: NewWorkspace) -> Result<Workspace> {
    let (sample, template) = (new.sample.take() == Some(true), new.template.take());
    if sample && template.is_some() {
        return Err(Error::invalid("template", "cannot be given together with `sample`; leave out one of them"));
    }
    let document = match template {
        _ if sample => Some(sample::document()?),
        Some(template) => templates::document(template)?,
        None => None,
    };
    match document {
        Some(document) => import::create(tx, new, document),
        None => workspaces::create(tx, new),
    }
}
