//! Decisions: architecture decision records (ADR) that belong to a map.
//!
//! A decision refers to components and to decisions that it supersedes by id. A reference stays in the row when the other
//! row is deleted, and reads leave it out, so that undoing the deletion brings it back.

use std::collections::HashSet;

pub use super::model::decisions::{
    Decision, DecisionBody, DecisionDate, DecisionFilter, DecisionPatch, DecisionStatus, DecisionSummary,
    DocumentDecision, MAX_AUTHORS, MAX_BODY_BYTES, MAX_CONCERNED, MAX_NUMBER, MAX_SUPERSEDED, NewDecision, TextList,
};
use super::{components::Component, near, store};
use crate::{
    domain::{
        core::{EditTx, Reads, RowMetadata, ViewTx},
        input::same,
        paging::{Page, Paging},
        slug,
        values::{Id, KebabId, Name},
    },
    error::{Error, FieldPath, Result},
};

const NOT_FOUND: Error = Error::NotFound("decision");
/// Ids that would be confused with paths of the API.
const RESERVED: [&str; 2] = ["export", "import"];

/// Lists the decisions of a workspace without their texts, by number.
pub fn list(tx: &ViewTx<'_>, filter: &DecisionFilter, paging: &Paging) -> Result<Page<DecisionSummary>> {
    store::decisions::page(tx.core().conn, &tx.key(), filter, &paging.window("decisions")?)
}

/// Reads a decision, without references to rows that do not exist.
pub fn read(tx: &ViewTx<'_>, id: &str) -> Result<Decision> {
    shown(tx, find(tx, id)?)
}

/// A row as clients read it: without references to rows that do not exist.
pub fn shown(tx: &ViewTx<'_>, row: Decision) -> Result<Decision> {
    let known = store::decisions::find_summary(tx.core().conn, &tx.key(), &row.id)?.ok_or(NOT_FOUND)?;
    Ok(Decision { component_ids: known.component_ids, supersedes: known.supersedes, ..row })
}

/// The id of a decision with this title, in any case.
pub fn titled(tx: &ViewTx<'_>, title: &str) -> Result<Option<String>> {
    store::decisions::titled(tx.core().conn, tx.pk(), title)
}

/// Finds the row of a decision.
pub(in crate::domain) fn find(tx: &ViewTx<'_>, id: &str) -> Result<Decision> {
    tx.existing(id)
}

/// Id and number of each decision.
pub(in crate::domain) fn numbers(tx: &ViewTx<'_>) -> Result<Vec<(String, i64)>> {
    store::decisions::numbers(tx.core().conn, tx.pk())
}

/// Creates a decision. The state of the decisions that it replaces becomes `superseded`.
pub fn create(tx: &mut EditTx<'_>, new: NewDecision) -> Result<Decision> {
    let id = chosen_id(tx, new.id.as_ref(), new.title.as_str())?;
    let number = store::decisions::next_number(tx.core().conn, tx.pk())?;
    if number > MAX_NUMBER {
        return Err(Error::Conflict(format!("the numbers of decisions end at {MAX_NUMBER}")));
    }
    let row = Decision {
        component_ids: components(tx, new.component_ids.unwrap_or_default(), &TextList::default())?,
        supersedes: superseded(tx, &id, new.supersedes.unwrap_or_default(), &TextList::default())?,
        id,
        workspace_id: tx.workspace().id.clone(),
        number,
        title: new.title.into(),
        status: new.status.unwrap_or_default(),
        date: new.date.map_or_else(|| today(tx), String::from),
        authors: names(new.authors.unwrap_or_default()),
        body: new.body.map(String::from).unwrap_or_default(),
        metadata: RowMetadata::default(),
    };
    let created = tx.create(row)?;
    supersede(tx, &TextList::default(), &created.supersedes)?;
    Ok(created)
}

/// Updates a decision. The state of the decisions that it did not replace before becomes `superseded`.
pub fn update(tx: &mut EditTx<'_>, id: &str, patch: DecisionPatch) -> Result<Decision> {
    let before: Decision = tx.expected(id)?;
    same("id", patch.id.as_deref(), &before.id)?;
    if patch.number.is_some_and(|number| number != before.number) {
        return Err(Error::invalid("number", "cannot be changed"));
    }
    let old = before.clone();
    let after = Decision {
        title: patch.title.map_or(old.title, String::from),
        status: patch.status.unwrap_or(old.status),
        date: patch.date.map_or(old.date, String::from),
        authors: patch.authors.map_or(old.authors, names),
        component_ids: match patch.component_ids {
            Some(ids) => components(tx, ids, &old.component_ids)?,
            None => old.component_ids,
        },
        supersedes: match patch.supersedes {
            Some(ids) => superseded(tx, &old.id, ids, &old.supersedes)?,
            None => old.supersedes,
        },
        body: patch.body.map_or(old.body, String::from),
        ..old
    };
    let updated = tx.update(&before, after)?;
    supersede(tx, &before.supersedes, &updated.supersedes)?;
    Ok(updated)
}

/// Deletes a decision. The state of the decisions that it replaces is unchanged.
pub fn delete(tx: &mut EditTx<'_>, id: &str) -> Result<()> {
    let decision: Decision = tx.expected(id)?;
    tx.delete(&decision)
}

/// The given id, or one that is derived from the title.
pub(super) fn chosen_id(tx: &ViewTx<'_>, given: Option<&KebabId>, title: &str) -> Result<String> {
    if let Some(id) = given.map(KebabId::as_str).filter(|id| RESERVED.contains(id)) {
        return Err(Error::invalid("id", format!("`{id}` is reserved; choose another id")));
    }
    let taken = |id: &str| Ok(RESERVED.contains(&id) || tx.has::<Decision>(id)?);
    slug::chosen("decision", given.cloned(), || slug::strict(title, "decision"), taken)
}

/// The date of the transaction, in UTC.
pub(super) fn today(tx: &ViewTx<'_>) -> String {
    jiff::Timestamp::from_millisecond(tx.core().now).unwrap_or_default().strftime("%Y-%m-%d").to_string()
}

fn names(authors: Vec<Name>) -> TextList {
    TextList(authors.into_iter().map(String::from).collect())
}

/// The components of a request, which must exist, and those of the row that do not exist at the moment.
fn components(tx: &ViewTx<'_>, ids: Vec<Id>, stored: &TextList) -> Result<TextList> {
    let exists = |id: &str| tx.has::<Component>(id);
    let ids: Vec<String> = ids.into_iter().map(String::from).collect();
    for (index, id) in ids.iter().enumerate() {
        if !stored.0.contains(id) && !exists(id)? {
            return Err(Error::invalid(FieldPath::item("componentIds", index), near::no_component(tx, id)?));
        }
    }
    references(ids, stored, MAX_CONCERNED, exists)
}

/// The replaced decisions of a request, which must exist, and those of the row that do not exist at the moment.
fn superseded(tx: &ViewTx<'_>, own: &str, ids: Vec<KebabId>, stored: &TextList) -> Result<TextList> {
    let exists = |id: &str| tx.has::<Decision>(id);
    let ids: Vec<String> = ids.into_iter().map(String::from).collect();
    for (index, id) in ids.iter().enumerate() {
        let field = || FieldPath::item("supersedes", index);
        if id == own {
            return Err(Error::invalid(field(), "a decision cannot supersede itself"));
        }
        if !stored.0.contains(id) && !exists(id)? {
            return Err(Error::invalid(field(), format!("there is no decision `{id}`")));
        }
        if !stored.0.contains(id) && supersedes(tx, id, own)? {
            return Err(Error::invalid(field(), format!("`{id}` supersedes this decision")));
        }
    }
    references(ids, stored, MAX_SUPERSEDED, exists)
}

/// Whether a decision supersedes another one, also by those in between.
fn supersedes(tx: &ViewTx<'_>, id: &str, other: &str) -> Result<bool> {
    leads_to(id.to_owned(), &other.to_owned(), |id| {
        tx.core().check_alive()?;
        let row = tx.find::<Decision>(id)?;
        Ok(row.map(|row| row.supersedes.0).unwrap_or_default())
    })
}

/// Whether references lead from an item to another one.
pub(super) fn leads_to<T: Clone + Eq + std::hash::Hash>(
    from: T,
    to: &T,
    next: impl Fn(&T) -> Result<Vec<T>>,
) -> Result<bool> {
    let (mut known, mut open) = (HashSet::from([from.clone()]), vec![from]);
    while let Some(item) = open.pop() {
        for item in next(&item)? {
            if item == *to {
                return Ok(true);
            }
            if known.insert(item.clone()) {
                open.push(item);
            }
        }
    }
    Ok(false)
}

/// Whether there is a component with this id.
pub(in crate::domain) fn is_component(tx: &ViewTx<'_>, id: &str) -> Result<bool> {
    tx.has::<Component>(id)
}

/// References without duplicates, then the stored ones to rows that do not exist, up to `max`. If the existing ones are the
/// same as before, the list is the stored one.
pub(in crate::domain) fn references(
    wanted: Vec<String>,
    stored: &TextList,
    max: usize,
    exists: impl Fn(&str) -> Result<bool>,
) -> Result<TextList> {
    let (mut present, mut missing) = (Vec::new(), Vec::new());
    for id in &stored.0 {
        if exists(id)? { present.push(id.clone()) } else { missing.push(id.clone()) }
    }
    let mut ids: Vec<String> = Vec::with_capacity(wanted.len() + missing.len());
    for id in wanted {
        if !ids.contains(&id) && !missing.contains(&id) {
            ids.push(id);
        }
    }
    if ids == present {
        return Ok(stored.clone());
    }
    ids.extend(missing);
    ids.truncate(max);
    Ok(TextList(ids))
}

/// Sets the state of decisions that are replaced since `before`.
fn supersede(tx: &mut EditTx<'_>, before: &TextList, after: &TextList) -> Result<()> {
    for id in after.0.iter().filter(|id| !before.0.contains(id)) {
        let Some(row) = tx.find::<Decision>(id)? else { continue };
        let status = DecisionStatus::Superseded;
        tx.update(&row, Decision { status, ..row.clone() })?;
    }
    Ok(())
}

impl DocumentDecision {
    /// Builds the row.
    pub(in crate::domain) fn into_row(self, workspace_id: &str) -> Decision {
        Decision {
            id: self.id.into(),
            workspace_id: workspace_id.to_owned(),
            number: self.number,
            title: self.title.into(),
            status: self.status,
            date: self.date.into(),
            authors: names(self.authors.unwrap_or_default()),
            component_ids: TextList(self.component_ids.unwrap_or_default().into_iter().map(String::from).collect()),
            supersedes: TextList(self.supersedes.unwrap_or_default().into_iter().map(String::from).collect()),
            body: self.body.map(String::from).unwrap_or_default(),
            metadata: RowMetadata::default(),
        }
    }
}
