//! Rows of the map and of workspaces, and the requests that write them.

pub mod access_requests;
pub mod bulk;
pub mod bundle;
pub mod components;
pub mod decision_files;
pub mod decisions;
pub mod lines;
pub mod links;
pub mod members;
pub mod near;
pub mod notes;
pub(in crate::domain) mod order;
pub mod overlaps;
pub mod personal_views;
pub mod processes;
pub mod query;
pub mod relationships;
pub mod stakeholders;
pub mod tables;
pub mod tours;
pub(in crate::domain) mod view_contents;
pub mod view_definition;
mod view_depth;
pub mod views;
pub mod workspaces;
