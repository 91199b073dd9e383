//! Decisions: architecture decision records (ADR) that belong to a map.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::{
    describe::{
        IntoParams, PartialSchema, ToSchema,
        openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, schema::Type},
    },
    domain::{
        core::RowMetadata,
        input::{Input, objects, optional_at_most, stamped},
        values::{Id, KebabId, Name, json_column, words},
    },
    error::{Error, Problem, Result, reject},
};

/// Maximum size of the text of a decision, in bytes.
pub const MAX_BODY_BYTES: usize = 100_000;
/// Maximum number of authors of a decision.
pub const MAX_AUTHORS: usize = 50;
/// Maximum number of components that a decision concerns.
pub const MAX_CONCERNED: usize = 100;
/// Maximum number of decisions that a decision supersedes.
pub const MAX_SUPERSEDED: usize = 50;
/// Largest number of a decision.
pub const MAX_NUMBER: i64 = adr::MAX_NUMBER as i64;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_AUTHORS == 50 && MAX_CONCERNED == 100 && MAX_SUPERSEDED == 50 && MAX_NUMBER == 999_999);

words! {
    /// The state of a decision.
    #[derive(Default)]
    DecisionStatus {
        /// Proposed.
        #[default]
        Proposed = "proposed",
        /// Accepted.
        Accepted = "accepted",
        /// Replaced by another decision.
        Superseded = "superseded",
        /// Rejected.
        Rejected = "rejected",
    }
}

/// The text of a decision, in Markdown. Lines end with `\n`; empty lines at the beginning and white space at the end are
/// removed, as in files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct DecisionBody(String);

impl DecisionBody {
    /// Validates a text.
    pub fn new(text: &str) -> std::result::Result<Self, Problem> {
        let text = adr::normalized(text);
        match text.len() {
            0..=MAX_BODY_BYTES => Ok(Self(text)),
            actual => Err(Problem::TooLarge { max: MAX_BODY_BYTES, actual, unit: "bytes" }),
        }
    }
}

impl From<DecisionBody> for String {
    fn from(body: DecisionBody) -> Self {
        body.0
    }
}

impl<'de> Deserialize<'de> for DecisionBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        Self::new(&String::deserialize(deserializer)?).map_err(reject)
    }
}

impl PartialSchema for DecisionBody {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .max_length(Some(MAX_BODY_BYTES))
            .description(Some("Markdown, at most 100,000 bytes"))
            .into()
    }
}
impl ToSchema for DecisionBody {}

/// A date of the calendar, as in `2026-11-25`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct DecisionDate(String);

impl DecisionDate {
    /// Validates a date.
    pub fn new(text: &str) -> std::result::Result<Self, Problem> {
        if adr::is_date(text) { Ok(Self(text.to_owned())) } else { Err("must be a date, as in `2026-11-25`".into()) }
    }
}

impl From<DecisionDate> for String {
    fn from(date: DecisionDate) -> Self {
        date.0
    }
}

impl<'de> Deserialize<'de> for DecisionDate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        Self::new(&String::deserialize(deserializer)?).map_err(reject)
    }
}

impl PartialSchema for DecisionDate {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Date)))
            .examples([Value::from("2026-11-25")])
            .into()
    }
}
impl ToSchema for DecisionDate {}

/// A list of texts in a column.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TextList(pub(in crate::domain) Vec<String>);

json_column!(TextList);

impl TextList {
    /// The texts.
    pub fn into_texts(self) -> Vec<String> {
        self.0
    }
}

/// A decision without its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionSummary {
    /// Id in kebab case, unique in the workspace.
    #[schema(example = "use-postgresql")]
    pub id: String,
    /// Id of the workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Number, unique in the workspace, given by the server.
    #[schema(example = 5)]
    pub number: i64,
    /// Title.
    #[schema(example = "Use PostgreSQL for orders")]
    pub title: String,
    /// State.
    pub status: DecisionStatus,
    /// Date of the decision, as in `2026-11-25`.
    #[schema(format = Date, example = "2026-11-25")]
    pub date: String,
    /// Names of those who decided.
    #[schema(value_type = Vec<String>)]
    pub authors: TextList,
    /// Ids of the components that it concerns.
    #[schema(value_type = Vec<String>, example = json!(["checkout"]))]
    pub component_ids: TextList,
    /// Ids of the decisions that it replaces.
    #[schema(value_type = Vec<String>)]
    pub supersedes: TextList,
    /// Revision, timestamps, and authors.
    #[serde(flatten)]
    pub metadata: RowMetadata,
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// Id in kebab case, unique in the workspace.
    #[schema(example = "use-postgresql")]
    pub id: String,
    /// Id of the workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Number, unique in the workspace, given by the server.
    #[schema(example = 5)]
    pub number: i64,
    /// Title.
    #[schema(example = "Use PostgreSQL for orders")]
    pub title: String,
    /// State.
    pub status: DecisionStatus,
    /// Date of the decision, as in `2026-11-25`.
    #[schema(format = Date, example = "2026-11-25")]
    pub date: String,
    /// Names of those who decided.
    #[schema(value_type = Vec<String>)]
    pub authors: TextList,
    /// Ids of the components that it concerns. Reads leave out components that are deleted; if the deletion is undone, they
    /// are listed again.
    #[schema(value_type = Vec<String>, example = json!(["checkout"]))]
    pub component_ids: TextList,
    /// Ids of the decisions that it replaces. Reads leave out decisions that are deleted.
    #[schema(value_type = Vec<String>)]
    pub supersedes: TextList,
    /// Text, in Markdown. `#id` links a component.
    #[schema(example = "## Context\n\nOrders need transactions.")]
    pub body: String,
    /// Revision, timestamps, and authors.
    #[serde(flatten)]
    pub metadata: RowMetadata,
}

/// Fields of a new decision.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewDecision {
    /// Default: derived from the title.
    #[schema(nullable = false)]
    pub id: Option<KebabId>,
    /// Title.
    pub title: Name,
    /// State. Default: `proposed`.
    #[schema(nullable = false)]
    pub status: Option<DecisionStatus>,
    /// Date of the decision. Default: today, in UTC.
    #[schema(nullable = false)]
    pub date: Option<DecisionDate>,
    /// Names of those who decided. Default: none.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_AUTHORS, _, _>")]
    #[schema(nullable = false, max_items = 50)]
    pub authors: Option<Vec<Name>>,
    /// Ids of the components that it concerns. Default: none.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_CONCERNED, _, _>")]
    #[schema(nullable = false, max_items = 100)]
    pub component_ids: Option<Vec<Id>>,
    /// Ids of the decisions that it replaces. Their state becomes `superseded` in the same change set. Default: none.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_SUPERSEDED, _, _>")]
    #[schema(nullable = false, max_items = 50)]
    pub supersedes: Option<Vec<KebabId>>,
    /// Text, in Markdown. Default: empty.
    #[schema(nullable = false)]
    pub body: Option<DecisionBody>,
}

/// Fields of a decision to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DecisionPatch {
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub number: Option<i64>,
    /// Title.
    #[schema(nullable = false)]
    pub title: Option<Name>,
    /// State.
    #[schema(nullable = false)]
    pub status: Option<DecisionStatus>,
    /// Date of the decision.
    #[schema(nullable = false)]
    pub date: Option<DecisionDate>,
    /// Replaces the names of those who decided.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_AUTHORS, _, _>")]
    #[schema(nullable = false, max_items = 50)]
    pub authors: Option<Vec<Name>>,
    /// Replaces the components that it concerns.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_CONCERNED, _, _>")]
    #[schema(nullable = false, max_items = 100)]
    pub component_ids: Option<Vec<Id>>,
    /// Replaces the decisions that it replaces. The state of those that it did not replace before becomes `superseded`.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_SUPERSEDED, _, _>")]
    #[schema(nullable = false, max_items = 50)]
    pub supersedes: Option<Vec<KebabId>>,
    /// Text, in Markdown.
    #[schema(nullable = false)]
    pub body: Option<DecisionBody>,
}

/// A decision in a workspace file.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DocumentDecision {
    /// Id.
    pub id: KebabId,
    /// Number, unique in the file.
    #[schema(minimum = 1, maximum = 999_999)]
    pub number: i64,
    /// Title.
    pub title: Name,
    /// State.
    pub status: DecisionStatus,
    /// Date of the decision.
    pub date: DecisionDate,
    /// Names of those who decided.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_AUTHORS, _, _>")]
    #[schema(nullable = false, max_items = 50)]
    pub authors: Option<Vec<Name>>,
    /// Ids of the components that it concerns. Those that are not in the file are ignored.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_CONCERNED, _, _>")]
    #[schema(nullable = false, max_items = 100)]
    pub component_ids: Option<Vec<Id>>,
    /// Ids of the decisions that it replaces. Those that are not in the file are ignored.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_SUPERSEDED, _, _>")]
    #[schema(nullable = false, max_items = 50)]
    pub supersedes: Option<Vec<KebabId>>,
    /// Text, in Markdown.
    #[schema(nullable = false)]
    pub body: Option<DecisionBody>,
}

/// Which decisions to list. Without parameters, all.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct DecisionFilter {
    /// Only decisions in this state.
    pub status: Option<DecisionStatus>,
    /// Only decisions that concern this component.
    pub component_id: Option<Id>,
}

impl DocumentDecision {
    /// Checks the rules that need no other data.
    pub(in crate::domain) fn check(&self) -> Result<()> {
        if (1..=MAX_NUMBER).contains(&self.number) {
            Ok(())
        } else {
            Err(Error::invalid("number", Problem::range(1, MAX_NUMBER)))
        }
    }
}

impl From<Decision> for DecisionSummary {
    fn from(row: Decision) -> Self {
        let Decision {
            id,
            workspace_id,
            number,
            title,
            status,
            date,
            authors,
            component_ids,
            supersedes,
            body: _,
            metadata,
        } = row;
        Self { id, workspace_id, number, title, status, date, authors, component_ids, supersedes, metadata }
    }
}

/// Fields of a row in responses that a client cannot write.
const ROW: &[&str] = stamped!(""["workspaceId"]);
/// Fields of a row that the server sets when it is created.
const NEW_ROW: &[&str] = stamped!(""["workspaceId", "number"]);

objects!(NewDecision, DecisionPatch, DocumentDecision);
impl Input for NewDecision {
    const READ_ONLY: &'static [&'static str] = NEW_ROW;
}
impl Input for DecisionPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}
