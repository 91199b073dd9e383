//! Completes the schemas of request bodies with the rules of the parser (`domain::input`).
//!
//! An optional field may be null, a read-only field is ignored, and an unknown field is rejected. The rules hold for
//! every body, so they are added here and not annotated on every type.

use std::collections::BTreeSet;

use crate::{
    describe::{
        ToSchema,
        openapi::{
            Components, Object, ObjectBuilder, OneOfBuilder, Paths, Ref, RefOr, Schema, Type,
            path::Operation,
            schema::{AdditionalProperties, ArrayItems, SchemaType},
        },
    },
    domain::{
        accounts::{administration::AccountPatch, profile::ProfilePatch},
        directory::{
            component_kinds::{ComponentKindPatch, NewComponentKind},
            people::{NewPerson, PersonPatch},
            roles::{NewRole, RolePatch},
            team_members::{NewTeamMember, TeamMemberPatch},
            teams::{NewTeam, TeamPatch},
        },
        history::NewVersion,
        input::Input,
        map::{
            access_requests::NewAccessRequest,
            bulk::Bulk,
            components::{ComponentPatch, NewComponent},
            decisions::{DecisionPatch, NewDecision},
            links::NewLink,
            members::{MemberPatch, NewMember},
            notes::{NewNote, NotePatch},
            personal_views::{NewPersonalView, PersonalViewPatch},
            processes::{NewProcess, ProcessPatch},
            relationships::{NewRelationship, RelationshipPatch},
            stakeholders::{NewStakeholder, StakeholderPatch},
            tours::{NewTour, TourPatch},
            views::{NewView, NewViewLine, ViewPatch},
            workspaces::{NewWorkspace, WorkspacePatch},
        },
        notifications::NotificationSettingsPatch,
        organizations::{OrganizationPatch, members::OrgMemberPatch},
        sharing::model::{NewShareLink, ShareLinkPatch},
        transfer::document::Document,
    },
};

/// The ignored fields of a body.
struct BodyFields {
    schema: String,
    read_only: &'static [&'static str],
    others: &'static [&'static str],
}

impl BodyFields {
    fn of<T: Input + ToSchema>() -> Self {
        Self { schema: T::name().into(), read_only: T::READ_ONLY, others: T::OTHERS }
    }
}

/// All bodies with ignored fields. Tests validate their requests against the document, which finds missing entries.
fn passing() -> Vec<BodyFields> {
    vec![
        BodyFields::of::<AccountPatch>(),
        BodyFields::of::<Bulk>(),
        BodyFields::of::<ComponentKindPatch>(),
        BodyFields::of::<ComponentPatch>(),
        BodyFields::of::<DecisionPatch>(),
        BodyFields::of::<Document>(),
        BodyFields::of::<MemberPatch>(),
        BodyFields::of::<NewAccessRequest>(),
        BodyFields::of::<NewComponent>(),
        BodyFields::of::<NewComponentKind>(),
        BodyFields::of::<NewDecision>(),
        BodyFields::of::<NewLink>(),
        BodyFields::of::<NewMember>(),
        BodyFields::of::<NewNote>(),
        BodyFields::of::<NewPersonalView>(),
        BodyFields::of::<NewPerson>(),
        BodyFields::of::<NewProcess>(),
        BodyFields::of::<NewRelationship>(),
        BodyFields::of::<NewRole>(),
        BodyFields::of::<NewShareLink>(),
        BodyFields::of::<NewStakeholder>(),
        BodyFields::of::<ShareLinkPatch>(),
        BodyFields::of::<NewStakeholder>(),
        BodyFields::of::<NewTeam>(),
        BodyFields::of::<NewTeamMember>(),
        BodyFields::of::<NewTour>(),
        BodyFields::of::<NewVersion>(),
        BodyFields::of::<NewView>(),
        BodyFields::of::<NewViewLine>(),
        BodyFields::of::<NewWorkspace>(),
        BodyFields::of::<NotePatch>(),
        BodyFields::of::<NotificationSettingsPatch>(),
        BodyFields::of::<OrgMemberPatch>(),
        BodyFields::of::<OrganizationPatch>(),
        BodyFields::of::<PersonPatch>(),
        BodyFields::of::<PersonalViewPatch>(),
        BodyFields::of::<ProcessPatch>(),
        BodyFields::of::<ProfilePatch>(),
        BodyFields::of::<RelationshipPatch>(),
        BodyFields::of::<RolePatch>(),
        BodyFields::of::<StakeholderPatch>(),
        BodyFields::of::<StakeholderPatch>(),
        BodyFields::of::<TeamMemberPatch>(),
        BodyFields::of::<TeamPatch>(),
        BodyFields::of::<TourPatch>(),
        BodyFields::of::<ViewPatch>(),
        BodyFields::of::<WorkspacePatch>(),
    ]
}

/// Completes the schemas of all request bodies.
pub(super) fn describe(paths: &Paths, components: &mut Components) {
    for BodyFields { schema, read_only, others } in passing() {
        for (fields, text) in [
            (read_only, "Read-only. Ignored in requests"),
            (others, "Belongs to another resource. Ignored, and listed in `ignored`"),
        ] {
            for path in fields {
                pass(components, &schema, path, text);
            }
        }
    }
    for name in objects(paths, components) {
        if let Some(RefOr::T(Schema::Object(object))) = components.schemas.get_mut(&name) {
            close(object);
        }
    }
}

/// Rejects additional properties and allows null for optional ones.
fn close(object: &mut Object) {
    let is_object = matches!(object.schema_type, SchemaType::Type(Type::Object));
    if !is_object || object.additional_properties.is_some() {
        return;
    }
    object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
    for (name, property) in &mut object.properties {
        if !object.required.contains(name) {
            allow_null(property);
        }
    }
}

fn allow_null(property: &mut RefOr<Schema>) {
    match property {
        RefOr::T(Schema::Object(object)) => {
            add_null(&mut object.schema_type);
            if let Some(values) =
                object.enum_values.as_mut().filter(|values| !values.contains(&serde_json::Value::Null))
            {
                values.push(serde_json::Value::Null);
            }
        }
        RefOr::T(Schema::Array(array)) => add_null(&mut array.schema_type),
        // Composed schemas state themselves whether null is allowed.
        RefOr::T(_) => {}
        RefOr::Ref(reference) => {
            let description = std::mem::take(&mut reference.description);
            let null = ObjectBuilder::new().schema_type(Type::Null);
            let either = OneOfBuilder::new().item(null).item(reference.clone()).description(Some(description));
            *property = RefOr::T(either.build().into());
        }
    }
}

fn add_null(schema_type: &mut SchemaType) {
    if let SchemaType::Type(known) = schema_type {
        *schema_type = SchemaType::Array(vec![known.clone(), Type::Null]);
    }
}

/// Adds an ignored field at `path`, relative to `schema`, such as `components[].revision`.
fn pass(components: &mut Components, schema: &str, path: &str, text: &str) {
    let Some(RefOr::T(Schema::Object(object))) = components.schemas.get_mut(schema) else { return };
    match path.split_once('.') {
        None => {
            let field = ObjectBuilder::new().schema_type(SchemaType::AnyValue).description(Some(text));
            let field = field.read_only(true).build();
            object.properties.entry(path.to_owned()).or_insert(RefOr::T(field.into()));
        }
        Some((step, rest)) => {
            let next = object.properties.get(step.trim_end_matches("[]")).and_then(named);
            if let Some(next) = next {
                pass(components, &next, rest, text);
            }
        }
    }
}

/// The schema name of a property or of its items.
fn named(property: &RefOr<Schema>) -> Option<String> {
    let items = |items: &ArrayItems| match items {
        ArrayItems::RefOrSchema(item) => named(item),
        ArrayItems::False => None,
    };
    match property {
        RefOr::Ref(Ref { ref_location, .. }) => ref_location.rsplit('/').next().map(str::to_owned),
        RefOr::T(Schema::Array(array)) => items(&array.items),
        RefOr::T(Schema::OneOf(either)) => either.items.iter().find_map(named),
        RefOr::T(Schema::Object(map)) => match map.additional_properties.as_deref() {
            Some(AdditionalProperties::RefOr(value)) => named(value),
            _ => None,
        },
        RefOr::T(_) => None,
    }
}

/// The names of all object schemas that are reachable from request bodies.
fn objects(paths: &Paths, components: &Components) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut next: Vec<String> = paths.paths.values().flat_map(operations).filter_map(body).collect();
    while let Some(name) = next.pop() {
        if !found.insert(name.clone()) {
            continue;
        }
        match components.schemas.get(&name) {
            Some(RefOr::T(Schema::Object(object))) => next.extend(object.properties.values().filter_map(named)),
            Some(RefOr::T(Schema::OneOf(either))) => {
                let fields = either.items.iter().filter_map(|item| match item {
                    RefOr::T(Schema::Object(object)) => Some(object.properties.values()),
                    _ => None,
                });
                next.extend(fields.flatten().filter_map(named));
            }
            _ => {}
        }
    }
    found
}

fn operations(item: &crate::describe::openapi::PathItem) -> impl Iterator<Item = &Operation> {
    [&item.get, &item.post, &item.put, &item.patch, &item.delete].into_iter().flatten()
}

fn body(operation: &Operation) -> Option<String> {
    let RefOr::T(body) = operation.request_body.as_ref()? else { return None };
    let RefOr::T(content) = body.content.get("application/json")? else { return None };
    named(content.schema.as_ref()?)
}
