//! Processes: sequence diagrams whose participants are components.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{ObjectBuilder, RefOr, Schema, extensions::Extensions, schema::Type},
    },
    domain::{
        core::RowMetadata,
        input::{Input, objects, stamped},
        values::{KebabId, Name, Properties, Text},
    },
    error::{Error, Problem, reject},
};

/// A process: a Mermaid sequence diagram and a mapping from its participants to components.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Process {
    /// Position in creation order.
    #[serde(skip)]
    pub seq: i64,
    /// Id in kebab case, unique in the workspace.
    #[schema(example = "check-out")]
    pub id: String,
    /// Id of the workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Name.
    #[schema(example = "Check out")]
    pub name: String,
    /// Description; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// Source text of the sequence diagram.
    #[schema(example = "sequenceDiagram\n  participant Web as \"Web shop\"\n  Web->>Pay: charge")]
    pub mermaid: String,
    /// Mapping from participant alias to component id.
    #[schema(schema_with = mapping)]
    pub participants: Properties,
    /// Revision, timestamps, and authors.
    #[serde(flatten)]
    pub metadata: RowMetadata,
}

/// Fields of a new process.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewProcess {
    /// Default: derived from the name.
    #[schema(nullable = false)]
    pub id: Option<KebabId>,
    /// Name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Source text of the sequence diagram.
    pub mermaid: Mermaid,
    /// Mapping from participant alias to component id.
    #[schema(schema_with = mapping)]
    pub participants: Option<Properties>,
}

/// Fields of a process to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ProcessPatch {
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Description; `""` clears it.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Source text of the sequence diagram.
    #[schema(nullable = false)]
    pub mermaid: Option<Mermaid>,
    /// Replaces the whole mapping. Unchanged entries are accepted even if their alias or component no longer exists.
    #[schema(schema_with = mapping)]
    pub participants: Option<Properties>,
}

objects!(NewProcess, ProcessPatch);

/// Fields of a process in responses that a client cannot write: those of every row, and those parsed from the text.
pub(in crate::domain) const READ: &[&str] =
    stamped!("" ["workspaceId", "lifelines", "steps", "blocks", "notes", "unresolved", "diagnostics"]);

impl Input for NewProcess {
    const READ_ONLY: &'static [&'static str] = READ;
}

impl Input for ProcessPatch {
    const READ_ONLY: &'static [&'static str] = READ;
}

/// Source text of a diagram; at most 256 KiB.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mermaid(pub(in crate::domain) String);

impl Mermaid {
    /// Maximum length of the text, in bytes.
    pub const MAX_BYTES: usize = 256 << 10;

    /// Checks the length of a text.
    pub fn new(text: &str) -> crate::error::Result<Self> {
        match text.len() {
            ..=Self::MAX_BYTES => Ok(Self(text.to_owned())),
            actual => {
                let problem = Problem::TooLarge { max: Self::MAX_BYTES, actual, unit: "bytes" };
                Err(Error::invalid("mermaid", problem))
            }
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Mermaid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.len() {
            ..=Self::MAX_BYTES => Ok(Self(text)),
            actual => Err(reject(Problem::TooLarge { max: Self::MAX_BYTES, actual, unit: "bytes" })),
        }
    }
}

impl PartialSchema for Mermaid {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .max_length(Some(Self::MAX_BYTES))
            .extensions(Some(
                Extensions::builder().add("x-limits", serde_json::json!({ "maxBytes": Self::MAX_BYTES })).build(),
            ))
            .description(Some("A mermaid sequence diagram of at most 256 KiB"))
            .examples([Value::from("sequenceDiagram\n  participant Web as \"Web shop\"\n  Web->>Pay: charge")])
            .into()
    }
}

impl ToSchema for Mermaid {}

/// Schema of `participants`.
fn mapping() -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .additional_properties(Some(ObjectBuilder::new().schema_type(Type::String)))
        .description(Some("Participant alias to component id; at most 64 KiB of JSON"))
        .examples([json!({ "Web": "web", "Pay": "payments" })])
        .into()
}
