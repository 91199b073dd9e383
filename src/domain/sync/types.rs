//! Types of relationships that say the same more or less exactly.

/// Types that say how a component uses another one.
const EXACT: [&str; 6] = ["calls", "reads", "writes", "publishes", "subscribes", "authenticates-with"];

/// How exactly a type says what two components have to do with each other; none if it says something else.
fn exactness(type_id: &str) -> Option<u8> {
    match type_id {
        "related-to" => Some(0),
        "depends-on" | "uses" => Some(1),
        exact if EXACT.contains(&exact) => Some(2),
        _ => None,
    }
}

/// The order of types, the most exact ones first.
pub(super) fn vagueness(type_id: &str) -> u8 {
    match exactness(type_id) {
        None | Some(2) => 0,
        Some(exactness) => 2 - exactness,
    }
}

/// Whether a relationship of the type `a` says everything that one of the type `b` says, and more.
pub(super) fn is_more_exact(a: &str, b: &str) -> bool {
    matches!((exactness(a), exactness(b)), (Some(a), Some(b)) if a > b)
}

/// Whether a relationship of the type `a` satisfies a source that has one of the type `b`.
pub(super) fn satisfies(a: &str, b: &str) -> bool {
    let is_as_vague = matches!((exactness(a), exactness(b)), (Some(1), Some(1)));
    a == b || is_as_vague || is_more_exact(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_satisfies_a_dependency_and_not_the_other_way_around() {
        assert!(satisfies("calls", "depends-on") && satisfies("uses", "depends-on") && satisfies("reads", "reads"));
        assert!(!satisfies("depends-on", "calls") && !satisfies("reads", "calls") && !satisfies("contains", "uses"));
        assert!(is_more_exact("writes", "uses") && !is_more_exact("uses", "depends-on"));
    }
}
