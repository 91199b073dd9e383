//! Tests of the merge.

use std::collections::{BTreeMap, HashMap};

use serde_json::json;

use super::{
    merged::ConflictKind,
    rows::{Fields, RowId, Side, Triple, Unchanged, fields_of, json_of, references},
    three_way::{Decisions, Merge},
};
use crate::domain::core::Entity;

impl std::ops::Index<&str> for Fields {
    type Output = serde_json::Value;

    fn index(&self, name: &str) -> &serde_json::Value {
        self.get(name).unwrap()
    }
}

pub(super) fn fields(value: serde_json::Value) -> Option<Fields> {
    value.as_object().cloned().map(fields_of)
}

pub(super) fn component(id: &str) -> RowId {
    (Entity::Component, id.into())
}

pub(super) fn relationship(id: &str) -> RowId {
    (Entity::Relationship, id.into())
}

/// Merges three maps.
pub(super) fn merge(branch: &Map, base: &Map, draft: &Map, decisions: &Decisions) -> Merge {
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

/// The rows of a map.
pub(super) type Map = BTreeMap<RowId, Fields>;

/// What a merge makes of the base.
pub(super) fn result(base: &Map, merge: &Merge) -> Map {
    let mut result = base.clone();
    for (id, row) in &merge.rows {
        match &row.result {
            Some(fields) => drop(result.insert(id.clone(), fields.clone())),
            None => drop(result.remove(id)),
        }
    }
    result
}

/// Whether a map has all rows that its rows need, and at most one parent of each component, without cycles.
pub(super) fn is_valid(map: &Map) -> bool {
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

/// Deletes a row with the rows that need it.
pub(super) fn delete(map: &mut Map, id: &RowId) {
    map.remove(id);
    while let Some(id) = map.iter().find_map(|(id, row)| {
        let is_incomplete = references(id.0, row).iter().any(|needed| !map.contains_key(needed));
        is_incomplete.then(|| id.clone())
    }) {
        map.remove(&id);
    }
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
fn a_component_that_a_decision_keeps_keeps_what_was_deleted_with_it() {
    let mut branch = shop();
    let attached = [
        ((Entity::Link, "1".to_owned()), json!({ "id": 1, "componentId": "shop", "url": "https://example.org" })),
        ((Entity::Stakeholder, "1".to_owned()), json!({ "id": 1, "componentId": "shop", "personId": "ada" })),
        ((Entity::View, "v".to_owned()), json!({ "id": "v" })),
        ((Entity::ViewPlace, "v/shop".to_owned()), json!({ "viewId": "v", "componentId": "shop" })),
        ((Entity::ViewLine, "v/a".to_owned()), json!({ "viewId": "v", "relationshipId": "a" })),
    ];
    branch.extend(attached.map(|(id, row)| (id, fields(row).unwrap())));
    let mut deleted = branch.clone();
    delete(&mut deleted, &component("shop"));
    assert_eq!(deleted.len(), branch.len() - 6);
    let mut renamed = branch.clone();
    set(&mut renamed, &component("shop"), "name", json!("Store"));
    let mut used = branch.clone();
    let row = json!({ "id": "new", "sourceId": "mail", "targetId": "shop", "typeId": "calls" });
    used.insert(relationship("new"), fields(row).unwrap());
    for kept in [renamed, used] {
        for side in [Side::Base, Side::Draft] {
            let (base, draft) = if side == Side::Base { (&kept, &deleted) } else { (&deleted, &kept) };
            let decisions =
                Decisions { rows: HashMap::from([(component("shop"), side)]), otherwise: None, ..Decisions::default() };
            let merged = merge(&branch, base, draft, &decisions);
            assert_eq!(merged.open().count(), 0);
            assert_eq!(result(base, &merged), kept);
        }
    }
}

#[test]
fn a_part_of_a_group_that_a_decision_keeps_has_one_parent() {
    let contains = |id: &str, source: &str| {
        let row = json!({ "id": id, "sourceId": source, "targetId": "pay", "typeId": "contains" });
        (relationship(id), fields(row).unwrap())
    };
    let mut branch = shop();
    branch.extend([contains("in-shop", "shop")]);
    let mut kept = branch.clone();
    set(&mut kept, &component("shop"), "name", json!("Store"));
    let mut moved = branch.clone();
    delete(&mut moved, &component("shop"));
    moved.extend([contains("in-mail", "mail")]);
    for (base, draft) in [(&kept, &moved), (&moved, &kept)] {
        for otherwise in [Side::Base, Side::Draft] {
            let side = if base == &kept { Side::Base } else { Side::Draft };
            let rows = HashMap::from([(component("shop"), side)]);
            // The shop is kept, which makes its part a conflict of its own.
            let open = merge(&branch, base, draft, &Decisions { rows: rows.clone(), ..Decisions::default() });
            let conflicts: Vec<_> = open.open().map(|(_, row)| row.conflict.unwrap()).collect();
            assert_eq!(conflicts, [ConflictKind::Structure]);
            let decisions = Decisions { rows, otherwise: Some(otherwise), ..Decisions::default() };
            let merged = merge(&branch, base, draft, &decisions);
            let after = result(base, &merged);
            assert!(is_valid(&after) && after.contains_key(&component("shop")));
            let expected = if otherwise == side { "in-shop" } else { "in-mail" };
            assert!(after.contains_key(&relationship(expected)), "{side:?} {otherwise:?} {after:?}");
        }
    }
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
fn each_row_of_a_cycle_follows_its_own_decision() {
    let contains = |id: &str, source: &str, target: &str| {
        let row = json!({ "id": id, "sourceId": source, "targetId": target, "typeId": "contains" });
        (relationship(id), fields(row).unwrap())
    };
    // The base puts `pay` into `shop`, the draft `shop` into `mail` and `mail` into `pay`.
    let (branch, mut base, mut draft) = (shop(), shop(), shop());
    base.extend([contains("c1", "shop", "pay")]);
    draft.extend([contains("r1", "mail", "shop"), contains("r2", "pay", "mail")]);
    for (one, other) in [("r1", "r2"), ("r2", "r1")] {
        let rows = HashMap::from([(relationship(one), Side::Draft), (relationship(other), Side::Base)]);
        let merged = merge(&branch, &base, &draft, &Decisions { rows, ..Decisions::default() });
        assert_eq!(merged.open().count(), 0);
        let after = result(&base, &merged);
        let kept = |id: &str| after.contains_key(&relationship(id));
        assert_eq!((kept(one), kept(other), kept("c1")), (true, false, true), "{one}");
    }
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
