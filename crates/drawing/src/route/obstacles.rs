//! Obstacles for line routing, and distances to them.

use super::{
    rect_index::RectIndex,
    rules::RULES,
    types::{EAST, RouteNode, SOUTH, WEST},
    work::Work,
};
use crate::geometry::{Point, Rect, bounding_box};

#[derive(Debug)]
pub(super) struct Obstacles<'r> {
    pub nodes: &'r [RouteNode],
    /// Indexes of the cards.
    pub cards: Vec<usize>,
    /// Indexes of the groups.
    pub groups: Vec<usize>,
    /// The tracks end at these bounds.
    pub bounds: Rect,
    /// Cards and titles, which lines must not cross.
    solid: RectIndex<'r>,
    /// The node that each solid rectangle belongs to.
    owners: Vec<usize>,
    group_index: RectIndex<'r>,
}

impl<'r> Obstacles<'r> {
    /// `points` extend the bounds.
    pub(super) fn new(nodes: &'r [RouteNode], points: &[Point], work: &'r Work) -> Self {
        let (groups, cards): (Vec<usize>, Vec<usize>) = (0..nodes.len()).partition(|at| nodes[*at].is_group);
        let mut solid = RectIndex::new(256.0, work);
        let mut owners = Vec::new();
        for &at in &cards {
            solid.add(nodes[at].rect);
            owners.push(at);
        }
        for &at in &groups {
            for title in &nodes[at].titles {
                solid.add(*title);
                owners.push(at);
            }
        }
        let mut group_index = RectIndex::new(1_024.0, work);
        for &at in &groups {
            group_index.add(nodes[at].rect);
        }
        let bounds = bounds_of(nodes, points);
        Self { nodes, cards, groups, bounds, solid, owners, group_index }
    }

    /// Visits the cards and titles that touch an area.
    pub(super) fn visit_solid(
        &self,
        left: f64,
        top: f64,
        right: f64,
        bottom: f64,
        mut visit: impl FnMut(&Rect, usize),
    ) {
        self.solid.visit(left, top, right, bottom, |rect, id| visit(rect, self.owners[id]));
    }

    /// Visits the groups that touch an area.
    pub(super) fn visit_groups(
        &self,
        left: f64,
        top: f64,
        right: f64,
        bottom: f64,
        mut visit: impl FnMut(&Rect, usize),
    ) {
        self.group_index.visit(left, top, right, bottom, |rect, id| visit(rect, self.groups[id]));
    }

    /// Distance from a side of a node to the nearest border; infinite if there is none within `wide_gap`.
    pub(super) fn gap(&self, node: usize, side: usize) -> f64 {
        let from = self.nodes[node].rect;
        let mut best = f64::INFINITY;
        let mut see = |rect: &Rect, owner: usize, is_group: bool| {
            if owner == node {
                return;
            }
            let (near, far) = borders_from(rect, side, &from);
            for distance in [Some(near), is_group.then_some(far)].into_iter().flatten() {
                if distance >= -0.01 && distance < best {
                    best = distance;
                }
            }
        };
        let (left, top, right, bottom) = area_beside(&from, side);
        self.visit_solid(left, top, right, bottom, |rect, owner| see(rect, owner, false));
        self.visit_groups(left, top, right, bottom, |rect, owner| see(rect, owner, true));
        best
    }

    /// How far a track can extend from a point before it gets too close to a card or title: toward greater coordinates if
    /// `is_ahead`, otherwise toward smaller ones.
    pub(super) fn reach(&self, is_vertical: bool, position: f64, from: f64, is_ahead: bool) -> f64 {
        let end = self.boundary(is_vertical, is_ahead);
        let direction = if is_ahead { 1.0 } else { -1.0 };
        let mut step = 512.0;
        let mut start = from;
        loop {
            let to = start + direction * step;
            if let Some(stop) = self.stop_between(is_vertical, position, from, (start, to), is_ahead) {
                return stop;
            }
            if if is_ahead { to >= end } else { to <= end } {
                return end;
            }
            start = to;
            step *= 2.0;
        }
    }

    fn boundary(&self, is_vertical: bool, is_ahead: bool) -> f64 {
        match (is_ahead, is_vertical) {
            (true, true) => self.bounds.bottom(),
            (true, false) => self.bounds.right(),
            (false, true) => self.bounds.y,
            (false, false) => self.bounds.x,
        }
    }

    fn stop_between(
        &self,
        is_vertical: bool,
        position: f64,
        from: f64,
        (start, to): (f64, f64),
        is_ahead: bool,
    ) -> Option<f64> {
        let clearance = RULES.tracks.clearance;
        // Slightly less than the clearance, so that tracks at exactly that distance pass.
        let reach = clearance - 0.6;
        let mut best: Option<f64> = None;
        let (low, high) = (start.min(to), start.max(to));
        let see = |rect: &Rect, _: usize| {
            let (horizontal, vertical) = ((rect.x, rect.right()), (rect.y, rect.bottom()));
            let ((near, far), (one, other)) = if is_vertical { (vertical, horizontal) } else { (horizontal, vertical) };
            if position <= one - reach || position >= other + reach {
                return;
            }
            if is_ahead && far > from {
                let stop = from.max(near - clearance);
                best = Some(best.map_or(stop, |best| best.min(stop)));
            } else if !is_ahead && near < from {
                let stop = from.min(far + clearance);
                best = Some(best.map_or(stop, |best| best.max(stop)));
            }
        };
        if is_vertical {
            self.visit_solid(position - reach, low, position + reach, high, see);
        } else {
            self.visit_solid(low, position - reach, high, position + reach, see);
        }
        best
    }
}

/// The area next to a side, as left, top, right, bottom.
fn area_beside(rect: &Rect, side: usize) -> (f64, f64, f64, f64) {
    let wide = RULES.tracks.wide_gap;
    let (left, top, right, bottom) = (rect.x, rect.y, rect.right(), rect.bottom());
    match side {
        EAST => (right, top - 4.0, right + wide, bottom + 4.0),
        WEST => (left - wide, top - 4.0, left, bottom + 4.0),
        SOUTH => (left - 4.0, bottom, right + 4.0, bottom + wide),
        _ => (left - 4.0, top - wide, right + 4.0, top),
    }
}

/// Distances from a side to the near and far borders of a rectangle.
fn borders_from(rect: &Rect, side: usize, from: &Rect) -> (f64, f64) {
    let (right, bottom) = (from.right(), from.bottom());
    match side {
        EAST => (rect.x - right, rect.x + rect.width - right),
        WEST => (from.x - rect.x - rect.width, from.x - rect.x),
        SOUTH => (rect.y - bottom, rect.y + rect.height - bottom),
        _ => (from.y - rect.y - rect.height, from.y - rect.y),
    }
}

fn bounds_of(nodes: &[RouteNode], points: &[Point]) -> Rect {
    let margin = RULES.tracks.margin;
    let points = points.iter().map(|point| Rect::from(*point));
    let all = bounding_box(nodes.iter().map(|node| node.rect).chain(points)).unwrap_or_default();
    let (left, top) = (all.x - margin, all.y - margin);
    let (right, bottom) = (all.x + all.width + margin, all.y + all.height + margin);
    Rect { x: left, y: top, width: right - left, height: bottom - top }
}
