//! Finds places for components: in their group, beside their neighbors, or at the end of the map. What has a place stays
//! there.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    geometry::{Extent, Point, Rect, block_gap, bounds, card, node_gap, snap, up},
    nested::{Block, block},
    nodes::Map,
    room::Room,
};
use crate::domain::values::Coordinate;

/// Comparisons after which the remaining components are placed at the end of the map, without a search.
const MAX_COMPARISONS: u64 = 20_000_000;
/// Distance that a new component keeps to others.
pub(super) const MARGIN: f64 = 20.0;
/// Step of the search for the nearest free place, and the number of steps in each direction.
pub(super) const STEP: f64 = 40.0;
pub(super) const MAX_RINGS: i32 = 30;
/// Width of a row at the end of the map.
const ROW: f64 = 6.0 * 240.0;
/// Distance between rows at the end of the map.
pub(super) const ROW_GAP: f64 = 96.0;
/// If there are more components without a relationship to anything that has a place, or in a group, they are placed as one
/// block, not one by one.
const MAX_SINGLE: usize = 200;

/// Places all components without a position. `origin` is where a map that has no position at all begins.
pub(in crate::domain) fn place(map: &mut Map, origin: Option<Point>) {
    let rects = map.rects();
    if rects.iter().all(Option::is_some) {
        return settle(map, &rects);
    }
    if rects.iter().all(Option::is_none) {
        let roots: Vec<usize> = (0..map.len()).filter(|&at| map.parent[at].is_none()).collect();
        let whole = block(map, &roots);
        let wanted = origin.unwrap_or((0.0, 0.0));
        let placing = Placing::new(map, rects);
        let at = placing.nearest(wanted, whole.size).unwrap_or_else(|| placing.end(whole.size));
        return put(map, whole, at);
    }
    let mut placing = Placing::new(map, rects);
    let mut alone = Vec::new();
    for (group, roots) in placing.parts() {
        match group {
            Some(group) if !placing.has_contents[group] => placing.first_contents(group, &roots),
            Some(group) if roots.len() > MAX_SINGLE => placing.contents(group, &roots, None),
            Some(group) => roots.iter().for_each(|root| placing.contents(group, &[*root], None)),
            None if roots.len() > 1 || placing.has_neighbors(&roots) => placing.outside(&roots, None),
            None => alone.extend(roots),
        }
    }
    if alone.len() > MAX_SINGLE {
        placing.outside(&alone, None);
    } else {
        for root in alone {
            placing.outside(&[root], None);
        }
    }
    placing.finish();
}

/// Arranges components with everything in them: those with the same group together, where they are now if there is room.
pub(in crate::domain) fn rearrange(map: &mut Map, ids: &[&str]) {
    let rects = map.rects();
    let chosen: HashSet<usize> = ids.iter().filter_map(|id| map.index.get(*id).copied()).collect();
    let mut parts: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for &at in &chosen {
        let mut above = std::iter::successors(map.parent[at], |&at| map.parent[at]);
        if !above.any(|group| chosen.contains(&group)) {
            parts.entry(map.parent[at]).or_default().push(at);
        }
    }
    let around = |roots: &[usize]| bounds(roots.iter().filter_map(|&root| rects[root])).map(|all| all.corner());
    let with_corner = |(group, mut roots): (Option<usize>, Vec<usize>)| {
        roots.sort_unstable();
        let corner = around(&roots).map(|(x, y)| (snap(x), snap(y)));
        (group, roots, corner)
    };
    let parts: Vec<_> = parts.into_iter().map(with_corner).collect();
    for (group, roots, _) in &parts {
        for at in map.preorder(roots.clone()) {
            map.items[at].at = None;
        }
        if let (Some(_), Some(&root)) = (group, roots.first()) {
            map.stay(root, &rects);
        }
    }
    if map.items.iter().all(|item| item.at.is_none()) {
        return place(map, parts.first().and_then(|(_, _, corner)| *corner));
    }
    let rects = map.rects();
    let mut placing = Placing::new(map, rects);
    for (group, roots, corner) in parts {
        match group {
            Some(group) if !placing.has_contents[group] => placing.first_contents(group, &roots),
            Some(group) => placing.contents(group, &roots, corner),
            None => placing.outside(&roots, corner),
        }
    }
    placing.finish();
}

/// Groups around components with a place get the position of their frame.
fn settle(map: &mut Map, rects: &[Option<Rect>]) {
    for (item, rect) in map.items.iter_mut().zip(rects) {
        item.at = item.at.or(rect.map(|rect| rect.corner()));
    }
}

fn put(map: &mut Map, block: Block, (x, y): Point) {
    for (at, position) in block.positions {
        map.items[at].at = Some((limited(x + position.0), limited(y + position.1)));
    }
}

pub(super) fn limited(value: f64) -> f64 {
    value.clamp(-Coordinate::MAX, Coordinate::MAX)
}

pub(super) struct Placing<'m> {
    pub(super) map: &'m mut Map,
    pub(super) room: Room,
    /// Whether an item has contents with a place.
    pub(super) has_contents: Vec<bool>,
    /// The items at the other ends of the lines of each item without a place, and whether the line leads to them.
    beside: HashMap<usize, Vec<(usize, bool)>>,
    /// The outermost item that was placed last, and the bounds of all.
    last: usize,
    bounds: Rect,
}

impl<'m> Placing<'m> {
    fn new(map: &'m mut Map, mut rects: Vec<Option<Rect>>) -> Self {
        let mut has_contents = vec![false; map.len()];
        for (at, rect) in rects.iter().enumerate() {
            if let (Some(_), Some(group)) = (rect, map.parent[at]) {
                has_contents[group] = true;
            }
        }
        let mut beside: HashMap<usize, Vec<(usize, bool)>> = HashMap::new();
        for &(from, to, _) in &map.lines {
            for (one, other, is_forward) in [(from, to, true), (to, from, false)] {
                if rects[one].is_none() {
                    beside.entry(one).or_default().push((other, is_forward));
                }
            }
        }
        let last = (0..map.len()).rev().find(|&at| map.items[at].at.is_some() && rects[at].is_some()).unwrap_or(0);
        let last = map.root(last);
        // After the items, so that nothing is taken for one of them.
        rects.extend(map.obstacles.iter().copied().map(Some));
        let all = bounds(rects.iter().copied().flatten()).unwrap_or(Rect::new((0.0, 0.0), card()));
        Self { room: Room::new(rects), map, has_contents, beside, last, bounds: all }
    }

    /// The outermost items without a place, by the group with a place that contains them; those outside of groups in sets
    /// of connected items.
    fn parts(&self) -> Vec<(Option<usize>, Vec<usize>)> {
        let mut root_of: HashMap<usize, usize> = HashMap::new();
        let mut by_group: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut outside = Vec::new();
        for at in self.map.all() {
            if self.room.rect(at).is_some() {
                continue;
            }
            match self.map.parent[at] {
                Some(group) if self.room.rect(group).is_none() => {
                    let root = root_of.get(&group).copied().unwrap_or(group);
                    root_of.insert(at, root);
                    continue;
                }
                Some(group) => by_group.entry(group).or_default().push(at),
                None => outside.push(at),
            }
            root_of.insert(at, at);
        }
        // In the order of the items, not of the groups that contain them.
        outside.sort_unstable();
        let mut set_of: HashMap<usize, usize> = outside.iter().map(|&root| (root, root)).collect();
        for &(from, to, _) in &self.map.lines {
            if let (Some(one), Some(other)) = (root_of.get(&from), root_of.get(&to))
                && set_of.contains_key(one)
                && set_of.contains_key(other)
            {
                let (one, other) = (first_of_set(&mut set_of, *one), first_of_set(&mut set_of, *other));
                set_of.insert(one.max(other), one.min(other));
            }
        }
        let mut sets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for root in outside {
            sets.entry(first_of_set(&mut set_of, root)).or_default().push(root);
        }
        let inside = by_group.into_iter().map(|(group, mut roots)| {
            roots.sort_unstable();
            (Some(group), roots)
        });
        inside.chain(sets.into_values().map(|roots| (None, roots))).collect()
    }

    /// Places connected items outside of groups: close to `wanted`, otherwise beside the component with the most lines to
    /// them, otherwise at the end.
    fn outside(&mut self, roots: &[usize], wanted: Option<Point>) {
        let block = block(self.map, roots);
        let neighbors = self.neighbors(&block);
        // Of several, the first.
        let near =
            neighbors.iter().rev().max_by_key(|(_, (count, _))| *count).map(|(&at, &(_, forward))| (at, forward));
        let found = near.and_then(|(at, forward)| {
            let (outer, own) = (self.room.rect(self.map.root(at))?, self.room.rect(at)?);
            // Lines lead from left to right.
            let x = if forward > 0 { outer.left - block_gap() - block.size.0 } else { outer.right + block_gap() };
            self.nearest((snap(x), snap(own.center().1 - block.size.1 / 2.0)), block.size)
        });
        let found = wanted.map_or(found, |corner| self.nearest(corner, block.size));
        let at = found.unwrap_or_else(|| self.end(block.size));
        self.keep(block, at, None);
    }

    fn has_neighbors(&self, roots: &[usize]) -> bool {
        let placed =
            |at: &usize| self.beside.get(at).is_some_and(|all| all.iter().any(|(at, _)| self.room.rect(*at).is_some()));
        self.map.preorder(roots.to_vec()).iter().any(placed)
    }

    /// The components with a place that a block has lines to: the number of lines, and how many more lead to them than
    /// from them.
    pub(super) fn neighbors(&self, block: &Block) -> BTreeMap<usize, (usize, i32)> {
        let mut found: BTreeMap<usize, (usize, i32)> = BTreeMap::new();
        for (at, _) in &block.positions {
            for &(other, is_forward) in self.beside.get(at).into_iter().flatten() {
                if self.room.rect(other).is_some() {
                    let entry = found.entry(other).or_default();
                    entry.0 += 1;
                    entry.1 += if is_forward { 1 } else { -1 };
                }
            }
        }
        found
    }

    /// The free place outside of groups that is nearest to `wanted`.
    fn nearest(&self, wanted: Point, size: Extent) -> Option<Point> {
        (0..=MAX_RINGS).find_map(|ring| {
            let edge = move |x: i32, y: i32| x.abs() == ring || y.abs() == ring;
            let all = (-ring..=ring).flat_map(|x| (-ring..=ring).map(move |y| (x, y)));
            let spots = all.filter(|(x, y)| edge(*x, *y));
            let spots = spots.map(|(x, y)| (wanted.0 + f64::from(x) * STEP, wanted.1 + f64::from(y) * STEP));
            let far = |at: &Point| (at.0 - wanted.0).hypot(at.1 - wanted.1);
            cheapest(spots.collect(), far, |at| self.is_free(&Rect::new(*at, size)))
        })
    }

    /// Whether nothing is in the way of an item outside of groups.
    fn is_free(&self, rect: &Rect) -> bool {
        // Groups around it, and lines between cards, need some room.
        is_within(rect) && !self.is_exhausted() && !self.room.any(&rect.expanded(2.0 * MARGIN), |_| true)
    }

    /// The place right of the last component, otherwise the start of a new row, otherwise wherever there is room.
    fn end(&self, size: Extent) -> Point {
        let all = &self.bounds;
        let last = self.room.rect(self.last).unwrap_or(*all);
        let beside = (snap_up(last.right + node_gap()), last.top);
        let is_in_row = beside.0 + size.0 <= all.left + ROW || size.0 > ROW;
        if is_in_row && self.is_free(&Rect::new(beside, size)) {
            return beside;
        }
        let below = (all.left, snap_up(all.bottom + ROW_GAP));
        let above = (all.left, all.top - ROW_GAP - up(size.1));
        let right = (snap_up(all.right + node_gap()), all.top);
        let left = (all.left - node_gap() - up(size.0), all.top);
        let free = [below, right, above, left].into_iter().find(|at| is_within(&Rect::new(*at, size)));
        free.or_else(|| self.nearest((0.0, 0.0), size)).unwrap_or((0.0, 0.0))
    }

    fn finish(self) {
        let rects: Vec<Option<Rect>> = (0..self.map.len()).map(|at| self.room.rect(at)).collect();
        settle(self.map, &rects);
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.room.spent() > MAX_COMPARISONS
    }

    /// Puts a block in its place.
    pub(super) fn keep(&mut self, block: Block, at: Point, group: Option<usize>) {
        let rect = Rect::new(at, block.size);
        if let Some(group) = group {
            for (grown, _, after) in self.grown(group, &rect) {
                self.room.set(grown, after);
            }
            self.has_contents[group] = true;
            self.last = self.map.root(group);
        } else if let Some((first, _)) = block.positions.first() {
            self.last = *first;
        }
        let items: Vec<usize> = block.positions.iter().map(|(at, _)| *at).collect();
        put(self.map, block, at);
        // Contents come after their groups.
        for &at in items.iter().rev() {
            let contents = bounds(self.map.children[at].iter().filter_map(|&part| self.room.rect(part)));
            self.has_contents[at] = contents.is_some();
            let rect = contents.map_or_else(|| self.map.alone(at), |contents| Some(self.map.around(at, contents)));
            if let Some(rect) = rect {
                self.room.set(at, rect);
                self.bounds = self.bounds.union(&rect);
            }
        }
        let outer = group.and_then(|group| self.room.rect(self.map.root(group)));
        self.bounds = outer.map_or(self.bounds, |outer| self.bounds.union(&outer));
    }
}

pub(super) fn snap_up(value: f64) -> f64 {
    if value.abs() > Coordinate::MAX { value } else { up(value) }
}

pub(super) fn is_within(rect: &Rect) -> bool {
    let limit = Coordinate::MAX;
    rect.left >= -limit && rect.top >= -limit && rect.right <= limit && rect.bottom <= limit
}

/// The place with the lowest cost that passes a test.
pub(super) fn cheapest(
    mut spots: Vec<Point>,
    cost: impl Fn(&Point) -> f64,
    passes: impl Fn(&Point) -> bool,
) -> Option<Point> {
    spots.sort_by(|one, other| cost(one).total_cmp(&cost(other)));
    spots.into_iter().find(|at| passes(at))
}

/// The first item of the set that an item belongs to. Shortens the way to it.
fn first_of_set(set_of: &mut HashMap<usize, usize>, mut at: usize) -> usize {
    while set_of[&at] != at {
        let above = set_of[&set_of[&at]];
        set_of.insert(at, above);
        at = above;
    }
    at
}
