//! Tools that list and save views of a workspace.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    change_set::{Done, change_set},
    tool::{Rejected, arguments, found},
    upserts::same_name,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{
            Call, Gate,
            access::{Editor, Viewer},
        },
        map::{
            change_set::ChangeSet,
            views::{self, NewView, ViewDefinition, ViewLayout, ViewPatch, reading},
        },
        values::{KebabId, Name, Text},
    },
    error::{Error, Problem, Result},
    mcp::{
        results::{SpaceLeft, page, truncate},
        services::Site,
    },
};

/// Which workspace.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ListViews {
    workspace_id: String,
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// A view to add or change. What is absent stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SaveView {
    workspace_id: String,
    /// Of an existing view, or a new one in kebab-case.
    #[schema(nullable = false)]
    view_id: Option<KebabId>,
    #[schema(nullable = false)]
    name: Option<Name>,
    #[schema(nullable = false)]
    description: Option<Text>,
    #[schema(value_type = Option<Object>, nullable = false)]
    definition: Option<ViewDefinition>,
}

arguments!(
    ListViews: "Views of a workspace, which show parts of its map, with numbers of components. get_workspace reads one by \
            `viewId`.",
    SaveView: "Create or update a view. Example of a `definition`, which is replaced as a whole: {\"include\": \
            [{\"types\": [\"service\"], \"teams\": [\"core\"]}, {\"around\": {\"of\": [\"web\"], \"direction\": \"down\", \
            \"depth\": 2}}], \"exclude\": [{\"lifecycle\": [\"retired\"]}], \"outside\": \"stubs\"}. All fields of a selector \
            must match: ids, types, kinds, lifecycle, tags, technology, within (groups), owners, teams, roles, text, \
            properties, around (up: dependents). A group is shown only if it matches.",
);

/// A page of views.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// Revision of the workspace.
    revision: i64,
    columns: [&'static str; 6],
    rows: Vec<Value>,
    /// Whether there are more.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// A saved view.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Saved {
    view_id: String,
    /// Whether it was created.
    created: bool,
    revision: i64,
    /// Number of components in it.
    components: usize,
    /// Number of relationships in it.
    relationships: usize,
    /// Components of the definition that do not exist. They match nothing until they do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<String>,
}

/// The views of a workspace.
pub async fn list_views(gate: Gate, call: Call<Viewer>, ask: ListViews) -> Result<Listed> {
    const COLUMNS: [&str; 6] = ["id", "name", "components", "relationships", "layout", "description"];
    gate.read(call.large(), ask.workspace_id, move |tx| {
        let revision = tx.workspace().metadata.revision;
        let counted = reading::counted(tx)?;
        let row = |(view, components, relationships): (views::View, usize, usize)| {
            let about = truncate(view.description.as_deref().unwrap_or_default());
            json!([view.id, view.name, components, relationships, view.layout, about])
        };
        let rows = counted.into_iter().map(row);
        let (rows, next_cursor) = page(rows, ask.cursor.as_deref(), &mut SpaceLeft::after(&(revision, COLUMNS)))?;
        Ok(Listed { revision, columns: COLUMNS, rows, truncated: next_cursor.is_some(), next_cursor })
    })
    .await
}

/// Adds or changes a view. A new view gets a layout of its own, in which its components are arranged.
pub async fn save_view(site: Site, call: Call<Editor>, ask: SaveView) -> Result<Done<Saved>> {
    let SaveView { workspace_id, view_id, name, description, definition } = ask;
    let mut rejected = Rejected::default();
    for error in definition.as_ref().map(ViewDefinition::problems).transpose()?.unwrap_or_default() {
        rejected.add_other(error.within("definition"));
    }
    if !rejected.is_empty() {
        return Err(rejected.into_error());
    }
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let present = match &view_id {
            Some(id) => found(views::find(set.now(), id.as_str()))?,
            None => None,
        };
        let created = present.is_none();
        let view = match present {
            Some(row) => {
                let patch = ViewPatch { name, description, definition, ..ViewPatch::default() };
                views::update(set.tx(), &row.id, patch)?
            }
            None => {
                let name =
                    name.ok_or_else(|| Error::invalid("name", Problem::required(", because no view has this id")))?;
                if view_id.is_none()
                    && let Some(known) = views::named(set.now(), name.as_str())?
                {
                    return Err(same_name("view", &known, "viewId"));
                }
                let layout = Some(ViewLayout::Own);
                let new = NewView { id: view_id, name, description, position: None, definition, layout };
                let view = views::create(set.tx(), new)?;
                views::reading::arrange(set.tx(), &view)?;
                view
            }
        };
        let now = set.now();
        let (components, relationships) = reading::counts(now, &view.definition)?;
        let unknown = reading::unknown_components(now, &view.definition)?;
        Ok(Saved { revision: view.metadata.revision, view_id: view.id, created, components, relationships, unknown })
    };
    let done = change_set(&site, call, workspace_id.clone(), "views", write).await?;
    Ok(done.without_revision().at(|links, saved| links.view(&workspace_id, &saved.view_id)))
}
