//! The waitlist: people who requested an account, and how administrators of the instance handle the requests.

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

/// A waitlist entry: a person who requested an account.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Id; never reused.
    pub id: i64,
    /// Email address.
    #[schema(example = "eve@example.org")]
    pub email: String,
    /// Name of the person.
    #[schema(required)]
    pub name: Option<String>,
    /// Company of the person.
    #[schema(required)]
    pub company: Option<String>,
    /// Message from the person.
    #[schema(required)]
    pub note: Option<String>,
    /// Time of creation, in Unix milliseconds.
    pub created_at: i64,
    /// Time of the last invitation, in Unix milliseconds.
    #[schema(required)]
    pub invited_at: Option<i64>,
}

/// Fields of a new waitlist entry.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewEntry {
    /// Email address.
    pub email: Email,
    /// Name of the person.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Company of the person.
    #[schema(nullable = false)]
    pub company: Option<Name>,
    /// Message to the administrators.
    #[schema(nullable = false)]
    pub note: Option<Text>,
}

/// Fields of an invitation for a person on the waitlist.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct WaitlistInvitation {
    /// If given, must be the id of the active organization.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Role in the organization. Default: `org:member`. Only an admin of the organization can give `org:admin`.
    #[schema(nullable = false)]
    pub role: Option<OrgRole>,
}

objects!(NewEntry, WaitlistInvitation);
impl Input for NewEntry {}
impl Input for WaitlistInvitation {}

const GONE: Error = Error::NotFound("entry");

/// Adds a person to the waitlist. An existing entry with this address stays unchanged and the response is the same.
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

/// Lists the waitlist entries, in creation order.
pub fn list(tx: &AdminTx<'_>, paging: &Paging) -> Result<Page<Entry>> {
    store::waitlist::list(tx.core().conn, &paging.window("waitlist")?)
}

/// Removes a person from the waitlist.
pub fn remove(tx: &mut AdminTx<'_>, id: i64) -> Result<()> {
    let core = tx.core();
    if !store::waitlist::delete(core.conn, id)? {
        return Err(GONE);
    }
    core.audit("waitlist.remove", core.actor(), &json!({ "entryId": id }))
}

/// Invites a person on the waitlist to the active organization. The entry stays on the waitlist, marked as invited.
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
