//! Erasing a user: the account becomes anonymous, and everything that identifies or signs in the user is deleted.
//!
//! The row of the user remains, because history and audit log refer to it. What the user wrote on maps remains too.

use serde_json::json;

use super::store;
use crate::{
    domain::{
        comments,
        core::{Core, Reads, SystemTx},
        directory::people,
        mail, notifications,
        organizations::{leaving, members},
        users::{self, User},
    },
    error::{Error, Result},
};

/// Erases a user. Fails with a conflict if the user is the last administrator of the instance, or the last admin of an
/// organization. Returns the new name.
pub fn erase(tx: &mut SystemTx<'_>, login: &str) -> Result<String> {
    store::erasure::overwrite_freed_pages(tx.core().conn, true)?;
    let erased = erase_rows(tx, login);
    store::erasure::overwrite_freed_pages(tx.core().conn, false)?;
    erased
}

fn erase_rows(tx: &mut SystemTx<'_>, login: &str) -> Result<String> {
    let user_id = users::id_of(&tx.admin(), login)?;
    let user = users::by_id(tx.core().conn, user_id)?.ok_or(Error::NotFound("user"))?;
    let organizations = store::erasure::organizations(tx.core().conn, user_id)?;
    expect_dispensable(tx.core(), &user, &organizations)?;
    let core = tx.core();
    let name = format!("Erased user {user_id}");
    let new_login = free_login(core, user_id)?;
    // While the user is still a member of their organizations.
    comments::erase_user(core, user_id, (&user.login, &new_login), (&user.display_name, &name))?;
    for (organization_id, _) in &organizations {
        leaving::end_membership(tx, organization_id, user_id, "erasure")?;
    }
    let core = tx.core();
    for organization_id in store::erasure::directories(core.conn, user_id)? {
        people::erase(core, &organization_id, user_id, &name)?;
    }
    mail::delete_of_user(core, user_id, user.email.as_deref())?;
    notifications::delete_of_user(core.conn, user_id)?;
    store::erasure::delete_all(core.conn, user_id, user.email.as_deref())?;
    let login = new_login;
    store::erasure::anonymize(core.conn, user_id, &login, &name)?;
    store::erasure::anonymize_log(core.conn, user_id, &name)?;
    store::erasure::anonymize_audit(core.conn, user_id, &login, user.email.as_deref())?;
    core.audit("user.erase", None, &json!({ "userId": user_id, "login": login, "by": core.call.via.as_str() }))?;
    Ok(name)
}

/// Fails if the instance or an organization would have no administrator.
fn expect_dispensable(core: &Core<'_>, user: &User, organizations: &[(String, String)]) -> Result<()> {
    let login = &user.login;
    if user.is_admin && !user.is_suspended && !users::another_admin(core.conn, user.id)? {
        return Err(Error::Conflict(format!(
            "`{login}` is the last active administrator of the instance; make another user an administrator first \
             (`planroom user set-admin`)"
        )));
    }
    let mut alone = Vec::new();
    for (organization_id, slug) in organizations {
        let member = members::expected(core, organization_id, user.id)?;
        if members::keep_an_admin(core, &member).is_err() {
            alone.push(format!("`{slug}`"));
        }
    }
    if alone.is_empty() {
        return Ok(());
    }
    Err(Error::Conflict(format!(
        "`{login}` is the last admin of {}; make another member admin first (in the organization settings, or \
         `planroom org add-member --role admin`)",
        alone.join(", ")
    )))
}

/// A login that no other account has.
fn free_login(core: &Core<'_>, user_id: i64) -> Result<String> {
    for attempt in 1.. {
        let login = if attempt == 1 { format!("erased-{user_id}") } else { format!("erased-{user_id}-{attempt}") };
        match users::by_login(core.conn, &login)? {
            Some((other, _)) if other.id != user_id => core.check_alive()?,
            _ => return Ok(login),
        }
    }
    Err(Error::internal("no login is free"))
}
