//! SQL of organizations, their members and invitations.

pub(super) mod invitations;
pub(super) mod leaving;
pub(super) mod members;
pub(super) mod organizations;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::paging::list_tests::{assert_read_by_key, seeded};

    #[test]
    fn a_page_of_a_long_list_reads_only_its_own_rows() {
        let conn = seeded();
        assert_read_by_key("organization members", &conn, |window| members::list(&conn, "org_1", window));
        assert_read_by_key("invitations", &conn, |window| invitations::list(&conn, "org_1", 1, window));
    }
}
