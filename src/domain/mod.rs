//! What the product does: types, rules and use cases, a file per resource.
//!
//! Every function takes a handle of [`access`]: what it may do is in its signature. SQL is in `store`, which nobody
//! else can see.

pub mod access;
pub mod accounts;
pub mod audit;
pub mod bulk;
pub mod bundle;
pub mod catalogue;
pub mod components;
pub mod connectors;
pub mod directory;
pub mod document;
pub mod export;
pub mod history;
pub mod identity;
pub mod images;
pub mod impact;
pub mod import;
pub mod input;
pub mod instance;
pub mod invitations;
pub mod leaving;
pub mod links;
pub mod live;
pub mod members;
pub mod org_members;
pub mod organizations;
pub mod overview;
pub mod passwords;
pub mod people;
mod placement;
pub mod processes;
mod quotas;
pub mod relationships;
pub mod roles;
pub mod sample;
pub mod search;
pub mod second_factor;
pub mod sessions;
pub mod settings;
pub mod sign_in;
mod slug;
pub mod stakeholders;
mod store;
pub mod team_members;
pub mod teams;
pub mod tokens;
pub mod upkeep;
pub mod users;
pub mod values;
pub mod waitlist;
pub mod wiki;
pub mod workspaces;
