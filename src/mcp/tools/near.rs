//! Suggestions for ids that do not exist, added to the errors of tools.

use rmcp::model::JsonObject;
use serde_json::Value;

use crate::{
    domain::{
        core::{
            Call, Gate,
            access::{OrgReader, Viewer},
        },
        map::near::{self, NearKind},
    },
    error::Error,
    mcp::escape,
};

/// The ids in the arguments of a call.
#[derive(Debug, Default)]
pub struct Ids {
    workspace: Option<String>,
    components: Vec<String>,
    processes: Vec<String>,
}

impl Ids {
    /// Reads the ids. Lists are not read: errors of their items contain similar ids.
    pub fn read(arguments: &JsonObject) -> Self {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(escape::restored_text);
        let around = arguments.get("around").and_then(|around| around.get("componentId"));
        let components = ["componentId", "from", "to"].map(|name| arguments.get(name)).into_iter().chain([around]);
        Self {
            workspace: text(arguments.get("workspaceId")),
            components: components.filter_map(text).collect(),
            processes: text(arguments.get("processId")).into_iter().collect(),
        }
    }

    /// Ids that are similar to an id that was not found.
    pub async fn suggestion(self, gate: &Gate, call: Call, error: &Error) -> Option<String> {
        let Error::NotFound(what) = error else { return None };
        let workspace = self.workspace?;
        let (missing, near) = match *what {
            "workspace" => {
                let call = call.needing::<OrgReader>().large();
                let near = gate.read(call, (), move |tx| near::workspace_ids(tx, &workspace)).await.ok()?;
                (None, near)
            }
            "component" | "process" => {
                let (kind, ids) = match *what {
                    "component" => (NearKind::Component, self.components),
                    _ => (NearKind::Process, self.processes),
                };
                let call = call.needing::<Viewer>().large();
                let found = gate.read(call, workspace, move |tx| near::missing(tx, kind, &ids)).await.ok()??;
                (Some(found.0), found.1)
            }
            _ => return None,
        };
        let missing = missing.map(|id| format!(": `{}`", near::in_short(&id))).unwrap_or_default();
        let near = near::suggested(&near);
        (!missing.is_empty() || !near.is_empty()).then(|| format!("{missing}{near}"))
    }
}
