//! The table of row kinds, held against the API: a kind takes part where the table says so, and nowhere else.

use planroom::{
    domain::kinds::{KINDS, Part, RowKind},
    rest,
};
use serde_json::Value;

use crate::permissions;

/// What a list of rows of a kind is called in answers.
fn plural(name: &str) -> String {
    match name {
        "person" => "people".into(),
        "process" => "processes".into(),
        "team-member" => "teamMembers".into(),
        name => format!("{name}s"),
    }
}

/// Whether a schema of the document has a list of rows of the kind, or the workspace itself.
fn has(document: &Value, schema: &str, kind: &RowKind) -> bool {
    let fields = &document["components"]["schemas"][schema]["properties"];
    assert!(fields.is_object(), "{schema} is in the document");
    fields.get(plural(kind.name)).is_some() || fields.get(kind.name).is_some()
}

#[test]
fn answers_have_the_kinds_that_the_table_says() {
    let document = serde_json::to_value(rest::openapi()).unwrap();
    for kind in &KINDS {
        let is = |part: Part| part == Part::Yes;
        assert_eq!(has(&document, "WorkspaceDifference", kind), is(kind.difference), "difference: {}", kind.name);
        assert_eq!(has(&document, "OperationsResult", kind), is(kind.operations), "operations: {}", kind.name);
        // Past states are bundles, with the links that the bundle of the present leaves out.
        assert_eq!(has(&document, "Bundle", kind), is(kind.past), "past states: {}", kind.name);
        assert_eq!(is(kind.past), is(kind.versions), "a version is shown as a past state: {}", kind.name);
        if kind.name != "team-member" {
            // Members of teams are within their teams.
            assert_eq!(has(&document, "Document", kind), is(kind.document), "document: {}", kind.name);
        }
        let row = &document["components"]["schemas"]["Change"]["properties"]["entity"]["description"];
        assert!(row.as_str().unwrap().contains(&format!("`{}`", kind.name)), "events: {}", kind.name);
    }
}

#[test]
fn every_kind_has_routes_in_the_permission_matrix() {
    for kind in &KINDS {
        let segment = match kind.name {
            "workspace" => "POST   /api/workspaces ".into(),
            "member" => "POST   /api/workspaces/{id}/members ".into(),
            "team-member" => "POST   /api/teams/{teamId}/members ".into(),
            "role" => "POST   /api/stakeholder-link-types ".into(),
            "person" | "team" => format!("POST   /api/{} ", plural(kind.name)),
            name => format!("/{} ", plural(name)),
        };
        assert!(permissions::matrix::MATRIX.contains(&segment), "{}", kind.name);
        assert_eq!(kind.permissions, Part::Yes, "{}", kind.name);
    }
}
