//! Bulk replacement: the whole model of a workspace in one transaction, by difference on ids.
//!
//! What the body does not know of (stakeholders, external links, processes) survives for every component that does.

mod check;

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{EditTx, OrgTx, Precondition, Reads, Written},
    components::{self, Component},
    placement::Placement,
    relationships::{self, NewRelationship, Relationship},
    slug, store,
    values::{Coordinate, Id, Name, Properties, Text},
    workspaces::{self, NewWorkspace, Workspace},
};
use crate::error::{Error, Result};

/// The whole model of a workspace.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Bulk {
    /// The workspace's own fields; may be absent when the workspace exists, which leaves them as they are.
    #[schema(nullable = false)]
    pub workspace: Option<BulkWorkspace>,
    /// All components, in the order they shall have.
    pub components: Vec<BulkComponent>,
    /// All relationships, in the order they shall have.
    pub relationships: Vec<NewRelationship>,
}

/// A workspace's own fields. What is absent is reset, but for visibility, which a bulk does not touch.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct BulkWorkspace {
    /// Must equal the id in the path.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Must equal the organization's.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Free-form.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// A component. What is absent is reset, but for the position: that stays, or becomes a free spot.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct BulkComponent {
    /// Made from the name when absent.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// From the type catalogue.
    #[schema(example = "service")]
    pub type_id: String,
    /// Name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Canvas position.
    #[schema(nullable = false)]
    pub x: Option<Coordinate>,
    /// Canvas position.
    #[schema(nullable = false)]
    pub y: Option<Coordinate>,
    /// Free-form.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// What a bulk did, or would do.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum BulkOutcome {
    /// It was done; this is the model now.
    Done(BulkResult),
    /// It was only tried.
    Tried(BulkPreview),
}

/// The model after a bulk.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkResult {
    /// The workspace.
    pub workspace: Workspace,
    /// All components.
    pub components: Vec<Component>,
    /// All relationships.
    pub relationships: Vec<Relationship>,
    /// Parts of the body that a bulk does not replace and that were passed over; absent when there were none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ignored: Vec<String>,
}

/// What a bulk would change.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkPreview {
    /// Always true: nothing was written.
    pub dry_run: bool,
    /// Ids that would come into being.
    pub created: IdsByKind,
    /// Ids that would change.
    pub updated: IdsByKind,
    /// Ids that would go.
    pub deleted: IdsByKind,
    /// Parts of the body that a bulk does not replace; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ignored: Vec<String>,
}

/// Ids, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IdsByKind {
    /// The workspace itself.
    pub workspaces: Vec<String>,
    /// Components.
    pub components: Vec<String>,
    /// Relationships.
    pub relationships: Vec<String>,
}

/// Replaces the model of the workspace `id`, founding it when the id is free. `ignored` names the parts of the body
/// that were passed over.
pub fn replace(
    tx: &mut OrgTx<'_>,
    id: &Id,
    mut body: Bulk,
    dry_run: bool,
    ignored: Vec<String>,
) -> Result<BulkOutcome> {
    if let Some(workspace) = &body.workspace {
        workspaces::same("workspace.id", workspace.id.as_deref(), id.as_str())?;
    }
    let org_id = tx.caller()?.organization.as_ref().map(|organization| organization.id.as_str());
    let given = body.workspace.as_ref().and_then(|workspace| workspace.org_id.as_deref());
    workspaces::same("workspace.orgId", given, org_id.unwrap_or_default())?;
    name_the_nameless(&mut body);
    check::model(&body)?;
    let existing = tx.edit(id.as_str())?;
    let plan = Plan::make(existing.as_ref(), id, body)?;
    // A dry run is refused where the deed would be: it must not promise too much.
    let founding = match &existing {
        Some(edit) => edit.expect_workspace().map(|()| None)?,
        None => Some(plan.founding(tx, id)?),
    };
    if dry_run {
        return Ok(BulkOutcome::Tried(plan.preview(id, existing.is_some(), ignored)));
    }
    if let Some(new) = founding {
        workspaces::create(tx, new)?;
    }
    let mut edit = match existing {
        Some(edit) => edit,
        None => tx.edit(id.as_str())?.ok_or(Error::NotFound("workspace"))?,
    };
    let (workspace, components, relationships) = plan.apply(&mut edit)?;
    Ok(BulkOutcome::Done(BulkResult { workspace, components, relationships, ignored }))
}

/// Gives ids to those that came without: the same body gets the same ids each time.
fn name_the_nameless(body: &mut Bulk) {
    fn fill<T>(items: &mut [T], id: impl Fn(&mut T) -> &mut Option<Id>, base: impl Fn(&T) -> String) {
        let mut taken: HashSet<String> =
            items.iter_mut().filter_map(|item| id(item).as_ref().map(|id| id.as_str().to_owned())).collect();
        for item in items {
            if id(item).is_some() {
                continue;
            }
            let free = slug::free(&base(item), |id| Ok::<_, std::convert::Infallible>(taken.contains(id)));
            let Ok(free) = free;
            *id(item) = Id::new(&free).ok();
            taken.insert(free);
        }
    }
    fill(&mut body.components, |item| &mut item.id, |item| slug::from_name(item.name.as_str()));
    fill(&mut body.relationships, |item| &mut item.id, relationships::base_id);
}

/// One kind's difference: rows as they shall be, in order, beside what is there; and what goes.
struct Difference<R> {
    rows: Vec<(Option<R>, R)>,
    gone: Vec<R>,
}

impl<R: Clone + PartialEq> Difference<R> {
    /// Puts rows in the order of `wanted`, keeping the places of those that stay in order.
    fn make(existing: Vec<R>, id: fn(&R) -> &String, seq: fn(&mut R) -> &mut i64, wanted: Vec<R>) -> Self {
        let mut existing: HashMap<String, R> = existing.into_iter().map(|row| (id(&row).clone(), row)).collect();
        let mut last = 0;
        let rows = wanted
            .into_iter()
            .map(|mut row| {
                let mut before = existing.remove(id(&row));
                let kept = before.as_mut().map(|before| *seq(before)).filter(|kept| *kept > last);
                last = kept.unwrap_or(last + 1);
                *seq(&mut row) = last;
                (before, row)
            })
            .collect();
        let mut gone: Vec<R> = existing.into_values().collect();
        gone.sort_by_key(|row| *seq(&mut row.clone()));
        Self { rows, gone }
    }

    fn created(&self, id: fn(&R) -> &String) -> Vec<String> {
        self.rows.iter().filter(|(before, _)| before.is_none()).map(|(_, row)| id(row).clone()).collect()
    }

    fn updated(&self, id: fn(&R) -> &String) -> Vec<String> {
        let changed = |(before, row): &&(Option<R>, R)| before.as_ref().is_some_and(|before| before != row);
        self.rows.iter().filter(changed).map(|(_, row)| id(row).clone()).collect()
    }
}

/// All that a bulk has to do.
struct Plan {
    workspace: Option<BulkWorkspace>,
    /// The workspace as it is, and as it shall be.
    own: Option<(Workspace, Workspace)>,
    components: Difference<Component>,
    relationships: Difference<Relationship>,
}

impl Plan {
    fn make(existing: Option<&EditTx<'_>>, id: &Id, body: Bulk) -> Result<Self> {
        let (old_components, old_relationships, own) = match existing {
            None => (Vec::new(), Vec::new(), None),
            Some(tx) => {
                let (conn, key) = (tx.core().conn, tx.key());
                let before = tx.workspace().clone();
                let after = match body.workspace.clone() {
                    None => before.clone(),
                    Some(own) => Workspace {
                        name: own.name.into(),
                        description: own.description.map(String::from),
                        properties: own.properties.unwrap_or_default(),
                        ..before.clone()
                    },
                };
                let own = Some((before, after));
                (store::components::list(conn, &key)?, store::relationships::list(conn, &key)?, own)
            }
        };
        let workspace_id = id.as_str();
        let wanted = wanted_components(workspace_id, &old_components, body.components);
        let components = Difference::make(old_components, |row| &row.id, |row| &mut row.seq, wanted);
        let wanted = wanted_relationships(workspace_id, &old_relationships, body.relationships);
        let relationships = Difference::make(old_relationships, |row| &row.id, |row| &mut row.seq, wanted);
        Ok(Self { workspace: body.workspace, own, components, relationships })
    }

    fn preview(&self, id: &Id, exists: bool, ignored: Vec<String>) -> BulkPreview {
        let itself = |is: bool| if is { vec![id.as_str().to_owned()] } else { Vec::new() };
        let changed = self.own.as_ref().is_some_and(|(before, after)| before != after);
        BulkPreview {
            dry_run: true,
            created: IdsByKind {
                workspaces: itself(!exists),
                components: self.components.created(|row| &row.id),
                relationships: self.relationships.created(|row| &row.id),
            },
            updated: IdsByKind {
                workspaces: itself(changed),
                components: self.components.updated(|row| &row.id),
                relationships: self.relationships.updated(|row| &row.id),
            },
            deleted: IdsByKind {
                workspaces: Vec::new(),
                components: self.components.gone.iter().map(|row| row.id.clone()).collect(),
                relationships: self.relationships.gone.iter().map(|row| row.id.clone()).collect(),
            },
            ignored,
        }
    }

    /// The workspace to found when there is none.
    fn founding(&self, tx: &OrgTx<'_>, id: &Id) -> Result<NewWorkspace> {
        if matches!(tx.core().call.precondition, Precondition::Exists | Precondition::OneOf(_)) {
            return Err(Error::Stale { current: Box::default(), changed_by: None });
        }
        workspaces::usable(id)?;
        let text = "is required, with its `name`: the workspace does not exist yet";
        let own = self.workspace.clone().ok_or_else(|| Error::invalid("workspace", text))?;
        Ok(NewWorkspace {
            id: Some(id.clone()),
            name: own.name,
            description: own.description,
            visibility: None,
            properties: own.properties,
            org_id: None,
        })
    }

    /// Writes the difference. Components come before the relationships that need them and go after those that did.
    fn apply(self, tx: &mut EditTx<'_>) -> Result<(Workspace, Vec<Component>, Vec<Relationship>)> {
        let components = write(tx, self.components.rows)?;
        for row in &self.relationships.gone {
            tx.delete(row)?;
        }
        let relationships = write(tx, self.relationships.rows)?;
        for row in &self.components.gone {
            components::remove(tx, row)?;
        }
        let workspace = match self.own {
            Some((_, after)) => tx.update_workspace(after)?,
            None => tx.workspace_now()?,
        };
        Ok((workspace, components, relationships))
    }
}

fn write<R: super::access::Record>(tx: &mut EditTx<'_>, rows: Vec<(Option<R>, R)>) -> Result<Vec<R>> {
    rows.into_iter()
        .map(|(before, row)| match before {
            Some(before) => tx.update(&before, row),
            None => tx.create(row),
        })
        .collect()
}

fn wanted_components(workspace_id: &str, existing: &[Component], items: Vec<BulkComponent>) -> Vec<Component> {
    let known: HashMap<&str, &Component> = existing.iter().map(|row| (row.id.as_str(), row)).collect();
    let spot = |item: &BulkComponent| match (item.x, item.y) {
        (Some(x), Some(y)) => Some((x.get(), y.get())),
        _ => item.id.as_ref().and_then(|id| known.get(id.as_str())).map(|row| (row.x, row.y)),
    };
    let mut placement = Placement::new(items.iter().filter_map(spot));
    items
        .into_iter()
        .map(|item| {
            let (x, y) = spot(&item).unwrap_or_else(|| placement.place());
            let id = item.id.map(String::from).unwrap_or_default();
            Component {
                seq: 0,
                workspace_id: workspace_id.to_owned(),
                written: known.get(id.as_str()).map(|row| row.written.clone()).unwrap_or_default(),
                id,
                type_id: item.type_id,
                name: item.name.into(),
                description: item.description.map(String::from),
                x,
                y,
                properties: item.properties.unwrap_or_default(),
            }
        })
        .collect()
}

fn wanted_relationships(
    workspace_id: &str,
    existing: &[Relationship],
    items: Vec<NewRelationship>,
) -> Vec<Relationship> {
    let known: HashMap<&str, &Written> = existing.iter().map(|row| (row.id.as_str(), &row.written)).collect();
    items
        .into_iter()
        .map(|item| {
            let id = item.id.map(String::from).unwrap_or_default();
            Relationship {
                seq: 0,
                workspace_id: workspace_id.to_owned(),
                written: known.get(id.as_str()).map(|written| (*written).clone()).unwrap_or_default(),
                id,
                source_id: item.source_id,
                target_id: item.target_id,
                type_id: item.type_id,
                label: item.label.map(String::from),
                properties: item.properties.unwrap_or_default(),
            }
        })
        .collect()
}
