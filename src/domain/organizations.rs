//! Organizations: groups of users who share workspaces and a directory.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{
    access::{
        ActiveOrganization, Caller, CallerKind, Core, FoundWorkspace, OrgAdminTx, Reads, SelfTx, SessionTx, SystemTx,
        active_organization,
    },
    directory,
    input::{Input, objects},
    org_members,
    paging::{Page, Paging},
    settings, slug, store,
    values::{Name, OrgRole, Slug},
    workspaces::same,
};
use crate::{
    auth::{Credential, keys::random},
    error::{Error, Result},
};

/// An organization as seen by one of its members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Organization {
    /// Organization id. It never changes.
    #[schema(example = "org_2x7Yk")]
    pub id: String,
    /// Display name.
    #[schema(example = "Acme")]
    pub name: String,
    /// Name in commands and tokens. It never changes.
    #[schema(example = "acme")]
    pub slug: String,
    /// Role of the caller in the organization.
    pub role: OrgRole,
}

impl From<ActiveOrganization> for Organization {
    fn from(ActiveOrganization { id, slug, name, role }: ActiveOrganization) -> Self {
        Self { id, name, slug, role }
    }
}

/// An organization to create.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewOrganization {
    /// Display name.
    pub name: Name,
    /// Name in commands and tokens; derived from `name` when absent.
    #[schema(nullable = false)]
    pub slug: Option<Slug>,
}

/// Organization fields to update; absent fields are unchanged.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct OrganizationPatch {
    /// Cannot be changed; accepted if equal to the current id.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Cannot be changed; accepted if equal to the current slug.
    #[schema(nullable = false)]
    pub slug: Option<String>,
    /// Display name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
}

objects!(NewOrganization, OrganizationPatch);
impl Input for NewOrganization {}
impl Input for OrganizationPatch {
    const READ_ONLY: &'static [&'static str] = &["role"];
}

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
    if !may_found(tx.core(), tx.caller())? {
        return Err(Error::Forbidden("creating organizations is for administrators of the instance; ask one of them"));
    }
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let id = found(core, new)?;
    org_members::join(core, &id, user_id, OrgRole::Admin)?;
    let organization = active_organization(core.conn, &id, user_id)?;
    Ok(organization.ok_or(Error::NotFound("organization"))?.into())
}

/// Whether the caller may create an organization. Instance administrators may; the settings can allow it for all users.
pub(super) fn may_found(core: &Core<'_>, caller: &Caller) -> Result<bool> {
    Ok(caller.kind == CallerKind::Session && (caller.is_admin || settings::everyone_founds_organizations(core)?))
}

/// Creates an organization without members and returns its id.
pub fn create_empty(tx: &mut SystemTx<'_>, new: NewOrganization) -> Result<String> {
    found(tx.core(), new)
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
pub(super) fn found(core: &Core<'_>, new: NewOrganization) -> Result<String> {
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
    directory::begin(core, id)
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
        None => found(core, NewOrganization { name, slug: Some(slug) }),
    }
}

/// Derives a slug from an organization's name.
pub fn slug_from(name: &Name) -> Result<Slug> {
    Slug::new(&slug::ascii(name.as_str())).map_err(Error::internal)
}

/// Operator credentials to act in an organization as the user `login`, or as the admin who joined it first.
pub fn operator(tx: &SystemTx<'_>, slug: &str, login: Option<&str>) -> Result<Credential> {
    let conn = tx.core().conn;
    let organization_id = store::organizations::id_by_slug(conn, slug)?
        .ok_or_else(|| Error::invalid("org", format!("there is no organization `{slug}`")))?;
    let user_id = match login {
        Some(login) => {
            let wrong = |text: String| Error::invalid("as", text);
            let user = store::users::by_login(conn, login)?.map(|(user, _)| user.id);
            let user = user.ok_or_else(|| wrong(format!("there is no user `{login}`")))?;
            match store::org_members::by_user(conn, &organization_id, user)? {
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
    operator_of(tx, store::workspaces::living(tx.core().conn, id)?)
}

/// Operator credentials for the organization of the deleted workspace `pk`.
pub fn operator_at_deleted(tx: &SystemTx<'_>, pk: i64) -> Result<Credential> {
    operator_of(tx, store::workspaces::by_pk(tx.core().conn, pk)?)
}

fn operator_of(tx: &SystemTx<'_>, found: Option<FoundWorkspace>) -> Result<Credential> {
    let workspace = found.ok_or(Error::NotFound("workspace"))?.workspace;
    let organization_id = workspace.org_id.unwrap_or_default();
    let user_id =
        store::organizations::first_admin(tx.core().conn, &organization_id)?.unwrap_or(workspace.owner_user_id);
    Ok(Credential::Operator { user_id, organization_id })
}
