//! The templates of new workspaces.

use axum::extract::State;
use serde::Serialize;

use super::{access::User, api::Api, error::Result, extract::Authenticated, responses::Json, route::IN_TABLE};
use crate::{
    describe::ToSchema,
    domain::transfer::templates::{self, ListedTemplate},
};

/// Templates.
#[derive(Debug, Serialize, ToSchema)]
pub struct TemplateList {
    /// The templates. The first one is the empty map.
    templates: Vec<ListedTemplate>,
}

/// List templates
///
/// Lists the maps that a new workspace can start with.
#[crate::describe::path(get, path = IN_TABLE, tag = "Workspaces", operation_id = "listTemplates",
    responses((status = 200, description = "The templates", body = TemplateList)))]
pub async fn list(State(api): State<Api>, Authenticated(call): Authenticated<User>) -> Result<Json<TemplateList>> {
    api.gate.admit(call).await?;
    Ok(Json(TemplateList { templates: templates::list()? }))
}
