//! Views that only their user sees. They are not in the change log, so other followers of the workspace do not learn of
//! them.

pub use super::model::personal_views::{NewPersonalView, PersonalLine, PersonalPlace, PersonalView, PersonalViewPatch};
use super::{
    model::{
        order::GAP,
        personal_views::check_rows,
        views::{ListPosition, check_id, is_reserved},
    },
    store,
    views::check_definition,
};
use crate::{
    domain::{
        core::{PersonalTx, Reads},
        input::same,
        paging::{Page, Paging},
        slug,
    },
    error::{Error, Result},
};

/// Maximum number of personal views of a user in a workspace.
pub const MAX_PERSONAL_VIEWS: i64 = 50;

const NOT_FOUND: Error = Error::NotFound("view");

/// Lists the personal views of the caller, without their positions and lines.
pub fn list(tx: &PersonalTx<'_>, paging: &Paging) -> Result<Page<PersonalView>> {
    let window = paging.window("personal-views")?;
    store::personal_views::page(tx.core().conn, &tx.key(), tx.user_id()?, &window)
}

/// Reads a personal view of the caller.
pub fn find(tx: &PersonalTx<'_>, id: &str) -> Result<PersonalView> {
    store::personal_views::find(tx.core().conn, &tx.key(), tx.user_id()?, id)?.ok_or(NOT_FOUND)
}

/// Creates a personal view.
pub fn create(tx: &mut PersonalTx<'_>, new: NewPersonalView) -> Result<PersonalView> {
    check_id(new.id.as_ref())?;
    check_definition(new.definition.as_ref())?;
    let (places, lines) = (new.places.unwrap_or_default(), new.lines.unwrap_or_default());
    check_rows(&places, &lines)?;
    let (conn, pk, user_id) = (tx.core().conn, tx.pk(), tx.user_id()?);
    let (count, last) = store::personal_views::count_and_last_position(conn, pk, user_id)?;
    if count >= MAX_PERSONAL_VIEWS {
        let message = format!(
            "you have {count} personal views of this workspace, and the limit is {MAX_PERSONAL_VIEWS}; delete some first"
        );
        return Err(Error::LimitReached { limit: MAX_PERSONAL_VIEWS, actual: count + 1, message });
    }
    let taken = |id: &str| Ok(is_reserved(id) || store::personal_views::id_taken(conn, pk, user_id, id)?);
    let id = slug::chosen("personal view", new.id.clone(), || slug::strict(new.name.as_str(), "view"), taken)?;
    let row = PersonalView {
        id,
        workspace_id: tx.workspace().id.clone(),
        name: new.name.into(),
        description: new.description.map(String::from),
        position: new.position.map_or(last + GAP, ListPosition::get),
        definition: new.definition.unwrap_or_default(),
        layout: new.layout.unwrap_or_default(),
        places: Some(places),
        lines: Some(lines),
        revision: 1,
        created_at: tx.core().now,
        updated_at: tx.core().now,
    };
    store::personal_views::insert(conn, pk, user_id, &row)?;
    Ok(row)
}

/// Updates a personal view. If nothing changes, it keeps its revision.
pub fn update(tx: &mut PersonalTx<'_>, id: &str, patch: PersonalViewPatch) -> Result<PersonalView> {
    let before = find(tx, id)?;
    tx.expect_revision(before.revision, &before)?;
    same("id", patch.id.as_deref(), &before.id)?;
    check_definition(patch.definition.as_ref())?;
    let old = before.clone();
    let after = PersonalView {
        name: patch.name.map_or(old.name, String::from),
        description: patch.description.map(String::from).or(old.description),
        position: patch.position.map_or(old.position, ListPosition::get),
        definition: patch.definition.unwrap_or(old.definition),
        layout: patch.layout.unwrap_or(old.layout),
        places: patch.places.or(old.places),
        lines: patch.lines.or(old.lines),
        ..old
    };
    check_rows(after.places.as_deref().unwrap_or_default(), after.lines.as_deref().unwrap_or_default())?;
    if after == before {
        return Ok(after);
    }
    let after = PersonalView { revision: before.revision + 1, updated_at: tx.core().now, ..after };
    store::personal_views::update(tx.core().conn, tx.pk(), tx.user_id()?, &after)?;
    Ok(after)
}

/// Deletes a personal view.
pub fn delete(tx: &mut PersonalTx<'_>, id: &str) -> Result<()> {
    let view = find(tx, id)?;
    tx.expect_revision(view.revision, &view)?;
    store::personal_views::delete(tx.core().conn, tx.pk(), tx.user_id()?, id)
}
