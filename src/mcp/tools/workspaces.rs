//! Tools that list, create and update workspaces.

use serde::{Deserialize, Serialize};

use super::{
    change_set::{Done, change_set},
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
        values::{AccessLevel, Id, Name, OrganizationAccess, Properties, Text, Visibility},
    },
    error::{Error, Result},
    mcp::{
        results::{SpaceLeft, page, truncate},
        services::Site,
    },
};

/// Which page.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ListWorkspaces {
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// A workspace to be founded.
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

/// What to change of a workspace; what is absent stays.
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

/// A workspace in short.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    visibility: Visibility,
    organization_access: OrganizationAccess,
    my_role: Option<AccessLevel>,
    /// Number of writes.
    revision: i64,
    /// Unix milliseconds.
    updated_at: i64,
}

impl Summary {
    /// The fields of a workspace, with its description as `cut` returns it.
    pub fn of(workspace: &Workspace, cut: impl Fn(&str) -> String) -> Self {
        Self {
            id: workspace.id.clone(),
            name: workspace.name.clone(),
            description: workspace.description.as_deref().filter(|text| !text.is_empty()).map(cut),
            visibility: workspace.visibility,
            organization_access: workspace.organization_access,
            my_role: workspace.my_role,
            revision: workspace.metadata.revision,
            updated_at: workspace.metadata.updated_at,
        }
    }
}

/// A page of workspaces.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    workspaces: Vec<Summary>,
    /// Whether there are more.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// A founded or changed workspace.
#[derive(Debug, Serialize)]
pub struct Saved {
    workspace: Summary,
}

/// The workspaces that the caller may see.
pub async fn list_workspaces(gate: Gate, call: Call<OrgReader>, ask: ListWorkspaces) -> Result<Listed> {
    gate.read(call, (), move |tx| {
        let all = workspaces::list(tx, &Paging::default())?.items;
        let items = all.iter().map(|listed| Summary::of(&listed.workspace, truncate));
        let (workspaces, next_cursor) = page(items, ask.cursor.as_deref(), &mut SpaceLeft::after(&()))?;
        Ok(Listed { workspaces, truncated: next_cursor.is_some(), next_cursor })
    })
    .await
}

/// Founds a workspace.
pub async fn create_workspace(site: Site, call: Call<Member>, ask: CreateWorkspace) -> Result<Done<Saved>> {
    let CreateWorkspace { id, name, description, properties, sample } = ask;
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
        let known = workspaces::list(tx, &Paging::default())?.items.into_iter().map(|listed| listed.workspace);
        match known.filter(|_| new.id.is_none()).find(|known| known.name.eq_ignore_ascii_case(name)) {
            Some(known) => {
                let why = format!(
                    "there is a workspace `{}` of this name already; give its `id` to update_workspace to change it, or \
                     another `id` here to create a second",
                    known.id
                );
                Err(Error::invalid("name", why))
            }
            None => transfer::workspaces::create(tx, new),
        }
    };
    let workspace = site.gate.write(call, (), create).await?;
    let (url, revision) = (Some(links.workspace(&workspace.id)), Some(workspace.metadata.revision));
    let answer = Saved { workspace: Summary::of(&workspace, str::to_owned) };
    Ok(Done { answer, change_set_id, revision, url, links })
}

/// Changes a workspace.
pub async fn update_workspace(site: Site, mut call: Call<Editor>, ask: UpdateWorkspace) -> Result<Done<Saved>> {
    if let Some(revision) = ask.expected_revision {
        call.precondition = Precondition::Revision(revision);
    }
    let UpdateWorkspace { name, description, properties, .. } = ask;
    let patch = WorkspacePatch { name, description, properties, ..WorkspacePatch::default() };
    let write = |set: &mut ChangeSet<'_, '_>| workspaces::update(set.tx(), patch);
    let done = change_set(&site, call, ask.workspace_id, "workspace", write).await?;
    Ok(done.map(|workspace: Workspace| Saved { workspace: Summary::of(&workspace, str::to_owned) }))
}
