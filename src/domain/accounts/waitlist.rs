//! The waitlist: people who requested an account, and how administrators of the instance handle the requests.

use serde_json::json;

pub use super::model::waitlist::{NewWaitlistEntry, WaitlistEntry, WaitlistInvitation};
use super::store;
use crate::{
    domain::{
        core::{AdminTx, PublicTx, Reads, one_more},
        organizations::invitations::{self, Authority, CreatedInvitation, NewInvitation},
        paging::{Page, Paging},
        settings,
        values::{Email, OrgRole},
    },
    error::{Error, Result},
};

const NOT_FOUND: Error = Error::NotFound("entry");

/// Adds a person to the waitlist. An existing entry with this address stays unchanged and the response is the same.
pub fn join(tx: &mut PublicTx<'_>, new: &NewWaitlistEntry) -> Result<()> {
    let core = tx.core();
    if !settings::waitlist_is_open(core)? {
        return Err(Error::Forbidden("the waitlist of this instance is closed"));
    }
    match store::waitlist::insert(core.conn, new, core.now)? {
        Some(id) => {
            let open = store::waitlist::count_open(core.conn)? - 1;
            one_more("waitlist", "open waitlist entries", core.shared.quotas.waitlist, open)?;
            core.audit("waitlist.join", None, &json!({ "entryId": id }))
        }
        None => Ok(()),
    }
}

/// Lists the waitlist entries, in creation order.
pub fn list(tx: &AdminTx<'_>, paging: &Paging) -> Result<Page<WaitlistEntry>> {
    store::waitlist::list(tx.core().conn, &paging.window("waitlist")?)
}

/// Removes a person from the waitlist.
pub fn remove(tx: &mut AdminTx<'_>, id: i64) -> Result<()> {
    let core = tx.core();
    if !store::waitlist::delete(core.conn, id)? {
        return Err(NOT_FOUND);
    }
    core.audit("waitlist.remove", core.actor(), &json!({ "entryId": id }))
}

/// Invites a person on the waitlist to the active organization. The entry stays on the waitlist, marked as invited.
pub fn invite(tx: &mut AdminTx<'_>, id: i64, what: WaitlistInvitation) -> Result<CreatedInvitation> {
    let core = tx.core();
    let organization = tx.organization(what.org_id.as_deref())?;
    let organization_id = organization.organization_id()?.to_owned();
    if what.role == Some(OrgRole::Admin) {
        organization.admin()?;
    }
    let entry = store::waitlist::by_id(core.conn, id)?.ok_or(NOT_FOUND)?;
    // Earlier versions accepted addresses that are now invalid.
    let email = Email::new(&entry.email).map_err(|problem| Error::invalid("email", problem))?;
    let new = NewInvitation { email: Some(email), role: what.role };
    let invited = invitations::create_by(core, &organization_id, new, Authority::Waitlist)?;
    store::waitlist::invited(core.conn, id, core.now)?;
    let details = json!({ "entryId": id, "invitationId": invited.invitation.id });
    core.audit("waitlist.invite", core.actor(), &details)?;
    Ok(invited)
}
