//! Plans the writes of a sync: matches the rows of a source with those of the map, merges their fields, and finds what is
//! gone. Reads only; [`apply`](super::apply) writes.

mod components;
mod diagrams;
mod evidence;
mod gone;
mod holders;
mod names;
mod planner;
mod relationships;
mod renames;
mod report;
mod scopes;

use self::planner::Planner;
pub(super) use self::planner::{NewHolders, NewView, Plan};
use super::{check::Checked, now::Now};
use crate::{
    domain::core::{Reads, ViewTx, WholeMap},
    error::Result,
};

/// Estimated memory of [`plan`] in bytes, in addition to the request: the rows of the map before and after the sync.
pub(super) fn weigh(tx: &ViewTx<'_>) -> Result<usize> {
    Ok(tx.weight()?.saturating_mul(2))
}

/// Plans a sync.
pub(super) fn plan(tx: &ViewTx<'_>, request: &Checked, whole: &WholeMap) -> Result<Plan> {
    let now = Now::read(tx, request.request.source.id.as_str(), whole)?;
    let mut planner = Planner::new(tx, request, now);
    planner.note_keys();
    planner.apply_scopes();
    planner.apply_renames()?;
    planner.note_gone();
    if planner.is_evidence() {
        planner.record_evidence();
    } else {
        planner.plan_components()?;
        tx.core().check_alive()?;
        planner.plan_relationships()?;
        planner.plan_holders()?;
        planner.plan_diagrams()?;
    }
    tx.core().check_alive()?;
    planner.plan_gone();
    planner.finish()
}
