//! The state of a plan, and what all kinds of rows share.

use std::collections::{HashMap, HashSet};

use super::{precedence::SourceValues, report::Lists, statement::Statement, writes::Plan};
use crate::domain::{
    core::{Reads, ViewTx},
    sync::{
        check::{Checked, CheckedSource},
        model::{
            claims::{Claim, Fields, Names, Source},
            kinds::RowWas,
            reading::RowOrigin,
            report::SyncRow,
            request::{SyncKind, SyncRequest},
        },
        now::Now,
        resolutions::Rules,
    },
};

/// See the module documentation.
pub(super) struct Planner<'p, 'c> {
    pub(super) tx: &'p ViewTx<'c>,
    pub(super) run: &'p Checked,
    pub(super) now: Now,
    /// Id on the map of each component of each source. None if it is not on the map.
    pub(super) rows: Vec<Vec<Option<String>>>,
    /// Names of the components that the sync creates, by id.
    pub(super) created: HashMap<String, String>,
    /// Rows of the map that the sources describe.
    pub(super) used: HashSet<(SyncKind, String)>,
    /// Keys of each source.
    pub(super) keys: Vec<HashSet<(SyncKind, String)>>,
    /// Keys that the sources no longer have, by the row of the map that they claim.
    pub(super) gone: HashMap<(SyncKind, String), Vec<(usize, String)>>,
    /// Claims by the row of the map: the index of the source in the request and the key, or the index in the other claims.
    pub(super) claims_of: HashMap<(SyncKind, String), Vec<ClaimAt>>,
    /// Claims that have got another key, to write if nothing else writes them.
    pub(super) rekeyed: Vec<(usize, Claim)>,
    pub(super) lists: Lists,
    pub(super) plan: Plan,
    pub(super) restore: HashSet<&'p str>,
    /// Components with relationships that a person drew.
    pub(super) has_lines: HashSet<String>,
    /// Ids of the rows that the sync creates.
    pub(super) taken: HashMap<SyncKind, HashSet<String>>,
}

/// A claim before the sync.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ClaimAt {
    /// Of a source of the request, with its key.
    Own(usize, String),
    /// Of another source.
    Other(usize),
}

impl<'p, 'c> Planner<'p, 'c> {
    pub(super) fn new(tx: &'p ViewTx<'c>, run: &'p Checked, now: Now) -> Self {
        Self {
            tx,
            run,
            now,
            rows: run.sources.iter().map(|source| vec![None; source.reading.components.len()]).collect(),
            created: HashMap::new(),
            used: HashSet::new(),
            keys: Vec::new(),
            gone: HashMap::new(),
            claims_of: HashMap::new(),
            rekeyed: Vec::new(),
            lists: Lists::default(),
            plan: Plan::default(),
            restore: run.request.restore.iter().map(String::as_str).collect(),
            has_lines: HashSet::new(),
            taken: HashMap::new(),
        }
    }

    /// The sources with their indexes.
    pub(super) fn sources(&self) -> impl Iterator<Item = (usize, &'p CheckedSource)> + use<'p> {
        self.run.sources.iter().enumerate()
    }

    /// The rows of a source: their kind and origin.
    pub(super) fn origins(&self, source: usize) -> impl Iterator<Item = (SyncKind, &'p RowOrigin)> + use<'p> {
        let reading = &self.run.sources[source].reading;
        let components = reading.components.iter().map(|row| (SyncKind::Component, &row.origin));
        components
            .chain(reading.relationships.iter().map(|row| (SyncKind::Relationship, &row.origin)))
            .chain(reading.stakeholders.iter().map(|row| (SyncKind::Stakeholder, &row.origin)))
            .chain(reading.links.iter().map(|row| (SyncKind::Link, &row.origin)))
            .chain(reading.processes.iter().map(|row| (SyncKind::Process, &row.origin)))
            .chain(reading.views.iter().map(|row| (SyncKind::View, &row.origin)))
    }

    /// Remembers all keys of the sources.
    pub(super) fn note_keys(&mut self) {
        let of = |(at, _): (usize, &CheckedSource)| {
            self.origins(at).map(|(kind, origin)| (kind, origin.key.as_str().to_owned())).collect()
        };
        self.keys = self.sources().map(of).collect();
    }

    /// Remembers which claims the rows of the map have, and which of them belong to keys that are gone. Renamed keys are not.
    pub(super) fn note_claims(&mut self) {
        let (mut claims_of, mut gone): (HashMap<_, Vec<_>>, HashMap<_, Vec<_>>) = Default::default();
        for (at, claims) in self.now.own.iter().enumerate() {
            for claim in claims.values() {
                let Some(row) = &claim.row_id else { continue };
                let key = (claim.kind, row.clone());
                if !self.keys[at].contains(&(claim.kind, claim.key.clone())) {
                    gone.entry(key.clone()).or_default().push((at, claim.key.clone()));
                }
                claims_of.entry(key).or_default().push(ClaimAt::Own(at, claim.key.clone()));
            }
        }
        for (at, claim) in self.now.others.iter().enumerate() {
            if let Some(row) = &claim.row_id {
                claims_of.entry((claim.kind, row.clone())).or_default().push(ClaimAt::Other(at));
            }
        }
        (self.claims_of, self.gone) = (claims_of, gone);
        self.now.note_others();
    }

    /// The claims that a row of the map had before the sync.
    pub(super) fn claims_of(&self, kind: SyncKind, id: &str) -> impl Iterator<Item = (&ClaimAt, &Claim)> {
        let all = self.claims_of.get(&(kind, id.to_owned())).map_or(&[][..], Vec::as_slice);
        all.iter().filter_map(move |at| {
            let claim = match at {
                ClaimAt::Own(source, key) => self.now.own[*source].get(&(kind, key.clone()))?,
                ClaimAt::Other(index) => self.now.others.get(*index)?,
            };
            Some((at, claim))
        })
    }

    /// The id of the repository of a source, as it is or becomes. None for files that were given by hand.
    pub(super) fn repository_of(&self, source_id: &str) -> Option<&str> {
        if self.run.sources.iter().any(|source| source.id() == source_id) {
            return self.repository();
        }
        self.now.sources.get(source_id)?.repository.as_deref()
    }

    /// The id of the repository of the request. A source that is sent alone stays in its repository.
    pub(super) fn repository(&self) -> Option<&str> {
        match &self.run.request.repository {
            Some(repository) => Some(repository.id.as_str()),
            None => self.now.sources.get(self.run.sources.first()?.id())?.repository.as_deref(),
        }
    }

    /// The rules for fields of a row that both sides have changed.
    pub(super) fn rules(&self, kind: SyncKind, statements: &[Statement<'p>]) -> Rules<'p> {
        let SyncRequest { policy, otherwise, .. } = &self.run.request;
        let keys = statements.iter().map(|one| (one.place.source, one.origin.key.as_str()));
        Rules::new(&self.run.resolutions, policy.as_ref(), *otherwise, kind, keys)
    }

    /// The claim of a source with this key.
    pub(super) fn claim(&self, source: usize, kind: SyncKind, key: &str) -> Option<&Claim> {
        self.now.own[source].get(&(kind, key.to_owned()))
    }

    /// A claim of a row that was seen in this sync. What people decided about the row stays.
    pub(super) fn seen(
        &self,
        source: usize,
        kind: SyncKind,
        origin: &RowOrigin,
        row_id: Option<String>,
        base: Fields,
    ) -> Claim {
        let before = self.claim(source, kind, origin.key.as_str());
        let same = before.filter(|claim| claim.row_id == row_id);
        let (row_was, merged_from) = match (same, &row_id) {
            (Some(same), Some(id)) if self.now.has(kind, id) => {
                // What was only seen can be drawn now.
                let was_seen = || self.run.sources[source].format.is_observed().then(|| self.row_was(kind, id));
                (same.row_was.or_else(was_seen), same.merged_from.clone())
            }
            (_, Some(id)) => (Some(self.row_was(kind, id)), None),
            (_, None) => (None, None),
        };
        Claim {
            source_id: self.run.sources[source].id().to_owned(),
            kind,
            key: origin.key.as_str().to_owned(),
            base,
            inferred: Names::default(),
            volatile: Fields::default(),
            is_home: false,
            separate: before.map(|claim| claim.separate.clone()).unwrap_or_default(),
            row_was,
            merged_from,
            accepted: before.and_then(|claim| claim.accepted.clone()).filter(|_| row_id.is_none()),
            row_id,
            file: origin.file.as_str().to_owned(),
            line: origin.line,
            seen_at: self.tx.core().now,
            missing_since: None,
        }
    }

    /// How a row is for a source that describes it for the first time.
    pub(super) fn row_was(&self, kind: SyncKind, id: &str) -> RowWas {
        if !self.now.has(kind, id) {
            RowWas::New
        } else if self.claims_of(kind, id).any(|(_, claim)| self.declares(claim)) && !self.is_by_hand(kind, id) {
            RowWas::Claimed
        } else {
            RowWas::Unclaimed
        }
    }

    /// Whether a claim says what is declared. What is seen in operation says nothing about who drew a row, unless it is drawn.
    pub(super) fn declares(&self, claim: &Claim) -> bool {
        claim.row_was.is_some() || !self.now.sources.get(&claim.source_id).is_some_and(Source::is_observed)
    }

    /// Whether a person drew a row before a source described it.
    pub(super) fn is_by_hand(&self, kind: SyncKind, id: &str) -> bool {
        self.claims_of(kind, id).any(|(_, claim)| claim.row_was == Some(RowWas::Unclaimed))
    }

    /// Whether someone has decided that two components of the map are two.
    pub(super) fn are_split(&self, one: &str, other: &str) -> bool {
        let excludes = |one: &str, other: &str| {
            self.claims_of(SyncKind::Component, one).any(|(_, claim)| claim.separate.0.contains(other))
        };
        excludes(one, other) || excludes(other, one)
    }

    /// The claim of a source that describes a row of the map.
    pub(super) fn claim_row(
        &mut self,
        kind: SyncKind,
        statement: &Statement<'p>,
        id: &str,
        base: Fields,
        is_home: bool,
    ) {
        let claim = self.seen(statement.place.source, kind, statement.origin, Some(id.to_owned()), base);
        let (inferred, volatile) = (statement.inferred.clone(), statement.volatile.base());
        self.plan.claims.push(Claim { inferred, volatile, is_home, ..claim });
    }

    /// A row of a source for the report.
    pub(super) fn row(
        &self,
        source: usize,
        kind: SyncKind,
        origin: &RowOrigin,
        id: Option<&str>,
        name: impl Into<String>,
    ) -> SyncRow {
        SyncRow {
            file: origin.file.as_str().to_owned(),
            line: origin.line,
            source: self.run.has_several().then(|| self.run.sources[source].id().to_owned()),
            ..SyncRow::new(kind, origin.key.as_str(), id, name)
        }
    }

    /// Records a row that a source has and that stays deleted, with the id that it had.
    pub(super) fn keep_deleted(
        &mut self,
        source: usize,
        kind: SyncKind,
        origin: &RowOrigin,
        id: &str,
        name: impl Into<String>,
    ) {
        let claim = self.claim(source, kind, origin.key.as_str()).cloned();
        let accepted = claim.as_ref().and_then(|claim| claim.accepted.clone());
        let row = self.row(source, kind, origin, None, name);
        self.lists.unaccepted += usize::from(accepted.is_none());
        self.lists.deleted_on_map.push(SyncRow { accepted_at: accepted.as_ref().map(|accepted| accepted.at), ..row });
        let row_was = claim.as_ref().and_then(|claim| claim.row_was);
        let (base, inferred, volatile, is_home) =
            claim.map(|claim| (claim.base, claim.inferred, claim.volatile, claim.is_home)).unwrap_or_default();
        let seen = self.seen(source, kind, origin, Some(id.to_owned()), base);
        self.plan.claims.push(Claim { inferred, volatile, is_home, row_was, accepted, ..seen });
    }

    /// What the sources of a row said before the sync, and what they say now.
    pub(super) fn source_values<'v>(
        &'v self,
        kind: SyncKind,
        id: &str,
        statements: &'v [Statement<'p>],
    ) -> (Vec<SourceValues<'v>>, Vec<SourceValues<'v>>, bool) {
        let repository = self.repository();
        let (mut before, mut others) = (Vec::new(), Vec::new());
        for (at, claim) in self.claims_of(kind, id) {
            // What is seen in operation says nothing about fields, unless it is drawn.
            if matches!(at, ClaimAt::Own(source, _) if self.run.sources[*source].is_evidence) {
                continue;
            }
            let is_there = claim.missing_since.is_none();
            let (was, stays) = match at {
                ClaimAt::Own(source, key) => {
                    let is_stated =
                        statements.iter().any(|one| one.place.source == *source && one.origin.key.as_str() == key);
                    // A row that returns is compared with what it was.
                    (is_there || is_stated, is_there && !is_stated && !self.run.selects(*source, kind, key))
                }
                ClaimAt::Other(_) => {
                    let is_observed = self.now.sources.get(&claim.source_id).is_some_and(Source::is_observed);
                    (is_there && !is_observed, is_there && !is_observed)
                }
            };
            let values = SourceValues::of_claim(claim, self.now.sources.get(&claim.source_id));
            if stays {
                others.push(values.clone());
            }
            if was {
                before.push(values);
            }
        }
        let is_other_home = self
            .claims_of(kind, id)
            .filter(|(_, claim)| claim.is_home && claim.missing_since.is_none())
            .any(|(_, claim)| self.repository_of(&claim.source_id) != repository);
        let own = |one: &'v Statement<'p>| {
            SourceValues::of_statement(one, &self.run.sources[one.place.source], !is_other_home)
        };
        let after = statements.iter().map(own).chain(others).collect();
        (before, after, !is_other_home)
    }
}

/// How a row of the map was found.
#[derive(Debug, Clone, Default)]
pub(super) struct Match {
    /// Whether no source of the repository had it.
    pub(super) is_adopted: bool,
    /// The repository that it has left.
    pub(super) moved_from: Option<String>,
}
