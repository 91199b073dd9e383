//! Child pages and databases in the content of a page, including those in toggles, columns and lists, in document
//! order.
//!
//! The provider returns the children of one block per request and limits the rate, so the list of a long page has
//! several parts. A part ends at a [`BlockPosition`] on each level, where the next part continues: it reads the blocks on the
//! path to that position again, and no state is stored on the server.

use std::time::Instant;

use super::{
    access::ConnectionAccess,
    cursor::{BlockPosition, Cursor, MAX_DEPTH},
    error::WikiError,
    listing::{DEADLINE_MARGIN, ListEntry, Listing, MAX_REQUESTS, PAGE_SIZE, listed},
    model::{ListPage, PageBlock},
};

/// Maximum number of blocks whose children are read for a part, not counting those on the path to its beginning.
const MAX_BLOCKS: usize = 12;

/// A part of a list under construction.
struct PartialList {
    entries: Vec<ListEntry>,
    /// Number of blocks whose children may still be read.
    blocks: usize,
    /// Deadline.
    until: Instant,
}

impl PartialList {
    /// Whether the children of another block may be read. The first always may: a part without progress would repeat
    /// forever.
    fn may_read(&self) -> bool {
        self.blocks == MAX_BLOCKS || self.blocks > 0 && Instant::now() < self.until
    }
}

impl ConnectionAccess<'_> {
    /// A part of the content of a page, from the end of the previous part.
    pub(super) fn of_page(&self, id: &str, path: &[BlockPosition]) -> Result<Listing, WikiError> {
        let begun = Instant::now();
        let until = self.deadline.checked_sub(DEADLINE_MARGIN).unwrap_or(begun);
        let mut part = PartialList { entries: Vec::new(), blocks: MAX_BLOCKS, until };
        let next = self.walk(id, 0, path, &mut part)?;
        self.add_icons(&mut part.entries, begun);
        Ok(Listing { entries: part.entries, next: next.map(Cursor::Page), truncated: false })
    }

    /// Collects the children of a block. When the part is full, returns the position to continue at, from this level
    /// downward.
    fn walk(
        &self,
        id: &str,
        level: usize,
        path: &[BlockPosition],
        part: &mut PartialList,
    ) -> Result<Option<Vec<BlockPosition>>, WikiError> {
        let (here, mut inner) =
            path.split_first().map_or((BlockPosition::default(), path), |(here, rest)| (here.clone(), rest));
        let BlockPosition { mut from, mut index } = here;
        let mut parts = MAX_REQUESTS;
        loop {
            let blocks = self.blocks(id, from.as_deref())?;
            let next = blocks.next().map(str::to_owned);
            for (at, block) in blocks.results.iter().enumerate().skip(index) {
                let on_the_way = std::mem::take(&mut inner);
                if let Some(entry) = listed(block) {
                    part.entries.push(entry);
                } else if level < MAX_DEPTH && block.is_container() {
                    let stop = |rest: Vec<BlockPosition>| {
                        [vec![BlockPosition { from: from.clone(), index: at }], rest].concat()
                    };
                    if on_the_way.is_empty() {
                        if !part.may_read() {
                            return Ok(Some(stop(Vec::new())));
                        }
                        part.blocks -= 1;
                    }
                    match self.walk(&block.id, level + 1, on_the_way, part) {
                        // The block was read completely, has been deleted since, or has no readable children.
                        Ok(None) | Err(WikiError::NotFound | WikiError::Unfit(_)) => {}
                        Ok(Some(rest)) => return Ok(Some(stop(rest))),
                        // Return the entries found so far. A persistent error occurs again in the next part.
                        Err(WikiError::Unavailable { .. }) if !part.entries.is_empty() => {
                            return Ok(Some(stop(Vec::new())));
                        }
                        Err(problem) => return Err(problem),
                    }
                }
            }
            if next.is_none() {
                return Ok(None);
            }
            (from, index, inner, parts) = (next, 0, &[], parts - 1);
            // At the top level, a part ends with a response of the provider as soon as it has an entry.
            let is_full = if level == 0 { parts == 0 || !part.entries.is_empty() } else { !part.may_read() };
            if is_full {
                return Ok(Some(vec![BlockPosition { from, index }]));
            }
            if level > 0 {
                part.blocks = part.blocks.saturating_sub(1);
            }
        }
    }

    fn blocks(&self, id: &str, from: Option<&str>) -> Result<ListPage<PageBlock>, WikiError> {
        let size = PAGE_SIZE.to_string();
        let mut query = vec![("page_size", size.as_str())];
        query.extend(from.map(|from| ("start_cursor", from)));
        self.get(&["blocks", id, "children"], &query)
    }
}
