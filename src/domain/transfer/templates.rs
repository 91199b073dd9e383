//! Templates: maps to start a workspace with.

use serde::Serialize;

use super::document::Document;
pub use crate::domain::map::workspaces::Template;
use crate::{
    contracts,
    describe::ToSchema,
    domain::input,
    error::{Error, Result},
};

/// A template in the list of templates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedTemplate {
    /// Id, as in `template` of a new workspace.
    pub id: Template,
    /// Display name.
    #[schema(example = "Event-driven system")]
    pub name: String,
    /// Description. The workspace gets the same one, unless another one is given.
    pub description: String,
    /// What the template contains.
    pub counts: TemplateCounts,
}

/// Number of rows in a template.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateCounts {
    /// Number of components, including groups.
    pub components: usize,
    /// Number of relationships, including those that put components into groups.
    pub relationships: usize,
    /// Number of processes.
    pub processes: usize,
}

/// Lists the templates. The first one is the empty map.
pub fn list() -> Result<Vec<ListedTemplate>> {
    Template::ALL.iter().map(|template| listed(*template)).collect()
}

fn listed(id: Template) -> Result<ListedTemplate> {
    let Some(Document { workspace, components, relationships, processes, .. }) = document(id)? else {
        let (name, description) = ("Blank".into(), "An empty map.".into());
        return Ok(ListedTemplate { id, name, description, counts: TemplateCounts::default() });
    };
    let workspace = workspace.ok_or_else(|| Error::internal("a template has no name"))?;
    let counts = TemplateCounts {
        components: components.len(),
        relationships: relationships.len(),
        processes: processes.map_or(0, |processes| processes.len()),
    };
    let description = workspace.description.map(String::from).unwrap_or_default();
    Ok(ListedTemplate { id, name: workspace.name.into(), description, counts })
}

/// Parses a template; none for the empty map.
pub(in crate::domain) fn document(template: Template) -> Result<Option<Document>> {
    file(template)?.map(|text| input::parse(text.as_bytes()).map(|(document, _)| document)).transpose()
}

/// A template in export format; none for the empty map.
pub fn file(template: Template) -> Result<Option<String>> {
    macro_rules! embedded {
        ($name:literal) => {
            include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".json.gz"))
        };
    }
    let compressed: &[u8] = match template {
        Template::Blank => return Ok(None),
        Template::LayeredWebApplication => embedded!("layered-web-application"),
        Template::EventDriven => embedded!("event-driven"),
        Template::CloudLandingZone => embedded!("cloud-landing-zone"),
    };
    contracts::text(compressed).map(Some).map_err(Error::internal)
}
