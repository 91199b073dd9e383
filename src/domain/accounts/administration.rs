//! User accounts as instance administrators manage them.

use serde_json::json;

pub use super::model::administration::{AccountPatch, NewAccount};
use crate::{
    domain::{
        core::{AdminTx, Reads},
        input::same,
        organizations::invitations,
        paging::{Page, Paging},
        users::{self, NewUserRow, User},
        values::Email,
    },
    error::{Error, Result},
};

/// Lists user accounts in creation order.
pub fn list(tx: &AdminTx<'_>, paging: &Paging) -> Result<Page<User>> {
    users::list(tx.core().conn, &paging.window("users")?)
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
    if was_active && (!is_admin || is_suspended) && !users::another_admin(core.conn, id)? {
        let text = format!(
            "`{}` is the last active administrator of the instance; make another user an administrator first",
            before.login
        );
        return Err(Error::Conflict(text));
    }
    let promoted = (before.is_admin != is_admin).then_some(if is_admin { "user.promote" } else { "user.demote" });
    let suspended =
        (before.is_suspended != is_suspended).then_some(if is_suspended { "user.suspend" } else { "user.unsuspend" });
    // An administrator who sets the address that the user entered confirms it.
    let is_confirmed = email.is_none() || patch.email.is_some() || before.email_confirmed;
    let is_addressed = before.email.as_deref() != email || email.is_some() && is_confirmed != before.email_confirmed;
    let addressed = is_addressed.then_some("user.address");
    let decided: Vec<_> = [promoted, suspended, addressed].into_iter().flatten().collect();
    if decided.is_empty() {
        return Ok(before);
    }
    // Older data may contain accounts with the same address. Only a changed address is checked, so that other fields of
    // such accounts can still be updated.
    let new = email.filter(|_| addressed.is_some());
    if let Some(other) = new.map(|email| users::with_email(core.conn, email, id)).transpose()?.flatten() {
        return Err(Error::Conflict(format!("`{other}` has this email address; remove it from that account first")));
    }
    users::decide(core.conn, id, (is_admin, is_suspended), (email, is_confirmed))?;
    let details = json!({ "userId": id, "login": before.login, "by": core.call.via.as_str() });
    for kind in decided {
        core.audit(kind, actor(tx), &details)?;
    }
    invitations::end_unauthorized(core, id)?;
    core.settle_access_of(id)?;
    account(tx, id)
}

/// User id of the caller; none for the operator.
fn actor(tx: &AdminTx<'_>) -> Option<i64> {
    tx.caller().map(|caller| caller.user_id)
}

fn account(tx: &AdminTx<'_>, id: i64) -> Result<User> {
    users::by_id(tx.core().conn, id)?.ok_or(Error::NotFound("user"))
}
