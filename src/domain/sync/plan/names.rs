//! Which component of a map a component of a source may be: equal names in another spelling, and fitting types.

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

/// Types that different tools use for the same thing.
const FITTING: [&[&str]; 4] = [
    &[
        "service",
        "web-app",
        "mobile-app",
        "desktop-app",
        "api",
        "gateway",
        "function",
        "job",
        "component",
        "library",
        "system",
        "external-system",
        "identity-provider",
        "data-pipeline",
        "ml-model",
    ],
    &["database", "cache", "queue", "topic", "storage", "search-index"],
    &["group", "domain", "system", "cluster", "network", "host", "capability"],
    &["person"],
];

/// Whether components of these types can be the same.
pub(super) fn fits(a: &str, b: &str) -> bool {
    a == b || FITTING.iter().any(|types| types.contains(&a) && types.contains(&b))
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
    fn a_database_is_no_service() {
        assert!(fits("service", "web-app") && fits("system", "group") && fits("queue", "topic"));
        assert!(!fits("service", "database") && !fits("person", "service"));
    }
}
