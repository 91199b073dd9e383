//! What the server knows of the sources of a repository from their last sync.

use std::{collections::BTreeSet, path::Path};

use import::Refusal;
use serde_json::Value;

use super::{
    git,
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

/// What is wrong with a file whose rows would count as gone, because it cannot be read.
pub(super) fn invalid_file(client: &Client, workspace: &str, read: &ReadSource) -> Result<Option<Refusal>, Failure> {
    if read.unreadable.is_empty() {
        return Ok(None);
    }
    let known = files_of(client, workspace, read.id())?;
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
        configuration.is_some_and(|configuration| repository.listed(base, configuration))
            && source["repository"].as_str() == Some(&repository.id)
            && source["isObserved"] == false
            && !read.iter().any(|own| source["id"] == own.id())
    };
    let listed = response.body["sources"].as_array().into_iter().flatten();
    Ok(listed.filter(is_gone).filter_map(|source| source["id"].as_str().map(str::to_owned)).collect())
}
