//! Organizations: groups of users who share workspaces and a directory.

mod authority;
pub mod invitations;
pub mod leaving;
pub mod members;
pub mod model;
mod store;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::json;

pub use self::model::organizations::{NewOrganization, Organization, OrganizationPatch};
pub(in crate::domain) use self::store::organizations::{first_of, id_by_slug, of_user, rename};
use super::{
    core::{
        Caller, CallerKind, Core, FoundWorkspace, OrgAdminTx, Reads, SelfTx, SessionTx, SystemTx, active_organization,
    },
    directory::{people, roles},
    input::same,
    map::workspaces,
    paging::{Page, Paging, Window},
    settings, slug, users,
    values::{Name, OrgRole, Slug},
};
use crate::{
    auth::{Credential, keys::random},
    error::{Error, Result},
};

/// Lists the organizations that the caller can access: with a session, all organizations of the user; with a token, the
/// organization that the token is bound to.
pub fn list(tx: &SelfTx<'_>, paging: &Paging) -> Result<Page<Organization>> {
    let caller = tx.caller();
    let window = paging.window("organizations")?;
    match (caller.kind, &caller.organization) {
        (CallerKind::Session, _) => store::organizations::of_user(tx.core().conn, caller.user_id, &window)?
            .try_map(|organization| Ok(organization.into())),
        (_, Some(bound)) => Ok(Page { items: vec![bound.clone().into()], next_cursor: None }),
        (_, None) => Err(Error::NoActiveOrganization),
    }
}

/// Creates an organization with the caller as its admin.
pub fn create(tx: &mut SessionTx<'_>, new: NewOrganization) -> Result<Organization> {
    if !may_create(tx.core(), tx.caller())? {
        return Err(Error::Forbidden("creating organizations is for administrators of the instance; ask one of them"));
    }
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let id = create_organization(core, new)?;
    members::join(core, &id, user_id, OrgRole::Admin)?;
    let organization = active_organization(core.conn, &id, user_id)?;
    Ok(organization.ok_or(Error::NotFound("organization"))?.into())
}

/// Whether the caller may create an organization. Instance administrators may; the settings can allow it for all users.
pub(super) fn may_create(core: &Core<'_>, caller: &Caller) -> Result<bool> {
    Ok(caller.kind == CallerKind::Session && (caller.is_admin || settings::everyone_can_create_organizations(core)?))
}

/// Creates an organization without members and returns its id.
pub fn create_empty(tx: &mut SystemTx<'_>, new: NewOrganization) -> Result<String> {
    create_organization(tx.core(), new)
}

/// Updates an organization's name.
pub fn update(tx: &mut OrgAdminTx<'_>, patch: OrganizationPatch) -> Result<Organization> {
    let core = tx.core();
    let caller = core.caller()?;
    let before = caller.organization.clone().ok_or(Error::NoActiveOrganization)?;
    same("id", patch.id.as_deref(), &before.id)?;
    same("slug", patch.slug.as_deref(), &before.slug)?;
    let name = patch.name.map_or_else(|| before.name.clone(), String::from);
    if name != before.name {
        store::organizations::rename(core.conn, &before.id, &name)?;
        core.audit("organization.rename", Some(caller.user_id), &json!({ "from": before.name, "to": name }))?;
    }
    Ok(Organization { name, ..before.into() })
}

/// Creates an organization without members and returns its id.
pub(super) fn create_organization(core: &Core<'_>, new: NewOrganization) -> Result<String> {
    let taken = |slug: &str| store::organizations::id_by_slug(core.conn, slug).map(|id| id.is_some());
    let slug = match new.slug {
        Some(slug) if taken(slug.as_str())? => {
            return Err(Error::Conflict(format!("an organization with the slug `{}` exists already", slug.as_str())));
        }
        Some(slug) => slug.into(),
        None => slug::free(slug_from(&new.name)?.as_str(), taken)?,
    };
    let id = format!("org_{}", URL_SAFE_NO_PAD.encode(random::<12>()));
    insert(core, &id, &slug, &new.name)?;
    Ok(id)
}

fn insert(core: &Core<'_>, id: &str, slug: &str, name: &Name) -> Result<()> {
    store::organizations::insert(core.conn, id, slug, name.as_str(), core.now)?;
    core.audit("organization.create", core.actor(), &json!({ "organizationId": id, "slug": slug }))?;
    roles::create_predefined(core, id)
}

/// Creates an organization from an identity provider under the provider's `id`, which must be unused. If the provider's
/// slug is taken, a slug is derived from the name.
pub(super) fn mirror(core: &Core<'_>, issuer: &str, id: &str, slug: Option<&str>, name: &Name) -> Result<()> {
    let base = slug.and_then(|slug| Slug::new(slug).ok()).map_or_else(|| slug_from(name), Ok)?;
    let taken = |slug: &str| store::organizations::id_by_slug(core.conn, slug).map(|id| id.is_some());
    insert(core, id, &slug::free(base.as_str(), taken)?, name)?;
    store::organizations::mirror(core.conn, id, issuer)
}

/// Returns the id of the organization with this slug and creates the organization if needed.
pub(super) fn find_or_create(core: &Core<'_>, slug: Slug, name: Name) -> Result<String> {
    match store::organizations::id_by_slug(core.conn, slug.as_str())? {
        Some(id) => Ok(id),
        None => create_organization(core, NewOrganization { name, slug: Some(slug) }),
    }
}

/// Derives a slug from an organization's name.
pub fn slug_from(name: &Name) -> Result<Slug> {
    Slug::new(&slug::ascii(name.as_str())).map_err(Error::internal)
}

/// Operator credentials to act in an organization as the user `login`, or as the admin who joined it first.
pub fn operator(tx: &SystemTx<'_>, slug: &str, login: Option<&str>) -> Result<Credential> {
    let conn = tx.core().conn;
    let organization_id = store::organizations::id_by_slug(conn, slug)?.ok_or_else(|| {
        Error::invalid("org", format!("there is no organization `{slug}`; `planroom org list` lists all"))
    })?;
    let user_id = match login {
        Some(login) => {
            let wrong = |text: String| Error::invalid("as", text);
            let user = users::by_login(conn, login)?.map(|(user, _)| user.id);
            let user = user.ok_or_else(|| wrong(format!("there is no user `{login}`")))?;
            match store::members::by_user(conn, &organization_id, user)? {
                None => return Err(wrong(format!("`{login}` is no member of `{slug}`"))),
                Some(member) if member.is_suspended => return Err(wrong(format!("`{login}` is suspended"))),
                Some(_) => user,
            }
        }
        None => store::organizations::first_admin(conn, &organization_id)?
            .ok_or_else(|| Error::invalid("org", format!("`{slug}` has no active admin; say --as LOGIN")))?,
    };
    Ok(Credential::Operator { user_id, organization_id })
}

/// Operator credentials for the organization of the workspace `id`.
pub fn operator_at(tx: &SystemTx<'_>, id: &str) -> Result<Credential> {
    operator_of(tx, workspaces::living(tx.core().conn, id)?)
}

/// Operator credentials for the organization of the deleted workspace `pk`.
pub fn operator_at_deleted(tx: &SystemTx<'_>, pk: i64) -> Result<Credential> {
    operator_of(tx, workspaces::by_pk(tx.core().conn, pk)?)
}

fn operator_of(tx: &SystemTx<'_>, found: Option<FoundWorkspace>) -> Result<Credential> {
    let workspace = found.ok_or(Error::NotFound("workspace"))?.workspace;
    let organization_id = workspace.org_id.unwrap_or_default();
    let user_id =
        store::organizations::first_admin(tx.core().conn, &organization_id)?.unwrap_or(workspace.owner_user_id);
    Ok(Credential::Operator { user_id, organization_id })
}

/// Creates the initial contents of directories that have none: those of organizations from before directories existed.
/// Must be called before requests are accepted. Returns the number of directories.
///
/// Every write increases a directory's revision and none decreases it, so a directory at revision 0 has never been
/// written. A role or person that a user deletes is therefore not created again at the next start.
pub fn create_missing_directories(tx: &mut SystemTx<'_>) -> Result<usize> {
    let core = tx.core();
    let unwritten = store::organizations::without_directory(core.conn)?;
    for organization_id in &unwritten {
        roles::create_predefined(core, organization_id)?;
        for member in store::members::list(core.conn, organization_id, &Window::whole())?.items {
            people::join(core, organization_id, member.user_id)?;
        }
    }
    Ok(unwritten.len())
}
