//! Workspaces and everything on their maps.

pub mod access_requests;
pub mod bulk;
pub mod bundle;
pub mod change_set;
pub mod components;
pub(in crate::domain) mod containment;
pub mod impact;
pub mod lines;
pub mod links;
pub mod members;
pub mod model;
pub mod note_images;
pub mod notes;
pub(in crate::domain) mod placement;
pub mod processes;
pub mod relationships;
pub mod search;
pub mod stakeholders;
mod store;
pub mod tables;
pub mod workspaces;
