//! The three-way merge of a draft and its base, and the changes that it makes to either.

mod merged;
#[cfg(test)]
mod properties;
mod rows;
mod states;
mod steps;
mod structure;
#[cfg(test)]
mod tests;
mod three_way;

pub(super) use self::{
    merged::{ConflictKind, MergedField, MergedRow},
    rows::{RowId, Side, is_position, json_of, name_of, needs},
    states::{MergeInput, RowIds},
    steps::Target,
    three_way::{Decisions, Merge},
};
