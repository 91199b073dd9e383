//! Where a map differs from its sources, and sources from each other. Compares the map with what the sources contained at
//! their last sync.

mod compare;
mod facts;
mod seen;

use serde::Deserialize;

use self::{compare::Comparison, facts::Facts};
pub use super::model::drift::{Drift, DriftCounts, DriftFinding, DriftKind, StaleSource};
use super::stale;
use crate::{
    describe::IntoParams,
    domain::{
        core::{Reads, ViewTx, WholeMap},
        paging::{Page, Paging, Window},
    },
    error::{Error, Problem, Result},
};

/// Maximum number of days that a relationship may not have been seen.
const MAX_DAYS: u32 = 3_650;
/// Default number of days.
const DEFAULT_DAYS: u32 = 30;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_DAYS == 3_650 && DEFAULT_DAYS == 30);

/// Which differences to list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DriftQuery {
    /// Only differences of this kind. Default: all.
    pub finding: Option<DriftKind>,
    /// A relationship on the map counts as not seen if its components were seen, but it was not for this number of days.
    /// Default: 30.
    #[param(minimum = 1, maximum = 3650)]
    pub days: Option<u32>,
}

/// Estimated memory of [`report`] in bytes: the rows and claims, and the differences.
pub fn weigh(tx: &ViewTx<'_>) -> Result<usize> {
    Ok(tx.weight()?.saturating_mul(2))
}

/// Reports where a map differs from its sources.
pub fn report(tx: &ViewTx<'_>, query: &DriftQuery, paging: &Paging, whole: &WholeMap) -> Result<Drift> {
    let days = query.days.unwrap_or(DEFAULT_DAYS);
    if !(1..=MAX_DAYS).contains(&days) {
        return Err(Error::invalid("days", Problem::range(1, MAX_DAYS)));
    }
    let window: Window<(i64, String)> = paging.window("drift")?;
    let facts = Facts::read(tx, days, whole)?;
    let sources = facts.sources.len();
    let stale_sources = stale::stale(tx.core(), facts.sources.values())?;
    let findings = Comparison::new(&facts).all(|| tx.core().check_alive())?;
    let mut counts = DriftCounts::default();
    for finding in &findings {
        counts.add(finding.finding);
    }
    let wanted = findings.into_iter().filter(|found| query.finding.is_none_or(|kind| kind == found.finding));
    let mut keyed: Vec<((i64, String), DriftFinding)> = wanted.map(|finding| (key(&finding), finding)).collect();
    keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
    let after = keyed.into_iter().filter(|(key, _)| *key > window.after);
    let rows = usize::try_from(window.rows()).unwrap_or(usize::MAX);
    let Page { items: mut findings, next_cursor } = window.page(after.take(rows).collect())?;
    facts.add_authors(tx, &mut findings)?;
    Ok(Drift { counts, sources, stale_sources, findings, next_cursor })
}

/// The sort key of a difference, unique in a report.
fn key(finding: &DriftFinding) -> (i64, String) {
    let place = DriftKind::ALL.iter().position(|kind| *kind == finding.finding).unwrap_or_default();
    let text = |part: &Option<String>| part.clone().unwrap_or_default();
    let parts = [
        finding.kind.as_str().to_owned(),
        finding.name.clone(),
        text(&finding.id),
        text(&finding.source),
        text(&finding.key),
        text(&finding.other_source),
        text(&finding.field),
    ];
    (i64::try_from(place).unwrap_or_default(), parts.join("\n"))
}
