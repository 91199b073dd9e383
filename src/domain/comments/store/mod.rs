//! SQL of threads, messages and settings of comments.

pub(super) mod anchors;
pub(super) mod messages;
pub(super) mod overview;
pub(super) mod people;
pub(super) mod threads;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::comments::model::ThreadFilter;
    use crate::domain::core::WorkspaceKey;
    use crate::domain::paging::list_tests::{assert_read_by_key, seeded};

    #[test]
    fn a_page_of_a_long_list_reads_only_its_own_rows() {
        let conn = seeded();
        let workspace = WorkspaceKey { pk: 1, id: "w" };
        assert_read_by_key("threads", &conn, |window| {
            threads::page(&conn, &workspace, &ThreadFilter::default(), window, |thread| Ok(Some(thread)))
        });
    }
}
