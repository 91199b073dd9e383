//! The router must return the polylines and labels that the web client's router returns.

use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use serde::Deserialize;

use super::{
    labels::{LabelPlacer, LabelText},
    router::{OTHER_STEPS, SEARCH_STEPS, route_lines, route_with},
    types::{RouteInput, RouteLine, RouteNode},
    work::{Cancellation, Work},
};
use crate::geometry::{Point, Rect};

#[derive(Deserialize)]
struct CasePoint {
    x: f64,
    y: f64,
}

#[derive(Deserialize)]
struct CaseRect {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CaseNode {
    #[serde(flatten)]
    rect: CaseRect,
    is_group: bool,
    parent: i64,
    titles: Vec<CaseRect>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CaseLine {
    from: usize,
    to: usize,
    type_id: String,
    has_label: bool,
    lane: usize,
    #[serde(default)]
    via: Vec<CasePoint>,
    shape: Option<String>,
}

#[derive(Deserialize)]
struct Case {
    title: String,
    nodes: Vec<CaseNode>,
    lines: Vec<CaseLine>,
    points: Vec<Option<Vec<CasePoint>>>,
}

impl CasePoint {
    fn point(&self) -> Point {
        Point { x: self.x, y: self.y }
    }
}

impl CaseRect {
    fn rect(&self) -> Rect {
        Rect { x: self.x, y: self.y, width: self.width, height: self.height }
    }
}

fn input<'c>(nodes: &[CaseNode], lines: &'c [CaseLine]) -> RouteInput<'c> {
    let nodes = nodes.iter().map(|node| RouteNode {
        rect: node.rect.rect(),
        is_group: node.is_group,
        parent: usize::try_from(node.parent).ok(),
        titles: node.titles.iter().map(CaseRect::rect).collect(),
    });
    let lines = lines.iter().map(|line| RouteLine {
        from: line.from,
        to: line.to,
        type_id: &line.type_id,
        has_label: line.has_label,
        lane: line.lane,
        via: line.via.iter().map(CasePoint::point).collect(),
        is_straight: line.shape.is_some(),
    });
    RouteInput { nodes: nodes.collect(), lines: lines.collect() }
}

/// Rounds to hundredths of a pixel, as the cases are.
fn rounded(value: f64) -> f64 {
    super::polyline::round(value * 100.0) / 100.0
}

fn polyline(points: &[Point]) -> Vec<(f64, f64)> {
    points.iter().map(|point| (rounded(point.x), rounded(point.y))).collect()
}

/// The files in a folder beside the router of the web client.
fn files(folder: &str) -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../assets/web/src/core/route").join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn the_polylines_are_those_of_the_cases() {
    let cases = files("cases");
    assert!(cases.len() >= 14, "{} cases", cases.len());
    for case in cases {
        let case: Case = serde_json::from_str(&case).unwrap();
        let found = route_lines(&input(&case.nodes, &case.lines), &Cancellation::never());
        let found: Vec<_> = found.iter().map(|points| points.as_deref().map(polyline)).collect();
        let expected: Vec<_> = case
            .points
            .iter()
            .map(|points| {
                points.as_ref().map(|points| polyline(&points.iter().map(CasePoint::point).collect::<Vec<_>>()))
            })
            .collect();
        assert_eq!(found, expected, "{}", case.title);
    }
}

#[derive(Deserialize)]
struct LabelCase {
    title: String,
    nodes: Vec<CaseNode>,
    lines: Vec<LabelLine>,
    labels: Vec<Option<CaseLabel>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LabelLine {
    points: Option<Vec<CasePoint>>,
    text: String,
    label_at: Option<f64>,
}

#[derive(Deserialize)]
struct CaseLabel {
    #[serde(flatten)]
    rect: CaseRect,
    rows: Vec<String>,
}

fn label(rect: Rect, rows: &[String]) -> ([f64; 4], Vec<String>) {
    ([rect.x, rect.y, rect.width, rect.height].map(rounded), rows.to_vec())
}

#[test]
fn the_labels_are_those_of_the_cases() {
    let cases = files("labelCases");
    assert!(cases.len() >= 3, "{} cases", cases.len());
    for case in cases {
        let case: LabelCase = serde_json::from_str(&case).unwrap();
        let points = |line: &LabelLine| Some(line.points.as_ref()?.iter().map(CasePoint::point).collect());
        let polylines: Vec<Option<Vec<Point>>> = case.lines.iter().map(points).collect();
        let texts: Vec<LabelText<'_>> =
            case.lines.iter().map(|line| LabelText { text: &line.text, part: line.label_at, must: false }).collect();
        let nodes = input(&case.nodes, &[]).nodes;
        let placed = LabelPlacer::new(&nodes, &polylines, &work(1_000_000)).place_all(&texts);
        let found: Vec<_> =
            placed.iter().map(|placed| placed.as_ref().map(|placed| label(placed.rect, &placed.rows))).collect();
        let expected: Vec<_> =
            case.labels.iter().map(|known| known.as_ref().map(|known| label(known.rect.rect(), &known.rows))).collect();
        assert_eq!(found, expected, "{}", case.title);
    }
}

/// Cards in a row, with a line from each to each.
fn full_map(count: u32) -> RouteInput<'static> {
    let nodes = (0..count).map(|at| RouteNode {
        rect: Rect { x: 240.0 * f64::from(at % 8), y: 140.0 * f64::from(at / 8), width: 180.0, height: 64.0 },
        ..RouteNode::default()
    });
    let pairs = (0..count as usize).flat_map(|from| (0..count as usize).map(move |to| (from, to)));
    let lines = pairs.filter(|(from, to)| from != to).map(|(from, to)| RouteLine {
        from,
        to,
        type_id: "calls",
        has_label: true,
        ..RouteLine::default()
    });
    RouteInput { nodes: nodes.collect(), lines: lines.collect() }
}

fn work(steps: u64) -> Work {
    Work::new(steps, &Cancellation::never())
}

/// The numbers of results with more and more work.
fn with_more_work(count: impl Fn(u64) -> usize) -> Vec<usize> {
    (4..24).map(|power| count(1 << power)).collect()
}

#[test]
fn lines_for_which_no_work_is_left_are_straight() {
    let input = full_map(16);
    let routed = |search: u64, other: u64| route_with(&input, &work(search), &work(other)).iter().flatten().count();
    let by_search = with_more_work(|steps| routed(steps, OTHER_STEPS));
    assert!(by_search.is_sorted() && by_search.iter().any(|count| (60..200).contains(count)), "{by_search:?}");
    assert_eq!(by_search.last(), Some(&240));
    // Without the rest of the work, nothing is certain to be free of cards.
    let by_other = with_more_work(|steps| routed(SEARCH_STEPS, steps));
    assert!(by_other.iter().all(|count| [0, 240].contains(count)) && by_other.contains(&0), "{by_other:?}");
}

#[test]
fn nothing_is_routed_after_the_request_is_canceled() {
    let checks = Arc::new(AtomicUsize::new(0));
    let canceled_after = |most: usize| {
        let checks = Arc::clone(&checks);
        Cancellation::new(move || checks.fetch_add(1, Ordering::Relaxed) >= most)
    };
    let input = full_map(16);
    let routed = |cancellation: &Cancellation| route_lines(&input, cancellation).iter().flatten().count();
    assert_eq!(routed(&canceled_after(usize::MAX)), 240);
    let all = checks.swap(0, Ordering::Relaxed);
    assert!(all > 3, "{all}");
    assert!(routed(&canceled_after(2)) < 240);
    // The remaining searches end at their first step, without another check.
    assert!(checks.load(Ordering::Relaxed) < all);
}

#[test]
fn labels_for_which_no_work_is_left_are_not_placed_unless_they_must_be() {
    let lines: Vec<Option<Vec<Point>>> = (0..50)
        .map(|at| {
            let y = 40.0 * f64::from(at);
            Some(vec![Point { x: 0.0, y }, Point { x: 400.0, y }])
        })
        .collect();
    let texts: Vec<LabelText<'_>> = (0..50).map(|at| LabelText { text: "calls", part: None, must: at == 49 }).collect();
    let placed = with_more_work(|steps| {
        let labels = LabelPlacer::new(&[], &lines, &work(steps)).place_all(&texts);
        assert!(labels[49].is_some());
        labels.iter().flatten().count()
    });
    assert!(placed.is_sorted() && placed.iter().any(|count| (2..50).contains(count)), "{placed:?}");
    assert_eq!((placed.first(), placed.last()), (Some(&1), Some(&50)));
}
