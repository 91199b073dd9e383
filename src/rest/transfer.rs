//! Export and import of workspaces.

use std::sync::Arc;

use ::export::Format;
use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use serde::Deserialize;

use super::{
    access::{Member, PersonalViewer, Viewer},
    api::Api,
    error::{ApiError, Result},
    extract::{Authenticated, Path, Query, Write},
    responses,
    responses::Json,
    route::IN_TABLE,
};
use crate::{
    describe::IntoParams,
    domain::{
        core::{Call, ViewTx, WholeMap},
        map::{drawing::DrawnView, personal_views},
        transfer::{
            document::Document,
            export,
            formats::{self, ExportFormat},
            import::{self, ImportResult},
        },
        values::Id,
    },
};

/// Options of an export.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// Format of the file. Default: `planroom`, a workspace file that can be imported completely.
    #[param(inline)]
    format: Option<ExportFormat>,
    /// Id of a view: the file contains only what it shows, at its positions. Not with the format `planroom`, which is
    /// always complete. Personal views have an address of their own.
    #[param(max_length = 64, example = "payments")]
    view: Option<String>,
}

/// Options of an export of a personal view.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ViewExportQuery {
    /// Format of the file, other than `planroom`.
    #[param(inline)]
    format: ExportFormat,
}

/// Export a workspace
///
/// The file contains the model, stakeholders, links, processes, and notes with their images, and the people, teams,
/// roles, and kinds that they refer to. It does not contain revisions, times, authors, and members, which belong to this
/// instance.
///
/// With another `format`, the file contains what the format of the other tool can hold: components with their nesting,
/// relationships and, in Structurizr formats, processes. With a `view`, it contains only what the view shows, and the
/// processes whose components it shows.
#[crate::describe::path(get, path = IN_TABLE, tag = "Workspaces", operation_id = "exportWorkspace", params(ExportQuery),
    responses((status = 200, description = "The workspace file", content(
        (Document = "application/json"),
        (String = "text/plain"),
        (String = "application/xml"),
        (serde_json::Value = "application/vnd.structurizr+json"),
    ))))]
pub async fn export(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(query): Query<ExportQuery>,
) -> Result<Response> {
    let view = query.view.map(DrawnView::Shared);
    let format = query.format.unwrap_or(ExportFormat::Planroom);
    let format = if view.is_some() { Some(formats::of_view(format)?) } else { format.foreign() };
    match format {
        None => {
            let bytes = responses::whole_map_read(&api, call, id, export::weigh, export::export).await?;
            Ok(file(bytes, "application/json", "planroom.json"))
        }
        Some(format) => foreign(&api, call, id, format, view).await,
    }
}

/// Export a personal view
///
/// Like the export of a workspace with a `view`. Only the user of the view can export it.
#[crate::describe::path(get, path = IN_TABLE, tag = "Views", operation_id = "exportPersonalView", params(ViewExportQuery),
    responses((status = 200, description = "The file", content(
        (String = "text/plain"),
        (String = "application/xml"),
        (serde_json::Value = "application/vnd.structurizr+json"),
    ))))]
pub async fn export_personal_view(
    State(api): State<Api>,
    Authenticated(call): Authenticated<PersonalViewer>,
    Path((id, view_id)): Path<(String, String)>,
    Query(query): Query<ViewExportQuery>,
) -> Result<Response> {
    let format = formats::of_view(query.format)?;
    let view = api.gate.read(call.clone(), id.clone(), move |tx| personal_views::find(tx, &view_id)).await?;
    foreign(&api, call.retyped(), id, format, Some(DrawnView::Personal(Arc::new(view)))).await
}

/// Responds with a file for another tool.
async fn foreign(
    api: &Api,
    call: Call<Viewer>,
    id: String,
    format: Format,
    view: Option<DrawnView>,
) -> Result<Response> {
    let write = move |tx: &ViewTx<'_>, whole: &WholeMap| formats::export(tx, format, view.clone(), whole);
    let bytes = responses::whole_map_text(api, call, id, formats::weigh, write).await?;
    Ok(file(bytes, format.media_type(), format.extension()))
}

fn file(bytes: Bytes, media_type: &'static str, extension: &str) -> Response {
    let name = format!("attachment; filename=\"workspace.{extension}\"");
    ([(header::CONTENT_TYPE, media_type), (header::CONTENT_DISPOSITION, &name)], bytes).into_response()
}

/// Options of an import.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImportQuery {
    /// Workspace id to import to. Default: the id in the file.
    #[param(value_type = Id, required = false)]
    id: Option<String>,
    /// Replace the workspace with this id if it exists. Default: `false`.
    #[serde(default)]
    replace: bool,
    /// Return what would change, without writing. Default: `false`.
    #[serde(default)]
    dry_run: bool,
}

/// Import a workspace
///
/// Imports an exported file or the body of a bulk replacement, in one transaction. People, teams, roles, and kinds that do
/// not exist in the organization are created: roles only by its admins, and kinds of other users are listed in `ignored`.
/// Existing ones with the same id (kinds also with the same name) do not change and are listed in `kept` if they differ.
/// With `replace`, parts that are not in the file do not change.
#[crate::describe::path(post, path = IN_TABLE, tag = "Workspaces", operation_id = "importWorkspace", params(ImportQuery),
    request_body = Document, responses(
        (status = 201, description = "The created workspace", body = ImportResult),
        (status = 200, description = "The replaced workspace or, with `dryRun`, what would change", body = ImportResult)))]
pub async fn import(
    State(api): State<Api>,
    Query(query): Query<ImportQuery>,
    Write { call, body, ignored }: Write<Member, Document>,
) -> Result<Response> {
    let id = query.id.map(|id| Id::new(&id)).transpose().map_err(|wrong| ApiError::invalid("id", wrong))?;
    let options = import::ImportOptions { id, replace: query.replace, dry_run: query.dry_run };
    let imported = import::import(&api.gate, call, options, body, ignored).await?;
    let status = if imported.is_new && !imported.dry_run { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(imported)).into_response())
}
