//! Stakeholder roles.

use serde::{Deserialize, Serialize};

use crate::{
    describe::ToSchema,
    domain::{
        core::RowMetadata,
        input::{Input, objects, stamped},
        values::{Color, KebabId, Line, Name},
    },
};

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
    pub metadata: RowMetadata,
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
pub(in crate::domain) const ROW: &[&str] = stamped!("" []);
