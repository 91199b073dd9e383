//! Overlaps that a write causes: components that are drawn over each other although neither contains the other.

use std::collections::BTreeSet;

use super::{geometry::Rect, nodes::Map, room::Room};
use crate::domain::map::model::overlaps::Overlaps;

/// Maximum number of listed pairs.
const MAX_LISTED: usize = 20;
/// Search ends at this number of pairs.
const MAX_FOUND: usize = 5_000;

/// The pairs that overlap in `after` and did not in `before`. Of nested pairs, only the outermost are listed.
pub(in crate::domain) fn caused(before: &Map, after: &Map) -> Overlaps {
    let earlier = before.rects();
    let rect_before = |at: usize| before.index.get(&after.items[at].id).and_then(|&at| earlier[at]);
    let (entered, left) = spans(after);
    let within = |part: usize, group: usize| entered[group] <= entered[part] && left[part] <= left[group];
    let related = |one: usize, other: usize| within(one, other) || within(other, one);
    let related_before = |one: usize, other: usize| {
        let at = |at: usize| before.index.get(&after.items[at].id).copied();
        at(one).zip(at(other)).is_some_and(|(one, other)| contains(before, one, other) || contains(before, other, one))
    };
    let room = Room::new(after.rects());
    let mut found = BTreeSet::new();
    for (at, is_regrouped) in regrouped(before, after).into_iter().enumerate() {
        let is_affected = |rect: &Rect| is_regrouped || rect_before(at) != Some(*rect);
        let Some(rect) = room.rect(at).filter(is_affected) else { continue };
        room.any(&rect, |other| {
            let overlapped = |one: Rect| rect_before(other).is_some_and(|other| one.overlaps(&other));
            let is_old = rect_before(at).is_some_and(overlapped) && !related_before(at, other);
            if !related(at, other) && !is_old {
                found.insert((at.min(other), at.max(other)));
            }
            found.len() >= MAX_FOUND
        });
    }
    let is_inner = |&(one, other): &(usize, usize)| {
        let pair = |one: Option<usize>, other: Option<usize>| {
            one.zip(other).is_some_and(|(one, other)| found.contains(&(one.min(other), one.max(other))))
        };
        pair(after.parent[one], Some(other)) || pair(Some(one), after.parent[other])
    };
    let outer: Vec<_> = found.iter().filter(|pair| !is_inner(pair)).collect();
    let id = |at: usize| after.items[at].id.clone();
    let pairs = outer.iter().take(MAX_LISTED).map(|(one, other)| (id(*one), id(*other))).collect();
    Overlaps { pairs, count: outer.len() }
}

/// Which items are in other groups than before: they can be drawn over their former groups without being moved.
fn regrouped(before: &Map, after: &Map) -> Vec<bool> {
    let id = |map: &Map, at: Option<usize>| at.map(|at| map.items[at].id.clone());
    let mut regrouped = vec![false; after.len()];
    for at in after.all() {
        let earlier = before.index.get(&after.items[at].id).and_then(|&at| id(before, before.parent[at]));
        let parent = after.parent[at];
        regrouped[at] = parent.is_some_and(|parent| regrouped[parent]) || id(after, parent) != earlier;
    }
    regrouped
}

fn contains(map: &Map, group: usize, mut part: usize) -> bool {
    while let Some(parent) = map.parent[part] {
        if parent == group {
            return true;
        }
        part = parent;
    }
    false
}

/// For each item, numbers that enclose those of everything in it.
fn spans(map: &Map) -> (Vec<usize>, Vec<usize>) {
    let order = map.all();
    let mut entered = vec![0; map.len()];
    for (number, at) in order.iter().enumerate() {
        entered[*at] = number;
    }
    let mut left = entered.clone();
    for at in order.into_iter().rev() {
        if let Some(parent) = map.parent[at] {
            left[parent] = left[parent].max(left[at]);
        }
    }
    (entered, left)
}

#[cfg(test)]
mod tests {
    use super::{super::nodes::testing::map, *};

    fn pairs(found: &Overlaps) -> Vec<(&str, &str)> {
        found.pairs.iter().map(|(one, other)| (one.as_str(), other.as_str())).collect()
    }

    #[test]
    fn only_new_overlaps_of_the_outermost_are_reported() {
        let items = [
            ("g", Some((0.0, 0.0))),
            ("a", Some((20.0, 60.0))),
            ("b", Some((400.0, 60.0))),
            ("c", Some((410.0, 70.0))),
        ];
        let before = map(&items, &[("g", "a")], &[]);
        assert_eq!(caused(&before, &before), Overlaps::default());
        let after = map(&items, &[("g", "a"), ("g", "c")], &[]);
        assert_eq!(pairs(&caused(&before, &after)), [("g", "b")], "`b` and `c` overlapped before");
        let alone = map(&[], &[], &[]);
        assert_eq!(pairs(&caused(&alone, &after)), [("g", "b")]);
        assert_eq!(pairs(&caused(&alone, &before)), [("b", "c")]);
    }

    #[test]
    fn parts_that_leave_their_group_can_overlap_it() {
        let items = [("g", Some((0.0, 0.0))), ("a", Some((20.0, 60.0))), ("b", Some((20.0, 160.0)))];
        let before = map(&items, &[("g", "a"), ("g", "b")], &[]);
        let moved = [("g", Some((0.0, 0.0))), ("a", Some((20.0, 60.0))), ("b", Some((30.0, 70.0)))];
        assert_eq!(pairs(&caused(&before, &map(&moved, &[("g", "a")], &[]))), [("g", "b")]);
    }

    #[test]
    fn a_part_that_changes_its_group_without_being_moved_can_overlap_the_former_one() {
        // The groups overlap before and after.
        let items = [
            ("g", Some((0.0, 0.0))),
            ("a", Some((20.0, 60.0))),
            ("b", Some((20.0, 160.0))),
            ("c", Some((20.0, 260.0))),
            ("h", Some((0.0, 120.0))),
            ("d", Some((20.0, 180.0))),
        ];
        let before = map(&items, &[("g", "a"), ("g", "b"), ("g", "c"), ("h", "d")], &[]);
        let after = map(&items, &[("g", "a"), ("h", "b"), ("g", "c"), ("h", "d")], &[]);
        assert_eq!(before.rects()[0], after.rects()[0]);
        assert_eq!(pairs(&caused(&before, &after)), [("g", "b")]);
    }

    #[test]
    fn many_overlaps_are_counted() {
        let ids: Vec<String> = (0..30).map(|n| format!("c{n}")).collect();
        let items: Vec<_> = ids.iter().map(|id| (id.as_str(), Some((0.0, 0.0)))).collect();
        let found = caused(&map(&[], &[], &[]), &map(&items, &[], &[]));
        assert_eq!((found.pairs.len(), found.count), (20, 435));
    }
}
