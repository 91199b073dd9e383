//! Workspaces as files.

use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{
    answers,
    api::Api,
    error::{ApiError, Result},
    extract::{Asked, Path, Query, Write},
    route::IN_TABLE,
};
use crate::domain::{
    document::Document,
    export,
    import::{self, Imported},
    values::Id,
};

/// Export a workspace
///
/// All that belongs to the map: model, stakeholders, links and processes, and the people, teams and roles that they refer
/// to. What belongs to this instance stays behind: revisions, times, authors, members.
#[utoipa::path(get, path = IN_TABLE, tag = "Workspaces", operation_id = "exportWorkspace",
    responses((status = 200, description = "The workspace as a file", body = Document)))]
pub async fn export(State(api): State<Api>, Asked(call): Asked, Path(id): Path<String>) -> Result<Response> {
    let mut response = answers::json(answers::large_view(&api, call, id, export::export).await?);
    let name = header::HeaderValue::from_static("attachment; filename=\"workspace.planroom.json\"");
    response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    Ok(response)
}

/// How to import.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct How {
    /// Import under this id, not that of the file.
    #[param(value_type = Id, required = false)]
    id: Option<String>,
    /// Import over the workspace of this id if there is one: it becomes that of the file.
    #[serde(default)]
    replace: bool,
    /// Answer what would change, and write nothing.
    #[serde(default)]
    dry_run: bool,
}

/// Import a workspace
///
/// From a file as export makes it, or the body of a bulk; all of it or nothing. People, teams and roles that the
/// organization lacks are made (roles by its admins only); those of the same id stay as they are, and are named in `kept`
/// where they say something else. With `replace`, a part that the file does not have is left as it is.
#[utoipa::path(post, path = IN_TABLE, tag = "Workspaces", operation_id = "importWorkspace", params(How),
    request_body = Document, responses(
        (status = 201, description = "The workspace was founded", body = Imported),
        (status = 200, description = "The workspace was replaced, or what would change", body = Imported)))]
pub async fn import(
    State(api): State<Api>,
    Query(how): Query<How>,
    Write { call, body, ignored }: Write<Document>,
) -> Result<Response> {
    let id = how.id.map(|id| Id::new(&id)).transpose().map_err(|wrong| ApiError::invalid("id", wrong))?;
    let how = import::How { id, replace: how.replace, dry_run: how.dry_run };
    let imported = import::import(&api.gate, call, how, body, ignored).await?;
    let status = if imported.founded && !imported.dry_run { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(imported)).into_response())
}
