//! Tests of the merge.

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;
use serde_json::json;

use super::{
    merged::ConflictKind,
    rows::{Fields, RowId, Side, Triple, Unchanged, fields_of, json_of, references},
    three_way::{Decisions, Merge},
};
use crate::domain::core::Entity;

fn fields(value: serde_json::Value) -> Option<Fields> {
    value.as_object().cloned().map(fields_of)
}

fn component(id: &str) -> RowId {
    (Entity::Component, id.into())
}

fn relationship(id: &str) -> RowId {
    (Entity::Relationship, id.into())
}

/// Merges three maps.
fn merge(branch: &Map, base: &Map, draft: &Map, decisions: &Decisions) -> Merge {
    let (mut changed, mut unchanged) = (BTreeMap::new(), Unchanged::default());
    let ids = branch.keys().chain(base.keys()).chain(draft.keys());
    for id in ids {
        let of = |map: &Map| map.get(id).cloned();
        let states = Triple { branch: of(branch), base: of(base), draft: of(draft) };
        if states.branch == states.base && states.branch == states.draft {
            let row = states.branch.clone().unwrap_or_default();
            unchanged.keys.insert(id.clone());
            if id.0 == Entity::Relationship && row.get("typeId") == Some(&json!("contains")) {
                let text = |name: &str| row.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
                unchanged.parents.entry(text("targetId")).or_default().push((id.1.clone(), text("sourceId")));
            }
        } else {
            changed.insert(id.clone(), states);
        }
    }
    Merge::new(changed, &unchanged, decisions)
}

type Map = BTreeMap<RowId, Fields>;

/// What a merge makes of the base.
fn result(base: &Map, merge: &Merge) -> Map {
    let mut result = base.clone();
    for (id, row) in &merge.rows {
        match &row.result {
            Some(fields) => drop(result.insert(id.clone(), fields.clone())),
            None => drop(result.remove(id)),
        }
    }
    result
}

fn shop() -> Map {
    let rows = [
        (component("shop"), json!({ "id": "shop", "name": "Shop", "properties": { "tier": 1, "cost": 5 } })),
        (component("pay"), json!({ "id": "pay", "name": "Pay", "x": 1.0, "y": 2.0 })),
        (component("mail"), json!({ "id": "mail", "name": "Mail" })),
        (relationship("a"), json!({ "id": "a", "sourceId": "shop", "targetId": "pay", "typeId": "calls" })),
    ];
    rows.into_iter().map(|(id, row)| (id, fields(row).unwrap())).collect()
}

fn set(map: &mut Map, id: &RowId, field: &str, value: serde_json::Value) {
    map.get_mut(id).unwrap().insert(field.into(), value);
}

#[test]
fn fields_are_read_and_written_without_loss() {
    let row = json!({ "id": "a", "name": "A", "properties": { "x": 1, "y.z": null, "list": [1, 2] } });
    let read = fields(row).unwrap();
    assert_eq!(read["properties.x"], json!(1));
    assert_eq!(json_of(&read)["properties"], json!({ "x": 1, "y.z": null, "list": [1, 2] }));
}

#[test]
fn changes_of_different_fields_are_both_kept() {
    let (branch, mut base, mut draft) = (shop(), shop(), shop());
    set(&mut base, &component("shop"), "name", json!("Store"));
    set(&mut draft, &component("shop"), "properties.tier", json!(2));
    let merged = merge(&branch, &base, &draft, &Decisions::default());
    assert_eq!(merged.open().count(), 0);
    let row = &result(&base, &merged)[&component("shop")];
    assert_eq!((&row["name"], &row["properties.tier"]), (&json!("Store"), &json!(2)));
}

#[test]
fn a_field_that_both_have_changed_is_decided() {
    let (branch, mut base, mut draft) = (shop(), shop(), shop());
    set(&mut base, &component("shop"), "name", json!("Store"));
    set(&mut draft, &component("shop"), "name", json!("Market"));
    set(&mut draft, &component("shop"), "properties.cost", json!(6));
    let merged = merge(&branch, &base, &draft, &Decisions::default());
    let open: Vec<_> = merged.open().map(|(id, row)| (id.1.clone(), row.conflict)).collect();
    assert_eq!(open, [("shop".to_owned(), Some(ConflictKind::Fields))]);
    for (side, name) in [(Side::Base, "Store"), (Side::Draft, "Market")] {
        let field = HashMap::from([((component("shop"), "name".to_owned()), side)]);
        let decisions = Decisions { fields: field, ..Decisions::default() };
        let merged = merge(&branch, &base, &draft, &decisions);
        assert_eq!(merged.open().count(), 0);
        let row = &result(&base, &merged)[&component("shop")];
        assert_eq!((&row["name"], &row["properties.cost"]), (&json!(name), &json!(6)));
    }
}

#[test]
fn a_row_that_one_has_deleted_and_the_other_has_changed_is_decided() {
    let (branch, mut base, mut draft) = (shop(), shop(), shop());
    base.remove(&component("mail"));
    set(&mut draft, &component("mail"), "name", json!("Post"));
    let open = merge(&branch, &base, &draft, &Decisions::default());
    assert_eq!(open.open().next().unwrap().1.conflict, Some(ConflictKind::Removed));
    let decided = |side| Decisions { otherwise: Some(side), ..Decisions::default() };
    let merged = merge(&branch, &base, &draft, &decided(Side::Base));
    assert!(!result(&base, &merged).contains_key(&component("mail")));
    let merged = merge(&branch, &base, &draft, &decided(Side::Draft));
    assert_eq!(result(&base, &merged)[&component("mail")]["name"], json!("Post"));
}

#[test]
fn a_row_that_one_has_deleted_and_the_other_needs_is_decided_once() {
    let (branch, mut base, mut draft) = (shop(), shop(), shop());
    base.remove(&component("mail"));
    for id in ["m", "n"] {
        let row = json!({ "id": id, "sourceId": "shop", "targetId": "mail", "typeId": "calls" });
        draft.insert(relationship(id), fields(row).unwrap());
    }
    let open = merge(&branch, &base, &draft, &Decisions::default());
    let conflicts: Vec<_> = open.open().map(|(id, row)| (id.clone(), row.conflict.unwrap())).collect();
    assert_eq!(conflicts, [(component("mail"), ConflictKind::Reference)]);
    let decided =
        |side| Decisions { rows: HashMap::from([(component("mail"), side)]), otherwise: None, ..Decisions::default() };
    let merged = merge(&branch, &base, &draft, &decided(Side::Base));
    assert_eq!(merged.open().count(), 0);
    assert_eq!(result(&base, &merged), base);
    let merged = merge(&branch, &base, &draft, &decided(Side::Draft));
    assert_eq!(merged.open().count(), 0);
    assert_eq!(result(&base, &merged), draft);
}

#[test]
fn a_component_that_both_move_into_other_groups_is_decided() {
    let (branch, mut base, mut draft) = (shop(), shop(), shop());
    let contains = |id: &str, source: &str, target: &str| {
        let row = json!({ "id": id, "sourceId": source, "targetId": target, "typeId": "contains" });
        (relationship(id), fields(row).unwrap())
    };
    base.extend([contains("c1", "shop", "pay")]);
    draft.extend([contains("c2", "mail", "pay")]);
    let open = merge(&branch, &base, &draft, &Decisions::default());
    let conflicts: Vec<_> = open.open().map(|(id, row)| (id.clone(), row.conflict.unwrap())).collect();
    assert_eq!(conflicts, [(relationship("c2"), ConflictKind::Structure)]);
    let decided = |side| Decisions { otherwise: Some(side), ..Decisions::default() };
    assert_eq!(result(&base, &merge(&branch, &base, &draft, &decided(Side::Base))), base);
    assert_eq!(result(&base, &merge(&branch, &base, &draft, &decided(Side::Draft))), draft);
    // A cycle: the base puts `pay` into `shop`, the draft `shop` into `pay`.
    let mut draft = shop();
    draft.extend([contains("c3", "pay", "shop")]);
    let open = merge(&branch, &base, &draft, &Decisions::default());
    assert_eq!(open.open().next().unwrap().0, &relationship("c3"));
    assert_eq!(result(&base, &merge(&branch, &base, &draft, &decided(Side::Base))), base);
    assert_eq!(result(&base, &merge(&branch, &base, &draft, &decided(Side::Draft))), draft);
}

#[test]
fn decisions_of_a_draft_give_way_to_the_numbers_of_the_base() {
    let decision = |id: &str, number: i64| {
        let row = json!({ "id": id, "title": "T", "number": number });
        ((Entity::Decision, id.to_owned()), fields(row).unwrap())
    };
    let branch: Map = [decision("a", 1), decision("b", 2)].into_iter().collect();
    let (mut base, mut draft) = (branch.clone(), branch.clone());
    // Both added a decision with the number 3, and the draft swapped the numbers of the others.
    base.extend([decision("by-base", 3)]);
    draft.extend([decision("a", 2), decision("b", 1), decision("by-draft", 3)]);
    let merged = merge(&branch, &base, &draft, &Decisions::default());
    assert_eq!(merged.open().count(), 0);
    let after = result(&base, &merged);
    let numbers: Vec<_> = after.iter().map(|(id, row)| (id.1.as_str(), row["number"].as_i64().unwrap())).collect();
    assert_eq!(numbers, [("a", 2), ("b", 1), ("by-base", 3), ("by-draft", 4)]);
}

/// An edit of a map with components `c0` to `c3`, as the API allows it.
#[derive(Debug, Clone)]
enum Edit {
    Put(usize, &'static str, u8),
    Delete(usize),
    Relate(usize, usize, bool),
    Unrelate(usize),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        4 => (0..4_usize, prop::sample::select(&["name", "x", "seq"][..]), 0..3_u8).prop_map(|(at, f, v)| Edit::Put(at, f, v)),
        1 => (0..4_usize).prop_map(Edit::Delete),
        3 => (0..4_usize, 0..4_usize, any::<bool>()).prop_map(|(a, b, contains)| Edit::Relate(a, b, contains)),
        1 => (0..32_usize).prop_map(Edit::Unrelate),
    ];
    prop::collection::vec(edit, 0..8)
}

/// Whether a map has all rows that its rows need, and at most one parent of each component, without cycles.
fn is_valid(map: &Map) -> bool {
    let has_ends = map.iter().all(|(id, row)| references(id.0, row).iter().all(|needed| map.contains_key(needed)));
    let mut parent: HashMap<&str, &str> = HashMap::new();
    for row in map.values().filter(|row| row.get("typeId") == Some(&json!("contains"))) {
        if parent.insert(row["targetId"].as_str().unwrap(), row["sourceId"].as_str().unwrap()).is_some() {
            return false;
        }
    }
    let ends = |start: &&str| {
        let mut at = *start;
        (0..=parent.len()).any(|_| match parent.get(at) {
            Some(up) => {
                at = up;
                false
            }
            None => true,
        })
    };
    has_ends && parent.keys().all(ends)
}

fn apply(map: &Map, edits: &[Edit]) -> Map {
    let mut map = map.clone();
    for edit in edits {
        let mut next = map.clone();
        let name = |at: &usize| format!("c{at}");
        match edit {
            Edit::Put(at, field, value) => {
                let row =
                    next.entry(component(&name(at))).or_insert_with(|| fields(json!({ "id": name(at) })).unwrap());
                row.insert((*field).into(), json!(value));
            }
            Edit::Delete(at) => {
                let id = component(&name(at));
                next.retain(|other, row| *other != id && !references(other.0, row).contains(&id));
            }
            Edit::Relate(a, b, contains) => {
                let id = format!("r{a}{b}{}", u8::from(*contains));
                let kind = if *contains { "contains" } else { "calls" };
                let row = json!({ "id": id, "sourceId": name(a), "targetId": name(b), "typeId": kind });
                next.insert(relationship(&id), fields(row).unwrap());
            }
            Edit::Unrelate(at) => {
                let id = relationship(&format!("r{}{}{}", at / 8, at / 2 % 4, at % 2));
                next.remove(&id);
            }
        }
        // The API refuses what would make the map invalid.
        if is_valid(&next) {
            map = next;
        }
    }
    map
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_is_lost_that_neither_side_has_deleted(
        start in edits(), ours in edits(), theirs in edits(), otherwise in any::<bool>()
    ) {
        let branch = apply(&Map::new(), &start);
        let (base, draft) = (apply(&branch, &ours), apply(&branch, &theirs));
        let open = merge(&branch, &base, &draft, &Decisions::default());
        // Field conflicts are exactly where both have changed a field of a row that both have.
        for (id, row) in &open.rows {
            let both = row.states.base.is_some() && row.states.draft.is_some();
            for field in &row.fields {
                let of = |state: &Option<Fields>| state.as_ref().and_then(|row| row.get(&field.name)).cloned();
                let (was, base, draft) = (of(&row.states.branch), of(&row.states.base), of(&row.states.draft));
                let expected = both && was != base && was != draft && base != draft && field.name != "seq";
                prop_assert_eq!(field.is_conflict, expected, "{:?} {}", id, field.name);
            }
            let has_deleted = row.states.base.is_none() != row.states.draft.is_none() && row.states.branch.is_some();
            let expected = match row.conflict {
                Some(ConflictKind::Fields) => row.fields.iter().any(|field| field.is_conflict),
                Some(ConflictKind::Removed) => has_deleted && row.states.base != row.states.branch && row.states.draft != row.states.branch,
                Some(ConflictKind::Reference) => has_deleted,
                Some(ConflictKind::Structure) => id.0 == Entity::Relationship && row.states.draft != row.states.branch,
                None => !row.fields.iter().any(|field| field.is_conflict),
            };
            prop_assert!(expected, "{:?} {:?}", id, row);
        }
        let side = if otherwise { Side::Draft } else { Side::Base };
        let has_conflicts = open.open().next().is_some();
        let merged = if has_conflicts {
            merge(&branch, &base, &draft, &Decisions { otherwise: Some(side), ..Decisions::default() })
        } else {
            open
        };
        prop_assert_eq!(merged.open().count(), 0);
        let after = result(&base, &merged);
        prop_assert!(is_valid(&after), "{:?}", after);
        if !has_conflicts {
            for (id, row) in base.iter().chain(&draft) {
                let deleted_by = |side: &Map| branch.contains_key(id) && !side.contains_key(id);
                prop_assert!(after.contains_key(id) || deleted_by(&base) || deleted_by(&draft), "{:?} is lost", id);
                let _ = row;
            }
            for (id, row) in &after {
                prop_assert!(base.contains_key(id) || draft.contains_key(id));
                for (field, value) in row {
                    let of = |map: &Map| map.get(id).and_then(|row| row.get(field)) == Some(value);
                    prop_assert!(of(&base) || of(&draft), "{:?}.{} is of no side", id, field);
                }
            }
        }
        // After the merge, the draft adds nothing more, whichever way it is compared.
        let again = merge(&base, &after, &after, &Decisions::default());
        prop_assert!(again.rows.values().all(|row| !row.states.is_changed_by_draft()));
        // The update in the other direction has the same result, and a merge after it has no conflicts.
        let later = merge(&base, &base, &after, &Decisions::default());
        prop_assert_eq!(later.open().count(), 0);
        prop_assert_eq!(result(&base, &later), after);
    }
}
