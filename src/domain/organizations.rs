//! Organizations: who works together.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use super::{
    access::{Core, Reads, SystemTx},
    slug, store,
};
use crate::{
    auth::{Credential, keys::random},
    error::{Error, Result},
};

/// The id of the organization with this slug, which is made if need be.
pub(super) fn find_or_create(core: &Core<'_>, slug: &str, name: &str) -> Result<String> {
    if let Some(id) = store::organizations::id_by_slug(core.conn, slug)? {
        return Ok(id);
    }
    let id = format!("org_{}", URL_SAFE_NO_PAD.encode(random::<12>()));
    store::organizations::insert(core.conn, &id, slug, name, core.now)?;
    Ok(id)
}

/// A slug for an organization that was named and nothing more.
pub fn slug_from(name: &str) -> String {
    slug::ascii(name)
}

/// The operator, acting in an organization as `login`, or as the admin who joined it first.
pub fn operator(tx: &SystemTx<'_>, slug: &str, login: Option<&str>) -> Result<Credential> {
    let conn = tx.core().conn;
    let organization_id = store::organizations::id_by_slug(conn, slug)?
        .ok_or_else(|| Error::invalid("org", format!("there is no organization `{slug}`")))?;
    let user_id = match login {
        Some(login) => {
            let (user, _) = store::users::by_login(conn, login)?
                .ok_or_else(|| Error::invalid("as", format!("there is no user `{login}`")))?;
            user.id
        }
        None => store::organizations::first_admin(conn, &organization_id)?
            .ok_or_else(|| Error::invalid("org", format!("`{slug}` has no active admin; say --as LOGIN")))?,
    };
    Ok(Credential::Operator { user_id, organization_id })
}

/// The operator, where the workspace `id` is, so as to read it.
pub fn operator_at(tx: &SystemTx<'_>, id: &str) -> Result<Credential> {
    let found = store::workspaces::living(tx.core().conn, id)?.ok_or(Error::NotFound("workspace"))?;
    let organization_id = found.workspace.org_id.unwrap_or_default();
    let user_id =
        store::organizations::first_admin(tx.core().conn, &organization_id)?.unwrap_or(found.workspace.owner_user_id);
    Ok(Credential::Operator { user_id, organization_id })
}
