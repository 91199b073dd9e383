//! User accounts as administrators of the instance see them: making them, and what is decided about them.

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

/// An account to be made.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewAccount {
    /// What they sign in with.
    pub login: Login,
    /// Name for display.
    pub display_name: Name,
    /// E-mail address.
    #[schema(nullable = false)]
    pub email: Option<Email>,
    /// The password. Without one nobody can sign in until the operator sets one.
    #[schema(nullable = false)]
    pub password: Option<NewPassword>,
}

/// What to decide about an account; what is absent stays.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct AccountPatch {
    /// Cannot change; accepted when equal.
    #[schema(nullable = false)]
    pub id: Option<i64>,
    /// Administers the instance.
    #[schema(nullable = false)]
    pub is_admin: Option<bool>,
    /// May do nothing, whatever the credential.
    #[schema(nullable = false)]
    pub is_suspended: Option<bool>,
    /// E-mail address, by which whoever comes from an identity provider with the same, verified, is known for this user.
    /// Empty: none.
    pub email: Option<ContactEmail>,
}

objects!(NewAccount, AccountPatch);
impl Input for NewAccount {}
impl Input for AccountPatch {
    const READ_ONLY: &'static [&'static str] =
        &["login", "displayName", "avatarUrl", "provider", "createdAt", "lastLoginAt"];
}

/// User accounts, in order of creation.
pub fn list(tx: &AdminTx<'_>, paging: &Paging) -> Result<Page<User>> {
    store::users::list(tx.core().conn, &paging.window("users")?)
}

/// The id of the user with this login, in any case.
pub fn id_of(tx: &AdminTx<'_>, login: &str) -> Result<i64> {
    let found = store::users::by_login(tx.core().conn, login)?;
    let (user, _) = found.ok_or_else(|| Error::invalid("login", format!("there is no user `{login}`")))?;
    Ok(user.id)
}

/// Makes an account, which belongs to no organization yet. `password_hash` is that of its password, if it has one.
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

/// Makes or unmakes an administrator, suspends or lifts that, gives an address. It holds from the next request on. The last
/// administrator who is not suspended stays one, and an address is one account's alone: a conflict.
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
            "`{}` is the last active administrator of the instance; make somebody else one before",
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
    // Two may have had the same before: what else is decided of them is not in the way of that.
    let new = email.filter(|_| addressed.is_some());
    if let Some(other) = new.map(|email| store::users::with_email(core.conn, email, id)).transpose()?.flatten() {
        return Err(Error::Conflict(format!("`{other}` has this e-mail address; take it from that account before")));
    }
    store::users::decide(core.conn, id, (is_admin, is_suspended, email))?;
    let details = json!({ "userId": id, "login": before.login, "by": core.call.via.as_str() });
    for kind in decided {
        core.audit(kind, actor(tx), &details)?;
    }
    invitations::end_unauthorized(core, id)?;
    account(tx, id)
}

/// Who decides; nobody when the operator does.
fn actor(tx: &AdminTx<'_>) -> Option<i64> {
    tx.caller().map(|caller| caller.user_id)
}

fn account(tx: &AdminTx<'_>, id: i64) -> Result<User> {
    store::users::by_id(tx.core().conn, id)?.ok_or(Error::NotFound("user"))
}
