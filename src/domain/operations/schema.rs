//! The OpenAPI schema of operations: one object per operation and kind, distinguished by `op` and `kind`.

use super::{
    MAX_POSITIONS, Position, WorkspaceFields,
    body::{MAX_REF, RawOperation},
    model::either,
};
use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{
            AllOfBuilder, ArrayBuilder, Object, ObjectBuilder, OneOfBuilder, Ref, RefOr, Schema, Type,
            schema::{AdditionalProperties, SchemaType},
        },
    },
    domain::map::{
        components::{ComponentPatch, NewComponent},
        decisions::{DecisionPatch, NewDecision},
        links::NewLink,
        notes::{NewNote, NotePatch},
        processes::{NewProcess, ProcessPatch},
        relationships::{NewRelationship, RelationshipPatch},
        stakeholders::{NewStakeholder, StakeholderPatch},
        tours::{NewTour, TourPatch},
        views::{NewView, NewViewLine, ViewPatch},
    },
};

impl PartialSchema for RawOperation {
    fn schema() -> RefOr<Schema> {
        let on_component = |name: &str| {
            let of = ObjectBuilder::new()
                .property("componentId", text("Id of the component that it hangs on"))
                .required("componentId");
            AllOfBuilder::new().item(Ref::from_schema_name(name)).item(of).build()
        };
        let create = |kind, row: RefOr<Schema>| operation("create", Some(kind)).property("row", row).required("row");
        let update = |kind, fields: &str| {
            operation("update", Some(kind))
                .property("fields", Ref::from_schema_name(fields))
                .required("fields")
                .property("revision", revision())
        };
        let attach = |kind, name: &str| create(kind, RefOr::T(on_component(name).into())).property("ref", reference());
        let named = |name: &str| RefOr::Ref(Ref::from_schema_name(name));
        let id = || text("Id of the row");
        let number = || either(Type::Integer, Type::String, "Id of the row; or the `ref` of an earlier operation");
        let delete = |kind, id: Object| {
            operation("delete", Some(kind)).property("id", id).required("id").property("revision", revision())
        };
        let positions = ArrayBuilder::new()
            .items(Ref::from_schema_name(Position::name()))
            .max_items(Some(MAX_POSITIONS))
            .description(Some("At most 100,000 in all `move` operations of a request"));
        let kinds = vec![
            create("component", named(&NewComponent::name())),
            create("relationship", named(&NewRelationship::name())),
            attach("stakeholder", &NewStakeholder::name()),
            attach("link", &NewLink::name()),
            create("process", named(&NewProcess::name())),
            create("note", named(&NewNote::name())),
            create("view", named(&NewView::name())),
            create("tour", named(&NewTour::name())),
            create("decision", named(&NewDecision::name())),
            update("workspace", &WorkspaceFields::name()),
            update("component", &ComponentPatch::name()).property("id", id()).required("id"),
            update("relationship", &RelationshipPatch::name()).property("id", id()).required("id"),
            update("stakeholder", &StakeholderPatch::name()).property("id", number()).required("id"),
            update("process", &ProcessPatch::name()).property("id", id()).required("id"),
            update("note", &NotePatch::name()).property("id", id()).required("id"),
            update("view", &ViewPatch::name()).property("id", id()).required("id"),
            update("tour", &TourPatch::name()).property("id", id()).required("id"),
            update("decision", &DecisionPatch::name()).property("id", id()).required("id"),
            operation("put", Some("view-line"))
                .property("row", named(&NewViewLine::name()))
                .required("row")
                .property("revision", revision()),
            delete("component", id()),
            delete("relationship", id()),
            delete("stakeholder", number()),
            delete("link", number()),
            delete("process", id()),
            delete("note", id()),
            delete("view", id()),
            delete("view-place", text("Id of the view and id of the component, with a slash between them")),
            delete("view-line", text("Id of the view and id of the relationship, with a slash between them")),
            delete("tour", id()),
            delete("decision", id()),
            operation("move", None)
                .property("positions", positions)
                .required("positions")
                .property("viewId", view_id()),
        ];
        let what = "One operation. `row` is the body of a request that creates a row of its kind, `fields` of one that updates it.";
        kinds.into_iter().fold(OneOfBuilder::new(), OneOfBuilder::item).description(Some(what)).into()
    }
}

impl ToSchema for RawOperation {
    fn name() -> std::borrow::Cow<'static, str> {
        "Operation".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        fn add<T: ToSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
            schemas.push((T::name().into(), T::schema()));
            T::schemas(schemas);
        }
        add::<NewComponent>(schemas);
        add::<NewRelationship>(schemas);
        add::<NewStakeholder>(schemas);
        add::<NewLink>(schemas);
        add::<NewProcess>(schemas);
        add::<NewNote>(schemas);
        add::<NewView>(schemas);
        add::<NewViewLine>(schemas);
        add::<NewTour>(schemas);
        add::<NewDecision>(schemas);
        add::<ComponentPatch>(schemas);
        add::<RelationshipPatch>(schemas);
        add::<StakeholderPatch>(schemas);
        add::<ProcessPatch>(schemas);
        add::<NotePatch>(schemas);
        add::<ViewPatch>(schemas);
        add::<TourPatch>(schemas);
        add::<DecisionPatch>(schemas);
        add::<WorkspaceFields>(schemas);
        add::<Position>(schemas);
    }
}

/// The fields that distinguish operations. Only fields added to this object are allowed.
fn operation(op: &str, kind: Option<&str>) -> ObjectBuilder {
    let word = |word: &str| ObjectBuilder::new().schema_type(Type::String).enum_values(Some([word]));
    let object = ObjectBuilder::new()
        .property("op", word(op))
        .required("op")
        .additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(false)));
    match kind {
        Some(kind) => object.property("kind", word(kind)).required("kind"),
        None => object,
    }
}

fn text(description: &str) -> Object {
    ObjectBuilder::new().schema_type(Type::String).description(Some(description)).build()
}

fn reference() -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::Array(vec![Type::String, Type::Null]))
        .min_length(Some(1))
        .max_length(Some(MAX_REF))
        .description(Some("A name for the new row, by which later operations of the request can address it"))
        .build()
}

fn view_id() -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::Array(vec![Type::String, Type::Null]))
        .description(Some(
            "Id of a view: sets the positions in the view, and creates those that do not exist. Without it, the positions \
             on the map",
        ))
        .build()
}

fn revision() -> Object {
    either(
        Type::Integer,
        Type::Null,
        "The revision of the row that the caller has read; another one is refused as stale. Of a workspace: the revision \
         after which its own fields must not have been written",
    )
}
