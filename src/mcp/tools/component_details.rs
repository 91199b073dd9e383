//! The tool that reads components with their links, stakeholders and relationships.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    results::{
        Either, ListPage, Table,
        components::{
            ComponentList, ComponentPage, ComponentRef, DetailedComponent, ExternalLink, RelationshipEnd,
            StakeholderEntry,
        },
    },
    tool::arguments,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, Gate, ViewTx, access::Viewer},
        input::at_most,
        map::{
            components::{self, ComponentDetails},
            links::Link,
            relationships::{self, End},
            stakeholders::Stakeholder,
        },
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

/// The components to read.
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
    list: Option<ComponentList>,
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

type ComponentItems = ListPage<ComponentRef, ComponentList>;

arguments!(
    GetComponents: "Everything about 1 to 20 components: fields, properties, relationships, owners and other \
            stakeholders, links. Unknown ids are in `missing`. Lists have up to 50 items; read those in `more` \
            with one id and `list`. {\"$cut\": n} stands for a value too long to fit. Example: {\"workspaceId\": \
            \"web-shop\", \"componentIds\": [\"checkout\", \"orders-db\"]}",
);

/// Reads components with their relationships, stakeholders and links, or one list of a component.
pub async fn get_components(
    gate: Gate,
    call: Call<Viewer>,
    request: GetComponents,
) -> Result<Either<ComponentPage, ComponentItems>> {
    let GetComponents { workspace_id, component_ids, list, cursor } = request;
    if component_ids.is_empty() {
        return Err(Error::invalid("componentIds", Problem::items(MAX_READ_COMPONENTS)));
    }
    if let Some(list) = list {
        let [id] = &component_ids[..] else {
            return Err(Error::invalid("list", "reads one component: give a single id in `componentIds`"));
        };
        let id = id.clone();
        let work = move |tx: &ViewTx<'_>| Ok(Either::Right(items(tx, id, list, cursor.as_deref())?));
        return gate.read(call.large(), workspace_id, work).await;
    }
    let is_point_read = component_ids.len() <= MAX_POINT_READS;
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
        let revision = tx.workspace().metadata.revision;
        Ok(Either::Left(ComponentPage { revision, components, missing, next: next_cursor.into() }))
    };
    let call = if is_point_read { call } else { call.large() };
    gate.read(call, workspace_id, work).await
}

/// A component with as many items of its lists as fit.
fn fitting(tx: &ViewTx<'_>, found: &ComponentDetails) -> Result<DetailedComponent> {
    let mut max = MAX_ITEMS;
    loop {
        let details = details(tx, found, max)?;
        if max == 0 || SpaceLeft::after(&()).fits(&details) {
            return Ok(details);
        }
        max /= 2;
    }
}

fn details(tx: &ViewTx<'_>, found: &ComponentDetails, max: usize) -> Result<DetailedComponent> {
    let ComponentDetails { component, links, stakeholders } = found.clone();
    let edges = |end| {
        let rows = relationships::page_at(tx, &component.id, end, BEFORE_ALL, signed(max))?;
        let rows: Vec<_> = rows.into_iter().map(|row| RelationshipEnd::new(row, end)).collect();
        Ok::<_, Error>((relationships::count_at(tx, &component.id, end)?, rows))
    };
    let (outgoing_count, outgoing) = edges(End::Outgoing)?;
    let (incoming_count, incoming) = edges(End::Incoming)?;
    let (stakeholder_count, link_count) = (stakeholders.len(), links.len());
    let more: Vec<ComponentList> = [
        (ComponentList::Outgoing, outgoing_count),
        (ComponentList::Incoming, incoming_count),
        (ComponentList::Stakeholders, stakeholder_count),
        (ComponentList::Links, link_count),
    ]
    .into_iter()
    .filter_map(|(list, count)| (count > max).then_some(list))
    .collect();
    Ok(DetailedComponent {
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
        stakeholders: stakeholders.into_iter().take(max).map(StakeholderEntry::from).collect(),
        link_count,
        links: links.into_iter().take(max).map(ExternalLink::from).collect(),
        more_relationships: more.iter().any(|list| matches!(list, ComponentList::Outgoing | ComponentList::Incoming)),
        more,
    })
}

/// The position before the first relationship.
const BEFORE_ALL: (i64, &str) = (i64::MIN, "");

fn signed(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A page of a list of a component. Its cursor names the last item, so that writes do not shift the pages.
fn items(tx: &ViewTx<'_>, component_id: String, list: ComponentList, cursor: Option<&str>) -> Result<ComponentItems> {
    let cursor = cursor.filter(|cursor| !cursor.is_empty());
    let found = components::find(tx, &component_id)?;
    let mut space = SpaceLeft::after(&component_id);
    let (mut rows, mut next_cursor) = (Vec::new(), None);
    let (total, columns): (_, &[_]) = match list {
        ComponentList::Incoming | ComponentList::Outgoing => {
            let end = if list == ComponentList::Incoming { End::Incoming } else { End::Outgoing };
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
                    let RelationshipEnd { relationship_id, type_id, component_id, label, .. } =
                        RelationshipEnd::new(row, end);
                    let row = json!([relationship_id, type_id, component_id, label]);
                    if !space.take(&row) && !rows.is_empty() {
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
        ComponentList::Stakeholders | ComponentList::Links => {
            let ComponentDetails { links, stakeholders, .. } = components::read(tx, &found.id)?;
            let stakeholder = |row: Stakeholder| {
                let (id, StakeholderEntry { link_type, person_id, team_id, name, .. }) =
                    (row.link.id, StakeholderEntry::from(row));
                (id, json!([link_type, person_id, team_id, name]))
            };
            let link = |row: Link| (row.id, json!([row.id, row.url, row.title]));
            let (all, columns): (Vec<(i64, Value)>, &[_]) = if list == ComponentList::Stakeholders {
                (stakeholders.into_iter().map(stakeholder).collect(), &["linkType", "personId", "teamId", "name"])
            } else {
                (links.into_iter().map(link).collect(), &["id", "url", "title"])
            };
            let after: i64 = cursor.map_or(Ok(i64::MIN), str::parse).map_err(|_| bad_cursor())?;
            let (total, mut place) = (all.len(), after);
            for (id, row) in all.into_iter().filter(|(id, _)| *id > after) {
                if !space.take(&row) && !rows.is_empty() {
                    next_cursor = Some(place.to_string());
                    break;
                }
                place = id;
                rows.push(row);
            }
            (total, columns)
        }
    };
    let revision = Some(tx.workspace().metadata.revision);
    let table = Table { revision, columns: columns.into(), rows, next: next_cursor.into() };
    Ok(ListPage { row: ComponentRef { component_id, direction: None }, list, total, table })
}
