//! Named versions: states of a workspace that are kept whatever becomes of the log, and the way back to them.

use std::{
    collections::{HashMap, HashSet},
    io::{Read, Write},
    sync::Arc,
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{
    kept::Kept,
    state::State,
    steps::{Step, Steps},
};
use crate::{
    domain::{
        access::{Call, EditTx, Gate, Image, Reads, ViewTx},
        bundle::Bundle,
        input::{Input, objects},
        live::Versions,
        stakeholders, store,
        values::{Name, Text},
        workspaces::Workspace,
    },
    error::{Error, Result},
};

/// Most versions of one workspace.
const MOST: i64 = 200;
const HIDDEN: Error = Error::NotFound("version");

/// A state of a workspace that was given a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// Never used again, not even after deletion.
    pub id: i64,
    /// Name.
    #[schema(example = "As approved")]
    pub name: String,
    /// Description; absent when it was never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// The workspace's revision then; goes into `If-Match`.
    #[schema(example = 12)]
    pub revision: i64,
    /// Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub created_at: i64,
    /// User id; absent when the system did it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub created_by: Option<i64>,
}

/// A name for the present state.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewVersion {
    /// Name; several may have the same.
    #[schema(example = "As approved")]
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
}

objects!(NewVersion);
impl Input for NewVersion {
    const READ_ONLY: &'static [&'static str] = &["id", "revision", "createdAt", "createdBy"];
}

/// What has become of a workspace that was restored.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Restored {
    /// The batch that did it: undo it to take it back.
    pub batch_id: String,
    /// The workspace's revision now.
    pub revision: i64,
    /// How many rows are others now.
    pub rows: usize,
    /// Stakeholders that could not come back.
    pub skipped: Vec<Skipped>,
}

/// A row of a version that could not come back.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Skipped {
    /// What kind it is, as in the history.
    #[schema(example = "stakeholder")]
    pub entity: String,
    /// Its id among its kind, as text.
    #[schema(example = "7")]
    pub entity_id: String,
    /// What people call it.
    #[schema(example = "grace-hopper of checkout")]
    pub name: String,
    /// What it lacks.
    #[schema(example = "the person `grace-hopper` is not there any more")]
    pub why: String,
}

/// The versions of a workspace, in order of creation.
pub fn versions(tx: &ViewTx<'_>) -> Result<Vec<Version>> {
    store::versions::list(tx.core().conn, tx.pk())
}

/// Keeps the present state under a name. It is read and packed before the write begins, which others wait for.
pub async fn keep(gate: &Gate, call: Call, id: String, new: NewVersion) -> Result<Version> {
    let pack = |tx: &ViewTx<'_>| Ok((tx.pk(), tx.workspace().written.revision, packed(&State::now(tx)?)?));
    let (pk, revision, snapshot) = gate.view_all(call.clone(), id.clone(), pack).await?;
    let keep = move |tx: &mut EditTx<'_>| {
        let core = tx.core();
        if tx.pk() != pk {
            return Err(Error::NotFound("workspace"));
        }
        if store::versions::count(core.conn, pk)? >= MOST {
            return Err(Error::Conflict(format!("a workspace has at most {MOST} versions; delete one first")));
        }
        let mut version = Version {
            id: 0,
            name: new.name.into(),
            description: new.description.map(String::from),
            revision,
            created_at: core.now,
            created_by: core.actor(),
        };
        version.id = store::versions::insert(core.conn, pk, &version, &snapshot)?;
        noted(tx, "version.create", &version)?;
        tell(tx, "create", &version);
        Ok(version)
    };
    gate.edit(call, id, keep).await
}

/// Forgets a version.
pub fn forget(tx: &mut EditTx<'_>, id: i64) -> Result<()> {
    let version = store::versions::find(tx.core().conn, tx.pk(), id)?.ok_or(HIDDEN)?;
    tx.expect_revision(version.revision, version.created_by, &version)?;
    store::versions::delete(tx.core().conn, tx.pk(), id)?;
    tell(tx, "delete", &version);
    noted(tx, "version.delete", &version)
}

/// A workspace as it was when the version was kept.
pub fn version(tx: &ViewTx<'_>, id: i64) -> Result<Bundle> {
    unpacked(tx, id)?.ok_or(HIDDEN)?.bundle(tx)
}

/// Makes the workspace what it was: rows, name, description and properties. Who may see it and who its members are stays,
/// and stakeholders whose person, team or role is gone are left out and named.
pub async fn restore(gate: &Gate, call: Call, workspace_id: String, id: i64) -> Result<Restored> {
    // That it is gone by now is no matter to who sends again what was done.
    let read = move |tx: &ViewTx<'_>| Ok(unpacked(tx, id)?.map(|then| (tx.pk(), then)));
    let found = gate.view_all(call.clone(), workspace_id.clone(), read).await?;
    let restore = move |tx: &mut EditTx<'_>| {
        let version = store::versions::find(tx.core().conn, tx.pk(), id)?.ok_or(HIDDEN)?;
        let (_, then) = found.filter(|(pk, _)| *pk == tx.pk()).ok_or(HIDDEN)?;
        let (steps, skipped) = way(tx, then)?;
        let rows = steps.count(tx.workspace());
        steps.take(tx)?;
        noted(tx, "version.restore", &version)?;
        let revision = tx.workspace_now()?.written.revision;
        Ok(Restored { batch_id: tx.core().call.batch.clone(), revision, rows, skipped })
    };
    gate.edit(call, workspace_id, restore).await
}

/// The way from what is there to what was, and what cannot come along.
fn way(tx: &EditTx<'_>, mut then: State) -> Result<(Steps, Vec<Skipped>)> {
    let mut now = State::now(tx)?;
    let (mut skipped, mut keys) = (Vec::new(), HashSet::new());
    for link in &then.stakeholders {
        if let Some((entity, id)) = stakeholders::missing(tx, link)? {
            keys.insert(link.id);
            skipped.push(Skipped {
                entity: "stakeholder".into(),
                entity_id: link.id.to_string(),
                name: link.name(),
                why: format!("the {entity} `{id}` is not there any more"),
            });
        }
    }
    // What is there and would only change stays as it is.
    then.stakeholders.retain(|link| !keys.contains(&link.id));
    now.stakeholders.retain(|link| !keys.contains(&link.id));
    let Workspace { name, description, properties, .. } = then.workspace;
    let steps = Steps {
        workspace: Some(Workspace { name, description, properties, ..now.workspace }),
        components: between(now.components, then.components),
        relationships: between(now.relationships, then.relationships),
        stakeholders: between(now.stakeholders, then.stakeholders),
        links: between(now.links, then.links),
        processes: between(now.processes, then.processes),
    };
    Ok((steps, skipped))
}

fn between<R: Kept>(now: Vec<R>, then: Vec<R>) -> Vec<Step<R>> {
    let there: HashSet<String> = then.iter().map(R::key).collect();
    let (staying, going): (Vec<R>, Vec<R>) = now.into_iter().partition(|row| there.contains(&row.key()));
    let mut staying: HashMap<String, R> = staying.into_iter().map(|row| (row.key(), row)).collect();
    let written = then.into_iter().filter_map(|then| match staying.remove(&then.key()) {
        Some(now) if now.says_the_same(&then) => None,
        now => Some(Step { now, then: Some(then) }),
    });
    let mut steps: Vec<Step<R>> = written.collect();
    steps.extend(going.into_iter().map(|row| Step { now: Some(row), then: None }));
    steps
}

fn noted(tx: &EditTx<'_>, kind: &str, version: &Version) -> Result<()> {
    let core = tx.core();
    let details = json!({ "workspacePk": tx.pk(), "version": version.id, "name": version.name });
    core.audit(kind, core.actor(), &details)
}

/// Tells those who follow the workspace, whose list of versions is another now.
fn tell(tx: &EditTx<'_>, op: &str, version: &Version) {
    let (live, pk) = (Arc::clone(&tx.core().shared.live), tx.pk());
    let told = Versions { op: op.to_owned(), version: version.clone() };
    tx.core().after_commit(move || live.tell_of_version(pk, &told));
}

/// All rows of a state, as the log keeps them.
#[derive(Serialize, Deserialize)]
struct Snapshot {
    workspace: Workspace,
    components: Vec<Value>,
    relationships: Vec<Value>,
    stakeholders: Vec<Value>,
    links: Vec<Value>,
    processes: Vec<Value>,
}

fn packed(state: &State) -> Result<Vec<u8>> {
    let snapshot = Snapshot {
        workspace: Workspace { my_role: None, ..state.workspace.clone() },
        components: images(&state.components)?,
        relationships: images(&state.relationships)?,
        stakeholders: images(&state.stakeholders)?,
        links: images(&state.links)?,
        processes: images(&state.processes)?,
    };
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&serde_json::to_vec(&snapshot)?)?;
    Ok(encoder.finish()?)
}

fn unpacked(tx: &ViewTx<'_>, id: i64) -> Result<Option<State>> {
    let Some(bytes) = store::versions::snapshot(tx.core().conn, tx.pk(), id)? else { return Ok(None) };
    let mut text = Vec::new();
    GzDecoder::new(&*bytes).read_to_end(&mut text)?;
    let snapshot: Snapshot = serde_json::from_slice(&text)?;
    let now = tx.workspace();
    Ok(Some(State {
        workspace: snapshot.workspace.seen_from(now),
        components: rows(snapshot.components, &now.id)?,
        relationships: rows(snapshot.relationships, &now.id)?,
        stakeholders: rows(snapshot.stakeholders, &now.id)?,
        links: rows(snapshot.links, &now.id)?,
        processes: rows(snapshot.processes, &now.id)?,
    }))
}

fn images<R: Kept>(rows: &[R]) -> Result<Vec<Value>> {
    rows.iter().map(|row| Ok(serde_json::to_value(Image::of(row))?)).collect()
}

fn rows<R: Kept>(images: Vec<Value>, workspace_id: &str) -> Result<Vec<R>> {
    images.into_iter().map(|image| R::from_image(image, workspace_id)).collect()
}
