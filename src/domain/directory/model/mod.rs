//! Rows of the directory, and the requests that write them.

pub mod component_kinds;
pub mod people;
pub mod roles;
pub mod stakeholders;
pub mod team_members;
pub mod teams;
