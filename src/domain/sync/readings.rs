//! Converts files of other tools to the rows that a sync takes. Nothing is stored.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Value};

use super::model::{
    reading::{
        Origin, ReadComponent, ReadLink, ReadMember, ReadPerson, ReadPlace, ReadProcess, ReadRelationship,
        ReadStakeholder, ReadTeam, ReadView, ReadWorkspace, Reading,
    },
    readings::{ConvertedFiles, NewReading, ReadCounts, ReadDiagnostic, ReadFile, ReadingOptions},
};
use crate::{
    domain::core::{Call, Gate, access::Member},
    error::{Error, FieldPath, Problem, Result, truncated},
    import::{self, Deployment, Files, Format, Options, Refusal},
};

/// Converts files, on the threads for heavy work.
pub async fn convert(gate: &Gate, call: Call<Member>, new: NewReading) -> Result<ConvertedFiles> {
    gate.permit(call.without_retry(), Some(())).await?;
    read(gate, new).await
}

/// Converts files of a caller whose permission is checked elsewhere.
pub(in crate::domain) async fn read(gate: &Gate, new: NewReading) -> Result<ConvertedFiles> {
    // Two jobs: the second one does not begin when the client has disconnected in the meantime.
    let (files, format, options) = gate.heavy_work(move || prepared(new)).await?;
    let reading =
        gate.heavy_work(move || import::read(format, &files, &options).map(|found| (found, files)).map_err(refused));
    let (found, files) = reading.await?;
    gate.heavy_work(move || converted(format, &files, found)).await
}

/// The files and options of a request.
fn prepared(new: NewReading) -> Result<(Files, Format, Options)> {
    let mut files = Files::new();
    for (at, file) in new.files.into_iter().enumerate() {
        let ReadFile { name, content, content_base64 } = file;
        let field = |name: &str| FieldPath::item("files", at).field(name);
        let bytes = match (content, content_base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(text)) => STANDARD
                .decode(text.trim())
                .map_err(|_| Error::invalid(field("contentBase64"), "must be base64 with padding"))?,
            (None, None) => {
                return Err(Error::invalid(field("content"), Problem::required(", or `contentBase64` instead")));
            }
            (Some(_), Some(_)) => {
                return Err(Error::invalid(field("contentBase64"), "must be left out where `content` is given"));
            }
        };
        if name.as_str().is_empty() {
            return Err(Error::invalid(field("name"), "must not be empty"));
        }
        files.add(name.as_str(), bytes).map_err(refused)?;
    }
    let format = match &new.format {
        Some(id) => Format::of_id(id.as_str()).ok_or_else(|| unknown_format("format", id.as_str()))?,
        None => import::recognize(&files).map_err(refused)?,
    };
    if files.is_empty() {
        return Err(Error::invalid("files", Problem::Items { min: 1, max: Some(import::MAX_FILES) }));
    }
    Ok((files, format, options(new.options.unwrap_or_default())))
}

/// The error for an unknown format.
pub(super) fn unknown_format(field: &'static str, id: &str) -> Error {
    let known: Vec<&str> = Format::ALL.iter().map(|format| format.id()).collect();
    Error::invalid(field, format!("`{id}` is not a format; use one of: {}", known.join(", ")))
}

fn options(given: ReadingOptions) -> Options {
    let deployment = match given.deployment.as_ref().map(|name| name.as_str()) {
        None | Some("single") => Deployment::Single,
        Some("none") => Deployment::None,
        Some("all") => Deployment::All,
        Some(name) => Deployment::Environment(name.to_owned()),
    };
    Options {
        name: given.name.map(String::from),
        deployment,
        motivation: given.motivation,
        columns: given.columns.into_iter().map(|(key, heading)| (key, heading.into())).collect(),
    }
}

/// The error for files that cannot be read.
fn refused(refusal: Refusal) -> Error {
    Error::invalid("files", truncated(refusal.to_string()))
}

fn converted(format: Format, files: &Files, found: import::Reading) -> Result<ConvertedFiles> {
    let diagnostics = found.diagnostics.iter().cloned().map(ReadDiagnostic::from).collect();
    let (diagnostic_count, ignored) = (found.diagnostic_count, found.ignored.clone());
    let reading = Reading::of(found)?;
    let counts = ReadCounts {
        components: reading.components.len(),
        relationships: reading.relationships.len(),
        people: reading.people.len(),
        teams: reading.teams.len(),
        stakeholders: reading.stakeholders.len(),
        links: reading.links.len(),
        processes: reading.processes.len(),
        views: reading.views.len(),
    };
    Ok(ConvertedFiles {
        format: format.id().to_owned(),
        format_name: format.name().to_owned(),
        is_observed: format.is_observed(),
        files: files.iter().map(|file| file.name().to_owned()).collect(),
        reading,
        diagnostics,
        diagnostic_count,
        ignored,
        counts,
    })
}

impl Reading {
    /// The rows that a reader found. Readers return valid rows, so an error is a fault of the server.
    pub fn of(found: import::Reading) -> Result<Self> {
        Self::try_of(found).map_err(|problem| Error::internal(format!("a reader returned an invalid row: {problem}")))
    }

    fn try_of(found: import::Reading) -> std::result::Result<Self, Problem> {
        let mut reading = Self {
            workspace: Some(ReadWorkspace {
                name: text(&found.workspace.name)?,
                description: optional(found.workspace.description.as_deref())?,
            }),
            ..Self::default()
        };
        for row in found.people {
            reading.people.push(ReadPerson {
                origin: origin(&row.origin)?,
                id: text(&row.id)?,
                name: text(&row.name)?,
                email: optional(row.email.as_deref())?,
                title: optional(row.title.as_deref())?,
                properties: properties(row.properties)?,
            });
        }
        for row in found.teams {
            let members = row.members.iter().map(|member| Ok(ReadMember { person_id: text(&member.person_id)? }));
            reading.teams.push(ReadTeam {
                origin: origin(&row.origin)?,
                id: text(&row.id)?,
                name: text(&row.name)?,
                description: optional(row.description.as_deref())?,
                properties: properties(row.properties)?,
                members: members.collect::<std::result::Result<_, Problem>>()?,
            });
        }
        for row in found.components {
            reading.components.push(ReadComponent {
                origin: origin(&row.origin)?,
                id: text(&row.id)?,
                type_id: row.type_id.to_owned(),
                name: text(&row.name)?,
                description: optional(row.description.as_deref())?,
                x: row.x.map(crate::domain::values::Coordinate::nearest),
                y: row.y.map(crate::domain::values::Coordinate::nearest),
                tags: parsed(row.tags.into())?,
                technology: parsed(row.technology.into())?,
                properties: properties(row.properties)?,
                is_box: row.is_box,
                has_own_id: row.has_own_id,
            });
        }
        for row in found.relationships {
            reading.relationships.push(ReadRelationship {
                origin: origin(&row.origin)?,
                id: text(&row.id)?,
                source_id: text(&row.source_id)?,
                target_id: text(&row.target_id)?,
                type_id: row.type_id.to_owned(),
                label: optional(row.label.as_deref())?,
                technology: parsed(row.technology.into())?,
                properties: properties(row.properties)?,
            });
        }
        for row in found.stakeholders {
            reading.stakeholders.push(ReadStakeholder {
                origin: origin(&row.origin)?,
                component_id: text(&row.component_id)?,
                person_id: optional(row.person_id.as_deref())?,
                team_id: optional(row.team_id.as_deref())?,
                link_type: text(row.link_type)?,
            });
        }
        for row in found.links {
            reading.links.push(ReadLink {
                origin: origin(&row.origin)?,
                component_id: text(&row.component_id)?,
                url: text(&row.url)?,
                title: optional(row.title.as_deref())?,
            });
        }
        for row in found.processes {
            reading.processes.push(ReadProcess {
                origin: origin(&row.origin)?,
                id: text(&row.id)?,
                name: text(&row.name)?,
                description: optional(row.description.as_deref())?,
                mermaid: parsed(row.mermaid.into())?,
                participants: parsed(Value::Object(row.participants))?,
            });
        }
        let mut places: std::collections::HashMap<String, Vec<ReadPlace>> = std::collections::HashMap::new();
        for place in found.view_places {
            places.entry(place.view_id).or_default().push(ReadPlace {
                component_id: text(&place.component_id)?,
                x: crate::domain::values::Coordinate::nearest(place.x),
                y: crate::domain::values::Coordinate::nearest(place.y),
            });
        }
        for row in found.views {
            let [selector] = row.definition.include;
            reading.views.push(ReadView {
                origin: origin(&row.origin)?,
                places: places.remove(&row.id).unwrap_or_default(),
                id: text(&row.id)?,
                name: text(&row.name)?,
                description: optional(row.description.as_deref())?,
                component_ids: selector.ids.iter().map(|id| text(id)).collect::<std::result::Result<_, Problem>>()?,
            });
        }
        Ok(reading)
    }
}

/// A text as a value type.
fn text<T: serde::de::DeserializeOwned>(text: &str) -> std::result::Result<T, Problem> {
    parsed(text.into())
}

fn optional<T: serde::de::DeserializeOwned>(given: Option<&str>) -> std::result::Result<Option<T>, Problem> {
    given.map(text).transpose()
}

fn parsed<T: serde::de::DeserializeOwned>(value: Value) -> std::result::Result<T, Problem> {
    serde_json::from_value(value).map_err(|error| Problem::from(error.to_string()))
}

fn properties<T: serde::de::DeserializeOwned>(found: Map<String, Value>) -> std::result::Result<Option<T>, Problem> {
    if found.is_empty() { Ok(None) } else { parsed(Value::Object(found)).map(Some) }
}

fn origin(found: &import::Origin) -> std::result::Result<Origin, Problem> {
    Ok(Origin { key: text(&found.key)?, file: text(&found.file)?, line: found.line })
}
