//! Plans the writes of a sync: matches the rows of the sources with each other and with those of the map, merges their
//! fields, and finds what is gone. Reads only; [`apply`](super::apply) writes.

mod components;
mod decided;
mod diagrams;
mod evidence;
mod finish;
mod gone;
mod groups;
mod holders;
mod matching;
mod moves;
mod names;
mod planner;
mod precedence;
mod relationships;
mod renames;
mod report;
mod repository;
mod same;
mod scopes;
mod standing;
mod statement;
mod unmatched;
mod writes;

use self::planner::Planner;
pub(super) use self::{
    precedence::weight,
    writes::{NewHolders, NewView, Plan},
};
use super::{
    check::{Checked, CheckedSource},
    now::Now,
    store,
};
use crate::{
    domain::core::{Reads, ViewTx, WholeMap},
    error::Result,
};

/// Estimated memory of [`plan`] in bytes, in addition to the request: the rows of the map before and after the sync.
pub(super) fn weigh(tx: &ViewTx<'_>) -> Result<usize> {
    Ok(tx.weight()?.saturating_mul(2))
}

/// Plans a sync: all sources are matched with each other first, then with the map, and then everything is compared at once.
pub(super) fn plan(tx: &ViewTx<'_>, run: &mut Checked, whole: &WholeMap) -> Result<Plan> {
    run.add_gone(&store::sources::list(tx.core().conn, tx.pk())?)?;
    let run = &*run;
    let ids: Vec<&str> = run.sources.iter().map(CheckedSource::id).collect();
    let now = Now::read(tx, &ids, whole)?;
    let mut planner = Planner::new(tx, run, now);
    planner.check_repository()?;
    planner.check_copy()?;
    planner.check_group()?;
    planner.take_over_sources();
    planner.note_keys();
    for source in 0..run.sources.len() {
        planner.apply_scopes(source);
    }
    planner.apply_renames()?;
    planner.note_claims();
    planner.merge_same()?;
    planner.plan_components()?;
    tx.core().check_alive()?;
    planner.plan_relationships()?;
    planner.plan_holders()?;
    planner.plan_diagrams()?;
    planner.record_evidence();
    tx.core().check_alive()?;
    planner.plan_gone();
    planner.finish()
}
