//! The sizes of cards. A card grows to the right and downward to fit its texts, as far as there is free space. Other cards and
//! groups are never moved or covered; the groups around a card grow with it, under the same condition.

use std::collections::HashMap;

use super::{
    card::METRICS,
    geometry::Rect,
    nodes::{GROUPS, Node, node_rects},
    work::{Cancellation, Work},
};

/// The cell size of the grid that finds cards.
const CELL: f64 = 320.0;
/// Steps of [`Work`] for growing cards. Maps of 5,000 components whose groups are not nested deeply take less than a tenth.
const STEPS: u64 = 10_000_000;
/// Number of rectangles that a step compares.
const RECTS_IN_A_STEP: usize = 4;

/// The width and height of each card. Groups have the size of the smallest card, which is not used. Cards do not
/// grow when no work remains.
pub(super) fn card_sizes(nodes: &[Node<'_>], cancellation: &Cancellation) -> Vec<(f64, f64)> {
    let mut sizes = vec![(METRICS.width.min, METRICS.height.min); nodes.len()];
    let mut room = FreeRoom::new(nodes, node_rects(nodes, &sizes), Work::new(STEPS, cancellation));
    for (at, node) in nodes.iter().enumerate() {
        let Some(content) = &node.card else { continue };
        let width = room.grow_right(at, content.preferred_width());
        sizes[at] = (width, room.grow_down(at, content.preferred_height(width)));
    }
    sizes
}

/// The rectangles of a scene while cards grow.
struct FreeRoom {
    parents: Vec<Option<usize>>,
    /// For each node, the index after its last descendant. Descendants follow their ancestor.
    ends: Vec<usize>,
    rects: Vec<Rect>,
    groups: Vec<usize>,
    cards: Vec<usize>,
    cells: HashMap<(i64, i64), Vec<usize>>,
    work: Work,
}

impl FreeRoom {
    fn new(nodes: &[Node<'_>], rects: Vec<Rect>, work: Work) -> Self {
        let (groups, cards) = (0..nodes.len()).partition(|at| nodes[*at].is_group());
        let parents: Vec<Option<usize>> = nodes.iter().map(|node| node.parent).collect();
        let mut ends: Vec<usize> = (1..=nodes.len()).collect();
        for (at, parent) in parents.iter().enumerate().rev() {
            if let Some(parent) = *parent {
                ends[parent] = ends[parent].max(ends[at]);
            }
        }
        let mut room = Self { parents, ends, rects, groups, cards, cells: HashMap::new(), work };
        for at in room.cards.clone() {
            room.enter(at, room.rects[at]);
        }
        room
    }

    /// Widens a card toward `wanted` as far as there is free space. Returns its width.
    fn grow_right(&mut self, at: usize, wanted: f64) -> f64 {
        let width = self.rects[at].width;
        let mut to = wanted;
        while to > width {
            if self.grow(at, to - width, 0.0) {
                return to;
            }
            to -= METRICS.width.step;
        }
        width
    }

    /// Heightens a card toward `wanted` as far as there is free space. Returns its height.
    fn grow_down(&mut self, at: usize, wanted: f64) -> f64 {
        let height = self.rects[at].height;
        let mut to = wanted;
        while to > height {
            if self.grow(at, 0.0, to - height) {
                return to;
            }
            to -= METRICS.height.step;
        }
        height
    }

    /// Grows a card and its groups in one direction if the space is free.
    fn grow(&mut self, at: usize, dx: f64, dy: f64) -> bool {
        let before = self.rects[at];
        let mut inner = Rect { width: before.width + dx, height: before.height + dy, ..before };
        let mut grown = vec![(at, inner)];
        let mut above = self.parents[at];
        while let Some(group) = above {
            let rect = self.rects[group];
            let right = rect.right().max(inner.right() + GROUPS.padding);
            let bottom = rect.bottom().max(inner.bottom() + GROUPS.padding);
            if right <= rect.right() && bottom <= rect.bottom() {
                break;
            }
            inner = Rect { width: right - rect.x, height: bottom - rect.y, ..rect };
            grown.push((group, inner));
            above = self.parents[group];
            if !self.work.spend(1) {
                return false;
            }
        }
        if grown.iter().any(|(node, rect)| !self.is_free(*node, rect)) {
            return false;
        }
        for (node, rect) in grown {
            self.rects[node] = rect;
            if node == at {
                self.enter(at, rect);
            }
        }
        true
    }

    /// Whether the area added to a node, plus a gap, overlaps nothing outside the node.
    fn is_free(&self, at: usize, rect: &Rect) -> bool {
        let added = added_area(&self.rects[at], rect);
        let is_foreign = |other: &usize| {
            self.rects[*other].overlaps(&added) && !self.is_within(*other, at) && !self.is_within(at, *other)
        };
        let is_any_foreign = |nodes: &[usize]| {
            // When no work remains, the area counts as occupied.
            !self.work.spend(1 + nodes.len() / RECTS_IN_A_STEP) || nodes.iter().any(is_foreign)
        };
        if is_any_foreign(&self.groups) {
            return false;
        }
        match cells_of(&added, self.cards.len()) {
            Some(cells) => !cells.iter().any(|cell| is_any_foreign(self.cells.get(cell).map_or(&[], Vec::as_slice))),
            None => !is_any_foreign(&self.cards),
        }
    }

    /// Whether a node is `outer` or inside it.
    fn is_within(&self, at: usize, outer: usize) -> bool {
        (outer..self.ends[outer]).contains(&at)
    }

    fn enter(&mut self, at: usize, rect: Rect) {
        for cell in cells_of(&rect, usize::MAX).unwrap_or_default() {
            let cards = self.cells.entry(cell).or_default();
            if !cards.contains(&at) {
                cards.push(at);
            }
        }
    }
}

/// The area that must be free for a rectangle to grow to the right or downward.
fn added_area(before: &Rect, after: &Rect) -> Rect {
    let gap = &METRICS.gap;
    if after.width > before.width {
        Rect {
            x: before.right(),
            y: before.y - gap.diagonal,
            width: after.width - before.width + gap.x,
            height: before.height + 2.0 * gap.diagonal,
        }
    } else {
        Rect {
            x: before.x - gap.diagonal,
            y: before.bottom(),
            width: before.width + 2.0 * gap.diagonal,
            height: after.height - before.height + gap.y,
        }
    }
}

/// The cells that a rectangle covers, or `None` if there are more than `most`.
#[expect(clippy::cast_possible_truncation, reason = "coordinates are limited, and the conversion saturates")]
fn cells_of(rect: &Rect, most: usize) -> Option<Vec<(i64, i64)>> {
    let cell = |value: f64| (value / CELL).floor() as i64;
    let (left, right) = (cell(rect.x), cell(rect.right()));
    let (top, bottom) = (cell(rect.y), cell(rect.bottom()));
    let count = |from: i64, to: i64| to.saturating_sub(from).saturating_add(1);
    let count = count(left, right).saturating_mul(count(top, bottom));
    if usize::try_from(count).map_or(true, |count| count > most) {
        return None;
    }
    Some((left..=right).flat_map(|column| (top..=bottom).map(move |row| (column, row))).collect())
}
