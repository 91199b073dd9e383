//! Sends a reading to the server.

use std::collections::HashSet;

use import::Diagnostic;
use serde_json::{Map, Value, json};
use url::form_urlencoded;

use super::{
    config::{Config, Flags},
    report::{Report, ReportDraft},
    source::{ReadSource, Repository},
};
use crate::cli::{
    client::{ApiResponse, Client},
    output::{Failure, warn},
};

/// How sources are synchronized.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags of the command line")]
pub(super) struct Options<'o> {
    pub(super) workspace: &'o str,
    pub(super) repository: &'o Repository,
    pub(super) is_preview: bool,
    pub(super) flags: Flags,
    /// Whether the configuration lists the sources.
    pub(super) is_configured: bool,
    pub(super) allow_mass_removal: bool,
    pub(super) repository_moved: bool,
    pub(super) is_copy: bool,
    pub(super) create: bool,
}

/// All sources of a repository, to be synchronized together.
pub(super) struct Run<'o> {
    options: &'o Options<'o>,
    body: Value,
    diagnostics: Vec<Diagnostic>,
    title: Option<String>,
    /// What is synchronized, for messages.
    name: String,
}

impl<'o> Run<'o> {
    /// A run with what was read, and the ids of the sources that the repository no longer has.
    pub(super) fn new(options: &'o Options<'o>, config: &Config, (read, gone): (Vec<ReadSource>, Vec<String>)) -> Self {
        let keys: HashSet<String> = read
            .iter()
            .flat_map(|source| source.reading["components"].as_array().into_iter().flatten())
            .filter_map(|row| Some(row["origin"]["key"].as_str()?.to_owned()))
            .collect();
        // Arguments can be a part of the sources of the configuration.
        let owners: Map<String, Value> = config
            .owners
            .iter()
            .filter(|(key, _)| *key == "*" || keys.contains(key.as_str()))
            .map(|(key, owner)| (key.clone(), json!({ "kind": owner.kind, "id": owner.id })))
            .collect();
        let renames: Map<String, Value> = config
            .renames
            .iter()
            .filter(|(_, new)| keys.contains(new.as_str()))
            .map(|(old, new)| (old.clone(), new.as_str().into()))
            .collect();
        let Flags { adopt, draw, prune, .. } = options.flags;
        let name = match &read[..] {
            [one] => one.source["id"].as_str().unwrap_or_default().to_owned(),
            _ => options.repository.id.clone(),
        };
        let title = read.iter().find_map(|source| source.title.clone());
        let (mut sources, mut diagnostics) = (Vec::new(), Vec::new());
        for one in read {
            let Flags { adopt, draw, prune, separate } = one.flags;
            let options = json!({
                "adopt": adopt,
                "draw": draw,
                "prune": prune,
                "separate": separate.unwrap_or_default(),
                "rank": one.rank,
            });
            sources.push(json!({ "source": one.source, "reading": one.reading, "options": given(options) }));
            diagnostics.extend(one.diagnostics);
        }
        let Repository { id, origin, .. } = options.repository;
        // Files that are named for a sync are not those of a configuration.
        let configuration = options.repository.configuration().filter(|_| options.is_configured);
        let repository = given(json!({ "id": id, "origin": origin, "configuration": configuration, "gone": gone,
                                       "moved": options.repository_moved, "copy": options.is_copy }));
        let body = json!({
            "repository": repository,
            "sources": sources,
            "policy": config.policy,
            "adopt": adopt,
            "draw": draw.unwrap_or_default(),
            "prune": prune.unwrap_or_default(),
            "allowMassRemoval": options.allow_mass_removal,
            "owners": owners,
            "renames": renames,
            "same": config.same,
            "group": config.group,
            "volatile": config.volatile,
        });
        Self { options, body: given(body), diagnostics, title, name }
    }

    /// Synchronizes the sources, or shows what would change. Continues the draft that is already open.
    pub(super) fn sync(self, client: &Client, mut draft: Option<ReportDraft>) -> Result<Report, Failure> {
        let Self { options, body, diagnostics, title, name } = self;
        let path = |workspace: &str| {
            format!("/api/workspaces/{}/sync{}", segment(workspace), if options.is_preview { "/preview" } else { "" })
        };
        let workspace = draft.as_ref().map_or(options.workspace, |draft| &draft.id);
        let mut response = client.post(&path(workspace), &body)?;
        if is_protected(&response) {
            let opened = open_draft(client, options.workspace, &name)?;
            response = client.post(&path(&opened.id), &body)?;
            draft = Some(opened);
        }
        if response.status == 404 && options.create && !options.is_preview {
            create(client, options.workspace, title.as_deref().unwrap_or(options.workspace))?;
            response = client.post(&path(options.workspace), &body)?;
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

    /// Records decisions about rows: in a draft if the workspace is protected. Returns that draft.
    pub(super) fn decide(&self, client: &Client, decisions: &Decisions<'_>) -> Result<Option<ReportDraft>, Failure> {
        let draft = match self.decide_in(client, self.options.workspace, decisions) {
            Ok(true) => return Ok(None),
            Ok(false) => open_draft(client, self.options.workspace, &self.name)?,
            // Only the draft that is already open may have the rows.
            Err(failure) => self.open_already(client)?.ok_or(failure)?,
        };
        let decided = self.decide_in(client, &draft.id, decisions).map_err(|failure| {
            format!("in draft {}: {failure}; update the draft if the map has changed since it was opened", draft.number)
        })?;
        if decided { Ok(Some(draft)) } else { Err(format!("draft {} cannot be changed", draft.number).into()) }
    }

    /// The draft that an earlier sync has opened, if one is open.
    fn open_already(&self, client: &Client) -> Result<Option<ReportDraft>, Failure> {
        let response = client.get(&format!("/api/workspaces/{}/drafts", segment(self.options.workspace)))?;
        let all = response.body["drafts"].as_array().into_iter().flatten();
        let mut own = all.filter(|draft| draft["sourceId"] == self.name.as_str() && draft["canEdit"] == true);
        own.next().map(|draft| Ok(serde_json::from_value(draft.clone())?)).transpose()
    }

    /// Records decisions in a workspace or a draft. Returns whether it can be changed directly.
    fn decide_in(&self, client: &Client, id: &str, decisions: &Decisions<'_>) -> Result<bool, Failure> {
        let workspace = segment(id);
        // All keys are found before the first decision is recorded.
        let mut patches = self.splits(decisions.split)?;
        if !decisions.accept.is_empty() {
            let response = client.post(&format!("/api/workspaces/{workspace}/sync/preview"), &self.body)?;
            if response.status != 200 {
                return Err(format!("nothing was accepted: {}", explained(&response, self.options)).into());
            }
            patches.extend(acceptances(&response.body, decisions)?);
        }
        for Patch { source, body } in patches {
            let response = client.patch(&format!("/api/workspaces/{workspace}/sources/{}", segment(&source)), &body)?;
            if is_protected(&response) {
                return Ok(false);
            }
            if response.status != 200 {
                let key = body["key"].as_str().unwrap_or_default();
                return Err(match body["split"].as_bool() {
                    Some(_) if is_unsynchronized(&response) => {
                        format!("`{key}` was not split off: no sync has matched it yet")
                    }
                    Some(_) => format!("`{key}` was not split off: {}", explained(&response, self.options)),
                    None => format!("`{key}` was not accepted: {}", explained(&response, self.options)),
                }
                .into());
            }
        }
        Ok(true)
    }

    /// The components with these keys in the sources, to be split off from those of the map.
    fn splits(&self, keys: &[String]) -> Result<Vec<Patch>, Failure> {
        let sources = || self.body["sources"].as_array().into_iter().flatten();
        let has = |source: &Value, key: &str| {
            source["reading"]["components"].as_array().into_iter().flatten().any(|row| row["origin"]["key"] == key)
        };
        let split = |key: &String| {
            let found: Vec<&str> =
                sources().filter(|one| has(one, key)).filter_map(|one| one["source"]["id"].as_str()).collect();
            match found[..] {
                [source] => Ok(Patch {
                    source: source.to_owned(),
                    body: json!({ "kind": "component", "key": key, "split": true }),
                }),
                [] => Err(format!("no component in the sources has the key `{key}`").into()),
                _ => Err(format!(
                    "`{key}` is a component in {}; pass the files of the one to split off, and its name with --source if it \
                     has one",
                    found.join(" and ")
                )
                .into()),
            }
        };
        keys.iter().map(split).collect()
    }
}

/// What the command line says about single rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decisions<'d> {
    /// Keys of rows that the map does not have on purpose.
    pub(super) accept: &'d [String],
    /// Why it does not.
    pub(super) reason: Option<&'d str>,
    /// Keys of components that are not those that they were matched with.
    pub(super) split: &'d [String],
}

/// A decision about a row of a source, as sent.
struct Patch {
    source: String,
    body: Value,
}

/// The rows of a preview that were deleted on the map and are accepted.
fn acceptances(preview: &Value, decisions: &Decisions<'_>) -> Result<Vec<Patch>, Failure> {
    let mut patches = Vec::new();
    for key in decisions.accept {
        let before = patches.len();
        for row in preview["deletedOnMap"].as_array().into_iter().flatten().filter(|row| row["key"] == **key) {
            let source = row["source"].as_str().or(preview["source"]["id"].as_str()).unwrap_or_default().to_owned();
            let body = given(json!({ "kind": row["kind"], "key": key, "accepted": true, "reason": decisions.reason }));
            patches.push(Patch { source, body });
        }
        if patches.len() == before {
            return Err(format!("no row that was deleted on the map has the key `{key}`").into());
        }
    }
    Ok(patches)
}

/// Whether the workspace changes only when drafts are merged.
fn is_protected(response: &ApiResponse) -> bool {
    response.status == 403 && response.body["code"] == "protected"
}

/// Whether the workspace does not have a row of a source, or the source.
fn is_unsynchronized(response: &ApiResponse) -> bool {
    let reason = response.body["error"].as_str().unwrap_or_default();
    response.status == 404 && (reason.starts_with("source") || reason.starts_with("row of the source"))
}

/// An object without absent values.
fn given(mut object: Value) -> Value {
    if let Some(fields) = object.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    object
}

/// The message of an error, and what to do on the command line.
fn explained(response: &ApiResponse, options: &Options<'_>) -> String {
    let message =
        response.message().replace("then send `allowMassRemoval`", "then repeat the command with --allow-mass-removal");
    let message = message
        .replace("or say that it has moved", "or repeat the command with --repository-moved if it has moved")
        .replace("and say that it has moved", "and repeat the command with --repository-moved")
        .replace("say that it is a copy", "repeat the command with --new-repository");
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
pub(super) fn segment(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

fn shown(one: &Diagnostic) -> String {
    format!("{}:{}: {}: {}", one.file, one.line, one.severity.id(), one.text)
}
