//! What a reader gets from the files, and what it is charged for. See [`Budget`](crate::budget::Budget).

use super::{At, Builder, drafts::Weight};
use crate::{
    budget::Spent,
    files::Refusal,
    json,
    node::Node,
    xml::{self, Xml},
    yaml,
};

/// Steps for looking for a file.
const RESOLVE_STEPS: usize = 10;

impl<'s> Builder<'s> {
    /// The JSON value in a file.
    pub(crate) fn json(&self, file: usize) -> Result<Node, Refusal> {
        json::parse(self.files.at(file), &self.budget)
    }

    /// The YAML or JSON documents in a file.
    pub(crate) fn yaml(&self, file: usize) -> Result<Vec<Node>, Refusal> {
        yaml::documents_within(self.files.at(file), &self.budget)
    }

    /// The XML document in a file.
    pub(crate) fn xml(&self, file: usize) -> Result<Xml<'s, 's>, Refusal> {
        xml::parse(self.files.at(file), &self.budget)
    }

    /// The files that a path means. See [`Files::resolve`](crate::Files::resolve).
    pub(crate) fn resolve(&self, from: usize, path: &str, at: At) -> Result<Vec<usize>, Refusal> {
        self.step(RESOLVE_STEPS + path.len() / 16, at)?;
        let found = self.files.resolve(from, path);
        self.step(2 * found.len(), at)?;
        Ok(found)
    }

    /// Charges steps for what a source can repeat. See [`Budget`](crate::budget::Budget).
    pub(crate) fn step(&self, count: usize, at: At) -> Result<(), Refusal> {
        self.budget.step(count).map_err(|spent| self.spent_at(spent, at))
    }

    /// Charges memory for what is copied, in bytes.
    pub(crate) fn charge(&self, bytes: usize, at: At) -> Result<(), Refusal> {
        self.budget.take(bytes).map_err(|spent| self.spent_at(spent, at))
    }

    fn spent_at(&self, spent: Spent, at: At) -> Refusal {
        self.spent.set(Some(self.spent.get().unwrap_or(at)));
        self.refusal(at, spent.text())
    }

    /// Adds an item to a list that grows with the source. See [`Budget::push`](crate::budget::Budget::push).
    pub(crate) fn push<T>(&self, list: &mut Vec<T>, item: T, at: At) -> Result<(), Refusal> {
        self.budget.push(list, item).map_err(|spent| self.spent_at(spent, at))
    }

    /// Charges memory for a draft, and later that of the row that is made of it.
    pub(super) fn charge_draft(&mut self, weight: Weight, at: At) -> Result<(), Refusal> {
        self.row_bytes += weight.row;
        self.last = at;
        self.charge(weight.draft, at)
    }

    /// Charges memory for the rows of all drafts. Fails if the budget is spent, also where that could not be said.
    pub(crate) fn charge_rows(&self) -> Result<(), Refusal> {
        let charged = self.budget.take(self.row_bytes);
        charged.map_err(|spent| self.refusal(self.spent.get().unwrap_or(self.last), spent.text()))
    }
}
