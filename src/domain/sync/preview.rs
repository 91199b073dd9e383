//! What a sync would write.

use super::{
    check::Checked,
    model::{report::SyncReport, request::SyncRequest},
    plan,
};
use crate::{
    domain::core::{Call, Gate, ViewTx, access::Viewer},
    error::{Error, Result},
};

/// What a sync would do.
pub async fn preview(gate: &Gate, call: Call<Viewer>, id: String, request: SyncRequest) -> Result<SyncReport> {
    gate.permit(call.clone().without_retry(), Some(id.clone())).await?;
    let mut checked = gate.heavy_work(move || Checked::new(request)).await?;
    let whole = gate.whole_map(&call, id.clone(), plan::weigh).await?;
    let read = move |tx: &ViewTx<'_>| {
        let plan = plan::plan(tx, &mut checked, &whole)?;
        plan.report.ok_or_else(|| Error::internal("a plan has no report"))
    };
    gate.read(call.without_retry().large(), id, read).await
}
