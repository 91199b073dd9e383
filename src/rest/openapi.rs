//! Builds the OpenAPI document from the route table and the annotations of the handlers.
//!
//! Security requirements and error responses are derived from the required permission and the method of a route, so
//! that handlers do not repeat them.

mod bodies;
mod pictures;
mod wiki;

use axum::http::Method;
use serde_json::json;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Components, Content, ContentBuilder, HeaderBuilder, Info, KnownFormat, License, Object, ObjectBuilder, OpenApi,
        OpenApiBuilder, Paths, Ref, RefOr, ResponseBuilder, Schema, SchemaFormat, ServerBuilder, Type,
        path::{Operation, Parameter, ParameterBuilder, ParameterIn},
        request_body::RequestBody,
        schema::SchemaType,
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
        tag::TagBuilder,
    },
};

use super::{error::ErrorBody, need::Need, route::Route};
use crate::{domain::values::Id, error::Author};

const BEARER: &str = "bearer";
const COOKIE: &str = "refreshCookie";

/// Builds the document from the route table.
pub(super) fn document(table: Vec<Route>) -> OpenApi {
    let mut paths = Paths::new();
    let mut components = Components::new();
    components.schemas.insert("ErrorBody".into(), ErrorBody::schema());
    components.schemas.insert("Author".into(), Author::schema());
    let mut more = Vec::new();
    ErrorBody::schemas(&mut more);
    components.schemas.extend(more);
    components.security_schemes.insert(BEARER.into(), RefOr::T(bearer()));
    components.security_schemes.insert(COOKIE.into(), RefOr::T(cookie()));
    for route in table {
        components.schemas.extend(route.schemas.iter().cloned());
        let mut item = route.described.clone();
        for operation in
            [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
        {
            complete(operation, &route);
        }
        match paths.paths.get_mut(route.path) {
            Some(known) => known.merge_operations(item),
            None => drop(paths.paths.insert(route.path.to_owned(), item)),
        }
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

const DESCRIPTION: &str = "The plan room of a software team: architecture maps in workspaces, read and written by \
people, scripts and assistants under the same rules.\n\nTimes are Unix milliseconds. Optional fields may be left out or \
null in a request. Read-only fields of a resource are accepted and ignored, so that what was read can be sent back; a \
field that the resource does not have is refused by name. Every error has the same body; branch on `code`, never on \
`error`.";

const TAGS: &[(&str, &str)] = &[
    ("Sign-in", "From a password to a session, and on."),
    ("Me", "The caller, their tokens, and their sign-in."),
    ("Organizations", "Who works together: members and invitations."),
    ("Administration", "The instance: its users, its audit, its settings. For administrators of the instance."),
    ("Waitlist", "Strangers who would like an account."),
    ("Workspaces", "One map each, and all that hangs on it."),
    ("Live", "What happens in a workspace while it happens, and who is there."),
    ("History", "What a workspace was, and the ways back."),
    ("Members", "Who was given an access level in a workspace."),
    ("Components", "The nodes of a map."),
    ("Relationships", "What goes from one component to another."),
    ("Links", "Where components lead to: plain addresses, and pages of the wiki."),
    ("Wiki", "The wiki of an organization: its connection, and what is in it."),
    ("Processes", "Sequence diagrams, played over the map."),
    ("People", "The figures of an organization's maps, its members among them."),
    ("Teams", "People who answer for something together."),
    ("Roles", "What a person or team does for a component."),
    ("Stakeholders", "Who answers for which component, and as what."),
    ("Schema", "The type catalogue."),
    ("System", "Health and this document."),
];

fn bearer() -> SecurityScheme {
    let text = "A session JWT, or a personal access token `svc_pat_…`; told apart by their shape.";
    SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(text)).build())
}

fn cookie() -> SecurityScheme {
    let text = "Renews a session; set at sign-in. On https its name is `__Secure-planroom_refresh`.";
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
        *required = Some(utoipa::openapi::Required::True);
    }
    let by = |scheme: &str| SecurityRequirement::new(scheme, Vec::<String>::new());
    operation.security = Some(match (route.need, route.path) {
        (Need::Public, "/api/auth/me") => vec![SecurityRequirement::default(), by(BEARER)],
        (Need::Public, "/api/auth/refresh") => vec![SecurityRequirement::default(), by(COOKIE)],
        (Need::Public, "/api/auth/logout") => vec![SecurityRequirement::default(), by(COOKIE), by(BEARER)],
        (Need::Public, _) => Vec::new(),
        _ => vec![by(BEARER)],
    });
    let takes_a_body = operation.request_body.is_some();
    let conditional_read = pictures::is_one(route) || matches!(route.path, "/api/workspaces" | "/api/workspaces/{id}");
    if conditional_read && route.method == Method::GET {
        let response = ResponseBuilder::new().description("What `If-None-Match` names is still so").build();
        operation.responses.responses.insert("304".into(), RefOr::T(response));
        if let Some(RefOr::T(response)) = operation.responses.responses.get_mut("200") {
            let header = HeaderBuilder::new().schema(Some(text())).description(Some("Entity tag, strong")).build();
            response.headers.insert("ETag".into(), RefOr::T(header));
        }
    }
    for (status, text, code) in errors(route, takes_a_body) {
        operation.responses.responses.insert(status.to_string(), RefOr::T(error(status, text, code)));
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
    let in_workspace = matches!(route.need, Need::View | Need::Edit | Need::Own);
    let mut errors = Vec::new();
    if route.need != Need::Public || takes_a_body || asks_who(route.path) {
        let instance = matches!(route.need, Need::Public | Need::Me | Need::Admin) && !route.path.ends_with("/invite");
        let code = if instance { None } else { Some("no_active_org") };
        errors.push((400, "Something that was sent cannot be right, or an active organization is missing", code));
        errors.push((401, "No credential, or one that is unknown, expired or revoked", None));
        errors.push((403, "The account is suspended, or may not do this", Some("account_suspended")));
    }
    let named_in_body = matches!(route.path, "/api/auth/organization" | "/api/import")
        || route.method == Method::POST && route.path.starts_with("/api/me/connectors");
    let elsewhere = route.path.starts_with("/api/auth/oidc/");
    if elsewhere || in_workspace || route.path.contains('{') || begins_session(route.path) || named_in_body {
        errors.push((404, "It does not exist, or the caller may not know that it does", None));
    }
    if let Some(code) = in_use(route) {
        errors.push((409, "Stakeholder links use it; `count` says how many", Some(code)));
    } else if may_conflict(route) {
        errors.push((409, "The present state does not allow it, such as an id that is taken", None));
    }
    if route.path.ends_with("/operations") {
        let text = "Operations conflict with the present state, or were made before the data was restored; `conflicts` \
                    lists every one";
        errors.push((409, text, Some("conflict")));
        errors.push((412, "Rows have changed since they were read; `conflicts` lists every one", Some("stale")));
    }
    if takes_precondition(route) {
        errors.push((
            412,
            "It is not as `If-Match` says; `current` and `changedBy` tell what is so now",
            Some("stale"),
        ));
    }
    if takes_a_body {
        errors.push((408, "The body stopped coming", None));
        errors.push((413, "The body is too large", None));
        errors.push((415, "The body is not JSON", None));
    }
    if !UNQUEUED.contains(&route.path) {
        let text = "Too many attempts, or too many requests at once; `Retry-After` says when to try again";
        errors.push((429, text, Some("rate_limited")));
    }
    errors.push((500, "A fault of ours; `requestId` names its cause in the log", None));
    errors.push((503, "The server is busy, or is stopping; try again", None));
    // Specific texts replace the general ones: the last entry of a status is used.
    errors.extend(wiki::errors(route, takes_a_body));
    errors.extend(pictures::errors(route));
    if writes && !matches!(route.path, "/healthz") {
        errors.push((507, "The storage is full; nothing was written", None));
    }
    errors
}

/// Routes without queueing and rate limits.
const UNQUEUED: &[&str] = &["/healthz", "/openapi.json", "/.well-known/jwks.json"];

/// Whether the current state can prevent the request: an id in use, a last owner or administrator, a locked setting.
fn may_conflict(route: &Route) -> bool {
    match route.method {
        Method::POST | Method::PUT => !begins_session(route.path) && route.path != "/api/auth/logout",
        Method::PATCH => {
            let grows = matches!(route.need, Need::Edit | Need::Org | Need::OrgAdmin);
            grows || may_have_to_stay(route) || route.path == "/api/admin/settings"
        }
        Method::DELETE => may_have_to_stay(route),
        _ => false,
    }
}

fn may_have_to_stay(route: &Route) -> bool {
    route.path.contains("{userId}")
}

/// The error code if stakeholder links use the resource to delete.
fn in_use(route: &Route) -> Option<&'static str> {
    match (route.method.as_str(), route.path) {
        ("DELETE", "/api/people/{personId}") => Some("person_in_use"),
        ("DELETE", "/api/teams/{teamId}") => Some("team_in_use"),
        ("DELETE", "/api/stakeholder-link-types/{roleId}") => Some("role_in_use"),
        _ => None,
    }
}

/// Whether a public route reads a credential if the request has one.
fn asks_who(path: &str) -> bool {
    matches!(path, "/api/auth/me" | "/api/auth/logout")
}

/// Whether the route begins or renews a session in an organization that the caller selects.
fn begins_session(path: &str) -> bool {
    matches!(path, "/api/auth/login" | "/api/auth/login/verify" | "/api/auth/refresh")
}

fn takes_precondition(route: &Route) -> bool {
    let changes = matches!(route.method, Method::PATCH | Method::PUT | Method::DELETE);
    changes && (matches!(route.need, Need::Edit | Need::Own) || in_directory(route)) || route.path == "/api/import"
}

/// Whether the route is about people, teams, or roles, whose rows have revisions like the rows of a workspace.
fn in_directory(route: &Route) -> bool {
    ["/api/people", "/api/teams", "/api/stakeholder-link-types"].iter().any(|path| route.path.starts_with(path))
}

fn error(status: u16, description: &str, code: Option<&str>) -> utoipa::openapi::Response {
    let mut example = json!({ "error": example_text(status, code) });
    if let Some(code) = code {
        example["code"] = code.into();
    }
    if code.is_some_and(|code| code.ends_with("_in_use")) {
        example = json!({ "error": "stakeholder links use this: 3; remove them first", "code": code, "count": 3 });
    }
    if status == 500 {
        example["requestId"] = "0193a1f0c7d87c3e9a3c5c1c2b6a7f10".into();
    }
    let content: Content =
        ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).example(Some(example)).build();
    ResponseBuilder::new().description(description).content("application/json", content).build()
}

fn example_text(status: u16, code: Option<&str>) -> &'static str {
    match status {
        403 if code == Some("wiki_access_denied") => {
            "the wiki refused access: the connection of this organization has ended"
        }
        404 if code == Some("wiki_not_found") => "the wiki has no such page or database, or it is not shared",
        502 => "the wiki did not answer as it should",
        400 if code == Some("bad_wiki_url") => "url: no identifier found in the URL",
        503 if code == Some("wiki_misconfigured") => "the wiki integration is not configured for this organization",
        400 => "name: must have 1 to 200 characters, has 201",
        401 => "this token is unknown or revoked",
        403 => "changing this workspace needs the access level editor; ask one of its owners",
        404 if code == Some("no_picture") => "there is no picture: its server answers 404",
        404 => "workspace not found",
        409 => "a workspace with the id `web-shop` exists already",
        412 => "it has changed since you read it; read it again and repeat the change",
        408 => "nothing more of the body came for 30 seconds",
        413 => "the body is larger than the 1048576 bytes allowed here",
        429 => "too many requests at once; send fewer in parallel and try again in a moment",
        415 => "the body must be JSON, with `Content-Type: application/json`",
        503 => "the server is busy; try again in a moment",
        507 => "the storage is full and nothing was written; free some space and try again",
        _ => "an internal error; its cause is in the server's log under this requestId",
    }
}

fn path_parameters(path: &str) -> impl Iterator<Item = Parameter> {
    path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}')).map(|name| {
        let (kind, text) = match name {
            "id" => (Type::String, "Workspace id, percent-encoded, `/` too"),
            "cid" => (Type::String, "Component id, percent-encoded, `/` too"),
            "linkId" => (Type::Integer, "Link id"),
            "rid" => (Type::String, "Relationship id, percent-encoded, `/` too"),
            "pid" => (Type::String, "Process id, kebab-case"),
            "vid" => (Type::Integer, "Version id"),
            "sid" => (Type::Integer, "Id of the stakeholder link"),
            "personId" => (Type::String, "Person id, percent-encoded, `/` too"),
            "teamId" => (Type::String, "Team id, percent-encoded, `/` too"),
            "roleId" => (Type::String, "Role id"),
            "orgId" => (Type::String, "Id of the active organization"),
            "userId" => (Type::Integer, "User id"),
            "invitationId" => (Type::Integer, "Invitation id"),
            "token" => (Type::String, "The secret of the link"),
            "entryId" => (Type::Integer, "Id of an entry of the waitlist"),
            "tokenId" => (Type::Integer, "Token id"),
            "sessionId" => (Type::Integer, "Session id"),
            _ => (Type::String, "See the description"),
        };
        let schema: RefOr<Schema> = match (name, kind) {
            ("id" | "cid" | "rid" | "personId" | "teamId", _) => Ref::from_schema_name(Id::name()).into(),
            (_, Type::Integer) => {
                let format = SchemaFormat::KnownFormat(KnownFormat::Int64);
                Schema::from(ObjectBuilder::new().schema_type(Type::Integer).format(Some(format))).into()
            }
            (_, kind) => Schema::from(ObjectBuilder::new().schema_type(kind)).into(),
        };
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Path)
            .required(utoipa::openapi::Required::True)
            .description(Some(text))
            .schema(Some(schema))
            .build()
    })
}

/// Pattern of visible ASCII text.
const VISIBLE: &str = "^[ -~]+$";
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
    let visible = |longest| with_pattern(VISIBLE).min_length(Some(1)).max_length(Some(longest)).build();
    let is_logged = matches!(route.need, Need::Org | Need::Edit | Need::Own) || in_directory(route);
    if route.method == Method::GET && matches!(route.path, "/api/workspaces" | "/api/workspaces/{id}") {
        add("If-None-Match", "Entity tags that the caller has", text());
    }
    if takes_precondition(route) {
        let what = "The state to write over: `\"<revision>\"` of the resource, for a workspace its `ETag`";
        add("If-Match", what, with_pattern(ENTITY_TAGS).build());
    }
    if route.method == Method::POST && !matches!(route.need, Need::Public | Need::OrgKeeper) {
        let what = "Makes it safe to send again: within 24 hours the first answer is given again";
        add("Idempotency-Key", what, visible(255));
    }
    if route.method != Method::GET && is_logged {
        add("X-Batch-Id", "A label for the change set, by which the caller can undo it", visible(128));
    }
    headers
}

fn text() -> Object {
    ObjectBuilder::new().schema_type(Type::String).build()
}
