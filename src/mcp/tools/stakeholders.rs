//! Tools for the stakeholders of a component.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    change_set::change_set,
    tool::{arguments, within},
};
use crate::{
    domain::{
        core::{Call, Gate, access::Editor},
        input::{at_most, objects},
        map::{
            change_set::ChangeSet,
            stakeholders::{self, NewStakeholder, Stakeholder, StakeholderLink},
        },
        paging::Paging,
    },
    error::Result,
};

/// Maximum number of stakeholders of a call.
const MAX_STAKEHOLDERS: usize = 50;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_STAKEHOLDERS == 50);

/// Who shall be stakeholder of a component.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SetStakeholders {
    /// Id of the workspace.
    workspace_id: String,
    /// The component.
    component_id: String,
    /// Up to 50 stakeholders to attach.
    #[serde(deserialize_with = "at_most::<MAX_STAKEHOLDERS, _, _>")]
    #[schema(max_items = 50)]
    stakeholders: Vec<Attached>,
    /// Whether unlisted stakeholders stay attached. Default: true.
    #[schema(nullable = false)]
    keep_others: Option<bool>,
}

/// A person or a team, and what they are to the component. Exactly one of `personId` and `teamId` is given.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Attached {
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

objects!(Attached);
arguments!(
    SetStakeholders: "Attach stakeholders to a component: people and teams of the organization, each with a role \
            (`linkType`: owner, support, business-owner, or a custom role). Those already attached stay. With \
            `keepOthers` false the list replaces them. Get ids from list_people_and_teams; create people with \
            save_person_or_team. Example: {\"workspaceId\": \"web-shop\", \"componentId\": \"checkout\", \
            \"stakeholders\": [{\"teamId\": \"payments\", \"linkType\": \"owner\"}]}",
);

/// Who is attached now.
#[derive(Debug, Serialize, ToSchema)]
pub struct Now {
    stakeholders: Vec<Holder>,
    /// Number of attached stakeholders.
    added: usize,
    /// Number of detached stakeholders.
    removed: usize,
}

/// A person or team, and what they are to the component.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Holder {
    link_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    person_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    team_id: Option<String>,
    name: String,
}

impl From<Stakeholder> for Holder {
    fn from(one: Stakeholder) -> Self {
        let name = one.name().to_owned();
        let StakeholderLink { link_type, person_id, team_id, .. } = one.link;
        Self { link_type, person_id, team_id, name }
    }
}

/// Attaches people and teams to a component.
pub async fn set_stakeholders(gate: Gate, call: Call<Editor>, ask: SetStakeholders) -> Result<Now> {
    let SetStakeholders { workspace_id, component_id, stakeholders, keep_others } = ask;
    let keep = keep_others.unwrap_or(true);
    let (now, added, removed): (Vec<Stakeholder>, usize, usize) =
        change_set(&gate, call, workspace_id, "stakeholders", move |set| write(set, &component_id, stakeholders, keep))
            .await?;
    Ok(Now { stakeholders: now.into_iter().map(Holder::from).collect(), added, removed })
}

fn write(
    set: &mut ChangeSet<'_, '_>,
    component_id: &str,
    wanted: Vec<Attached>,
    keep_others: bool,
) -> Result<(Vec<Stakeholder>, usize, usize)> {
    let present = stakeholders::of_component(set.now(), component_id, &Paging::default())?.items;
    let is = |link: &StakeholderLink, one: &Attached| {
        link.link_type == one.link_type && link.person_id == one.person_id && link.team_id == one.team_id
    };
    let (mut added, mut removed) = (0, 0);
    if !keep_others {
        for row in present.iter().filter(|row| !wanted.iter().any(|one| is(&row.link, one))) {
            set.delete_stakeholder(component_id, row.link.id)?;
            removed += 1;
        }
    }
    for (at, one) in wanted.iter().enumerate() {
        if present.iter().any(|row| is(&row.link, one)) {
            continue;
        }
        let Attached { person_id, team_id, link_type } = one.clone();
        let new = NewStakeholder { component_id: None, person_id, team_id, link_type, properties: None };
        set.create_stakeholder(component_id, new).map_err(|error| within(error, "stakeholders", at))?;
        added += 1;
    }
    Ok((stakeholders::of_component(set.now(), component_id, &Paging::default())?.items, added, removed))
}
