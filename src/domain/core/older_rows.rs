//! Rows that were logged before their kind had all of its fields.
//!
//! Migrations do not rewrite the change log, so a logged row has the fields of its time. Readers get them with the values
//! that the migration gave to the rows of the tables.

use serde_json::{Map, Value, json};

use super::record::Entity;
use crate::{
    domain::values::{Keywords, OrganizationAccess},
    error::Result,
};

/// Adds the fields that the row lacks. `entity` is its kind in the log.
pub(in crate::domain) fn complete(entity: Entity, row: &mut Map<String, Value>) -> Result<()> {
    let (lists, nullable): (&[&str], &[&str]) = match entity {
        Entity::Workspace => {
            row.entry("organizationAccess").or_insert(serde_json::to_value(OrganizationAccess::default())?);
            return Ok(());
        }
        Entity::Component => (&["tags", "technology"], &["width", "height", "opens"]),
        Entity::Relationship => (&["technology"], &["line"]),
        _ => return Ok(()),
    };
    for field in lists {
        if !row.contains_key(*field) {
            let keywords = Keywords::from_property(row.get("properties").and_then(|properties| properties.get(field)));
            row.insert((*field).to_owned(), serde_json::to_value(keywords)?);
        }
    }
    for field in nullable {
        row.entry(*field).or_insert(json!(null));
    }
    Ok(())
}
