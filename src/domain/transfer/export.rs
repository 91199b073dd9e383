//! Exports a workspace as a [`Document`](super::document::Document).

use std::collections::{BTreeSet, HashMap};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Serialize, Serializer, ser::SerializeSeq};
use serde_json::{Map, Value, json};

use super::document::Format;
use crate::{
    domain::{
        comments::file::{self as comment_file, DocumentThread},
        core::{Reads, ViewTx, WholeMap},
        directory::{
            component_kinds,
            entries::{self, Entry},
            people::Person,
            roles::Role,
            teams::{self, Team},
        },
        map::{
            components::Component,
            decisions::{self, Decision},
            links::Link,
            note_images,
            notes::{ImageId, Note},
            processes::Process,
            relationships::Relationship,
            stakeholders::{self, StakeholderLink},
            tours::Tour,
            views::{View, ViewLine, ViewPlace},
        },
        paging::Window,
        sync::{self, DocumentSource},
        values::{UploadedPhoto, is_blank, without_hidden},
    },
    error::{Error, Result},
};

/// Fields that belong to this instance, or to the position of a row in it, and are not exported.
const OMITTED_FIELDS: &[&str] = &[
    "workspaceId",
    "orgId",
    "ownerUserId",
    "organizationAccess",
    "myRole",
    "accessRequests",
    "accessRequestedAt",
    "userId",
    "clerkUserId",
    "revision",
    "createdAt",
    "createdBy",
    "updatedAt",
    "updatedBy",
];

/// Fields that are exported even if they are `null`, because an import leaves absent ones unchanged.
const NULLABLE_FIELDS: &[&str] = &["width", "height", "line", "opens"];

/// A workspace as a document. Rows are serialized one at a time, because a JSON value of the whole document would need
/// many times its size.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Exported {
    format: Format,
    workspace: Value,
    people: Vec<Value>,
    teams: Vec<Value>,
    roles: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kinds: Vec<Value>,
    #[serde(serialize_with = "all")]
    components: Vec<Component>,
    #[serde(serialize_with = "all")]
    relationships: Vec<Relationship>,
    #[serde(serialize_with = "all_without_id")]
    stakeholders: Vec<StakeholderLink>,
    #[serde(serialize_with = "all_without_id")]
    links: Vec<Link>,
    #[serde(serialize_with = "all")]
    processes: Vec<Process>,
    #[serde(serialize_with = "all")]
    notes: Vec<Note>,
    #[serde(serialize_with = "all_in_order")]
    views: Vec<View>,
    #[serde(serialize_with = "all")]
    view_places: Vec<ViewPlace>,
    #[serde(serialize_with = "all")]
    view_lines: Vec<ViewLine>,
    #[serde(serialize_with = "all_in_order")]
    tours: Vec<Tour>,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "all")]
    decisions: Vec<Decision>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sources: Vec<DocumentSource>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    threads: Vec<DocumentThread>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    images: Vec<ExportedImage>,
}

/// An image file that notes refer to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportedImage {
    id: ImageId,
    media_type: String,
    /// The content in base64.
    data: String,
}

/// The images that notes refer to, in the order of their ids.
fn images(tx: &ViewTx<'_>, notes: &[Note]) -> Result<Vec<ExportedImage>> {
    let ids: BTreeSet<&ImageId> = notes.iter().filter_map(|note| note.image_id.as_ref()).collect();
    let export = |id: &ImageId| {
        tx.core().check_alive()?;
        let (media_type, content) = note_images::content(tx, id)?;
        Ok(ExportedImage { id: id.clone(), media_type, data: STANDARD.encode(content) })
    };
    ids.into_iter().map(export).collect()
}

/// Memory for an image in a file, as a multiple of its size: the image, its content in base64, and the file with it.
const IMAGE_FACTOR: usize = 4;

/// Estimated memory of [`export()`] in bytes: the rows, the images that notes show, and their serialized form.
pub fn weigh(tx: &ViewTx<'_>) -> Result<usize> {
    let images = note_images::bytes_shown(tx)?.saturating_mul(IMAGE_FACTOR);
    Ok(tx.weight()?.saturating_mul(2).saturating_add(images))
}

/// Exports the whole workspace, with fields in the order of a document. Rows without an order are sorted by content, so
/// that the same map produces the same file on every instance.
pub fn export(tx: &ViewTx<'_>, _: &WholeMap) -> Result<Exported> {
    let (conn, key) = (tx.core().conn, tx.key());
    let organization_id = tx.workspace().org_id.clone().unwrap_or_default();
    let components: Vec<Component> = tx.rows()?;
    let places: HashMap<&str, usize> = components.iter().enumerate().map(|(at, row)| (row.id.as_str(), at)).collect();
    let place = |component: &str| places.get(component).copied().unwrap_or_default();

    let stakeholders = stakeholders::rows(conn, &key, &Window::whole())?.items;
    let mut stakeholders: Vec<_> = stakeholders.into_iter().map(|row| row.link).collect();
    stakeholders.sort_by(|a, b| {
        let order = |row: &StakeholderLink| {
            (place(&row.component_id), row.link_type.clone(), row.team_id.clone(), row.person_id.clone())
        };
        order(a).cmp(&order(b))
    });
    let mut links: Vec<Link> = tx.rows()?;
    links.sort_by_key(|row| (place(&row.component_id), row.id));

    let notes: Vec<Note> = tx.rows()?;
    let all = |of: fn(&StakeholderLink) -> Option<&String>| stakeholders.iter().filter_map(of).cloned().collect();
    let roles: BTreeSet<String> = all(|row| Some(&row.link_type));
    let teams: BTreeSet<String> = all(|row| row.team_id.as_ref());
    let mut people: BTreeSet<String> = all(|row| row.person_id.as_ref());
    let teams = teams.iter().map(|id| {
        let mut members = teams::members(conn, &organization_id, id, &Window::whole())?.items;
        members.sort_by(|a, b| a.person_id.cmp(&b.person_id));
        people.extend(members.iter().map(|member| member.person_id.clone()));
        let mut team = entry::<Team>(tx, &organization_id, id)?;
        let members = members.iter().map(|member| json!({ "personId": member.person_id, "role": member.role }));
        team["members"] = members.collect();
        Ok(team)
    });
    let teams: Vec<Value> = teams.collect::<Result<_>>()?;
    let kinds = used_kinds(tx, &organization_id, &components)?;
    Ok(Exported {
        format: Format::One,
        // Without fields that depend on the reader.
        workspace: own(&tx.workspace().clone().stored(), &[])?,
        people: people.iter().map(|id| person(tx, &organization_id, id)).collect::<Result<Vec<_>>>()?,
        teams,
        roles: roles.iter().map(|id| entry::<Role>(tx, &organization_id, id)).collect::<Result<Vec<_>>>()?,
        kinds,
        relationships: tx.rows()?,
        components,
        stakeholders,
        links,
        processes: tx.rows()?,
        sources: sync::transfer::export(tx)?,
        images: images(tx, &notes)?,
        notes,
        views: tx.rows()?,
        view_places: tx.rows()?,
        view_lines: tx.rows()?,
        tours: tx.rows()?,
        decisions: decisions(tx)?,
        threads: comment_file::export(tx)?,
    })
}

/// The decisions by number, without references to rows that do not exist.
fn decisions(tx: &ViewTx<'_>) -> Result<Vec<Decision>> {
    let shown = |row: Decision| {
        tx.core().check_alive()?;
        decisions::shown(tx, row)
    };
    tx.rows::<Decision>()?.into_iter().map(shown).collect()
}

/// The kinds that components refer to, in the order of their ids.
fn used_kinds(tx: &ViewTx<'_>, organization_id: &str, components: &[Component]) -> Result<Vec<Value>> {
    let kinds = component_kinds::all(tx.core(), organization_id)?;
    if kinds.is_empty() {
        return Ok(Vec::new());
    }
    let lookup = component_kinds::Lookup::of(&kinds);
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for component in components {
        let Some(Value::String(value)) = component.properties.get(component_kinds::PROPERTY) else { continue };
        used.extend(lookup.find(&value));
    }
    let mut kinds: Vec<_> = kinds.iter().filter(|kind| used.contains(&*kind.id)).collect();
    kinds.sort_by_key(|kind| &*kind.id);
    kinds.into_iter().map(|kind| own(kind, &[])).collect()
}

/// A person that the map refers to. A photo that its user has uploaded is left out, because the file does not contain it and
/// its address means nothing on another instance.
fn person(tx: &ViewTx<'_>, organization_id: &str, id: &str) -> Result<Value> {
    let mut person = entry::<Person>(tx, organization_id, id)?;
    if let Some(fields) = person.as_object_mut() {
        let is_uploaded = |url: &Value| url.as_str().is_some_and(|url| UploadedPhoto::parse(url).is_some());
        if fields.get("photoUrl").is_some_and(is_uploaded) {
            fields.remove("photoUrl");
        }
    }
    Ok(person)
}

/// A directory entry that the map refers to.
fn entry<E: Entry>(tx: &ViewTx<'_>, organization_id: &str, id: &str) -> Result<Value> {
    let found: Option<E> = entries::find_row(tx.core().conn, organization_id, id)?;
    own(&found.ok_or(Error::NotFound(E::TABLE))?, &[])
}

fn all<R: Serialize, S: Serializer>(rows: &[R], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    each(rows, &[], serializer)
}

fn all_without_id<R: Serialize, S: Serializer>(rows: &[R], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    each(rows, &["id"], serializer)
}

/// Rows whose position is their place in the list.
fn all_in_order<R: Serialize, S: Serializer>(rows: &[R], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    each(rows, &["position"], serializer)
}

/// Serializes rows one at a time, so that only one is in memory as a JSON value.
fn each<R: Serialize, S: Serializer>(rows: &[R], but: &[&str], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(Some(rows.len()))?;
    for row in rows {
        list.serialize_element(&own(row, but).map_err(serde::ser::Error::custom)?)?;
    }
    list.end()
}

/// The row's own fields. Other fields than [`NULLABLE_FIELDS`] are omitted if they are `null`, which is equivalent.
fn own(row: &impl Serialize, but: &[&str]) -> Result<Value> {
    let Value::Object(row) = serde_json::to_value(row)? else { return Err(Error::internal("a row is no object")) };
    let stays = |name: &str| OMITTED_FIELDS.contains(&name) || but.contains(&name);
    let is_written = |name: &str, value: &Value| !value.is_null() || NULLABLE_FIELDS.contains(&name);
    let own = row.into_iter().filter(|(name, value)| !stays(name) && is_written(name, value));
    // Earlier versions accepted hidden characters in names, which imports reject.
    let own = own.map(|(name, value)| match value {
        Value::String(text) if matches!(name.as_str(), "name" | "title") => {
            let visible = without_hidden(&text);
            let is_lost = is_blank(&visible) && !text.is_empty();
            (name, if is_lost { "Unnamed".to_owned() } else { visible }.into())
        }
        value => (name, value),
    });
    Ok(own.collect::<Map<String, Value>>().into())
}
