//! Builds the OpenAPI document from the route table and the annotations of the handlers.
//!
//! Security requirements and error responses are derived from the required permission and the method of a route, so
//! that handlers do not repeat them.

mod bodies;
mod images;
mod wiki;

use axum::http::Method;
use serde_json::{Value, json};

use super::{
    access::Need,
    error::ErrorBody,
    route::{Description, Fact, Route},
};
use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{
            Components, Content, ContentBuilder, HeaderBuilder, Info, KnownFormat, License, Object, ObjectBuilder,
            OpenApi, OpenApiBuilder, Paths, Ref, RefOr, ResponseBuilder, Schema, SchemaFormat, ServerBuilder, Type,
            path::{Operation, Parameter, ParameterBuilder, ParameterIn},
            request_body::RequestBody,
            schema::SchemaType,
            security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
            tag::TagBuilder,
        },
    },
    domain::{map::notes::ImageId, values::Id},
    error::Author,
};

const BEARER: &str = "bearer";
const COOKIE: &str = "refreshCookie";

/// Builds the document from the route table and the descriptions of its handlers.
pub(super) fn document(table: &[Route], descriptions: Vec<Description>) -> OpenApi {
    let mut paths = Paths::new();
    let mut components = Components::new();
    components.schemas.insert("ErrorBody".into(), ErrorBody::schema());
    components.schemas.insert("Author".into(), Author::schema());
    let mut more = Vec::new();
    ErrorBody::schemas(&mut more);
    components.schemas.extend(more);
    components.security_schemes.insert(BEARER.into(), RefOr::T(bearer()));
    components.security_schemes.insert(COOKIE.into(), RefOr::T(cookie()));
    for (route, Description { schemas, methods, mut operation }) in table.iter().zip(descriptions) {
        components.schemas.extend(schemas);
        complete(&mut operation, route);
        paths.add_path_operation(route.path, methods, operation);
    }
    bodies::describe(&paths, &mut components);
    let mut info = Info::new("Planroom", env!("CARGO_PKG_VERSION"));
    info.description = Some(DESCRIPTION.into());
    let mut license = License::new("MIT OR Apache-2.0");
    license.identifier = Some("MIT OR Apache-2.0".into());
    info.license = Some(license);
    let tags = TAGS.iter().map(|(name, text)| TagBuilder::new().name(*name).description(Some(*text)).build());
    OpenApiBuilder::new()
        .info(info)
        .servers(Some([ServerBuilder::new().url("/").build()]))
        .paths(paths)
        .components(Some(components))
        .tags(Some(tags.collect::<Vec<_>>()))
        .build()
}

const DESCRIPTION: &str = "The API of Planroom, a self-hosted map of a team's software. People, scripts and \
                           assistants use it with the same permissions.\n\nTimes are Unix milliseconds. Optional \
                           fields can be omitted or null in a request. Read-only fields are accepted and ignored, so \
                           a resource can be sent back unchanged; unknown fields are rejected. All errors have the \
                           same body; branch on `code`, never on `error`.";

const TAGS: &[(&str, &str)] = &[
    ("Sign-in", "Sign-in, sessions and account setup."),
    ("Me", "The current user, their access tokens and sign-in settings."),
    ("Organizations", "Organizations, their members and invitations."),
    ("Administration", "Users, audit log and settings of the instance. For instance administrators."),
    ("Waitlist", "People who have requested an account."),
    ("Workspaces", "Workspaces. Each contains one map."),
    ("Live", "Event streams of workspaces, and presence."),
    ("Sources", "Files in other places that describe parts of a map: conversion, synchronization and drift."),
    ("History", "Changes, past states, undo and versions of a workspace."),
    ("Members", "Users with an access level in a workspace."),
    ("Comments", "Threads of comments about components, relationships, processes, views and workspaces."),
    ("Inbox", "The caller's notifications, what the caller watches, and notification settings."),
    ("Drafts", "Proposed changes of a workspace: comparison, review and merge, and the protection of workspaces."),
    ("Share links", "Public, read-only addresses of maps, and the rules for them."),
    ("Webhooks", "Events of an organization that the server sends to other servers."),
    ("Components", "Components of a map."),
    ("Relationships", "Directed relationships between components."),
    ("Links", "Links from components to URLs and wiki pages."),
    ("Wiki", "The wiki connection of an organization, and wiki content."),
    ("Processes", "Sequence diagrams whose participants are components."),
    ("Notes", "Notes, frames and images on the map. They are not components."),
    ("Views", "Views of a map, each with its own selection of components, and tours through them."),
    ("Decisions", "Architecture decision records of a workspace, and their files."),
    ("People", "People in an organization's directory, including its members."),
    ("Teams", "Teams in an organization's directory."),
    ("Roles", "Roles of stakeholders."),
    ("Kinds", "Kinds of components that an organization shares: a name, a look and fields."),
    ("Stakeholders", "People and teams attached to components, with a role."),
    ("Schema", "The type catalogue."),
    ("System", "Health and this document."),
];

fn bearer() -> SecurityScheme {
    let text = "A session JWT, or a personal access token `svc_pat_…`.";
    SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(text)).build())
}

fn cookie() -> SecurityScheme {
    let text = "Refreshes a session; set at sign-in. With https its name is `__Secure-planroom_refresh`.";
    SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description("planroom_refresh", text)))
}

/// Adds the parameters, headers, security requirements, and error responses that follow from the route.
fn complete(operation: &mut Operation, route: &Route) {
    let parameters = operation.parameters.get_or_insert_default();
    parameters.splice(0..0, path_parameters(route.path).map(RefOr::T));
    parameters.extend(headers(route).into_iter().map(RefOr::T));
    parameters.iter_mut().for_each(never_null);
    if operation.parameters.as_ref().is_some_and(Vec::is_empty) {
        operation.parameters = None;
    }
    if let Some(RefOr::T(RequestBody { required, .. })) = &mut operation.request_body {
        *required = Some(crate::describe::openapi::Required::True);
    }
    let by = |scheme: &str| SecurityRequirement::new(scheme, Vec::<String>::new());
    operation.security = Some(if route.need == Need::Public {
        let schemes = [(Fact::RefreshCookie, COOKIE), (Fact::OptionalToken, BEARER)];
        let accepted: Vec<_> =
            schemes.into_iter().filter(|(fact, _)| route.has(*fact)).map(|(_, name)| by(name)).collect();
        let none = (!accepted.is_empty()).then(SecurityRequirement::default);
        none.into_iter().chain(accepted).collect()
    } else {
        vec![by(BEARER)]
    });
    let takes_a_body = operation.request_body.is_some();
    if route.has(Fact::Image) || route.has(Fact::EntityTag) {
        let response = ResponseBuilder::new().description("Not modified: a tag in `If-None-Match` is current").build();
        operation.responses.responses.insert("304".into(), RefOr::T(response));
        if let Some(RefOr::T(response)) = operation.responses.responses.get_mut("200") {
            let header = HeaderBuilder::new().schema(Some(text())).description(Some("Strong entity tag")).build();
            response.headers.insert("ETag".into(), RefOr::T(header));
        }
    }
    for (status, text, code) in errors(route, takes_a_body) {
        let error = error(text, example(route, status, code));
        operation.responses.responses.insert(status.to_string(), RefOr::T(error));
    }
}

/// Removes `null` from the type of a parameter: a URL or header cannot express it.
fn never_null(parameter: &mut RefOr<Parameter>) {
    let RefOr::T(Parameter { schema: Some(RefOr::T(Schema::Object(schema))), .. }) = parameter else { return };
    if let SchemaType::Array(types) = &mut schema.schema_type {
        types.retain(|one| *one != Type::Null);
        if let [one] = &types[..] {
            schema.schema_type = SchemaType::Type(one.clone());
        }
    }
}

/// Error responses of a route: status, description, and code.
fn errors(route: &Route, takes_a_body: bool) -> Vec<(u16, &'static str, Option<&'static str>)> {
    let writes = route.method != Method::GET;
    let in_workspace = matches!(route.need, Need::Viewer | Need::AccessRequester | Need::Editor | Need::Owner);
    let mut errors = Vec::new();
    if route.need != Need::Public || takes_a_body || route.has(Fact::OptionalToken) {
        let of_instance = matches!(route.need, Need::Public | Need::User | Need::Admin);
        let code = (!of_instance || route.has(Fact::ActiveOrganization)).then_some("no_active_org");
        errors.push((400, "The request is invalid, or an active organization is required", code));
        errors.push((401, "The credential is missing, unknown, expired or revoked", None));
        errors.push((403, "The account is suspended, or lacks the permission", Some("account_suspended")));
    }
    let names_hidden = route.has(Fact::NamesHidden) || route.has(Fact::SelectsOrganization);
    if in_workspace || route.has_path_parameters() || names_hidden {
        errors.push((404, "The resource does not exist, or is not visible to the caller", None));
    }
    if let Some(code) = in_use(route) {
        errors.push((409, "Stakeholder links use the resource; `count` is their number", Some(code)));
    } else if may_conflict(route) {
        errors.push((409, "The request conflicts with the current state, for example because the id is in use", None));
    }
    if route.has(Fact::Operations) {
        let text = "Operations conflict with the current state, or were made before the data was restored; \
                    `conflicts` lists all conflicts";
        errors.push((409, text, Some("conflict")));
        errors.push((412, "Rows have changed since they were read; `conflicts` lists all of them", Some("stale")));
    }
    if takes_precondition(route) {
        errors.push((
            412,
            "The resource does not match `If-Match`; `current` and `changedBy` describe the current state",
            Some("stale"),
        ));
    }
    if takes_a_body {
        errors.push((408, "The body was not received in time", None));
        errors.push((413, "The body is too large", None));
        let text = if route.has(Fact::Upload) { "The body is not an image" } else { "The body is not JSON" };
        errors.push((415, text, None));
    }
    if !route.has(Fact::Unqueued) {
        let text = "Too many attempts or concurrent requests; try again after `Retry-After`";
        errors.push((429, text, Some("rate_limited")));
    }
    errors.push((500, "Internal error; find the cause in the server log by `requestId`", None));
    errors.push((503, "The server is busy or stopping; try again", None));
    // Specific texts replace the general ones: the last entry of a status is used.
    errors.extend(wiki::errors(route, takes_a_body));
    errors.extend(images::errors(route));
    if writes {
        errors.push((507, "The storage is full; nothing was written", None));
    }
    errors
}

/// Whether the current state can prevent the request: an id in use, a last owner or administrator, a locked setting.
fn may_conflict(route: &Route) -> bool {
    let by_method = match route.method {
        Method::POST | Method::PUT => !route.has(Fact::SelectsOrganization) && !route.has(Fact::NoConflict),
        Method::PATCH => matches!(route.need, Need::Editor | Need::Member | Need::OrgAdmin),
        _ => false,
    };
    by_method || route.has(Fact::Conflict)
}

/// The error code if stakeholder links use the resource to delete.
fn in_use(route: &Route) -> Option<&'static str> {
    route.facts.iter().find_map(|fact| match fact {
        Fact::InUse(code) => Some(*code),
        _ => None,
    })
}

fn takes_precondition(route: &Route) -> bool {
    let changes = matches!(route.method, Method::PATCH | Method::PUT | Method::DELETE);
    let in_workspace = matches!(route.need, Need::Editor | Need::Owner) && !route.has(Fact::Unlogged);
    changes && in_workspace || route.has(Fact::Precondition)
}

fn error(description: &str, example: Value) -> crate::describe::openapi::Response {
    let content: Content =
        ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).example(Some(example)).build();
    ResponseBuilder::new().description(description).content("application/json", content).build()
}

fn example(route: &Route, status: u16, code: Option<&str>) -> Value {
    if status == 409 && in_use(route).is_some() {
        return json!({ "error": "stakeholder links use this: 3; remove them first", "code": code, "count": 3 });
    }
    let mut example = json!({ "error": example_text(status, code) });
    if let Some(code) = code {
        example["code"] = code.into();
    }
    if status == 500 {
        example["requestId"] = "0193a1f0c7d87c3e9a3c5c1c2b6a7f10".into();
    }
    example
}

fn example_text(status: u16, code: Option<&str>) -> &'static str {
    match status {
        403 if code == Some("wiki_access_denied") => {
            "the wiki denied access: the connection of this organization has ended"
        }
        404 if code == Some("wiki_not_found") => "the wiki has no such page or database, or it is not shared",
        502 => "unexpected response from the wiki",
        400 if code == Some("bad_wiki_url") => "url: no identifier found in the URL",
        503 if code == Some("wiki_misconfigured") => "the wiki integration is not configured for this organization",
        400 => "name: must have 1 to 200 characters, has 201",
        401 => "this token is unknown or revoked",
        403 => "changing this workspace needs the access level editor; ask one of its owners",
        404 if code == Some("no_picture") => "image not available: its server responded 404",
        404 => "workspace not found",
        409 => "a workspace with the id `web-shop` exists already",
        412 => "it has changed since you read it; read it again and repeat the change",
        408 => "the body is incomplete: no data received for 30 seconds",
        413 => "the body exceeds the limit of 1048576 bytes",
        429 => "too many requests at once; send fewer in parallel and try again in a moment",
        415 => "the body must be JSON, with `Content-Type: application/json`",
        503 => "the server is busy; try again in a moment",
        507 => "the storage is full and nothing was written; free some space and try again",
        _ => "internal error; find the cause in the server log by this requestId",
    }
}

fn path_parameters(path: &str) -> impl Iterator<Item = Parameter> {
    path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}')).map(|name| {
        let (kind, text) = match name {
            "id" => (Type::String, "Workspace id, percent-encoded including `/`"),
            "cid" => (Type::String, "Component id, percent-encoded including `/`"),
            "linkId" => (Type::Integer, "Link id"),
            "rid" => (Type::String, "Relationship id, percent-encoded including `/`"),
            "noteId" => (Type::String, "Note id, percent-encoded including `/`"),
            "imageId" => (Type::String, "Image id"),
            "threadId" => (Type::String, "Id of the thread"),
            "messageId" => (Type::Integer, "Id of the message"),
            "shareId" => (Type::String, "Id of the share link"),
            "webhookId" => (Type::String, "Id of the webhook"),
            "deliveryId" => (Type::Integer, "Id of the delivery"),
            "pid" => (Type::String, "Process id, kebab-case"),
            "vid" => (Type::Integer, "Version id"),
            "sid" => (Type::Integer, "Id of the stakeholder link"),
            "personId" => (Type::String, "Person id, percent-encoded including `/`"),
            "teamId" => (Type::String, "Team id, percent-encoded including `/`"),
            "roleId" => (Type::String, "Role id"),
            "kindId" => (Type::String, "Kind id"),
            "orgId" => (Type::String, "Id of the active organization"),
            "userId" => (Type::Integer, "User id"),
            "invitationId" => (Type::Integer, "Invitation id"),
            "token" => (Type::String, "Secret of the invitation link"),
            "entryId" => (Type::Integer, "Waitlist entry id"),
            "tokenId" => (Type::Integer, "Token id"),
            "sessionId" => (Type::Integer, "Session id"),
            _ => (Type::String, "See the description"),
        };
        let schema: RefOr<Schema> = match (name, kind) {
            ("id" | "cid" | "rid" | "noteId" | "personId" | "teamId", _) => Ref::from_schema_name(Id::name()).into(),
            ("imageId", _) => Ref::from_schema_name(ImageId::name()).into(),
            (_, Type::Integer) => {
                let format = SchemaFormat::KnownFormat(KnownFormat::Int64);
                Schema::from(ObjectBuilder::new().schema_type(Type::Integer).format(Some(format))).into()
            }
            (_, kind) => Schema::from(ObjectBuilder::new().schema_type(kind)).into(),
        };
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Path)
            .required(crate::describe::openapi::Required::True)
            .description(Some(text))
            .schema(Some(schema))
            .build()
    })
}

/// Pattern of visible ASCII text.
const VISIBLE_ASCII: &str = "^[ -~]+$";
/// Pattern of a reason: 1 to 500 characters, which begin with a visible one. `%` begins an encoded byte: of ASCII, or of
/// a character of two, three or four bytes.
const PERCENT_ENCODED: &str = "^([!-$&-~]|%(2[1-9A-Fa-f]|[3-6][0-9A-Fa-f]|7[0-9A-Ea-e])|%[Cc][3-9A-Fa-f]%[89ABab][0-9A-Fa-f])\
    ([ -$&-~]|%([2-6][0-9A-Fa-f]|7[0-9A-Ea-e])|%[Cc]2%[ABab][0-9A-Fa-f]|(%[Cc][3-9A-Fa-f]|%[Dd][0-9A-Fa-f])%[89ABab][0-9A-Fa-f]|\
    %[Ee][1-9A-Ca-c](%[89ABab][0-9A-Fa-f]){2}|%[Ff][1-3](%[89ABab][0-9A-Fa-f]){3}){0,499}$";
/// Pattern of `*` or a list of entity tags.
const ENTITY_TAGS: &str = r#"^[ \t]*(\*|(W/)?"[ !#-~]*"([ \t]*,[ \t]*(W/)?"[ !#-~]*")*)[ \t]*$"#;

fn with_pattern(pattern: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern))
}

fn headers(route: &Route) -> Vec<Parameter> {
    let mut headers = Vec::new();
    let mut add = |name: &str, description: &str, schema: Object| {
        headers.push(
            ParameterBuilder::new()
                .name(name)
                .parameter_in(ParameterIn::Header)
                .description(Some(description))
                .schema(Some(schema))
                .build(),
        );
    };
    let visible = |longest| with_pattern(VISIBLE_ASCII).min_length(Some(1)).max_length(Some(longest)).build();
    let is_logged = matches!(route.need, Need::Member | Need::Editor | Need::Owner) && !route.has(Fact::Unlogged)
        || route.has(Fact::ChangeSet);
    if route.has(Fact::EntityTag) {
        add("If-None-Match", "Entity tags of the cached responses", text());
    }
    if takes_precondition(route) {
        let what = "The expected state: `\"<revision>\"` of the resource or, for a workspace, its `ETag`";
        add("If-Match", what, with_pattern(ENTITY_TAGS).build());
    }
    if route.method == Method::POST && !matches!(route.need, Need::Public | Need::ConnectionManager) {
        let what = "Makes the request safe to repeat: within 24 hours, a repeated request returns the first response";
        add("Idempotency-Key", what, visible(255));
    }
    if route.method != Method::GET && is_logged {
        add("X-Batch-Id", "Label for the change set in the history", visible(128));
        let what = "Why the change is made, shown in the history: one line of up to 500 characters, with `%` and all \
                    characters other than visible ASCII percent-encoded as UTF-8";
        add("X-Change-Reason", what, with_pattern(PERCENT_ENCODED).build());
    }
    headers
}

fn text() -> Object {
    ObjectBuilder::new().schema_type(Type::String).build()
}
