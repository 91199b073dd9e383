//! SQL of sessions, tokens, connected apps, second factors, external identities, links in emails and the waitlist.

pub(super) mod connectors;
pub(super) mod email_links;
pub(super) mod erasure;
pub(super) mod identities;
pub(super) mod sessions;
pub(super) mod tokens;
pub(super) mod two_factor;
pub(super) mod waitlist;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::paging::list_tests::{assert_read_by_key, seeded};

    #[test]
    fn a_page_of_a_long_list_reads_only_its_own_rows() {
        let conn = seeded();
        assert_read_by_key("waitlist", &conn, |window| waitlist::list(&conn, window));
        assert_read_by_key("tokens", &conn, |window| tokens::of_user(&conn, 1, window));
    }
}
