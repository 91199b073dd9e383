//! A member of the active organization can create workspaces and list them.

use planroom::{
    Error,
    domain::{
        core::OrgTx,
        map::workspaces::{self, ListedWorkspace, NewWorkspace},
        paging::Paging,
    },
};

pub fn work(tx: &mut OrgTx<'_>, new: NewWorkspace) -> Result<Vec<ListedWorkspace>, Error> {
    workspaces::create(tx, new)?;
    Ok(workspaces::list(tx, &Paging::default())?.items)
}
