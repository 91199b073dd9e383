//! What the checks find.

use crate::{config::Config, operator::Diagnostics};

/// The result of a check, from good to bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    Ok,
    Warning,
    Problem,
}

impl Status {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// A finding of a check.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) check: &'static str,
    pub(super) status: Status,
    pub(super) message: String,
}

/// The findings of all checks.
#[derive(Debug, Default)]
pub(super) struct Findings(pub(super) Vec<Finding>);

impl Findings {
    pub(super) fn add(&mut self, check: &'static str, status: Status, message: impl Into<String>) {
        self.0.push(Finding { check, status, message: message.into() });
    }

    pub(super) fn ok(&mut self, check: &'static str, message: impl Into<String>) {
        self.add(check, Status::Ok, message);
    }

    pub(super) fn warn(&mut self, check: &'static str, message: impl Into<String>) {
        self.add(check, Status::Warning, message);
    }

    pub(super) fn problem(&mut self, check: &'static str, message: impl Into<String>) {
        self.add(check, Status::Problem, message);
    }

    pub(super) fn worst(&self) -> Status {
        self.0.iter().map(|finding| finding.status).max().unwrap_or(Status::Ok)
    }
}

/// What the checks examine.
pub(super) struct Subject<'c> {
    pub(super) config: &'c Config,
    /// Whether another process uses the data directory.
    pub(super) is_running: bool,
    /// What the running server reports.
    pub(super) diagnostics: Diagnostics,
    /// The current time in Unix milliseconds.
    pub(super) now: i64,
}
