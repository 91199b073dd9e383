//! Resources: what a client can put before a model by itself. What the caller may not see is not found.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};

use super::diagram;
use crate::{
    domain::{
        access::{Call, Gate, ViewTx},
        bundle,
        catalogue::CATALOGUE,
        components,
        paging::Paging,
        processes, workspaces,
    },
    error::{Error, Result},
};

/// How all of our addresses begin.
const SCHEME: &str = "planroom://";
const JSON: &str = "application/json";
const MERMAID: &str = "text/vnd.mermaid";
/// The largest text of a resource, in bytes: clients put it before a model whole.
const LARGEST: usize = 1 << 20;

/// The templates: address, name, title, media type, what is there.
const TEMPLATES: [(&str, &str, &str, &str, &str); 4] = [
    (
        "planroom://workspaces/{workspaceId}",
        "workspace",
        "Workspace",
        JSON,
        "All of a workspace: components, relationships, stakeholders, processes",
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
        "The map of a workspace as a mermaid flowchart",
    ),
];

/// Addresses of many things.
pub fn templates() -> Vec<ResourceTemplate> {
    let template = |(uri, name, title, kind, about): &(&str, &str, &str, &str, &str)| {
        ResourceTemplate::new(*uri, *name).with_title(*title).with_mime_type(*kind).with_description(*about)
    };
    TEMPLATES.iter().map(template).collect()
}

/// Resources that are there for everybody, and the caller's workspaces.
pub async fn list(gate: &Gate, call: Call) -> Result<Vec<Resource>> {
    /// Workspaces that are listed; of more, a client finds the addresses by completion.
    const MOST: usize = 200;
    let schema = Resource::new(format!("{SCHEME}schema"), "schema")
        .with_title("Type catalogue")
        .with_mime_type(JSON)
        .with_description("Types of components and relationships, states of a life, roles");
    let seen = gate.org_view(call, |tx| Ok(workspaces::list(tx, &Paging::default())?.items)).await;
    let seen = match seen {
        // Who acts in no organization sees none of its workspaces.
        Err(Error::NoActiveOrganization) => Vec::new(),
        other => other?,
    };
    let workspace = |id: &str, name: &str| {
        Resource::new(format!("{SCHEME}workspaces/{}", encoded(id)), id).with_title(name).with_mime_type(JSON)
    };
    let listed = seen.iter().take(MOST).map(|listed| workspace(&listed.workspace.id, &listed.workspace.name));
    Ok(std::iter::once(schema).chain(listed).collect())
}

/// What is at an address.
pub async fn read(gate: &Gate, call: Call, uri: &str) -> Result<ResourceContents> {
    const HIDDEN: Error = Error::NotFound("resource");
    let path = uri.strip_prefix(SCHEME).ok_or(HIDDEN)?;
    let parts = path.split('/').map(|part| percent_decode_str(part).decode_utf8().map(Cow::into_owned));
    let parts = parts.collect::<std::result::Result<Vec<String>, _>>().map_err(|_| HIDDEN)?;
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let (text, kind) = match parts[..] {
        ["schema"] => {
            gate.admit(call).await?;
            (serde_json::to_string(&CATALOGUE)?, JSON)
        }
        ["workspaces", id] => {
            let read = gate.view_all(call, id.to_owned(), |tx| Ok(serde_json::to_string(&bundle::assemble(tx)?)?));
            (read.await?, JSON)
        }
        ["workspaces", id, "components", component] => {
            let component = component.to_owned();
            let read = move |tx: &ViewTx<'_>| Ok(serde_json::to_string(&components::read(tx, &component)?)?);
            (gate.view(call, id.to_owned(), read).await?, JSON)
        }
        ["workspaces", id, "processes", process] => {
            let process = process.to_owned();
            (gate.view(call, id.to_owned(), move |tx| Ok(processes::find(tx, &process)?.mermaid)).await?, MERMAID)
        }
        ["workspaces", id, "diagram"] => {
            let draw = |tx: &ViewTx<'_>| Ok(diagram::flowchart(&bundle::assemble(tx)?));
            (gate.view_all(call, id.to_owned(), draw).await?, MERMAID)
        }
        _ => return Err(HIDDEN),
    };
    if text.len() > LARGEST {
        let why = "is too large to be read whole; the tools get_workspace and get_components read it in pages";
        return Err(Error::invalid("uri", why));
    }
    Ok(ResourceContents::text(text, uri).with_mime_type(kind))
}

/// An id as a part of an address.
fn encoded(id: &str) -> String {
    percent_encoding::utf8_percent_encode(id, percent_encoding::NON_ALPHANUMERIC)
        .to_string()
        .replace("%2D", "-")
        .replace("%5F", "_")
        .replace("%2E", ".")
}
