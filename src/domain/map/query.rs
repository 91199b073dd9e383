//! Queries of components by type, lifecycle, owner, group and use, in one workspace or in all that the caller can read.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

pub use super::model::query::{ComponentQuery, SortBy};
use super::{components::Component, near, store, views, workspaces};
use crate::{
    domain::{
        catalogue::{CONTAINS, DependsOn, known_relation_type},
        core::{OrgViewTx, Reads},
        directory::{entries, people::Person, teams::Team},
        paging::Paging,
    },
    error::{Error, Problem, Remedy, Result},
};

/// Maximum number of components in the workspaces of a query.
const MAX_SCANNED: usize = 100_000;

/// A component that meets the conditions.
#[derive(Debug, Clone)]
pub struct Match {
    /// Id of its workspace.
    pub workspace_id: String,
    pub(in crate::domain) workspace_pk: i64,
    /// Component id.
    pub id: String,
    /// Type id.
    pub type_id: String,
    /// Display name.
    pub name: String,
    /// Id of the component that contains it.
    pub parent: Option<String>,
    /// Lifecycle state.
    pub lifecycle: Option<String>,
    /// Time of the last update, in Unix milliseconds.
    pub updated_at: i64,
    /// Number of components that directly depend on it.
    pub dependents: usize,
    /// Number of components that it directly depends on.
    pub dependencies: usize,
}

/// Relationships of a workspace, summed up by component.
#[derive(Default)]
struct Uses {
    parents: HashMap<String, String>,
    dependents: HashMap<String, usize>,
    dependencies: HashMap<String, usize>,
    related: HashSet<String>,
}

impl Uses {
    fn of(rows: Vec<store::query::Ends>) -> Self {
        let (mut uses, mut seen) = (Self::default(), HashSet::new());
        for (source, target, type_id) in rows {
            if type_id == CONTAINS {
                uses.parents.insert(target, source);
                continue;
            }
            uses.related.extend([source.clone(), target.clone()]);
            let (dependent, dependency) = match known_relation_type(&type_id).depends_on {
                DependsOn::Target => (source, target),
                DependsOn::Source => (target, source),
                DependsOn::None => continue,
            };
            // Parallel relationships are one dependency.
            if dependent != dependency && seen.insert((dependent.clone(), dependency.clone())) {
                *uses.dependencies.entry(dependent).or_default() += 1;
                *uses.dependents.entry(dependency).or_default() += 1;
            }
        }
        uses
    }
}

/// Finds all components that meet the conditions, in order.
pub fn find(tx: &OrgViewTx<'_>, query: &ComponentQuery, sort_by: SortBy) -> Result<Vec<Match>> {
    let mut members = None;
    expect_owner(tx, query)?;
    let visible: Vec<(i64, String)> = match &query.workspace_id {
        Some(id) => {
            let view = tx.view(id)?;
            if let Some(parent) = &query.parent_id
                && !view.has::<Component>(parent)?
            {
                return Err(Error::invalid("parentId", near::no_component(&view, parent)?));
            }
            members = query.view_id.as_ref().map(|id| views::reading::member_ids(&view, id)).transpose()?;
            vec![(view.pk(), id.clone())]
        }
        None => {
            let listed = workspaces::list(tx, &Paging::default())?.items.into_iter();
            listed.map(|listed| (listed.workspace.pk, listed.workspace.id)).collect()
        }
    };
    let (conn, mut scanned, mut found) = (tx.core().conn, 0, Vec::new());
    for (workspace_pk, workspace_id) in visible {
        tx.core().check_alive()?;
        scanned += store::query::count(conn, workspace_pk)?;
        if scanned > MAX_SCANNED && query.workspace_id.is_none() {
            let why = "is required, because the workspaces that you can read have more than 100,000 components";
            return Err(Error::invalid("workspaceId", why));
        }
        let rows = store::query::components(conn, workspace_pk, query)?;
        if rows.is_empty() {
            continue;
        }
        let uses = Uses::of(store::query::relationships(conn, workspace_pk)?);
        for row in rows {
            let parent = uses.parents.get(&row.id).cloned();
            let is_in = query.parent_id.is_none() || parent == query.parent_id;
            let is_used = query.unrelated.is_none_or(|unrelated| unrelated != uses.related.contains(&row.id));
            let is_member = members.as_ref().is_none_or(|members| members.contains(&row.id));
            if !is_in || !is_used || !is_member {
                continue;
            }
            let count = |counts: &HashMap<String, usize>| counts.get(&row.id).copied().unwrap_or_default();
            found.push(Match {
                workspace_id: workspace_id.clone(),
                workspace_pk,
                dependents: count(&uses.dependents),
                dependencies: count(&uses.dependencies),
                parent,
                id: row.id,
                type_id: row.type_id,
                name: row.name,
                lifecycle: row.lifecycle,
                updated_at: row.updated_at,
            });
        }
    }
    let by_name = |one: &Match| (one.name.to_lowercase(), one.workspace_pk, one.id.clone());
    found.sort_by_cached_key(by_name);
    match sort_by {
        SortBy::Dependents => found.sort_by_key(|one| Reverse(one.dependents)),
        SortBy::Dependencies => found.sort_by_key(|one| Reverse(one.dependencies)),
        SortBy::UpdatedAt => found.sort_by_key(|one| Reverse(one.updated_at)),
        SortBy::Name => {}
    }
    Ok(found)
}

/// Rejects an owner that does not exist. Without an active organization, any id is accepted.
fn expect_owner(tx: &OrgViewTx<'_>, query: &ComponentQuery) -> Result<()> {
    let (Some(id), Some(organization)) = (&query.owner_id, &tx.caller()?.organization) else { return Ok(()) };
    if entries::has::<Person>(tx.core(), &organization.id, id)?
        || entries::has::<Team>(tx.core(), &organization.id, id)?
    {
        return Ok(());
    }
    let text = format!("there is no person or team `{}`", near::in_short(id));
    Err(Error::invalid("ownerId", Problem::Solvable(text.into(), Remedy::ListPeopleAndTeams)))
}

/// The ids of the owners of a component that was found, separated by commas.
pub fn owners(tx: &OrgViewTx<'_>, found: &Match) -> Result<String> {
    store::query::owners(tx.core().conn, found.workspace_pk, &found.id)
}
