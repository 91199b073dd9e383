//! The paths of all lines and the places of their labels, as on the freshly opened map.

use super::{
    Detail,
    geometry::{Point, Rect},
    line_path::{LinePath, line_path},
    nodes::{GROUPS, Node},
    route::{LabelPlacer, LabelText, PlacedLabel, RULES, RouteInput, RouteLine, RouteNode, route_lines},
    scene::{Line, Scene},
    text::{Face, text_width},
    work::{Cancellation, Work},
};

/// Font size of a group's title, and the width of everything in it except the name.
const TITLE_SIZE: f64 = 17.0;
const TITLE_PADDING: f64 = 34.0;
/// Width of the collapse button, which the web client draws.
const BUTTON_WIDTH: f64 = 36.0;
/// In the overview, maps with more lines than this are drawn with straight lines, which are easier to read at that scale.
const MAX_OVERVIEW_ROUTES: usize = 600;
/// The number of lines that are easy to distinguish. More lines are fainter.
const MAX_CLEAR_LINES: f64 = 220.0;
/// Steps of [`Work`] for placing labels.
const LABEL_STEPS: u64 = 60_000_000;

/// The lines of an image, parallel to the lines of the scene.
#[derive(Debug)]
pub(super) struct Routes {
    pub paths: Vec<LinePath>,
    pub labels: Vec<Option<PlacedLabel>>,
    /// Long lines of dense maps, which are straight and drawn faintly below the others.
    pub faint: Vec<bool>,
    /// Opacity of the other lines, from 0 to 1.
    pub strength: f64,
}

impl Routes {
    /// Routes lines and places labels as far as the work allows. The result is incomplete if the request is canceled.
    pub(super) fn of(scene: &Scene<'_>, detail: Detail, cancellation: &Cancellation) -> Self {
        let unrouted: Vec<LinePath> = scene.lines.iter().map(|line| line_path(scene, line)).collect();
        let count = scene.lines.len();
        if count == 0 || (detail != Detail::Full && count > MAX_OVERVIEW_ROUTES) {
            return Self { paths: unrouted, labels: vec![None; count], faint: vec![false; count], strength: 1.0 };
        }
        let input = input(scene);
        let mut polylines = if input.lines.iter().all(|line| line.is_straight) {
            vec![None; count]
        } else {
            route_lines(&input, cancellation)
        };
        let is_dense = count > RULES.limits.dense_map_lines && polylines.iter().any(Option::is_some);
        let faint: Vec<bool> = polylines.iter().map(|route| is_dense && route.is_none()).collect();
        let paths = unrouted.iter().zip(&polylines).map(|(unrouted, route)| match route {
            Some(points) => LinePath { points: points.clone(), is_curve: false },
            None => unrouted.clone(),
        });
        let paths: Vec<LinePath> = paths.collect();
        let labels = if detail == Detail::Full {
            for (line, (route, path)) in input.lines.iter().zip(polylines.iter_mut().zip(&unrouted)) {
                if line.is_straight {
                    *route = Some(path.flattened());
                }
            }
            labels(scene, &input, &polylines, cancellation)
        } else {
            vec![None; count]
        };
        Self { strength: strength(&faint), paths, labels, faint }
    }
}

#[expect(clippy::cast_precision_loss, reason = "the number of lines is limited")]
fn strength(faint: &[bool]) -> f64 {
    let clear = faint.iter().filter(|is_faint| !**is_faint).count().max(1);
    (MAX_CLEAR_LINES / clear as f64).sqrt().min(1.0)
}

fn labels(
    scene: &Scene<'_>,
    input: &RouteInput<'_>,
    polylines: &[Option<Vec<Point>>],
    cancellation: &Cancellation,
) -> Vec<Option<PlacedLabel>> {
    let texts: Vec<LabelText<'_>> = scene
        .lines
        .iter()
        .map(|Line { relationship, .. }| {
            let is_highlighted = scene.map.highlighted.contains(&relationship.key);
            LabelText {
                // Labels of what is drawn faintly would cover the rest.
                text: if scene.is_dimmed(&relationship.key) { "" } else { &relationship.label },
                part: relationship.label_at,
                must: is_highlighted,
            }
        })
        .collect();
    let work = Work::new(LABEL_STEPS, cancellation);
    LabelPlacer::new(&input.nodes, polylines, &work).place_all(&texts)
}

fn input<'m>(scene: &Scene<'m>) -> RouteInput<'m> {
    RouteInput {
        nodes: scene.nodes.iter().zip(&scene.rects).map(|(node, rect)| route_node(node, *rect)).collect(),
        lines: scene.lines.iter().map(route_line).collect(),
    }
}

fn route_node(node: &Node<'_>, rect: Rect) -> RouteNode {
    let titles = if node.is_group() { title_rects(rect, &node.component.name) } else { Vec::new() };
    RouteNode { rect, is_group: node.is_group(), parent: node.parent, titles }
}

fn route_line<'m>(line: &Line<'m>) -> RouteLine<'m> {
    let relationship = line.relationship;
    RouteLine {
        from: line.from,
        to: line.to,
        type_id: &relationship.type_id,
        has_label: !relationship.label.is_empty(),
        lane: line.lane,
        via: if relationship.straight { Vec::new() } else { line.via().collect() },
        is_straight: relationship.straight,
    }
}

/// The areas of a group's title: the name on the left, the collapse button on the right.
fn title_rects(Rect { x, y, width, .. }: Rect, name: &str) -> Vec<Rect> {
    let height = GROUPS.title;
    let named = (width - 8.0).min(TITLE_PADDING + text_width(name, TITLE_SIZE, Face::Name));
    vec![Rect { x, y, width: named, height }, Rect { x: x + width - BUTTON_WIDTH, y, width: BUTTON_WIDTH, height }]
}
