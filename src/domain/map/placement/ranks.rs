//! The layers of an arrangement: lines that close a cycle are reversed, and each item is in the layer after those that it
//! follows.

use std::collections::HashSet;

/// Items in layers, and the lines between them, all from an earlier to a later layer.
pub(super) struct Ranks {
    pub(super) of: Vec<usize>,
    pub(super) lines: Vec<(usize, usize)>,
}

/// Puts items into layers. `lines` has no duplicates and no loops. A layer has at most about as many items as makes the
/// arrangement wider than high.
pub(super) fn ranks(count: usize, lines: &[(usize, usize)]) -> Ranks {
    let order = forward_order(count, lines);
    let mut position = vec![0; count];
    for (at, item) in order.iter().enumerate() {
        position[*item] = at;
    }
    let mut seen = HashSet::new();
    let forward = |&(from, to): &(usize, usize)| if position[from] < position[to] { (from, to) } else { (to, from) };
    let lines: Vec<_> = lines.iter().map(forward).filter(|line| seen.insert(*line)).collect();
    let (mut after, mut before) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for &(from, to) in &lines {
        after[from].push(to);
        before[to].push(from);
    }
    let mut of = vec![0_usize; count];
    for &item in &order {
        of[item] = before[item].iter().map(|&other| of[other] + 1).max().unwrap_or(0);
    }
    // What nothing leads to is moved next to what it leads to.
    for &item in order.iter().rev() {
        if before[item].is_empty()
            && let Some(first) = after[item].iter().map(|&other| of[other]).min()
        {
            of[item] = first.saturating_sub(1);
        }
    }
    Ranks { of: split(of), lines }
}

/// An order in which few lines lead backward: items without further outgoing lines last, those without further incoming
/// lines first, and otherwise the item with the most outgoing and the fewest incoming lines.
fn forward_order(count: usize, lines: &[(usize, usize)]) -> Vec<usize> {
    let (mut after, mut before) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for &(from, to) in lines {
        after[from].push(to);
        before[to].push(from);
    }
    let mut outgoing: Vec<usize> = after.iter().map(Vec::len).collect();
    let mut incoming: Vec<usize> = before.iter().map(Vec::len).collect();
    let mut left: Vec<bool> = vec![true; count];
    let (mut first, mut last) = (Vec::new(), Vec::new());
    let mut ends: Vec<usize> = (0..count).rev().filter(|&item| outgoing[item] == 0).collect();
    let mut starts: Vec<usize> = (0..count).rev().filter(|&item| incoming[item] == 0 && outgoing[item] > 0).collect();
    // By the surplus of outgoing lines; entries whose surplus has changed since are skipped.
    let mut others = std::collections::BinaryHeap::new();
    let surplus = |outgoing: usize, incoming: usize| outgoing.cast_signed() - incoming.cast_signed();
    others.extend((0..count).map(|item| (surplus(outgoing[item], incoming[item]), std::cmp::Reverse(item))));
    while first.len() + last.len() < count {
        let (item, is_end) = if let Some(item) = ends.pop() {
            (item, true)
        } else if let Some(item) = starts.pop() {
            (item, false)
        } else if let Some((known, std::cmp::Reverse(item))) = others.pop() {
            if known != surplus(outgoing[item], incoming[item]) {
                continue;
            }
            (item, false)
        } else {
            break;
        };
        if !std::mem::replace(&mut left[item], false) {
            continue;
        }
        if is_end {
            last.push(item);
        } else {
            first.push(item);
        }
        for &other in &after[item] {
            incoming[other] -= 1;
            if left[other] {
                if incoming[other] == 0 {
                    starts.push(other);
                }
                others.push((surplus(outgoing[other], incoming[other]), std::cmp::Reverse(other)));
            }
        }
        for &other in &before[item] {
            outgoing[other] -= 1;
            if left[other] {
                if outgoing[other] == 0 {
                    ends.push(other);
                }
                others.push((surplus(outgoing[other], incoming[other]), std::cmp::Reverse(other)));
            }
        }
    }
    first.extend(last.into_iter().rev());
    first
}

/// Divides layers with too many items into several.
fn split(of: Vec<usize>) -> Vec<usize> {
    /// Layers with fewer items are not divided.
    const MIN_ITEMS: usize = 6;
    let most = MIN_ITEMS.max((of.len() * 2).isqrt());
    let layers = of.iter().max().map_or(0, |last| last + 1);
    let mut sizes = vec![0_usize; layers];
    for &rank in &of {
        sizes[rank] += 1;
    }
    let mut starts = Vec::with_capacity(layers);
    let mut next = 0;
    for size in &sizes {
        starts.push(next);
        next += size.div_ceil(most).max(1);
    }
    let mut seen = vec![0_usize; layers];
    of.into_iter()
        .map(|rank| {
            let parts = sizes[rank].div_ceil(most).max(1);
            let at = seen[rank] * parts / sizes[rank];
            seen[rank] += 1;
            starts[rank] + at
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_in_a_layer_after_those_that_it_follows() {
        let found = ranks(5, &[(0, 1), (1, 2), (0, 2), (3, 2), (2, 4)]);
        assert_eq!(found.of, [0, 1, 2, 1, 3]);
    }

    #[test]
    fn a_cycle_is_opened_at_one_line() {
        let found = ranks(3, &[(0, 1), (1, 2), (2, 0)]);
        assert_eq!(found.of, [0, 1, 2]);
        assert_eq!(found.lines.len(), 3);
        let pair = ranks(2, &[(0, 1), (1, 0)]);
        assert_eq!((pair.of, pair.lines), (vec![0, 1], vec![(0, 1)]));
    }

    #[test]
    fn a_layer_with_many_items_is_divided() {
        let lines: Vec<_> = (1..=40).map(|item| (0, item)).collect();
        let found = ranks(41, &lines);
        let last = *found.of.iter().max().unwrap();
        assert_eq!(last, 5);
        for rank in 1..=last {
            assert_eq!(found.of.iter().filter(|of| **of == rank).count(), 8);
        }
    }
}
