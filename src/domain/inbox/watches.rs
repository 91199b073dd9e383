//! What the caller watches: workspaces, components, components of teams, and threads.

pub use super::model::{ThreadFollowing, Watch, WatchKind};
use super::store::watches::{self, Target};
use crate::{
    domain::{
        comments::threads,
        core::{Core, OrgTx, PersonalTx, Reads},
        notifications,
        paging::{Page, Paging},
        values::Id,
    },
    error::{Error, Result},
};

/// Maximum number of things that a user watches.
const MAX_WATCHES: i64 = 500;

/// Lists what the caller watches in the active organization, without what is deleted or hidden from them.
pub fn list(tx: &OrgTx<'_>, paging: &Paging) -> Result<Page<Watch>> {
    let reader = (tx.user_id()?, tx.organization_id()?);
    watches::page(tx.core().conn, reader, &paging.window("watches")?)
}

/// Watches a workspace.
pub fn watch_workspace(tx: &mut PersonalTx<'_>) -> Result<()> {
    add(tx.core(), tx.user_id()?, &of_workspace(tx, None))
}

/// Stops watching a workspace. Its components that are watched by themselves still are.
pub fn unwatch_workspace(tx: &mut PersonalTx<'_>) -> Result<()> {
    watches::delete(tx.core().conn, tx.user_id()?, &of_workspace(tx, None))
}

/// Watches a component.
pub fn watch_component(tx: &mut PersonalTx<'_>, id: &str) -> Result<()> {
    if !watches::component_exists(tx.core().conn, tx.pk(), id)? {
        return Err(Error::NotFound("component"));
    }
    add(tx.core(), tx.user_id()?, &of_workspace(tx, Some(id)))
}

/// Stops watching a component, which may be deleted.
pub fn unwatch_component(tx: &mut PersonalTx<'_>, id: &str) -> Result<()> {
    // No component has an invalid id.
    Id::new(id).map_err(|_| Error::NotFound("component"))?;
    watches::delete(tx.core().conn, tx.user_id()?, &of_workspace(tx, Some(id)))
}

/// Watches the components of a team: those that it is a stakeholder of.
pub fn watch_team(tx: &mut OrgTx<'_>, id: &str) -> Result<()> {
    let organization_id = tx.organization_id()?;
    if !watches::team_exists(tx.core().conn, organization_id, id)? {
        return Err(Error::NotFound("team"));
    }
    let target = Target { kind: WatchKind::Team, organization_id, workspace_pk: None, id };
    add(tx.core(), tx.user_id()?, &target)
}

/// Stops watching the components of a team, which may be deleted.
pub fn unwatch_team(tx: &mut OrgTx<'_>, id: &str) -> Result<()> {
    // No team has an invalid id.
    Id::new(id).map_err(|_| Error::NotFound("team"))?;
    let organization_id = tx.organization_id()?;
    let target = Target { kind: WatchKind::Team, organization_id, workspace_pk: None, id };
    watches::delete(tx.core().conn, tx.user_id()?, &target)
}

/// Whether the caller follows a thread.
pub fn following(tx: &PersonalTx<'_>, thread_id: &str) -> Result<ThreadFollowing> {
    expect_thread(tx, thread_id)?;
    let following = notifications::is_following(tx.core().conn, (tx.pk(), thread_id), tx.user_id()?)?;
    Ok(ThreadFollowing { following })
}

/// Follows a thread, or leaves it. Users who have left a thread are still notified of mentions.
pub fn set_following(tx: &mut PersonalTx<'_>, thread_id: &str, following: bool) -> Result<ThreadFollowing> {
    expect_thread(tx, thread_id)?;
    notifications::set_following(tx.core().conn, (tx.pk(), thread_id), tx.user_id()?, following)?;
    Ok(ThreadFollowing { following })
}

fn expect_thread(tx: &PersonalTx<'_>, id: &str) -> Result<()> {
    threads::anchor(tx.core(), tx.pk(), id)?.map(drop).ok_or(Error::NotFound("thread"))
}

/// The workspace, or a component of it.
fn of_workspace<'t>(tx: &'t PersonalTx<'_>, component: Option<&'t str>) -> Target<'t> {
    Target {
        kind: if component.is_some() { WatchKind::Component } else { WatchKind::Workspace },
        organization_id: tx.workspace().org_id.as_deref().unwrap_or_default(),
        workspace_pk: Some(tx.pk()),
        id: component.unwrap_or_default(),
    }
}

fn add(core: &Core<'_>, user_id: i64, target: &Target<'_>) -> Result<()> {
    if watches::is_watched(core.conn, user_id, target)? {
        return Ok(());
    }
    if watches::count(core.conn, user_id)? >= MAX_WATCHES {
        // What is hidden cannot be removed by the user.
        watches::delete_hidden(core.conn, user_id)?;
        let actual = watches::count(core.conn, user_id)? + 1;
        if actual > MAX_WATCHES {
            let message = format!("you can watch {MAX_WATCHES} things; stop watching others first");
            return Err(Error::LimitReached { limit: MAX_WATCHES, actual, message });
        }
    }
    watches::insert(core.conn, user_id, target, core.now)
}
