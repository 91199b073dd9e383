//! SQL of past states and named versions.

pub(super) mod history;
pub(super) mod verify;
pub(super) mod versions;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::paging::list_tests::{assert_read_by_key, seeded};

    #[test]
    fn a_page_of_a_long_list_reads_only_its_own_rows() {
        let conn = seeded();
        assert_read_by_key("versions", &conn, |window| versions::list(&conn, 1, window));
    }
}
