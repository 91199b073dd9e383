//! The state of a workspace: all rows of its map, by kind, and the writes that lead from one state to another.
//!
//! [`kinds`] lists the kinds of rows. Features that do the same for all kinds visit them, and do not name them.

mod dependent_rows;
mod kinds;
mod rows;
mod steps;
mod workspace;

pub(in crate::domain) use self::{
    kinds::{ByKind, Claim, KindFacts, KindVisitor, MapRow, RowStep, RowsOf, each_kind, visit_kind},
    steps::{Steps, StepsOf},
    workspace::WorkspaceState,
};
