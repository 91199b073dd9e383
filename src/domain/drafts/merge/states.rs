//! The three states of a merge, read from the maps and from the stored state of the base.

use std::{
    collections::{BTreeMap, HashMap, btree_map},
    iter::Peekable,
    mem,
};

use serde_json::Value;

use super::{
    rows::{Fields, RowId, Triple, Unchanged, fields_of, is_referenced, stakeholder},
    three_way::{Decisions, Merge},
};
use crate::{
    domain::{
        core::{Entity, LoggedRow},
        directory::model::stakeholders::StakeholderLink,
        map::{links::Link, workspaces::Workspace},
        state::{ByKind, Claim, KindVisitor, MapRow, RowsOf, WorkspaceState, each_kind},
    },
    error::{Error, Result},
};

/// Ids of stakeholders and links: these are unique in the instance, so a row of the draft has another id in the base.
#[derive(Debug, Clone, Default)]
pub(in crate::domain) struct RowIds {
    base_of: HashMap<(Entity, i64), i64>,
    draft_of: HashMap<(Entity, i64), i64>,
    /// Those that are not stored yet: kind, id in the draft, and id in the base.
    added: Vec<(Entity, i64, i64)>,
}

impl RowIds {
    /// The stored ids: kind, id in the draft, and id in the base.
    pub(in crate::domain) fn stored(ids: impl IntoIterator<Item = (Entity, i64, i64)>) -> Self {
        let mut stored = Self::default();
        for (kind, draft, base) in ids {
            stored.add(kind, draft, base);
        }
        stored.added.clear();
        stored
    }

    /// Adds the id of a row in the draft and in the base.
    pub(in crate::domain) fn add(&mut self, kind: Entity, draft: i64, base: i64) {
        self.base_of.insert((kind, draft), base);
        self.draft_of.insert((kind, base), draft);
        self.added.push((kind, draft, base));
    }

    /// Ids that are not stored yet: kind, id in the draft, and id in the base.
    pub(in crate::domain) fn added(&self) -> &[(Entity, i64, i64)] {
        &self.added
    }

    /// The id in the base of a row of the draft.
    pub(in crate::domain) fn base_of(&self, kind: Entity, draft: i64) -> Option<i64> {
        self.base_of.get(&(kind, draft)).copied()
    }

    /// The id in the draft of a row of the base.
    pub(in crate::domain) fn draft_of(&self, kind: Entity, base: i64) -> Option<i64> {
        self.draft_of.get(&(kind, base)).copied()
    }
}

/// What is merged.
pub(in crate::domain) struct MergeInput {
    /// The base when the draft was created or last updated.
    pub(in crate::domain) branch: WorkspaceState,
    /// The base now.
    pub(in crate::domain) base: WorkspaceState,
    /// The draft now, with the workspace id of the base.
    pub(in crate::domain) draft: WorkspaceState,
    pub(in crate::domain) ids: RowIds,
}

impl MergeInput {
    /// Merges, with these decisions. Also returns the ids of stakeholders and links, to which those that both sides have
    /// added were added.
    pub(in crate::domain) fn merge(mut self, decisions: &Decisions) -> Result<(Merge, RowIds)> {
        self.name_rows_like_the_base();
        let Self { branch, base, draft, ids } = self;
        let workspaces = [&branch.workspace, &base.workspace, &draft.workspace];
        let mut collected = Collected::default();
        collected.workspace(workspaces);
        collected.states = [branch.rows, base.rows, draft.rows];
        each_kind(&mut collected)?;
        Ok((Merge::new(collected.changed, &collected.unchanged, decisions), ids))
    }

    /// Gives the stakeholders and links of the draft their ids in the base. A stakeholder or a link with the same address that
    /// both sides have added is the same row.
    fn name_rows_like_the_base(&mut self) {
        let Self { base, draft, ids, .. } = self;
        let known = |link: &StakeholderLink| {
            let StakeholderLink { component_id, person_id, team_id, link_type, .. } = link;
            (component_id.clone(), person_id.clone(), team_id.clone(), link_type.clone())
        };
        let is_new = |link: &&StakeholderLink| ids.draft_of(Entity::Stakeholder, link.id).is_none();
        let added: HashMap<_, i64> =
            base.stakeholders.iter().filter(is_new).map(|link| (known(link), link.id)).collect();
        for link in &mut draft.stakeholders {
            if ids.base_of(Entity::Stakeholder, link.id).is_none()
                && let Some(same) = added.get(&known(link))
            {
                ids.add(Entity::Stakeholder, link.id, *same);
            }
            link.id = ids.base_of(Entity::Stakeholder, link.id).unwrap_or(link.id);
        }
        let known = |link: &Link| (link.component_id.clone(), link.kind, link.url.clone());
        let mut added: HashMap<_, Vec<i64>> = HashMap::new();
        for link in base.links.iter().rev().filter(|link| ids.draft_of(Entity::Link, link.id).is_none()) {
            added.entry(known(link)).or_default().push(link.id);
        }
        for link in &mut draft.links {
            if ids.base_of(Entity::Link, link.id).is_none()
                && let Some(same) = added.get_mut(&known(link)).and_then(Vec::pop)
            {
                ids.add(Entity::Link, link.id, same);
            }
            link.id = ids.base_of(Entity::Link, link.id).unwrap_or(link.id);
        }
    }
}

#[derive(Default)]
struct Collected {
    /// The rows that are not yet collected.
    states: [ByKind<RowsOf>; 3],
    changed: BTreeMap<RowId, Triple>,
    unchanged: Unchanged,
}

impl KindVisitor for Collected {
    type Error = Error;

    /// Collects the rows of a kind that differ between the three states. Each row is freed before the next one is collected,
    /// because a map can take hundreds of megabytes.
    fn visit<R: MapRow>(&mut self) -> Result<()> {
        let is_same = |one: Option<&R>, other: Option<&R>| {
            one.zip(other).is_some_and(|(one, other)| one.has_same_contents(other))
        };
        let of = |row: Option<&R>| row.map(fields).transpose();
        let mut states = self.states.each_mut().map(|rows| by_key(mem::take(R::of_mut(rows))));
        loop {
            let keys = states.iter_mut().filter_map(|rows| rows.peek().map(|(key, _)| key));
            let Some(key) = keys.min().cloned() else { return Ok(()) };
            let rows = states.each_mut().map(|rows| rows.next_if(|(other, _)| *other == key).map(|(_, row)| row));
            let [was, ours, theirs] = rows.each_ref().map(Option::as_ref);
            let (base_is_same, draft_is_same) = (is_same(was, ours), is_same(was, theirs));
            if let (Some(was), true, true) = (was, base_is_same, draft_is_same) {
                self.note_unchanged(was, key)?;
                continue;
            }
            let branch = of(was)?;
            let base = if base_is_same { branch.clone() } else { of(ours)? };
            let draft = if draft_is_same { branch.clone() } else { of(theirs)? };
            self.changed.insert((R::ENTITY, key), Triple { branch, base, draft });
        }
    }
}

impl Collected {
    /// Notes what other rows can refer to in a row that is the same in the three states.
    fn note_unchanged<R: MapRow>(&mut self, row: &R, key: String) -> Result<()> {
        let unchanged = &mut self.unchanged;
        match row.claim() {
            Some(Claim::Part { id, of }) => unchanged.parents.entry(id).or_default().push((key.clone(), of)),
            Some(Claim::Holder) => drop(unchanged.stakeholders.insert(stakeholder(&fields(row)?))),
            Some(Claim::Number(number)) => drop(unchanged.numbers.insert(number)),
            None => {}
        }
        if is_referenced(R::ENTITY) {
            unchanged.keys.insert((R::ENTITY, key));
        }
        Ok(())
    }

    /// Collects the workspace itself.
    fn workspace(&mut self, states: [&Workspace; 3]) {
        let [branch, base, draft] = states.map(|workspace| {
            let mut fields = Fields::default();
            fields.insert("name".into(), workspace.name.clone().into());
            if let Some(description) = &workspace.description {
                fields.insert("description".into(), description.clone().into());
            }
            let properties = serde_json::to_value(&workspace.properties).unwrap_or_default();
            let named = fields_of([("properties".to_owned(), properties)].into_iter().collect());
            fields.extend(named.iter().map(|(name, value)| (name.clone(), value.clone())));
            Some(fields)
        });
        if branch != base || branch != draft {
            self.changed.insert((Entity::Workspace, String::new()), Triple { branch, base, draft });
        }
    }
}

/// Rows in the order of their keys. Unlike a list, a tree frees its parts while it is iterated.
fn by_key<R: MapRow>(rows: Vec<R>) -> Peekable<btree_map::IntoIter<String, R>> {
    rows.into_iter().map(|row| (row.key(), row)).collect::<BTreeMap<_, _>>().into_iter().peekable()
}

/// The fields of a row.
fn fields<R: MapRow>(row: &R) -> Result<Fields> {
    Ok(match serde_json::to_value(LoggedRow::of(row))? {
        Value::Object(row) => fields_of(row),
        _ => Fields::default(),
    })
}
