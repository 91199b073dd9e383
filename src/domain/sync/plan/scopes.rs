//! Keys that begin with their file or project, because others have the same key.
//!
//! Adding or removing a file gives rows of other files a key with or without this beginning. They stay the same rows: a
//! claim that is known under the other key of a row gets the key that the row has now.

use std::collections::{HashMap, HashSet};

use super::planner::Planner;
use crate::domain::sync::model::{
    claims::Claim,
    reading::RowOrigin,
    request::SyncKind::{self, Component},
};

/// The scope of keys that are unique in all files of a source.
const EVERYWHERE: &str = ":";

/// A row of the source that has a key, and is known under another one.
struct Known<'p> {
    kind: SyncKind,
    origin: &'p RowOrigin,
    scope: String,
    /// Whether the key begins with the scope.
    is_scoped: bool,
    /// The other key, under which the row is claimed.
    other: String,
}

impl Planner<'_, '_> {
    /// Gives claims the keys that their rows have now.
    pub(super) fn apply_scopes(&mut self, source: usize) {
        if self.now.own[source].is_empty() {
            return;
        }
        let mut by_claim: HashMap<(SyncKind, String), Vec<Known<'_>>> = HashMap::new();
        for (kind, origin) in self.origins(source) {
            if let Some(known) = self.known(source, kind, origin) {
                by_claim.entry((kind, known.other.clone())).or_default().push(known);
            }
        }
        let scores = self.scores(source, &by_claim);
        self.displace(source);
        let mut all: Vec<_> = by_claim.into_iter().collect();
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        for ((kind, key), rows) in all {
            let Some(claim) = self.now.own[source].get(&(kind, key)) else { continue };
            let score = |row: &Known<'_>| scores.get(&(claim.file.clone(), row.scope.clone())).copied().unwrap_or(0);
            let best = rows
                .into_iter()
                .filter(|row| !row.is_scoped || is_in(&claim.file, row))
                .max_by(|a, b| score(a).cmp(&score(b)).then_with(|| b.scope.cmp(&a.scope)));
            if let Some(row) = best {
                self.rekey(source, &row);
            }
        }
    }

    /// Gives claims of rows that are gone the key with their file, if a row of another file has their key now.
    fn displace(&mut self, source: usize) {
        for (kind, origin) in self.origins(source) {
            let row = named(kind, origin);
            let Some(direct) = self.claim(source, kind, origin.key.as_str()).filter(|_| !row.is_scoped) else {
                continue;
            };
            // Stakeholders and links are never marked, and are found again by what they are.
            let is_gone = direct.missing_since.is_some() || matches!(kind, SyncKind::Stakeholder | SyncKind::Link);
            let is_known = self.claim(source, kind, &row.other).is_some();
            if is_gone && !is_known && !is_in(&direct.file, &row) {
                let displaced = Claim { key: other_key(&row, direct), ..direct.clone() };
                self.now.own[source].remove(&(kind, origin.key.as_str().to_owned()));
                self.end_claim(source, kind, origin.key.as_str());
                self.put_rekeyed(source, displaced);
            }
        }
    }

    /// How the row is known, if it has another key than before.
    fn known<'p>(&self, source: usize, kind: SyncKind, origin: &'p RowOrigin) -> Option<Known<'p>> {
        let known = named(kind, origin);
        let key = origin.key.as_str();
        // A row of another file can have the other key now.
        if self.keys[source].contains(&(kind, known.other.clone())) {
            return None;
        }
        let other = self.claim(source, kind, &known.other)?;
        match self.claim(source, kind, key) {
            None => Some(known),
            // A row of another file had the key.
            Some(direct) => {
                let is_other = !known.is_scoped && !is_in(&direct.file, &known) && is_in(&other.file, &known);
                is_other.then_some(known)
            }
        }
    }

    /// How well the files and projects of the reading fit the claims of a file. Only matters where a file has several.
    fn scores(
        &self,
        source: usize,
        by_claim: &HashMap<(SyncKind, String), Vec<Known<'_>>>,
    ) -> HashMap<(String, String), usize> {
        let mut scores: HashMap<(String, String), usize> = HashMap::new();
        let reading = &self.run.sources[source].reading;
        let ambiguous: HashSet<(&str, &str)> = by_claim
            .values()
            .filter(|rows| rows.len() > 1)
            .flatten()
            .map(|row| (row.origin.file.as_str(), row.scope.as_str()))
            .collect();
        for row in &reading.components {
            let (file, key) = (row.origin.file.as_str(), row.origin.key.as_str());
            let Some(scope) = row.origin.scope.as_ref().filter(|scope| ambiguous.contains(&(file, scope.as_str())))
            else {
                continue;
            };
            let local = key.strip_prefix(scope.as_str()).unwrap_or(key);
            let Some(claim) = self.claim(source, Component, local).filter(|claim| claim.file == file) else { continue };
            let is = |field: &str, text: &str| claim.base.get(field).and_then(|value| value.as_str()) == Some(text);
            let same = usize::from(is("name", row.name.as_str())) + usize::from(is("type", &row.type_id));
            // A key that no other project has says the most.
            let own = if key == local { 100 } else { 0 };
            *scores.entry((claim.file.clone(), scope.as_str().to_owned())).or_default() += own + same;
        }
        scores
    }

    fn rekey(&mut self, source: usize, row: &Known<'_>) {
        let key = row.origin.key.as_str().to_owned();
        let Some(mut claim) = self.now.own[source].remove(&(row.kind, row.other.clone())) else { return };
        if let Some(mut displaced) = self.now.own[source].remove(&(row.kind, key.clone())) {
            // The row of another file, which is gone now.
            displaced.key = other_key(row, &displaced);
            self.put_rekeyed(source, displaced);
        }
        self.end_claim(source, row.kind, &row.other);
        claim.key = key;
        self.put_rekeyed(source, claim);
    }

    fn put_rekeyed(&mut self, source: usize, claim: Claim) {
        self.rekeyed.push((source, claim.clone()));
        self.now.own[source].insert((claim.kind, claim.key.clone()), claim);
    }

    /// Ends the claim of a key.
    pub(super) fn end_claim(&mut self, source: usize, kind: SyncKind, key: &str) {
        self.plan.deleted_claims.push((self.run.sources[source].id().to_owned(), kind, key.to_owned()));
    }

    /// Writes the claims with a new key that the plan does not write otherwise, because their rows are not selected, or
    /// were gone before.
    pub(super) fn keep_rekeyed(&mut self) {
        let written = self.plan.claims.iter().map(|claim| (claim.source_id.as_str(), claim.kind, claim.key.as_str()));
        let deleted = self.plan.deleted_claims.iter().map(|(source, kind, key)| (source.as_str(), *kind, key.as_str()));
        let known: HashSet<(&str, SyncKind, &str)> = written.chain(deleted).collect();
        let is_left = |(source, claim): &&(usize, Claim)| {
            let own = self.now.own[*source].get(&(claim.kind, claim.key.clone()));
            let is_known = known.contains(&(claim.source_id.as_str(), claim.kind, claim.key.as_str()));
            own.is_some_and(|own| own.row_id == claim.row_id) && !is_known
        };
        let left: Vec<Claim> = self.rekeyed.iter().filter(is_left).map(|(_, claim)| claim.clone()).collect();
        self.plan.claims.extend(left);
    }
}

/// A row with the key that it has if other files are added or removed.
fn named(kind: SyncKind, origin: &RowOrigin) -> Known<'_> {
    let own = || format!("{}:", origin.file.as_str());
    let scope = origin.scope.as_ref().map_or_else(own, |scope| scope.as_str().to_owned());
    let key = origin.key.as_str();
    let local = key.strip_prefix(scope.as_str()).filter(|local| !local.is_empty());
    let other = local.map_or_else(|| format!("{scope}{key}"), str::to_owned);
    Known { kind, origin, is_scoped: local.is_some(), scope, other }
}

/// Whether a claim of a file is about the file or project of a row.
fn is_in(file: &str, row: &Known<'_>) -> bool {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    row.scope == EVERYWHERE || file == row.origin.file.as_str() || row.scope.strip_suffix('/') == Some(folder)
}

/// The key of a claim of another file if it begins with that file, as that of a row begins with its own.
fn other_key(row: &Known<'_>, claim: &Claim) -> String {
    let folder = |file: &str| file.rsplit_once('/').map_or_else(String::new, |(folder, _)| folder.to_owned());
    let own = row.origin.file.as_str();
    let scope = match row.scope.strip_suffix('/') {
        Some(around) if around == folder(own) => format!("{}/", folder(&claim.file)),
        _ => row.scope.replace(own, &claim.file),
    };
    format!("{scope}{}", claim.key)
}
