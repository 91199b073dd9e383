//! SQL of workspaces, their members, and the rows on the map.

pub(super) mod access_requests;
pub(super) mod components;
pub(super) mod decisions;
pub(super) mod impact;
pub(super) mod links;
pub(super) mod members;
pub(super) mod near;
pub(super) mod note_images;
pub(super) mod notes;
pub(super) mod personal_views;
pub(super) mod placed;
pub(super) mod processes;
pub(super) mod query;
pub(super) mod relationships;
pub(super) mod search;
pub(super) mod tables;
pub(super) mod tours;
pub(super) mod view_contents;
pub(super) mod view_lines;
pub(super) mod view_places;
pub(super) mod views;
pub(super) mod workspaces;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        core::{Reach, WorkspaceKey, page_of_rows},
        map::{notes::Note, processes::Process, tours::Tour, views::View},
        paging::list_tests::{assert_read_by_key, seeded},
    };

    #[test]
    fn a_page_of_a_long_list_reads_only_its_own_rows() {
        let conn = seeded();
        let workspace = WorkspaceKey { pk: 1, id: "w" };
        for reach in [Reach::Organization("org_1".into()), Reach::Everything] {
            assert_read_by_key("workspaces", &conn, |window| {
                workspaces::list(&conn, &reach, 1, false, window, |workspace, _| Some(workspace))
            });
        }
        assert_read_by_key("members", &conn, |window| members::list(&conn, &workspace, window));
        assert_read_by_key("links", &conn, |window| links::of_component(&conn, &workspace, "c", window));
        assert_read_by_key("notes", &conn, |window| page_of_rows::<Note>(&conn, &workspace, window));
        assert_read_by_key("views", &conn, |window| page_of_rows::<View>(&conn, &workspace, window));
        assert_read_by_key("tours", &conn, |window| page_of_rows::<Tour>(&conn, &workspace, window));
        let all = crate::domain::map::decisions::DecisionFilter::default();
        assert_read_by_key("decisions", &conn, |window| decisions::page(&conn, &workspace, &all, window));
        assert_read_by_key("processes", &conn, |window| page_of_rows::<Process>(&conn, &workspace, window));
    }
}
