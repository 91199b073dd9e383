//! Structurizr workspaces: JSON and DSL, which have the same model.

mod build;
pub(super) mod dsl;
pub(super) mod json;
mod model;
