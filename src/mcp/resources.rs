//! Resources: content that clients add to the context of a model. Content that the caller must not see is reported as
//! not found.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};

use super::{apps, diagram::Map, escape, links::encoded, services::Services, size::MAX_BYTES, tools::TypeLists};
use crate::{
    domain::{
        core::{
            Call, Gate, ViewTx,
            access::{OrgReader, Viewer},
        },
        map::{bundle, components, processes, workspaces},
        paging::Paging,
    },
    error::{Error, Result},
};

/// The URI scheme of all resources.
const SCHEME: &str = "planroom://";
const JSON: &str = "application/json";
const MERMAID: &str = "text/vnd.mermaid";
/// Maximum size of a text resource in bytes, because clients pass it to the model as a whole.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// Resource templates: URI, name, title, media type, description.
const TEMPLATES: [(&str, &str, &str, &str, &str); 4] = [
    (
        "planroom://workspaces/{workspaceId}",
        "workspace",
        "Workspace",
        JSON,
        "A complete workspace: components, relationships, stakeholders, processes",
    ),
    (
        "planroom://workspaces/{workspaceId}/components/{componentId}",
        "component",
        "Component",
        JSON,
        "A component with its stakeholders and links",
    ),
    (
        "planroom://workspaces/{workspaceId}/processes/{processId}",
        "process",
        "Process",
        MERMAID,
        "A process as a mermaid sequence diagram",
    ),
    (
        "planroom://workspaces/{workspaceId}/diagram",
        "diagram",
        "Diagram",
        MERMAID,
        "The map of a workspace as a mermaid flowchart, or as much of it as fits in 40 KB",
    ),
];

/// The resource templates.
pub fn templates() -> Vec<ResourceTemplate> {
    let template = |(uri, name, title, kind, description): &(&str, &str, &str, &str, &str)| {
        ResourceTemplate::new(*uri, *name).with_title(*title).with_mime_type(*kind).with_description(*description)
    };
    TEMPLATES.iter().map(template).collect()
}

/// Resources that are available to every caller, and the caller's workspaces.
pub async fn list(gate: &Gate, call: Call) -> Result<Vec<Resource>> {
    /// Maximum number of workspaces in the list; clients find more by completion.
    const MAX_WORKSPACES: usize = 200;
    let schema = Resource::new(format!("{SCHEME}schema"), "schema")
        .with_title("Type catalogue")
        .with_mime_type(JSON)
        .with_description("Types of components and relationships, lifecycle states, roles");
    let visible =
        gate.read(call.needing::<OrgReader>(), (), |tx| Ok(workspaces::list(tx, &Paging::default())?.items)).await;
    let visible = match visible {
        // A caller without an active organization sees no workspaces.
        Err(Error::NoActiveOrganization) => Vec::new(),
        other => other?,
    };
    let workspace = |id: &str, name: &str| {
        Resource::new(format!("{SCHEME}workspaces/{}", encoded(id)), id).with_title(name).with_mime_type(JSON)
    };
    let listed =
        visible.iter().take(MAX_WORKSPACES).map(|listed| workspace(&listed.workspace.id, &listed.workspace.name));
    Ok([schema, apps::resource()].into_iter().chain(listed).collect())
}

/// Reads the resource at a URI.
pub async fn read(services: &Services, call: Call, uri: &str) -> Result<ResourceContents> {
    const NOT_FOUND: Error = Error::NotFound("resource");
    let gate = &services.gate;
    if uri == apps::MAP_URI {
        gate.admit(call).await?;
        let page = (services.app_page)().ok_or(NOT_FOUND)?;
        return Ok(apps::contents(page));
    }
    let path = uri.strip_prefix(SCHEME).ok_or(NOT_FOUND)?;
    let parts = path.split('/').map(|part| percent_decode_str(part).decode_utf8().map(Cow::into_owned));
    let parts = parts.collect::<std::result::Result<Vec<String>, _>>().map_err(|_| NOT_FOUND)?;
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let (text, kind) =
        match parts[..] {
            ["schema"] => {
                gate.admit(call).await?;
                (serde_json::to_string(&TypeLists::complete())?, JSON)
            }
            ["workspaces", id] => {
                let read = gate.read(call.needing::<Viewer>().large(), id.to_owned(), |tx| {
                    Ok(serde_json::to_string(&bundle::assemble(tx, bundle::Included::default())?)?)
                });
                (read.await?, JSON)
            }
            ["workspaces", id, "components", component] => {
                let component = component.to_owned();
                let read = move |tx: &ViewTx<'_>| Ok(serde_json::to_string(&components::read(tx, &component)?)?);
                (gate.read(call.needing::<Viewer>(), id.to_owned(), read).await?, JSON)
            }
            ["workspaces", id, "processes", process] => {
                let process = process.to_owned();
                (
                    gate.read(call.needing::<Viewer>(), id.to_owned(), move |tx| {
                        Ok(processes::find(tx, &process)?.mermaid)
                    })
                    .await?,
                    MERMAID,
                )
            }
            ["workspaces", id, "diagram"] => {
                let draw = |tx: &ViewTx<'_>| Ok(Map::read(tx, None)?.flowchart(MAX_BYTES).text);
                (gate.read(call.needing::<Viewer>().large(), id.to_owned(), draw).await?, MERMAID)
            }
            _ => return Err(NOT_FOUND),
        };
    if text.len() > MAX_TEXT_BYTES {
        let why =
            "is too large to be read as a whole; use the tools get_workspace and get_components to read it in pages";
        return Err(Error::invalid("uri", why));
    }
    let text = if kind == JSON {
        let mut value = serde_json::from_str(&text)?;
        escape::escape(&mut value);
        value.to_string()
    } else {
        escape::escaped(&text).into_owned()
    };
    Ok(ResourceContents::text(text, uri).with_mime_type(kind))
}
