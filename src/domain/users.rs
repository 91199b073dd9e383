//! User accounts, and the current user.

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{
    access::{CallerKind, Core, PublicTx, Reads, SelfTx, SystemTx},
    org_members, organizations, passwords,
    sessions::{self, Begun, OrgChoice, SignedInUser},
    store,
    values::{Login, Name, OrgRole, Slug},
};
use crate::error::{Error, Result};

/// A user account.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// Id; never reused.
    pub id: i64,
    /// Login name.
    #[schema(example = "ada")]
    pub login: String,
    /// Display name.
    #[schema(example = "Ada Lovelace")]
    pub display_name: String,
    /// Email address.
    #[schema(required)]
    pub email: Option<String>,
    /// URL of a profile image.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// Where the account is managed: `local`, or by an external identity provider (`oidc`, `clerk`).
    #[schema(example = "local")]
    pub provider: String,
    /// Whether the user is an administrator of the instance.
    pub is_admin: bool,
    /// Whether the account is suspended. A suspended user has no access, with any credential.
    pub is_suspended: bool,
    /// Time of creation, in Unix milliseconds.
    pub created_at: i64,
    /// Time of the last sign-in, in Unix milliseconds; null if the user never signed in.
    #[schema(required)]
    pub last_login_at: Option<i64>,
}

/// A user account as other users see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// Id of the user.
    pub id: i64,
    /// Display name.
    #[schema(example = "Ada Lovelace")]
    pub display_name: String,
    /// Login name.
    #[schema(required, example = "ada")]
    pub login: Option<String>,
    /// URL of a profile image.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// Where the account is managed: `local`, or by an external identity provider (`oidc`, `clerk`).
    #[schema(example = "local")]
    pub provider: String,
}

/// The signed-in user.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentUser {
    /// Id of the user.
    pub id: i64,
    /// Display name.
    #[schema(example = "Ada Lovelace")]
    pub display_name: String,
    /// Whether the user is an administrator of the instance.
    pub is_admin: bool,
    /// Where the account is managed: `local`, or by an external identity provider (`oidc`, `clerk`).
    #[schema(example = "local")]
    pub provider: String,
    /// Time of creation, in Unix milliseconds.
    pub created_at: i64,
    /// Login name.
    #[schema(required, example = "ada")]
    pub login: Option<String>,
    /// URL of a profile image.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// Time of the last sign-in, in Unix milliseconds.
    #[schema(required)]
    pub last_login_at: Option<i64>,
    /// Whether the user can create organizations with this credential; always false for a token.
    pub may_found_organizations: bool,
    /// The active organization and the kind of credential.
    pub session: SessionInfo,
}

/// The organization that a request acts in, and the kind of its credential.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionInfo {
    /// Id of the active organization.
    #[schema(required, example = "org_2x7Yk")]
    pub org_id: Option<String>,
    /// The caller's role in the active organization: `org:admin` or `org:member`.
    #[schema(required, example = "org:admin")]
    pub org_role: Option<String>,
    /// Slug of the active organization.
    #[schema(required, example = "acme")]
    pub org_slug: Option<String>,
    /// Whether the request was authenticated with an API token.
    pub is_api_token: bool,
}

/// The first account of an instance, or another administrator created by the operator.
#[derive(Debug, Clone)]
pub struct NewAdmin {
    /// Login name.
    pub login: Login,
    /// Display name.
    pub display_name: Name,
    /// Argon2id hash of the password.
    pub password_hash: String,
    /// Slug of the organization that they administer.
    pub organization_slug: Slug,
    /// Name of that organization, if it does not exist yet.
    pub organization_name: Name,
}

/// Reads the account and the session of the caller.
pub fn current(tx: &SelfTx<'_>) -> Result<CurrentUser> {
    let caller = tx.caller();
    let user = store::users::by_id(tx.core().conn, caller.user_id)?.ok_or(Error::NotFound("user"))?;
    let organization = caller.organization.as_ref();
    Ok(CurrentUser {
        id: user.id,
        display_name: user.display_name,
        is_admin: user.is_admin,
        provider: user.provider,
        created_at: user.created_at,
        login: Some(user.login),
        avatar_url: user.avatar_url,
        last_login_at: user.last_login_at,
        may_found_organizations: organizations::may_found(tx.core(), caller)?,
        session: SessionInfo {
            org_id: organization.map(|o| o.id.clone()),
            org_role: organization.map(|o| o.role.as_str().to_owned()),
            org_slug: organization.map(|o| o.slug.clone()),
            is_api_token: matches!(caller.kind, CallerKind::Token | CallerKind::LegacyToken),
        },
    })
}

/// Creates an administrator of the instance who is also an admin of an organization. Creates the organization if it
/// does not exist.
pub fn create_admin(tx: &mut SystemTx<'_>, new: &NewAdmin) -> Result<i64> {
    insert_admin(tx, new, "cli")
}

/// Creates the first account and signs it in. Fails if the instance has a user.
pub fn set_up(tx: &mut PublicTx<'_>, new: &NewAdmin, user_agent: Option<&str>) -> Result<Begun> {
    not_set_up(tx)?;
    let user_id = insert_admin(tx, new, "setup-link")?;
    sessions::begin(tx, user_id, &OrgChoice::First, user_agent)
}

/// Fails with a conflict if the instance has a user.
pub fn not_set_up(tx: &PublicTx<'_>) -> Result<()> {
    if store::users::any(tx.core().conn)? {
        return Err(Error::Conflict("this instance is set up already; sign in instead".into()));
    }
    Ok(())
}

/// Reads the caller's account as shown after sign-in.
pub fn signed_in(tx: &SelfTx<'_>) -> Result<SignedInUser> {
    let user = store::users::by_id(tx.core().conn, tx.caller().user_id)?.ok_or(Error::NotFound("user"))?;
    Ok(user.into())
}

/// Whether the instance has a user.
pub fn any(tx: &SystemTx<'_>) -> Result<bool> {
    store::users::any(tx.core().conn)
}

/// A new user with a password.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// Login name.
    pub login: Login,
    /// Display name.
    pub display_name: Name,
    /// Argon2id hash of the password.
    pub password_hash: String,
}

/// A user account to insert.
pub(in crate::domain) struct NewUserRow<'a> {
    pub login: &'a str,
    pub display_name: &'a str,
    pub email: Option<&'a str>,
    /// Argon2id hash; none for an account without a password.
    pub password_hash: Option<&'a str>,
    pub is_admin: bool,
}

/// Inserts an account and returns its id. Fails with a conflict if the login is taken. The caller of this function
/// writes the audit event.
pub(in crate::domain) fn insert(core: &Core<'_>, row: &NewUserRow<'_>) -> Result<i64> {
    free(core, row.login)?;
    store::users::insert(core.conn, row, core.now)
}

/// Fails with a conflict if the login is taken.
pub fn login_is_free(tx: &PublicTx<'_>, login: &Login) -> Result<()> {
    free(tx.core(), login.as_str())
}

fn free(core: &Core<'_>, login: &str) -> Result<()> {
    match store::users::by_login(core.conn, login)? {
        Some(_) => Err(Error::Conflict(format!("a user with the login `{login}` exists already"))),
        None => Ok(()),
    }
}

fn insert_admin(tx: &impl Reads, new: &NewAdmin, by: &str) -> Result<i64> {
    let core = tx.core();
    let login = new.login.as_str();
    let row = NewUserRow {
        login,
        display_name: new.display_name.as_str(),
        email: None,
        password_hash: Some(&new.password_hash),
        is_admin: true,
    };
    let user_id = insert(core, &row)?;
    passwords::open(core, user_id)?;
    let (slug, name) = (new.organization_slug.clone(), new.organization_name.clone());
    let organization = organizations::find_or_create(core, slug, name)?;
    org_members::join(core, &organization, user_id, OrgRole::Admin)?;
    let details = json!({ "userId": user_id, "login": login, "organizationId": organization, "by": by });
    core.audit("user.create", Some(user_id), &details)?;
    Ok(user_id)
}
