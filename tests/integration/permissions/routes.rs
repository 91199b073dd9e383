//! The matrix and the router have the same routes and declare the same needs.

use std::collections::{BTreeSet, HashMap};

use axum::http::Method;
use planroom::rest::{Need, table};

use super::rows::rows;

#[test]
fn routes_and_matrix_rows_correspond() {
    let name = |method: &Method, path: &str| format!("{method} {path}");
    let routes: BTreeSet<String> = table().iter().map(|route| name(&route.method, route.path)).collect();
    let rows = rows();
    let plain: Vec<String> = rows.iter().filter(|row| row.what == "-").map(|row| name(&row.method, row.path)).collect();
    assert_eq!(plain.iter().cloned().collect::<BTreeSet<_>>(), routes);
    assert_eq!(plain.len(), routes.len(), "one plain row for each route");
    for row in rows {
        assert!(routes.contains(&name(&row.method, row.path)), "{} {} ({})", row.method, row.path, row.what);
    }
}

#[test]
fn every_route_declares_the_permission_of_its_row() {
    for row in rows().iter().filter(|row| row.what == "-") {
        let route = table().into_iter().find(|route| route.method == row.method && route.path == row.path).unwrap();
        assert_eq!(route.need, need(row.path, &row.cells), "{} {}", row.method, row.path);
    }
}

/// The need of a row, derived from the callers that distinguish needs.
fn need(path: &str, cells: &HashMap<char, char>) -> Need {
    let administers = path.starts_with("/api/admin/");
    let may = |letter: char| cells[&letter] == '+';
    match () {
        () if may('A') => Need::Public,
        () if may('N') && may('P') => Need::User,
        // A signed-in user, with any active organization.
        () if may('N') => Need::Session,
        // Connections require an organization admin, or an instance administrator active there.
        () if may('h') && may('I') && !may('p') && !may('J') => Need::ConnectionManager,
        // Instance administration needs no organization and allows scripts, but organizations and tokens require
        // a session.
        () if may('K') || administers && may('I') => Need::Admin,
        () if may('J') && !may('E') && !may('G') => Need::Session,
        () if may('h') && !may('p') => Need::OrgAdmin,
        // Requests without a workspace: the workspace is irrelevant. An instance administrator without an active
        // organization can read but not write.
        () if may('J') && may('p') => Need::OrgReader,
        () if may('J') => Need::Viewer,
        // Scripts can do everything that does not require a session.
        () if may('p') && may('P') => Need::Member,
        () if may('X') => Need::Session,
        // Instance administrators read without an active organization, but a copy belongs to one.
        () if may('E') && may('V') => Need::Viewer,
        () if may('E') => Need::Editor,
        () if may('V') => Need::AccessRequester,
        () => Need::Owner,
    }
}
