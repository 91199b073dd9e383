//! The layered arrangement of items: from left to right in the direction of their lines, with few crossings.

use super::{
    geometry::{Extent, Point, block_gap, node_gap, snap, up},
    ranks::ranks,
};

/// Sweeps to reduce crossings; more hardly help.
const ORDER_SWEEPS: usize = 12;
/// Sweeps to straighten lines.
const STRAIGHTEN_SWEEPS: usize = 8;
/// Height that is kept free for a line that passes through a layer.
const PASSING: f64 = 20.0;
/// Lines over more than this number of layers in total are not given a way of their own.
const MAX_PASSING: usize = 6_000;
/// Items without lines per row.
const ROW: usize = 6;

/// Positions of items relative to the top left corner, and the size of the whole.
pub(super) struct Arrangement {
    pub(super) positions: Vec<Point>,
    pub(super) size: Extent,
}

/// Arranges items of these sizes. `gap` is the distance between layers.
pub(super) fn arrange(sizes: &[Extent], lines: &[(usize, usize)], gap: f64) -> Arrangement {
    let mut lines: Vec<(usize, usize)> = lines.iter().copied().filter(|(from, to)| from != to).collect();
    lines.sort_unstable();
    lines.dedup();
    let mut parts: Vec<(Vec<usize>, Arrangement)> = Vec::new();
    let mut alone = Vec::new();
    for members in connected(sizes.len(), &lines) {
        if let [item] = members[..] {
            alone.push(item);
            continue;
        }
        let mut place = vec![0; sizes.len()];
        for (at, member) in members.iter().enumerate() {
            place[*member] = at;
        }
        // The lines of a part are contiguous only by their members, and parts are few: each line is visited once per part.
        let is_member: std::collections::HashSet<usize> = members.iter().copied().collect();
        let own = lines.iter().filter(|(from, _)| is_member.contains(from));
        let own: Vec<_> = own.map(|(from, to)| (place[*from], place[*to])).collect();
        let of: Vec<Extent> = members.iter().map(|&member| sizes[member]).collect();
        parts.push((members, part(&of, &own, gap)));
    }
    if !alone.is_empty() {
        let of: Vec<Extent> = alone.iter().map(|&item| sizes[item]).collect();
        parts.push((alone, rows(&of)));
    }
    pack(sizes.len(), parts)
}

/// The sets of connected items, each in order, by their first items.
fn connected(count: usize, lines: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut beside = vec![Vec::new(); count];
    for &(from, to) in lines {
        beside[from].push(to);
        beside[to].push(from);
    }
    let mut seen = vec![false; count];
    let mut found = Vec::new();
    for start in 0..count {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let (mut members, mut next) = (vec![start], vec![start]);
        while let Some(item) = next.pop() {
            for &other in &beside[item] {
                if !std::mem::replace(&mut seen[other], true) {
                    members.push(other);
                    next.push(other);
                }
            }
        }
        members.sort_unstable();
        found.push(members);
    }
    found
}

/// Arranges items without lines in rows.
fn rows(sizes: &[Extent]) -> Arrangement {
    let columns = if sizes.len() <= ROW { sizes.len() } else { ROW.max((sizes.len() * 3 / 2).isqrt()) };
    let (mut positions, mut size, mut y) = (Vec::with_capacity(sizes.len()), (0.0_f64, 0.0_f64), 0.0);
    for row in sizes.chunks(columns.max(1)) {
        let mut x = 0.0;
        for item in row {
            positions.push((x, y));
            size = (size.0.max(x + item.0), size.1.max(y + item.1));
            x += up(item.0) + node_gap();
        }
        y += up(row.iter().fold(0.0, |most, item| item.1.max(most))) + node_gap();
    }
    Arrangement { positions, size }
}

/// Puts parts next to each other, in rows of similar width.
fn pack(count: usize, parts: Vec<(Vec<usize>, Arrangement)>) -> Arrangement {
    let area: f64 = parts.iter().map(|(_, part)| (part.size.0 + block_gap()) * (part.size.1 + block_gap())).sum();
    let widest = parts.iter().fold(0.0_f64, |most, (_, part)| most.max(part.size.0));
    let width = widest.max((area * 1.8).sqrt());
    let mut positions = vec![(0.0, 0.0); count];
    let (mut x, mut y, mut row, mut all) = (0.0, 0.0, 0.0_f64, (0.0_f64, 0.0_f64));
    for (members, part) in parts {
        if x > 0.0 && x + part.size.0 > width {
            (x, y, row) = (0.0, y + up(row) + block_gap(), 0.0);
        }
        for (member, position) in members.into_iter().zip(part.positions) {
            positions[member] = (x + position.0, y + position.1);
        }
        all = (all.0.max(x + part.size.0), all.1.max(y + part.size.1));
        row = row.max(part.size.1);
        x += up(part.size.0) + block_gap();
    }
    Arrangement { positions, size: all }
}

/// An item of a layer: an item of the map, or the place where a line passes.
struct Cell {
    item: Option<usize>,
    height: f64,
    /// Cells of the previous and of the next layer that lines lead to.
    before: Vec<usize>,
    after: Vec<usize>,
}

/// Arranges connected items.
fn part(sizes: &[Extent], lines: &[(usize, usize)], gap: f64) -> Arrangement {
    let ranks = ranks(sizes.len(), lines);
    let (mut cells, mut layers) = cells(sizes, &ranks.of, &ranks.lines);
    order(&mut cells, &mut layers);
    let middles = heights(&cells, &layers);
    let mut positions = vec![(0.0, 0.0); sizes.len()];
    let mut x = 0.0;
    for layer in &layers {
        let mut width = 0.0_f64;
        for &cell in layer {
            if let Some(item) = cells[cell].item {
                positions[item] = (x, snap(middles[cell] - sizes[item].1 / 2.0));
                width = width.max(sizes[item].0);
            }
        }
        if width > 0.0 {
            x += up(width) + gap;
        }
    }
    let top = positions.iter().fold(f64::INFINITY, |top, position| position.1.min(top));
    let mut size = (0.0_f64, 0.0_f64);
    for (position, item) in positions.iter_mut().zip(sizes) {
        position.1 -= top;
        size = (size.0.max(position.0 + item.0), size.1.max(position.1 + item.1));
    }
    Arrangement { positions, size }
}

/// The cells of all layers: the items, and for each line a cell in every layer that it passes through.
fn cells(sizes: &[Extent], ranks: &[usize], lines: &[(usize, usize)]) -> (Vec<Cell>, Vec<Vec<usize>>) {
    let new = |item, height| Cell { item, height, before: Vec::new(), after: Vec::new() };
    let mut cells: Vec<Cell> = sizes.iter().enumerate().map(|(item, size)| new(Some(item), size.1)).collect();
    let mut layers = vec![Vec::new(); ranks.iter().max().map_or(0, |last| last + 1)];
    for (item, rank) in ranks.iter().enumerate() {
        layers[*rank].push(item);
    }
    let mut passing = 0;
    for &(from, to) in lines {
        let (first, last) = (ranks[from], ranks[to]);
        passing += last - first - 1;
        if passing > MAX_PASSING && last - first > 1 {
            continue;
        }
        let mut previous = from;
        for layer in &mut layers[first + 1..last] {
            let cell = cells.len();
            cells.push(new(None, PASSING));
            layer.push(cell);
            cells[previous].after.push(cell);
            cells[cell].before.push(previous);
            previous = cell;
        }
        cells[previous].after.push(to);
        cells[to].before.push(previous);
    }
    (cells, layers)
}

/// Orders the cells of each layer by the middle of the cells that they are connected with, from left to right and back, and
/// keeps the order with the fewest crossings.
fn order(cells: &mut [Cell], layers: &mut Vec<Vec<usize>>) {
    let mut place = vec![0.0; cells.len()];
    let number = |layer: &[usize], place: &mut [f64]| {
        for (at, &cell) in (0_u32..).zip(layer) {
            place[cell] = f64::from(at);
        }
    };
    for layer in layers.iter() {
        number(layer, &mut place);
    }
    let mut best = (crossings(cells, layers, &place), layers.clone());
    for sweep in 0..ORDER_SWEEPS {
        if best.0 == 0 {
            break;
        }
        let forward = sweep % 2 == 0;
        let count = layers.len();
        for step in 1..count {
            let layer = &mut layers[if forward { step } else { count - 1 - step }];
            let wanted = |cell: usize| {
                let others = if forward { &cells[cell].before } else { &cells[cell].after };
                mean(others.iter().map(|&other| place[other])).unwrap_or(place[cell])
            };
            let mut keyed: Vec<(f64, usize)> = layer.iter().map(|&cell| (wanted(cell), cell)).collect();
            keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
            *layer = keyed.into_iter().map(|(_, cell)| cell).collect();
            number(layer, &mut place);
        }
        let now = crossings(cells, layers, &place);
        if now < best.0 {
            best = (now, layers.clone());
        }
    }
    *layers = best.1;
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    (count > 0.0).then(|| sum / count)
}

/// The number of crossings between neighboring layers: pairs of lines whose ends are in opposite orders.
fn crossings(cells: &[Cell], layers: &[Vec<usize>], place: &[f64]) -> u64 {
    let mut total = 0;
    for layer in layers {
        let mut ends: Vec<(f64, f64)> = Vec::new();
        for &cell in layer {
            ends.extend(cells[cell].after.iter().map(|&other| (place[cell], place[other])));
        }
        ends.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let targets: Vec<f64> = ends.into_iter().map(|(_, target)| target).collect();
        total += inversions(targets).1;
    }
    total
}

/// Sorts values, and counts the pairs in descending order.
fn inversions(mut values: Vec<f64>) -> (Vec<f64>, u64) {
    if values.len() < 2 {
        return (values, 0);
    }
    let second = values.split_off(values.len() / 2);
    let ((first, a), (second, b)) = (inversions(values), inversions(second));
    let (mut merged, mut count) = (Vec::with_capacity(first.len() + second.len()), a + b);
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    while let (Some(one), Some(other)) = (first.peek(), second.peek()) {
        if one <= other {
            merged.extend(first.next());
        } else {
            count += first.len() as u64;
            merged.extend(second.next());
        }
    }
    merged.extend(first);
    merged.extend(second);
    (merged, count)
}

/// The vertical middles of the cells: as close as possible to the cells that they are connected with, in the order of the
/// layer and without overlaps.
fn heights(cells: &[Cell], layers: &[Vec<usize>]) -> Vec<f64> {
    let apart = |one: usize, other: usize| {
        let gap = match (cells[one].item, cells[other].item) {
            (Some(_), Some(_)) => node_gap(),
            (None, None) => 0.0,
            _ => PASSING,
        };
        // Positions are rounded to the grid, by up to half of it at each.
        f64::midpoint(up(cells[one].height), up(cells[other].height)) + gap
    };
    let mut middles = vec![0.0; cells.len()];
    for layer in layers {
        let mut y = 0.0;
        for pair in layer.windows(2) {
            y += apart(pair[0], pair[1]);
            middles[pair[1]] = y;
        }
        for &cell in layer {
            middles[cell] -= y / 2.0;
        }
    }
    for sweep in 0..STRAIGHTEN_SWEEPS {
        for step in 0..layers.len() {
            let layer = &layers[if sweep % 2 == 0 { step } else { layers.len() - 1 - step }];
            let wanted: Vec<f64> = layer
                .iter()
                .map(|&cell| {
                    let both = cells[cell].before.iter().chain(&cells[cell].after);
                    let (ahead, behind) = (&cells[cell].before, &cells[cell].after);
                    let side = if sweep % 2 == 0 { ahead } else { behind };
                    // The last sweeps take both sides into account.
                    let near = if sweep + 2 < STRAIGHTEN_SWEEPS && !side.is_empty() {
                        mean(side.iter().map(|&other| middles[other]))
                    } else {
                        mean(both.map(|&other| middles[other]))
                    };
                    near.unwrap_or(middles[cell])
                })
                .collect();
            let mut offsets = vec![0.0; layer.len()];
            for at in 1..layer.len() {
                offsets[at] = offsets[at - 1] + apart(layer[at - 1], layer[at]);
            }
            let free: Vec<f64> = wanted.iter().zip(&offsets).map(|(wanted, offset)| wanted - offset).collect();
            for ((&cell, at), offset) in layer.iter().zip(ascending(&free)).zip(offsets) {
                middles[cell] = at + offset;
            }
        }
    }
    middles
}

/// The ascending values with the smallest squared differences from `wanted`: neighbors in the wrong order get their mean.
fn ascending(wanted: &[f64]) -> Vec<f64> {
    let mut pools: Vec<(f64, u32)> = Vec::with_capacity(wanted.len());
    for &value in wanted {
        let mut pool = (value, 1);
        while let Some(&(mean, count)) = pools.last()
            && mean > pool.0
        {
            pools.pop();
            let sum = mean * f64::from(count) + pool.0 * f64::from(pool.1);
            pool = (sum / f64::from(count + pool.1), count + pool.1);
        }
        pools.push(pool);
    }
    pools.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count as usize)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CARD: Extent = (180.0, 64.0);

    #[test]
    fn a_chain_is_a_straight_row() {
        let found = arrange(&[CARD; 3], &[(0, 1), (1, 2)], 100.0);
        assert_eq!(found.positions, [(0.0, 0.0), (280.0, 0.0), (560.0, 0.0)]);
        assert_eq!(found.size, (740.0, 64.0));
    }

    #[test]
    fn items_without_lines_are_in_rows_of_six() {
        let found = arrange(&[CARD; 8], &[], 100.0);
        assert_eq!(found.positions[..2], [(0.0, 0.0), (240.0, 0.0)]);
        assert_eq!(found.positions[5..], [(1_200.0, 0.0), (0.0, 140.0), (240.0, 140.0)]);
    }

    #[test]
    fn lines_that_need_not_cross_do_not_cross() {
        // Two columns connected in opposite orders.
        let found = arrange(&[CARD; 6], &[(0, 5), (1, 4), (2, 3), (0, 4), (1, 3)], 100.0);
        let y = |item: usize| found.positions[item].1;
        assert!(y(0) < y(1) && y(1) < y(2) && y(5) < y(4) && y(4) < y(3), "{:?}", found.positions);
    }

    #[test]
    fn crossings_are_counted() {
        assert_eq!(inversions(vec![3.0, 1.0, 2.0, 2.0]).1, 3);
        assert_eq!(ascending(&[3.0, 1.0, 5.0]), [2.0, 2.0, 5.0]);
    }

    proptest! {
        #[test]
        fn items_never_overlap(
            sizes in prop::collection::vec((1.0..400.0_f64, 1.0..300.0_f64), 1..30),
            lines in prop::collection::vec((0..30_usize, 0..30_usize), 0..60),
        ) {
            let lines: Vec<_> =
                lines.into_iter().map(|(from, to)| (from % sizes.len(), to % sizes.len())).collect();
            let found = arrange(&sizes, &lines, 100.0);
            for (one, (a, size)) in found.positions.iter().zip(&sizes).enumerate() {
                prop_assert!(a.0 >= 0.0 && a.1 >= 0.0, "{a:?}");
                prop_assert!(a.0 + size.0 <= found.size.0 + 0.1 && a.1 + size.1 <= found.size.1 + 0.1);
                for (b, other) in found.positions.iter().zip(&sizes).skip(one + 1) {
                    let apart = a.0 + size.0 <= b.0 || b.0 + other.0 <= a.0 || a.1 + size.1 <= b.1 || b.1 + other.1 <= a.1;
                    prop_assert!(apart, "{a:?} {size:?} and {b:?} {other:?}");
                }
            }
        }
    }
}
