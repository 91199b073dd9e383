//! User accounts, as other areas refer to them. Their credentials are in `accounts`.

pub mod model;
pub(in crate::domain) mod photos;
mod store;

pub use self::model::{NewUser, Profile, User};
pub(in crate::domain) use self::{
    model::{NewUserRow, OwnFields},
    store::{
        PROFILE, another_admin, any, by_id, by_login, decide, is_password_open, list, open_password, password_hash,
        password_open_until, profile, remove_password, set_own_fields, set_password_hash, signed_in, subject,
        with_email,
    },
};
use super::{
    core::{AdminTx, Core, PublicTx, Reads},
    values::Login,
};
use crate::error::{Error, Result};

/// Inserts an account and returns its id. Fails with a conflict if the login is taken. The caller of this function
/// writes the audit event.
pub(in crate::domain) fn insert(core: &Core<'_>, row: &NewUserRow<'_>) -> Result<i64> {
    free(core, row.login)?;
    store::insert(core.conn, row, core.now)
}

/// Fails with a conflict if the login is taken.
pub fn login_is_free(tx: &PublicTx<'_>, login: &Login) -> Result<()> {
    free(tx.core(), login.as_str())
}

fn free(core: &Core<'_>, login: &str) -> Result<()> {
    match store::by_login(core.conn, login)? {
        Some(_) => Err(Error::Conflict(format!("a user with the login `{login}` exists already"))),
        None => Ok(()),
    }
}

/// A user as other users see them.
pub(in crate::domain) fn profile_of(core: &Core<'_>, id: i64) -> Result<Profile> {
    store::profile_by_id(core.conn, id)?.ok_or(Error::NotFound("user"))
}

/// Returns the id of the user with this login, case-insensitively.
pub fn id_of(tx: &AdminTx<'_>, login: &str) -> Result<i64> {
    let found = store::by_login(tx.core().conn, login)?;
    let (user, _) = found.ok_or_else(|| {
        Error::invalid("login", format!("there is no user `{login}`; `planroom user list` lists all"))
    })?;
    Ok(user.id)
}
