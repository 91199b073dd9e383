//! The row of a workspace, which decides who has access to everything in it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::record::Written;
use crate::domain::values::{AccessLevel, Properties, Visibility};

/// A workspace: one map and all that hangs on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Workspace {
    /// The key of its rows; an id that is deleted and taken again is another workspace.
    #[serde(skip)]
    pub pk: i64,
    /// Chosen by the caller, unique in the whole instance among living workspaces.
    #[schema(example = "web-shop")]
    pub id: String,
    /// Name.
    #[schema(example = "Web shop")]
    pub name: String,
    /// Description; absent when it was never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// The user who founded it, or the oldest remaining owner.
    pub owner_user_id: i64,
    /// The organization it belongs to, for good.
    #[schema(required)]
    pub org_id: Option<String>,
    /// Who sees it beside its members.
    pub visibility: Visibility,
    /// Free-form.
    pub properties: Properties,
    /// Revision, times and authors. The revision moves with every write in the workspace.
    #[serde(flatten)]
    pub written: Written,
    /// The caller's access level; null for an instance administrator who only looks.
    #[schema(required)]
    pub my_role: Option<AccessLevel>,
    /// When it was deleted, Unix milliseconds; absent while it lives.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub deleted_at: Option<i64>,
}

/// Names a workspace's rows: by its key in SQL, by its id in answers.
pub(in crate::domain) struct WorkspaceKey<'a> {
    pub pk: i64,
    pub id: &'a str,
}
