//! The pages and databases in the content of a page: those that stand in it, and those in its toggles, columns and lists,
//! in the order in which people see them.
//!
//! The provider tells the content of one block at a time, and few blocks a second, so a long page comes in several parts. A
//! part ends at a [`Spot`] on each level, from which the next one goes on: the blocks on the way there are read again, and
//! nothing is kept here meanwhile.

use std::time::Instant;

use super::{
    access::Access,
    cursor::{Cursor, DEPTH, Spot},
    listing::{Listed, Listing, PAGE_SIZE, PARTS, SPARE, listed},
    model::{Block, Page},
    problem::Problem,
};

/// How many blocks are looked into for one part of a list, beyond those on the way to where it goes on.
const BLOCKS: usize = 12;

/// What goes into one part.
struct Part {
    entries: Vec<Listed>,
    /// How many blocks may still be looked into.
    blocks: usize,
    /// Until when.
    until: Instant,
}

impl Part {
    /// Whether another block may be looked into. One always may: a part without progress would come again for ever.
    fn may_look(&self) -> bool {
        self.blocks == BLOCKS || self.blocks > 0 && Instant::now() < self.until
    }
}

impl Access<'_> {
    /// A part of what is in a page, from where the part before ended.
    pub(super) fn of_page(&self, id: &str, path: &[Spot]) -> Result<Listing, Problem> {
        let begun = Instant::now();
        let until = self.deadline.checked_sub(SPARE).unwrap_or(begun);
        let mut part = Part { entries: Vec::new(), blocks: BLOCKS, until };
        let next = self.walk(id, 0, path, &mut part)?;
        self.add_icons(&mut part.entries, begun);
        Ok(Listing { entries: part.entries, next: next.map(Cursor::Page), truncated: false })
    }

    /// Gathers what is in a block. Answers with where to go on, from this level downwards, when the part is full.
    fn walk(&self, id: &str, level: usize, path: &[Spot], part: &mut Part) -> Result<Option<Vec<Spot>>, Problem> {
        let (here, mut inner) = path.split_first().map_or((Spot::default(), path), |(here, rest)| (here.clone(), rest));
        let Spot { mut from, mut index } = here;
        let mut parts = PARTS;
        loop {
            let blocks = self.blocks(id, from.as_deref())?;
            let next = blocks.next().map(str::to_owned);
            for (at, block) in blocks.results.iter().enumerate().skip(index) {
                let on_the_way = std::mem::take(&mut inner);
                if let Some(entry) = listed(block) {
                    part.entries.push(entry);
                } else if level < DEPTH && block.is_container() {
                    let stop = |rest: Vec<Spot>| [vec![Spot { from: from.clone(), index: at }], rest].concat();
                    if on_the_way.is_empty() {
                        if !part.may_look() {
                            return Ok(Some(stop(Vec::new())));
                        }
                        part.blocks -= 1;
                    }
                    match self.walk(&block.id, level + 1, on_the_way, part) {
                        // All of it was seen; or it went away meanwhile, or cannot be looked into.
                        Ok(None) | Err(Problem::NotFound | Problem::Unfit(_)) => {}
                        Ok(Some(rest)) => return Ok(Some(stop(rest))),
                        // What was found is worth more than an error; that comes again with the next part, if it lasts.
                        Err(Problem::Unavailable { .. }) if !part.entries.is_empty() => {
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
            // The page's own content ends a part where the provider does, as soon as there is something in it.
            let is_full = if level == 0 { parts == 0 || !part.entries.is_empty() } else { !part.may_look() };
            if is_full {
                return Ok(Some(vec![Spot { from, index }]));
            }
            if level > 0 {
                part.blocks = part.blocks.saturating_sub(1);
            }
        }
    }

    fn blocks(&self, id: &str, from: Option<&str>) -> Result<Page<Block>, Problem> {
        let size = PAGE_SIZE.to_string();
        let mut query = vec![("page_size", size.as_str())];
        query.extend(from.map(|from| ("start_cursor", from)));
        self.get(&["blocks", id, "children"], &query)
    }
}
