//! Tools that list, create and update workspaces.

use serde::Deserialize;

use super::{
    change_set::change_set,
    results::{
        map::{WorkspacePage, WorkspaceSummary},
        writes::{SavedWorkspace, WriteResult},
    },
    tool::arguments,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{
            Call, Gate, OrgTx, Precondition,
            access::{Editor, Member, OrgReader},
        },
        map::{
            change_set::ChangeSet,
            workspaces::{self, NewWorkspace, Workspace, WorkspacePatch},
        },
        paging::Paging,
        transfer,
        values::{Id, Name, Properties, Text},
    },
    error::{Error, Result},
    mcp::{
        results::{SpaceLeft, page, truncate},
        services::Site,
    },
};

/// The page to read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ListWorkspaces {
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// A workspace to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct CreateWorkspace {
    /// Unique in the whole instance and permanent. Default: generated from the name.
    #[schema(nullable = false)]
    id: Option<Id>,
    /// Name.
    name: Name,
    /// Description.
    #[schema(nullable = false)]
    description: Option<Text>,
    /// Free-form.
    #[schema(nullable = false)]
    properties: Option<Properties>,
    /// Whether to start with a sample system instead of an empty map.
    #[schema(nullable = false)]
    sample: Option<bool>,
}

/// Changes of a workspace. Absent fields are unchanged.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct UpdateWorkspace {
    /// Id of the workspace.
    workspace_id: String,
    /// New name.
    #[schema(nullable = false)]
    name: Option<Name>,
    /// New description.
    #[schema(nullable = false)]
    description: Option<Text>,
    /// Replaces all properties.
    #[schema(nullable = false)]
    properties: Option<Properties>,
    /// `revision` of the workspace that you read: the call fails if it has changed since.
    #[schema(nullable = false)]
    expected_revision: Option<i64>,
}

arguments!(
    ListWorkspaces: "The workspaces (architecture maps) visible to you, with their ids. Start here if the user \
            gives no id. `myRole`: viewers and null can read, editors and owners can write.",
    CreateWorkspace: "Create an empty workspace in the active organization; the user becomes its owner, all \
            members can see it. Without `id`, an equal name is refused. Example: {\"name\": \"Web shop\", \
            \"description\": \"All that sells\"}",
    UpdateWorkspace: "Update name, description or properties of a workspace; omitted fields stay. Users change its \
            visibility in the web client. Example: {\"workspaceId\": \"web-shop\", \"name\": \"Web shop 2\"}",
);

/// Lists the workspaces that the caller can see.
pub async fn list_workspaces(gate: Gate, call: Call<OrgReader>, request: ListWorkspaces) -> Result<WorkspacePage> {
    gate.read(call, (), move |tx| {
        let all = workspaces::list(tx, &Paging::default())?.items;
        let items = all.iter().map(|listed| WorkspaceSummary::new(&listed.workspace, truncate));
        let (workspaces, next_cursor) = page(items, request.cursor.as_deref(), &mut SpaceLeft::after(&()))?;
        Ok(WorkspacePage { workspaces, next: next_cursor.into() })
    })
    .await
}

/// Creates a workspace.
pub async fn create_workspace(
    site: Site,
    call: Call<Member>,
    request: CreateWorkspace,
) -> Result<WriteResult<SavedWorkspace>> {
    let CreateWorkspace { id, name, description, properties, sample } = request;
    let new = NewWorkspace {
        id,
        name,
        description,
        visibility: None,
        organization_access: None,
        properties,
        org_id: None,
        sample,
        template: None,
    };
    let (links, change_set_id) = (site.links(&call).await?, Some(call.batch().to_owned()));
    let create = move |tx: &mut OrgTx<'_>| {
        let name = new.name.as_str();
        let mut existing = workspaces::list(tx, &Paging::default())?.items.into_iter().map(|listed| listed.workspace);
        match existing.find(|row| new.id.is_none() && row.name.eq_ignore_ascii_case(name)) {
            Some(existing) => {
                let text = format!(
                    "the workspace `{}` has this name; change it with update_workspace, or set `id` to another id to \
                     create a second workspace",
                    existing.id
                );
                Err(Error::invalid("name", text))
            }
            None => transfer::workspaces::create(tx, new),
        }
    };
    let workspace = site.gate.write(call, (), create).await?;
    let (url, revision) = (Some(links.workspace(&workspace.id)), Some(workspace.metadata.revision));
    let result = SavedWorkspace { workspace: WorkspaceSummary::new(&workspace, str::to_owned) };
    Ok(WriteResult { result, change_set_id, revision, url, links })
}

/// Updates a workspace.
pub async fn update_workspace(
    site: Site,
    mut call: Call<Editor>,
    request: UpdateWorkspace,
) -> Result<WriteResult<SavedWorkspace>> {
    if let Some(revision) = request.expected_revision {
        call.precondition = Precondition::Revision(revision);
    }
    let UpdateWorkspace { name, description, properties, .. } = request;
    let patch = WorkspacePatch { name, description, properties, ..WorkspacePatch::default() };
    let write = |set: &mut ChangeSet<'_, '_>| workspaces::update(set.tx(), patch);
    let result = change_set(&site, call, request.workspace_id, "workspace", write).await?;
    Ok(result
        .map(|workspace: Workspace| SavedWorkspace { workspace: WorkspaceSummary::new(&workspace, str::to_owned) }))
}
