//! Stakeholder roles: what a person or team does for a component. The API calls them stakeholder link types.

use super::entries::{self, EntryIds};
pub use super::model::roles::{NewRole, Role, RolePatch};
use crate::{
    domain::{
        catalogue::{CATALOGUE, IconType},
        core::{Core, Directory, OrgAdminTx, OrgViewTx, RowMetadata},
        paging::{Page, Paging},
        slug,
        values::{KebabId, Line},
    },
    error::Result,
};

/// Lists the roles that the caller can access, in list order.
pub fn list(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<Role>> {
    entries::list(tx, paging)
}

/// Creates a role.
pub fn create(tx: &mut OrgAdminTx<'_>, new: NewRole) -> Result<Role> {
    let given = EntryIds { id: new.id.as_ref().map(KebabId::as_str), org_id: new.org_id.as_deref() };
    let base = || slug::strict(new.name.as_str(), "role");
    entries::create(tx.directory()?, &given, base, |id, org_id, last| Role {
        id,
        org_id,
        name: new.name.clone().into(),
        color: new.color.into(),
        sort_order: new.sort_order.map_or(last, i64::from),
        icon: new.icon.map(String::from),
        icon_name: new.icon_name.map(String::from),
        metadata: RowMetadata::default(),
    })
}

impl Role {
    /// Whether creating `new` would result in this role.
    pub(in crate::domain) fn matches(&self, new: &NewRole) -> bool {
        self.name == new.name.as_str()
            && self.color == new.color.as_str()
            && new.sort_order.is_none_or(|order| self.sort_order == i64::from(order))
            && self.icon.as_deref() == new.icon.as_ref().map(Line::as_str)
            && self.icon_name.as_deref() == new.icon_name.as_ref().map(Line::as_str)
    }
}

/// Updates a role. Predefined roles can be updated too.
pub fn update(tx: &mut OrgAdminTx<'_>, id: &str, patch: RolePatch) -> Result<Role> {
    let given = EntryIds { id: patch.id.as_deref(), org_id: patch.org_id.as_deref() };
    entries::update(tx.directory()?, id, &given, |old: Role| Role {
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
    let role: Role = entries::release(tx, id, false)?;
    tx.directory()?.delete(&role)
}

/// Creates the predefined roles, with which every organization starts. Existing roles stay unchanged.
pub(in crate::domain) fn create_predefined(core: &Core<'_>, organization_id: &str) -> Result<()> {
    let mut directory = Directory::new(core, organization_id.to_owned());
    for (sort_order, IconType { id, name, color, icon, icon_name }) in (0..).zip(CATALOGUE.stakeholder_link_types) {
        if entries::has::<Role>(core, organization_id, id)? {
            continue;
        }
        directory.create(Role {
            id: (*id).to_owned(),
            org_id: organization_id.to_owned(),
            name: (*name).to_owned(),
            color: (*color).to_owned(),
            sort_order,
            icon: Some((*icon).to_owned()),
            icon_name: Some((*icon_name).to_owned()),
            metadata: RowMetadata::default(),
        })?;
    }
    Ok(())
}
