//! Relationships between components, and the rule of containment.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{EditTx, Reads, ViewTx, Written},
    catalogue, slug, store,
    values::{Id, Properties, Text},
    workspaces::same,
};
use crate::error::{Error, Result};

const HIDDEN: Error = Error::NotFound("relationship");

/// A relationship: from one component to another, or to itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Relationship {
    /// Place in the order of creation, or of the last bulk.
    #[serde(skip)]
    pub seq: i64,
    /// Unique in the workspace.
    #[schema(example = "web-calls-checkout")]
    pub id: String,
    /// The workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Component it comes from.
    #[schema(example = "web")]
    pub source_id: String,
    /// Component it goes to.
    #[schema(example = "checkout")]
    pub target_id: String,
    /// From the type catalogue. `contains` makes the target a part of the source.
    #[schema(example = "calls")]
    pub type_id: String,
    /// Label; absent when it was never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub label: Option<String>,
    /// Free-form.
    pub properties: Properties,
    /// Revision, times and authors.
    #[serde(flatten)]
    pub written: Written,
}

/// A relationship to be created.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewRelationship {
    /// Made from both ends and the type when absent.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// Component it comes from.
    #[schema(example = "web")]
    pub source_id: String,
    /// Component it goes to.
    #[schema(example = "checkout")]
    pub target_id: String,
    /// From the type catalogue.
    #[schema(schema_with = catalogue::relation_type_ids)]
    pub type_id: String,
    /// Label.
    #[schema(nullable = false)]
    pub label: Option<Text>,
    /// Free-form.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// What to change of a relationship; what is absent stays.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct RelationshipPatch {
    /// Cannot change; accepted when equal.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Component it comes from.
    #[schema(nullable = false)]
    pub source_id: Option<String>,
    /// Component it goes to.
    #[schema(nullable = false)]
    pub target_id: Option<String>,
    /// From the type catalogue.
    #[schema(schema_with = catalogue::relation_type_ids)]
    pub type_id: Option<String>,
    /// Label.
    #[schema(nullable = false)]
    pub label: Option<Text>,
    /// Replaces all properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// Creates a relationship.
pub fn create(tx: &mut EditTx<'_>, new: NewRelationship) -> Result<Relationship> {
    let (conn, pk) = (tx.core().conn, tx.pk());
    let taken = |id: &str| store::relationships::id_taken(conn, pk, id);
    let id = slug::chosen("relationship", new.id.clone(), || base_id(&new), taken)?;
    let relationship = Relationship {
        seq: store::relationships::next_seq(conn, pk)?,
        id,
        workspace_id: tx.workspace().id.clone(),
        source_id: new.source_id,
        target_id: new.target_id,
        type_id: new.type_id,
        label: new.label.map(String::from),
        properties: new.properties.unwrap_or_default(),
        written: Written::default(),
    };
    check(tx, &relationship)?;
    tx.create(relationship)
}

/// Changes a relationship.
pub fn update(tx: &mut EditTx<'_>, id: &str, patch: RelationshipPatch) -> Result<Relationship> {
    let before = find(tx, id)?;
    tx.expect(&before)?;
    same("id", patch.id.as_deref(), &before.id)?;
    let old = before.clone();
    let after = Relationship {
        source_id: patch.source_id.unwrap_or(old.source_id),
        target_id: patch.target_id.unwrap_or(old.target_id),
        type_id: patch.type_id.unwrap_or(old.type_id),
        label: patch.label.map(String::from).or(old.label),
        properties: patch.properties.unwrap_or(old.properties),
        ..old
    };
    check(tx, &after)?;
    tx.update(&before, after)
}

/// Deletes a relationship.
pub fn delete(tx: &mut EditTx<'_>, id: &str) -> Result<()> {
    let relationship = find(tx, id)?;
    tx.expect(&relationship)?;
    tx.delete(&relationship)
}

/// An id for a relationship whose creator left it to us, before it is made unique.
pub(super) fn base_id(new: &NewRelationship) -> String {
    slug::from_name(&format!("{} {} {}", new.source_id, new.type_id, new.target_id))
}

/// The relationships that begin or end at a component, in order of creation.
pub fn of_component(tx: &ViewTx<'_>, component_id: &str, most: i64) -> Result<Vec<Relationship>> {
    store::relationships::some_touching(tx.core().conn, &tx.key(), component_id, most)
}

/// A relationship of the workspace.
pub fn find(tx: &ViewTx<'_>, id: &str) -> Result<Relationship> {
    store::relationships::find(tx.core().conn, &tx.key(), id)?.ok_or(HIDDEN)
}

/// Type known, both ends there, containment a forest.
pub(super) fn check(tx: &EditTx<'_>, relationship: &Relationship) -> Result<()> {
    catalogue::relation_type("typeId", &relationship.type_id)?;
    for (field, id) in [("sourceId", &relationship.source_id), ("targetId", &relationship.target_id)] {
        if !store::components::id_taken(tx.core().conn, tx.pk(), id)? {
            return Err(Error::invalid(field, format!("there is no component `{id}` in this workspace")));
        }
    }
    if relationship.type_id != catalogue::CONTAINS {
        return Ok(());
    }
    let parent = |id: &str| store::relationships::parent(tx.core().conn, tx.pk(), id, &relationship.id);
    if let Some(other) = parent(&relationship.target_id)? {
        let text = format!("`{}` is already part of `{other}`; a component has one parent", relationship.target_id);
        return Err(Error::invalid("targetId", text));
    }
    let mut above = Some(relationship.source_id.clone());
    while let Some(id) = above {
        if id == relationship.target_id {
            let text = format!("`{id}` would be part of itself");
            return Err(Error::invalid("targetId", text));
        }
        above = parent(&id)?;
    }
    Ok(())
}
