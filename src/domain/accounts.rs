//! User accounts as instance administrators manage them.

use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::{
    access::{AdminTx, Reads},
    input::{Input, objects},
    invitations,
    paging::{Page, Paging},
    store,
    users::{self, NewUserRow, User},
    values::{ContactEmail, Email, Login, Name},
    workspaces::same,
};
use crate::{
    auth::passwords::NewPassword,
    error::{Error, Result},
};

/// An account to create.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewAccount {
    /// Login used to sign in.
    pub login: Login,
    /// Display name.
    pub display_name: Name,
    /// Email address.
    #[schema(nullable = false)]
    pub email: Option<Email>,
    /// Initial password. Without a password, the user cannot sign in until the operator sets one.
    #[schema(nullable = false)]
    pub password: Option<NewPassword>,
}

/// Account fields to update; absent fields are unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct AccountPatch {
    /// Cannot be changed; accepted if equal to the current id.
    #[schema(nullable = false)]
    pub id: Option<i64>,
    /// Whether the user is an instance administrator.
    #[schema(nullable = false)]
    pub is_admin: Option<bool>,
    /// Whether the account is suspended. A suspended account is rejected with any credential.
    #[schema(nullable = false)]
    pub is_suspended: Option<bool>,
    /// Email address that links the account to an identity provider: a sign-in through the provider with the same,
    /// verified address is matched to this user. An empty string removes the address.
    pub email: Option<ContactEmail>,
}

objects!(NewAccount, AccountPatch);
impl Input for NewAccount {}
impl Input for AccountPatch {
    const READ_ONLY: &'static [&'static str] =
        &["login", "displayName", "avatarUrl", "provider", "createdAt", "lastLoginAt"];
}

/// Lists user accounts in creation order.
pub fn list(tx: &AdminTx<'_>, paging: &Paging) -> Result<Page<User>> {
    store::users::list(tx.core().conn, &paging.window("users")?)
}

/// Returns the id of the user with this login, case-insensitively.
pub fn id_of(tx: &AdminTx<'_>, login: &str) -> Result<i64> {
    let found = store::users::by_login(tx.core().conn, login)?;
    let (user, _) = found.ok_or_else(|| Error::invalid("login", format!("there is no user `{login}`")))?;
    Ok(user.id)
}

/// Creates an account that belongs to no organization yet.
///
/// `password_hash` is the hash of the account's password, if it has one.
pub fn create(tx: &mut AdminTx<'_>, new: &NewAccount, password_hash: Option<&str>) -> Result<User> {
    let core = tx.core();
    let login = new.login.as_str();
    let row = NewUserRow {
        login,
        display_name: new.display_name.as_str(),
        email: new.email.as_ref().map(Email::as_str),
        password_hash,
        is_admin: false,
    };
    let id = users::insert(core, &row)?;
    let by = core.call.via.as_str();
    core.audit("user.create", actor(tx), &json!({ "userId": id, "login": login, "by": by }))?;
    account(tx, id)
}

/// Updates an account's administrator role, suspension or email address.
///
/// Changes take effect with the next request. Fails with a conflict if no administrator who is not suspended would
/// remain, or if another account has the email address.
pub fn update(tx: &mut AdminTx<'_>, id: i64, patch: &AccountPatch) -> Result<User> {
    let before = account(tx, id)?;
    same("id", patch.id.map(|id| id.to_string()).as_deref(), &id.to_string())?;
    let is_admin = patch.is_admin.unwrap_or(before.is_admin);
    let is_suspended = patch.is_suspended.unwrap_or(before.is_suspended);
    let email = match &patch.email {
        Some(email) => Some(email.as_str()).filter(|email| !email.is_empty()),
        None => before.email.as_deref(),
    };
    let core = tx.core();
    let was_active = before.is_admin && !before.is_suspended;
    if was_active && (!is_admin || is_suspended) && !store::users::another_admin(core.conn, id)? {
        let text = format!(
            "`{}` is the last active administrator of the instance; make another user an administrator first",
            before.login
        );
        return Err(Error::Conflict(text));
    }
    let promoted = (before.is_admin != is_admin).then_some(if is_admin { "user.promote" } else { "user.demote" });
    let suspended =
        (before.is_suspended != is_suspended).then_some(if is_suspended { "user.suspend" } else { "user.unsuspend" });
    let addressed = (before.email.as_deref() != email).then_some("user.address");
    let decided: Vec<_> = [promoted, suspended, addressed].into_iter().flatten().collect();
    if decided.is_empty() {
        return Ok(before);
    }
    // Older data may contain accounts with the same address. Only a changed address is checked, so that other fields of
    // such accounts can still be updated.
    let new = email.filter(|_| addressed.is_some());
    if let Some(other) = new.map(|email| store::users::with_email(core.conn, email, id)).transpose()?.flatten() {
        return Err(Error::Conflict(format!("`{other}` has this email address; remove it from that account first")));
    }
    store::users::decide(core.conn, id, (is_admin, is_suspended, email))?;
    let details = json!({ "userId": id, "login": before.login, "by": core.call.via.as_str() });
    for kind in decided {
        core.audit(kind, actor(tx), &details)?;
    }
    invitations::end_unauthorized(core, id)?;
    account(tx, id)
}

/// User id of the caller; none for the operator.
fn actor(tx: &AdminTx<'_>) -> Option<i64> {
    tx.caller().map(|caller| caller.user_id)
}

fn account(tx: &AdminTx<'_>, id: i64) -> Result<User> {
    store::users::by_id(tx.core().conn, id)?.ok_or(Error::NotFound("user"))
}
