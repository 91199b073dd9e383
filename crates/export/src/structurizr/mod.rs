//! Structurizr workspaces: the DSL, and JSON with positions.

mod dsl;
mod json;
mod plan;
mod processes;

pub(super) use self::{dsl::dsl, json::json};
