//! Routes a line through waypoints, leg by leg. Each leg is searched for both directions in which it can reach the next
//! waypoint, because the cheapest way to a waypoint may require more bends after it.

use super::{
    polyline::simplify,
    search::{PathSearch, SearchOptions},
    types::{EAST, NORTH, SOUTH, WEST},
};
use crate::geometry::Point;

#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    pub from: usize,
    pub to: usize,
    pub seed: usize,
}

/// The cheapest path to a waypoint in one direction.
#[derive(Debug, Clone)]
struct Leg {
    cost: f64,
    points: Vec<Point>,
    ports: (usize, usize),
    end_state: u32,
}

/// The points and the ports of the cheapest path through vertices.
pub(super) fn path_through(
    search: &mut PathSearch<'_, '_>,
    ends: Ends,
    vertices: &[u32],
) -> Option<(Vec<Point>, (usize, usize))> {
    let mut legs: Vec<Leg> = Vec::new();
    for (at, &vertex) in vertices.iter().enumerate() {
        let mut next = Vec::new();
        for is_vertical in [false, true] {
            let end = (Some(vertex), Some(is_vertical));
            next.extend(cheapest_leg(search, ends, (at > 0).then_some(&legs), end));
        }
        legs = next;
        if legs.is_empty() {
            return None;
        }
    }
    let last = cheapest_leg(search, ends, Some(&legs), (None, None))?;
    Some((simplify(last.points), last.ports))
}

/// The cheapest continuation of one of the paths in `before`; without them, of the start of the line.
fn cheapest_leg(
    search: &mut PathSearch<'_, '_>,
    Ends { from, to, seed }: Ends,
    before: Option<&Vec<Leg>>,
    (end_vertex, end_is_vertical): (Option<u32>, Option<bool>),
) -> Option<Leg> {
    let starts: Vec<Option<&Leg>> = before.map_or_else(|| vec![None], |legs| legs.iter().map(Some).collect());
    let mut best: Option<Leg> = None;
    for leg in starts {
        let options = SearchOptions {
            seed,
            start_state: leg.map(|leg| leg.end_state),
            blocked_side: leg.and_then(|leg| reverse_side(&leg.points)),
            end_vertex,
            end_is_vertical,
            ..SearchOptions::default()
        };
        let Some(found) = search.find(from, to, &options) else { continue };
        let cost = leg.map_or(0.0, |leg| leg.cost) + found.cost;
        if best.as_ref().is_some_and(|best| best.cost <= cost) {
            continue;
        }
        let mut points = leg.map_or_else(Vec::new, |leg| leg.points.clone());
        points.extend(found.points);
        let ports = (leg.map_or(found.ports.0, |leg| leg.ports.0), found.ports.1);
        best = Some(Leg { cost, points, ports, end_state: found.end_state });
    }
    best
}

/// The side that leads back to where a path came from. A line must not turn back at a waypoint.
fn reverse_side(points: &[Point]) -> Option<usize> {
    let [.., before, end] = points else { return None };
    Some(if before.x == end.x {
        if before.y < end.y { NORTH } else { SOUTH }
    } else if before.x < end.x {
        WEST
    } else {
        EAST
    })
}
