//! Share links and the requests that manage them.

pub mod origins;

use serde::{Deserialize, Serialize};

use self::origins::EmbedOrigin;
use crate::{
    auth::passwords::NewPassword,
    describe::ToSchema,
    domain::{
        input::{Input, Nullable, objects, optional_at_most},
        map::drawing::ImageDirection,
        users::model::Profile,
        values::{Name, words},
    },
};

/// Maximum number of components that a link names.
pub const MAX_COMPONENTS: usize = 500;
/// Maximum distance of the surroundings of components, in relationships.
pub const MAX_DEPTH: u32 = 10;
/// Maximum number of origins that may embed a link.
pub const MAX_ORIGINS: usize = 20;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_COMPONENTS == 500 && MAX_DEPTH == 10 && MAX_ORIGINS == 20);

words! {
    /// What a share link shows.
    ShareScope {
        /// The map.
        Map = "map",
        /// A view.
        View = "view",
        /// Components of the map or of a view, with their contents or their surroundings.
        Part = "part",
        /// A process with its participants.
        Process = "process",
    }
}

words! {
    /// Content that a share link shows in addition to names, types and relationships.
    ShareContent {
        /// Descriptions of components.
        Descriptions = "descriptions",
        /// Processes. A link of a process always shows it.
        Processes = "processes",
        /// Notes, frames and descriptions of images on the map.
        Notes = "notes",
    }
}

words! {
    /// The colors of a share link.
    ShareTheme {
        /// Those that the reader's browser prefers.
        Auto = "auto",
        /// Dark on light.
        Light = "light",
        /// Light on dark.
        Dark = "dark",
    }
}

words! {
    /// What other sites show of a share link before it is opened.
    SharePreview {
        /// The name and an image.
        Picture = "picture",
        /// The name.
        Title = "title",
        /// Neither.
        Nothing = "nothing",
    }
}

words! {
    /// Whether a share link works.
    ShareState {
        /// It works.
        Active = "active",
        /// Its owner is no longer an owner of the workspace, or was suspended. An owner can adopt the link.
        Paused = "paused",
        /// It has expired. An owner can extend it.
        Expired = "expired",
        /// The rules of the instance or the organization prevent it: share links are off, or it has no password.
        Blocked = "blocked",
        /// What it shows was deleted. It works again when the deletion is undone.
        Gone = "gone",
    }
}

/// What a link shows, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareTarget {
    /// What the link shows.
    pub scope: ShareScope,
    /// Id of the view; absent for the map and for a process.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub view_id: Option<String>,
    /// With the scope `part`: ids of components.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schema(required = false)]
    pub component_ids: Vec<String>,
    /// With the scope `part`: which relationships the surroundings follow. Absent without `depth`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub direction: Option<ImageDirection>,
    /// With the scope `part`: distance of the surroundings in relationships. Absent if only the components are shown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, maximum = 10)]
    pub depth: Option<u32>,
    /// With the scope `process`: id of the process.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub process_id: Option<String>,
}

/// How a link is shown, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareOptions {
    /// Content that the link shows in addition to names, types and relationships.
    pub shows: Vec<ShareContent>,
    /// Colors.
    pub theme: ShareTheme,
    /// What other sites show of the link. Links with a password have no preview.
    pub preview: SharePreview,
}

impl ShareOptions {
    /// Whether the link shows this content.
    pub fn has(&self, content: ShareContent) -> bool {
        self.shows.contains(&content)
    }
}

/// A share link.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareLink {
    /// Id of the link. It does not open the link.
    #[schema(example = "AZq3r0c5dGKfV3mX0aQ1Zw")]
    pub id: String,
    /// Name for the owners of the workspace. Readers of the link do not see it.
    #[schema(example = "Wiki page Checkout")]
    pub name: String,
    /// What the link shows.
    #[serde(flatten)]
    pub target: ShareTarget,
    /// How the link shows it.
    #[serde(flatten)]
    pub options: ShareOptions,
    /// Origins whose pages may embed the link.
    #[schema(value_type = Vec<String>, example = json!(["https://wiki.example.org"]))]
    pub embed_origins: Vec<EmbedOrigin>,
    /// Whether the link needs a password.
    pub has_password: bool,
    /// Time of expiry in Unix milliseconds; null: never.
    #[schema(required)]
    pub expires_at: Option<i64>,
    /// Whether the link works.
    pub state: ShareState,
    /// Address of the link. Everyone who has it can open the link.
    #[schema(example = "https://plans.example.org/s/AZq3r0c5dGKfV3mX0aQ1Zw.Jw0wTOqvU1lIq5gIuYw9pXb0ZB3mH2sk")]
    pub url: String,
    /// The user on whose behalf the link exists.
    pub owner: Profile,
    /// Time of creation in Unix milliseconds.
    pub created_at: i64,
    /// User id of the creator.
    pub created_by: i64,
    /// Time of the last change of the link in Unix milliseconds.
    pub updated_at: i64,
    /// How often the link was opened, approximately.
    pub uses: i64,
    /// The last day (UTC) on which the link was opened; absent if never.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "2026-11-25")]
    pub last_used_day: Option<String>,
}

/// A share link to create.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewShareLink {
    /// Name for the owners of the workspace. Readers of the link do not see it.
    pub name: Name,
    /// What the link shows. Default: `map`.
    #[schema(nullable = false)]
    pub scope: Option<ShareScope>,
    /// Id of a view. Required with the scope `view`; possible with the scope `part`.
    #[schema(nullable = false, max_length = 128)]
    pub view_id: Option<String>,
    /// Ids of 1 to 500 components. Required with the scope `part`.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_COMPONENTS, _, _>")]
    #[schema(nullable = false, max_items = 500)]
    pub component_ids: Option<Vec<String>>,
    /// With `depth`: which relationships are followed. Default: `both`.
    #[schema(nullable = false)]
    pub direction: Option<ImageDirection>,
    /// With the scope `part`: shows the surroundings of the components up to this distance, in a layout of their own.
    #[schema(nullable = false, maximum = 10)]
    pub depth: Option<u32>,
    /// Id of a process. Required with the scope `process`.
    #[schema(nullable = false, max_length = 128)]
    pub process_id: Option<String>,
    /// Content to show in addition to names, types and relationships. Default: descriptions.
    #[serde(default, deserialize_with = "optional_at_most::<3, _, _>")]
    #[schema(nullable = false, max_items = 3)]
    pub shows: Option<Vec<ShareContent>>,
    /// Colors. Default: `auto`.
    #[schema(nullable = false)]
    pub theme: Option<ShareTheme>,
    /// What other sites show of the link. Default: `title`.
    #[schema(nullable = false)]
    pub preview: Option<SharePreview>,
    /// Time of expiry in Unix milliseconds; null: never, if the rules allow it. Default: in 90 days, or earlier if the
    /// rules require it.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    pub expires_at: Nullable<i64>,
    /// Password that readers need.
    #[schema(nullable = false)]
    pub password: Option<NewPassword>,
    /// Origins whose pages may embed the link, as in `https://wiki.example.org` or `https://*.example.org`. Not with a
    /// password.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ORIGINS, _, _>")]
    #[schema(nullable = false, max_items = 20, value_type = Option<Vec<String>>)]
    pub embed_origins: Option<Vec<EmbedOrigin>>,
}

/// Fields of a share link to update; absent fields are unchanged. What a link shows cannot change.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ShareLinkPatch {
    /// Name for the owners of the workspace.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Content to show in addition to names, types and relationships.
    #[serde(default, deserialize_with = "optional_at_most::<3, _, _>")]
    #[schema(nullable = false, max_items = 3)]
    pub shows: Option<Vec<ShareContent>>,
    /// Colors.
    #[schema(nullable = false)]
    pub theme: Option<ShareTheme>,
    /// What other sites show of the link.
    #[schema(nullable = false)]
    pub preview: Option<SharePreview>,
    /// Time of expiry in Unix milliseconds; null: never, if the rules allow it.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    pub expires_at: Nullable<i64>,
    /// New password; null removes the password.
    #[serde(default)]
    #[schema(value_type = Option<NewPassword>)]
    pub password: Nullable<NewPassword>,
    /// Origins whose pages may embed the link.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_ORIGINS, _, _>")]
    #[schema(nullable = false, max_items = 20, value_type = Option<Vec<String>>)]
    pub embed_origins: Option<Vec<EmbedOrigin>>,
}

objects!(NewShareLink, ShareLinkPatch);

impl Input for NewShareLink {
    const READ_ONLY: &'static [&'static str] = READ;
}

impl Input for ShareLinkPatch {
    const READ_ONLY: &'static [&'static str] = READ_OR_FIXED;
}

/// Fields of a link that clients cannot write.
const READ: &[&str] =
    &["id", "hasPassword", "state", "url", "owner", "createdAt", "createdBy", "updatedAt", "uses", "lastUsedDay"];
/// The same, with what the link shows.
const READ_OR_FIXED: &[&str] = &[
    "id",
    "hasPassword",
    "state",
    "url",
    "owner",
    "createdAt",
    "createdBy",
    "updatedAt",
    "uses",
    "lastUsedDay",
    "scope",
    "viewId",
    "componentIds",
    "direction",
    "depth",
    "processId",
];

/// A share link of an organization, as its administrators see it. Of a workspace that they cannot read, they see only id,
/// owner, expiry and state.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrgShareLink {
    /// Id of the link.
    #[schema(example = "AZq3r0c5dGKfV3mX0aQ1Zw")]
    pub id: String,
    /// The user on whose behalf the link exists.
    pub owner: Profile,
    /// Time of expiry in Unix milliseconds; null: never.
    #[schema(required)]
    pub expires_at: Option<i64>,
    /// Whether the link works.
    pub state: ShareState,
    /// The other fields; absent for a private workspace.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub details: Option<OrgShareDetails>,
}

/// What administrators see of a share link of a workspace that they can read.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrgShareDetails {
    /// Workspace id.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Name of the workspace.
    #[schema(example = "Web shop")]
    pub workspace_name: String,
    /// Name of the link.
    #[schema(example = "Wiki page Checkout")]
    pub name: String,
    /// What the link shows.
    pub scope: ShareScope,
    /// Whether the link needs a password.
    pub has_password: bool,
    /// Origins whose pages may embed the link.
    #[schema(value_type = Vec<String>)]
    pub embed_origins: Vec<EmbedOrigin>,
    /// How often the link was opened, approximately.
    pub uses: i64,
    /// The last day (UTC) on which the link was opened; absent if never.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "2026-11-25")]
    pub last_used_day: Option<String>,
}
