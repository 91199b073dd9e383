//! Rows of the map and of workspaces, and the requests that write them.

pub mod access_requests;
pub mod bulk;
pub mod components;
pub mod lines;
pub mod links;
pub mod members;
pub mod notes;
pub(in crate::domain) mod order;
pub mod processes;
pub mod relationships;
pub mod stakeholders;
pub mod tables;
pub mod workspaces;
