//! Tools for external links of components.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tool::arguments;
use crate::{
    domain::{
        access::Call,
        links::{LinkKind, NewLink},
        values::WebAddress,
        wiki::Wiki,
    },
    error::Result,
};

/// A link to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct AddComponentLink {
    /// Id of the workspace.
    workspace_id: String,
    /// The component.
    component_id: String,
    /// Where it leads: http or https.
    #[schema(example = "https://example.org/runbook")]
    url: WebAddress,
    /// `url` keeps a page of the wiki as a plain link; without it, the address decides.
    #[schema(inline, nullable = false)]
    kind: Option<LinkKind>,
}

arguments!(
    AddComponentLink: "Link a component to a page outside: a runbook, a repository, a dashboard, a page of the wiki. A component may have \
            many; calling twice adds it twice. get_components lists those that there are. \
            Example: {\"workspaceId\": \"web-shop\", \"componentId\": \"checkout\", \"url\": \"https://example.org/runbook\"}",
);

/// The link.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Added {
    link_id: i64,
    #[schema(inline)]
    kind: LinkKind,
    url: String,
    /// What the wiki calls the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    title: Option<String>,
}

/// Links a component to an address.
pub async fn add_component_link(wiki: Wiki, call: Call, ask: AddComponentLink) -> Result<Added> {
    let AddComponentLink { workspace_id, component_id, url, kind } = ask;
    let link = wiki.link(call, workspace_id, component_id, NewLink { url, kind }).await?;
    Ok(Added { link_id: link.id, kind: link.kind, url: link.url, title: link.title })
}
