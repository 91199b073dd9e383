//! Rules of a request that need no other data.

use std::collections::{HashMap, HashSet};

use import::Format;

use super::{
    model::{
        claims::{MAX_SOURCES, Source},
        decisions::SelectedRow,
        reading::{MAX_COMPONENTS, MAX_RELATIONSHIPS, Reading, RowOrigin},
        request::{NewSource, RepositorySource, SyncKind, SyncRequest},
    },
    readings::unknown_format,
    resolutions::Resolutions,
};
use crate::{
    domain::{
        catalogue,
        map::processes::NewProcess,
        values::{Line, Name, SourceId, WebAddress},
    },
    error::{Error, FieldPath, Problem, Result},
};

/// A source of a request, whose rows refer to each other correctly.
#[expect(clippy::struct_excessive_bools, reason = "they are options of the request")]
pub(in crate::domain) struct CheckedSource {
    pub(in crate::domain) source: NewSource,
    pub(in crate::domain) reading: Reading,
    pub(in crate::domain) format: Format,
    /// Whether components of the map are matched by name: everywhere, nowhere, or by default.
    pub(in crate::domain) adopt: Option<bool>,
    pub(in crate::domain) prune: bool,
    pub(in crate::domain) separate: bool,
    pub(in crate::domain) rank: Option<u32>,
    /// Whether the rows say what was seen in operation, and are recorded instead of drawn.
    pub(in crate::domain) is_evidence: bool,
    /// Whether the repository no longer has it.
    pub(in crate::domain) is_gone: bool,
    /// Index of the component that contains each component.
    pub(in crate::domain) parents: Vec<Option<usize>>,
    /// Index of each component, by its id in the reading.
    pub(in crate::domain) components: HashMap<String, usize>,
}

impl CheckedSource {
    /// The id of the source.
    pub(in crate::domain) fn id(&self) -> &str {
        self.source.id.as_str()
    }
}

/// A request whose rows refer to each other correctly. Its sources and readings are in `sources`.
pub(in crate::domain) struct Checked {
    pub(in crate::domain) request: SyncRequest,
    pub(in crate::domain) sources: Vec<CheckedSource>,
    /// Whether the request lists its sources.
    is_run: bool,
    /// What the request decides about single rows.
    pub(in crate::domain) resolutions: Resolutions,
    only: Option<HashSet<SelectedRow>>,
}

impl Checked {
    /// Checks a request.
    pub(in crate::domain) fn new(mut request: SyncRequest) -> Result<Self> {
        let (given, is_run) = sources(&mut request)?;
        let mut ids = HashSet::new();
        let (mut components, mut relationships) = (0, 0);
        for (at, one) in given.iter().enumerate() {
            if !ids.insert(one.source.id.as_str().to_owned()) {
                let field = FieldPath::item("sources", at).field("source").field("id");
                return Err(Error::invalid(field, Problem::Repeated));
            }
            components += one.reading.components.len();
            relationships += one.reading.relationships.len();
        }
        if components > MAX_COMPONENTS || relationships > MAX_RELATIONSHIPS {
            let text = format!(
                "have {components} components and {relationships} relationships together, and the limits are \
                 {MAX_COMPONENTS} and {MAX_RELATIONSHIPS}; synchronize fewer sources at a time"
            );
            return Err(Error::invalid("sources", text));
        }
        let mut sources = Vec::with_capacity(given.len());
        for (at, one) in given.into_iter().enumerate() {
            let place = |error: Error| if is_run { error.within(FieldPath::item("sources", at)) } else { error };
            sources.push(checked_source(one, &request).map_err(place)?);
        }
        let resolutions = {
            let readings: Vec<(&str, &Reading)> = sources.iter().map(|source| (source.id(), &source.reading)).collect();
            Resolutions::new(std::mem::take(&mut request.resolutions), &readings)?
        };
        let only = request.only.take().map(|rows| rows.into_iter().collect());
        Ok(Self { request, sources, is_run, resolutions, only })
    }

    /// Adds the sources of the repository that are gone, without rows. Those that are not `known` are gone already.
    pub(in crate::domain) fn add_gone(&mut self, known: &[Source]) -> Result<()> {
        let Some(repository) = &self.request.repository else { return Ok(()) };
        for (at, id) in repository.gone.iter().enumerate() {
            let refused = |text: String| {
                Err(Error::invalid(FieldPath::item("gone", at).within(FieldPath::from("repository")), text))
            };
            if repository.gone[..at].contains(id) {
                return Err(Error::invalid(
                    FieldPath::item("gone", at).within(FieldPath::from("repository")),
                    Problem::Repeated,
                ));
            }
            if self.sources.iter().any(|source| source.id() == id.as_str()) {
                return refused("is a source of the request, too".to_owned());
            }
            let known = known.iter().find(|source| source.id == id.as_str());
            let Some(source) = known.filter(|source| Format::of_id(&source.kind).is_some()) else { continue };
            if source.repository.as_deref() != Some(repository.id.as_str()) {
                return refused(format!("`{}` is no source of the repository `{}`", source.id, repository.id.as_str()));
            }
            self.sources.push(
                gone_source(source, self.request.prune)
                    .map_err(|problem| Error::internal(format!("a stored source is invalid: {problem}")))?,
            );
        }
        Ok(())
    }

    /// Whether the request selects a row of a source.
    pub(in crate::domain) fn selects(&self, source: usize, kind: SyncKind, key: &str) -> bool {
        self.only.as_ref().is_none_or(|only| {
            let of = |source: Option<&str>| {
                only.contains(&SelectedRow { kind, key: key.to_owned(), source: source.map(str::to_owned) })
            };
            of(None) || of(Some(self.sources[source].id()))
        })
    }

    /// Where a row of a list is in the request.
    pub(in crate::domain) fn path(&self, list: &str, place: Place) -> FieldPath {
        let path = FieldPath::item(list, place.row).within("reading");
        if self.is_run { path.within(FieldPath::item("sources", place.source)) } else { path }
    }

    /// Whether the request has several sources, so that rows of its report name theirs.
    pub(in crate::domain) fn has_several(&self) -> bool {
        self.sources.len() > 1
    }
}

/// A row of a list of a source of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::domain) struct Place {
    pub(in crate::domain) source: usize,
    pub(in crate::domain) row: usize,
}

/// The sources of a request, and whether it lists them.
fn sources(request: &mut SyncRequest) -> Result<(Vec<RepositorySource>, bool)> {
    match (request.source.take(), request.reading.take(), request.sources.take()) {
        (Some(source), Some(reading), None) => Ok((vec![RepositorySource { source, reading, options: None }], false)),
        (None, None, Some(sources)) if sources.is_empty() => {
            Err(Error::invalid("sources", Problem::Items { min: 1, max: Some(MAX_SOURCES) }))
        }
        (None, None, Some(sources)) => Ok((sources, true)),
        (None, _, None) => Err(Error::invalid("source", Problem::required(", or `sources` instead"))),
        (Some(_), None, None) => Err(Error::invalid("reading", Problem::required(""))),
        (_, _, Some(_)) => Err(Error::invalid("sources", "must be left out where `source` or `reading` is given")),
    }
}

fn checked_source(given: RepositorySource, request: &SyncRequest) -> Result<CheckedSource> {
    let RepositorySource { source, reading, options } = given;
    let options = options.unwrap_or_default();
    let kind = source.kind.as_str();
    let format = Format::of_id(kind).ok_or_else(|| unknown_format("source.kind", kind))?;
    if reading.components.is_empty() {
        let text = "has no components; an empty or unreadable file does not remove rows. Check the files, or delete the source";
        return Err(Error::invalid(FieldPath::from("components").within("reading"), text));
    }
    unique_keys(&reading)?;
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
    let parents = parents(&reading, &components)?;
    check_references(&reading, &components)?;
    let is_drawn = options.draw.unwrap_or(request.draw);
    Ok(CheckedSource {
        adopt: options.adopt.or(request.adopt),
        prune: options.prune.unwrap_or(request.prune),
        separate: options.separate,
        rank: options.rank,
        is_evidence: format.is_observed() && !is_drawn,
        is_gone: false,
        source,
        reading,
        format,
        parents,
        components,
    })
}

/// A source that its repository no longer has.
fn gone_source(known: &Source, prune: bool) -> std::result::Result<CheckedSource, Problem> {
    let format = Format::of_id(&known.kind).ok_or("its format is unknown")?;
    Ok(CheckedSource {
        source: NewSource {
            id: SourceId::new(&known.id)?,
            kind: Line::cleaned(&known.kind)?,
            name: known.name.as_deref().and_then(|name| Name::cleaned(name).ok()),
            revision: known.revision.as_deref().and_then(|revision| Line::cleaned(revision).ok()),
            url: known.url.as_deref().map(WebAddress::new).transpose()?,
            not_read: Vec::new(),
        },
        reading: Reading::default(),
        format,
        adopt: None,
        prune,
        separate: false,
        rank: known.rank,
        is_evidence: format.is_observed(),
        is_gone: true,
        parents: Vec::new(),
        components: HashMap::new(),
    })
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
