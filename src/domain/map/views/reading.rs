//! Reads what the definitions of views compare, and evaluates them for callers that need only ids or numbers.

use std::collections::HashSet;

use super::{View, ViewDefinition, ViewSelector, contents::Contents, positions, resolve::Members};
use crate::{
    domain::{
        core::{EditTx, Reads, ViewTx},
        directory::{component_kinds, team_members},
        map::{
            components::Component,
            near,
            store::{self, view_contents::Fields},
            view_places,
        },
        values::Coordinate,
    },
    error::Result,
};

/// Maximum number of components that are arranged in a new view. Larger views show the positions of the map.
const MAX_ARRANGED: usize = 300;
/// Maximum number of unknown components that are reported.
const MAX_UNKNOWN: usize = 20;

/// Ids of the components in a view.
pub fn member_ids(tx: &ViewTx<'_>, view_id: &str) -> Result<HashSet<String>> {
    let view = super::find(tx, view_id)?;
    let contents = contents(tx, [&view.definition], false)?;
    Ok(Members::of(&view.definition, &contents).component_ids(&contents).into_iter().collect())
}

/// Numbers of components and of relationships of a definition.
pub fn counts(tx: &ViewTx<'_>, definition: &ViewDefinition) -> Result<(usize, usize)> {
    let contents = contents(tx, [definition], false)?;
    Ok(Members::of(definition, &contents).counts())
}

/// All views of a workspace with their numbers of components and of relationships, in list order.
pub fn counted(tx: &ViewTx<'_>) -> Result<Vec<(View, usize, usize)>> {
    let views = super::rows(tx.core().conn, &tx.key())?;
    let contents = contents(tx, views.iter().map(|view| &view.definition), false)?;
    let counted = views.into_iter().map(|view| {
        tx.core().check_alive()?;
        let (components, relationships) = Members::of(&view.definition, &contents).counts();
        Ok((view, components, relationships))
    });
    counted.collect()
}

/// The components that a definition names and that do not exist, with suggestions.
pub fn unknown_components(tx: &ViewTx<'_>, definition: &ViewDefinition) -> Result<Vec<String>> {
    let around = |selector: &'_ ViewSelector| selector.around.as_ref().map(|around| around.of.clone());
    let named = definition.selectors().flat_map(|selector| {
        [selector.ids.clone(), selector.within.clone(), around(selector)].into_iter().flatten().flatten()
    });
    let (mut seen, mut unknown) = (HashSet::new(), Vec::new());
    for id in named.map(String::from) {
        if unknown.len() < MAX_UNKNOWN && seen.insert(id.clone()) && !tx.has::<Component>(&id)? {
            unknown.push(near::no_component(tx, &id)?);
        }
    }
    Ok(unknown)
}

/// Arranges the components of a view that has a layout of its own, and stores their positions.
pub fn arrange(tx: &mut EditTx<'_>, view: &View) -> Result<()> {
    let contents = contents(tx, [&view.definition], true)?;
    let members = Members::of(&view.definition, &contents);
    if members.counts().0 > MAX_ARRANGED {
        return Ok(());
    }
    for (id, (x, y)) in positions::arranged(&contents, &members) {
        view_places::put(tx, &view.id, &id, (Coordinate::nearest(x), Coordinate::nearest(y)))?;
    }
    Ok(())
}

/// Reads what definitions compare, and the texts of components if `with_texts`.
pub(super) fn contents<'d>(
    tx: &ViewTx<'_>,
    definitions: impl IntoIterator<Item = &'d ViewDefinition>,
    with_texts: bool,
) -> Result<Contents> {
    let needs = Needs::of(definitions);
    let (core, conn, pk) = (tx.core(), tx.core().conn, tx.pk());
    let texts = needs.fields.texts || with_texts;
    let components = store::view_contents::components(conn, pk, Fields { texts, ..needs.fields })?;
    let relationships = store::view_contents::relationships(conn, pk)?;
    let holders = if needs.holders { store::view_contents::holders(conn, pk)? } else { Vec::new() };
    let organization_id = tx.workspace().org_id.as_deref().unwrap_or_default();
    let memberships =
        if needs.memberships { team_members::teams_of_people(core, organization_id)? } else { Vec::new() };
    let kinds = if needs.kinds { component_kinds::all(core, organization_id)? } else { Vec::new() };
    let kinds = kinds.into_iter().map(|kind| (kind.id, kind.name)).collect();
    Ok(Contents::new(components, relationships, holders, memberships, kinds))
}

/// What selectors compare.
#[derive(Default)]
struct Needs {
    fields: Fields,
    holders: bool,
    memberships: bool,
    kinds: bool,
}

impl Needs {
    fn of<'d>(definitions: impl IntoIterator<Item = &'d ViewDefinition>) -> Self {
        let mut needs = Self::default();
        for selector in definitions.into_iter().flat_map(ViewDefinition::selectors) {
            let ViewSelector { kinds, lifecycle, tags, technology, owners, teams, roles, text, properties, .. } =
                selector;
            let (text, kinds) = (text.is_some(), kinds.is_some());
            needs.fields.texts |= text;
            needs.fields.keywords |= text || tags.is_some() || technology.is_some();
            needs.fields.properties |=
                text || kinds || lifecycle.is_some() || technology.is_some() || properties.is_some();
            needs.holders |= text || owners.is_some() || teams.is_some() || roles.is_some();
            needs.memberships |= teams.is_some();
            needs.kinds |= text || kinds;
        }
        needs
    }
}
