//! The layered arrangement of components with their contents: the inside of each group is a block of its own.

use std::collections::HashMap;

use super::{
    geometry::{Extent, Point, block_gap, empty_group, framed, inset, layer_gap},
    layered::arrange,
    nodes::Map,
};

/// Without regard to lines if there are more items, because the arrangement takes longer than a write should.
const MAX_ITEMS: usize = 3_000;

/// Arranged components: positions relative to the top left corner, and the size of the whole.
pub(super) struct Block {
    pub(super) positions: Vec<(usize, Point)>,
    pub(super) size: Extent,
}

/// Arranges components with everything in them.
pub(super) fn block(map: &Map, roots: &[usize]) -> Block {
    let order = map.preorder(roots.to_vec());
    let is_root: std::collections::HashSet<usize> = roots.iter().copied().collect();
    let mut lines = if order.len() <= MAX_ITEMS { lines_by_group(map, &order, &is_root) } else { HashMap::new() };
    let mut sizes: HashMap<usize, Extent> = HashMap::new();
    let mut inside: HashMap<usize, Vec<Point>> = HashMap::new();
    let mut arranged = |members: &[usize], group: Option<usize>, sizes: &HashMap<usize, Extent>| {
        let of: Vec<Extent> = members.iter().map(|member| sizes[member]).collect();
        let (pairs, labels) = lines.remove(&group).unwrap_or_default();
        let place: HashMap<usize, usize> = members.iter().enumerate().map(|(at, member)| (*member, at)).collect();
        let pairs: Vec<_> = pairs.into_iter().map(|(from, to)| (place[&from], place[&to])).collect();
        // Groups need more distance than cards, for the lines between them.
        let has_groups = members.iter().any(|&member| !map.children[member].is_empty());
        let gap = layer_gap(labels).max(if has_groups { block_gap() } else { 0.0 });
        arrange(&of, &pairs, gap)
    };
    for &at in order.iter().rev() {
        let item = &map.items[at];
        let size = if map.children[at].is_empty() {
            if item.is_group { item.own.unwrap_or(empty_group()) } else { item.card }
        } else {
            let found = arranged(&map.children[at], Some(at), &sizes);
            let (width, height) = framed(found.size);
            inside.insert(at, found.positions);
            let own = item.own.unwrap_or((0.0, 0.0));
            (width.max(own.0), height.max(own.1))
        };
        sizes.insert(at, size);
    }
    let whole = arranged(roots, None, &sizes);
    let mut absolute: HashMap<usize, Point> = roots.iter().copied().zip(whole.positions).collect();
    for &at in &order {
        let (Some(&(x, y)), Some(parts)) = (absolute.get(&at), inside.remove(&at)) else { continue };
        for (part, position) in map.children[at].iter().zip(parts) {
            absolute.insert(*part, (x + inset().0 + position.0, y + inset().1 + position.1));
        }
    }
    Block { positions: order.iter().filter_map(|at| Some((*at, *absolute.get(at)?))).collect(), size: whole.size }
}

type Lines = (Vec<(usize, usize)>, Vec<f64>);

/// The lines between members of the same group, by group. A line between parts of two members is a line between these.
fn lines_by_group(
    map: &Map,
    order: &[usize],
    is_root: &std::collections::HashSet<usize>,
) -> HashMap<Option<usize>, Lines> {
    let mut depth: HashMap<usize, usize> = HashMap::new();
    let parent = |at: usize| if is_root.contains(&at) { None } else { map.parent[at] };
    for &at in order {
        let above = parent(at).and_then(|group| depth.get(&group).copied());
        depth.insert(at, above.map_or(0, |depth| depth + 1));
    }
    let mut found: HashMap<Option<usize>, Lines> = HashMap::new();
    for &(from, to, label) in &map.lines {
        let (Some(&above), Some(&below)) = (depth.get(&from), depth.get(&to)) else { continue };
        let lift = |mut at: usize, by: usize| {
            for _ in 0..by {
                at = parent(at).unwrap_or(at);
            }
            at
        };
        let mut ends = (lift(from, above.saturating_sub(below)), lift(to, below.saturating_sub(above)));
        while ends.0 != ends.1 && parent(ends.0) != parent(ends.1) {
            ends = (lift(ends.0, 1), lift(ends.1, 1));
        }
        if ends.0 != ends.1 {
            let (pairs, labels) = found.entry(parent(ends.0)).or_default();
            pairs.push(ends);
            labels.push(label);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{super::nodes::testing::map, *};

    #[test]
    fn groups_are_arranged_as_blocks() {
        let items = [("g", None), ("a", None), ("b", None), ("c", None), ("h", None)];
        let mut found = map(&items, &[("g", "a"), ("g", "b"), ("h", "c")], &[("a", "b"), ("b", "c"), ("g", "a")]);
        let placed = block(&found, &[0, 4]);
        for (at, position) in placed.positions {
            found.items[at].at = Some(position);
        }
        assert_eq!(found.position("g"), Some((0.0, 0.0)));
        assert_eq!(found.position("a"), Some((20.0, 60.0)));
        assert_eq!(found.position("b"), Some((300.0, 60.0)));
        let rects = found.rects();
        assert_eq!(rects[0].unwrap().extent(), (500.0, 144.0));
        assert_eq!(found.position("h"), Some((600.0, 0.0)));
        assert_eq!(placed.size, (820.0, 144.0));
        assert!(!rects[0].unwrap().overlaps(&rects[4].unwrap()));
    }
}
