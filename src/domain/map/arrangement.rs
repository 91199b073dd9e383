//! Components that tools move: those that they arrange, and those that they placed too early.
//!
//! A tool often creates components before their groups and relationships. A component that a call of a tool placed is
//! therefore placed again when these come in a later call of the same user, unless anyone has set its position since.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::{
    components::{self, Component},
    near,
    placement::{self, Map, Overlaps},
    places::{item_of, mark, read},
    store,
};
use crate::{
    domain::{
        catalogue,
        core::{EditTx, Reads},
        values::Coordinate,
    },
    error::{Error, FieldPath, Result},
};

/// Maximum number of components that are arranged at once.
const MAX_ARRANGED: usize = 300;

/// Places components again that earlier tool calls of the caller placed: those that `written`, the new relationships of this
/// call, put into a group, or that have no others, except those that this call placed itself. Everything else that these
/// calls placed in the same group, or on the same map if no other user has placed anything there, is placed with them as
/// long as it has no relationships, because its place had no reason either. Returns whether something was moved.
pub(in crate::domain) fn place_again(
    tx: &mut EditTx<'_>,
    written: &[(String, String, String)],
    except: &HashSet<String>,
) -> Result<bool> {
    let Some(user_id) = tx.core().actor().filter(|_| !written.is_empty()) else { return Ok(false) };
    let mut marked = store::placed::marked(tx.core().conn, tx.pk(), user_id)?;
    marked.retain(|id| !except.contains(id));
    if marked.is_empty() {
        return Ok(false);
    }
    let mut map = read(tx, true)?;
    let mut of_call: HashMap<&str, usize> = HashMap::new();
    let (contains, lines): (Vec<_>, Vec<_>) = written.iter().partition(|(_, _, kind)| kind == catalogue::CONTAINS);
    for (source, target, _) in lines {
        for end in [source.as_str(), target.as_str()] {
            *of_call.entry(end).or_default() += 1;
        }
    }
    let first = of_call.iter().filter(|(id, count)| map.degree(id) == **count).map(|(id, _)| (*id).to_owned());
    let affected: HashSet<String> = contains.into_iter().map(|(_, part, _)| part.clone()).chain(first).collect();
    if affected.is_disjoint(&marked) {
        return Ok(false);
    }
    let again = map.placed_with(&affected, &marked);
    let rows = again.iter().map(|id| components::find(tx, id)).collect::<Result<Vec<_>>>()?;
    let origin = map.take_up(rows.iter().map(|row| item_of(row, None)));
    placement::place(&mut map, origin);
    let moved = move_all(tx, &rows, &map)?;
    mark(tx, moved.iter().map(|(id, ..)| id.as_str()))?;
    Ok(!moved.is_empty())
}

/// Moves components to their positions on `map`. Returns those that were elsewhere.
fn move_all(tx: &mut EditTx<'_>, rows: &[Component], map: &Map) -> Result<Vec<(String, f64, f64)>> {
    let moved = moves(rows, map);
    let by_id: HashMap<&str, &Component> = rows.iter().map(|row| (row.id.as_str(), row)).collect();
    for (id, x, y) in &moved {
        if let Some(row) = by_id.get(id.as_str()) {
            components::move_to(tx, row, (Coordinate::nearest(*x), Coordinate::nearest(*y)))?;
        }
    }
    Ok(moved)
}

fn moves(rows: &[Component], map: &Map) -> Vec<(String, f64, f64)> {
    let to = |row: &Component| map.position(&row.id).filter(|to| *to != (row.x, row.y));
    rows.iter().filter_map(|row| to(row).map(|(x, y)| (row.id.clone(), x, y))).collect()
}

/// What an arrangement moves.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Arranged {
    /// Ids and new positions.
    pub moved: Vec<(String, f64, f64)>,
    /// Overlaps with what was not arranged.
    pub overlaps: Overlaps,
}

/// Arranges components in layers with everything in them; the contents of a group if `ids` is one group, and the whole map
/// if it is empty. Components that a tool placed and that no user has moved are still placed again later.
pub(in crate::domain) fn arrange(tx: &mut EditTx<'_>, ids: &[String], dry_run: bool) -> Result<Arranged> {
    const FIELD: &str = "componentIds";
    let before = read(tx, true)?;
    if let Some((at, id)) = ids.iter().enumerate().find(|(_, id)| !before.has(id)) {
        return Err(Error::invalid(FieldPath::item(FIELD, at), near::no_component(tx, id)?));
    }
    let mut chosen: Vec<&str> = match ids {
        [] => before.ids().collect(),
        ids => before.with_contents(ids.iter().map(String::as_str)),
    };
    if let [group] = ids {
        chosen.retain(|id| id != group);
        if chosen.is_empty() {
            return Err(Error::invalid(FIELD, "must be at least two components, or one that contains others"));
        }
    }
    if chosen.len() > MAX_ARRANGED {
        let text = format!(
            "at most {MAX_ARRANGED} components are arranged at once, and these are {} with everything in them; name \
             fewer, for example one group",
            chosen.len()
        );
        return Err(Error::invalid(FIELD, text));
    }
    let rows = chosen.iter().map(|id| components::find(tx, id)).collect::<Result<Vec<_>>>()?;
    let mut after = before.clone();
    after.set_cards(rows.iter().map(|row| item_of(row, Some((row.x, row.y)))));
    placement::rearrange(&mut after, &chosen);
    let overlaps = placement::caused(&before, &after);
    if dry_run {
        return Ok(Arranged { moved: moves(&rows, &after), overlaps });
    }
    let marked = match tx.core().actor() {
        Some(user_id) => store::placed::marked(tx.core().conn, tx.pk(), user_id)?,
        None => HashSet::new(),
    };
    let moved = move_all(tx, &rows, &after)?;
    mark(tx, moved.iter().map(|(id, ..)| id.as_str()).filter(|id| marked.contains(*id)))?;
    Ok(Arranged { moved, overlaps })
}
