//! Pages of a list.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::{Error, Result};

/// Items on the largest page.
const MOST: usize = 1_000;

/// Which part of a list to answer. Without parameters, all of it.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Paging {
    /// Number of items to answer at most, 1 to 1,000. All when absent.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// `nextCursor` of the page before. Needs `limit`.
    #[param(max_length = 400)]
    cursor: Option<String>,
}

/// A part of a list.
#[derive(Debug)]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// Where the next page begins; none at the end of the list.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// The same page with other items.
    pub fn try_map<U>(self, map: impl FnMut(T) -> Result<U>) -> Result<Page<U>> {
        let items = self.items.into_iter().map(map).collect::<Result<_>>()?;
        Ok(Page { items, next_cursor: self.next_cursor })
    }
}

impl Paging {
    /// The part of `items` that was asked for. `key` names an item among them, so that a page begins behind the last item
    /// of the one before it, even when items before that have come or gone.
    pub fn page<T, K: ToString>(&self, mut items: Vec<T>, key: impl Fn(&T) -> K) -> Result<Page<T>> {
        let limit = match (self.limit, &self.cursor) {
            (None, None) => return Ok(Page { items, next_cursor: None }),
            (None, Some(_)) => return Err(Error::invalid("limit", "is required with `cursor`")),
            (Some(limit @ 1..=MOST), _) => limit,
            (Some(_), _) => return Err(Error::invalid("limit", format!("must be 1 to {MOST}"))),
        };
        let from = match &self.cursor {
            None => 0,
            Some(cursor) => {
                let (place, last) = read(cursor).ok_or_else(|| {
                    Error::invalid("cursor", "must be the `nextCursor` of the page before; leave it out to begin")
                })?;
                let is_last = |item: &T| key(item).to_string() == last;
                let at = items.iter().position(is_last).map(|at| at + 1);
                // The item itself has gone: what followed it moved up.
                at.unwrap_or(place.saturating_sub(1)).min(items.len())
            }
        };
        let mut rest = items.split_off(from);
        let has_more = rest.len() > limit;
        rest.truncate(limit);
        let last = rest.last().filter(|_| has_more).map(&key);
        let next_cursor = last.map(|last| URL_SAFE_NO_PAD.encode(format!("{}:{}", from + limit, last.to_string())));
        Ok(Page { items: rest, next_cursor })
    }
}

/// The number of items up to the last one of a page, and the key of that one.
fn read(cursor: &str) -> Option<(usize, String)> {
    let text = String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
    let (place, last) = text.split_once(':')?;
    Some((place.parse().ok()?, last.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(items: &[u32], cursor: Option<String>) -> Page<u32> {
        Paging { limit: Some(2), cursor }.page(items.to_vec(), |item| *item).unwrap()
    }

    #[test]
    fn pages_follow_each_other_without_gap_or_repetition_while_items_come_and_go() {
        let first = next(&[1, 2, 3, 4, 5], None);
        assert_eq!(first.items, [1, 2]);
        assert_eq!(next(&[2, 3, 4, 5], first.next_cursor.clone()).items, [3, 4], "an item before the page was deleted");
        assert_eq!(next(&[0, 1, 2, 3, 4], first.next_cursor.clone()).items, [3, 4], "one was added before it");
        assert_eq!(next(&[1, 3, 4, 5], first.next_cursor.clone()).items, [3, 4], "the last item was deleted");
        assert!(next(&[], first.next_cursor.clone()).items.is_empty());
        let last = next(&[1, 2, 3, 4], first.next_cursor);
        assert_eq!((last.items, last.next_cursor), (vec![3, 4], None));
    }

    #[test]
    fn without_a_limit_the_list_is_whole() {
        let page = Paging::default().page(vec![1, 2, 3], |item| *item).unwrap();
        assert_eq!((page.items, page.next_cursor), (vec![1, 2, 3], None));
    }

    #[test]
    fn a_limit_or_cursor_that_is_not_usable_is_named() {
        let refused = |limit, cursor: Option<&str>| {
            let paging = Paging { limit, cursor: cursor.map(str::to_owned) };
            paging.page(vec![1], |item| *item).unwrap_err().to_string()
        };
        assert!(refused(Some(0), None).starts_with("limit: must be 1 to 1000"));
        assert!(refused(Some(1_001), None).starts_with("limit: "));
        assert!(refused(None, Some("x")).starts_with("limit: is required"));
        assert!(refused(Some(1), Some("%")).starts_with("cursor: must be the `nextCursor`"));
    }
}
