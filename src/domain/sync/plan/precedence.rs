//! Which value counts if several sources describe a row.
//!
//! Stated values come before inferred ones, then those of the repository where the row runs, then those of catalogs and
//! models, of diagrams, of deployment files and of traces. A source that says nothing about a field has no value for it.

use std::collections::BTreeMap;

use import::Format;
use serde_json::Value;

use super::statement::Statement;
use crate::domain::sync::{
    check::CheckedSource,
    fields::OWNER,
    merge::Sources,
    model::claims::{Claim, Fields, Names, Source},
    types,
};

/// How much a value counts, the least one most: whether it is inferred, and the order of its source.
type Weight<'v> = (bool, Order<'v>);
/// Whether a source is of another repository than the row, its rank, and its id.
type Order<'v> = (bool, u32, &'v str);

/// What a source says of a row, and how much it counts.
#[derive(Debug, Clone)]
pub(super) struct SourceValues<'v> {
    fields: &'v Fields,
    inferred: &'v Names,
    order: Order<'v>,
}

impl<'v> SourceValues<'v> {
    /// What a source said at its last sync.
    pub(super) fn of_claim(claim: &'v Claim, source: Option<&Source>) -> Self {
        let rank = source.map_or(u32::MAX, |source| rank(source.rank, Format::of_id(&source.kind)));
        Self { fields: &claim.base, inferred: &claim.inferred, order: (!claim.is_home, rank, &claim.source_id) }
    }

    /// What a source says now.
    pub(super) fn of_statement(statement: &'v Statement<'_>, source: &'v CheckedSource, is_home: bool) -> Self {
        let rank = rank(source.rank, Some(source.format));
        Self { fields: &statement.fields, inferred: &statement.inferred, order: (!is_home, rank, source.id()) }
    }
}

/// How much the value of a claim counts: the least one of a row does.
pub(in crate::domain::sync) fn weight<'c>(claim: &'c Claim, source: Option<&Source>, field: &str) -> Weight<'c> {
    let order = SourceValues::of_claim(claim, source).order;
    (claim.inferred.0.contains(field), order)
}

/// The rank of a source: the chosen one, or that of its format.
fn rank(chosen: Option<u32>, format: Option<Format>) -> u32 {
    chosen.or(format.map(rank_of)).unwrap_or(u32::MAX)
}

fn rank_of(format: Format) -> u32 {
    match format {
        Format::StructurizrDsl
        | Format::StructurizrJson
        | Format::LikeC4
        | Format::Backstage
        | Format::IcePanel
        | Format::ArchiMate => 100,
        Format::DrawIo
        | Format::Excalidraw
        | Format::Csv
        | Format::MermaidC4
        | Format::MermaidFlowchart
        | Format::PlantUmlC4 => 200,
        Format::Terraform | Format::Kubernetes | Format::Compose => 300,
        Format::ServiceGraph => 400,
    }
}

/// The value of each field.
pub(super) fn effective(source_values: &[SourceValues<'_>]) -> Sources {
    let mut best: BTreeMap<&String, (Weight<'_>, &Value)> = BTreeMap::new();
    for values in source_values {
        // Owners of other sources are noted with their claims, and are rows of their own.
        for (field, value) in values.fields.0.iter().filter(|(field, _)| *field != OWNER) {
            let order = (values.inferred.0.contains(field), values.order);
            let is_better = best.get(field).is_none_or(|(known, _)| order < *known);
            if is_better {
                best.insert(field, (order, value));
            }
        }
    }
    let stated = best.iter().filter(|(_, ((is_inferred, _), _))| !is_inferred).map(|(field, _)| (*field).clone());
    Sources {
        stated: stated.collect(),
        fields: Fields(best.iter().map(|(field, (_, value))| ((*field).clone(), (*value).clone())).collect()),
    }
}

/// The value of each field of a relationship: the most exact type stands.
pub(super) fn effective_relationship(source_values: &[SourceValues<'_>]) -> Sources {
    let mut effective = effective(source_values);
    let of = |values: &SourceValues<'_>| values.fields.get("type").and_then(Value::as_str).map(str::to_owned);
    let mut best = effective.fields.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    for type_id in source_values.iter().filter_map(of) {
        if types::is_more_exact(&type_id, &best) {
            best = type_id;
        }
    }
    effective.fields.set("type", best);
    effective
}
