//! What the server knows of the sources of a repository from their last sync.

use std::{collections::BTreeSet, path::Path};

use import::Refusal;
use serde_json::Value;

use super::{
    git,
    report::ReportDiagnostic,
    server::segment,
    source::{ReadSource, Repository},
};
use crate::cli::{client::Client, output::Failure};

/// Rows in a response.
const PAGE: usize = 1_000;
/// Maximum number of responses with the rows of a source: a workspace has at most 200,000.
const MAX_PAGES: usize = 200;

/// The files in which a source has rows on the map: none if the workspace does not have the source.
fn files_of(client: &Client, workspace: &str, source: &str) -> Result<BTreeSet<String>, Failure> {
    let path = format!("/api/workspaces/{}/sources/{}?limit={PAGE}", segment(workspace), segment(source));
    let (mut files, mut cursor) = (BTreeSet::new(), String::new());
    for _ in 0..MAX_PAGES {
        let response = client.get(&format!("{path}{cursor}"))?;
        match response.status {
            200 => {}
            404 => break,
            _ => return Err(response.message().into()),
        }
        let claims = response.body["claims"].as_array().into_iter().flatten();
        let present = claims.filter(|claim| claim["missingSince"].is_null());
        files.extend(present.filter_map(|claim| claim["file"].as_str().map(str::to_owned)));
        match response.body["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={}", segment(next)),
            None => break,
        }
    }
    Ok(files)
}

/// What is wrong with a file whose rows would count as gone, because it cannot be read, or is not checked out.
pub(super) fn invalid_file(
    client: &Client,
    workspace: &str,
    (base, read): (&Path, &ReadSource),
) -> Result<Option<Refusal>, Failure> {
    let is_sparse = git::is_sparse(base);
    if read.unreadable.is_empty() && !is_sparse {
        return Ok(None);
    }
    let known = files_of(client, workspace, read.id())?;
    if let Some(file) = known.iter().find(|file| is_sparse && !base.join(file).exists()) {
        let text = "only a part of the repository is checked out, without this file, of which the map has rows; the source was not \
                    synchronized";
        return Ok(Some(Refusal { file: Some(file.clone()), line: None, text: text.to_owned() }));
    }
    let has_rows = |refusal: &&Refusal| refusal.file.as_ref().is_some_and(|file| known.contains(file));
    Ok(read.unreadable.iter().find(has_rows).map(|refusal| Refusal {
        text: format!("{}; the map has rows of this file, so the source was not synchronized", refusal.text),
        ..refusal.clone()
    }))
}

/// The sources that the repository no longer has: those that were not read, although its configuration listed them before, or one
/// that no longer exists. Sources of other configurations, and files that were named for a sync, stay.
pub(super) fn gone_sources(
    client: &Client,
    workspace: &str,
    repository: &Repository,
    (base, read): (&Path, &[ReadSource]),
) -> Result<Vec<String>, Failure> {
    if repository.configuration().is_none() || git::is_sparse(base) {
        return Ok(Vec::new());
    }
    let response = client.get(&format!("/api/workspaces/{}/sources", segment(workspace)))?;
    let is_gone = |source: &&Value| {
        let configuration = source["configuration"].as_str();
        configuration.is_some_and(|configuration| repository.owns_configuration(base, configuration))
            && source["repository"].as_str() == Some(&repository.id)
            && source["isObserved"] == false
            && !read.iter().any(|own| source["id"] == own.id())
    };
    // The workspace may not exist yet.
    if !matches!(response.status, 200 | 404) {
        return Err(response.message().into());
    }
    let listed = response.body["sources"].as_array().into_iter().flatten();
    Ok(listed.filter(is_gone).filter_map(|source| source["id"].as_str().map(str::to_owned)).collect())
}

/// Warnings about other sources of a repository whose files do not exist, after a sync: the configuration never listed them, or it
/// is not known that it did. Their rows count as if files had them.
pub(super) fn left_sources(
    client: &Client,
    workspace: &str,
    repository: &Repository,
    (base, synchronized): (&Path, &[String]),
) -> Vec<ReportDiagnostic> {
    let Ok(response) = client.get(&format!("/api/workspaces/{}/sources", segment(workspace))) else {
        return Vec::new();
    };
    let listed = response.body["sources"].as_array().into_iter().flatten();
    let others =
        listed.filter(|source| source["repository"].as_str() == Some(&repository.id) && source["isObserved"] == false);
    let ids = others.filter_map(|source| source["id"].as_str());
    let is_left = |id: &&str| {
        let files = files_of(client, workspace, id).unwrap_or_default();
        !files.is_empty() && !files.iter().any(|file| base.join(file).exists())
    };
    let warning = |id: &str| ReportDiagnostic {
        severity: "warning".into(),
        text: format!(
            "the files of the source `{id}` are not here, and its rows stay as they are; if they no longer exist, remove the source \
             under Sources in the browser"
        ),
        ..ReportDiagnostic::default()
    };
    ids.filter(|id| !synchronized.iter().any(|own| own == id)).filter(is_left).map(warning).collect()
}
