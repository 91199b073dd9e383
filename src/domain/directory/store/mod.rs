//! SQL of people, teams, team members, roles, kinds, and the stakeholders that refer to them.

pub(super) mod component_kinds;
pub(super) mod entries;
pub(super) mod people;
pub(super) mod roles;
pub(super) mod stakeholders;
pub(super) mod teams;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::paging::list_tests::{assert_read_by_key, seeded};
    use crate::domain::{
        core::{Reach, WorkspaceKey},
        directory::model::people::Person,
    };

    #[test]
    fn a_page_of_a_long_list_reads_only_its_own_rows() {
        let conn = seeded();
        let (organization, everything) = (Reach::Organization("org_1".into()), Reach::Everything);
        let workspace = WorkspaceKey { pk: 1, id: "w" };
        assert_read_by_key("people", &conn, |window| entries::list::<Person>(&conn, &organization, window));
        assert_read_by_key("all people", &conn, |window| entries::list::<Person>(&conn, &everything, window));
        assert_read_by_key("team members", &conn, |window| teams::members(&conn, "org_1", "team", window));
        assert_read_by_key("stakeholders", &conn, |window| stakeholders::list(&conn, &workspace, window));
        assert_read_by_key("component stakeholders", &conn, |window| {
            stakeholders::of_component(&conn, &workspace, "c", window)
        });
    }
}
