//! Tools for external links of components.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tool::arguments;
use crate::{
    domain::{
        core::{Call, access::Editor},
        map::links::{LinkKind, NewLink},
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
    /// http or https URL.
    #[schema(example = "https://example.org/runbook")]
    url: WebAddress,
    /// `url` stores a wiki page as a plain link. Default: depends on the URL.
    #[schema(inline, nullable = false)]
    kind: Option<LinkKind>,
}

arguments!(
    AddComponentLink: "Link a component to an external page: a runbook, a repository, a dashboard, a wiki page. A \
            component can have many; calling twice adds it twice. get_components lists existing links. Example: \
            {\"workspaceId\": \"web-shop\", \"componentId\": \"checkout\", \"url\": \"https://example.org/runbook\"}",
);

/// The link.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Added {
    link_id: i64,
    #[schema(inline)]
    kind: LinkKind,
    url: String,
    /// Title of the wiki page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    title: Option<String>,
}

/// Links a component to an address.
pub async fn add_component_link(wiki: Wiki, call: Call<Editor>, ask: AddComponentLink) -> Result<Added> {
    let AddComponentLink { workspace_id, component_id, url, kind } = ask;
    let link = wiki.link(call, workspace_id, component_id, NewLink { url, kind }).await?;
    Ok(Added { link_id: link.id, kind: link.kind, url: link.url, title: link.title })
}
