//! A uniform grid index of rectangles for area queries.

use std::{
    cell::Cell,
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use super::work::Work;
use crate::geometry::Rect;

/// Rectangles and queries that cover more cells than this bypass the grid.
const MAX_CELLS: f64 = 4_096.0;
/// When all rectangles together cover more cells than this, further ones bypass the grid.
const MAX_ENTRIES: usize = 1_000_000;

/// A fast hash of small integers, which users choose only indirectly: a collision costs time that [`Work`] limits.
#[derive(Debug, Default)]
pub(super) struct IntegerHasher(u64);

pub(super) type IntegerMap<K, V> = HashMap<K, V, BuildHasherDefault<IntegerHasher>>;

impl Hasher for IntegerHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(26) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_i32(&mut self, number: i32) {
        self.write_u32(number.cast_unsigned());
    }
}

#[derive(Debug)]
pub(super) struct RectIndex<'w> {
    work: &'w Work,
    cells: IntegerMap<(i32, i32), Vec<u32>>,
    entries: usize,
    large: Vec<u32>,
    rects: Vec<Rect>,
    size: f64,
    /// The last query that visited each rectangle, to visit it only once per query.
    visited: Vec<Cell<u32>>,
    query: Cell<u32>,
}

impl<'w> RectIndex<'w> {
    pub(super) fn new(size: f64, work: &'w Work) -> Self {
        Self {
            work,
            cells: IntegerMap::default(),
            entries: 0,
            large: Vec::new(),
            rects: Vec::new(),
            size,
            visited: Vec::new(),
            query: Cell::new(0),
        }
    }

    /// Adds a rectangle. Its index is the number of rectangles before it.
    pub(super) fn add(&mut self, rect: Rect) {
        let id = self.rects.len() as u32;
        self.rects.push(rect);
        self.visited.push(Cell::new(0));
        let (left, top, right, bottom) = (rect.x, rect.y, rect.right(), rect.bottom());
        if self.count_cells(left, top, right, bottom) > MAX_CELLS || self.entries > MAX_ENTRIES {
            self.large.push(id);
            return;
        }
        for cell in cells(self.size, left, top, right, bottom) {
            self.cells.entry(cell).or_default().push(id);
            self.entries += 1;
        }
    }

    /// Visits each rectangle that touches an area exactly once, or not all of them if no work is left.
    pub(super) fn visit(&self, left: f64, top: f64, right: f64, bottom: f64, mut visit: impl FnMut(&Rect, usize)) {
        let query = self.query.get() + 1;
        self.query.set(query);
        let mut see = |id: u32| {
            let id = id as usize;
            if self.visited[id].replace(query) == query {
                return;
            }
            let rect = &self.rects[id];
            if rect.x <= right && rect.right() >= left && rect.y <= bottom && rect.bottom() >= top {
                visit(rect, id);
            }
        };
        if self.count_cells(left, top, right, bottom) > MAX_CELLS {
            if self.work.spend(self.rects.len()) {
                (0..self.rects.len() as u32).for_each(see);
            }
            return;
        }
        if !self.work.spend(self.large.len()) {
            return;
        }
        self.large.iter().copied().for_each(&mut see);
        for cell in cells(self.size, left, top, right, bottom) {
            let ids = self.cells.get(&cell).map_or(&[][..], Vec::as_slice);
            if !self.work.spend(1 + ids.len()) {
                return;
            }
            ids.iter().copied().for_each(&mut see);
        }
    }

    /// Like `visit`, for a rectangle.
    pub(super) fn visit_rect(&self, rect: &Rect, visit: impl FnMut(&Rect, usize)) {
        self.visit(rect.x, rect.y, rect.right(), rect.bottom(), visit);
    }

    fn count_cells(&self, left: f64, top: f64, right: f64, bottom: f64) -> f64 {
        let count = |low: f64, high: f64| (high / self.size).floor() - (low / self.size).floor() + 1.0;
        count(left, right) * count(top, bottom)
    }
}

fn cells(size: f64, left: f64, top: f64, right: f64, bottom: f64) -> impl Iterator<Item = (i32, i32)> {
    let cell = |value: f64| (value / size).floor() as i32;
    let (first, last) = (cell(top), cell(bottom));
    (cell(left)..=cell(right)).flat_map(move |x| (first..=last).map(move |y| (x, y)))
}
