//! The waitlist: strangers who would like an account, and what administrators of the instance make of them.

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{
    access::{AdminTx, PublicTx, Reads, one_more},
    input::{Input, objects},
    invitations::{self, Authority, Invited, NewInvitation},
    paging::{Page, Paging},
    settings, store,
    values::{Email, Name, OrgRole, Text},
};
use crate::error::{Error, Result};

/// Somebody who would like an account.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Never used again.
    pub id: i64,
    /// Where to reach them.
    #[schema(example = "eve@example.org")]
    pub email: String,
    /// Their name.
    #[schema(required)]
    pub name: Option<String>,
    /// Where they work.
    #[schema(required)]
    pub company: Option<String>,
    /// What they said.
    #[schema(required)]
    pub note: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// When they were last invited, Unix milliseconds.
    #[schema(required)]
    pub invited_at: Option<i64>,
}

/// Somebody who would like an account, as they say it.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewEntry {
    /// Where to reach them.
    pub email: Email,
    /// Their name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Where they work.
    #[schema(nullable = false)]
    pub company: Option<Name>,
    /// What they would like to say.
    #[schema(nullable = false)]
    pub note: Option<Text>,
}

/// What somebody on the waitlist is invited to.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct WaitlistInvitation {
    /// The active organization; accepted when it is that.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// `org:member` when absent. To make an admin takes one.
    #[schema(nullable = false)]
    pub role: Option<OrgRole>,
}

objects!(NewEntry, WaitlistInvitation);
impl Input for NewEntry {}
impl Input for WaitlistInvitation {}

const GONE: Error = Error::NotFound("entry");

/// Puts a stranger on the waitlist. One who is on it already stays as they are, and is told the same.
pub fn join(tx: &mut PublicTx<'_>, new: &NewEntry) -> Result<()> {
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

/// Entries of the waitlist, in order of creation.
pub fn list(tx: &AdminTx<'_>, paging: &Paging) -> Result<Page<Entry>> {
    store::waitlist::list(tx.core().conn, &paging.window("waitlist")?)
}

/// Takes somebody off the waitlist.
pub fn remove(tx: &mut AdminTx<'_>, id: i64) -> Result<()> {
    let core = tx.core();
    if !store::waitlist::delete(core.conn, id)? {
        return Err(GONE);
    }
    core.audit("waitlist.remove", core.actor(), &json!({ "entryId": id }))
}

/// Invites somebody on the waitlist into the active organization. They stay on it, marked as invited.
pub fn invite(tx: &mut AdminTx<'_>, id: i64, what: WaitlistInvitation) -> Result<Invited> {
    let core = tx.core();
    let organization = tx.organization(what.org_id.as_deref())?;
    let organization_id = organization.organization_id()?.to_owned();
    if what.role == Some(OrgRole::Admin) {
        organization.admin()?;
    }
    let entry = store::waitlist::by_id(core.conn, id)?.ok_or(GONE)?;
    let email = Email::new(&entry.email).map_err(Error::internal)?;
    let new = NewInvitation { email: Some(email), role: what.role };
    let invited = invitations::make(core, &organization_id, new, Authority::Waitlist)?;
    store::waitlist::invited(core.conn, id, core.now)?;
    let details = json!({ "entryId": id, "invitationId": invited.invitation.id });
    core.audit("waitlist.invite", core.actor(), &details)?;
    Ok(invited)
}
