//! SQL of inboxes: entries that their reader can see, watches, and links that end emails.

pub(super) mod entries;
pub(super) mod links;
pub(super) mod names;
pub(super) mod watches;

/// SQL for whether the member `o` of the organization of the workspace `w` can view it. A draft has the access rules of
/// its base.
pub(super) const CAN_VIEW: &str = "EXISTS (SELECT 1 FROM workspace b
    WHERE b.pk = coalesce(w.base_pk, w.pk) AND b.deleted_at IS NULL
    AND (b.visibility = 'org' OR b.visibility = 'members' AND o.role = 'org:admin'
         OR EXISTS (SELECT 1 FROM workspace_member v WHERE v.workspace_pk = b.pk AND v.user_id = o.user_id)))";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::inbox::model::InboxFilter;
    use crate::domain::paging::list_tests::{assert_read_by_key, seeded};

    #[test]
    fn a_page_of_a_long_list_reads_only_its_own_rows() {
        let conn = seeded();
        assert_read_by_key("inbox", &conn, |window| entries::page(&conn, (1, "org_1"), InboxFilter::default(), window));
        assert_read_by_key("watches", &conn, |window| watches::page(&conn, (1, "org_1"), window));
    }
}
