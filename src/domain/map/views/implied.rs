//! Relationships of components that are not in a view, between the components in it that contain them.

use serde::Serialize;

use crate::describe::ToSchema;

/// A relationship of components that are not in a view, drawn between components in the view that contain them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImpliedRelationship {
    /// Relationship id.
    #[schema(example = "web-calls-checkout")]
    pub relationship_id: String,
    /// Id of its source, or of the nearest component in the view that contains it.
    #[schema(example = "shop")]
    pub source_id: String,
    /// Id of its target, or of the nearest component in the view that contains it.
    #[schema(example = "payments")]
    pub target_id: String,
}

/// Where components are in relation to the components of a view. Takes linear time to build, whatever the depth.
pub(super) struct Nesting {
    /// For each component: itself if it is in the view, otherwise the nearest component in the view that contains it.
    nearest: Vec<Option<usize>>,
    /// For each component: its number in an order in which contents follow their group, and that after its contents.
    spans: Vec<(usize, usize)>,
}

impl Nesting {
    /// `parents` has the component that contains each component.
    pub(super) fn new(parents: &[Option<usize>], is_member: &[bool]) -> Self {
        let mut parts: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
        let mut open = Vec::new();
        for (at, parent) in parents.iter().enumerate() {
            match parent {
                Some(parent) => parts[*parent].push(at),
                None => open.push((at, false)),
            }
        }
        let mut nearest: Vec<Option<usize>> = (0..parents.len()).map(|at| is_member[at].then_some(at)).collect();
        // Components that no root contains, in a damaged database, contain nothing.
        let mut spans = vec![(usize::MAX, usize::MAX); parents.len()];
        let mut count = 0;
        while let Some((at, is_end)) = open.pop() {
            if is_end {
                spans[at].1 = count;
                continue;
            }
            spans[at].0 = count;
            count += 1;
            nearest[at] = nearest[at].or_else(|| parents[at].and_then(|parent| nearest[parent]));
            open.push((at, true));
            open.extend(parts[at].iter().map(|part| (*part, false)));
        }
        Self { nearest, spans }
    }

    /// The different components in the view that the ends of a relationship are or are in, unless one contains the other.
    pub(super) fn member_ends(&self, ends: [usize; 2]) -> Option<[usize; 2]> {
        let (source, target) = (self.nearest[ends[0]]?, self.nearest[ends[1]]?);
        let is_apart = !self.contains(source, target) && !self.contains(target, source);
        is_apart.then_some([source, target])
    }

    /// Whether a component is or contains another one.
    fn contains(&self, group: usize, at: usize) -> bool {
        let (start, end) = self.spans[group];
        group == at || (start..end).contains(&self.spans[at].0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_chain_takes_linear_time_and_a_cycle_does_not_hang() {
        const COUNT: usize = 100_000;
        // A chain of groups beside a component, of which the view shows the outermost group, one inside and the component.
        let mut parents: Vec<Option<usize>> = (0..COUNT).map(|at| at.checked_sub(1)).collect();
        parents.push(None);
        let mut is_member = vec![false; COUNT + 1];
        for at in [0, 50_000, COUNT] {
            is_member[at] = true;
        }
        let nesting = Nesting::new(&parents, &is_member);
        for at in 0..COUNT {
            let expected = if at < 50_000 { 0 } else { 50_000 };
            assert_eq!(nesting.member_ends([at, COUNT]), Some([expected, COUNT]));
            assert_eq!(nesting.member_ends([at, 0]), None, "one contains the other");
        }
        let damaged = Nesting::new(&[Some(1), Some(0), None], &[true, false, true]);
        assert_eq!(damaged.member_ends([1, 2]), None);
        assert_eq!(damaged.member_ends([0, 2]), Some([0, 2]));
    }
}
