//! The envelopes of the API: `{component}`, `{ok}`, 201.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::error::Result;
use crate::domain::{
    access::Gate, components::Component, links::Link, processes::ProcessReading, relationships::Relationship,
    workspaces::Workspace,
};

/// A resource that came into being: 201.
pub struct Created<T>(pub T);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, Json(self.0)).into_response()
    }
}

/// Megabytes of JSON, written where they hold up nobody else.
pub async fn large<T: Serialize + Send + 'static>(gate: &Gate, answer: T) -> Result<Response> {
    let json = gate.heavy_work(move || Ok(serde_json::to_vec(&answer)?)).await?;
    Ok(([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], json).into_response())
}

/// It was done, and there is nothing to show.
#[derive(Debug, Serialize, ToSchema)]
pub struct Done {
    /// Always true.
    ok: bool,
}

/// It was done.
pub const DONE: Json<Done> = Json(Done { ok: true });

/// One workspace.
#[derive(Debug, Serialize, ToSchema)]
pub struct WorkspaceAnswer {
    /// The workspace.
    pub workspace: Workspace,
}

/// One component.
#[derive(Debug, Serialize, ToSchema)]
pub struct ComponentAnswer {
    /// The component.
    pub component: Component,
}

/// Several components.
#[derive(Debug, Serialize, ToSchema)]
pub struct ComponentsAnswer {
    /// The components, in the order in which they were named.
    pub components: Vec<Component>,
}

/// One relationship.
#[derive(Debug, Serialize, ToSchema)]
pub struct RelationshipAnswer {
    /// The relationship.
    pub relationship: Relationship,
}

/// One external link.
#[derive(Debug, Serialize, ToSchema)]
pub struct LinkAnswer {
    /// The link.
    pub link: Link,
}

/// External links.
#[derive(Debug, Serialize, ToSchema)]
pub struct LinksAnswer {
    /// The links, in order of creation.
    pub links: Vec<Link>,
}

/// An external link that was looked up again.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefreshedLink {
    /// The link.
    pub link: Link,
    /// Whether it is as it was.
    pub unchanged: bool,
}

/// One process.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProcessAnswer {
    /// The process, with what its text says.
    pub process: ProcessReading,
}

/// Processes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessesAnswer {
    /// The processes, in order of creation.
    pub processes: Vec<ProcessReading>,
    /// Where the next page begins; absent at the end, and when no `limit` was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}
