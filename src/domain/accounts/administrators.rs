//! Administrators of the instance: the first account, and others that the operator creates.

use serde_json::json;

pub use super::model::administration::NewAdmin;
use crate::{
    domain::{
        accounts::{
            passwords,
            sessions::{self, NewSession, OrgChoice},
        },
        core::{PublicTx, Reads, SystemTx},
        organizations::{self, members},
        users::{self, NewUserRow, insert},
        values::OrgRole,
    },
    error::{Error, Result},
};

/// Creates an administrator of the instance who is also an admin of an organization. Creates the organization if it
/// does not exist.
pub fn create_admin(tx: &mut SystemTx<'_>, new: &NewAdmin) -> Result<i64> {
    insert_admin(tx, new, "cli")
}

/// Creates the first account and signs it in. Fails if the instance has a user.
pub fn set_up(tx: &mut PublicTx<'_>, new: &NewAdmin, user_agent: Option<&str>) -> Result<NewSession> {
    not_set_up(tx)?;
    let user_id = insert_admin(tx, new, "setup-link")?;
    sessions::start(tx, user_id, &OrgChoice::First, user_agent)
}

/// Fails with a conflict if the instance has a user.
pub fn not_set_up(tx: &PublicTx<'_>) -> Result<()> {
    if users::any(tx.core().conn)? {
        return Err(Error::Conflict("this instance is set up already; sign in instead".into()));
    }
    Ok(())
}

/// Whether the instance has a user.
pub fn any(tx: &SystemTx<'_>) -> Result<bool> {
    users::any(tx.core().conn)
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
    members::join(core, &organization, user_id, OrgRole::Admin)?;
    let details = json!({ "userId": user_id, "login": login, "organizationId": organization, "by": by });
    core.audit("user.create", Some(user_id), &details)?;
    Ok(user_id)
}
