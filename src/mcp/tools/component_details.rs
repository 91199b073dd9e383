//! The tool that reads components with their links, stakeholders and relationships.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{stakeholders::Holder, tool::arguments};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, Gate, ViewTx, access::Viewer},
        input::at_most,
        map::{
            components::{self, ComponentDetails},
            lines::RelationshipLine,
            links::Link,
            relationships::{self, End, Relationship},
            stakeholders::Stakeholder,
        },
        values::{Keywords, Properties, Size},
    },
    error::{Error, Problem, Result},
    mcp::results::{SpaceLeft, bad_cursor, page},
};

/// Maximum number of components that a call reads.
const MAX_READ_COMPONENTS: usize = 20;
/// Maximum number of items in each list of a component; `list` reads the rest.
const MAX_ITEMS: usize = 50;
/// Up to this number, components are read on the threads for point reads.
const MAX_POINT_READS: usize = 5;
/// Relationships that are read at a time.
const CHUNK: usize = 256;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_READ_COMPONENTS == 20 && MAX_ITEMS == 50);

/// Which components.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct GetComponents {
    /// Id of the workspace.
    workspace_id: String,
    /// Ids of 1 to 20 components.
    #[serde(deserialize_with = "at_most::<MAX_READ_COMPONENTS, _, _>")]
    #[schema(min_items = 1, max_items = 20)]
    component_ids: Vec<String>,
    /// All of a single list of one component, in pages.
    #[schema(inline, nullable = false)]
    list: Option<List>,
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// A list of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum List {
    /// Relationships from other components.
    Incoming,
    /// Relationships from the component.
    Outgoing,
    /// Stakeholders.
    Stakeholders,
    /// Links.
    Links,
}

arguments!(
    GetComponents: "Everything about 1 to 20 components: fields, properties, relationships, owners and other \
            stakeholders, links. Unknown ids are in `missing`. Lists have up to 50 items; read those in `more` \
            with one id and `list`. {\"$cut\": n} stands for a value too long to fit. Example: {\"workspaceId\": \
            \"web-shop\", \"componentIds\": [\"checkout\", \"orders-db\"]}",
);

/// A component with all that hangs on it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    id: String,
    type_id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    x: f64,
    y: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<Size>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<Size>,
    tags: Keywords,
    technology: Keywords,
    properties: Properties,
    revision: i64,
    outgoing_count: usize,
    /// Outgoing.
    outgoing: Vec<Edge>,
    incoming_count: usize,
    /// Incoming.
    incoming: Vec<Edge>,
    stakeholder_count: usize,
    stakeholders: Vec<Holder>,
    link_count: usize,
    links: Vec<Outside>,
    /// The lists that have more items than are shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    more: Vec<List>,
    /// True if there are more relationships than listed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more_relationships: bool,
}

/// A relationship, seen from one of its ends.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Edge {
    relationship_id: String,
    type_id: String,
    /// The other end.
    component_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "Keywords::is_empty")]
    technology: Keywords,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<RelationshipLine>,
}

/// A link to the outside.
#[derive(Debug, Serialize)]
pub struct Outside {
    id: i64,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
}

impl From<Link> for Outside {
    fn from(link: Link) -> Self {
        Self { id: link.id, url: link.url, title: link.title }
    }
}

/// The components that were asked for.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// Revision of the workspace.
    revision: i64,
    components: Vec<Details>,
    /// Unknown ids.
    missing: Vec<String>,
    /// Whether the result is incomplete: call again with `nextCursor`.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// A page of one list of a component.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Items {
    component_id: String,
    /// Revision of the workspace.
    revision: i64,
    list: List,
    /// Number of items on all pages.
    total: usize,
    columns: &'static [&'static str],
    rows: Vec<Value>,
    /// Whether there are more.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// What was asked for.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Found {
    /// Components.
    Components(Page),
    /// A list of one of them.
    Items(Items),
}

/// Components with all that hangs on them, or a list of one of them.
pub async fn get_components(gate: Gate, call: Call<Viewer>, ask: GetComponents) -> Result<Found> {
    let GetComponents { workspace_id, component_ids, list, cursor } = ask;
    if component_ids.is_empty() {
        return Err(Error::invalid("componentIds", Problem::items(MAX_READ_COMPONENTS)));
    }
    if let Some(list) = list {
        let [id] = &component_ids[..] else {
            return Err(Error::invalid("list", "reads one component: give a single id in `componentIds`"));
        };
        let id = id.clone();
        let work = move |tx: &ViewTx<'_>| Ok(Found::Items(items(tx, id, list, cursor.as_deref())?));
        return gate.read(call.large(), workspace_id, work).await;
    }
    let few = component_ids.len() <= MAX_POINT_READS;
    let work = move |tx: &ViewTx<'_>| {
        let (mut all, mut missing) = (Vec::new(), Vec::new());
        for id in &component_ids {
            match components::read(tx, id) {
                Ok(found) => all.push(fitting(tx, &found)?),
                Err(Error::NotFound(_)) => missing.push(id.clone()),
                Err(error) => return Err(error),
            }
        }
        let (components, next_cursor) = page(all, cursor.as_deref(), &mut SpaceLeft::after(&missing))?;
        let (revision, truncated) = (tx.workspace().metadata.revision, next_cursor.is_some());
        Ok(Found::Components(Page { revision, components, missing, truncated, next_cursor }))
    };
    if few { gate.read(call, workspace_id, work).await } else { gate.read(call.large(), workspace_id, work).await }
}

/// A component with as many items of its lists as fit.
fn fitting(tx: &ViewTx<'_>, found: &ComponentDetails) -> Result<Details> {
    let mut most = MAX_ITEMS;
    loop {
        let details = details(tx, found, most)?;
        if most == 0 || SpaceLeft::after(&()).fits(&details) {
            return Ok(details);
        }
        most /= 2;
    }
}

fn details(tx: &ViewTx<'_>, found: &ComponentDetails, most: usize) -> Result<Details> {
    let ComponentDetails { component, links, stakeholders } = found.clone();
    let edges = |end| {
        let rows = relationships::page_at(tx, &component.id, end, BEFORE_ALL, signed(most))?;
        let rows: Vec<Edge> = rows.into_iter().map(|row| edge(row, end)).collect();
        Ok::<_, Error>((relationships::count_at(tx, &component.id, end)?, rows))
    };
    let (outgoing_count, outgoing) = edges(End::Outgoing)?;
    let (incoming_count, incoming) = edges(End::Incoming)?;
    let (stakeholder_count, link_count) = (stakeholders.len(), links.len());
    let more: Vec<List> = [
        (List::Outgoing, outgoing_count),
        (List::Incoming, incoming_count),
        (List::Stakeholders, stakeholder_count),
        (List::Links, link_count),
    ]
    .into_iter()
    .filter_map(|(list, count)| (count > most).then_some(list))
    .collect();
    Ok(Details {
        id: component.id,
        type_id: component.type_id,
        name: component.name,
        description: component.description,
        x: component.x,
        y: component.y,
        width: component.width,
        height: component.height,
        tags: component.tags,
        technology: component.technology,
        properties: component.properties,
        revision: component.metadata.revision,
        outgoing_count,
        outgoing,
        incoming_count,
        incoming,
        stakeholder_count,
        stakeholders: stakeholders.into_iter().take(most).map(Holder::from).collect(),
        link_count,
        links: links.into_iter().take(most).map(Outside::from).collect(),
        more_relationships: more.iter().any(|list| matches!(list, List::Outgoing | List::Incoming)),
        more,
    })
}

/// The position before all relationships.
const BEFORE_ALL: (i64, &str) = (i64::MIN, "");

fn signed(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn edge(row: Relationship, end: End) -> Edge {
    let component_id = if end == End::Outgoing { row.target_id } else { row.source_id };
    let Relationship { id: relationship_id, type_id, label, technology, line, .. } = row;
    Edge { relationship_id, type_id, component_id, label, technology, line }
}

/// A page of a list of a component. Its cursor names the last item, so that writes do not shift the pages.
fn items(tx: &ViewTx<'_>, component_id: String, list: List, cursor: Option<&str>) -> Result<Items> {
    let cursor = cursor.filter(|cursor| !cursor.is_empty());
    let found = components::find(tx, &component_id)?;
    let mut room = SpaceLeft::after(&component_id);
    let (mut rows, mut next_cursor) = (Vec::new(), None);
    let (total, columns): (_, &[_]) = match list {
        List::Incoming | List::Outgoing => {
            let end = if list == List::Incoming { End::Incoming } else { End::Outgoing };
            let mut after = match cursor {
                None => (BEFORE_ALL.0, String::new()),
                Some(cursor) => {
                    let (seq, id) = cursor.split_once(' ').ok_or_else(bad_cursor)?;
                    (seq.parse().map_err(|_| bad_cursor())?, id.to_owned())
                }
            };
            'pages: loop {
                let chunk = relationships::page_at(tx, &found.id, end, (after.0, &after.1), signed(CHUNK))?;
                let is_end = chunk.len() < CHUNK;
                for row in chunk {
                    let place = (row.seq, row.id.clone());
                    let Edge { relationship_id, type_id, component_id, label, .. } = edge(row, end);
                    let row = json!([relationship_id, type_id, component_id, label]);
                    if !room.take(&row) && !rows.is_empty() {
                        next_cursor = Some(format!("{} {}", after.0, after.1));
                        break 'pages;
                    }
                    after = place;
                    rows.push(row);
                }
                if is_end {
                    break;
                }
            }
            (relationships::count_at(tx, &found.id, end)?, &["relationshipId", "typeId", "componentId", "label"])
        }
        List::Stakeholders | List::Links => {
            let ComponentDetails { links, stakeholders, .. } = components::read(tx, &found.id)?;
            let stakeholder = |one: Stakeholder| {
                let (id, Holder { link_type, person_id, team_id, name, .. }) = (one.link.id, Holder::from(one));
                (id, json!([link_type, person_id, team_id, name]))
            };
            let link = |one: Link| (one.id, json!([one.id, one.url, one.title]));
            let (all, columns): (Vec<(i64, Value)>, &[_]) = if list == List::Stakeholders {
                (stakeholders.into_iter().map(stakeholder).collect(), &["linkType", "personId", "teamId", "name"])
            } else {
                (links.into_iter().map(link).collect(), &["id", "url", "title"])
            };
            let after: i64 = cursor.map_or(Ok(i64::MIN), str::parse).map_err(|_| bad_cursor())?;
            let (total, mut place) = (all.len(), after);
            for (id, row) in all.into_iter().filter(|(id, _)| *id > after) {
                if !room.take(&row) && !rows.is_empty() {
                    next_cursor = Some(place.to_string());
                    break;
                }
                place = id;
                rows.push(row);
            }
            (total, columns)
        }
    };
    let (revision, truncated) = (tx.workspace().metadata.revision, next_cursor.is_some());
    Ok(Items { component_id, revision, list, total, columns, rows, truncated, next_cursor })
}
