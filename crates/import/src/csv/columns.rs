//! Which column of a file stands for what.

use std::collections::BTreeMap;

use crate::text;

/// What a column stands for, with usual headings, the most specific one first.
const FIELDS: &[(&str, &[&str])] = &[
    ("id", &["id", "key", "identifier", "uid", "sysid", "uuid"]),
    ("name", &["name", "title", "component", "application", "displayname", "service"]),
    ("type", &["typeid", "type", "kind", "category", "class"]),
    ("description", &["description", "documentation", "notes", "comment"]),
    ("partOf", &["partofid", "partof", "parentid", "parent", "wholeid", "whole", "container"]),
    ("owner", &["owners", "owner", "team", "ownedby", "responsible"]),
    ("technology", &["technology", "technologies", "techstack", "stack"]),
    ("tags", &["tags", "tag", "keywords"]),
    ("lifecycle", &["lifecycle", "lifecyclestate", "status"]),
    ("x", &["x"]),
    ("y", &["y"]),
    ("url", &["url", "link", "website", "homepage"]),
    ("dependsOn", &["dependson", "dependencies", "uses"]),
    ("source", &["sourceid", "source", "fromid", "from"]),
    ("sourceName", &["source", "from"]),
    ("target", &["targetid", "target", "toid", "to"]),
    ("targetName", &["target", "to"]),
    ("label", &["label", "relationship", "interaction"]),
];

/// The columns of a file.
pub(super) struct Columns {
    headings: Vec<String>,
    by_field: BTreeMap<&'static str, usize>,
}

impl Columns {
    /// The columns of headings. `chosen` has headings by field, and is stronger than usual headings.
    pub(super) fn new(headings: &[String], chosen: &BTreeMap<String, String>) -> Self {
        let headings: Vec<String> = headings.iter().map(|heading| heading.trim().to_owned()).collect();
        let plain: Vec<String> = headings.iter().map(|heading| simple(heading)).collect();
        let mut by_field = BTreeMap::new();
        for (field, usual) in FIELDS {
            let wanted = chosen.get(*field).map(|heading| simple(heading));
            let own = wanted.as_deref().into_iter().find_map(|heading| plain.iter().position(|known| known == heading));
            let usual = || usual.iter().find_map(|heading| plain.iter().position(|known| known == heading));
            if let Some(at) = own.or_else(|| if chosen.contains_key(*field) { None } else { usual() }) {
                by_field.insert(*field, at);
            }
        }
        // Each row copies the headings.
        let headings = headings.iter().map(|heading| text::name(heading)).collect();
        Self { headings, by_field }
    }

    /// Whether there is a column for a field.
    pub(super) fn has(&self, field: &str) -> bool {
        self.by_field.contains_key(field)
    }

    /// The cell of a field; none if it is empty.
    pub(super) fn cell<'r>(&self, row: &'r [String], field: &str) -> Option<&'r str> {
        row.get(*self.by_field.get(field)?).map(|cell| cell.trim()).filter(|cell| !cell.is_empty())
    }

    /// The cells of columns that stand for nothing known, with their heading.
    pub(super) fn others<'r>(&'r self, row: &'r [String]) -> impl Iterator<Item = (&'r str, &'r str)> {
        let is_other = |at: &usize| !self.by_field.values().any(|known| known == at);
        let cells = (0..self.headings.len().min(row.len())).filter(is_other);
        let cells = cells.map(|at| (self.headings[at].as_str(), row[at].trim()));
        cells.filter(|(heading, cell)| !heading.is_empty() && !cell.is_empty())
    }
}

/// Whether a field is known.
#[cfg(test)]
pub(super) fn is_field(name: &str) -> bool {
    FIELDS.iter().any(|(field, _)| *field == name)
}

fn simple(heading: &str) -> String {
    heading.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
