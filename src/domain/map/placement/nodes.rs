//! The components of a map with their positions and their containment, and the rectangles in which they are drawn.

use std::collections::{HashMap, HashSet};

use super::geometry::{Extent, Point, Rect, bounds, card, empty_group};

/// A component.
#[derive(Debug, Clone)]
pub(in crate::domain) struct Item {
    /// Id of the component.
    pub(in crate::domain) id: String,
    /// Its position; none if it is to be placed.
    pub(in crate::domain) at: Option<Point>,
    /// Its own width and height, if set. Groups use them.
    pub(in crate::domain) own: Option<Extent>,
    /// Whether it is drawn as a group even without contents.
    pub(in crate::domain) is_group: bool,
    /// The size of its card if there is room. Only needed for components to place.
    pub(in crate::domain) card: Extent,
}

/// All components of a map.
#[derive(Debug, Clone, Default)]
pub struct Map {
    pub(super) items: Vec<Item>,
    pub(super) index: HashMap<String, usize>,
    pub(super) parent: Vec<Option<usize>>,
    pub(super) children: Vec<Vec<usize>>,
    /// Relationships other than containment, with the widths of their labels.
    pub(super) lines: Vec<(usize, usize, f64)>,
    /// Areas that are taken by something other than components.
    pub(super) obstacles: Vec<Rect>,
}

impl Map {
    /// A map with these components. `contains` are pairs of group and part; pairs that would give a component a second
    /// group, or put it into itself, are ignored: they are reported as errors elsewhere.
    pub(in crate::domain) fn new<'c>(items: Vec<Item>, contains: impl IntoIterator<Item = (&'c str, &'c str)>) -> Self {
        let index: HashMap<String, usize> = items.iter().enumerate().map(|(at, item)| (item.id.clone(), at)).collect();
        let mut parent = vec![None; items.len()];
        for (group, part) in contains {
            if let (Some(&group), Some(&part)) = (index.get(group), index.get(part)) {
                parent[part] = parent[part].or(Some(group));
            }
        }
        open_cycles(&mut parent);
        let mut children = vec![Vec::new(); items.len()];
        for (part, group) in parent.iter().enumerate() {
            if let Some(group) = *group {
                children[group].push(part);
            }
        }
        Self { items, index, parent, children, lines: Vec::new(), obstacles: Vec::new() }
    }

    /// Adds relationships: source, target, and the width of the label.
    pub(in crate::domain) fn connect<'c>(&mut self, lines: impl IntoIterator<Item = (&'c str, &'c str, f64)>) {
        let known = lines
            .into_iter()
            .filter_map(|(from, to, label)| Some((*self.index.get(from)?, *self.index.get(to)?, label)));
        self.lines.extend(known.filter(|(from, to, _)| from != to));
    }

    /// Adds areas that components are not placed over.
    pub(in crate::domain) fn block(&mut self, areas: impl IntoIterator<Item = (Point, Extent)>) {
        self.obstacles.extend(areas.into_iter().map(|(at, size)| Rect::new(at, size)));
    }

    /// The number of components.
    pub(in crate::domain) fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is a component with this id.
    pub fn has(&self, id: &str) -> bool {
        self.index.contains_key(id)
    }

    /// The ids of all components.
    pub(in crate::domain) fn ids(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(|item| item.id.as_str())
    }

    /// The number of relationships of a component, without containment.
    pub(in crate::domain) fn degree(&self, id: &str) -> usize {
        let Some(&at) = self.index.get(id) else { return 0 };
        self.lines.iter().map(|&(from, to, _)| usize::from(from == at) + usize::from(to == at)).sum()
    }

    /// Replaces components by the same with the sizes of their cards.
    pub(in crate::domain) fn set_cards(&mut self, items: impl IntoIterator<Item = Item>) {
        for item in items {
            if let Some(&at) = self.index.get(&item.id) {
                self.items[at] = item;
            }
        }
    }

    /// The position of a component.
    pub(in crate::domain) fn position(&self, id: &str) -> Option<Point> {
        self.index.get(id).and_then(|&at| self.items[at].at)
    }

    /// The components to place again when `affected` ones got a group or their first relationships: those of them that are
    /// in `movable`, and others of `movable` without relationships if everything that is around the same group, or on the
    /// whole map, is one or the other. In creation order.
    pub(in crate::domain) fn placed_with(&self, affected: &HashSet<String>, movable: &HashSet<String>) -> Vec<String> {
        let mut is_loose = vec![true; self.len()];
        for &(from, to, _) in &self.lines {
            (is_loose[from], is_loose[to]) = (false, false);
        }
        let id = |at: usize| &self.items[at].id;
        let mut again: Vec<bool> =
            (0..self.len()).map(|at| affected.contains(id(at)) && movable.contains(id(at))).collect();
        let goes = |at: usize, again: &[bool]| {
            again[at] || !self.children[at].is_empty() || (movable.contains(id(at)) && is_loose[at])
        };
        let roots: HashSet<usize> = (0..self.len()).filter(|&at| again[at]).map(|at| self.root(at)).collect();
        let mut with: Vec<usize> = Vec::new();
        if (0..self.len()).all(|at| goes(at, &again)) {
            with.extend(0..self.len());
        } else {
            let trees = roots.into_iter().map(|root| self.preorder(vec![root]));
            with.extend(trees.filter(|tree| tree.iter().all(|&at| goes(at, &again))).flatten());
        }
        for at in with {
            again[at] |= movable.contains(id(at));
        }
        (0..self.len()).filter(|&at| again[at]).map(|at| id(at).clone()).collect()
    }

    /// Removes the positions of components, with the sizes of their cards. Returns the top left corner of the area that
    /// they were drawn in.
    pub(in crate::domain) fn take_up(&mut self, items: impl IntoIterator<Item = Item>) -> Option<Point> {
        let rects = self.rects();
        let mut all = Vec::new();
        for item in items {
            if let Some(&at) = self.index.get(&item.id) {
                all.extend(rects[at]);
                self.stay(at, &rects);
                self.items[at] = Item { at: None, ..item };
            }
        }
        bounds(all).map(|all| all.corner())
    }

    /// Gives the groups around an item the position where they are drawn, which counts when they lose their contents.
    pub(super) fn stay(&mut self, part: usize, rects: &[Option<Rect>]) {
        let mut above = self.parent[part];
        while let Some(group) = above {
            let item = &mut self.items[group];
            if item.at.is_some() && item.own.is_none() {
                item.at = rects[group].map(|rect| rect.corner());
            }
            above = self.parent[group];
        }
    }

    /// The components with everything in them.
    pub(in crate::domain) fn with_contents<'i>(&self, ids: impl IntoIterator<Item = &'i str>) -> Vec<&str> {
        let roots = ids.into_iter().filter_map(|id| self.index.get(id).copied()).collect();
        let mut seen = vec![false; self.len()];
        let found = self.preorder(roots).into_iter().filter(|&at| !std::mem::replace(&mut seen[at], true));
        found.map(|at| self.items[at].id.as_str()).collect()
    }

    /// Items with everything in them, groups before their contents.
    pub(super) fn preorder(&self, mut roots: Vec<usize>) -> Vec<usize> {
        roots.reverse();
        let mut order = Vec::new();
        while let Some(at) = roots.pop() {
            order.push(at);
            roots.extend(self.children[at].iter().rev());
        }
        order
    }

    /// All items, groups before their contents.
    pub(super) fn all(&self) -> Vec<usize> {
        self.preorder((0..self.len()).filter(|&at| self.parent[at].is_none()).collect())
    }

    /// The outermost item that contains this one.
    pub(super) fn root(&self, mut at: usize) -> usize {
        while let Some(parent) = self.parent[at] {
            at = parent;
        }
        at
    }

    /// The rectangle of an item without contents.
    pub(super) fn alone(&self, at: usize) -> Option<Rect> {
        let Item { at, own, is_group, .. } = &self.items[at];
        at.map(|at| Rect::new(at, if *is_group { own.unwrap_or(empty_group()) } else { card() }))
    }

    /// The rectangle of a group around these contents. Its own position counts only with a size of its own.
    pub(super) fn around(&self, at: usize, contents: Rect) -> Rect {
        let Item { at, own, .. } = &self.items[at];
        let own = at.zip(*own).map(|(at, own)| Rect::new(at, own));
        bounds(own.into_iter().chain([contents.framed()])).unwrap_or(contents)
    }

    /// The rectangles of all items as they are drawn; none for what has no position.
    pub(super) fn rects(&self) -> Vec<Option<Rect>> {
        let mut rects: Vec<Option<Rect>> = vec![None; self.len()];
        for at in self.all().into_iter().rev() {
            let contents = bounds(self.children[at].iter().filter_map(|&part| rects[part]));
            rects[at] = contents.map_or_else(|| self.alone(at), |contents| Some(self.around(at, contents)));
        }
        rects
    }
}

/// Removes one parent from each cycle.
fn open_cycles(parent: &mut [Option<usize>]) {
    // The walk in which an item was first reached; 0 for none.
    let mut reached = vec![0; parent.len()];
    for start in 0..parent.len() {
        let walk = start + 1;
        let mut at = start;
        while reached[at] == 0 {
            reached[at] = walk;
            match parent[at] {
                Some(next) if reached[next] == walk => parent[at] = None,
                Some(next) => at = next,
                None => {}
            }
        }
    }
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    /// A map of cards at these positions, with containment and lines.
    pub(in crate::domain::map) fn map(
        items: &[(&str, Option<Point>)],
        contains: &[(&str, &str)],
        lines: &[(&str, &str)],
    ) -> Map {
        let item = |(id, at): &(&str, Option<Point>)| Item {
            id: (*id).to_owned(),
            at: *at,
            own: None,
            is_group: false,
            card: card(),
        };
        let mut map = Map::new(items.iter().map(item).collect(), contains.iter().copied());
        map.connect(lines.iter().map(|(from, to)| (*from, *to, 0.0)));
        map
    }
}

#[cfg(test)]
mod tests {
    use super::{testing::map, *};

    #[test]
    fn a_group_is_drawn_around_its_contents() {
        let mut found = map(&[("g", Some((-900.0, 7.0))), ("a", Some((20.0, 60.0))), ("b", None)], &[("g", "a")], &[]);
        assert_eq!(
            found.rects(),
            [Some(Rect::new((0.0, 0.0), (220.0, 144.0))), Some(Rect::new((20.0, 60.0), card())), None]
        );
        (found.items[0].own, found.items[0].at) = (Some((500.0, 100.0)), Some((10.0, 10.0)));
        assert_eq!(found.rects()[0], Some(Rect::new((0.0, 0.0), (510.0, 144.0))));
        found.items[0].is_group = true;
        found.items[1].at = None;
        assert_eq!(found.rects()[0], Some(Rect::new((10.0, 10.0), (500.0, 100.0))), "an empty group has its own size");
    }

    fn parent<'m>(map: &'m Map, id: &str) -> Option<&'m str> {
        map.parent[map.index[id]].map(|group| map.items[group].id.as_str())
    }

    #[test]
    fn containment_that_is_no_forest_is_ignored() {
        let names: Vec<(&str, Option<Point>)> = ["a", "b", "c", "d"].map(|id| (id, None)).to_vec();
        let found = map(&names, &[("a", "b"), ("b", "c"), ("c", "a"), ("d", "b"), ("d", "d"), ("x", "a")], &[]);
        assert_eq!(found.all().len(), 4);
        assert_eq!((parent(&found, "b"), parent(&found, "c")), (None, Some("b")), "a cycle is opened at one place");
        assert_eq!(found.with_contents(["d"]), ["d"]);
    }
}
