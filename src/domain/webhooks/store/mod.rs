//! SQL of webhooks, their queue, and the log of deliveries.

pub(super) mod changes;
pub(super) mod deliveries;
pub(super) mod drafts;
pub(super) mod queue;
pub(super) mod webhooks;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::paging::list_tests::{assert_read_by_key, seeded};

    #[test]
    fn a_page_of_a_long_list_reads_only_its_own_rows() {
        let conn = seeded();
        assert_read_by_key("webhooks", &conn, |window| webhooks::list(&conn, "org_1", window));
        assert_read_by_key("webhook-deliveries", &conn, |window| deliveries::list(&conn, "hook1", window));
    }
}
