//! Order values of rows: rows that stay in order keep their values, all others get values between their neighbors.

use std::ops::Range;

pub(in crate::domain) use crate::domain::core::GAP;

/// Maximum order value, within the integers that JSON numbers represent exactly.
pub(in crate::domain) const MAX_POSITION: i64 = 1 << 52;

/// Assigns order values to rows in their new order. `current` contains the current value of each row; none for new rows.
/// The longest possible sequence of rows keeps its values.
pub(in crate::domain) fn places(current: &[Option<i64>]) -> Vec<i64> {
    let mut places: Vec<Option<i64>> = vec![None; current.len()];
    for index in longest_increasing(current) {
        places[index] = current[index];
    }
    let mut start = 0;
    while let Some(offset) = places[start..].iter().position(Option::is_none) {
        let from = start + offset;
        let to = places[from..].iter().position(Option::is_some).map_or(places.len(), |length| from + length);
        let run = widened(&places, from..to);
        start = run.end;
        fill(&mut places, run);
    }
    let places: Vec<i64> = places.into_iter().flatten().collect();
    if places.iter().any(|place| place.abs() > MAX_POSITION) {
        return (1..).map(|number| number * GAP).take(places.len()).collect();
    }
    places
}

/// The indexes of a longest strictly increasing subsequence of the values.
fn longest_increasing(current: &[Option<i64>]) -> Vec<usize> {
    // For each length, the index at which an increasing subsequence of that length ends with the smallest value.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = vec![None; current.len()];
    for (index, place) in current.iter().enumerate() {
        if place.is_none() {
            continue;
        }
        let length = ends.partition_point(|end| current[*end] < *place);
        previous[index] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut indexes: Vec<usize> = std::iter::successors(ends.last().copied(), |index| previous[*index]).collect();
    indexes.reverse();
    indexes
}

/// The smallest range around `run` with enough space between the values of its neighbors. Wider than `run` only if
/// there is no gap, and then extended to one side.
fn widened(places: &[Option<i64>], run: Range<usize>) -> Range<usize> {
    let has_room = |run: &Range<usize>| {
        let left = run.start.checked_sub(1).and_then(|index| places[index]);
        let right = places.get(run.end).copied().flatten();
        match (left, right) {
            (Some(left), Some(right)) => usize::try_from(right - left - 1).is_ok_and(|room| room >= run.len()),
            _ => true,
        }
    };
    let (mut before, mut after) = (run.clone(), run);
    loop {
        if has_room(&after) {
            return after;
        }
        if has_room(&before) {
            return before;
        }
        before.start -= 1;
        after.end += 1;
        while after.end < places.len() && places[after.end].is_none() {
            after.end += 1;
        }
    }
}

/// Assigns evenly spaced values between the neighbors of a range.
fn fill(places: &mut [Option<i64>], run: Range<usize>) {
    let left = run.start.checked_sub(1).and_then(|index| places[index]);
    let right = places.get(run.end).copied().flatten();
    let count = run.len();
    for (number, index) in (1_i64..).zip(run) {
        let steps = i64::try_from(count).unwrap_or(i64::MAX) + 1;
        places[index] = Some(match (left, right) {
            (Some(left), Some(right)) => {
                let distance = i128::from(right - left) * i128::from(number) / i128::from(steps);
                left + i64::try_from(distance).unwrap_or_default()
            }
            (Some(left), None) => left + number * GAP,
            (None, Some(right)) => right - (steps - number) * GAP,
            (None, None) => number * GAP,
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn changed(current: &[Option<i64>]) -> usize {
        let places = places(current);
        assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "{places:?}");
        current.iter().zip(&places).filter(|(current, place)| current.is_some_and(|current| current != **place)).count()
    }

    #[test]
    fn a_new_row_does_not_move_other_rows() {
        let dense: Vec<Option<i64>> = (1..=2_000).map(Some).collect();
        let with = |at: usize| {
            let mut rows = dense.clone();
            rows.insert(at, None);
            changed(&rows)
        };
        assert_eq!((with(0), with(2_000)), (0, 0));
        // Without a gap, the rows up to the nearer end are moved.
        assert_eq!((with(3), with(1_990)), (3, 10));
        let spaced: Vec<Option<i64>> = (1..=2_000).map(|number| Some(number * GAP)).collect();
        let mut rows = spaced.clone();
        rows.splice(1_000..1_000, [None; 500]);
        assert_eq!(changed(&rows), 0);
        rows = spaced;
        let moved = rows.remove(3);
        rows.insert(1_500, moved);
        assert_eq!(changed(&rows), 1);
    }

    #[test]
    fn exhausted_positions_are_reassigned() {
        assert_eq!(places(&[None, Some(-MAX_POSITION), Some(0)]), [GAP, 2 * GAP, 3 * GAP]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_order_gets_increasing_positions(current in prop::collection::vec(prop::option::of(-50_i64..50), 0..60)) {
            let places = places(&current);
            prop_assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert_eq!(places.len(), current.len());
        }
    }
}
