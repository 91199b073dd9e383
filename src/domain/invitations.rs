//! Invitations to an organization, by link. A link is good once, for seven days, as long as its author may invite.

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

/// How long an invitation can be accepted.
const GOOD_FOR: i64 = 7 * DAY;

/// An invitation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// Never used again.
    pub id: i64,
    /// The organization.
    #[schema(example = "org_2x7Yk")]
    pub org_id: String,
    /// Whom it is meant for; a note, for nothing is sent.
    #[schema(required)]
    pub email: Option<String>,
    /// What they will be.
    pub role: OrgRole,
    /// Unix milliseconds.
    pub created_at: i64,
    /// User id; null when the operator did it.
    #[schema(required)]
    pub created_by: Option<i64>,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// Unix milliseconds; null while nobody has.
    #[schema(required)]
    pub accepted_at: Option<i64>,
    /// User id; null while nobody has.
    #[schema(required)]
    pub accepted_by: Option<i64>,
}

/// An invitation to be made.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewInvitation {
    /// Whom it is meant for; a note, for nothing is sent.
    #[schema(nullable = false)]
    pub email: Option<Email>,
    /// `org:member` when absent.
    #[schema(nullable = false)]
    pub role: Option<OrgRole>,
}

objects!(NewInvitation);
impl Input for NewInvitation {}

/// A fresh invitation: the only time that its link is shown.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Invited {
    /// The invitation.
    pub invitation: Invitation,
    /// The secret in the link.
    #[schema(example = "q1T0…")]
    pub token: String,
    /// The link to give to whom it is meant for.
    #[schema(example = "https://plans.example.org/join#q1T0…")]
    pub url: String,
}

/// What the holder of a link is told before they join.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenInvitation {
    /// Name of the organization.
    #[schema(example = "Acme")]
    pub organization: String,
    /// Whom it is meant for.
    #[schema(required)]
    pub email: Option<String>,
    /// What they will be.
    pub role: OrgRole,
    /// Unix milliseconds.
    pub expires_at: i64,
}

/// Invitations that are open or were accepted, in order of creation.
pub fn list(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<Invitation>> {
    match tx.reach() {
        Reach::Organization(id) => {
            store::invitations::list(tx.core().conn, id, tx.core().now, &paging.window("invitations")?)
        }
        Reach::Everything => Err(Error::NoActiveOrganization),
    }
}

/// Makes an invitation.
pub fn create(tx: &mut OrgAdminTx<'_>, new: NewInvitation) -> Result<Invited> {
    make(tx.core(), tx.organization_id()?, new, Authority::Organization)
}

/// Creates an invitation to an organization that the caller may invite to, by `authority`.
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
    // Behind the `#`: what follows it stays in the browser, out of every log on the way.
    let url = format!("{}/join#{token}", core.shared.sessions.issuer);
    Ok(Invited { invitation, token, url })
}

/// Withdraws an invitation, or forgets one that was accepted.
pub fn withdraw(tx: &mut OrgAdminTx<'_>, id: i64) -> Result<()> {
    let core = tx.core();
    if !store::invitations::delete(core.conn, tx.organization_id()?, id)? {
        return Err(GONE);
    }
    core.audit("invitation.withdraw", core.actor(), &json!({ "invitationId": id }))
}

/// What the invitation with this secret offers.
pub fn look(tx: &PublicTx<'_>, token: &TokenHash) -> Result<OpenInvitation> {
    let core = tx.core();
    let invitation = expected(core, token)?;
    let organization = organization_name(core.conn, &invitation.org_id)?.ok_or(GONE)?;
    let Invitation { email, role, expires_at, .. } = invitation;
    Ok(OpenInvitation { organization, email, role, expires_at })
}

/// Makes an account for somebody new, and begins their session in the organization.
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

/// Whether an administrator of the instance wrote the invitation. Its address becomes that of an account
/// then. Of an admin of an organization it is a note and no more: whoever invites may open the link too, and would have an
/// account that waits for its owner to come from an identity provider.
fn is_word_of_an_administrator(core: &Core<'_>, invitation: &Invitation) -> Result<bool> {
    let by = invitation.created_by.map(|by| store::users::by_id(core.conn, by)).transpose()?.flatten();
    Ok(by.is_some_and(|user| user.is_admin && !user.is_suspended))
}

/// Makes the caller a member, and goes on in their session with the organization active.
pub fn accept(tx: &mut SessionTx<'_>, token: &TokenHash) -> Result<SignedIn> {
    let invitation = expected(tx.core(), token)?;
    take(tx.core(), &invitation, tx.caller().user_id)?;
    sessions::activate(tx, &OrgChoice::One(invitation.org_id))
}

fn take(core: &Core<'_>, invitation: &Invitation, user_id: i64) -> Result<()> {
    if active_organization(core.conn, &invitation.org_id, user_id)?.is_some() {
        let text = "you are a member of this organization already; the invitation is good for somebody else";
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
