//! Components: what is drawn on the map.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{EditTx, Reads, ViewTx, Written},
    catalogue,
    links::Link,
    paging::Window,
    placement::Placement,
    slug,
    stakeholders::Stakeholder,
    store,
    values::{Coordinate, Id, Name, Properties, Text},
    workspaces::same,
};
use crate::error::{Error, Result};

const HIDDEN: Error = Error::NotFound("component");

/// A component: a node of the map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Component {
    /// Place in the order of creation, or of the last bulk.
    #[serde(skip)]
    pub seq: i64,
    /// Unique in the workspace.
    #[schema(example = "checkout")]
    pub id: String,
    /// The workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// From the type catalogue.
    #[schema(example = "service")]
    pub type_id: String,
    /// Name.
    #[schema(example = "Checkout")]
    pub name: String,
    /// Description; absent when it was never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// Canvas position.
    pub x: f64,
    /// Canvas position; downwards.
    pub y: f64,
    /// Free-form; `lifecycle` is a state of the catalogue.
    pub properties: Properties,
    /// Revision, times and authors.
    #[serde(flatten)]
    pub written: Written,
}

/// A component to be created.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewComponent {
    /// Made from the name when absent.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// From the type catalogue.
    #[schema(schema_with = catalogue::component_type_ids)]
    pub type_id: String,
    /// Name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Canvas position; without x and y, a free spot near the map's end.
    #[schema(nullable = false)]
    pub x: Option<Coordinate>,
    /// Canvas position.
    #[schema(nullable = false)]
    pub y: Option<Coordinate>,
    /// Free-form.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// What to change of a component; what is absent stays.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ComponentPatch {
    /// Cannot change; accepted when equal.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// From the type catalogue.
    #[schema(schema_with = catalogue::component_type_ids)]
    pub type_id: Option<String>,
    /// Name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Canvas position.
    #[schema(nullable = false)]
    pub x: Option<Coordinate>,
    /// Canvas position.
    #[schema(nullable = false)]
    pub y: Option<Coordinate>,
    /// Replaces all properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// A component's new place.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Move {
    /// Which component.
    pub id: String,
    /// Canvas position.
    pub x: Coordinate,
    /// Canvas position.
    pub y: Coordinate,
}

/// A component and what hangs on it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComponentDetails {
    /// The component.
    pub component: Component,
    /// Its external links.
    pub links: Vec<Link>,
    /// Its people and teams.
    pub stakeholders: Vec<Stakeholder>,
}

/// A component with its links and stakeholders.
pub fn read(tx: &ViewTx<'_>, id: &str) -> Result<ComponentDetails> {
    let (conn, key) = (tx.core().conn, tx.key());
    Ok(ComponentDetails {
        component: find(tx, id)?,
        links: store::links::of_component(conn, &key, id, &Window::whole())?.items,
        stakeholders: store::stakeholders::of_component(conn, &key, id, &Window::whole())?.items,
    })
}

/// Creates a component.
pub fn create(tx: &mut EditTx<'_>, new: NewComponent) -> Result<Component> {
    create_among(tx, new, &mut None)
}

/// Creates a component, one of several: the taken places of the map are read once, when the first free spot is needed.
pub(super) fn create_among(
    tx: &mut EditTx<'_>,
    new: NewComponent,
    placement: &mut Option<Placement>,
) -> Result<Component> {
    let (conn, pk) = (tx.core().conn, tx.pk());
    new.check("")?;
    let spot = match new.position() {
        Some(spot) => spot,
        None => {
            let known = match placement.take() {
                Some(known) => known,
                None => Placement::new(store::components::positions(conn, pk)?),
            };
            placement.insert(known).place()
        }
    };
    let taken = |id: &str| store::components::id_taken(conn, pk, id);
    let id = slug::chosen("component", new.id.clone(), || slug::from_name(new.name.as_str()), taken)?;
    if let (Some(_), Some(placement)) = (new.x, placement) {
        placement.take(spot);
    }
    let row = Component { seq: store::components::next_seq(conn, pk)?, ..new.into_row(&tx.workspace().id, id, spot) };
    tx.create(row)
}

impl NewComponent {
    /// The rules that need no other row. `prefix` leads to the component in the request: `components[3].`.
    pub(super) fn check(&self, prefix: &str) -> Result<()> {
        check(&self.type_id, self.properties.as_ref(), prefix)?;
        let missing = match (self.x, self.y) {
            (Some(_), Some(_)) | (None, None) => return Ok(()),
            (None, Some(_)) => "x",
            (Some(_), None) => "y",
        };
        Err(Error::invalid(format!("{prefix}{missing}"), "give both x and y, or neither for a free spot"))
    }

    /// The position, when it is given.
    pub(super) fn position(&self) -> Option<(f64, f64)> {
        self.x.zip(self.y).map(|(x, y)| (x.get(), y.get()))
    }

    /// The row, without a place in the order.
    pub(super) fn into_row(self, workspace_id: &str, id: String, (x, y): (f64, f64)) -> Component {
        Component {
            seq: 0,
            id,
            workspace_id: workspace_id.to_owned(),
            type_id: self.type_id,
            name: self.name.into(),
            description: self.description.map(String::from),
            x,
            y,
            properties: self.properties.unwrap_or_default(),
            written: Written::default(),
        }
    }
}

/// Changes a component.
pub fn update(tx: &mut EditTx<'_>, id: &str, patch: ComponentPatch) -> Result<Component> {
    let before = find(tx, id)?;
    tx.expect(&before)?;
    same("id", patch.id.as_deref(), &before.id)?;
    check(patch.type_id.as_ref().unwrap_or(&before.type_id), patch.properties.as_ref(), "")?;
    let old = before.clone();
    let after = Component {
        type_id: patch.type_id.unwrap_or(old.type_id),
        name: patch.name.map_or(old.name, String::from),
        description: patch.description.map(String::from).or(old.description),
        x: patch.x.map_or(old.x, Coordinate::get),
        y: patch.y.map_or(old.y, Coordinate::get),
        properties: patch.properties.unwrap_or(old.properties),
        ..old
    };
    tx.update(&before, after)
}

/// Moves a component.
pub(super) fn move_to(tx: &mut EditTx<'_>, before: &Component, (x, y): (Coordinate, Coordinate)) -> Result<Component> {
    tx.update(before, Component { x: x.get(), y: y.get(), ..before.clone() })
}

/// Moves many components at once; all or none.
pub fn relocate(tx: &mut EditTx<'_>, moves: Vec<Move>) -> Result<Vec<Component>> {
    tx.expect_workspace()?;
    let mut seen = HashSet::new();
    let mut rows = Vec::with_capacity(moves.len());
    for (index, to) in moves.iter().enumerate() {
        let field = || format!("[{index}].id");
        if !seen.insert(&to.id) {
            return Err(Error::invalid(field(), format!("the component `{}` is named twice", to.id)));
        }
        let before = store::components::find(tx.core().conn, &tx.key(), &to.id)?
            .ok_or_else(|| Error::invalid(field(), format!("there is no component `{}`", to.id)))?;
        rows.push(move_to(tx, &before, (to.x, to.y))?);
    }
    Ok(rows)
}

/// Deletes a component with its relationships, stakeholders and links. Processes keep their text and mapping.
pub fn delete(tx: &mut EditTx<'_>, id: &str) -> Result<()> {
    let component = find(tx, id)?;
    tx.expect(&component)?;
    for relationship in store::relationships::touching(tx.core().conn, &tx.key(), id)? {
        tx.delete(&relationship)?;
    }
    remove(tx, &component)
}

/// Removes a component that no relationship touches, with its stakeholders and links.
pub(super) fn remove(tx: &mut EditTx<'_>, component: &Component) -> Result<()> {
    for stakeholder in
        store::stakeholders::of_component(tx.core().conn, &tx.key(), &component.id, &Window::whole())?.items
    {
        tx.delete(&stakeholder.link)?;
    }
    for link in store::links::of_component(tx.core().conn, &tx.key(), &component.id, &Window::whole())?.items {
        tx.delete(&link)?;
    }
    tx.delete(component)
}

/// Type and lifecycle are in the catalogue.
fn check(type_id: &str, properties: Option<&Properties>, prefix: &str) -> Result<()> {
    catalogue::component_type(&format!("{prefix}typeId"), type_id)?;
    properties.map_or(Ok(()), |properties| catalogue::lifecycle(&format!("{prefix}properties"), properties))
}

/// A component of the workspace.
pub fn find(tx: &ViewTx<'_>, id: &str) -> Result<Component> {
    store::components::find(tx.core().conn, &tx.key(), id)?.ok_or(HIDDEN)
}
