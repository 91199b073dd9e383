//! Sources in workspace files.

use std::collections::HashSet;

use super::{
    model::{
        claims::{Acceptance, Claim, DocumentClaim, DocumentSource, Gaps, MAX_CLAIMS, MAX_SOURCES, MergedRow, Source},
        request::SyncKind,
    },
    store,
};
use crate::{
    domain::{
        core::{EditTx, Reads, ViewTx},
        values::{FilePath, Id, Line, Name, RowKey, SourceId, Text, WebAddress},
    },
    error::{Error, FieldPath, Problem, Result},
};

/// Maximum length of the fields of a claim in a file, in bytes of JSON.
const MAX_BASE_BYTES: usize = 32 << 10;
/// Maximum number of names in a list of a claim in a file.
const MAX_NAMES: usize = 100;
/// Maximum length of such a name.
const MAX_NAME_BYTES: usize = 200;

/// The sources of a workspace for a file. Stakeholders and links have ids of their own in each instance, so their claims are
/// left out: they become the map's own.
pub(in crate::domain) fn export(tx: &ViewTx<'_>) -> Result<Vec<DocumentSource>> {
    let (conn, pk) = (tx.core().conn, tx.pk());
    let mut found = Vec::new();
    let mut claims = store::claims::list(conn, pk)?.into_iter().peekable();
    for source in store::sources::list(conn, pk)? {
        let mut own = Vec::new();
        while let Some(claim) = claims.next_if(|claim| claim.source_id == source.id) {
            if !matches!(claim.kind, SyncKind::Stakeholder | SyncKind::Link) {
                own.push(document_claim(claim)?);
            }
        }
        found.push(DocumentSource {
            id: SourceId::new(&source.id).map_err(invalid)?,
            kind: Line::cleaned(&source.kind).map_err(invalid)?,
            // Nothing remains of a text that has only hidden characters.
            name: source.name.as_deref().and_then(|name| Name::cleaned(name).ok()),
            revision: source.revision.as_deref().and_then(|revision| Line::cleaned(revision).ok()),
            url: source.url.as_deref().map(WebAddress::new).transpose().map_err(invalid)?,
            repository: source.repository.as_deref().map(SourceId::new).transpose().map_err(invalid)?,
            origin: source.origin.as_deref().and_then(|origin| Line::cleaned(origin).ok()),
            configuration: source.configuration.as_deref().and_then(|place| Line::cleaned(place).ok()),
            rank: source.rank,
            synced_at: source.synced_at,
            not_read: source.not_read.0,
            claims: own,
        });
    }
    Ok(found)
}

fn invalid(problem: Problem) -> Error {
    Error::internal(format!("a stored source is invalid: {problem}"))
}

fn document_claim(claim: Claim) -> Result<DocumentClaim> {
    Ok(DocumentClaim {
        kind: claim.kind,
        key: RowKey::new(&claim.key).map_err(invalid)?,
        id: claim.row_id.as_deref().map(Id::new).transpose().map_err(invalid)?,
        base: claim.base,
        inferred: claim.inferred,
        volatile: claim.volatile,
        is_home: claim.is_home,
        separate: claim.separate,
        row_was: claim.row_was,
        merged_at: claim.merged_from.as_ref().map(|merged| merged.at),
        merged_from: claim.merged_from.map(|merged| Id::new(&merged.id)).transpose().map_err(invalid)?,
        accepted_at: claim.accepted.as_ref().map(|accepted| accepted.at),
        accepted_reason: claim
            .accepted
            .and_then(|accepted| accepted.reason)
            .map(|reason| Text::new(&reason))
            .transpose()
            .map_err(invalid)?,
        file: FilePath::new(&claim.file).map_err(invalid)?,
        line: claim.line,
        seen_at: claim.seen_at,
        missing_since: claim.missing_since,
    })
}

/// Checks the sources of a file.
pub(in crate::domain) fn check(sources: &[DocumentSource]) -> Result<()> {
    if sources.len() > MAX_SOURCES {
        return Err(Error::invalid("sources", Problem::Items { min: 0, max: Some(MAX_SOURCES) }));
    }
    if sources.iter().map(|source| source.claims.len()).sum::<usize>() > MAX_CLAIMS {
        return Err(Error::invalid("sources", format!("must have at most {MAX_CLAIMS} claims together")));
    }
    let mut ids = HashSet::new();
    for (at, source) in sources.iter().enumerate() {
        if !ids.insert(source.id.as_str()) {
            return Err(Error::invalid(FieldPath::item("sources", at).field("id"), Problem::Repeated));
        }
        let mut keys = HashSet::new();
        for (index, claim) in source.claims.iter().enumerate() {
            let field = |name: &str| FieldPath::item("sources", at).field("claims").index(index).field(name);
            if matches!(claim.kind, SyncKind::Stakeholder | SyncKind::Link) {
                return Err(Error::invalid(field("kind"), "must be `component`, `relationship`, `process`, or `view`"));
            }
            if !keys.insert((claim.kind, claim.key.as_str())) {
                return Err(Error::invalid(field("key"), Problem::Repeated));
            }
            for (name, fields) in [("base", &claim.base), ("volatile", &claim.volatile)] {
                let actual = serde_json::to_string(fields)?.len();
                if actual > MAX_BASE_BYTES {
                    let problem = Problem::TooLarge { max: MAX_BASE_BYTES, actual, unit: "bytes of JSON" };
                    return Err(Error::invalid(field(name), problem));
                }
            }
            for (name, names) in [("inferred", &claim.inferred), ("separate", &claim.separate)] {
                if names.0.len() > MAX_NAMES || names.0.iter().any(|name| name.len() > MAX_NAME_BYTES) {
                    let text = format!("must have at most {MAX_NAMES} names of {MAX_NAME_BYTES} bytes");
                    return Err(Error::invalid(field(name), text));
                }
            }
        }
    }
    Ok(())
}

/// Replaces the sources of a workspace with the sources of a file, if they differ.
pub(in crate::domain) fn replace(tx: &mut EditTx<'_>, sources: Vec<DocumentSource>) -> Result<()> {
    if export(tx)? == sources {
        return Ok(());
    }
    tx.change_source()?;
    let (conn, pk) = (tx.core().conn, tx.pk());
    // In a draft, a user who imports sources counts as the user who synced them, and cannot approve the draft.
    let synced_by = tx.workspace().base_pk.and(tx.core().actor());
    for source in store::sources::list(conn, pk)? {
        store::claims::delete_of_source(conn, pk, &source.id)?;
        store::sources::delete(conn, pk, &source.id, tx.core().now)?;
    }
    for source in sources {
        let id = String::from(source.id);
        let row = Source {
            id: id.clone(),
            kind: source.kind.into(),
            name: source.name.map(String::from),
            revision: source.revision.map(String::from),
            url: source.url.map(String::from),
            repository: source.repository.map(String::from),
            origin: source.origin.map(String::from),
            configuration: source.configuration.map(String::from),
            rank: source.rank,
            synced_at: source.synced_at,
            synced_by,
            not_read: Gaps(source.not_read),
        };
        store::sources::put(conn, pk, &row)?;
        for (at, claim) in source.claims.into_iter().enumerate() {
            if at.is_multiple_of(100) {
                tx.core().check_alive()?;
            }
            let claim = Claim {
                source_id: id.clone(),
                kind: claim.kind,
                key: claim.key.into(),
                row_id: claim.id.map(String::from),
                base: claim.base,
                inferred: claim.inferred,
                volatile: claim.volatile,
                is_home: claim.is_home,
                separate: claim.separate,
                row_was: claim.row_was,
                merged_from: claim.merged_from.zip(claim.merged_at).map(|(id, at)| MergedRow { id: id.into(), at }),
                accepted: claim.accepted_at.map(|at| Acceptance {
                    at,
                    by: None,
                    reason: claim.accepted_reason.map(String::from),
                }),
                file: claim.file.into(),
                line: claim.line,
                seen_at: claim.seen_at,
                missing_since: claim.missing_since,
            };
            store::claims::put(conn, pk, &claim)?;
        }
    }
    Ok(())
}
