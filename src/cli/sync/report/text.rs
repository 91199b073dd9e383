//! Text for a terminal, and JSON for scripts.

use std::fmt::Write as _;

use serde_json::json;

use super::{
    lines::{self, Entry},
    model::Outcome,
};

/// JSON: the reports of the server, and the result of the command.
pub(in crate::cli::sync) fn json(outcome: &Outcome<'_>) -> String {
    let mut value = json!({
        "workspace": outcome.workspace,
        "preview": outcome.is_preview,
        "inStep": outcome.is_in_step(),
        "sources": outcome.reports,
    });
    if let Some(reason) = outcome.reason() {
        value["error"] = reason.into();
    }
    // GitHub's runner obeys `##[…]` anywhere in a line, also in a text of JSON.
    format!("{value:#}\n").replace("##[", "#\\u0023[")
}

/// Text for a terminal.
pub(in crate::cli::sync) fn text(outcome: &Outcome<'_>) -> String {
    let mut out = String::new();
    for report in outcome.reports {
        let workspace = lines::plain(outcome.workspace.unwrap_or_default());
        let _ = writeln!(out, "{} → {workspace}", lines::title(report));
        for Entry { sign, text, place, .. } in lines::of(report, outcome.is_preview) {
            let place = if place.is_empty() { String::new() } else { format!("  ({place})") };
            let _ = writeln!(out, "  {sign} {text}{place}");
        }
        let _ = writeln!(out, "  {}", lines::summary(report, outcome));
    }
    out
}
