//! Reports of what was changed or would change.

mod github;
mod lines;
mod markdown;
mod model;
#[cfg(test)]
mod tests;
mod text;

pub(super) use self::{
    github::github,
    markdown::markdown,
    model::{Outcome, Problem, Report, ReportDiagnostic, ReportDraft},
    text::{json, text},
};
