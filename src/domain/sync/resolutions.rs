//! The side whose value a field takes: decisions about single rows and fields, then the policy. Independent of SQL.

use std::collections::HashMap;

use super::{
    fields,
    model::{
        decisions::SyncResolution,
        reading::{Reading, RowOrigin},
        request::{SyncKind, SyncPolicy, SyncPreference},
    },
};
use crate::error::{Error, FieldPath, Problem, Result};

/// The decisions of a request about single rows.
#[derive(Debug, Default)]
pub(in crate::domain) struct Resolutions(HashMap<(usize, SyncKind, String), RowDecisions>);

/// The decisions about a row.
#[derive(Debug, Default)]
struct RowDecisions {
    row: Option<SyncPreference>,
    fields: HashMap<String, SyncPreference>,
}

impl Resolutions {
    /// Checks that all decisions are about rows of the sources, each with its id, and fields that these have.
    pub(in crate::domain) fn new(all: Vec<SyncResolution>, sources: &[(&str, &Reading)]) -> Result<Self> {
        if all.is_empty() {
            return Ok(Self::default());
        }
        let mut known: HashMap<SyncKind, HashMap<&str, Vec<usize>>> = HashMap::new();
        for (at, (_, reading)) in sources.iter().enumerate() {
            for (kind, key) in keys(reading) {
                known.entry(kind).or_default().entry(key).or_default().push(at);
            }
        }
        let mut decided: HashMap<(usize, SyncKind, String), RowDecisions> = HashMap::new();
        for (index, SyncResolution { kind, key, source, field, take }) in all.into_iter().enumerate() {
            let path = |name: &str| FieldPath::item("resolutions", index).field(name);
            if !fields::can_conflict(kind) {
                let text = "must be component, relationship, process or view; other rows follow their component";
                return Err(Error::invalid(path("kind"), text));
            }
            let having = known.get(&kind).and_then(|rows| rows.get(key.as_str())).map_or(&[][..], Vec::as_slice);
            let is_meant = |at: &&usize| source.as_ref().is_none_or(|source| sources[**at].0 == source);
            let meant: Vec<usize> = having.iter().filter(is_meant).copied().collect();
            if meant.is_empty() {
                return Err(Error::invalid(
                    path("key"),
                    format!("there is no {} with the key `{key}` in the reading", kind.as_str()),
                ));
            }
            if let Some(field) = &field
                && !fields::is_field(kind, field)
            {
                return Err(Error::invalid(path("field"), format!("a {} has no field `{field}`", kind.as_str())));
            }
            for at in meant {
                let decisions = decided.entry((at, kind, key.clone())).or_default();
                let previous = match &field {
                    Some(field) => decisions.fields.insert(field.clone(), take),
                    None => decisions.row.replace(take),
                };
                if previous.is_some() {
                    return Err(Error::invalid(FieldPath::item("resolutions", index), Problem::Repeated));
                }
            }
        }
        Ok(Self(decided))
    }
}

/// The kinds and keys of the rows that can have conflicts.
fn keys(reading: &Reading) -> impl Iterator<Item = (SyncKind, &str)> {
    fn of(kind: SyncKind, origin: &RowOrigin) -> (SyncKind, &str) {
        (kind, origin.key.as_str())
    }
    let components = reading.components.iter().map(|row| of(SyncKind::Component, &row.origin));
    let relationships = reading.relationships.iter().map(|row| of(SyncKind::Relationship, &row.origin));
    let processes = reading.processes.iter().map(|row| of(SyncKind::Process, &row.origin));
    let views = reading.views.iter().map(|row| of(SyncKind::View, &row.origin));
    components.chain(relationships).chain(processes).chain(views)
}

/// The rules for the fields of a row.
#[derive(Debug, Clone, Copy)]
pub(in crate::domain) struct Rules<'r> {
    row: Option<&'r RowDecisions>,
    policy: Option<&'r SyncPolicy>,
    otherwise: Option<SyncPreference>,
}

impl<'r> Rules<'r> {
    /// The rules for a row of the map that has these keys, each with the index of its source. The first decision counts.
    pub(in crate::domain) fn new(
        resolutions: &'r Resolutions,
        policy: Option<&'r SyncPolicy>,
        otherwise: Option<SyncPreference>,
        kind: SyncKind,
        keys: impl IntoIterator<Item = (usize, &'r str)>,
    ) -> Self {
        let mut keys = keys.into_iter();
        let decided = |(source, key): (usize, &str)| resolutions.0.get(&(source, kind, key.to_owned()));
        let row = if resolutions.0.is_empty() { None } else { keys.find_map(decided) };
        Self { row, policy, otherwise }
    }

    /// What the request says about a field of this row or of all rows, if anything.
    pub(in crate::domain) fn requested(&self, field: &str) -> Option<SyncPreference> {
        let decided = self.row.and_then(|row| row.fields.get(field).copied().or(row.row));
        decided.or_else(|| self.policy?.requested(field))
    }

    /// The rule for a field that both sides have changed.
    pub(in crate::domain) fn of(&self, field: &str) -> SyncPreference {
        let default = match field {
            "description" | "lifecycle" => SyncPreference::Map,
            _ => SyncPreference::Source,
        };
        self.requested(field).or(self.otherwise).unwrap_or(default)
    }
}

impl<'r> From<&'r SyncPolicy> for Rules<'r> {
    fn from(policy: &'r SyncPolicy) -> Self {
        Self { row: None, policy: Some(policy), otherwise: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules<'r>(row: &'r RowDecisions, policy: &'r SyncPolicy, otherwise: Option<SyncPreference>) -> Rules<'r> {
        Rules { row: Some(row), policy: Some(policy), otherwise }
    }

    #[test]
    fn field_row_policy_and_default_decide_in_this_order() {
        let policy = SyncPolicy { tags: Some(SyncPreference::Ask), ..SyncPolicy::default() };
        let mut row = RowDecisions::default();
        assert_eq!(rules(&row, &policy, None).of("name"), SyncPreference::Source);
        assert_eq!(rules(&row, &policy, None).of("description"), SyncPreference::Map);
        assert_eq!(rules(&row, &policy, Some(SyncPreference::Map)).of("name"), SyncPreference::Map);
        assert_eq!(rules(&row, &policy, Some(SyncPreference::Map)).of("tags"), SyncPreference::Ask);
        row.row = Some(SyncPreference::Source);
        assert_eq!(rules(&row, &policy, Some(SyncPreference::Map)).of("tags"), SyncPreference::Source);
        row.fields.insert("tags".into(), SyncPreference::Map);
        assert_eq!(rules(&row, &policy, None).of("tags"), SyncPreference::Map);
        assert_eq!(rules(&row, &policy, None).of("name"), SyncPreference::Source);
    }
}
