//! Tools that list and save views of a workspace.

use serde::Deserialize;
use serde_json::json;

use super::{
    change_set::change_set,
    results::{
        Table,
        writes::{SavedView, WriteResult},
    },
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
    mcp::{results::truncate, services::Site},
};

/// The workspace whose views to list.
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

/// Lists the views of a workspace.
pub async fn list_views(gate: Gate, call: Call<Viewer>, request: ListViews) -> Result<Table> {
    const COLUMNS: [&str; 6] = ["id", "name", "components", "relationships", "layout", "description"];
    gate.read(call.large(), request.workspace_id, move |tx| {
        let revision = tx.workspace().metadata.revision;
        let counted = reading::counted(tx)?;
        let row = |(view, components, relationships): (views::View, usize, usize)| {
            let about = truncate(view.description.as_deref().unwrap_or_default());
            json!([view.id, view.name, components, relationships, view.layout, about])
        };
        Table::page(Some(revision), &COLUMNS, counted.into_iter().map(row), request.cursor.as_deref())
    })
    .await
}

/// Creates or updates a view. A new view has its own layout, in which its components are arranged.
pub async fn save_view(site: Site, call: Call<Editor>, request: SaveView) -> Result<WriteResult<SavedView>> {
    let SaveView { workspace_id, view_id, name, description, definition } = request;
    let mut rejected = Rejected::default();
    for error in definition.as_ref().map(ViewDefinition::problems).transpose()?.unwrap_or_default() {
        rejected.add_other(error.within("definition"));
    }
    if !rejected.is_empty() {
        return Err(rejected.into_error());
    }
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let existing = match &view_id {
            Some(id) => found(views::find(set.now(), id.as_str()))?,
            None => None,
        };
        let created = existing.is_none();
        let view = match existing {
            Some(row) => {
                let patch = ViewPatch { name, description, definition, ..ViewPatch::default() };
                views::update(set.tx(), &row.id, patch)?
            }
            None => {
                let name =
                    name.ok_or_else(|| Error::invalid("name", Problem::required(", because no view has this id")))?;
                if view_id.is_none()
                    && let Some(existing_id) = views::named(set.now(), name.as_str())?
                {
                    return Err(same_name("view", &existing_id, "viewId"));
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
        Ok(SavedView {
            revision: view.metadata.revision,
            view_id: view.id,
            created,
            components,
            relationships,
            unknown,
        })
    };
    let result = change_set(&site, call, workspace_id.clone(), "views", write).await?;
    Ok(result.without_revision().with_url(|links, saved| links.view(&workspace_id, &saved.view_id)))
}
