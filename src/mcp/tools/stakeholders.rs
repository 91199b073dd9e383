//! The tool for the stakeholders of components.

use std::{collections::HashSet, mem};

use serde::Deserialize;

use super::{
    change_set::change_set,
    results::{
        components::StakeholderEntry,
        writes::{StakeholderChanges, WriteResult},
    },
    tool::{Rejected, arguments, found},
    upserts::write_others,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, access::Editor},
        history,
        input::{at_most, objects, optional_at_most},
        map::{
            change_set::ChangeSet,
            components,
            consequences::AffectedRow,
            near,
            stakeholders::{self, NewStakeholder, Stakeholder, StakeholderLink},
        },
        paging::Paging,
    },
    error::{Error, FieldPath, Problem, Result},
    mcp::services::Site,
};

/// Maximum number of stakeholders of a call.
const MAX_STAKEHOLDERS: usize = 50;
/// Maximum number of components of a call.
const MAX_COMPONENTS: usize = 50;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_STAKEHOLDERS == 50 && MAX_COMPONENTS == 50);

/// Stakeholders to attach to components or to detach.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SetStakeholders {
    /// Id of the workspace.
    workspace_id: String,
    /// One component, or `componentIds`.
    #[schema(nullable = false)]
    component_id: Option<String>,
    /// Up to 50 components.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_COMPONENTS, _, _>")]
    #[schema(nullable = false, max_items = 50)]
    component_ids: Option<Vec<String>>,
    /// Up to 50 stakeholders.
    #[serde(deserialize_with = "at_most::<MAX_STAKEHOLDERS, _, _>")]
    #[schema(max_items = 50)]
    stakeholders: Vec<StakeholderInput>,
    /// `add` keeps others, `replaceRole` those with other roles, `replaceAll` none; `remove` detaches the listed.
    /// Default: add.
    #[schema(inline, nullable = false)]
    mode: Option<Mode>,
    /// Older form of `mode`: false for `replaceAll`.
    #[schema(nullable = false)]
    keep_others: Option<bool>,
    /// `revision` of the workspace that you read: refused if what is detached has changed since.
    #[schema(nullable = false)]
    expected_revision: Option<i64>,
    #[serde(skip)]
    #[schema(ignore)]
    rejected: Rejected,
}

/// What happens to stakeholders that are already attached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
enum Mode {
    /// All stay.
    Add,
    /// Those with a role that is listed are replaced.
    ReplaceRole,
    /// All are replaced.
    ReplaceAll,
    /// The listed ones are detached.
    Remove,
}

/// A person or team with a role. Exactly one of `personId` and `teamId` is given.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct StakeholderInput {
    /// A person of the organization.
    #[schema(nullable = false, example = "grace-hopper")]
    person_id: Option<String>,
    /// A team of the organization.
    #[schema(nullable = false)]
    team_id: Option<String>,
    /// Id of a role, from `list_people_and_teams`.
    #[schema(example = "owner")]
    link_type: String,
}

objects!(StakeholderInput);
arguments!(
    SetStakeholders { rejected }: "Attach stakeholders to components: people and teams of the organization, each with a role \
            (`linkType`: owner, support, business-owner, or a custom role). \"Make Payments the owner\" is `mode` \
            replaceRole. Get ids from list_people_and_teams. Example: {\"workspaceId\": \"web-shop\", \
            \"componentIds\": [\"checkout\"], \"mode\": \"replaceRole\", \"stakeholders\": [{\"teamId\": \
            \"payments\", \"linkType\": \"owner\"}]}",
);

/// Attaches people and teams to components, or detaches them.
pub async fn set_stakeholders(
    site: Site,
    call: Call<Editor>,
    request: SetStakeholders,
) -> Result<WriteResult<StakeholderChanges>> {
    let SetStakeholders { workspace_id, component_id, component_ids, stakeholders, mode, keep_others, .. } = request;
    let (mut rejected, read) = (request.rejected, request.expected_revision);
    let mode = match (mode, keep_others) {
        (None, Some(false)) => Mode::ReplaceAll,
        (None, _) => Mode::Add,
        (Some(mode), None) => mode,
        (Some(_), Some(_)) => return Err(Error::invalid("keepOthers", "must be left out where `mode` is given")),
    };
    let (ids, is_list) = match (component_id, component_ids) {
        (Some(id), None) => (vec![id], false),
        (None, Some(ids)) if !ids.is_empty() => (ids, true),
        (None, Some(_)) => return Err(Error::invalid("componentIds", Problem::items(MAX_COMPONENTS))),
        (None, None) => return Err(Error::invalid("componentIds", Problem::required(", or `componentId` instead"))),
        (Some(_), Some(_)) => {
            return Err(Error::invalid("componentId", "must be left out where `componentIds` is given"));
        }
    };
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let (mut all, mut existing, mut seen) = (StakeholderChanges::default(), Vec::new(), HashSet::new());
        for (index, id) in ids.iter().enumerate() {
            if found(components::find(set.now(), id))?.is_none() {
                let field = if is_list { FieldPath::item("componentIds", index) } else { "componentId".into() };
                rejected.add_other(Error::invalid(field, near::no_component(set.now(), id)?));
            } else if seen.insert(id) {
                existing.push(id);
            }
        }
        if existing.is_empty() {
            return Err(rejected.into_error());
        }
        for id in existing {
            let rejected = mem::take(&mut rejected);
            let StakeholderChanges { stakeholders, added, removed, detached } =
                write(set, id, (&stakeholders, rejected), mode, read)?;
            let named = |entry| StakeholderEntry { component_id: is_list.then(|| id.clone()), ..entry };
            all.stakeholders.extend(stakeholders.into_iter().map(named));
            all.detached.extend(detached.into_iter().map(named));
            all.added += added;
            all.removed += removed;
        }
        Ok(all)
    };
    change_set(&site, call, workspace_id, "stakeholders", write).await
}

fn write(
    set: &mut ChangeSet<'_, '_>,
    component_id: &str,
    (inputs, rejected): (&[StakeholderInput], Rejected),
    mode: Mode,
    read: Option<i64>,
) -> Result<StakeholderChanges> {
    let existing = stakeholders::of_component(set.now(), component_id, &Paging::default())?.items;
    let is_same = |link: &StakeholderLink, input: &StakeholderInput| {
        link.link_type == input.link_type && link.person_id == input.person_id && link.team_id == input.team_id
    };
    let is_detached = |row: &&Stakeholder| {
        let is_listed = inputs.iter().any(|input| is_same(&row.link, input));
        match mode {
            Mode::Add => false,
            Mode::ReplaceRole => !is_listed && inputs.iter().any(|input| input.link_type == row.link.link_type),
            Mode::ReplaceAll => !is_listed,
            Mode::Remove => is_listed,
        }
    };
    let detached: Vec<&Stakeholder> = existing.iter().filter(is_detached).collect();
    if let Some(read) = read {
        let rows: Vec<AffectedRow> = detached.iter().map(|row| AffectedRow::from(&row.link)).collect();
        history::expect_seen(set.now(), &rows, read)?;
    }
    let mut changes = StakeholderChanges::default();
    for row in detached {
        stakeholders::delete(set.tx(), component_id, row.link.id)?;
        changes.detached.push(row.clone().into());
    }
    changes.removed = changes.detached.len();
    let added = write_others("stakeholders", inputs.to_vec(), rejected, |_, input| {
        if mode == Mode::Remove || existing.iter().any(|row| is_same(&row.link, &input)) {
            return Ok(0);
        }
        let StakeholderInput { person_id, team_id, link_type } = input;
        let new = NewStakeholder { component_id: None, person_id, team_id, link_type, properties: None };
        stakeholders::create(set.tx(), component_id, new).map(|_| 1)
    })?;
    changes.added = added.into_iter().sum();
    let rows = stakeholders::of_component(set.now(), component_id, &Paging::default())?.items;
    changes.stakeholders = rows.into_iter().map(StakeholderEntry::from).collect();
    Ok(changes)
}
