//! Keeps a map in step with files in other places: architecture models, deployment files, traces.
//!
//! [`readings`] turns files into rows with stable keys. [`synchronize`] compares three states of each field of these rows:
//! as last synced, in the source now, and on the map now. What a source contained is recorded in claims, apart from the rows
//! and the change log, because a client that replaces the properties of a row must not detach it from its source. [`drift`] reports
//! where the map and its sources differ.
//!
//! Undo of a sync restores the rows. Claims stay: a row that an undo deleted is new again for the next sync, unlike one
//! that was deleted by hand.

mod apply;
mod check;
mod convert;
pub mod drift;
mod fields;
mod files;
mod merge;
mod model;
mod now;
mod plan;
mod preview;
pub mod readings;
mod resolutions;
pub mod sources;
mod stale;
mod store;
pub(in crate::domain) mod transfer;
mod types;

use self::check::Checked;
pub use self::model::{
    claims::{DocumentClaim, DocumentSource, ListedClaim, ListedSource, MAX_SOURCES},
    decisions::SourceRowPatch,
    drift::{Drift, DriftFinding, DriftKind},
    reading::Reading,
    readings::{ConvertedFiles, NewReading, ReadFile, ReadingOptions},
    report::{SyncCounts, SyncReport, SyncRow},
    request::{NewSource, SyncRequest},
};
pub use self::{
    files::{FilePreview, NewSourceFile, preview_files},
    preview::preview,
    readings::not_read,
    stale::SourceWatch,
};
use crate::{
    domain::core::{Call, Gate, OrgTx, access::EditorOrCreator},
    error::{Error, Result},
};

/// Synchronizes a workspace with a source, as one change set.
///
/// Permission is checked before the rows are, and the rows are checked before the call waits for the writer thread.
pub async fn synchronize(
    gate: &Gate,
    call: Call<EditorOrCreator>,
    id: String,
    request: SyncRequest,
) -> Result<SyncReport> {
    let may = |tx: &OrgTx<'_>, id: &str| tx.edit(id)?.map(drop).ok_or(Error::NotFound("workspace"));
    let scope = id.clone();
    gate.read(call.clone().without_retry(), id.clone(), move |tx| may(tx, &scope)).await?;
    let mut checked = gate.heavy_work(move || Checked::new(request)).await?;
    let weighed = id.clone();
    let weigh = move |tx: &OrgTx<'_>| tx.edit(&weighed)?.map_or(Ok(0), |edit| plan::weigh(&edit));
    let whole = gate.whole_map(&call, id.clone(), weigh).await?;
    let mut write = move |tx: &mut OrgTx<'_>, id: &str| {
        let mut edit = tx.edit(id)?.ok_or(Error::NotFound("workspace"))?;
        edit.expect_workspace()?;
        let plan = plan::plan(&edit, &mut checked, &whole)?;
        apply::check_mass_removal(&plan)?;
        apply::apply(tx, &mut edit, &checked, plan)
    };
    let scope = id.clone();
    gate.write(call.large(), id, move |tx| write(tx, &scope)).await
}
