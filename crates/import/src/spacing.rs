//! Room for the cards of a map: shapes in other tools are often smaller, and closer to each other.

use std::collections::HashSet;

use super::reading::{Component, Relationship, ViewPlace};

/// The largest coordinate.
pub(super) const MAX_COORDINATE: f64 = 1e9;
/// Width and height of a card and the distance to the next one, in pixels. Cards are 180 to 260 wide and 64 to 124 high.
const ROOM: (f64, f64) = (220.0, 100.0);
/// Largest factor. Shapes that would need a larger one are on top of each other in the source.
const MAX_FACTOR: f64 = 3.0;
/// Maximum number of components that are compared with each other.
const MAX_COMPARED: usize = 2_000;

/// Spreads positions of the source so that cards do not overlap. The arrangement stays as it is.
///
/// Positions of files that name ids of the map are those of the map.
pub(super) fn spread(components: &mut [Component], relationships: &[Relationship], places: &mut [ViewPlace]) {
    if components.iter().any(|one| one.has_own_id) {
        return;
    }
    let contains = relationships.iter().filter(|one| one.type_id == "contains");
    let wholes: HashSet<&str> = contains.map(|one| one.source_id.as_str()).collect();
    let cards = components.iter().filter(|one| !wholes.contains(one.id.as_str()));
    let factor = factor(cards.filter_map(|one| one.x.zip(one.y)).collect());
    for one in components.iter_mut() {
        (one.x, one.y) = (one.x.map(|x| scaled(x, factor)), one.y.map(|y| scaled(y, factor)));
    }
    for places in places.chunk_by_mut(|a, b| a.view_id == b.view_id) {
        let cards = places.iter().filter(|one| !wholes.contains(one.component_id.as_str()));
        let factor = self::factor(cards.map(|one| (one.x, one.y)).collect());
        for one in places {
            (one.x, one.y) = (scaled(one.x, factor), scaled(one.y, factor));
        }
    }
}

/// A coordinate in whole pixels, or unchanged without a factor.
fn scaled(coordinate: f64, factor: f64) -> f64 {
    if factor > 1.0 { (coordinate * factor).round().clamp(-MAX_COORDINATE, MAX_COORDINATE) } else { coordinate }
}

/// The factor by which positions are multiplied, at least 1.
fn factor(mut positions: Vec<(f64, f64)>) -> f64 {
    if positions.len() > MAX_COMPARED {
        return 1.0;
    }
    positions.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut factor = 1.0_f64;
    for (at, a) in positions.iter().enumerate() {
        for b in positions[at + 1..].iter().take_while(|b| b.0 - a.0 < ROOM.0) {
            let (dx, dy) = (b.0 - a.0, (b.1 - a.1).abs());
            let needed = (ROOM.0 / dx).min(ROOM.1 / dy);
            if needed <= MAX_FACTOR {
                factor = factor.max(needed);
            }
        }
    }
    factor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_that_are_close_are_spread() {
        assert!((factor(vec![(0.0, 0.0), (110.0, 0.0), (400.0, 0.0)]) - 2.0).abs() < 1e-9);
        assert!((factor(vec![(0.0, 0.0), (10.0, 50.0)]) - 2.0).abs() < 1e-9, "one direction is enough");
    }

    #[test]
    fn cards_with_room_and_shapes_on_each_other_stay() {
        for positions in
            [vec![], vec![(0.0, 0.0), (220.0, 0.0), (0.0, 100.0)], vec![(5.0, 5.0), (5.0, 5.0), (9.0, 9.0)]]
        {
            assert!((factor(positions) - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn large_drawings_are_not_compared() {
        assert!((factor(vec![(0.0, 0.0); MAX_COMPARED + 1]) - 1.0).abs() < 1e-9);
    }
}
