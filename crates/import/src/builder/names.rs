//! How a component is named in its source, and which of its fields the source states.
//!
//! What a reader concludes from a key, an image or a host is weaker than what people wrote: it never replaces the value of
//! another source that states it.

use super::Draft;
use crate::{format::Format, text};

/// Formats whose types of components are guessed from images, hosts or shapes, unless a label states them.
const GUESSED_TYPES: [Format; 7] = [
    Format::Compose,
    Format::Kubernetes,
    Format::ServiceGraph,
    Format::MermaidFlowchart,
    Format::DrawIo,
    Format::Excalidraw,
    Format::Csv,
];
/// Formats whose technologies are guessed from images and protocols, unless a label states them.
const GUESSED_TECHNOLOGIES: [Format; 3] = [Format::Compose, Format::Kubernetes, Format::ServiceGraph];

/// The names of a component.
pub(super) struct Names {
    pub(super) code_name: Option<String>,
    pub(super) namespace: Option<String>,
    pub(super) inferred: Vec<&'static str>,
}

impl Names {
    /// The names of a draft with a key that is local to its file or project.
    pub(super) fn of(format: Format, draft: &Draft, key: &str) -> Self {
        let (namespace, code_name) = parts(format, key);
        let code_name = code_name.map(text::name).filter(|name| !name.is_empty());
        let mut inferred = Vec::new();
        // The keys of other formats are in lowercase.
        let is_key = |name: &str| match format {
            Format::Compose => name == draft.name,
            _ => name.eq_ignore_ascii_case(&draft.name),
        };
        if draft.has_place_name || code_name.as_deref().is_some_and(is_key) {
            inferred.push("name");
        }
        let is_marked = draft.tags.iter().any(|tag| tag.starts_with("planroom:"));
        if GUESSED_TYPES.contains(&format) && draft.explicit.is_none() && !draft.is_fixed && !is_marked {
            inferred.push("type");
        }
        if GUESSED_TECHNOLOGIES.contains(&format) && !draft.states_technology {
            inferred.push("technology");
        }
        Self {
            code_name: code_name.filter(|name| *name != draft.name),
            namespace: namespace.filter(|name| !name.is_empty() && *name != "default").map(text::name),
            inferred,
        }
    }
}

/// The namespace and the name in a key, in formats whose keys contain the name that programs use.
fn parts(format: Format, key: &str) -> (Option<&str>, Option<&str>) {
    match format {
        Format::Compose | Format::MermaidFlowchart => (None, (!key.starts_with("project:")).then_some(key)),
        // `kind/namespace/name`, and `kind:namespace/name`.
        Format::Kubernetes | Format::Backstage => match key.rsplit_once('/') {
            Some((before, name)) => (before.rsplit_once(['/', ':']).map(|(_, namespace)| namespace), Some(name)),
            None => (None, Some(key)),
        },
        Format::ServiceGraph => match key.rsplit_once('/') {
            Some((namespace, name)) => (Some(namespace), Some(name)),
            None => (None, Some(key.strip_prefix("namespace:").unwrap_or(key))),
        },
        Format::LikeC4 => (None, Some(key.rsplit_once('.').map_or(key, |(_, name)| name))),
        _ => (None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::At;

    fn names(format: Format, key: &str, name: &str) -> Names {
        Names::of(format, &Draft::new(key, name, "service", At::new(0, 1)), key)
    }

    #[test]
    fn a_name_that_is_only_the_key_is_inferred() {
        let same = names(Format::Backstage, "component:shop/pay", "pay");
        assert_eq!((same.inferred, same.code_name, same.namespace.as_deref()), (vec!["name"], None, Some("shop")));
        let titled = names(Format::Backstage, "component:default/pay", "Payments");
        assert_eq!((titled.inferred, titled.code_name.as_deref(), titled.namespace), (vec![], Some("pay"), None));
    }

    #[test]
    fn a_title_in_another_spelling_than_the_key_is_stated() {
        assert!(!names(Format::Compose, "pay", "Pay").inferred.contains(&"name"));
        assert!(names(Format::Backstage, "component:default/pay", "Pay").inferred.contains(&"name"));
    }

    #[test]
    fn types_and_technologies_of_images_are_guesses() {
        assert_eq!(names(Format::Compose, "pay", "pay").inferred, ["name", "type", "technology"]);
        let mut draft = Draft::new("pay", "pay", "service", At::new(0, 1));
        (draft.explicit, draft.states_technology) = (Some("job".into()), true);
        assert!(Names::of(Format::Compose, &draft, "pay").inferred.contains(&"name"));
        assert!(!Names::of(Format::Compose, &draft, "pay").inferred.contains(&"type"));
    }
}
