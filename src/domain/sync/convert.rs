//! The rows that a reader found, as those that a sync takes.

use std::collections::HashMap;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::model::reading::{
    ReadComponent, ReadLink, ReadMember, ReadPerson, ReadPlace, ReadProcess, ReadRelationship, ReadStakeholder,
    ReadTeam, ReadView, ReadWorkspace, Reading, RowOrigin,
};
use crate::{
    domain::values::Coordinate,
    error::{Error, Problem, Result},
};

type Converted<T> = std::result::Result<T, Problem>;

impl Reading {
    /// The rows that a reader found. Readers return valid rows, so an error is a fault of the server.
    pub fn of(found: import::Reading) -> Result<Self> {
        reading(found).map_err(|problem| Error::internal(format!("a reader returned an invalid row: {problem}")))
    }
}

fn reading(found: import::Reading) -> Converted<Reading> {
    let mut places: HashMap<String, Vec<ReadPlace>> = HashMap::new();
    for place in found.view_places {
        places.entry(place.view_id).or_default().push(ReadPlace {
            component_id: text(&place.component_id)?,
            x: Coordinate::nearest(place.x),
            y: Coordinate::nearest(place.y),
        });
    }
    Ok(Reading {
        workspace: Some(ReadWorkspace {
            name: text(&found.workspace.name)?,
            description: optional(found.workspace.description.as_deref())?,
        }),
        people: all(found.people, person)?,
        teams: all(found.teams, team)?,
        components: all(found.components, component)?,
        relationships: all(found.relationships, relationship)?,
        stakeholders: all(found.stakeholders, stakeholder)?,
        links: all(found.links, link)?,
        processes: all(found.processes, process)?,
        views: all(found.views, |row| view(row, &mut places))?,
    })
}

fn all<A, B>(rows: Vec<A>, convert: impl FnMut(A) -> Converted<B>) -> Converted<Vec<B>> {
    rows.into_iter().map(convert).collect()
}

fn person(row: import::Person) -> Converted<ReadPerson> {
    Ok(ReadPerson {
        origin: origin(&row.origin)?,
        id: text(&row.id)?,
        name: text(&row.name)?,
        email: optional(row.email.as_deref())?,
        title: optional(row.title.as_deref())?,
        properties: properties(row.properties)?,
    })
}

fn team(row: import::Team) -> Converted<ReadTeam> {
    Ok(ReadTeam {
        origin: origin(&row.origin)?,
        id: text(&row.id)?,
        name: text(&row.name)?,
        description: optional(row.description.as_deref())?,
        properties: properties(row.properties)?,
        members: all(row.members, |member| Ok(ReadMember { person_id: text(&member.person_id)? }))?,
    })
}

fn component(row: import::Component) -> Converted<ReadComponent> {
    Ok(ReadComponent {
        origin: origin(&row.origin)?,
        id: text(&row.id)?,
        type_id: row.type_id.to_owned(),
        name: text(&row.name)?,
        description: optional(row.description.as_deref())?,
        x: row.x.map(Coordinate::nearest),
        y: row.y.map(Coordinate::nearest),
        tags: parsed(row.tags.into())?,
        technology: parsed(row.technology.into())?,
        properties: properties(row.properties)?,
        is_box: row.is_box,
        has_own_id: row.has_own_id,
        inferred: parsed(row.inferred.into_iter().map(Value::from).collect())?,
        code_name: optional(row.code_name.as_deref())?,
        namespace: optional(row.namespace.as_deref())?,
    })
}

fn relationship(row: import::Relationship) -> Converted<ReadRelationship> {
    Ok(ReadRelationship {
        origin: origin(&row.origin)?,
        id: text(&row.id)?,
        source_id: text(&row.source_id)?,
        target_id: text(&row.target_id)?,
        type_id: row.type_id.to_owned(),
        label: optional(row.label.as_deref())?,
        technology: parsed(row.technology.into())?,
        properties: properties(row.properties)?,
    })
}

#[expect(clippy::needless_pass_by_value, reason = "like the other rows")]
fn stakeholder(row: import::Stakeholder) -> Converted<ReadStakeholder> {
    Ok(ReadStakeholder {
        origin: origin(&row.origin)?,
        component_id: text(&row.component_id)?,
        person_id: optional(row.person_id.as_deref())?,
        team_id: optional(row.team_id.as_deref())?,
        link_type: text(row.link_type)?,
    })
}

#[expect(clippy::needless_pass_by_value, reason = "like the other rows")]
fn link(row: import::Link) -> Converted<ReadLink> {
    Ok(ReadLink {
        origin: origin(&row.origin)?,
        component_id: text(&row.component_id)?,
        url: text(&row.url)?,
        title: optional(row.title.as_deref())?,
    })
}

fn process(row: import::Process) -> Converted<ReadProcess> {
    Ok(ReadProcess {
        origin: origin(&row.origin)?,
        id: text(&row.id)?,
        name: text(&row.name)?,
        description: optional(row.description.as_deref())?,
        mermaid: parsed(row.mermaid.into())?,
        participants: parsed(Value::Object(row.participants))?,
    })
}

fn view(row: import::View, places: &mut HashMap<String, Vec<ReadPlace>>) -> Converted<ReadView> {
    let [selector] = row.definition.include;
    Ok(ReadView {
        origin: origin(&row.origin)?,
        places: places.remove(&row.id).unwrap_or_default(),
        id: text(&row.id)?,
        name: text(&row.name)?,
        description: optional(row.description.as_deref())?,
        component_ids: all(selector.ids, |id| text(&id))?,
        implied_relationships: row.definition.implied_relationships,
    })
}

/// A text as a value type.
fn text<T: DeserializeOwned>(text: &str) -> Converted<T> {
    parsed(text.into())
}

fn optional<T: DeserializeOwned>(given: Option<&str>) -> Converted<Option<T>> {
    given.map(text).transpose()
}

fn parsed<T: DeserializeOwned>(value: Value) -> Converted<T> {
    serde_json::from_value(value).map_err(|error| Problem::from(error.to_string()))
}

fn properties<T: DeserializeOwned>(found: Map<String, Value>) -> Converted<Option<T>> {
    if found.is_empty() { Ok(None) } else { parsed(Value::Object(found)).map(Some) }
}

fn origin(found: &import::Origin) -> Converted<RowOrigin> {
    Ok(RowOrigin {
        key: text(&found.key)?,
        scope: found.scope.as_deref().map(text).transpose()?,
        file: text(&found.file)?,
        line: found.line,
    })
}
