//! The directory of an organization: the people, teams, roles and kinds that its maps refer to.

pub mod component_kinds;
pub mod entries;
pub mod model;
pub mod people;
pub mod roles;
pub(in crate::domain) mod stakeholders;
mod store;
pub mod team_members;
pub mod teams;
