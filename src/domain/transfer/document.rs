//! A workspace as a file: everything that belongs to the map, and nothing that belongs to this instance.
//!
//! Keys, revisions, timestamps and authors are not part of the file, and neither are members, who are users of this
//! instance. The file includes the people, teams, roles and kinds that the map refers to. Exporting a workspace, importing it
//! into another instance and exporting it again produces the same bytes.

use serde::{Deserialize, Deserializer};

use crate::domain::{
    comments::file::DocumentThread,
    directory::{component_kinds::NewComponentKind, people::NewPerson, roles::NewRole, teams::NewTeam},
    input::{Input, at_most, objects, optional_at_most, stamped},
    map::{
        bulk::{BulkComponent, BulkWorkspace, MAX_COMPONENTS, MAX_RELATIONSHIPS},
        decisions::DocumentDecision,
        links::LinkKind,
        note_images::MAX_IMAGES,
        notes::{ImageId, NewNote},
        processes::NewProcess,
        relationships::NewRelationship,
        stakeholders::NewStakeholder,
        tours::NewTour,
        views::{NewView, NewViewLine, NewViewPlace},
    },
    values::{Id, Line, Name, Properties, TeamRole, Text, WebAddress, words},
};
use crate::{
    describe::ToSchema,
    domain::sync::{DocumentSource, MAX_SOURCES},
    images::MAX_UPLOAD_BYTES,
};

/// Maximum number of people, teams, roles, kinds, stakeholders, links, processes, notes or rows of views in a file.
const MAX_ENTRIES: usize = 100_000;
/// Length of the largest image in base64, in characters.
pub(in crate::domain) const MAX_DATA_CHARS: usize = MAX_UPLOAD_BYTES.div_ceil(3) * 4;

words! {
    /// Format version of a file, so that a later release can tell how to read it.
    Format {
        /// Version 1, the only version so far.
        One = "planroom/1",
    }
}

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_SOURCES == 200);
const _: () = assert!(MAX_IMAGES == 1_000 && MAX_DATA_CHARS == 2_796_204);
const _: () = assert!(MAX_ENTRIES == 100_000 && MAX_COMPONENTS == 100_000 && MAX_RELATIONSHIPS == 200_000);

/// A workspace as a file. When importing into an existing workspace, absent parts are unchanged; with only the model,
/// the file is equivalent to the body of a bulk replacement.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Document {
    /// Format version: `planroom/1`.
    #[schema(nullable = false)]
    pub format: Option<Format>,
    /// The workspace's own fields.
    #[schema(nullable = false)]
    pub workspace: Option<BulkWorkspace>,
    /// People that the map refers to. People that already exist in the organization, by id, are unchanged.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub people: Option<Vec<NewPerson>>,
    /// Teams that the map refers to, with their members. Teams that already exist in the organization, by id, are
    /// unchanged.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub teams: Option<Vec<DocumentTeam>>,
    /// Roles that the map refers to. Roles that already exist in the organization, by id, are unchanged.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub roles: Option<Vec<NewRole>>,
    /// Kinds that components refer to. Kinds that already exist in the organization, by id or by name, are unchanged. If
    /// the user cannot create kinds, missing ones are ignored.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub kinds: Option<Vec<NewComponentKind>>,
    /// All components, in their order.
    #[serde(deserialize_with = "at_most::<MAX_COMPONENTS, _, _>")]
    #[schema(max_items = 100_000)]
    pub components: Vec<BulkComponent>,
    /// All relationships, in their order.
    #[serde(deserialize_with = "at_most::<MAX_RELATIONSHIPS, _, _>")]
    #[schema(max_items = 200_000)]
    pub relationships: Vec<NewRelationship>,
    /// All stakeholders.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub stakeholders: Option<Vec<DocumentStakeholder>>,
    /// All external links.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub links: Option<Vec<DocumentLink>>,
    /// All processes.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub processes: Option<Vec<NewProcess>>,
    /// All notes, frames and images, in their order.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub notes: Option<Vec<NewNote>>,
    /// All views, in their order.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub views: Option<Vec<NewView>>,
    /// Positions of components in the views of the file.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub view_places: Option<Vec<NewViewPlace>>,
    /// Lines of relationships in the views of the file.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub view_lines: Option<Vec<NewViewLine>>,
    /// All tours, in their order.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub tours: Option<Vec<NewTour>>,
    /// All decisions.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub decisions: Option<Vec<DocumentDecision>>,
    /// The sources that describe parts of the map, and their rows. Stakeholders and links of a source are the map's own in
    /// a file.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_SOURCES, _, _>")]
    #[schema(nullable = false, max_items = 200)]
    pub sources: Option<Vec<DocumentSource>>,
    /// Threads of comments. An import adds those that the workspace does not have, by id, and changes no others.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub threads: Option<Vec<DocumentThread>>,
    /// The image files that the notes refer to. Others are not imported.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_IMAGES, _, _>")]
    #[schema(nullable = false, max_items = 1_000)]
    pub images: Option<Vec<DocumentImage>>,
}

/// A team in a file.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DocumentTeam {
    /// Team id, unique in the organization.
    pub id: Id,
    /// Display name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Free-form properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
    /// Members of the team.
    #[serde(default, deserialize_with = "members")]
    #[schema(max_items = 100_000)]
    pub members: Vec<DocumentTeamMember>,
}

impl From<&DocumentTeam> for NewTeam {
    /// The team without its members.
    fn from(team: &DocumentTeam) -> Self {
        Self {
            id: Some(team.id.clone()),
            org_id: None,
            name: team.name.clone(),
            description: team.description.clone(),
            properties: team.properties.clone(),
        }
    }
}

fn members<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<DocumentTeamMember>, D::Error> {
    Ok(optional_at_most::<MAX_ENTRIES, _, _>(deserializer)?.unwrap_or_default())
}

/// A team member in a file.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DocumentTeamMember {
    /// Id of a person in the file or in the organization.
    pub person_id: String,
    /// Role in the team; defaults to `member`.
    #[schema(nullable = false)]
    pub role: Option<TeamRole>,
}

/// A stakeholder in a file. Exactly one of `personId` and `teamId` is given.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DocumentStakeholder {
    /// Id of a component in the file.
    pub component_id: String,
    /// Id of a person in the file or in the organization.
    #[schema(nullable = false)]
    pub person_id: Option<String>,
    /// Id of a team in the file or in the organization.
    #[schema(nullable = false)]
    pub team_id: Option<String>,
    /// Id of a role in the file or in the organization.
    #[schema(example = "owner")]
    pub link_type: String,
    /// Free-form properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

impl From<DocumentStakeholder> for (String, NewStakeholder) {
    /// The component id, and the stakeholder to create.
    fn from(row: DocumentStakeholder) -> Self {
        let DocumentStakeholder { component_id, person_id, team_id, link_type, properties } = row;
        (component_id, NewStakeholder { component_id: None, person_id, team_id, link_type, properties })
    }
}

/// An external link in a file, with the metadata fetched from the wiki.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DocumentLink {
    /// Id of a component in the file.
    pub component_id: String,
    /// Kind of link target; defaults to `url`.
    #[schema(nullable = false)]
    pub kind: Option<LinkKind>,
    /// Address of the link.
    pub url: WebAddress,
    /// Id of the wiki page or database.
    #[schema(nullable = false)]
    pub target_id: Option<Line>,
    /// Title in the wiki.
    #[schema(nullable = false)]
    pub title: Option<Text>,
    /// Icon in the wiki: an emoji, an address, or `upload:` followed by 32 hexadecimal digits for an image uploaded to
    /// the wiki.
    #[schema(nullable = false)]
    pub icon: Option<Text>,
    /// When the metadata was last fetched from the wiki, in Unix milliseconds.
    #[schema(nullable = false)]
    pub fetched_at: Option<i64>,
    /// Free-form properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

words! {
    /// Media type of an image in a file.
    ImageMediaType {
        /// PNG.
        Png = "image/png",
        /// JPEG.
        Jpeg = "image/jpeg",
        /// WebP.
        Webp = "image/webp",
        /// GIF.
        Gif = "image/gif",
    }
}

/// An image file in a file. It is decoded and encoded again like an uploaded image.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DocumentImage {
    /// Id that notes in the file refer to. The imported image gets the id of its content, which is the same for an image
    /// that was exported.
    pub id: ImageId,
    /// Media type. The actual type is determined from the content.
    #[schema(nullable = false)]
    pub media_type: Option<ImageMediaType>,
    /// Content in base64, at most 2 MiB when decoded.
    #[schema(max_length = 2_796_204, content_encoding = "base64")]
    pub data: String,
}

objects!(Document, DocumentImage, DocumentTeam, DocumentTeamMember, DocumentStakeholder, DocumentLink);
impl Input for Document {
    /// Additional fields of a bundle, and the read-only fields of people, roles and kinds. They are accepted and ignored, so
    /// that both can be imported.
    const READ_ONLY: &'static [&'static str] = stamped!(
        "workspace." ["ownerUserId", "myRole", "accessRequests", "accessRequestedAt"],
        "components[]." ["workspaceId"],
        "relationships[]." ["workspaceId"],
        "stakeholders[]." ["id", "workspaceId", "person", "team"],
        "processes[]." ["workspaceId", "lifelines", "steps", "blocks", "notes", "unresolved", "diagnostics"],
        "notes[]." ["workspaceId"],
        "views[]." ["workspaceId"],
        "viewPlaces[]." ["workspaceId"],
        "viewLines[]." ["workspaceId"],
        "tours[]." ["workspaceId"],
        "decisions[]." ["workspaceId"],
        "people[]." ["userId", "clerkUserId"],
        "roles[]." [],
        "kinds[]." [];
        "places", "incarnation"
    );
    const LARGE: bool = true;
}
