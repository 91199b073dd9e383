//! The rectangles of a map by place, to find what is in the way.

use std::{cell::Cell, collections::HashMap};

use super::geometry::Rect;

/// Width and height of a cell.
const CELL: f64 = 480.0;
/// Rectangles over more cells than this are compared one by one.
const MAX_CELLS: i64 = 400;

/// The rectangles of the items of a map, as far as they have one.
pub(super) struct Room {
    rects: Vec<Option<Rect>>,
    cells: HashMap<(i64, i64), Vec<usize>>,
    /// Items over too many cells.
    wide: Vec<usize>,
    /// Number of comparisons so far.
    spent: Cell<u64>,
}

impl Room {
    pub(super) fn new(rects: Vec<Option<Rect>>) -> Self {
        let mut room =
            Self { rects: vec![None; rects.len()], cells: HashMap::new(), wide: Vec::new(), spent: Cell::new(0) };
        for (at, rect) in rects.into_iter().enumerate() {
            if let Some(rect) = rect {
                room.set(at, rect);
            }
        }
        room
    }

    pub(super) fn rect(&self, at: usize) -> Option<Rect> {
        self.rects[at]
    }

    /// Sets the rectangle of an item. Cells that it leaves keep it: every item found is compared by its rectangle.
    pub(super) fn set(&mut self, at: usize, rect: Rect) {
        self.rects[at] = Some(rect);
        match cells(&rect) {
            Some(covered) => {
                for key in covered {
                    let cell = self.cells.entry(key).or_default();
                    if !cell.contains(&at) {
                        cell.push(at);
                    }
                }
            }
            None if self.wide.contains(&at) => {}
            None => self.wide.push(at),
        }
    }

    /// Calls `visit` for the items that overlap an area until it returns true, possibly several times for an item. Returns
    /// whether it did.
    pub(super) fn any(&self, area: &Rect, mut visit: impl FnMut(usize) -> bool) -> bool {
        let mut compared = 1;
        let mut check = |at: usize| {
            compared += 1;
            self.rects[at].is_some_and(|rect| rect.overlaps(area)) && visit(at)
        };
        let found = match cells(area) {
            None => (0..self.rects.len()).any(&mut check),
            Some(mut covered) => {
                self.wide.iter().any(|&at| check(at))
                    || covered.any(|key| self.cells.get(&key).is_some_and(|cell| cell.iter().any(|&at| check(at))))
            }
        };
        self.spent.set(self.spent.get() + compared);
        found
    }

    /// The number of comparisons so far.
    pub(super) fn spent(&self) -> u64 {
        self.spent.get()
    }
}

/// The cells that a rectangle covers; none if there are too many.
#[expect(clippy::cast_possible_truncation, reason = "positions are within ±1e9, and larger numbers saturate")]
fn cells(rect: &Rect) -> Option<impl Iterator<Item = (i64, i64)> + use<>> {
    let cell = |value: f64| (value / CELL).floor() as i64;
    let (left, right, top, bottom) = (cell(rect.left), cell(rect.right), cell(rect.top), cell(rect.bottom));
    let count = (right - left + 1).saturating_mul(bottom - top + 1);
    (count <= MAX_CELLS).then(|| (left..=right).flat_map(move |x| (top..=bottom).map(move |y| (x, y))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_overlaps_an_area_is_found(
            rects in prop::collection::vec((-2e3..2e3_f64, -2e3..2e3_f64, 1.0..2e4_f64, 1.0..2e4_f64), 1..20),
            area in (-2e3..2e3_f64, -2e3..2e3_f64, 1.0..2e4_f64, 1.0..2e4_f64),
        ) {
            let rect = |(x, y, width, height): (f64, f64, f64, f64)| Rect::new((x, y), (width, height));
            let all: Vec<Rect> = rects.into_iter().map(rect).collect();
            let room = Room::new(all.iter().copied().map(Some).collect());
            let mut found = vec![false; all.len()];
            room.any(&rect(area), |at| {
                found[at] = true;
                false
            });
            let expected: Vec<bool> = all.iter().map(|one| one.overlaps(&rect(area))).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
