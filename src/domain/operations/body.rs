//! Parses the request body in two steps: first the operations, then the row of each operation by the rules of its kind.
//!
//! A row is parsed by the same type as the body of the endpoint that writes a single row, so that both accept and
//! reject the same fields.

use std::fmt::{self, Debug};

use serde::{Deserialize, Deserializer, de::Visitor};
use serde_json::value::RawValue;

use super::{
    MAX_OPERATIONS, MAX_POSITIONS, OperationKind, Position, RowId,
    apply::{
        Create, CreateLink, CreateStakeholder, Delete, Move, Operation, PutViewLine, Update, UpdateStakeholder,
        UpdateWorkspace,
    },
    model::path,
    rows::KeyedRow,
};
use crate::{
    describe::ToSchema,
    domain::{
        input::{self, Input, at_most, objects, optional_at_most},
        map::{
            components::Component, decisions::Decision, notes::Note, processes::Process, relationships::Relationship,
            tours::Tour, views::View,
        },
        values::words,
    },
    error::{Error, Problem, Result, reject},
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

objects!(Operations, RawOperation);

impl Input for Operations {
    const LARGE: bool = true;
}

/// Parsed operations, in order.
pub(super) type Parsed = Vec<Box<dyn Operation>>;

/// Parses the rows of all operations. Also returns the incarnation.
pub(super) fn read(Operations { incarnation, operations }: Operations) -> Result<(Option<String>, Parsed)> {
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

/// An unparsed operation and its index in the request.
struct Raw {
    index: usize,
    raw: RawOperation,
}

impl Raw {
    fn read(mut self) -> Result<Box<dyn Operation>> {
        let (verb, kind, revision) = (self.raw.op, self.raw.kind.take(), self.raw.revision.take());
        let operation = match (verb, kind) {
            (Verb::Move, Some(_)) => return Err(self.invalid("kind", "must be left out: components are moved")),
            (Verb::Move, None) => {
                let (view_id, positions) = (self.raw.view_id.take(), self.raw.positions.take());
                let positions = positions.ok_or_else(|| self.invalid("positions", Problem::REQUIRED))?;
                Some(Box::new(Move { view_id, positions }) as Box<dyn Operation>)
            }
            (_, None) => return Err(self.invalid("kind", "is required")),
            (Verb::Delete, Some(kind)) if kind != OperationKind::Workspace => {
                let id = if kind.entity().has_number() { self.id()? } else { RowId::Text(self.text_id()?) };
                Some(Box::new(Delete { kind, id, revision }) as Box<dyn Operation>)
            }
            (verb, Some(kind)) => self.write(verb, kind, revision)?,
        };
        let Some(operation) = operation else {
            let kind = kind.map_or("", OperationKind::as_str);
            return Err(self.invalid("op", format!("`{}` is not possible for the kind `{kind}`", verb.as_str())));
        };
        self.nothing_left(verb, revision)?;
        Ok(operation)
    }

    /// An operation that creates, updates or replaces a row; none if this is not possible for the kind.
    fn write(&mut self, verb: Verb, kind: OperationKind, revision: Option<i64>) -> Result<Option<Box<dyn Operation>>> {
        Ok(match (kind, verb) {
            (OperationKind::Component, _) => self.keyed::<Component>(verb, revision)?,
            (OperationKind::Relationship, _) => self.keyed::<Relationship>(verb, revision)?,
            (OperationKind::Process, _) => self.keyed::<Process>(verb, revision)?,
            (OperationKind::Note, _) => self.keyed::<Note>(verb, revision)?,
            (OperationKind::View, _) => self.keyed::<View>(verb, revision)?,
            (OperationKind::Tour, _) => self.keyed::<Tour>(verb, revision)?,
            (OperationKind::Decision, _) => self.keyed::<Decision>(verb, revision)?,
            (OperationKind::Workspace, Verb::Update) => {
                Some(Box::new(UpdateWorkspace { fields: self.fields()?, revision }))
            }
            (OperationKind::Stakeholder, Verb::Create) => {
                let (component_id, new, reference) = (self.component_id()?, self.row()?, self.reference()?);
                Some(Box::new(CreateStakeholder { component_id, new, reference }))
            }
            (OperationKind::Stakeholder, Verb::Update) => {
                Some(Box::new(UpdateStakeholder { id: self.id()?, patch: self.fields()?, revision }))
            }
            (OperationKind::Link, Verb::Create) => {
                let (component_id, new, reference) = (self.component_id()?, self.row()?, self.reference()?);
                Some(Box::new(CreateLink { component_id, new, reference }))
            }
            (OperationKind::ViewLine, Verb::Put) => Some(Box::new(PutViewLine { new: self.row()?, revision })),
            (
                OperationKind::Workspace
                | OperationKind::Stakeholder
                | OperationKind::Link
                | OperationKind::ViewPlace
                | OperationKind::ViewLine,
                _,
            ) => None,
        })
    }

    fn keyed<R: KeyedRow + Debug>(&mut self, verb: Verb, revision: Option<i64>) -> Result<Option<Box<dyn Operation>>> {
        Ok(match verb {
            Verb::Create => Some(Box::new(Create::<R> { new: self.row()? })),
            Verb::Update => Some(Box::new(Update::<R> { id: self.text_id()?, patch: self.fields()?, revision })),
            Verb::Delete | Verb::Move | Verb::Put => None,
        })
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
