//! The SQL of the domain, in files named after the domain modules. Private to `domain`.
//!
//! Rows of a workspace or directory are written through `Record` implementations, which the gate calls and logs;
//! everything else is written through plain functions. All statements are prepared once and cached.

pub(super) mod audit;
pub(super) mod changes;
pub(super) mod components;
pub(super) mod connectors;
pub(super) mod directory;
pub(super) mod history;
pub(super) mod identities;
pub(super) mod images;
pub(super) mod instance;
pub(super) mod invitations;
pub(super) mod leaving;
pub(super) mod links;
pub(super) mod members;
pub(super) mod org_members;
pub(super) mod organizations;
pub(super) mod overview;
mod pages;
pub(super) mod people;
pub(super) mod processes;
pub(super) mod relationships;
pub(super) mod roles;
mod rows;
pub(super) mod sealed;
pub(super) mod second_factors;
pub(super) mod sessions;
pub(super) mod settings;
pub(super) mod stakeholders;
pub(super) mod tables;
pub(super) mod teams;
pub(super) mod tokens;
pub(super) mod users;
pub(super) mod versions;
pub(super) mod waitlist;
pub(super) mod wiki;
pub(super) mod workspaces;

use self::pages::page;
use super::access::stamps as written;
use crate::db::sql::{all, exists, one, run};
