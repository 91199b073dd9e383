//! A member of the active organization founds, and lists as an onlooker does.

use planroom::{
    Error,
    domain::{
        access::OrgTx,
        paging::Paging,
        workspaces::{self, ListedWorkspace, NewWorkspace},
    },
};

pub fn work(tx: &mut OrgTx<'_>, new: NewWorkspace) -> Result<Vec<ListedWorkspace>, Error> {
    workspaces::create(tx, new)?;
    Ok(workspaces::list(tx, &Paging::default())?.items)
}
