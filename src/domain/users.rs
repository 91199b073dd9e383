//! User accounts, and what a signed-in user is told of their own.

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
    /// Never used again.
    pub id: i64,
    /// What they sign in with.
    #[schema(example = "ada")]
    pub login: String,
    /// Name for display.
    #[schema(example = "Ada Lovelace")]
    pub display_name: String,
    /// E-mail address.
    #[schema(required)]
    pub email: Option<String>,
    /// Address of a picture.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// Where the account is kept: `local`, or at an identity provider outside: `oidc`, `clerk`.
    #[schema(example = "local")]
    pub provider: String,
    /// Administers the instance.
    pub is_admin: bool,
    /// May do nothing, whatever the credential.
    pub is_suspended: bool,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds; null for one who never signed in.
    #[schema(required)]
    pub last_login_at: Option<i64>,
}

/// A user as others see them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// User id.
    pub id: i64,
    /// Name for display.
    #[schema(example = "Ada Lovelace")]
    pub display_name: String,
    /// What they sign in with.
    #[schema(required, example = "ada")]
    pub login: Option<String>,
    /// Address of a picture.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// Where the account is kept: `local`, or at an identity provider outside: `oidc`, `clerk`.
    #[schema(example = "local")]
    pub provider: String,
}

/// The signed-in user.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentUser {
    /// User id.
    pub id: i64,
    /// Name for display.
    #[schema(example = "Ada Lovelace")]
    pub display_name: String,
    /// Administers the instance.
    pub is_admin: bool,
    /// Where the account is kept: `local`, or at an identity provider outside: `oidc`, `clerk`.
    #[schema(example = "local")]
    pub provider: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// What they sign in with.
    #[schema(required, example = "ada")]
    pub login: Option<String>,
    /// Address of a picture.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// Unix milliseconds.
    #[schema(required)]
    pub last_login_at: Option<i64>,
    /// Whether they may found an organization now; never with a token.
    pub may_found_organizations: bool,
    /// How they came.
    pub session: SessionInfo,
}

/// The organization that a request acts in, and how its caller came.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionInfo {
    /// Active organization.
    #[schema(required, example = "org_2x7Yk")]
    pub org_id: Option<String>,
    /// The caller's role in it: `org:admin` or `org:member`.
    #[schema(required, example = "org:admin")]
    pub org_role: Option<String>,
    /// Its slug.
    #[schema(required, example = "acme")]
    pub org_slug: Option<String>,
    /// Whether the caller is a script with a token.
    pub is_api_token: bool,
}

/// The first account of an instance, or another administrator made by the operator.
#[derive(Debug, Clone)]
pub struct NewAdmin {
    /// What they sign in with.
    pub login: Login,
    /// Name for display.
    pub display_name: Name,
    /// Argon2id hash of their password.
    pub password_hash: String,
    /// Slug of their organization.
    pub organization_slug: Slug,
    /// Its name, when it does not exist yet.
    pub organization_name: Name,
}

/// Who the caller is.
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

/// Makes an instance administrator who also administers an organization, which is made if need be.
pub fn create_admin(tx: &mut SystemTx<'_>, new: &NewAdmin) -> Result<i64> {
    insert_admin(tx, new, "cli")
}

/// Makes the first account and signs it in. Only while there is no user.
pub fn set_up(tx: &mut PublicTx<'_>, new: &NewAdmin, user_agent: Option<&str>) -> Result<Begun> {
    not_set_up(tx)?;
    let user_id = insert_admin(tx, new, "setup-link")?;
    sessions::begin(tx, user_id, &OrgChoice::First, user_agent)
}

/// Refuses a set-up when somebody has an account.
pub fn not_set_up(tx: &PublicTx<'_>) -> Result<()> {
    if store::users::any(tx.core().conn)? {
        return Err(Error::Conflict("this instance is set up already; sign in instead".into()));
    }
    Ok(())
}

/// Who the caller is, as sign-in tells it.
pub fn signed_in(tx: &SelfTx<'_>) -> Result<SignedInUser> {
    let user = store::users::by_id(tx.core().conn, tx.caller().user_id)?.ok_or(Error::NotFound("user"))?;
    Ok(user.into())
}

/// Whether anybody can sign in at all.
pub fn any(tx: &SystemTx<'_>) -> Result<bool> {
    store::users::any(tx.core().conn)
}

/// Somebody new, with a password of their own.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// What they sign in with.
    pub login: Login,
    /// Name for display.
    pub display_name: Name,
    /// Argon2id hash of their password.
    pub password_hash: String,
}

/// A user account to be written.
pub(in crate::domain) struct NewUserRow<'a> {
    pub login: &'a str,
    pub display_name: &'a str,
    pub email: Option<&'a str>,
    /// Argon2id; none for an account that nobody can sign in to with a password.
    pub password_hash: Option<&'a str>,
    pub is_admin: bool,
}

/// Writes an account whose login is free. Answers with its id. To be audited by the caller.
pub(in crate::domain) fn insert(core: &Core<'_>, row: &NewUserRow<'_>) -> Result<i64> {
    free(core, row.login)?;
    store::users::insert(core.conn, row, core.now)
}

/// Refuses a login that somebody has.
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
