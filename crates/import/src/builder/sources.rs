//! Gives readers access to the files, and charges the [`Budget`](crate::budget::Budget).

use super::{At, Builder, drafts::MemoryEstimate};
use crate::{
    budget::BudgetError,
    files::Refusal,
    json,
    node::Node,
    xml::{self, Xml},
    yaml,
};

/// Steps for looking up a file.
const RESOLVE_STEPS: usize = 10;

impl<'s> Builder<'s> {
    /// Parses the JSON value in a file.
    pub(crate) fn json(&self, file: usize) -> Result<Node, Refusal> {
        json::parse(self.files.at(file), &self.budget)
    }

    /// Parses the YAML or JSON documents in a file.
    pub(crate) fn yaml(&self, file: usize) -> Result<Vec<Node>, Refusal> {
        yaml::documents_within(self.files.at(file), &self.budget)
    }

    /// Parses the XML document in a file.
    pub(crate) fn xml(&self, file: usize) -> Result<Xml<'s, 's>, Refusal> {
        xml::parse(self.files.at(file), &self.budget)
    }

    /// Returns the indexes of the files at a path. See [`Files::resolve`](crate::Files::resolve).
    pub(crate) fn resolve(&self, from: usize, path: &str, at: At) -> Result<Vec<usize>, Refusal> {
        self.charge_steps(RESOLVE_STEPS + path.len() / 16, at)?;
        let found = self.files.resolve(from, path);
        self.charge_steps(2 * found.len(), at)?;
        Ok(found)
    }

    /// Charges steps. See [`Budget`](crate::budget::Budget).
    pub(crate) fn charge_steps(&self, count: usize, at: At) -> Result<(), Refusal> {
        self.budget.charge_steps(count).map_err(|error| self.budget_refusal(error, at))
    }

    /// Charges memory, in bytes.
    pub(crate) fn charge(&self, bytes: usize, at: At) -> Result<(), Refusal> {
        self.budget.charge(bytes).map_err(|error| self.budget_refusal(error, at))
    }

    fn budget_refusal(&self, error: BudgetError, at: At) -> Refusal {
        self.exhausted_at.set(Some(self.exhausted_at.get().unwrap_or(at)));
        self.refusal(at, error.text())
    }

    /// Appends an item to a list, and charges for its growth. See [`Budget::push`](crate::budget::Budget::push).
    pub(crate) fn push<T>(&self, list: &mut Vec<T>, item: T, at: At) -> Result<(), Refusal> {
        self.budget.push(list, item).map_err(|error| self.budget_refusal(error, at))
    }

    /// Charges memory for a draft, and adds the memory of its row to the amount that `charge_rows` charges.
    pub(super) fn charge_draft(&mut self, estimate: MemoryEstimate, at: At) -> Result<(), Refusal> {
        self.row_bytes += estimate.row;
        self.last = at;
        self.charge(estimate.draft, at)
    }

    /// Charges memory for the rows of all drafts. Also reports earlier budget errors that were ignored.
    pub(crate) fn charge_rows(&self) -> Result<(), Refusal> {
        let charged = self.budget.charge(self.row_bytes + self.copied_bytes());
        charged.map_err(|error| self.refusal(self.exhausted_at.get().unwrap_or(self.last), error.text()))
    }
}
