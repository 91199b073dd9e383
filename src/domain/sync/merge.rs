//! Three-way merge of the fields of a row: as last synced, in the source now, and on the map now. Independent of SQL.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    fields::{IMAGE, untagged},
    model::{
        claims::Fields,
        report::{SyncField, SyncSide},
        request::SyncPreference,
    },
    resolutions::Rules,
};

/// Maximum length of a value in a base, in bytes of JSON. Longer values are replaced by a hash, because a merge only
/// compares them.
const MAX_BASE_BYTES: usize = 256;
/// Maximum length of a text in a report, in characters.
const MAX_SHOWN_CHARS: usize = 300;

impl Fields {
    /// Sets a field. Null, empty texts and empty lists are unset fields.
    pub(in crate::domain) fn set(&mut self, field: impl Into<String>, value: impl Into<Value>) {
        let value = value.into();
        let is_unset = match &value {
            Value::Null => true,
            Value::String(text) => text.is_empty(),
            Value::Array(items) => items.is_empty(),
            _ => false,
        };
        if !is_unset {
            self.0.insert(field.into(), value);
        }
    }

    /// The value of a field.
    pub(in crate::domain) fn get(&self, field: &str) -> Option<&Value> {
        self.0.get(field)
    }

    /// Whether no field is set.
    pub(in crate::domain) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fields to store with a claim.
    pub(in crate::domain) fn base(&self) -> Self {
        Self(self.0.iter().map(|(field, value)| (field.clone(), packed(value))).collect())
    }
}

/// The value, or its hash if it is long.
pub(in crate::domain) fn packed(value: &Value) -> Value {
    let text = value.to_string();
    if text.len() <= MAX_BASE_BYTES {
        return value.clone();
    }
    let hash = Sha256::digest(&text);
    json!({ "sha256": hash.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}")) })
}

/// Whether a value is only the hash of a long value.
pub(in crate::domain) fn is_packed(value: &Value) -> bool {
    value.as_object().is_some_and(|fields| fields.len() == 1 && fields.contains_key("sha256"))
}

/// Whether two values are equal, of which each may be stored as a hash.
pub(in crate::domain) fn is_same(a: Option<&Value>, b: Option<&Value>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b || packed(a) == packed(b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// What the sources of a row say about its fields.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::domain) struct Sources {
    pub(in crate::domain) fields: Fields,
    /// Fields that a source states. The others are inferred.
    pub(in crate::domain) stated: BTreeSet<String>,
}

/// What a merge decided about a row.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::domain) struct Merged {
    /// Fields that take the value of the source.
    pub(in crate::domain) taken: Vec<SyncField>,
    /// Fields that both sides have changed differently.
    pub(in crate::domain) conflicts: Vec<SyncField>,
}

impl Merged {
    /// The new values of the fields that change; null for unset ones.
    pub(in crate::domain) fn changes<'a>(&self, source: &'a Fields) -> Vec<(String, Option<&'a Value>)> {
        let conflicts = self.conflicts.iter().filter(|field| field.taken == SyncSide::Source);
        let all = self.taken.iter().chain(conflicts);
        all.map(|field| (field.field.clone(), source.get(&field.field))).collect()
    }

    /// Forgets decisions about other fields.
    pub(in crate::domain) fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.taken.retain(|field| is_kept(&field.field));
        self.conflicts.retain(|field| is_kept(&field.field));
    }

    /// The fields of a claim to compare with the next time. Open conflicts keep the value that the source had before, so that
    /// the next sync finds them again.
    pub(in crate::domain) fn base(&self, source: &Fields, before: Option<&Fields>) -> Fields {
        let mut base = source.base();
        for conflict in self.conflicts.iter().filter(|conflict| conflict.taken == SyncSide::None) {
            match before.and_then(|before| before.get(&conflict.field)) {
                Some(was) => base.0.insert(conflict.field.clone(), was.clone()),
                None => base.0.remove(&conflict.field),
            };
        }
        base
    }
}

/// Merges the fields of a row that was synced before.
///
/// A field that only one side has changed takes that value. If both have, the rules decide, and an inferred value never
/// replaces one that a user set. Fields that neither the base nor the source has belong to the map.
pub(in crate::domain) fn merge(base: &Fields, source: &Sources, map: &Fields, rules: Rules<'_>) -> Merged {
    let mut merged = Merged::default();
    let names: BTreeSet<&String> = base.0.keys().chain(source.fields.0.keys()).collect();
    for name in names {
        let (was, new, now) = (base.get(name), source.fields.get(name), map.get(name));
        if is_same(new, now) || is_same(was, new) {
            continue;
        }
        // Earlier versions kept tags in this field, so sources of one row could disagree about them.
        if is_same(was, now) || (name == IMAGE && image(was).is_some() && image(was) == image(now)) {
            merged.taken.push(field(name, (was, new, now), SyncSide::Source));
            continue;
        }
        if new.is_some() && !source.stated.contains(name) && rules.requested(name).is_none() {
            continue;
        }
        let taken = match rules.of(name) {
            SyncPreference::Source => SyncSide::Source,
            SyncPreference::Map => SyncSide::Map,
            SyncPreference::Ask => SyncSide::None,
        };
        merged.conflicts.push(field(name, (was, new, now), taken));
    }
    merged
}

/// An image without its tag.
fn image(value: Option<&Value>) -> Option<String> {
    value?.as_str().map(untagged)
}

/// Compares a row of the map that no source had with the row of the source that it becomes. The map takes what it lacks. It
/// keeps what it has, unless the request says otherwise, or the source states another value and the rules prefer the source.
pub(in crate::domain) fn adopt(source: &Sources, map: &Fields, rules: Rules<'_>) -> Merged {
    let mut merged = Merged::default();
    for (name, new) in &source.fields.0 {
        let now = map.get(name);
        if is_same(Some(new), now) {
            continue;
        }
        let is_stated = source.stated.contains(name);
        let taken = match (now, rules.requested(name)) {
            (None, _) | (Some(_), Some(SyncPreference::Source)) => SyncSide::Source,
            (Some(_), None) if is_stated && rules.of(name) == SyncPreference::Source => SyncSide::Source,
            (Some(_), None) if !is_stated => continue,
            (Some(_), _) => SyncSide::Map,
        };
        let row = field(name, (None, Some(new), now), taken);
        match taken {
            SyncSide::Source => merged.taken.push(row),
            _ => merged.conflicts.push(row),
        }
    }
    merged
}

fn field(
    name: &str,
    (base, source, map): (Option<&Value>, Option<&Value>, Option<&Value>),
    taken: SyncSide,
) -> SyncField {
    SyncField { field: name.to_owned(), base: shown(base), source: shown(source), map: shown(map), taken }
}

/// A value for a report.
pub(in crate::domain) fn shown(value: Option<&Value>) -> Value {
    match value {
        None => Value::Null,
        Some(Value::String(text)) if text.len() > MAX_SHOWN_CHARS => {
            let cut: String = text.chars().take(MAX_SHOWN_CHARS).collect();
            if cut.len() < text.len() { format!("{cut}…").into() } else { cut.into() }
        }
        Some(value @ (Value::Array(_) | Value::Object(_))) if value.to_string().len() > 8 * MAX_SHOWN_CHARS => {
            packed(value)
        }
        Some(value) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::sync::model::request::SyncPolicy;

    fn fields(all: &[(&str, &str)]) -> Fields {
        let mut fields = Fields::default();
        for (name, value) in all {
            fields.set(*name, *value);
        }
        fields
    }

    /// A source that states these fields.
    fn stated(fields: &Fields) -> Sources {
        Sources { fields: fields.clone(), stated: fields.0.keys().cloned().collect() }
    }

    fn applied(merged: &Merged, source: &Fields, map: &Fields) -> Fields {
        let mut after = map.clone();
        for (name, value) in merged.changes(source) {
            match value {
                Some(value) => after.0.insert(name, value.clone()),
                None => after.0.remove(&name),
            };
        }
        after
    }

    #[test]
    fn a_change_of_one_side_is_taken_and_a_conflict_follows_the_policy() {
        let base = fields(&[("name", "A"), ("description", "D"), ("type", "service")]);
        let source = fields(&[("name", "B"), ("description", "E"), ("type", "service"), ("technology", "Rust")]);
        let map = fields(&[("name", "A"), ("description", "F"), ("type", "job")]);
        let merged = merge(&base, &stated(&source), &map, (&SyncPolicy::default()).into());
        let names = |of: &[SyncField]| of.iter().map(|field| field.field.clone()).collect::<Vec<_>>();
        assert_eq!(names(&merged.taken), ["name", "technology"]);
        assert_eq!(names(&merged.conflicts), ["description"]);
        assert_eq!(merged.conflicts[0].taken, SyncSide::Map, "descriptions are the map's by default");
        let after = applied(&merged, &source, &map);
        assert_eq!(after, fields(&[("name", "B"), ("description", "F"), ("type", "job"), ("technology", "Rust")]));
    }

    #[test]
    fn an_open_conflict_is_found_again_and_a_decided_one_is_not() {
        let (base, source, map) = (fields(&[("name", "A")]), fields(&[("name", "B")]), fields(&[("name", "C")]));
        let ask = SyncPolicy { name: Some(SyncPreference::Ask), ..SyncPolicy::default() };
        let open = merge(&base, &stated(&source), &map, (&ask).into());
        assert_eq!(open.conflicts[0].taken, SyncSide::None);
        assert_eq!(merge(&open.base(&source, Some(&base)), &stated(&source), &map, (&ask).into()).conflicts.len(), 1);
        let keep = SyncPolicy { name: Some(SyncPreference::Map), ..SyncPolicy::default() };
        let decided = merge(&base, &stated(&source), &map, (&keep).into());
        assert!(
            merge(&decided.base(&source, Some(&base)), &stated(&source), &map, (&keep).into()).conflicts.is_empty()
        );
    }

    #[test]
    fn an_adopted_row_keeps_what_it_has_unless_the_source_states_or_the_request_says_otherwise() {
        let (source, map) = (fields(&[("name", "checkout"), ("technology", "Go")]), fields(&[("name", "Checkout")]));
        let inferred = Sources { fields: source.clone(), stated: BTreeSet::new() };
        let merged = adopt(&inferred, &map, (&SyncPolicy::default()).into());
        assert_eq!(applied(&merged, &source, &map), fields(&[("name", "Checkout"), ("technology", "Go")]));
        assert_eq!(applied(&adopt(&stated(&source), &map, (&SyncPolicy::default()).into()), &source, &map), source);
        let policy = SyncPolicy { name: Some(SyncPreference::Source), ..SyncPolicy::default() };
        assert_eq!(applied(&adopt(&inferred, &map, (&policy).into()), &source, &map), source);
    }

    #[test]
    fn an_inferred_value_never_replaces_one_of_a_user() {
        let (base, source, map) =
            (fields(&[("name", "pay")]), fields(&[("name", "pay-v2")]), fields(&[("name", "Till")]));
        let inferred = Sources { fields: source.clone(), stated: BTreeSet::new() };
        assert_eq!(merge(&base, &inferred, &map, (&SyncPolicy::default()).into()), Merged::default());
        let unchanged = merge(&base, &inferred, &base, (&SyncPolicy::default()).into());
        assert_eq!(applied(&unchanged, &source, &base), source, "the map follows if no user has changed it");
    }

    /// Fields with short and long values.
    fn any_fields() -> impl Strategy<Value = Fields> {
        const NAMES: &[&str] = &["name", "description", "type", "properties.x"];
        let value =
            prop_oneof![Just("a".to_owned()), Just("b".to_owned()), Just("c".repeat(400)), Just("d".repeat(400))];
        proptest::collection::btree_map(proptest::sample::select(NAMES), value, 0..4)
            .prop_map(|all| Fields(all.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()))
    }

    fn any_policy() -> impl Strategy<Value = SyncPolicy> {
        let one = proptest::option::of(proptest::sample::select(SyncPreference::ALL));
        (one.clone(), one.clone(), one).prop_map(|(name, description, properties)| SyncPolicy {
            name,
            description,
            properties,
            ..SyncPolicy::default()
        })
    }

    proptest! {
        #[test]
        fn a_second_merge_changes_nothing(
            base in any_fields(), source in any_fields(), map in any_fields(), policy in any_policy()
        ) {
            let first = merge(&base.base(), &stated(&source), &map, (&policy).into());
            let after = applied(&first, &source, &map);
            let second = merge(&first.base(&source, Some(&base.base())), &stated(&source), &after, (&policy).into());
            prop_assert!(second.taken.is_empty(), "{second:?}");
            prop_assert!(second.conflicts.iter().all(|field| field.taken == SyncSide::None), "{second:?}");
            prop_assert_eq!(applied(&second, &source, &after), after);
        }

        #[test]
        fn what_only_the_map_has_changed_stays(base in any_fields(), map in any_fields(), policy in any_policy()) {
            let merged = merge(&base.base(), &stated(&base), &map, (&policy).into());
            prop_assert_eq!(applied(&merged, &base, &map), map);
        }

        #[test]
        fn what_only_the_source_has_changed_is_taken(
            base in any_fields(), source in any_fields(), policy in any_policy()
        ) {
            let merged = merge(&base.base(), &stated(&source), &base, (&policy).into());
            prop_assert_eq!(applied(&merged, &source, &base), source);
        }
    }
}
