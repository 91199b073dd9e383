//! Properties of the merge of arbitrary edits, with arbitrary decisions.

use proptest::prelude::*;
use serde_json::json;

use super::{
    merged::ConflictKind,
    rows::{Fields, Side, references},
    tests::{Map, component, delete, fields, is_valid, merge, relationship, result},
    three_way::Decisions,
};
use crate::domain::core::Entity;

/// An edit of a map with components `c0` to `c3`, as the API allows it.
#[derive(Debug, Clone)]
enum Edit {
    Put(usize, &'static str, u8),
    Delete(usize),
    Relate(usize, usize, bool),
    Unrelate(usize),
    Attach(usize),
    Show(usize),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        4 => (0..4_usize, prop::sample::select(&["name", "x", "seq"][..]), 0..3_u8).prop_map(|(at, f, v)| Edit::Put(at, f, v)),
        1 => (0..4_usize).prop_map(Edit::Delete),
        3 => (0..4_usize, 0..4_usize, any::<bool>()).prop_map(|(a, b, contains)| Edit::Relate(a, b, contains)),
        1 => (0..32_usize).prop_map(Edit::Unrelate),
        1 => (0..4_usize).prop_map(Edit::Attach),
        1 => (0..32_usize).prop_map(Edit::Show),
    ];
    prop::collection::vec(edit, 0..8)
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
                delete(&mut next, &component(&name(at)));
            }
            Edit::Relate(a, b, contains) => {
                let id = format!("r{a}{b}{}", u8::from(*contains));
                let kind = if *contains { "contains" } else { "calls" };
                let row = json!({ "id": id, "sourceId": name(a), "targetId": name(b), "typeId": kind });
                next.insert(relationship(&id), fields(row).unwrap());
            }
            Edit::Unrelate(at) => {
                delete(&mut next, &relationship(&format!("r{}{}{}", at / 8, at / 2 % 4, at % 2)));
            }
            Edit::Attach(at) => {
                let row = json!({ "id": at, "componentId": name(at) });
                next.insert((Entity::Link, at.to_string()), fields(row).unwrap());
            }
            Edit::Show(at) => {
                let shown = format!("r{}{}{}", at / 8, at / 2 % 4, at % 2);
                let line = json!({ "viewId": "v", "relationshipId": shown });
                next.insert((Entity::View, "v".into()), fields(json!({ "id": "v" })).unwrap());
                next.insert((Entity::ViewLine, format!("v/{shown}")), fields(line).unwrap());
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
        start in edits(), ours in edits(), theirs in edits(), choices in prop::array::uniform4(any::<Option<bool>>()),
        otherwise in any::<bool>()
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
                let expected = both && was != base && was != draft && base != draft && &*field.name != "seq";
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
        let side = |is_draft| if is_draft { Side::Draft } else { Side::Base };
        let has_conflicts = open.open().next().is_some();
        let merged = if has_conflicts {
            let ids = open.open().map(|(id, _)| id.clone()).chain((0..choices.len()).map(|at| component(&format!("c{at}"))));
            let chosen = ids.zip(choices.into_iter().cycle());
            let rows = chosen.filter_map(|(id, is_draft)| Some((id, side(is_draft?)))).collect();
            merge(&branch, &base, &draft, &Decisions { rows, otherwise: Some(side(otherwise)), ..Decisions::default() })
        } else {
            open
        };
        prop_assert_eq!(merged.open().count(), 0);
        let after = result(&base, &merged);
        prop_assert!(is_valid(&after), "{:?}", after);
        for (id, row) in base.iter().chain(&draft).filter(|(id, _)| !after.contains_key(id)) {
            let needed = references(id.0, row);
            let has_all = needed.iter().all(|needed| after.contains_key(needed));
            let is_decided = merged.rows.get(id).is_some_and(|row| row.conflict.is_some() || row.decided.is_some());
            let deleted_by = |side: &Map| branch.contains_key(id) && !side.contains_key(id);
            let is_kept = |side: &Map| deleted_by(side) && needed.iter().any(|needed| !side.contains_key(needed));
            // What was deleted with a row that is kept exists, too.
            let is_lost = if deleted_by(&base) || deleted_by(&draft) { is_kept(&base) || is_kept(&draft) } else { true };
            prop_assert!(!(is_lost && has_all) || is_decided, "{:?} is lost", id);
        }
        if !has_conflicts {
            for (id, row) in &after {
                prop_assert!(base.contains_key(id) || draft.contains_key(id));
                for (field, value) in row.iter() {
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
