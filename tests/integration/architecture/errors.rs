//! Texts of the domain name no endpoint, query parameter or MCP tool: a `Remedy` says what to do.

use planroom::mcp::tools::TOOLS;

use super::{assert_none, scanner::strings, sources::files};

#[test]
fn texts_of_the_domain_name_no_endpoint_query_parameter_or_tool() {
    // Names of one word, such as `search`, are words of texts, too.
    let tools: Vec<&str> = TOOLS.iter().map(|tool| tool.name).filter(|name| name.contains('_')).collect();
    let mut wrong = Vec::new();
    for (name, text) in files("src/domain").into_iter().chain(files("src/error")) {
        let texts = strings(&text).into_iter().filter(|text| names_interface(text, &tools));
        wrong.extend(texts.map(|text| format!("{name}: {text}")));
    }
    assert_none(&wrong);
}

/// Whether a text with several words names an endpoint, a query parameter or a tool.
fn names_interface(text: &str, tools: &[&str]) -> bool {
    // `DELETE` is a word of SQL.
    const METHODS: [&str; 4] = ["GET", "POST", "PUT", "PATCH"];
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let is_parameter = |rest: &str| {
        rest.find(|c: char| !c.is_alphanumeric()).is_some_and(|end| end > 0 && rest[end..].starts_with('='))
    };
    text.contains(' ')
        && (text.contains("/api/")
            || text.split('?').skip(1).any(is_parameter)
            || words.any(|word| METHODS.contains(&word) || tools.contains(&word)))
}

#[test]
fn names_of_endpoints_parameters_and_tools_are_found_in_texts_only() {
    let found = |text: &str| names_interface(text, &["list_changes"]);
    assert!(["see GET it", "at /api/me now", "or `?force=true`", "list_changes lists them"].into_iter().all(found));
    assert!(!["/api/users/1/photo?v=2", "did you mean x?", "the list changes", "SELECT list"].into_iter().any(found));
    let code = "//! g h\n#[doc = \"a b\"] fn f() { g!(\"c d\"); } #[cfg(test)] mod tests { const X: &str = \"e f\"; }";
    assert_eq!(strings(code), ["\"c d\""]);
}
