//! Organizations.

use serde::{Deserialize, Serialize};

use crate::{
    describe::ToSchema,
    domain::{
        core::ActiveOrganization,
        input::{Input, objects},
        values::{Name, OrgRole, Slug},
    },
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
