//! Share links: public, read-only addresses of maps, views, parts of maps, and processes.
//!
//! The address of a link contains its id and a code that only the sharing key of the instance can make, so the database
//! has nothing that opens a link. A link works while the user on whose behalf it exists, its owner, is an owner of the
//! workspace ([`SharedTx`](super::core::SharedTx) checks it for each request); after that, it is paused until an owner of
//! the workspace adopts it.
//!
//! What is shown is read into a [`shared_model::SharedModel`], which has no fields for personal data and no ids of the
//! workspace.

pub mod administration;
mod admission;
pub mod links;
pub mod model;
pub mod opening;
pub mod rules;
pub mod service;
pub mod shared_model;
mod store;
mod targets;
pub mod uses;

pub use self::service::Shares;
