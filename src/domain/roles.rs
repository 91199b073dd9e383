//! Stakeholder roles: what a person or team does for a component. The API calls them stakeholder link types.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{Directory, OrgAdminTx, OrgViewTx, Reads, Written},
    catalogue::{CATALOGUE, IconType},
    directory::{self, Identity},
    input::{Input, objects, stamped},
    paging::{Page, Paging},
    slug,
    values::{Color, KebabId, Line, Name},
};
use crate::error::Result;

/// A stakeholder role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Role {
    /// Id, unique in the organization.
    #[schema(example = "business-owner")]
    pub id: String,
    /// Id of the organization.
    #[schema(example = "org_2x7Yk")]
    pub org_id: String,
    /// Name.
    #[schema(example = "Business owner")]
    pub name: String,
    /// Color, as `#RRGGBB`.
    #[schema(example = "#D97706")]
    pub color: String,
    /// Position in the list. Roles with equal values are sorted by creation time.
    pub sort_order: i64,
    /// Custom icon, such as an emoji; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub icon: Option<String>,
    /// Name of a Lucide icon; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "briefcase")]
    pub icon_name: Option<String>,
    /// Revision, timestamps, and authors.
    #[serde(flatten)]
    pub written: Written,
}

/// Fields of a new role.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewRole {
    /// Default: derived from the name.
    #[schema(nullable = false)]
    pub id: Option<KebabId>,
    /// If given, must be the id of the active organization.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Name.
    pub name: Name,
    /// Color, as `#RRGGBB`.
    pub color: Color,
    /// Position in the list. Default: last.
    #[schema(nullable = false)]
    pub sort_order: Option<i32>,
    /// Custom icon, such as an emoji.
    #[schema(nullable = false)]
    pub icon: Option<Line>,
    /// Name of a Lucide icon.
    #[schema(nullable = false)]
    pub icon_name: Option<Line>,
}

/// Fields of a role to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct RolePatch {
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Color, as `#RRGGBB`.
    #[schema(nullable = false)]
    pub color: Option<Color>,
    /// Position in the list.
    #[schema(nullable = false)]
    pub sort_order: Option<i32>,
    /// Custom icon, such as an emoji; `""` clears it.
    #[schema(nullable = false)]
    pub icon: Option<Line>,
    /// Name of a Lucide icon; `""` clears it.
    #[schema(nullable = false)]
    pub icon_name: Option<Line>,
}

objects!(NewRole, RolePatch);
impl Input for NewRole {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for RolePatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}

/// Fields of a role in responses that a client cannot write.
const ROW: &[&str] = stamped!("" []);

/// Lists the roles that the caller can access, in list order.
pub fn list(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<Role>> {
    directory::list(tx, paging)
}

/// Creates a role.
pub fn create(tx: &mut OrgAdminTx<'_>, new: NewRole) -> Result<Role> {
    let given = Identity { id: new.id.as_ref().map(KebabId::as_str), org_id: new.org_id.as_deref() };
    let base = || slug::strict(new.name.as_str(), "role");
    directory::create(tx.directory()?, &given, base, |id, org_id, last| Role {
        id,
        org_id,
        name: new.name.clone().into(),
        color: new.color.into(),
        sort_order: new.sort_order.map_or(last, i64::from),
        icon: new.icon.map(String::from),
        icon_name: new.icon_name.map(String::from),
        written: Written::default(),
    })
}

impl Role {
    /// Whether creating `new` would result in this role.
    pub(super) fn is_said_by(&self, new: &NewRole) -> bool {
        self.name == new.name.as_str()
            && self.color == new.color.as_str()
            && new.sort_order.is_none_or(|order| self.sort_order == i64::from(order))
            && self.icon.as_deref() == new.icon.as_ref().map(Line::as_str)
            && self.icon_name.as_deref() == new.icon_name.as_ref().map(Line::as_str)
    }
}

/// Updates a role. Predefined roles can be updated too.
pub fn update(tx: &mut OrgAdminTx<'_>, id: &str, patch: RolePatch) -> Result<Role> {
    let given = Identity { id: patch.id.as_deref(), org_id: patch.org_id.as_deref() };
    directory::update(tx.directory()?, id, &given, |old: Role| Role {
        name: patch.name.map_or(old.name, String::from),
        color: patch.color.map_or(old.color, String::from),
        sort_order: patch.sort_order.map_or(old.sort_order, i64::from),
        icon: patch.icon.map(String::from).or(old.icon),
        icon_name: patch.icon_name.map(String::from).or(old.icon_name),
        ..old
    })
}

/// Deletes a role. Predefined roles can be deleted too. Fails with [`crate::Error::InUse`] while a stakeholder link
/// uses the role.
pub fn delete(tx: &mut OrgAdminTx<'_>, id: &str) -> Result<()> {
    let role: Role = directory::release(tx, id, false)?;
    tx.directory()?.delete(&role)
}

/// Creates the predefined roles, with which every organization starts. Existing roles stay unchanged.
pub(super) fn begin(directory: &mut Directory<'_>) -> Result<()> {
    let organization_id = directory.organization_id().to_owned();
    for (sort_order, IconType { id, name, color, icon, icon_name }) in (0..).zip(CATALOGUE.stakeholder_link_types) {
        if directory::has::<Role>(directory.core(), &organization_id, id)? {
            continue;
        }
        directory.create(Role {
            id: (*id).to_owned(),
            org_id: organization_id.clone(),
            name: (*name).to_owned(),
            color: (*color).to_owned(),
            sort_order,
            icon: Some((*icon).to_owned()),
            icon_name: Some((*icon_name).to_owned()),
            written: Written::default(),
        })?;
    }
    Ok(())
}
