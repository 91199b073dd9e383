//! Rules of a request that need no other data.

use std::collections::{HashMap, HashSet};

use import::Format;

use super::{
    model::{
        reading::{Reading, RowOrigin},
        request::{SelectedRow, SyncKind, SyncRequest},
    },
    readings::unknown_format,
    resolutions::Resolutions,
};
use crate::{
    domain::{catalogue, map::processes::NewProcess},
    error::{Error, FieldPath, Problem, Result},
};

/// A request whose rows refer to each other correctly.
pub(in crate::domain) struct Checked {
    pub(in crate::domain) request: SyncRequest,
    /// Whether the source says what was seen in operation.
    pub(in crate::domain) is_observed: bool,
    /// Index of the component that contains each component.
    pub(in crate::domain) parents: Vec<Option<usize>>,
    /// Index of each component, by its id in the reading.
    pub(in crate::domain) components: HashMap<String, usize>,
    /// What the request decides about single rows.
    pub(in crate::domain) resolutions: Resolutions,
    only: Option<HashSet<SelectedRow>>,
}

impl Checked {
    /// Checks a request.
    pub(in crate::domain) fn new(mut request: SyncRequest) -> Result<Self> {
        let kind = request.source.kind.as_str();
        let format = Format::of_id(kind).ok_or_else(|| unknown_format("source.kind", kind))?;
        let reading = &request.reading;
        if reading.components.is_empty() {
            let text = "has no components; an empty or unreadable file does not remove rows. Check the files, or delete the source";
            return Err(Error::invalid(FieldPath::from("components").within("reading"), text));
        }
        unique_keys(reading)?;
        let components = index("components", reading.components.iter().map(|row| row.id.as_str()))?;
        for (at, row) in reading.components.iter().enumerate() {
            let field = |name: &str| path("components", at, name);
            catalogue::component_type(field("typeId"), &row.type_id)?;
            if let Some(properties) = &row.properties {
                catalogue::lifecycle("properties", properties).map_err(|error| within("components", at, error))?;
            }
            if row.x.is_some() != row.y.is_some() {
                return Err(Error::invalid(field("x"), "give both x and y, or neither"));
            }
        }
        let parents = parents(reading, &components)?;
        check_references(reading, &components)?;
        let resolutions = Resolutions::new(std::mem::take(&mut request.resolutions), &request.reading)?;
        let only = request.only.take().map(|rows| rows.into_iter().collect());
        Ok(Self { is_observed: format.is_observed(), parents, components, resolutions, only, request })
    }

    /// Whether the request selects a row.
    pub(in crate::domain) fn selects(&self, kind: SyncKind, key: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(&SelectedRow { kind, key: key.to_owned() }))
    }
}

fn path(list: &str, index: usize, field: &str) -> FieldPath {
    FieldPath::item(list, index).field(field).within("reading")
}

/// An error about a row, as one about the request.
fn within(list: &str, index: usize, error: Error) -> Error {
    error.within(FieldPath::item(list, index)).within("reading")
}

/// Checks that no key is repeated among the rows of a kind.
fn unique_keys(reading: &Reading) -> Result<()> {
    fn check<'r>(list: &str, origins: impl Iterator<Item = &'r RowOrigin>) -> Result<()> {
        let mut seen = HashSet::new();
        for (index, origin) in origins.enumerate() {
            if !seen.insert(origin.key.as_str()) {
                return Err(Error::invalid(path(list, index, "origin").field("key"), Problem::Repeated));
            }
        }
        Ok(())
    }
    check("people", reading.people.iter().map(|row| &row.origin))?;
    check("teams", reading.teams.iter().map(|row| &row.origin))?;
    check("components", reading.components.iter().map(|row| &row.origin))?;
    check("relationships", reading.relationships.iter().map(|row| &row.origin))?;
    check("stakeholders", reading.stakeholders.iter().map(|row| &row.origin))?;
    check("links", reading.links.iter().map(|row| &row.origin))?;
    check("processes", reading.processes.iter().map(|row| &row.origin))?;
    check("views", reading.views.iter().map(|row| &row.origin))
}

/// The index of each row by its id, which must not be repeated.
fn index<'r>(list: &str, ids: impl Iterator<Item = &'r str>) -> Result<HashMap<String, usize>> {
    let mut found = HashMap::new();
    for (index, id) in ids.enumerate() {
        if found.insert(id.to_owned(), index).is_some() {
            return Err(Error::invalid(path(list, index, "id"), Problem::Repeated));
        }
    }
    Ok(found)
}

/// The component that contains each component.
fn parents(reading: &Reading, components: &HashMap<String, usize>) -> Result<Vec<Option<usize>>> {
    let mut parents = vec![None; reading.components.len()];
    for (index, row) in reading.relationships.iter().enumerate() {
        let field = |name: &str| path("relationships", index, name);
        catalogue::relation_type(field("typeId"), &row.type_id)?;
        let find =
            |name: &str, id: &str| components.get(id).copied().ok_or_else(|| unknown(field(name), "component", id));
        let (source, target) = (find("sourceId", row.source_id.as_str())?, find("targetId", row.target_id.as_str())?);
        if row.type_id != catalogue::CONTAINS {
            continue;
        }
        if source == target {
            return Err(Error::invalid(field("targetId"), "a component cannot contain itself"));
        }
        if parents[target].replace(source).is_some() {
            let text = format!("`{}` is already part of another component", row.target_id.as_str());
            return Err(Error::invalid(field("targetId"), text));
        }
    }
    Ok(parents)
}

fn unknown(field: FieldPath, what: &str, id: &str) -> Error {
    Error::invalid(field, format!("there is no {what} `{id}` in the reading"))
}

/// Checks that other rows refer to rows of the reading.
fn check_references(reading: &Reading, components: &HashMap<String, usize>) -> Result<()> {
    let people = index("people", reading.people.iter().map(|row| row.id.as_str()))?;
    let teams = index("teams", reading.teams.iter().map(|row| row.id.as_str()))?;
    for (index, team) in reading.teams.iter().enumerate() {
        let mut seen = HashSet::new();
        for (at, member) in team.members.iter().enumerate() {
            let field = || path("teams", index, "members").index(at).field("personId");
            let id = member.person_id.as_str();
            if !people.contains_key(id) {
                return Err(unknown(field(), "person", id));
            }
            if !seen.insert(id) {
                return Err(Error::invalid(field(), format!("`{id}` is a member already")));
            }
        }
    }
    let component =
        |field: FieldPath, id: &str| components.get(id).map(drop).ok_or_else(|| unknown(field, "component", id));
    for (index, row) in reading.stakeholders.iter().enumerate() {
        let field = |name: &str| path("stakeholders", index, name);
        component(field("componentId"), row.component_id.as_str())?;
        match (&row.person_id, &row.team_id) {
            (Some(id), None) if people.contains_key(id.as_str()) => {}
            (None, Some(id)) if teams.contains_key(id.as_str()) => {}
            (Some(id), None) => return Err(unknown(field("personId"), "person", id.as_str())),
            (None, Some(id)) => return Err(unknown(field("teamId"), "team", id.as_str())),
            (None, None) => return Err(Error::invalid(field("personId"), Problem::required(", or `teamId` instead"))),
            (Some(_), Some(_)) => {
                return Err(Error::invalid(field("teamId"), "must be left out where `personId` is given"));
            }
        }
    }
    for (index, row) in reading.links.iter().enumerate() {
        component(path("links", index, "componentId"), row.component_id.as_str())?;
    }
    for (index, row) in reading.processes.iter().enumerate() {
        let new = NewProcess {
            id: None,
            name: row.name.clone(),
            description: None,
            mermaid: row.mermaid.clone(),
            participants: Some(row.participants.clone()),
        };
        new.check().map_err(|error| within("processes", index, error))?;
        for (alias, id) in row.participants.entries() {
            let field = || path("processes", index, "participants").field(alias.clone());
            component(field(), id.as_str().ok_or_else(|| Error::invalid(field(), "must be the id of a component"))?)?;
        }
    }
    for (index, row) in reading.views.iter().enumerate() {
        for (at, id) in row.component_ids.iter().enumerate() {
            component(path("views", index, "componentIds").index(at), id.as_str())?;
        }
        for (at, place) in row.places.iter().enumerate() {
            component(path("views", index, "places").index(at).field("componentId"), place.component_id.as_str())?;
        }
    }
    Ok(())
}
