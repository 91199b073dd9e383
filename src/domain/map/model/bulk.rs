//! Replacing or extending a whole map.

use serde::{Deserialize, Serialize};

use super::{
    components::{Component, NewComponent},
    overlaps::Overlaps,
    relationships::{NewRelationship, Relationship},
};
use crate::{
    describe::ToSchema,
    domain::{
        catalogue,
        input::{Input, Nullable, at_most, objects, stamped},
        map::workspaces::Workspace,
        values::{Coordinate, Id, KebabId, Keywords, Name, OrganizationAccess, Properties, Size, Text, Visibility},
    },
};

/// Maximum number of components in a model. A bulk replacement of this size occupies the writer thread for several
/// seconds.
pub(in crate::domain) const MAX_COMPONENTS: usize = 100_000;

/// Maximum number of relationships in a model.
pub(in crate::domain) const MAX_RELATIONSHIPS: usize = 200_000;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_COMPONENTS == 100_000 && MAX_RELATIONSHIPS == 200_000);

/// The complete model of a workspace.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Bulk {
    /// The workspace's own fields. May be absent if the workspace exists; its fields are then unchanged.
    #[schema(nullable = false)]
    pub workspace: Option<BulkWorkspace>,
    /// All components, in their new order.
    #[serde(deserialize_with = "at_most::<MAX_COMPONENTS, _, _>")]
    #[schema(max_items = 100_000)]
    pub components: Vec<BulkComponent>,
    /// All relationships, in their new order.
    #[serde(deserialize_with = "at_most::<MAX_RELATIONSHIPS, _, _>")]
    #[schema(max_items = 200_000)]
    pub relationships: Vec<NewRelationship>,
}

/// A workspace's own fields. Absent fields are reset, except `visibility` and `organizationAccess`, which a bulk
/// replacement does not change.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct BulkWorkspace {
    /// Workspace id; must equal the id in the path.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Organization id; must equal the id of the workspace's organization.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Display name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Visibility of a workspace that the request creates; defaults to `org`. An existing workspace keeps its
    /// visibility, and a different value is listed in `ignored`.
    #[schema(nullable = false)]
    pub visibility: Option<Visibility>,
    /// What members of the organization can do in a workspace that a bulk replacement creates; defaults to `view`. An
    /// existing workspace keeps its value, and an import does not write it: a different value is listed in `ignored`.
    #[schema(nullable = false)]
    pub organization_access: Option<OrganizationAccess>,
    /// Free-form properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// A component. Absent fields are reset, except `x`, `y`, `width`, `height`, `tags`, `technology` and `opens`, which an
/// existing component keeps. A new component without a position is placed in a free spot.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct BulkComponent {
    /// Component id; derived from the name when absent.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// Component type id from the type catalog.
    #[schema(schema_with = catalogue::component_type_ids)]
    pub type_id: String,
    /// Display name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Horizontal canvas position, increasing to the right.
    #[schema(nullable = false)]
    pub x: Option<Coordinate>,
    /// Vertical canvas position, increasing downward.
    #[schema(nullable = false)]
    pub y: Option<Coordinate>,
    /// Width; null removes it.
    #[serde(default)]
    #[schema(value_type = Option<Size>)]
    pub width: Nullable<Size>,
    /// Height; null removes it.
    #[serde(default)]
    #[schema(value_type = Option<Size>)]
    pub height: Nullable<Size>,
    /// Tags.
    #[schema(nullable = false)]
    pub tags: Option<Keywords>,
    /// Technologies.
    #[schema(nullable = false)]
    pub technology: Option<Keywords>,
    /// Id of the view that explains the component; null removes it. The view does not need to exist.
    #[serde(default)]
    #[schema(value_type = Option<KebabId>)]
    pub opens: Nullable<KebabId>,
    /// Free-form properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

impl From<BulkComponent> for NewComponent {
    fn from(item: BulkComponent) -> Self {
        let BulkComponent { id, type_id, name, description, x, y, width, height, tags, technology, opens, properties } =
            item;
        Self { id, type_id, name, description, x, y, width, height, tags, technology, opens, properties }
    }
}

/// The result of a bulk replacement, or the preview from a dry run.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum BulkOutcome {
    /// The bulk replacement was applied; contains the new model.
    Done(BulkResult),
    /// The request was a dry run; contains what would change.
    Tried(BulkPreview),
}

/// The model after a bulk replacement.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkResult {
    /// Change set id. Undo this change set to undo the bulk replacement.
    pub change_set_id: String,
    /// `X-Batch-Id` of the request; defaults to the change set id.
    pub batch_id: String,
    /// The workspace.
    pub workspace: Workspace,
    /// All components.
    pub components: Vec<Component>,
    /// All relationships.
    pub relationships: Vec<Relationship>,
    /// Parts of the body that a bulk replacement does not write and that were ignored; absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ignored: Vec<String>,
    /// For tools: overlaps that were not there before.
    #[serde(skip)]
    pub overlaps: Overlaps,
}

/// The changes that a bulk replacement would make.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkPreview {
    /// Always true: nothing was written.
    pub dry_run: bool,
    /// Ids of rows that would be created.
    pub created: IdsByKind,
    /// Ids of rows that would be updated.
    pub updated: IdsByKind,
    /// Ids of rows that would be deleted.
    pub deleted: IdsByKind,
    /// Parts of the body that a bulk replacement does not write; absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ignored: Vec<String>,
    /// For tools: overlaps that are not there now.
    #[serde(skip)]
    pub overlaps: Overlaps,
}

/// Row ids, grouped by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IdsByKind {
    /// Workspace id, if the workspace itself is affected.
    pub workspaces: Vec<String>,
    /// Component ids.
    pub components: Vec<String>,
    /// Relationship ids.
    pub relationships: Vec<String>,
}

objects!(Bulk, BulkWorkspace, BulkComponent);
impl Input for Bulk {
    const READ_ONLY: &'static [&'static str] = stamped!(
        "workspace." ["ownerUserId", "myRole", "accessRequests", "accessRequestedAt"],
        "components[]." ["workspaceId"],
        "relationships[]." ["workspaceId"];
        "places", "incarnation"
    );
    const OTHERS: &'static [&'static str] =
        &["stakeholders", "processes", "links", "notes", "views", "viewPlaces", "viewLines", "tours", "decisions"];
    const LARGE: bool = true;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{input::parse, map::model::components::NewComponent};

    /// Returns the error message that a client receives.
    fn refusal<T: Input>(body: &str) -> String {
        parse::<T>(body.as_bytes()).map_or_else(|error| error.to_string(), |_| "accepted".into())
    }

    #[test]
    fn the_offending_field_is_named_with_its_index() {
        let component = r#"{"id":"a","typeId":"service","name":"A"}"#;
        let bulk = |more: &str| format!(r#"{{"components":[{component},{more}],"relationships":[]}}"#);
        let cases = [
            (bulk(r#"{"id":"b","name":"B"}"#), "components[1].typeId: is required"),
            (bulk("7"), "components[1]: invalid type: integer `7`, expected an object at line 1 column 57"),
            ("[]".to_owned(), "invalid type: list, expected an object at line 1 column 0"),
            (
                bulk(r#"{"typeId":"service","name":"B","color":1}"#),
                "components[1].color: this resource has no such field",
            ),
            (bulk(r#"{"typeId":"service","name":"B","name":"C"}"#), "components[1].name: is repeated"),
            (r#"{"components":[]}"#.into(), "relationships: is required"),
            (
                r#"{"components":{},"relationships":[]}"#.into(),
                "components: invalid type: object, expected a list at line 1 column 14",
            ),
        ];
        for (body, expected) in cases {
            assert_eq!(refusal::<Bulk>(&body), expected, "{body}");
        }
        let wrong = refusal::<Bulk>(&bulk(r#"{"typeId":"service","name":"B","x":1e10}"#));
        assert!(wrong.starts_with("components[1].x: must be within ±1,000,000,000"), "{wrong}");
        assert!(refusal::<NewComponent>("{").contains("EOF"));
        assert!(refusal::<NewComponent>(r#"{"typeId":"service","name":"A"} x"#).contains("trailing characters"));
    }

    #[test]
    fn an_ignored_field_is_reported_once() {
        let own = r#""typeId":"service","name":"A""#;
        let row = format!(r#"{own},"revision":1,"createdAt":1"#);
        let bulk = |items: &str, more: &str| format!(r#"{{"components":[{items}],"relationships":[]{more}}}"#);
        let cases = [
            (bulk(&format!(r"{{{row}}},{{{row}}}"), r#","stakeholders":[]"#), "accepted"),
            (bulk(&format!(r#"{{{row}}},{{{row},"revision":1}}"#), ""), "components[1].revision: is repeated"),
            (bulk(&format!(r#"{{{row},"createdA\u0074":1}}"#), ""), "components[0].createdAt: is repeated"),
            (bulk("", r#","processes":[],"stakeholders":[],"processes":[]"#), "processes: is repeated"),
            (
                r#"{"stakeholders":[],"workspace":{"name":"A","revision":1},"components":[],"relationships":[],
                    "stakeholders":[]}"#
                    .into(),
                "stakeholders: is repeated",
            ),
        ];
        for (body, expected) in cases {
            assert_eq!(refusal::<Bulk>(&body), expected, "{body}");
        }
        assert_eq!(refusal::<NewComponent>(&format!(r#"{{{row},"revision":2}}"#)), "revision: is repeated");
    }

    #[test]
    fn a_response_can_be_sent_back_as_a_request() {
        let row = r#""workspaceId":"w","revision":3,"createdAt":1,"updatedAt":2,"createdBy":1"#;
        let text = format!(
            r#"{{"workspace":{{"name":"W","myRole":"owner","visibility":"org"}},
                "components":[{{"id":"a","typeId":"service","name":"A","properties":{{"deep":{{"x":1}}}},{row}}}],
                "relationships":[{{"sourceId":"a","targetId":"a","typeId":"uses",{row}}}],
                "stakeholders":[{{"id":1}}],"processes":[]}}"#
        );
        let (bulk, ignored) = parse::<Bulk>(text.as_bytes()).unwrap();
        assert_eq!((bulk.components.len(), ignored), (1, vec!["stakeholders".to_owned(), "processes".into()]));
    }
}
