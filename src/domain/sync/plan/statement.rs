//! What a source says of a row.

use std::collections::BTreeSet;

use crate::domain::sync::{
    check::Place,
    model::{
        claims::{Fields, Names},
        reading::RowOrigin,
    },
};

/// What a source says of a row.
pub(super) struct Statement<'p> {
    pub(super) place: Place,
    pub(super) origin: &'p RowOrigin,
    pub(super) fields: Fields,
    /// Properties that are stored with the claim only.
    pub(super) volatile: Fields,
    pub(super) inferred: Names,
}

/// Names as a set.
pub(super) fn name_set<'n>(names: impl IntoIterator<Item = &'n str>) -> Names {
    Names(names.into_iter().map(str::to_owned).collect::<BTreeSet<_>>())
}
