//! The model of a workspace in the form that bulk takes.

use serde::Serialize;

use crate::{
    domain::{
        access::ViewTx,
        bundle,
        values::{Properties, Visibility},
    },
    error::Result,
};

/// The model, as bulk takes it: nothing in it belongs to this instance.
#[derive(Serialize)]
pub(super) struct Model {
    workspace: Own,
    components: Vec<Component>,
    relationships: Vec<Relationship>,
}

#[derive(Serialize)]
struct Own {
    id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    visibility: Visibility,
    properties: Properties,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Component {
    id: String,
    type_id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    x: f64,
    y: f64,
    properties: Properties,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Relationship {
    id: String,
    source_id: String,
    target_id: String,
    type_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    properties: Properties,
}

/// Reads the model.
pub(super) fn model(tx: &ViewTx<'_>) -> Result<Model> {
    let bundle = bundle::assemble(tx)?;
    let own = bundle.workspace;
    Ok(Model {
        workspace: Own {
            id: own.id,
            name: own.name,
            description: own.description,
            visibility: own.visibility,
            properties: own.properties,
        },
        components: bundle
            .components
            .into_iter()
            .map(|row| Component {
                id: row.id,
                type_id: row.type_id,
                name: row.name,
                description: row.description,
                x: row.x,
                y: row.y,
                properties: row.properties,
            })
            .collect(),
        relationships: bundle
            .relationships
            .into_iter()
            .map(|row| Relationship {
                id: row.id,
                source_id: row.source_id,
                target_id: row.target_id,
                type_id: row.type_id,
                label: row.label,
                properties: row.properties,
            })
            .collect(),
    })
}
