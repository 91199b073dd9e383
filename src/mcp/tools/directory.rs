//! Tools for people, teams and roles of the organization.

use serde::{Deserialize, Serialize};

use super::{
    results::{
        Named,
        directory::{Directory, EntryKind, PersonSummary, SavedEntry, TeamSummary},
    },
    tool::{Rejected, arguments, found},
    upserts::{same_name, write_others},
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{
            Call, Gate, OrgTx,
            access::{Member, OrgReader},
        },
        directory::{
            people::{self, NewPerson, PersonPatch},
            roles,
            team_members::{self, NewTeamMember, TeamMemberPatch},
            teams::{self, NewTeam, TeamPatch},
        },
        input::{objects, optional_at_most},
        paging::Paging,
        values::{ContactEmail, Id, Line, Name, TeamRole, Text},
    },
    error::{Error, Problem, Result},
    mcp::{
        results::{SpaceLeft, page},
        services::Site,
    },
};

/// Maximum number of team members of a call.
const MAX_MEMBERS: usize = 100;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_MEMBERS == 100);

/// The page to read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ListPeopleAndTeams {
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// A person or a team to add or change. What is absent stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SavePersonOrTeam {
    /// Kind of the entry.
    #[schema(inline)]
    kind: EntryKind,
    /// Updates the entry with this id, or creates it. Default: creates one, with an id from the name.
    #[schema(nullable = false)]
    id: Option<Id>,
    /// Required to create one.
    #[schema(nullable = false)]
    name: Option<Name>,
    /// Of a person.
    #[schema(nullable = false)]
    email: Option<ContactEmail>,
    /// Of a person: job title or position.
    #[schema(nullable = false)]
    title: Option<Line>,
    /// Of a person.
    #[schema(nullable = false)]
    bio: Option<Text>,
    /// Of a team.
    #[schema(nullable = false)]
    description: Option<Text>,
    /// Of a team: people to add, to give another role or to remove; others stay.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_MEMBERS, _, _>")]
    #[schema(nullable = false, max_items = 100)]
    members: Option<Vec<MemberChange>>,
    /// Deletes the entry with this `id`, if you created it and no component uses it.
    #[schema(nullable = false)]
    delete: Option<bool>,
    #[serde(skip)]
    #[schema(ignore)]
    rejected: Rejected,
}

/// A change of a team member.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct MemberChange {
    /// A person of the organization.
    #[schema(example = "grace-hopper")]
    person_id: String,
    /// Default: member.
    #[schema(inline, nullable = false)]
    role: Option<TeamRole>,
    #[schema(nullable = false)]
    remove: Option<bool>,
}

objects!(MemberChange);
arguments!(
    ListPeopleAndTeams: "Roles (`linkType`), teams with their members, and people of the organization, with their \
            ids. query_components with `ownerId` finds what one owns.",
    SavePersonOrTeam { rejected }: "Create a person or team in the organization's directory, or update the one with this `id` \
            (omitted fields stay). A person is an entry on the maps, not an account, and is not invited. Without \
            `id`, an equal name is refused. Example: {\"kind\": \"team\", \"name\": \"Payments\", \"members\": \
            [{\"personId\": \"grace-hopper\", \"role\": \"lead\"}]}",
);

/// An entry of a page.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Entry {
    Role(Named<String>),
    Team(TeamSummary),
    Person(PersonSummary),
}

/// Lists the organization's directory.
pub async fn list_people_and_teams(
    gate: Gate,
    call: Call<OrgReader>,
    request: ListPeopleAndTeams,
) -> Result<Directory> {
    gate.read(call.large(), (), move |tx| {
        let mut all: Vec<Entry> = Vec::new();
        let all_items = Paging::default();
        all.extend(
            roles::list(tx, &all_items)?
                .items
                .into_iter()
                .map(|role| Entry::Role(Named { id: role.id, name: role.name })),
        );
        for team in teams::list(tx, &all_items)?.items {
            let members = team_members::list(tx, &team.id, Some(&team.org_id), &all_items)?.items;
            let (leads, others): (Vec<_>, Vec<_>) =
                members.into_iter().partition(|member| member.role == TeamRole::Lead);
            let ids =
                |members: Vec<team_members::TeamMember>| members.into_iter().map(|member| member.person_id).collect();
            let (lead_ids, member_ids) = (ids(leads), ids(others));
            all.push(Entry::Team(TeamSummary::new(team, lead_ids, member_ids)));
        }
        all.extend(people::list(tx, &all_items)?.items.into_iter().map(|person| Entry::Person(person.into())));
        let (entries, next_cursor) = page(all, request.cursor.as_deref(), &mut SpaceLeft::after(&()))?;
        let mut directory = Directory { next: next_cursor.into(), ..Directory::default() };
        for entry in entries {
            match entry {
                Entry::Role(role) => directory.roles.push(role),
                Entry::Team(team) => directory.teams.push(team),
                Entry::Person(person) => directory.people.push(person),
            }
        }
        Ok(directory)
    })
    .await
}

/// Adds or changes a person or a team.
pub async fn save_person_or_team(site: Site, call: Call<Member>, request: SavePersonOrTeam) -> Result<SavedEntry> {
    let kind = request.kind;
    let reject = |is_present: bool, field: &str, of: &str| {
        if is_present { Err(Error::invalid(field, format!("is for a {of}; omit it here"))) } else { Ok(()) }
    };
    match kind {
        EntryKind::Person => {
            reject(request.description.is_some(), "description", "team")?;
            reject(request.members.is_some(), "members", "team")?;
        }
        EntryKind::Team => {
            reject(request.email.is_some(), "email", "person")?;
            reject(request.title.is_some(), "title", "person")?;
            reject(request.bio.is_some(), "bio", "person")?;
        }
    }
    let links = site.links(&call).await?;
    if request.delete == Some(true) {
        let id = delete(&site, call, request).await?;
        return Ok(SavedEntry { kind, id, created: false, deleted: true, url: links.home() });
    }
    let (id, created): (String, bool) = match kind {
        EntryKind::Person => site.gate.write(call, (), move |tx| save_person(tx, request)).await?,
        EntryKind::Team => site.gate.write(call, (), move |tx| save_team(tx, request)).await?,
    };
    let url = match kind {
        EntryKind::Person => links.person(&id),
        EntryKind::Team => links.team(&id),
    };
    Ok(SavedEntry { kind, id, created, deleted: false, url })
}

/// Deletes an entry. Rejects other arguments, which would have no effect.
async fn delete(site: &Site, call: Call<Member>, request: SavePersonOrTeam) -> Result<String> {
    let SavePersonOrTeam { kind, id, name, email, title, bio, description, members, .. } = request;
    let has_others = name.is_some() || email.is_some() || title.is_some() || bio.is_some();
    if has_others || description.is_some() || members.is_some() {
        return Err(Error::invalid("delete", "must be sent with `kind` and `id` only"));
    }
    let id = id.ok_or_else(|| Error::invalid("id", Problem::required(", to delete an entry")))?;
    let delete = move |tx: &mut OrgTx<'_>| {
        match kind {
            EntryKind::Person => people::delete_own(tx, id.as_str())?,
            EntryKind::Team => teams::delete_own(tx, id.as_str())?,
        }
        Ok(String::from(id))
    };
    site.gate.write(call, (), delete).await
}

fn name_required(kind: &str) -> Error {
    Error::invalid("name", Problem::Required { note: format!(", because no {kind} has this id").into() })
}

fn save_person(tx: &mut OrgTx<'_>, request: SavePersonOrTeam) -> Result<(String, bool)> {
    let SavePersonOrTeam { id, name, email, title, bio, .. } = request;
    if let Some(id) = &id
        && found(people::read(tx, id.as_str(), None))?.is_some()
    {
        let patch = PersonPatch { name, email, title, bio, ..PersonPatch::default() };
        return people::update(tx, id.as_str(), patch).map(|row| (row.id, false));
    }
    let name = name.ok_or_else(|| name_required("person"))?;
    if id.is_none()
        && let Some(existing_id) = people::named(tx, name.as_str())?
    {
        return Err(same_name("person", &existing_id, "id"));
    }
    let new = NewPerson { id, org_id: None, name, email, photo_url: None, title, bio, contact: None, properties: None };
    people::create(tx, new).map(|row| (row.id, true))
}

fn save_team(tx: &mut OrgTx<'_>, request: SavePersonOrTeam) -> Result<(String, bool)> {
    let SavePersonOrTeam { id, name, description, members, rejected, .. } = request;
    let existing = match &id {
        Some(id) => found(teams::read(tx, id.as_str(), None))?,
        None => None,
    };
    let created = existing.is_none();
    let (id, current_members) = match existing {
        Some(details) => {
            let patch = TeamPatch { name, description, ..TeamPatch::default() };
            (teams::update(tx, &details.team.id, patch)?.id, details.members)
        }
        None => {
            let name = name.ok_or_else(|| name_required("team"))?;
            if id.is_none()
                && let Some(existing_id) = teams::named(tx, name.as_str())?
            {
                return Err(same_name("team", &existing_id, "id"));
            }
            (teams::create(tx, NewTeam { id, org_id: None, name, description, properties: None })?.id, Vec::new())
        }
    };
    write_others("members", members.unwrap_or_default(), rejected, |_, MemberChange { person_id, role, remove }| {
        if remove == Some(true) {
            match team_members::remove(tx, &id, &person_id) {
                Err(Error::NotFound(_)) => Err(Error::invalid("personId", "is not a member of the team")),
                result => result,
            }
        } else if current_members.iter().any(|member| member.person_id == person_id) {
            let patch = TeamMemberPatch { team_id: None, person_id: None, role: role.unwrap_or(TeamRole::Member) };
            team_members::change(tx, &id, &person_id, &patch).map(drop)
        } else {
            team_members::add(tx, &id, NewTeamMember { team_id: None, person_id, role }).map(drop)
        }
    })?;
    Ok((id, created))
}
