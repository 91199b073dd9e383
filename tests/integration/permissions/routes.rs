//! The table and the router know the same routes, and declare the same needs.

use std::collections::{BTreeSet, HashMap};

use axum::http::Method;
use planroom::rest::{Need, table};

use super::rows::rows;

#[test]
fn every_route_has_its_row_and_every_row_its_route() {
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
fn every_route_declares_the_need_that_its_row_shows() {
    for row in rows().iter().filter(|row| row.what == "-") {
        let route = table().into_iter().find(|route| route.method == row.method && route.path == row.path).unwrap();
        assert_eq!(route.need, need(row.path, &row.cells), "{} {}", row.method, row.path);
    }
}

/// What a row says that its route needs: the callers who tell one need from another.
fn need(path: &str, cells: &HashMap<char, char>) -> Need {
    let administers = path.starts_with("/api/admin/");
    let may = |letter: char| cells[&letter] == '+';
    match () {
        () if may('A') => Need::Public,
        () if may('N') && may('P') => Need::Me,
        // A person who signed in, whatever is active.
        () if may('N') => Need::Session,
        // What connects an organization to the outside is an admin's of it, and of the instance's while active there.
        () if may('h') && may('I') && !may('p') && !may('J') => Need::OrgKeeper,
        // Who administers the instance does so without any organization, as a script too; but only a person founds one,
        // or makes a token.
        () if may('K') || administers && may('I') => Need::Admin,
        () if may('J') && !may('E') && !may('G') => Need::Session,
        () if may('h') && !may('p') => Need::OrgAdmin,
        // What is no workspace's is the same before any of them. An instance administrator with no organization active
        // reads, and never writes.
        () if may('J') && may('p') => Need::OrgView,
        () if may('J') => Need::View,
        // A script does all but what takes a person.
        () if may('p') && may('P') => Need::Org,
        () if may('X') => Need::Session,
        () if may('E') => Need::Edit,
        () => Need::Own,
    }
}
