//! The tool that replaces the whole model of a workspace.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tool::arguments;
use crate::{
    domain::{
        core::{Call, Gate, Precondition, access::EditorOrCreator},
        input::at_most,
        map::{
            bulk::{self, Bulk, BulkComponent, BulkOutcome, BulkWorkspace, IdsByKind},
            relationships::NewRelationship,
        },
        values::{Id, Name, Text},
    },
    error::Result,
};

/// Maximum number of components of a call.
const MAX_COMPONENTS: usize = 5_000;
/// Maximum number of relationships of a call.
const MAX_RELATIONSHIPS: usize = 10_000;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_COMPONENTS == 5_000 && MAX_RELATIONSHIPS == 10_000);

/// A whole model.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ReplaceWorkspaceModel {
    /// Id of the workspace; an unused one creates it, with `name`.
    workspace_id: Id,
    /// All components; unlisted ones are deleted.
    #[serde(deserialize_with = "at_most::<MAX_COMPONENTS, _, _>")]
    #[schema(max_items = 5_000)]
    components: Vec<BulkComponent>,
    /// All relationships; unlisted ones are deleted.
    #[serde(deserialize_with = "at_most::<MAX_RELATIONSHIPS, _, _>")]
    #[schema(max_items = 10_000)]
    relationships: Vec<NewRelationship>,
    /// Name of the workspace. Default: unchanged.
    #[schema(nullable = false)]
    name: Option<Name>,
    /// Description; requires `name`.
    #[schema(nullable = false)]
    description: Option<Text>,
    /// Only return what would be created, updated and deleted.
    #[schema(nullable = false)]
    dry_run: Option<bool>,
    /// `revision` of the workspace that you read: the call fails if it has changed since.
    #[schema(nullable = false)]
    expected_revision: Option<i64>,
}

arguments!(
    ReplaceWorkspaceModel: "Replace all components and relationships of a workspace: unlisted ones are DELETED, \
            omitted fields are reset, except position, size, tags, technology and line. Up to 5,000 components. Stakeholders, links and processes of \
            components whose id stays are kept. Use it to rebuild a map from a description or file; for additions and \
            single changes use upsert_components and upsert_relationships. If the workspace has content, first call \
            it with `dryRun` true, show the user what would be deleted, then repeat with `expectedRevision`. Example: \
            {\"workspaceId\": \"web-shop\", \"dryRun\": true, \"components\": [{\"id\": \"web\", \"typeId\": \
            \"web-app\", \"name\": \"Shop\"}], \"relationships\": []}",
);

/// What a replacement did, or would do.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Replaced {
    /// Whether this was a dry run.
    dry_run: bool,
    /// Number of components afterwards; absent in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    components: Option<usize>,
    /// Number of relationships afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    relationships: Option<usize>,
    /// Revision of the workspace afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    revision: Option<i64>,
    /// Ids that would be created.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    created: Option<Ids>,
    /// Ids that would be updated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    updated: Option<Ids>,
    /// Ids that would be deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    deleted: Option<Ids>,
}

/// How many there are, and the ids of the first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ids {
    component_count: usize,
    relationship_count: usize,
    components: Vec<String>,
    relationships: Vec<String>,
}

impl From<IdsByKind> for Ids {
    fn from(ids: IdsByKind) -> Self {
        /// Maximum bytes of ids per kind: a result has six such lists.
        const MAX_ID_BYTES: usize = 2_500;
        let first = |ids: Vec<String>| {
            let mut left = MAX_ID_BYTES;
            let fits = move |id: &String| {
                let fits = id.len() + 8 <= left;
                left = left.saturating_sub(id.len() + 8);
                fits
            };
            ids.into_iter().take_while(fits).collect()
        };
        Self {
            component_count: ids.components.len(),
            relationship_count: ids.relationships.len(),
            components: first(ids.components),
            relationships: first(ids.relationships),
        }
    }
}

/// Replaces the model of a workspace.
pub async fn replace_workspace_model(
    gate: Gate,
    mut call: Call<EditorOrCreator>,
    ask: ReplaceWorkspaceModel,
) -> Result<Replaced> {
    if let Some(revision) = ask.expected_revision {
        call.precondition = Precondition::Revision(revision);
    }
    let ReplaceWorkspaceModel { workspace_id, components, relationships, name, description, dry_run, .. } = ask;
    let own = |name| BulkWorkspace {
        id: None,
        org_id: None,
        name,
        description,
        visibility: None,
        organization_access: None,
        properties: None,
    };
    let body = Bulk { workspace: name.map(own), components, relationships };
    let outcome = bulk::replace(&gate, call, workspace_id, body, dry_run.unwrap_or(false), Vec::new()).await?;
    Ok(match outcome {
        BulkOutcome::Done(done) => Replaced {
            dry_run: false,
            components: Some(done.components.len()),
            relationships: Some(done.relationships.len()),
            revision: Some(done.workspace.metadata.revision),
            created: None,
            updated: None,
            deleted: None,
        },
        BulkOutcome::Tried(tried) => Replaced {
            dry_run: true,
            components: None,
            relationships: None,
            revision: None,
            created: Some(tried.created.into()),
            updated: Some(tried.updated.into()),
            deleted: Some(tried.deleted.into()),
        },
    })
}
