//! Ids of the rows of a reading.

use std::collections::{HashMap, HashSet};

use super::Builder;
use crate::text;

/// Maximum length of an id that is derived from a text, in characters.
const MAX_CHARS: usize = 100;
/// Maximum length of an id of a process or view. Leaves room for a number.
const MAX_KEBAB_CHARS: usize = 42;
/// Ids that no view can have.
const RESERVED: [&str; 2] = ["all", "personal"];

/// Gives out unique ids.
#[derive(Default)]
pub(super) struct Ids {
    taken: HashSet<String>,
    last: HashMap<String, usize>,
}

impl Ids {
    /// An id, with a number if it is taken.
    pub(super) fn take(&mut self, id: String) -> String {
        let id = if id.is_empty() { "item".to_owned() } else { id };
        let last = self.last.entry(id.clone()).or_default();
        loop {
            *last += 1;
            let numbered = if *last == 1 { id.clone() } else { format!("{id}-{last}") };
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }

    /// An id that the author chose, if it is valid and not taken.
    pub(super) fn choose(&mut self, id: &str) -> Option<String> {
        (is_valid(id) && self.taken.insert(id.to_owned())).then(|| id.to_owned())
    }

    /// An id of lowercase letters, digits and dashes.
    pub(super) fn take_kebab(&mut self, name: &str, otherwise: &str) -> String {
        let id = text::ascii_slug(name, MAX_KEBAB_CHARS);
        self.take(
            if id.len() < 2 || RESERVED.contains(&id.as_str()) { format!("{otherwise}-{id}") } else { id }
                .trim_end_matches('-')
                .to_owned(),
        )
    }
}

/// A row that needs an id: the one that its author chose, its name, and its key.
pub(super) struct Wanted<'w> {
    pub(super) chosen: Option<&'w str>,
    pub(super) name: &'w str,
    pub(super) key: &'w str,
}

/// Ids of rows of one kind. Rows with the same name get ids from their keys, so that the order of the source does not
/// matter.
pub(super) fn all(rows: &[Wanted<'_>]) -> Vec<String> {
    let mut ids = Ids::default();
    let chosen: Vec<Option<String>> = rows.iter().map(|row| ids.choose(row.chosen?)).collect();
    let mut names: HashMap<String, usize> = HashMap::new();
    for row in rows {
        *names.entry(text::slug(row.name, MAX_CHARS)).or_default() += 1;
    }
    let made = rows.iter().zip(chosen).map(|(row, chosen)| match chosen {
        Some(id) => id,
        None => {
            let name = text::slug(row.name, MAX_CHARS);
            let key = || text::slug(row.key, MAX_CHARS);
            let id = if name.is_empty() || names.get(&name) > Some(&1) { key() } else { name.clone() };
            ids.take(if id.is_empty() { name } else { id })
        }
    });
    made.collect()
}

/// The id of a relationship between two components.
pub(super) fn relationship(source: &str, type_id: &str, target: &str) -> String {
    text::slug(&format!("{source} {type_id} {target}"), MAX_CHARS)
}

impl Builder<'_> {
    /// Warns about components that do not get the id that their file names.
    pub(super) fn warn_about_ids(&mut self, ids: &[String]) {
        let refused = self.components.iter().zip(ids).filter_map(|(one, id)| {
            let chosen = one.id.as_deref().filter(|chosen| *chosen != id.as_str())?;
            let text = if is_valid(chosen) {
                format!("another component has the id `{chosen}`, so `{}` has none of its own", one.name)
            } else {
                format!(
                    "`{chosen}` is no valid id, so `{}` has none of its own; use 1 to 128 characters in one line",
                    one.name
                )
            };
            Some((one.at, text))
        });
        for (at, text) in refused.collect::<Vec<_>>() {
            self.warn(at, text);
        }
    }
}

fn is_valid(id: &str) -> bool {
    let length = id.chars().count();
    (1..=128).contains(&length) && id.trim() == id && !id.contains(char::is_control) && !matches!(id, "." | "..")
}
