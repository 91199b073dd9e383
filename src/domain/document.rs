//! A workspace as a file: all that belongs to the map, and nothing that belongs to this instance.
//!
//! Keys, revisions, times and authors stay where they are; so do members, who are users here. People, teams and roles that
//! the map refers to go along. What one instance exports, another imports, and exports again byte for byte.

use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use super::{
    bulk::{BulkComponent, BulkWorkspace, MOST_COMPONENTS, MOST_RELATIONSHIPS},
    input::{Input, at_most, objects, optional_at_most, stamped},
    links::LinkKind,
    people::NewPerson,
    processes::NewProcess,
    relationships::NewRelationship,
    roles::NewRole,
    stakeholders::NewStakeholder,
    values::{Id, Line, Name, Properties, TeamRole, Text, WebAddress, words},
};

/// Most people, teams, roles, stakeholders, links or processes in a file.
const MOST: usize = 100_000;

words! {
    /// What a file is, so that a later release knows what it reads.
    Format {
        /// The only one so far.
        One = "planroom/1",
    }
}

/// A workspace as a file. A part that is absent is left as it is where the workspace exists already; with the model alone,
/// this is the body of a bulk.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Document {
    /// `planroom/1`.
    #[schema(nullable = false)]
    pub format: Option<Format>,
    /// The workspace's own fields.
    #[schema(nullable = false)]
    pub workspace: Option<BulkWorkspace>,
    /// People that the map refers to. Those that the organization has, by id, stay as they are there.
    #[serde(default, deserialize_with = "optional_at_most::<MOST, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub people: Option<Vec<NewPerson>>,
    /// Teams that the map refers to, with their members; the same holds of them.
    #[serde(default, deserialize_with = "optional_at_most::<MOST, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub teams: Option<Vec<DocumentTeam>>,
    /// Roles that the map refers to; the same holds of them.
    #[serde(default, deserialize_with = "optional_at_most::<MOST, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub roles: Option<Vec<NewRole>>,
    /// All components, in the order they shall have.
    #[serde(deserialize_with = "at_most::<MOST_COMPONENTS, _, _>")]
    #[schema(max_items = 100_000)]
    pub components: Vec<BulkComponent>,
    /// All relationships, in the order they shall have.
    #[serde(deserialize_with = "at_most::<MOST_RELATIONSHIPS, _, _>")]
    #[schema(max_items = 200_000)]
    pub relationships: Vec<NewRelationship>,
    /// All stakeholders.
    #[serde(default, deserialize_with = "optional_at_most::<MOST, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub stakeholders: Option<Vec<DocumentStakeholder>>,
    /// All external links.
    #[serde(default, deserialize_with = "optional_at_most::<MOST, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub links: Option<Vec<DocumentLink>>,
    /// All processes.
    #[serde(default, deserialize_with = "optional_at_most::<MOST, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub processes: Option<Vec<NewProcess>>,
}

/// A team in a file.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DocumentTeam {
    /// Unique in the organization.
    pub id: Id,
    /// Name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Free-form.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
    /// Who belongs to it.
    #[serde(default, deserialize_with = "members")]
    #[schema(max_items = 100_000)]
    pub members: Vec<DocumentTeamMember>,
}

fn members<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<DocumentTeamMember>, D::Error> {
    Ok(optional_at_most::<MOST, _, _>(deserializer)?.unwrap_or_default())
}

/// A member of a team in a file.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DocumentTeamMember {
    /// A person of the file or of the organization.
    pub person_id: String,
    /// `member` when absent.
    #[schema(nullable = false)]
    pub role: Option<TeamRole>,
}

/// A stakeholder in a file. Exactly one of `personId` and `teamId` is given.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DocumentStakeholder {
    /// A component of the file.
    pub component_id: String,
    /// A person of the file or of the organization.
    #[schema(nullable = false)]
    pub person_id: Option<String>,
    /// A team of the file or of the organization.
    #[schema(nullable = false)]
    pub team_id: Option<String>,
    /// A role of the file or of the organization.
    #[schema(example = "owner")]
    pub link_type: String,
    /// Free-form.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

impl From<DocumentStakeholder> for (String, NewStakeholder) {
    /// The component, and the stakeholder to create.
    fn from(row: DocumentStakeholder) -> Self {
        let DocumentStakeholder { component_id, person_id, team_id, link_type, properties } = row;
        (component_id, NewStakeholder { component_id: None, person_id, team_id, link_type, properties })
    }
}

/// An external link in a file, with what the wiki said of it.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DocumentLink {
    /// A component of the file.
    pub component_id: String,
    /// What it leads to; any page when absent.
    #[schema(nullable = false)]
    pub kind: Option<LinkKind>,
    /// Where it leads.
    pub url: WebAddress,
    /// Id of the wiki's page or database.
    #[schema(nullable = false)]
    pub target_id: Option<Line>,
    /// Title there.
    #[schema(nullable = false)]
    pub title: Option<Text>,
    /// Icon there: an emoji, an address, or `upload:` and 32 hexadecimal digits, which stand for a picture in the wiki.
    #[schema(nullable = false)]
    pub icon: Option<Text>,
    /// When the wiki was last asked, Unix milliseconds.
    #[schema(nullable = false)]
    pub fetched_at: Option<i64>,
    /// Free-form.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

objects!(Document, DocumentTeam, DocumentTeamMember, DocumentStakeholder, DocumentLink);
impl Input for Document {
    /// What a bundle has beside, and what people and roles are read with: they can be imported too.
    const READ_ONLY: &'static [&'static str] = stamped!(
        "workspace." ["ownerUserId", "myRole"],
        "components[]." ["workspaceId"],
        "relationships[]." ["workspaceId"],
        "stakeholders[]." ["id", "workspaceId", "person", "team"],
        "processes[]." ["workspaceId", "lifelines", "steps", "blocks", "notes", "unresolved", "diagnostics"],
        "people[]." ["userId", "clerkUserId"],
        "roles[]." [];
        "places", "incarnation"
    );
    const LARGE: bool = true;
}
