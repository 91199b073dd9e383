//! Places of new components on maps that people arranged.

use proptest::prelude::*;

use super::{
    geometry::{Point, Rect, card_size},
    nodes::{Item, Map, testing::map},
    overlaps::caused,
    placing::{place, rearrange},
};

fn placed(items: &[(&str, Option<Point>)], contains: &[(&str, &str)], lines: &[(&str, &str)]) -> (Map, Map) {
    let before = map(items, contains, lines);
    let mut after = before.clone();
    place(&mut after, None);
    (before, after)
}

/// The pairs that overlap only because of the placement.
fn new_overlaps(before: &Map, after: &Map) -> Vec<(String, String)> {
    caused(before, after).pairs
}

fn at(map: &Map, id: &str) -> Point {
    map.position(id).unwrap()
}

fn rect(map: &Map, id: &str) -> Rect {
    map.rects()[map.index[id]].unwrap()
}

#[test]
fn components_without_relationships_are_placed_in_rows() {
    let items = [("a", Some((0.0, 0.0))), ("b", None), ("c", None), ("d", None), ("e", None), ("f", None), ("g", None)];
    let (_, after) = placed(&items, &[], &[]);
    assert_eq!((at(&after, "b"), at(&after, "f"), at(&after, "g")), ((240.0, 0.0), (1_200.0, 0.0), (0.0, 160.0)));
}

#[test]
fn a_part_goes_to_a_free_cell_of_its_group() {
    let items = [
        ("g", Some((0.0, 0.0))),
        ("a", Some((20.0, 60.0))),
        ("b", Some((280.0, 60.0))),
        ("c", Some((20.0, 220.0))),
        ("new", None),
    ];
    let (before, after) = placed(&items, &[("g", "a"), ("g", "b"), ("g", "c"), ("g", "new")], &[]);
    assert_eq!(at(&after, "new"), (280.0, 220.0));
    assert_eq!(rect(&before, "g"), rect(&after, "g"));
}

#[test]
fn a_full_group_grows_only_into_free_room() {
    let base = [("g", Some((0.0, 0.0))), ("a", Some((20.0, 60.0))), ("new", None)];
    let contains = [("g", "a"), ("g", "new")];
    let grow = |other: Option<Point>| {
        let items = [base[0], base[1], ("other", other.or(Some((9_000.0, 0.0)))), base[2]];
        let (before, after) = placed(&items, &contains, &[]);
        assert_eq!(new_overlaps(&before, &after), []);
        at(&after, "new")
    };
    assert_eq!(grow(None), (260.0, 60.0));
    assert_eq!(grow(Some((300.0, 60.0))), (20.0, 200.0), "something is to the right");
    assert_eq!(grow(Some((20.0, 200.0))), (260.0, 60.0), "something is below");
}

#[test]
fn overlaps_are_reported_if_there_is_no_room() {
    let mut items = vec![("g".to_owned(), Some((0.0, 0.0))), ("a".to_owned(), Some((0.0, 0.0)))];
    for x in -12..=12_i32 {
        for y in -16..=16_i32 {
            if (x, y) != (0, 0) {
                let at = (f64::from(x) * 230.0, f64::from(y) * 170.0);
                items.push((format!("{x} {y}"), Some(at)));
            }
        }
    }
    items.push(("new".to_owned(), None));
    let items: Vec<_> = items.iter().map(|(id, at)| (id.as_str(), *at)).collect();
    let (before, after) = placed(&items, &[("g", "a"), ("g", "new")], &[]);
    let found = new_overlaps(&before, &after);
    assert!(!found.is_empty() && found.iter().all(|(group, _)| group == "g"), "{found:?}");
    assert!(found.len() < 12, "few are covered: {found:?}");
}

#[test]
fn a_component_goes_beside_the_neighbor_with_most_relationships() {
    let items = [("a", Some((0.0, 0.0))), ("far", Some((2_000.0, 1_000.0))), ("new", None)];
    let (_, after) = placed(&items, &[], &[("far", "new"), ("far", "new"), ("a", "new")]);
    assert_eq!(at(&after, "new"), (2_260.0, 1_000.0), "on the right, because the lines lead to it");
    let (_, after) = placed(&items, &[], &[("new", "far")]);
    assert_eq!(at(&after, "new"), (1_740.0, 1_000.0));
}

#[test]
fn a_component_does_not_go_into_a_group_that_does_not_contain_it() {
    let items = [("g", Some((0.0, 0.0))), ("a", Some((20.0, 60.0))), ("b", Some((800.0, 700.0))), ("new", None)];
    let (before, after) = placed(&items, &[("g", "a"), ("g", "b")], &[("a", "new")]);
    assert!(!rect(&after, "g").overlaps(&rect(&after, "new")));
    assert_eq!(new_overlaps(&before, &after), []);
}

#[test]
fn the_first_parts_of_a_card_make_it_a_group_in_its_place() {
    let items = [("g", Some((100.0, 100.0))), ("a", None), ("b", None), ("c", None)];
    let (_, after) = placed(&items, &[("g", "a"), ("g", "b"), ("g", "c")], &[("a", "b"), ("b", "c")]);
    assert_eq!((at(&after, "a"), at(&after, "b"), at(&after, "c")), ((120.0, 160.0), (400.0, 160.0), (680.0, 160.0)));
    assert_eq!(rect(&after, "g").corner(), (100.0, 100.0));
}

#[test]
fn new_groups_with_their_parts_are_arranged_together() {
    let items = [("core", None), ("edge", None), ("a", None), ("b", None), ("c", None), ("d", None), ("e", None)];
    let contains = [("core", "c"), ("core", "d"), ("edge", "a"), ("edge", "b")];
    let (before, after) = placed(&items, &contains, &[("a", "c"), ("b", "c"), ("c", "d"), ("d", "e")]);
    assert_eq!(new_overlaps(&before, &after), []);
    assert!(rect(&after, "edge").right < rect(&after, "core").left);
    assert!(rect(&after, "core").right < rect(&after, "e").left);
    assert_eq!(at(&after, "edge"), rect(&after, "edge").corner());
}

#[test]
fn five_hundred_components_are_placed_on_a_large_map() {
    let ids: Vec<String> = (0..3_500).map(|n| format!("c{n}")).collect();
    let place_of = |n: usize| {
        let (x, y) = (u32::try_from(n % 60).unwrap(), u32::try_from(n / 60).unwrap());
        (n < 3_000).then(|| (f64::from(x) * 260.0, f64::from(y) * 160.0))
    };
    let items: Vec<_> = ids.iter().enumerate().map(|(n, id)| (id.as_str(), place_of(n))).collect();
    let contains: Vec<_> =
        (0..3_500).filter(|n| n % 10 != 0).map(|n| (ids[n / 10 * 10 % 3_000].as_str(), ids[n].as_str())).collect();
    let lines: Vec<_> = (0..3_500).map(|n| (ids[n].as_str(), ids[n * 7 % 3_000].as_str())).collect();
    let before = map(&items, &contains, &lines);
    for lines in [true, false] {
        let mut after = if lines { before.clone() } else { map(&items, &[], &[]) };
        place(&mut after, None);
        assert!(after.items.iter().all(|item| item.at.is_some()));
    }
}

#[test]
fn a_map_without_room_is_accepted() {
    let items = [("a", Some((-1e9, -1e9))), ("b", Some((1e9, 1e9))), ("g", Some((0.0, 0.0))), ("c", None), ("d", None)];
    for contains in [&[][..], &[("g", "a"), ("g", "b")][..], &[("g", "a"), ("g", "b"), ("g", "c")][..]] {
        let (_, after) = placed(&items, contains, &[("a", "d")]);
        assert!(["c", "d"].iter().all(|id| at(&after, id).0.abs() <= 1e9 && at(&after, id).1.abs() <= 1e9));
    }
}

#[test]
fn notes_are_in_the_way() {
    let note = |x: f64, y: f64| ((x, y), (200.0, 120.0));
    let mut empty = map(&[("a", None), ("b", None)], &[], &[("a", "b")]);
    empty.block([note(100.0, 0.0)]);
    place(&mut empty, None);
    let mut beside = map(&[("a", Some((0.0, 0.0))), ("new", None)], &[], &[]);
    beside.block([note(260.0, 20.0)]);
    place(&mut beside, None);
    for found in [empty, beside] {
        let notes = &found.obstacles;
        let covered = found.rects().into_iter().flatten().any(|rect| notes.iter().any(|note| rect.overlaps(note)));
        assert!(!covered, "{:?}", found.rects());
    }
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct CaseItem {
    id: String,
    x: f64,
    y: f64,
    parent: Option<String>,
    #[serde(default)]
    is_group: bool,
    width: Option<f64>,
    height: Option<f64>,
}

#[derive(serde::Deserialize)]
struct CaseNote {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

#[derive(serde::Deserialize)]
struct Case {
    name: String,
    items: Vec<CaseItem>,
    #[serde(default)]
    notes: Vec<CaseNote>,
    group: String,
    size: Option<(f64, f64)>,
    /// The name of the card, which determines its size.
    card: Option<String>,
    at: Point,
}

/// The web client has a test with the same cases.
#[test]
fn a_new_part_goes_where_the_web_client_shows_it() {
    let text = include_str!("../../../../assets/web/src/core/layout/placement.cases.json");
    for case in serde_json::from_str::<Vec<Case>>(text).unwrap() {
        let named = case.card.as_deref().map(|name| card_size(name, None));
        let new = Item {
            id: "new".into(),
            at: None,
            own: None,
            is_group: false,
            card: case.size.or(named).unwrap_or(super::geometry::card()),
        };
        let items = case.items.iter().map(|item| Item {
            id: item.id.clone(),
            at: Some((item.x, item.y)),
            own: item.width.zip(item.height),
            is_group: item.is_group,
            card: super::geometry::card(),
        });
        let contains = case.items.iter().filter_map(|item| Some((item.parent.as_deref()?, item.id.as_str())));
        let mut map = Map::new(items.chain([new]).collect(), contains.chain([(case.group.as_str(), "new")]));
        map.block(case.notes.iter().map(|note| ((note.x, note.y), (note.width, note.height))));
        place(&mut map, None);
        assert_eq!(at(&map, "new"), case.at, "{}", case.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn placement_moves_nothing_and_covers_only_what_is_reported(
        spots in prop::collection::vec((0..12_u32, 0..12_u32), 1..25),
        new in 1..12_usize,
        inside in prop::collection::vec((0..37_usize, 0..37_usize), 0..30),
        lines in prop::collection::vec((0..37_usize, 0..37_usize), 0..40),
    ) {
        let ids: Vec<String> = (0..spots.len() + new).map(|n| format!("c{n}")).collect();
        let spot = |n: usize| spots.get(n).map(|(x, y)| (f64::from(*x) * 130.0, f64::from(*y) * 80.0));
        let items: Vec<_> = ids.iter().enumerate().map(|(n, id)| (id.as_str(), spot(n))).collect();
        let pair = |(one, other): (usize, usize)| (ids[one % ids.len()].as_str(), ids[other % ids.len()].as_str());
        let contains: Vec<_> = inside.into_iter().map(pair).collect();
        let lines: Vec<_> = lines.into_iter().map(pair).collect();
        let (before, after) = placed(&items, &contains, &lines);
        for item in &before.items {
            let now = after.position(&item.id);
            prop_assert!(item.at.map_or(now.is_some(), |at| now == Some(at)));
        }
        // A card outside of all groups that is placed covers nothing.
        let rects = after.rects();
        for (n, item) in before.items.iter().enumerate().skip(spots.len()) {
            if after.parent[n].is_some() || !after.children[n].is_empty() || item.at.is_some() {
                continue;
            }
            let own = rects[n].unwrap();
            let before_it = |other: usize| other < spots.len() && after.children[other].is_empty();
            let covered = (0..rects.len()).find(|&other| before_it(other) && rects[other].unwrap().overlaps(&own));
            prop_assert_eq!(covered, None);
        }
    }
}

#[test]
fn a_whole_map_is_arranged_where_it_is() {
    let items = [
        ("g", Some((0.0, 0.0))),
        ("b", Some((500.0, 300.0))),
        ("a", Some((510.0, 310.0))),
        ("c", Some((505.0, 350.0))),
    ];
    let mut after = map(&items, &[("g", "b"), ("g", "c")], &[("a", "b"), ("b", "c")]);
    let before = after.clone();
    rearrange(&mut after, &["g", "a", "b", "c"]);
    assert_eq!(new_overlaps(&map(&[], &[], &[]), &after), [], "{:?}", after.rects());
    assert!(rect(&after, "a").right < rect(&after, "g").left && rect(&after, "b").right < rect(&after, "c").left);
    let all = |map: &Map| map.rects().into_iter().flatten().reduce(|all, one| all.union(&one)).unwrap();
    assert_eq!(all(&after).corner(), all(&before).corner());
}

#[test]
fn some_components_are_arranged_without_moving_others() {
    let items = [
        ("a", Some((0.0, 0.0))),
        ("b", Some((10.0, 0.0))),
        ("wall", Some((300.0, 0.0))),
        ("g", Some((0.0, 1_000.0))),
        ("c", Some((20.0, 1_060.0))),
        ("d", Some((30.0, 1_070.0))),
    ];
    let mut after = map(&items, &[("g", "c"), ("g", "d")], &[("b", "a"), ("d", "c")]);
    rearrange(&mut after, &["a", "b", "c", "d"]);
    assert_eq!(at(&after, "wall"), (300.0, 0.0));
    assert_eq!(new_overlaps(&map(&[], &[], &[]), &after), []);
    assert!(at(&after, "b").0 < at(&after, "a").0);
    assert_eq!((at(&after, "d"), at(&after, "c")), ((20.0, 1_060.0), (300.0, 1_060.0)));
}
