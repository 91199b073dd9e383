//! Parses the request body in two steps: first the operations, then the row of each operation by the rules of its kind.
//!
//! A row is parsed by the same type as the body of the endpoint that writes a single row, so that both accept and
//! reject the same fields.

use std::fmt;

use serde::{Deserialize, Deserializer, de::Visitor};
use serde_json::value::RawValue;

use super::{MAX_OPERATIONS, MAX_POSITIONS, OperationKind, RowId};
use crate::{
    describe::ToSchema,
    domain::{
        input::{self, Input, at_most, objects, optional_at_most},
        map::{
            components::{ComponentPatch, NewComponent},
            decisions::{DecisionPatch, NewDecision},
            links::NewLink,
            notes::{NewNote, NotePatch},
            processes::{NewProcess, ProcessPatch},
            relationships::{NewRelationship, RelationshipPatch},
            stakeholders::{NewStakeholder, StakeholderPatch},
            tours::{NewTour, TourPatch},
            views::{NewView, NewViewLine, ViewPatch},
        },
        values::{Coordinate, Name, Properties, Text, words},
    },
    error::{Error, FieldPath, Problem, Result, reject},
};

/// Maximum length of `ref` and of `incarnation`, in characters.
pub(super) const MAX_REF: usize = 128;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_REF == 128 && MAX_OPERATIONS == 10_000);

/// Operations to apply in order, in one transaction: all or none.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Operations {
    /// Identifier of the database incarnation that the operations were made against. If the database was restored since
    /// and has another incarnation, the response is 409 with code `other_incarnation`, and nothing is written.
    #[schema(nullable = false, max_length = 128)]
    pub(super) incarnation: Option<String>,
    /// 1 to 10,000 operations, applied in order.
    #[serde(deserialize_with = "at_most::<MAX_OPERATIONS, _, _>")]
    #[schema(min_items = 1, max_items = 10_000)]
    pub(super) operations: Vec<RawOperation>,
}

words! {
    /// The action of an operation.
    Verb {
        /// Creates a row.
        Create = "create",
        /// Updates fields of a row.
        Update = "update",
        /// Deletes a row.
        Delete = "delete",
        /// Moves components.
        Move = "move",
        /// Creates or replaces a row that is identified by the rows that it refers to.
        Put = "put",
    }
}

/// An operation whose row is not parsed yet.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub(super) struct RawOperation {
    op: Verb,
    kind: Option<OperationKind>,
    id: Option<RowId>,
    #[serde(rename = "ref")]
    reference: Option<String>,
    row: Option<Box<RawValue>>,
    fields: Option<Box<RawValue>>,
    revision: Option<i64>,
    #[serde(default, deserialize_with = "optional_at_most::<MAX_POSITIONS, _, _>")]
    positions: Option<Vec<Position>>,
    view_id: Option<String>,
}

/// The new position of a component, on the map or in a view.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Position {
    /// Component id.
    #[schema(example = "checkout")]
    pub id: String,
    /// Horizontal canvas position, increasing to the right.
    pub x: Coordinate,
    /// Vertical canvas position, increasing downward.
    pub y: Coordinate,
    /// Revision of the component that the caller has read; in a view, of its position in the view. Another current
    /// revision is a conflict.
    #[schema(nullable = false)]
    pub revision: Option<i64>,
}

/// Workspace fields to update; absent fields are unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct WorkspaceFields {
    /// Display name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Replaces all properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

objects!(Operations, RawOperation, Position, WorkspaceFields);

impl Input for Operations {
    const LARGE: bool = true;
}
impl Input for WorkspaceFields {}

/// A parsed operation.
#[derive(Debug)]
pub(super) enum Operation {
    CreateComponent(NewComponent),
    CreateRelationship(NewRelationship),
    CreateStakeholder { component_id: String, new: NewStakeholder, reference: Option<String> },
    CreateLink { component_id: String, new: NewLink, reference: Option<String> },
    CreateProcess(NewProcess),
    CreateNote(NewNote),
    CreateView(NewView),
    CreateTour(NewTour),
    CreateDecision(NewDecision),
    UpdateWorkspace { fields: WorkspaceFields, revision: Option<i64> },
    UpdateComponent { id: String, patch: ComponentPatch, revision: Option<i64> },
    UpdateRelationship { id: String, patch: RelationshipPatch, revision: Option<i64> },
    UpdateStakeholder { id: RowId, patch: StakeholderPatch, revision: Option<i64> },
    UpdateProcess { id: String, patch: ProcessPatch, revision: Option<i64> },
    UpdateNote { id: String, patch: NotePatch, revision: Option<i64> },
    UpdateView { id: String, patch: ViewPatch, revision: Option<i64> },
    UpdateTour { id: String, patch: TourPatch, revision: Option<i64> },
    UpdateDecision { id: String, patch: DecisionPatch, revision: Option<i64> },
    PutViewLine { new: NewViewLine, revision: Option<i64> },
    Delete { kind: OperationKind, id: RowId, revision: Option<i64> },
    Move { view_id: Option<String>, positions: Vec<Position> },
}

/// Parses the rows of all operations. Also returns the incarnation.
pub(super) fn read(Operations { incarnation, operations }: Operations) -> Result<(Option<String>, Vec<Operation>)> {
    let checked = incarnation.as_ref().map_or(Ok(()), |text| Problem::check_length(text, 0, MAX_REF));
    checked.map_err(|problem| Error::invalid("incarnation", problem))?;
    if operations.is_empty() {
        return Err(Error::invalid("operations", Problem::items(MAX_OPERATIONS)));
    }
    let positions: usize = operations.iter().map(|one| one.positions.as_ref().map_or(0, Vec::len)).sum();
    if positions > MAX_POSITIONS {
        let text = format!("must have at most {MAX_POSITIONS} positions in all, has {positions}");
        return Err(Error::invalid("operations", text));
    }
    let read = operations.into_iter().enumerate().map(|(index, raw)| Raw { index, raw }.read());
    Ok((incarnation, read.collect::<Result<_>>()?))
}

/// The path of a field of an operation, for error messages.
pub(super) fn path(index: usize, field: &str) -> FieldPath {
    FieldPath::item("operations", index).field(field)
}

/// An unparsed operation and its index in the request.
struct Raw {
    index: usize,
    raw: RawOperation,
}

impl Raw {
    fn read(mut self) -> Result<Operation> {
        use OperationKind::{
            Component, Decision, Link, Note, Process, Relationship, Stakeholder, Tour, View, ViewLine, ViewPlace,
            Workspace,
        };
        let (verb, revision) = (self.raw.op, self.raw.revision.take());
        let kind = self.raw.kind.take();
        let known = match verb {
            Verb::Move => kind.is_none(),
            _ => kind.is_some(),
        };
        if !known {
            let text = if verb == Verb::Move { "must be left out: components are moved" } else { "is required" };
            return Err(self.invalid("kind", text));
        }
        let operation = match (verb, kind.unwrap_or(Component)) {
            (Verb::Move, _) => Operation::Move { view_id: self.raw.view_id.take(), positions: self.positions()? },
            (Verb::Create, Component) => Operation::CreateComponent(self.row()?),
            (Verb::Create, Relationship) => Operation::CreateRelationship(self.row()?),
            (Verb::Create, Process) => Operation::CreateProcess(self.row()?),
            (Verb::Create, Note) => Operation::CreateNote(self.row()?),
            (Verb::Create, View) => Operation::CreateView(self.row()?),
            (Verb::Create, Tour) => Operation::CreateTour(self.row()?),
            (Verb::Create, Decision) => Operation::CreateDecision(self.row()?),
            (Verb::Create, Stakeholder) => Operation::CreateStakeholder {
                component_id: self.component_id()?,
                new: self.row()?,
                reference: self.reference()?,
            },
            (Verb::Create, Link) => Operation::CreateLink {
                component_id: self.component_id()?,
                new: self.row()?,
                reference: self.reference()?,
            },
            (Verb::Update, Workspace) => Operation::UpdateWorkspace { fields: self.fields()?, revision },
            (Verb::Update, Component) => {
                Operation::UpdateComponent { id: self.text_id()?, patch: self.fields()?, revision }
            }
            (Verb::Update, Relationship) => {
                Operation::UpdateRelationship { id: self.text_id()?, patch: self.fields()?, revision }
            }
            (Verb::Update, Stakeholder) => {
                Operation::UpdateStakeholder { id: self.id()?, patch: self.fields()?, revision }
            }
            (Verb::Update, Process) => {
                Operation::UpdateProcess { id: self.text_id()?, patch: self.fields()?, revision }
            }
            (Verb::Update, Note) => Operation::UpdateNote { id: self.text_id()?, patch: self.fields()?, revision },
            (Verb::Update, View) => Operation::UpdateView { id: self.text_id()?, patch: self.fields()?, revision },
            (Verb::Update, Tour) => Operation::UpdateTour { id: self.text_id()?, patch: self.fields()?, revision },
            (Verb::Update, Decision) => {
                Operation::UpdateDecision { id: self.text_id()?, patch: self.fields()?, revision }
            }
            (Verb::Put, ViewLine) => Operation::PutViewLine { new: self.row()?, revision },
            (Verb::Delete, kind @ (Stakeholder | Link)) => Operation::Delete { kind, id: self.id()?, revision },
            (
                Verb::Delete,
                kind @ (Component | Relationship | Process | Note | View | ViewPlace | ViewLine | Tour | Decision),
            ) => Operation::Delete { kind, id: RowId::Text(self.text_id()?), revision },
            (Verb::Create | Verb::Delete, Workspace)
            | (Verb::Update, Link)
            | (Verb::Create | Verb::Update, ViewPlace | ViewLine)
            | (Verb::Put, _) => {
                let kind = kind.map_or("", OperationKind::as_str);
                return Err(self.invalid("op", format!("`{}` is not possible for the kind `{kind}`", verb.as_str())));
            }
        };
        self.nothing_left(verb, revision)?;
        Ok(operation)
    }

    /// Rejects fields that this operation does not have.
    fn nothing_left(&self, verb: Verb, revision: Option<i64>) -> Result<()> {
        let RawOperation { id, reference, row, fields, positions, view_id, .. } = &self.raw;
        let left = [
            ("id", id.is_some()),
            ("ref", reference.is_some()),
            ("row", row.is_some()),
            ("fields", fields.is_some()),
            ("positions", positions.is_some()),
            ("viewId", view_id.is_some()),
            ("revision", revision.is_some() && matches!(verb, Verb::Create | Verb::Move)),
        ];
        match left.iter().find(|(_, is)| *is) {
            Some((field, _)) => Err(self.invalid(field, Problem::UnknownField)),
            None => Ok(()),
        }
    }

    fn invalid(&self, field: &str, problem: impl Into<Problem>) -> Error {
        Error::invalid(path(self.index, field), problem)
    }

    fn row<T: Input>(&mut self) -> Result<T> {
        let raw = self.raw.row.take();
        self.parse("row", raw)
    }

    fn fields<T: Input>(&mut self) -> Result<T> {
        let raw = self.raw.fields.take();
        self.parse("fields", raw)
    }

    fn parse<T: Input>(&self, part: &str, raw: Option<Box<RawValue>>) -> Result<T> {
        let raw = raw.ok_or_else(|| self.invalid(part, Problem::REQUIRED))?;
        input::parse(raw.get().as_bytes()).map(|(row, _)| row).map_err(|error| error.within(path(self.index, part)))
    }

    fn positions(&mut self) -> Result<Vec<Position>> {
        self.raw.positions.take().ok_or_else(|| self.invalid("positions", Problem::REQUIRED))
    }

    /// The component that a new stakeholder or link belongs to.
    fn component_id(&self) -> Result<String> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Of {
            component_id: Option<String>,
        }
        let wrong = || {
            let problem = Problem::required(", and must be the id of a component");
            Error::invalid(path(self.index, "row").field("componentId"), problem)
        };
        let raw = self.raw.row.as_ref().ok_or_else(|| self.invalid("row", Problem::REQUIRED))?;
        let of = serde_json::from_str::<Of>(raw.get()).map_err(|_| wrong())?;
        of.component_id.ok_or_else(wrong)
    }

    fn reference(&mut self) -> Result<Option<String>> {
        let reference = self.raw.reference.take();
        let checked = reference.as_ref().map_or(Ok(()), |text| Problem::check_length(text, 1, MAX_REF));
        checked.map(|()| reference).map_err(|problem| self.invalid("ref", problem))
    }

    fn id(&mut self) -> Result<RowId> {
        self.raw.id.take().ok_or_else(|| self.invalid("id", Problem::REQUIRED))
    }

    fn text_id(&mut self) -> Result<String> {
        match self.id()? {
            RowId::Text(id) => Ok(id),
            RowId::Number(_) => Err(self.invalid("id", "must be a string")),
        }
    }
}

impl<'de> Deserialize<'de> for RowId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Either;

        impl Visitor<'_> for Either {
            type Value = RowId;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, or an integer for stakeholders and links")
            }

            fn visit_i64<E>(self, number: i64) -> std::result::Result<RowId, E> {
                Ok(RowId::Number(number))
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> std::result::Result<RowId, E> {
                i64::try_from(number).map(RowId::Number).map_err(|_| reject("must be an id, is too large".into()))
            }

            fn visit_str<E>(self, text: &str) -> std::result::Result<RowId, E> {
                Ok(RowId::Text(text.to_owned()))
            }
        }

        deserializer.deserialize_any(Either)
    }
}
