//! Ids and names that resemble one that does not exist, to suggest what may be meant.

use std::collections::HashSet;

pub use super::model::near::NearKind;
use super::{components::Component, processes::Process, relationships::Relationship, store, workspaces};
use crate::{
    domain::{
        catalogue::CATALOGUE,
        core::{OrgViewTx, Reads, ViewTx},
        paging::Paging,
    },
    error::Result,
};

/// Maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 3;
/// Maximum number of rows that are compared.
const MAX_COMPARED: usize = 20_000;
/// The same for an error of a write, during which other writes wait.
const MAX_COMPARED_IN_WRITE: usize = 5_000;
/// Maximum length of a text that is compared, in characters: longer ones are no misspelled names.
const MAX_LENGTH: usize = 60;

/// Suggestions for a text: the best so far, nearest first.
struct Suggestions {
    wanted: String,
    best: Vec<(usize, String)>,
}

impl Suggestions {
    fn new(wanted: &str) -> Self {
        Self { wanted: wanted.trim().to_lowercase(), best: Vec::new() }
    }

    /// Compares `text`, and suggests `suggestion` if it is near.
    fn compare(&mut self, text: &str, suggestion: &str) {
        let wanted = self.wanted.chars().count();
        if wanted == 0 || wanted > MAX_LENGTH || text.chars().count() > MAX_LENGTH {
            return;
        }
        let text = text.to_lowercase();
        let distance = strsim::osa_distance(&self.wanted, &text);
        let is_part =
            wanted.min(text.chars().count()) >= 3 && (text.contains(&self.wanted) || self.wanted.contains(&text));
        // One letter is not near another.
        let is_near = (distance <= (wanted / 3).max(1) && distance < wanted) || is_part;
        if !is_near || self.best.iter().any(|(other, known)| known == suggestion && *other <= distance) {
            return;
        }
        self.best.retain(|(_, known)| known != suggestion);
        self.best.push((distance, suggestion.to_owned()));
        self.best.sort();
        self.best.truncate(MAX_SUGGESTIONS);
    }

    fn list(self) -> Vec<String> {
        self.best.into_iter().map(|(_, suggestion)| suggestion).collect()
    }
}

/// Ids of workspaces that the caller can read and whose id or name resembles `id`.
pub fn workspace_ids(tx: &OrgViewTx<'_>, id: &str) -> Result<Vec<String>> {
    let mut near = Suggestions::new(id);
    for listed in workspaces::list(tx, &Paging::default())?.items.iter().take(MAX_COMPARED) {
        tx.core().check_alive()?;
        near.compare(&listed.workspace.id, &listed.workspace.id);
        near.compare(&listed.workspace.name, &listed.workspace.id);
    }
    Ok(near.list())
}

/// Ids of rows whose id or name resembles `id`, of the first `most` rows.
fn row_ids(tx: &ViewTx<'_>, kind: NearKind, id: &str, most: usize) -> Result<Vec<String>> {
    let mut near = Suggestions::new(id);
    for (known, name) in store::near::ids_and_names(tx.core().conn, tx.pk(), kind, most)? {
        tx.core().check_alive()?;
        near.compare(&known, &known);
        near.compare(&name, &known);
    }
    Ok(near.list())
}

/// Ids of the type catalog that resemble `id`: types of components or relationships, or lifecycle states.
pub fn types(id: &str) -> Vec<String> {
    let mut near = Suggestions::new(id);
    let components = CATALOGUE.component_types.iter().map(|known| (known.id, known.name));
    let relations = CATALOGUE.relation_types.iter().map(|known| (known.id, known.name));
    let states = CATALOGUE.lifecycle_states.iter().map(|known| (known.id, known.name));
    for (known, name) in components.chain(relations).chain(states) {
        near.compare(known, known);
        near.compare(name, known);
    }
    near.list()
}

/// The end of an error about an id that does not exist, with suggestions.
pub fn suggested(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; near: `{}`", near.join("`, `")) }
}

/// The beginning of an id for an error: an id can be longer than any that is meant.
pub fn in_short(id: &str) -> String {
    id.chars().take(MAX_LENGTH).collect()
}

/// Says that there is no component `id`, and which ones may be meant.
pub fn no_component(tx: &ViewTx<'_>, id: &str) -> Result<String> {
    let near = row_ids(tx, NearKind::Component, id, MAX_COMPARED_IN_WRITE)?;
    Ok(format!("there is no component `{}`{}", in_short(id), suggested(&near)))
}

/// Says that there is no relationship `id`, and which ones may be meant.
pub fn no_relationship(tx: &ViewTx<'_>, id: &str) -> Result<String> {
    let near = row_ids(tx, NearKind::Relationship, id, MAX_COMPARED_IN_WRITE)?;
    Ok(format!("there is no relationship `{}`{}", in_short(id), suggested(&near)))
}

/// The first of `ids` that does not exist, with ids of rows whose id or name resembles it.
pub fn missing(tx: &ViewTx<'_>, kind: NearKind, ids: &[String]) -> Result<Option<(String, Vec<String>)>> {
    for id in ids {
        let exists = match kind {
            NearKind::Component => tx.has::<Component>(id)?,
            NearKind::Relationship => tx.has::<Relationship>(id)?,
            NearKind::Process => tx.has::<Process>(id)?,
        };
        if exists {
            continue;
        }
        return Ok(Some((id.clone(), row_ids(tx, kind, id, MAX_COMPARED)?)));
    }
    Ok(None)
}

/// Names, words of names, and types that resemble the words of a search without results.
pub fn search_words(tx: &OrgViewTx<'_>, workspace_id: Option<&str>, words: &str) -> Result<Vec<String>> {
    let mut near = Suggestions::new(words);
    for known in CATALOGUE.component_types {
        near.compare(known.id, known.id);
        near.compare(known.name, known.name);
    }
    let pks: Vec<i64> = match workspace_id {
        Some(id) => vec![tx.view(id)?.pk()],
        None => workspaces::list(tx, &Paging::default())?.items.iter().map(|listed| listed.workspace.pk).collect(),
    };
    let mut left = MAX_COMPARED;
    for pk in pks {
        let rows = store::near::ids_and_names(tx.core().conn, pk, NearKind::Component, left)?;
        left -= rows.len().min(left);
        for (id, name) in rows {
            tx.core().check_alive()?;
            near.compare(&name, &name);
            near.compare(&id, &name);
            for word in name.split_whitespace().filter(|word| word.len() < name.len()) {
                near.compare(word, word);
            }
        }
    }
    let mut words = near.list();
    // A type and a component can have the same name, and search ignores case.
    let mut seen = HashSet::new();
    words.retain(|word| seen.insert(word.to_lowercase()));
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::Suggestions;

    fn near(wanted: &str, known: &[&str]) -> Vec<String> {
        let mut near = Suggestions::new(wanted);
        for known in known {
            near.compare(known, known);
        }
        near.list()
    }

    #[test]
    fn misspelled_and_partial_names_are_suggested_nearest_first() {
        let known = ["rest", "rust", "db", "sqlite", "orders-db", "MediaWiki", "databases", "database"];
        assert_eq!(near("rets", &known), ["rest"]);
        assert_eq!(near("mediawiki", &known), ["MediaWiki"]);
        assert_eq!(near("databse", &known), ["database", "databases"]);
        assert_eq!(near("orders", &known), ["orders-db"]);
        assert_eq!(near("nothing like it", &known), [""; 0]);
        assert_eq!(near("zookeeper", &known), [""; 0]);
        assert_eq!(near("", &known), [""; 0]);
        assert_eq!(near("A", &["a", "b"]), ["a"]);
        assert_eq!(near("x", &["a", "b"]), [""; 0]);
    }
}
