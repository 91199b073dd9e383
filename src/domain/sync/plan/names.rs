//! Which components may be the same: equal names in another spelling, and fitting types.

use crate::domain::{catalogue, sync::model::reading::ReadComponent};

/// A name without case, white space, punctuation, and the word `service` at its end.
pub(super) fn normalized(name: &str) -> String {
    let mut text: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    for ending in ["service", "svc"] {
        if text.len() > ending.len() && text.ends_with(ending) {
            text.truncate(text.len() - ending.len());
            break;
        }
    }
    text
}

/// The names of a component of a source in their normalized spelling: its display name, and its name in files.
pub(super) fn names_of(row: &ReadComponent) -> Vec<String> {
    let mut names = vec![normalized(row.name.as_str())];
    names.extend(row.code_name.as_ref().map(|name| normalized(name.as_str())));
    names.retain(|name| !name.is_empty());
    names.dedup();
    names
}

/// The name of a component in files, in its normalized spelling.
pub(super) fn code_names(row: &ReadComponent) -> Vec<String> {
    let is_inferred = row.inferred.iter().any(|field| field == "name");
    let name = row.code_name.as_ref().or(is_inferred.then_some(&row.name));
    name.map(|name| normalized(name.as_str())).into_iter().filter(|name| !name.is_empty()).collect()
}

/// Types of things that run.
const RUNNING: [&str; 13] = [
    "service",
    "web-app",
    "mobile-app",
    "desktop-app",
    "gateway",
    "function",
    "job",
    "component",
    "system",
    "external-system",
    "identity-provider",
    "data-pipeline",
    "ml-model",
];
/// Types of things that store or pass on data.
const DATA: [&str; 6] = ["database", "cache", "queue", "topic", "storage", "search-index"];
/// Types of things that contain others.
const GROUPS: [&str; 7] = [catalogue::GROUP, "domain", "system", "cluster", "network", "host", "capability"];

/// What a component is, as far as this decides whether another one can be the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nature<'t> {
    pub(super) type_id: &'t str,
    /// Whether the type is only a guess.
    pub(super) is_guess: bool,
    /// Whether the component contains others.
    pub(super) has_parts: bool,
}

/// Whether components can be the same. A database is a service for tools that only guess; APIs and people are nothing else.
pub(super) fn fits(a: Nature<'_>, b: Nature<'_>) -> bool {
    let is = |types: &[&str], one: Nature<'_>| types.contains(&one.type_id);
    let runs = |one: Nature<'_>| is(&RUNNING, one) && !(one.type_id == "system" && one.has_parts);
    let guessed =
        |one: Nature<'_>, other: Nature<'_>| runs(one) && is(&DATA, other) && (one.is_guess || other.is_guess);
    (a.type_id == b.type_id)
        || (runs(a) && runs(b))
        || (is(&DATA, a) && is(&DATA, b))
        || (is(&GROUPS, a) && is(&GROUPS, b))
        || guessed(a, b)
        || guessed(b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_name_are_equal() {
        for name in ["Order Service", "order-service", "orderservice", "ORDER_SVC", "order"] {
            assert_eq!(normalized(name), "order");
        }
        assert_eq!(normalized("Service"), "service");
        assert_ne!(normalized("orders"), normalized("order"));
    }

    #[test]
    fn a_database_is_a_service_only_for_those_who_guess() {
        let stated = |type_id| Nature { type_id, is_guess: false, has_parts: false };
        let guess = |type_id| Nature { is_guess: true, ..stated(type_id) };
        let full = |type_id| Nature { has_parts: true, ..stated(type_id) };
        assert!(fits(stated("service"), stated("web-app")) && fits(stated("system"), stated("group")));
        assert!(fits(stated("queue"), stated("topic")) && fits(guess("service"), stated("database")));
        assert!(fits(stated("system"), stated("service")) && !fits(full("system"), stated("service")));
        assert!(!fits(stated("service"), stated("database")) && !fits(stated("person"), stated("service")));
        assert!(!fits(guess("api"), stated("service")) && !fits(stated("library"), stated("service")));
    }
}
