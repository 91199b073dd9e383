//! Invitations to an organization, by link.
//!
//! A link can be used once, within seven days, and only while its author may still invite.

mod authority;

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

pub(in crate::domain) use self::authority::{Authority, end_of_session, end_of_sessions, end_unauthorized};
use super::{
    access::{
        Core, OrgAdminTx, OrgViewTx, PublicTx, Reach, Reads, SessionTx, active_organization, one_more,
        organization_name,
    },
    input::{Input, objects},
    org_members,
    paging::{Page, Paging},
    sessions::{self, Begun, OrgChoice, SignedIn},
    store,
    users::{self, NewUser, NewUserRow},
    values::{Email, OrgRole},
};
use crate::{
    auth::{TokenHash, tokens},
    clock::DAY,
    error::{Error, Result},
};

/// Lifetime of an invitation, in milliseconds.
const GOOD_FOR: i64 = 7 * DAY;

/// An invitation to an organization.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// Invitation id. Ids are never reused.
    pub id: i64,
    /// Organization id.
    #[schema(example = "org_2x7Yk")]
    pub org_id: String,
    /// Email address of the invitee. Informational; no email is sent.
    #[schema(required)]
    pub email: Option<String>,
    /// Role that the invitee gets in the organization.
    pub role: OrgRole,
    /// Creation time in Unix milliseconds.
    pub created_at: i64,
    /// User id of the author; null for the operator.
    #[schema(required)]
    pub created_by: Option<i64>,
    /// Expiration time in Unix milliseconds.
    pub expires_at: i64,
    /// Time of acceptance in Unix milliseconds; null if not accepted.
    #[schema(required)]
    pub accepted_at: Option<i64>,
    /// User id of the user who accepted the invitation; null if not accepted.
    #[schema(required)]
    pub accepted_by: Option<i64>,
}

/// An invitation to create.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewInvitation {
    /// Email address of the invitee. Informational; no email is sent.
    #[schema(nullable = false)]
    pub email: Option<Email>,
    /// Role that the invitee gets in the organization; defaults to `org:member`.
    #[schema(nullable = false)]
    pub role: Option<OrgRole>,
}

objects!(NewInvitation);
impl Input for NewInvitation {}

/// A created invitation with its link. The link is returned only once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Invited {
    /// The invitation.
    pub invitation: Invitation,
    /// The secret in the link.
    #[schema(example = "q1T0…")]
    pub token: String,
    /// The link to send to the invitee.
    #[schema(example = "https://plans.example.org/join#q1T0…")]
    pub url: String,
}

/// The public details of an invitation, for the holder of its link.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenInvitation {
    /// Name of the organization.
    #[schema(example = "Acme")]
    pub organization: String,
    /// Email address of the invitee.
    #[schema(required)]
    pub email: Option<String>,
    /// Role that the invitee gets in the organization.
    pub role: OrgRole,
    /// Expiration time in Unix milliseconds.
    pub expires_at: i64,
}

/// Lists invitations that are open or were accepted, in creation order.
pub fn list(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<Invitation>> {
    match tx.reach() {
        Reach::Organization(id) => {
            store::invitations::list(tx.core().conn, id, tx.core().now, &paging.window("invitations")?)
        }
        Reach::Everything => Err(Error::NoActiveOrganization),
    }
}

/// Creates an invitation.
pub fn create(tx: &mut OrgAdminTx<'_>, new: NewInvitation) -> Result<Invited> {
    make(tx.core(), tx.organization_id()?, new, Authority::Organization)
}

/// Creates an invitation to an organization that the caller may invite to; `authority` is the basis of that permission.
pub(super) fn make(
    core: &Core<'_>,
    organization_id: &str,
    new: NewInvitation,
    authority: Authority,
) -> Result<Invited> {
    let open = store::invitations::open(core.conn, organization_id, core.now)?;
    one_more("invitations", "open invitations", core.shared.quotas.invitations, open)?;
    let token = tokens::generate("");
    let row = store::invitations::New {
        organization_id,
        token_hash: tokens::hash(&token),
        email: new.email.map(String::from),
        role: new.role.unwrap_or(OrgRole::Member),
        created_by: core.actor(),
        credential: core.caller().ok().map(|caller| caller.credential.clone()),
        authority,
        expires_at: core.now + GOOD_FOR,
    };
    let id = store::invitations::insert(core.conn, &row, core.now)?;
    let details = json!({ "invitationId": id, "role": row.role.as_str(), "email": row.email });
    core.audit("invitation.create", core.actor(), &details)?;
    let invitation = store::invitations::by_id(core.conn, organization_id, id)?.ok_or(GONE)?;
    // The secret is in the fragment, which browsers never send to a server, so it does not appear in access logs.
    let url = format!("{}/join#{token}", core.shared.sessions.issuer);
    Ok(Invited { invitation, token, url })
}

/// Revokes an open invitation, or deletes an accepted one.
pub fn withdraw(tx: &mut OrgAdminTx<'_>, id: i64) -> Result<()> {
    let core = tx.core();
    if !store::invitations::delete(core.conn, tx.organization_id()?, id)? {
        return Err(GONE);
    }
    core.audit("invitation.withdraw", core.actor(), &json!({ "invitationId": id }))
}

/// Returns the public details of the invitation with this secret.
pub fn look(tx: &PublicTx<'_>, token: &TokenHash) -> Result<OpenInvitation> {
    let core = tx.core();
    let invitation = expected(core, token)?;
    let organization = organization_name(core.conn, &invitation.org_id)?.ok_or(GONE)?;
    let Invitation { email, role, expires_at, .. } = invitation;
    Ok(OpenInvitation { organization, email, role, expires_at })
}

/// Creates an account for a new user and begins a session in the organization.
pub fn join(tx: &mut PublicTx<'_>, token: &TokenHash, new: &NewUser, user_agent: Option<&str>) -> Result<Begun> {
    let core = tx.core();
    let invitation = expected(core, token)?;
    let is_believed = is_word_of_an_administrator(core, &invitation)?;
    let row = NewUserRow {
        login: new.login.as_str(),
        display_name: new.display_name.as_str(),
        email: invitation.email.as_deref().filter(|_| is_believed),
        password_hash: Some(&new.password_hash),
        is_admin: false,
    };
    let user_id = users::insert(core, &row)?;
    let details = json!({ "userId": user_id, "login": row.login, "by": "invitation" });
    core.audit("user.create", Some(user_id), &details)?;
    take(core, &invitation, user_id)?;
    sessions::begin(tx, user_id, &OrgChoice::One(invitation.org_id), user_agent)
}

/// Whether an instance administrator created the invitation.
///
/// Only then does the invitation's email address become the email address of the new account. From an organization
/// admin, the address is informational: the admin can open the link too, and would otherwise own an account that is
/// later linked to the address's real owner by the identity provider.
fn is_word_of_an_administrator(core: &Core<'_>, invitation: &Invitation) -> Result<bool> {
    let by = invitation.created_by.map(|by| store::users::by_id(core.conn, by)).transpose()?.flatten();
    Ok(by.is_some_and(|user| user.is_admin && !user.is_suspended))
}

/// Adds the caller to the organization and makes it the active organization of the session.
pub fn accept(tx: &mut SessionTx<'_>, token: &TokenHash) -> Result<SignedIn> {
    let invitation = expected(tx.core(), token)?;
    take(tx.core(), &invitation, tx.caller().user_id)?;
    sessions::activate(tx, &OrgChoice::One(invitation.org_id))
}

fn take(core: &Core<'_>, invitation: &Invitation, user_id: i64) -> Result<()> {
    if active_organization(core.conn, &invitation.org_id, user_id)?.is_some() {
        let text = "you are already a member of this organization; the invitation remains valid for another user";
        return Err(Error::Conflict(text.into()));
    }
    let newest_void = store::org_members::last_void_invitation(core.conn, &invitation.org_id, user_id)?;
    if newest_void.is_some_and(|newest| invitation.id <= newest) {
        return Err(Error::Forbidden(
            "your membership in this organization was ended after this invitation was created; ask an admin for a new \
             invitation",
        ));
    }
    org_members::join(core, &invitation.org_id, user_id, invitation.role)?;
    store::invitations::accept(core.conn, invitation.id, user_id, core.now)?;
    core.audit("invitation.accept", Some(user_id), &json!({ "invitationId": invitation.id }))
}

const GONE: Error = Error::NotFound("invitation");

/// The invitation with this secret, if it can still be accepted and its author may still invite.
fn expected(core: &Core<'_>, token: &TokenHash) -> Result<Invitation> {
    let found = store::invitations::by_token(core.conn, token)?;
    let open = found.filter(|invitation| invitation.accepted_at.is_none() && invitation.expires_at > core.now);
    let invitation = open.ok_or(GONE)?;
    let authorship = store::invitations::authorship(core.conn, invitation.id)?.ok_or(GONE)?;
    if authority::is_authorized(core, &authorship)? { Ok(invitation) } else { Err(GONE) }
}
