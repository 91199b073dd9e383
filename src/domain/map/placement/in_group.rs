//! Places in a group: a free cell, room to grow, or where the least is covered.

use std::collections::HashSet;

use super::{
    geometry::{Extent, Point, Rect, bounds, node_gap, snap},
    nested::block,
    placing::{MARGIN, MAX_RINGS, Placing, ROW_GAP, STEP, cheapest, is_within, limited, snap_up},
};

/// Maximum number of columns and of rows of a group that are tried.
const MAX_TRACKS: usize = 48;

/// The places that are tried in a group.
#[derive(Default)]
struct Cells {
    /// In the columns and rows of its contents, within its frame.
    aligned: Vec<Point>,
    /// Others within its frame.
    inside: Vec<Point>,
    /// To the right of its contents, or below.
    growing: Vec<Point>,
}

impl Placing<'_> {
    /// Places items in a group that has no contents with a place: where its contents begin, otherwise nearby.
    pub(super) fn first_contents(&mut self, group: usize, roots: &[usize]) {
        let block = block(self.map, roots);
        let Some(frame) = self.room.rect(group) else { return };
        let inside = frame.inside().corner();
        let at = if self.is_free_in(group, &Rect::new(inside, block.size)) {
            inside
        } else {
            self.least_bad(group, block.size, &[], frame.corner())
        };
        self.keep(block, at, Some(group));
    }

    /// Places items in a group, as one block: in a free cell, otherwise where the group can grow to the right or down,
    /// otherwise where they cover the least. Close to `wanted`, otherwise to the component with the most lines to them.
    pub(super) fn contents(&mut self, group: usize, roots: &[usize], wanted: Option<Point>) {
        let block = block(self.map, roots);
        let Some(frame) = self.room.rect(group) else { return };
        let neighbors = self.neighbors(&block);
        let near = neighbors.iter().rev().max_by_key(|(_, (count, _))| *count);
        let near = near.and_then(|(&at, _)| self.room.rect(at));
        let near = wanted.map(|corner| Rect::new(corner, block.size)).or(near);
        let Cells { aligned, inside, growing } = self.cells(group, &frame, block.size);
        let far = |at: &Point| {
            let middle = Rect::new(*at, block.size).center();
            near.map(|near| (near.center().0 - middle.0).hypot((near.center().1 - middle.1) * 1.5))
        };
        let reading = |at: &Point| (at.1 - frame.top) * 1_000.0 + (at.0 - frame.left);
        let is_free = |at: &Point| self.is_free_in(group, &Rect::new(*at, block.size));
        let cost = |at: &Point| far(at).unwrap_or_else(|| reading(at));
        let aligned =
            wanted.into_iter().filter(|at| frame.inside().contains(&Rect::new(*at, block.size))).chain(aligned);
        let free = cheapest(aligned.collect(), cost, is_free).or_else(|| cheapest(inside, cost, is_free));
        let grown = |at: &Point| {
            let (width, height) = frame.union(&Rect::new(*at, block.size).framed()).extent();
            (width / 1.8).max(height) + far(at).unwrap_or(0.0) * 0.3
        };
        let free = free.or_else(|| cheapest(growing.clone(), grown, is_free));
        let at = free.unwrap_or_else(|| {
            let wanted = near.map_or(frame.corner(), |near| near.corner());
            self.least_bad(group, block.size, &growing, wanted)
        });
        self.keep(block, at, Some(group));
    }

    /// The cells of a group for an item of this size.
    fn cells(&self, group: usize, frame: &Rect, size: Extent) -> Cells {
        let parts: Vec<Rect> = self.map.children[group].iter().filter_map(|&part| self.room.rect(part)).collect();
        let inside = frame.inside();
        let Some(all) = bounds(parts.iter().copied()) else { return Cells::default() };
        let tracks = |values: Vec<f64>| {
            let mut values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            values.truncate(MAX_TRACKS);
            values
        };
        let right = snap_up(all.right + node_gap());
        let below = snap_up(all.bottom + node_gap());
        let fits = |at: &Point| inside.contains(&Rect::new(*at, size));
        let cross = |columns: &[f64], rows: &[f64]| -> Vec<Point> {
            columns.iter().flat_map(|x| rows.iter().map(move |y| (*x, *y))).collect()
        };
        let columns = tracks(parts.iter().map(|part| part.left).collect());
        let rows = tracks(parts.iter().map(|part| part.top).collect());
        let aligned = cross(&columns, &rows);
        let next = |edges: Vec<f64>, start: f64| tracks(edges.into_iter().chain([start]).collect());
        let columns = parts.iter().flat_map(|part| [part.left, snap_up(part.right + node_gap())]).collect();
        let rows = parts.iter().flat_map(|part| [part.top, snap_up(part.bottom + node_gap())]).collect();
        let (columns, rows) = (next(columns, inside.left), next(rows, inside.top));
        let cells = cross(&columns, &rows);
        let growing = rows.iter().map(|y| (right, *y)).chain(columns.iter().map(|x| (*x, below)));
        let outside = cells.iter().copied().filter(|at| !fits(at) && at.0 >= inside.left && at.1 >= inside.top);
        Cells {
            aligned: aligned.into_iter().filter(fits).collect(),
            inside: cells.iter().copied().filter(fits).collect(),
            growing: growing.chain(outside).collect(),
        }
    }

    /// Whether an item fits here: it covers nothing, and its groups do not grow into anything.
    fn is_free_in(&self, group: usize, rect: &Rect) -> bool {
        self.in_the_way(group, rect, true) == 0
    }

    /// The number of items that an item here would cover, or that its groups would grow into; 1 if only some matters.
    fn in_the_way(&self, group: usize, rect: &Rect, any: bool) -> usize {
        if !is_within(rect) || self.is_exhausted() {
            return usize::MAX;
        }
        let mut around = HashSet::new();
        let mut above = Some(group);
        while let Some(at) = above {
            around.insert(at);
            above = self.map.parent[at];
        }
        let mut found = HashSet::new();
        self.room.any(&rect.expanded(MARGIN), |at| {
            if !around.contains(&at) {
                found.insert(at);
            }
            any && !found.is_empty()
        });
        if any && !found.is_empty() {
            return 1;
        }
        for (grown, before, after) in self.grown(group, rect) {
            let (near, wide) = (before.expanded(MARGIN), after.expanded(MARGIN));
            self.room.any(&wide, |at| {
                // What was as close before may stay as close.
                let is_new = self.room.rect(at).is_some_and(|rect| !rect.overlaps(&near));
                if is_new && at != grown {
                    found.insert(at);
                }
                any && !found.is_empty()
            });
            if any && !found.is_empty() {
                return 1;
            }
        }
        found.len()
    }

    /// The groups that grow when an item is placed in `group`, with their frames before and after.
    pub(super) fn grown(&self, group: usize, rect: &Rect) -> Vec<(usize, Rect, Rect)> {
        let (mut found, mut inner, mut above) = (Vec::new(), *rect, Some(group));
        while let Some(at) = above {
            let around = self.map.around(at, inner);
            let before = self.room.rect(at).unwrap_or(around);
            // A card becomes a frame, and so does an empty group, which keeps only a size of its own.
            let after = if self.has_contents[at] { before.union(&around) } else { around };
            if after == before {
                break;
            }
            found.push((at, before, after));
            (inner, above) = (after, self.map.parent[at]);
        }
        found
    }

    /// The place for an item of a group where it covers the least, when there is no room: its own place is free if any
    /// such place is near.
    fn least_bad(&self, group: usize, size: Extent, others: &[Point], wanted: Point) -> Point {
        let Some(frame) = self.room.rect(group) else { return wanted };
        if self.is_exhausted() {
            return (limited(frame.inside().left), limited(snap_up(frame.bottom)));
        }
        let reach = f64::from(MAX_RINGS / 3);
        let ring = |at: i32| f64::from(at) * 2.0 * STEP;
        let rings = MAX_RINGS / 3;
        let spots = (-rings..=rings).flat_map(|x| (-rings..=rings).map(move |y| (ring(x), ring(y))));
        let spots = spots.map(|(x, y)| (snap(frame.left + 20.0 + x), snap(frame.top + 60.0 + y)));
        let below = (frame.inside().left, snap_up(frame.bottom + ROW_GAP));
        let cost = |at: &Point| {
            let rect = Rect::new(*at, size);
            let count = self.in_the_way(group, &rect, false);
            let covered = self.room.any(&rect, |other| !self.is_around(group, other));
            let far = (at.0 - wanted.0).hypot(at.1 - wanted.1) / (reach * STEP);
            #[expect(clippy::cast_precision_loss, reason = "only compared")]
            let count = count.min(1 << 30) as f64;
            count + if covered { 1_000.0 } else { 0.0 } + far
        };
        let all = others.iter().copied().chain(spots).chain([below]).filter(|at| is_within(&Rect::new(*at, size)));
        let best = all.map(|at| (cost(&at), at)).min_by(|one, other| one.0.total_cmp(&other.0));
        best.map_or(wanted, |(_, at)| at)
    }

    fn is_around(&self, group: usize, other: usize) -> bool {
        std::iter::successors(Some(group), |&at| self.map.parent[at]).any(|at| at == other)
    }
}
