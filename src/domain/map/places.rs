//! Places of components: reads the map for [`placement`], fills in the positions of new components, and
//! remembers which components a tool placed.
//!
//! The places that tools choose are changed later, see [`arrangement`](super::arrangement).

use super::{
    components::{Component, NewComponent},
    placement::{self, Extent, Item, Map, Point, card_size, image_size, label_width, note_size},
    relationships::NewRelationship,
    store::{
        self,
        placed::{NoteSpot, Spot},
    },
};
use crate::{
    domain::{
        catalogue,
        core::{EditTx, Reads, ViewTx},
        values::{Coordinate, Size, Text},
    },
    error::Result,
};

/// A relationship that counts for the placement: source, target, type, label.
pub type Ends<'e> = (&'e str, &'e str, &'e str, Option<&'e str>);

/// The part of a new relationship that counts for the placement.
pub(in crate::domain) fn ends_of(new: &NewRelationship) -> Ends<'_> {
    (&new.source_id, &new.target_id, &new.type_id, new.label.as_ref().map(Text::as_str))
}

/// The map with the positions and the containment of components; with the other relationships too if `with_lines`.
pub(in crate::domain) fn read(tx: &ViewTx<'_>, with_lines: bool) -> Result<Map> {
    read_with(tx, Vec::new(), &[], with_lines)
}

/// Like [`read`], with components and relationships that are not written yet.
fn read_with(tx: &ViewTx<'_>, new: Vec<Item>, planned: &[Ends<'_>], with_lines: bool) -> Result<Map> {
    let (conn, pk) = (tx.core().conn, tx.pk());
    let mut items: Vec<Item> = store::placed::spots(conn, pk)?.into_iter().map(item).collect();
    items.extend(new);
    let stored = store::placed::ends(conn, pk, if with_lines { None } else { Some(catalogue::CONTAINS) })?;
    let stored = stored
        .iter()
        .map(|(source, target, kind, label)| (source.as_str(), target.as_str(), kind.as_str(), label.as_deref()));
    let mut map = connected(items, &stored.chain(planned.iter().copied()).collect::<Vec<_>>());
    map.block(obstacles(tx)?);
    Ok(map)
}

/// The areas of the notes and images that components are not placed over.
pub(in crate::domain) fn obstacles(tx: &ViewTx<'_>) -> Result<Vec<(Point, Extent)>> {
    let notes = store::placed::notes(tx.core().conn, tx.pk())?;
    let area = |NoteSpot { is_image, text, at, width, height }: NoteSpot| {
        (at, if is_image { image_size(width, height) } else { note_size(&text, width, height) })
    };
    Ok(notes.into_iter().map(area).collect())
}

/// A map of components and all their relationships.
pub(in crate::domain) fn connected(items: Vec<Item>, ends: &[Ends<'_>]) -> Map {
    let is_containment = |kind: &str| kind == catalogue::CONTAINS;
    let contains = ends.iter().filter(|(_, _, kind, _)| is_containment(kind)).map(|(group, part, ..)| (*group, *part));
    let mut map = Map::new(items, contains);
    let lines = ends.iter().filter(|(_, _, kind, _)| !is_containment(kind));
    map.connect(lines.map(|(from, to, _, label)| (*from, *to, label.map_or(0.0, label_width))));
    map
}

fn item(Spot { id, type_id, at, size }: Spot) -> Item {
    Item { id, at: Some(at), own: size, is_group: type_id == catalogue::GROUP, card: (0.0, 0.0) }
}

/// A component for the placement, at a position or to be placed.
pub(in crate::domain) fn item_of(row: &Component, at: Option<Point>) -> Item {
    Item {
        id: row.id.clone(),
        at,
        own: row.width.map(Size::get).zip(row.height.map(Size::get)),
        is_group: row.type_id == catalogue::GROUP,
        card: card_size(&row.name, row.description.as_deref()),
    }
}

fn item_of_new(new: &NewComponent, id: String) -> Item {
    let size = (new.width.or(None), new.height.or(None));
    Item {
        id,
        at: new.position(),
        own: size.0.map(Size::get).zip(size.1.map(Size::get)),
        is_group: new.type_id == catalogue::GROUP,
        card: card_size(new.name.as_str(), new.description.as_ref().map(Text::as_str)),
    }
}

/// Gives new components without a position a place. `planned` are the relationships that the request creates.
pub(in crate::domain) fn fill(tx: &ViewTx<'_>, new: &mut [&mut NewComponent], planned: &[Ends<'_>]) -> Result<()> {
    if new.iter().all(|new| new.x.is_some() || new.y.is_some()) {
        return Ok(());
    }
    // No row has an id with a control character.
    let id = |at: usize, new: &NewComponent| {
        new.id.as_ref().map_or_else(|| format!("\u{1}{at}"), |id| id.as_str().to_owned())
    };
    let items = new.iter().enumerate().map(|(at, new)| item_of_new(new, id(at, new))).collect();
    let mut map = read_with(tx, items, planned, !planned.is_empty())?;
    placement::place(&mut map, None);
    for (at, new) in new.iter_mut().enumerate() {
        if new.x.is_none()
            && new.y.is_none()
            && let Some((x, y)) = map.position(&id(at, new))
        {
            (new.x, new.y) = (Some(Coordinate::nearest(x)), Some(Coordinate::nearest(y)));
        }
    }
    Ok(())
}

/// Records that the tool call placed these components.
pub(in crate::domain) fn mark<'i>(tx: &EditTx<'_>, ids: impl IntoIterator<Item = &'i str>) -> Result<()> {
    let Some(user_id) = tx.core().actor() else { return Ok(()) };
    ids.into_iter().try_for_each(|id| store::placed::mark(tx.core().conn, tx.pk(), id, user_id))
}
