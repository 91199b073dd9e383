//! Roles: what a person or team does for a component. The API calls them stakeholder link types.

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

/// A role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Role {
    /// Unique in the organization.
    #[schema(example = "business-owner")]
    pub id: String,
    /// The organization.
    #[schema(example = "org_2x7Yk")]
    pub org_id: String,
    /// Name.
    #[schema(example = "Business owner")]
    pub name: String,
    /// `#RRGGBB`.
    #[schema(example = "#D97706")]
    pub color: String,
    /// Place in the list; equal ones in order of creation.
    pub sort_order: i64,
    /// An icon of one's own, such as an emoji; absent when it was never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub icon: Option<String>,
    /// Name of a Lucide icon; absent when it was never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "briefcase")]
    pub icon_name: Option<String>,
    /// Revision, times and authors.
    #[serde(flatten)]
    pub written: Written,
}

/// A role to be created.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewRole {
    /// Made from the name when absent.
    #[schema(nullable = false)]
    pub id: Option<KebabId>,
    /// The active organization; accepted when equal.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Name.
    pub name: Name,
    /// Colour.
    pub color: Color,
    /// Place in the list; the last when absent.
    #[schema(nullable = false)]
    pub sort_order: Option<i32>,
    /// An icon of one's own, such as an emoji.
    #[schema(nullable = false)]
    pub icon: Option<Line>,
    /// Name of a Lucide icon.
    #[schema(nullable = false)]
    pub icon_name: Option<Line>,
}

/// What to change of a role; what is absent stays.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct RolePatch {
    /// Cannot change; accepted when equal.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Cannot change; accepted when equal.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Colour.
    #[schema(nullable = false)]
    pub color: Option<Color>,
    /// Place in the list.
    #[schema(nullable = false)]
    pub sort_order: Option<i32>,
    /// An icon of one's own, such as an emoji.
    #[schema(nullable = false)]
    pub icon: Option<Line>,
    /// Name of a Lucide icon.
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

/// What a role has beside its own fields.
const ROW: &[&str] = stamped!("" []);

/// The roles within the caller's reach, in their order.
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
    /// Whether a creator who says `new` would make it so.
    pub(super) fn is_said_by(&self, new: &NewRole) -> bool {
        self.name == new.name.as_str()
            && self.color == new.color.as_str()
            && new.sort_order.is_none_or(|order| self.sort_order == i64::from(order))
            && self.icon.as_deref() == new.icon.as_ref().map(Line::as_str)
            && self.icon_name.as_deref() == new.icon_name.as_ref().map(Line::as_str)
    }
}

/// Changes a role, one of those that the organization started with as well.
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

/// Deletes a role that no stakeholder link uses, one of those that the organization started with as well; else
/// [`crate::Error::InUse`].
pub fn delete(tx: &mut OrgAdminTx<'_>, id: &str) -> Result<()> {
    let role: Role = directory::release(tx, id, false)?;
    tx.directory()?.delete(&role)
}

/// Makes the roles of the catalogue, which every organization starts with; those that are there stay as they are.
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
