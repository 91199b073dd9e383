//! Cards and groups, and the rectangles of groups around their contents.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{
    card::{Content, METRICS},
    geometry::{Rect, bounding_box},
    map::Component,
};

#[derive(Deserialize)]
pub(super) struct GroupMetrics {
    pub title: f64,
    pub padding: f64,
    empty: Extent,
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct Extent {
    width: f64,
    height: f64,
}

/// The metrics of groups that the web client has too.
pub(super) static GROUPS: LazyLock<GroupMetrics> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../assets/web/src/core/scene/group.json")).expect("the file is valid")
});

/// A component as it is drawn.
#[derive(Debug)]
pub(super) struct Node<'m> {
    pub component: &'m Component,
    /// The contents of its card; `None` for groups.
    pub card: Option<Content<'m>>,
    /// The index of the group around it.
    pub parent: Option<usize>,
}

impl Node<'_> {
    pub(super) fn is_group(&self) -> bool {
        self.card.is_none()
    }

    /// Where its lines to its own contents start: the title of a group, or the whole card.
    pub(super) fn handle(&self, rect: Rect) -> Rect {
        if self.is_group() { Rect { height: GROUPS.title, ..rect } } else { rect }
    }
}

/// The rectangles of nodes whose cards have these sizes: width and height. Groups surround their contents.
pub(super) fn node_rects(nodes: &[Node<'_>], sizes: &[(f64, f64)]) -> Vec<Rect> {
    let mut rects = vec![Rect::default(); nodes.len()];
    let mut inner: Vec<Option<Rect>> = vec![None; nodes.len()];
    // Contents follow their group, so that iterating backward positions them first.
    for (at, node) in nodes.iter().enumerate().rev() {
        let Component { x, y, .. } = *node.component;
        let (width, height) = sizes[at];
        let card = Rect { x, y, width, height }.near();
        let rect = if node.is_group() { group_frame(node.component, inner[at]) } else { card };
        rects[at] = rect;
        if let Some(parent) = node.parent {
            inner[parent] = bounding_box(inner[parent].into_iter().chain([rect]));
        }
    }
    rects
}

/// The rectangle of a group: around its contents, and around the area at its position if it has a size.
fn group_frame(&Component { x, y, width, height, .. }: &Component, contents: Option<Rect>) -> Rect {
    let GroupMetrics { title, padding, empty } = &*GROUPS;
    let Some(inner) = contents else {
        let (width, height) = (width.unwrap_or(empty.width), height.unwrap_or(empty.height));
        return Rect { x, y, width, height }.near();
    };
    let around = Rect {
        x: inner.x - padding,
        y: inner.y - padding - title,
        width: (inner.width + 2.0 * padding).max(METRICS.width.min),
        height: inner.height + 2.0 * padding + title,
    };
    let own = width.zip(height).filter(|(width, height)| *width > 0.0 && *height > 0.0);
    let own = own.map(|(width, height)| Rect { x, y, width, height }.near());
    bounding_box(own.into_iter().chain([around])).unwrap_or(around)
}
