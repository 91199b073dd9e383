//! Where a component goes whose creator did not say: near the map's end, never on another.

use std::collections::HashMap;

use super::values::Coordinate;

/// Distance of neighbours on the grid that new components are laid out on.
const STEP: (f64, f64) = (240.0, 160.0);
/// Components nearer than this on both axes cover each other.
const SIZE: (f64, f64) = (220.0, 140.0);
/// Components in a row before a new one begins.
const ROW: f64 = 6.0;

/// The taken places of a map.
pub(super) struct Placement {
    cells: HashMap<(i64, i64), Vec<(f64, f64)>>,
    last: Option<(f64, f64)>,
    left: f64,
    bottom: f64,
    /// Cells of the grid that were found taken, from its beginning: nothing leaves a map while it is filled, so none
    /// is looked at twice.
    full: i32,
}

impl Placement {
    /// A map with components at `taken`, in their order.
    pub(super) fn new(taken: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let (left, bottom) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut placement = Self { cells: HashMap::new(), last: None, left, bottom, full: 0 };
        for spot in taken {
            placement.take(spot);
        }
        placement
    }

    /// Notes that a component is at `spot`.
    pub(super) fn take(&mut self, spot: (f64, f64)) {
        self.cells.entry(cell(spot)).or_default().push(spot);
        self.left = self.left.min(spot.0);
        self.bottom = self.bottom.max(spot.1);
        self.last = Some(spot);
    }

    /// Finds a free spot and takes it: right of the last component, else at the start of a new row, else anywhere.
    pub(super) fn place(&mut self) -> (f64, f64) {
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

    /// The first free cell of a grid that is larger than what is taken.
    fn anywhere(&mut self) -> (f64, f64) {
        // Each component covers at most four cells of the grid, so the first free one comes soon.
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
    fn filling_a_map_whose_end_is_reached_takes_a_step_for_each() {
        const MANY: i32 = 20_000;
        let mut placement = Placement::new([(0.0, 1e9)]);
        for _ in 0..MANY {
            placement.place();
        }
        // `full` only grows, so it counts all looks that found a cell taken.
        assert!(placement.full <= MANY, "{}", placement.full);
    }

    proptest! {
        #[test]
        fn nothing_is_placed_on_another(
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
