//! Sends a reading to the server.

use import::Diagnostic;
use serde_json::{Value, json};
use url::form_urlencoded;

use super::{
    config::Config,
    report::{Report, ReportDraft},
    source::ReadSource,
};
use crate::cli::{
    client::{ApiResponse, Client},
    output::{Failure, warn},
};

/// How a source is synchronized.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags of the command line")]
pub(super) struct Options<'o> {
    pub(super) workspace: &'o str,
    pub(super) is_preview: bool,
    pub(super) prune: bool,
    pub(super) adopt: bool,
    pub(super) draw: bool,
    pub(super) allow_mass_removal: bool,
    pub(super) create: bool,
}

/// Synchronizes a source, or shows what would change.
pub(super) fn sync(
    client: &Client,
    options: &Options<'_>,
    config: &Config,
    read: ReadSource,
) -> Result<Report, Failure> {
    let ReadSource { source, reading, diagnostics, title, .. } = read;
    let name = source["id"].as_str().unwrap_or_default().to_owned();
    let keys: std::collections::HashSet<&str> = reading["components"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|row| row["origin"]["key"].as_str())
        .collect();
    // The configuration is for all sources; the server expects keys of this one.
    let owners: serde_json::Map<String, Value> = config
        .owners
        .iter()
        .filter(|(key, _)| *key == "*" || keys.contains(key.as_str()))
        .map(|(key, owner)| (key.clone(), json!({ "kind": owner.kind, "id": owner.id })))
        .collect();
    let renames: serde_json::Map<String, Value> = config
        .renames
        .iter()
        .filter(|(_, new)| keys.contains(new.as_str()))
        .map(|(old, new)| (old.clone(), new.as_str().into()))
        .collect();
    let body = json!({
        "source": source,
        "reading": reading,
        "policy": config.policy,
        "adopt": options.adopt,
        "draw": options.draw,
        "prune": options.prune,
        "allowMassRemoval": options.allow_mass_removal,
        "owners": owners,
        "renames": renames,
    });
    let path = format!(
        "/api/workspaces/{}/sync{}",
        segment(options.workspace),
        if options.is_preview { "/preview" } else { "" }
    );
    let mut draft = None;
    let mut response = client.post(&path, &body)?;
    if response.status == 403 && response.body["code"] == "protected" {
        let opened = open_draft(client, options.workspace, &name)?;
        response = client.post(&format!("/api/workspaces/{}/sync", segment(&opened.id)), &body)?;
        draft = Some(opened);
    }
    if response.status == 404 && options.create && !options.is_preview {
        create(client, options.workspace, title.as_deref().unwrap_or(options.workspace))?;
        response = client.post(&path, &body)?;
    }
    match response.status {
        200 => {
            let mut report: Report = serde_json::from_value(response.body).map_err(|error| {
                format!("the server's report cannot be read, because it has another version: {error}")
            })?;
            report.draft = draft;
            report.diagnostics.splice(0..0, diagnostics.iter().map(Into::into));
            Ok(report)
        }
        _ => {
            for one in &diagnostics {
                warn(&shown(one))?;
            }
            Err(format!("{name} was not synchronized: {}", explained(&response, options)).into())
        }
    }
}

/// The message of an error, and what to do on the command line.
fn explained(response: &ApiResponse, options: &Options<'_>) -> String {
    let message =
        response.message().replace("then send `allowMassRemoval`", "then repeat the command with --allow-mass-removal");
    let hint = match response.status {
        404 if options.is_preview && options.create => "; --create takes effect only without --dry-run and --check",
        404 => "; check --workspace and the organization of the token, or create the workspace with --create",
        403 => "; a sync needs an editor's token, --check only a viewer's",
        _ => "",
    };
    format!("{message}{hint}")
}

/// Opens the draft of this source in a protected workspace: a new one, or the one that an earlier sync has opened.
fn open_draft(client: &Client, workspace: &str, source: &str) -> Result<ReportDraft, Failure> {
    const MAX_TITLE_CHARS: usize = 200;
    let title: String = format!("Sync with {source}").chars().take(MAX_TITLE_CHARS).collect();
    let body = json!({ "title": title, "sourceId": source, "submit": true });
    let response = client.post(&format!("/api/workspaces/{}/drafts", segment(workspace)), &body)?;
    let draft = serde_json::from_value(response.body["draft"].clone()).ok().filter(|_| response.status == 201);
    draft.ok_or_else(|| format!("{source} was not synchronized: no draft was opened: {}", response.message()).into())
}

fn create(client: &Client, id: &str, name: &str) -> Result<(), Failure> {
    let response = client.post("/api/workspaces", &json!({ "id": id, "name": name }))?;
    match response.status {
        201 => warn(&format!("created workspace {id}")),
        _ => Err(format!("workspace {id} was not created: {}", response.message()).into()),
    }
}

/// A part of a path. Spaces are `%20`, because `+` is a plus sign there.
fn segment(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

fn shown(one: &Diagnostic) -> String {
    format!("{}:{}: {}: {}", one.file, one.line, one.severity.id(), one.text)
}
