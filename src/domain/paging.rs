//! Pagination: pages are read by key in SQL, so that a page costs no more than its own rows.

#[cfg(test)]
pub(in crate::domain) mod list_tests;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use rusqlite::{Connection, Params, Row};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    db::sql,
    describe::IntoParams,
    error::{Error, Problem, Result},
};

/// Maximum number of items per page.
const MAX_LIMIT: usize = 1_000;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_LIMIT == 1_000);

/// The part of a list to return. Without parameters, the whole list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Paging {
    /// Maximum number of items to return, 1 to 1,000. Default: all.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// `nextCursor` of the previous page of the same list. Requires `limit`.
    #[param(max_length = 2000)]
    cursor: Option<String>,
}

/// A page of a list.
#[derive(Debug)]
pub struct Page<T> {
    /// Items on the page.
    pub items: Vec<T>,
    /// Cursor of the next page; none on the last page.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// Converts the items of the page.
    pub fn try_map<U>(self, map: impl FnMut(T) -> Result<U>) -> Result<Page<U>> {
        let items = self.items.into_iter().map(map).collect::<Result<_>>()?;
        Ok(Page { items, next_cursor: self.next_cursor })
    }
}

impl Paging {
    /// The rows of `list` on the requested page. A cursor contains the name of its list; a cursor of another list is
    /// rejected.
    pub(in crate::domain) fn window<K: Key>(&self, list: &'static str) -> Result<Window<K>> {
        let limit = match (self.limit, &self.cursor) {
            (None, None) => None,
            (None, Some(_)) => return Err(Error::invalid("limit", Problem::required(" with `cursor`"))),
            (Some(limit @ 1..=MAX_LIMIT), _) => Some(limit),
            (Some(_), _) => return Err(Error::invalid("limit", Problem::range(1, MAX_LIMIT))),
        };
        let after = match &self.cursor {
            None => K::START,
            Some(cursor) => key_in(cursor, list).ok_or_else(|| {
                let text = "must be the `nextCursor` of the previous page of this list; omit it to read the first page";
                Error::invalid("cursor", text)
            })?,
        };
        Ok(Window { list, after, limit })
    }
}

/// The rows of a page: those after a key, in key order.
#[derive(Debug)]
pub(in crate::domain) struct Window<K> {
    list: &'static str,
    /// Key before the first row of the page.
    pub(in crate::domain) after: K,
    limit: Option<usize>,
}

impl<K: Key> Window<K> {
    /// All rows.
    pub(in crate::domain) fn whole() -> Self {
        Self { list: "", after: K::START, limit: None }
    }

    /// Number of rows to read, for `LIMIT` in SQL: one more than the page size, which shows whether another page
    /// follows. Negative: all rows.
    pub(in crate::domain) fn rows(&self) -> i64 {
        self.limit.map_or(-1, |limit| i64::try_from(limit).map_or(i64::MAX, |limit| limit + 1))
    }

    /// Builds the page from the rows that were read, each with its key.
    pub(in crate::domain) fn page<T>(&self, mut rows: Vec<(K, T)>) -> Result<Page<T>> {
        let mut next_cursor = None;
        if let Some(limit) = self.limit.filter(|limit| rows.len() > *limit) {
            rows.truncate(limit);
            let last = rows.last().map(|(key, _)| serde_json::to_vec(&(self.list, key))).transpose()?;
            next_cursor = last.map(|text| URL_SAFE_NO_PAD.encode(text));
        }
        Ok(Page { items: rows.into_iter().map(|(_, item)| item).collect(), next_cursor })
    }
}

/// Reads a page of the rows of `sql`, which contains the condition, order, and limit of `window`. `read` returns each
/// row with its key.
pub(in crate::domain) fn page<K: Key, T>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
    window: &Window<K>,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<(K, T)>,
) -> Result<Page<T>> {
    window.page(sql::all(conn, sql, params, read)?)
}

/// Sort key of a list, as in `ORDER BY`. Unique within the list.
pub(in crate::domain) trait Key: Serialize + DeserializeOwned {
    /// A key before all rows.
    const START: Self;
}

impl Key for i64 {
    const START: Self = Self::MIN;
}

/// A time or position, and the row number.
impl Key for (i64, i64) {
    const START: Self = (i64::MIN, i64::MIN);
}

/// A position, and the row id.
impl Key for (i64, String) {
    const START: Self = (i64::MIN, String::new());
}

/// A kind, and the key of the row.
impl Key for (String, String) {
    const START: Self = (String::new(), String::new());
}

/// A name, and the row id.
impl Key for (String, i64) {
    const START: Self = (String::new(), i64::MIN);
}

/// An organization, a position in its list, the time of creation, and the row number.
impl Key for (String, i64, i64, i64) {
    const START: Self = (String::new(), i64::MIN, i64::MIN, i64::MIN);
}

/// Parses a cursor of `list`.
fn key_in<K: Key>(cursor: &str, list: &str) -> Option<K> {
    let text = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (name, key): (String, K) = serde_json::from_slice(&text).ok()?;
    (name == list).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a page of `rows` like `WHERE id > ? ORDER BY id LIMIT ?` in SQL.
    fn read(list: &'static str, rows: &[i64], cursor: Option<String>) -> Result<Page<i64>> {
        let window = Paging { limit: Some(2), cursor }.window::<i64>(list)?;
        let found = rows.iter().filter(|id| **id > window.after).take(usize::try_from(window.rows()).unwrap());
        window.page(found.map(|id| (*id, *id)).collect())
    }

    #[test]
    fn pages_follow_each_other_without_gap_or_repetition_while_items_are_added_and_deleted() {
        let next = |rows: &[i64], cursor| read("users", rows, cursor).unwrap();
        let first = next(&[1, 2, 3, 4, 5], None);
        assert_eq!(first.items, [1, 2]);
        assert_eq!(next(&[2, 3, 4, 5], first.next_cursor.clone()).items, [3, 4], "an item before the page was deleted");
        assert_eq!(next(&[1, 3, 4, 5], first.next_cursor.clone()).items, [3, 4], "the last item was deleted");
        assert!(next(&[], first.next_cursor.clone()).items.is_empty());
        let last = next(&[1, 2, 3, 4], first.next_cursor);
        assert_eq!((last.items, last.next_cursor), (vec![3, 4], None));
    }

    #[test]
    fn without_a_limit_the_list_is_whole() {
        let window = Paging::default().window::<i64>("users").unwrap();
        assert_eq!(window.rows(), -1);
        let page = window.page(vec![(1, 1), (2, 2), (3, 3)]).unwrap();
        assert_eq!((page.items, page.next_cursor), (vec![1, 2, 3], None));
    }

    #[test]
    fn a_limit_or_cursor_that_is_not_usable_is_named() {
        let refused = |limit, cursor: Option<&str>| {
            let paging = Paging { limit, cursor: cursor.map(str::to_owned) };
            paging.window::<i64>("users").unwrap_err().to_string()
        };
        assert!(refused(Some(0), None).starts_with("limit: must be 1 to 1000"));
        assert!(refused(Some(1_001), None).starts_with("limit: "));
        assert!(refused(None, Some("x")).starts_with("limit: is required"));
        assert!(refused(Some(1), Some("%")).starts_with("cursor: must be the `nextCursor`"));
        let of_another_list = read("tokens", &[1, 2, 3], None).unwrap().next_cursor.unwrap();
        assert!(refused(Some(1), Some(&of_another_list)).starts_with("cursor: "));
        let with_another_key = URL_SAFE_NO_PAD.encode(r#"["users","7"]"#);
        assert!(refused(Some(1), Some(&with_another_key)).starts_with("cursor: "));
    }
}
