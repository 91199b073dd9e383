//! The fields at the root of a YAML file, to recognize its format without parsing it.

/// Whether a file has a field at its root: in any document, or in any item of a list there. Keys can be quoted, and the
/// whole file can be indented.
pub(super) fn has(text: &str, field: &str) -> bool {
    values(text, field).next().is_some()
}

/// The values of a field at the root that are on the same line.
pub(super) fn values<'t>(text: &'t str, field: &'t str) -> impl Iterator<Item = &'t str> {
    let mut root: Option<usize> = None;
    let mut item: Option<usize> = None;
    text.lines().filter_map(move |line| {
        let content = line.trim_start();
        if content.is_empty() || content.starts_with(['#', '%']) {
            return None;
        }
        let indent = line.len() - content.len();
        if content.starts_with("---") {
            (root, item) = (None, None);
            return None;
        }
        let root = *root.get_or_insert(indent);
        let (mut indent, mut content) = (indent, content);
        if let Some(inner) = content.strip_prefix("- ").filter(|_| indent == root) {
            let trimmed = inner.trim_start();
            indent += content.len() - trimmed.len();
            content = trimmed;
            item = Some(indent);
        }
        if indent != root && Some(indent) != item {
            return None;
        }
        let unquoted = ['"', '\''].into_iter().find_map(|quote| {
            let inner = content.strip_prefix(quote)?.strip_prefix(field)?;
            inner.strip_prefix(quote)
        });
        let value = unquoted.or_else(|| content.strip_prefix(field))?.trim_start().strip_prefix(':')?;
        let ends = value.is_empty() || value.starts_with([' ', '\t', '{']);
        ends.then(|| value.trim().trim_matches(['"', '\'']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_at_the_root_are_found_however_they_are_written() {
        for text in [
            "services:\n  a: {}",
            "services: # my services\n  a: {}",
            "# x\n\"services\":\n  a: {}",
            "'services' : {a: {}}",
            "services: {a: {}}",
            "  name: x\n  services:\n    a: {}",
            "x: 1\n---\nservices:\n",
            "- services: {}",
            "- x: 1\n  services: {}",
        ] {
            assert!(has(text, "services"), "{text}");
        }
        for text in [
            "x:\n  services:\n",
            "services",
            "services_x: 1",
            "# services:\n",
            "x: services:",
            "servicesx:",
            "",
            "services:x",
        ] {
            assert!(!has(text, "services"), "{text}");
        }
        assert_eq!(values("apiVersion: 'v1' \n", "apiVersion").collect::<Vec<_>>(), ["v1"]);
    }
}
