//! Placement of components that are created without coordinates: near the end of the map, without overlaps.

use std::collections::HashMap;

use crate::domain::values::Coordinate;

/// Distance between neighbors on the grid for new components.
const STEP: (f64, f64) = (240.0, 160.0);
/// Components that are closer than this on both axes overlap.
const SIZE: (f64, f64) = (220.0, 140.0);
/// Number of components per row.
const ROW: f64 = 6.0;

/// Occupied positions of a map.
pub(in crate::domain) struct Placement {
    cells: HashMap<(i64, i64), Vec<(f64, f64)>>,
    last: Option<(f64, f64)>,
    left: f64,
    bottom: f64,
    /// Number of grid cells known to be occupied, from the start of the grid. Components do not leave the map while it
    /// is filled, so no cell is checked twice.
    full: i32,
}

impl Placement {
    /// A map with components at `taken`, in creation order.
    pub(in crate::domain) fn new(taken: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let (left, bottom) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut placement = Self { cells: HashMap::new(), last: None, left, bottom, full: 0 };
        for spot in taken {
            placement.take(spot);
        }
        placement
    }

    /// Adds a component at `spot`.
    pub(in crate::domain) fn take(&mut self, spot: (f64, f64)) {
        self.cells.entry(cell(spot)).or_default().push(spot);
        self.left = self.left.min(spot.0);
        self.bottom = self.bottom.max(spot.1);
        self.last = Some(spot);
    }

    /// Finds a free position and occupies it: right of the last component, otherwise at the start of a new row,
    /// otherwise the first free grid cell.
    pub(in crate::domain) fn place(&mut self) -> (f64, f64) {
        let spot = match self.last {
            None => (0.0, 0.0),
            Some(last) => {
                let beside = (last.0 + STEP.0, last.1);
                let below = (self.left, self.bottom + STEP.1);
                let near = [beside, below]
                    .into_iter()
                    .find(|spot| spot.0 < self.left + ROW * STEP.0 && within(*spot) && self.is_free(*spot));
                near.unwrap_or_else(|| self.anywhere())
            }
        };
        self.take(spot);
        spot
    }

    /// First free cell of a grid with 100 columns and unlimited rows.
    fn anywhere(&mut self) -> (f64, f64) {
        // Each component overlaps at most four grid cells, so a free one is found soon.
        loop {
            let spot = (f64::from(self.full % 100) * STEP.0, f64::from(self.full / 100) * STEP.1);
            if self.is_free(spot) {
                return spot;
            }
            self.full += 1;
        }
    }

    fn is_free(&self, spot: (f64, f64)) -> bool {
        let (column, row) = cell(spot);
        let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (column + dx, row + dy)));
        !around.filter_map(|cell| self.cells.get(&cell)).flatten().any(|taken| covers(*taken, spot))
    }
}

fn covers(a: (f64, f64), b: (f64, f64)) -> bool {
    (a.0 - b.0).abs() < SIZE.0 && (a.1 - b.1).abs() < SIZE.1
}

fn within(spot: (f64, f64)) -> bool {
    spot.0.abs() <= Coordinate::MAX && spot.1.abs() <= Coordinate::MAX
}

#[expect(clippy::cast_possible_truncation, reason = "coordinates are within ±1e9")]
fn cell(spot: (f64, f64)) -> (i64, i64) {
    ((spot.0 / SIZE.0).floor() as i64, (spot.1 / SIZE.1).floor() as i64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_empty_map_is_filled_in_rows() {
        let mut placement = Placement::new([]);
        let spots: Vec<_> = (0..8).map(|_| placement.place()).collect();
        assert_eq!(spots[..2], [(0.0, 0.0), (240.0, 0.0)]);
        assert_eq!(spots[5..], [(1200.0, 0.0), (0.0, 160.0), (240.0, 160.0)]);
    }

    #[test]
    fn filling_a_full_map_takes_one_step_per_component() {
        const MANY: i32 = 20_000;
        let mut placement = Placement::new([(0.0, 1e9)]);
        for _ in 0..MANY {
            placement.place();
        }
        // `full` only grows, so it counts all checks that found an occupied cell.
        assert!(placement.full <= MANY, "{}", placement.full);
    }

    proptest! {
        #[test]
        fn placed_components_do_not_overlap(
            taken in prop::collection::vec((-1e9..=1e9_f64, prop_oneof![-1e9..=1e9_f64, Just(1e9)]), 0..30),
            near in prop::collection::vec((-2e3..2e3_f64, -2e3..2e3_f64), 0..30),
            count in 1..20_usize,
        ) {
            let mut all: Vec<_> = taken.into_iter().chain(near).collect();
            let mut placement = Placement::new(all.clone());
            for _ in 0..count {
                let spot = placement.place();
                prop_assert!(within(spot));
                prop_assert!(!all.iter().any(|other| covers(*other, spot)));
                all.push(spot);
            }
        }
    }
}
