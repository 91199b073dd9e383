//! What an identity provider asserts about a user, read from the claims of its tokens.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Maximum length of a text in a claim, in characters.
const MAX_TEXT_LENGTH: usize = 200;
/// Assumed lifetime of a token that does not say when it was issued, in seconds.
const MAX_LIFETIME: i64 = 3_600;
/// Maximum number of organizations that are read. The number of groups is not limited, because the relevant group may
/// be the last.
pub(super) const MAX_LIST_LENGTH: usize = 200;

/// Where claims are found: candidates in order, each tried first as a name and then as a path with dots.
#[derive(Debug, Clone)]
pub struct ClaimPaths {
    /// Id of the active organization.
    pub org_id: Vec<String>,
    /// Role in the active organization.
    pub org_role: Vec<String>,
    /// Slug of the active organization.
    pub org_slug: Vec<String>,
    /// Name of the active organization.
    pub org_name: Vec<String>,
    /// All organizations of the user.
    pub organizations: Vec<String>,
    /// Groups of the user.
    pub groups: Vec<String>,
}

/// An organization as the identity provider describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedOrganization {
    /// Its id at the provider.
    pub id: String,
    /// Slug.
    pub slug: Option<String>,
    /// Name.
    pub name: Option<String>,
    /// The user's role, with the prefix `org:`; none if the provider does not say.
    pub role: Option<String>,
}

/// What an identity provider asserts about a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assertion {
    /// The issuer of the token.
    pub issuer: String,
    /// The user's id at the issuer.
    pub subject: String,
    /// Email address.
    pub email: Option<String>,
    /// Whether the provider has verified the email address.
    pub email_verified: bool,
    /// Display name.
    pub name: Option<String>,
    /// Preferred login.
    pub login: Option<String>,
    /// URL of a profile image.
    pub picture: Option<String>,
    /// Organizations of which the user is a member, the active one first.
    pub organizations: Vec<NamedOrganization>,
    /// Whether `organizations` is complete.
    pub all_organizations: bool,
    /// The user's groups; none if the token contains no groups claim.
    pub groups: Option<Vec<String>>,
    /// Time of issue, Unix seconds; the earliest possible time if the token does not say.
    pub issued: i64,
    /// Expiry, Unix seconds.
    pub expires: i64,
}

impl Assertion {
    /// Reads verified claims.
    #[expect(clippy::cast_possible_truncation, reason = "a cast from a float saturates")]
    pub(super) fn read(claims: &Map<String, Value>, paths: &ClaimPaths) -> Self {
        let text = |name: &str| claims.get(name).and_then(line);
        let one = |paths: &[String]| find(claims, paths).and_then(line);
        let active = one(&paths.org_id).map(|id| NamedOrganization {
            id,
            slug: one(&paths.org_slug),
            name: one(&paths.org_name),
            role: one(&paths.org_role).map(role),
        });
        let listed = find(claims, &paths.organizations);
        let mut organizations: Vec<NamedOrganization> = active.into_iter().collect();
        for organization in listed.map(listed_organizations).unwrap_or_default() {
            if organizations.iter().all(|known| known.id != organization.id) {
                organizations.push(organization);
            }
        }
        let verified = claims.get("email_verified");
        let time = |name: &str| claims.get(name).and_then(Value::as_f64).map(|seconds| seconds as i64);
        let expires = time("exp").unwrap_or_default();
        Self {
            issuer: text("iss").unwrap_or_default(),
            subject: claims.get("sub").and_then(Value::as_str).unwrap_or_default().to_owned(),
            email: text("email"),
            email_verified: verified.is_some_and(|value| *value == true || *value == "true"),
            name: text("name").or_else(|| joined(text("given_name"), text("family_name"))),
            login: text("preferred_username").or_else(|| text("username")).or_else(|| text("email")),
            picture: claims.get("picture").and_then(Value::as_str).map(str::to_owned),
            organizations,
            // Organizations beyond the maximum must not be mistaken for memberships that have ended.
            all_organizations: listed.is_some_and(|listed| count(listed) <= MAX_LIST_LENGTH),
            groups: find(claims, &paths.groups).map(texts),
            issued: time("iat").unwrap_or(expires.saturating_sub(MAX_LIFETIME)),
            expires,
        }
    }
}

/// The first claim that exists.
fn find<'c>(claims: &'c Map<String, Value>, paths: &[String]) -> Option<&'c Value> {
    let at = |path: &String| {
        claims.get(path).or_else(|| {
            let (first, rest) = path.split_once('.')?;
            rest.split('.').try_fold(claims.get(first)?, |value, part| value.get(part))
        })
    };
    paths.iter().filter_map(at).find(|value| !value.is_null())
}

/// A single line of text: not empty, not too long, without control characters.
fn line(value: &Value) -> Option<String> {
    let text = value.as_str()?.trim();
    let fits = !text.is_empty() && text.chars().count() <= MAX_TEXT_LENGTH && !text.chars().any(char::is_control);
    fits.then(|| text.to_owned())
}

fn joined(given: Option<String>, family: Option<String>) -> Option<String> {
    let parts: Vec<String> = [given, family].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// Adds the prefix `org:` to a role that lacks it.
fn role(text: String) -> String {
    if text.starts_with("org:") { text } else { format!("org:{text}") }
}

/// A text or a list of texts.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(all) => all.iter().filter_map(line).collect(),
        one => line(one).into_iter().collect(),
    }
}

/// Organizations in the format of Keycloak: a list of names, or an object by name that may contain an id.
fn listed_organizations(value: &Value) -> Vec<NamedOrganization> {
    let named = |alias: String, id: Option<String>| NamedOrganization {
        id: id.unwrap_or_else(|| alias.clone()),
        name: Some(alias.clone()),
        slug: Some(alias),
        role: None,
    };
    match value {
        Value::Object(all) => {
            let each = all.iter().filter_map(|(alias, about)| {
                Some(named(line(&Value::from(alias.as_str()))?, about.get("id").and_then(line)))
            });
            each.take(MAX_LIST_LENGTH).collect()
        }
        list => texts(list).into_iter().take(MAX_LIST_LENGTH).map(|alias| named(alias, None)).collect(),
    }
}

/// The number of listed organizations.
fn count(value: &Value) -> usize {
    value.as_object().map(Map::len).or_else(|| value.as_array().map(Vec::len)).unwrap_or(1)
}

/// The audiences of a token: one string or a list of strings (RFC 7519, section 4.1.3).
pub(super) fn audiences(claims: &Map<String, Value>) -> Vec<String> {
    match claims.get("aud") {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(all)) => all.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(claims: Value) -> Assertion {
        let list = |paths: &[&str]| paths.iter().map(ToString::to_string).collect();
        let paths = ClaimPaths {
            org_id: list(&["org_id", "o.id"]),
            org_role: list(&["org_role", "o.rol"]),
            org_slug: list(&["org_slug", "o.slg"]),
            org_name: list(&["org_name"]),
            organizations: list(&["organization"]),
            groups: list(&["groups", "https://acme.example/groups", "realm_access.roles"]),
        };
        Assertion::read(claims.as_object().unwrap(), &paths)
    }

    #[test]
    fn both_formats_of_an_active_organization_are_equivalent() {
        let first = read(json!({ "org_id": "org_1", "org_role": "org:admin", "org_slug": "acme" }));
        let second = read(json!({ "v": 2, "o": { "id": "org_1", "rol": "admin", "slg": "acme" } }));
        assert_eq!(first, second);
        let organization = &first.organizations[0];
        assert_eq!((organization.id.as_str(), organization.role.as_deref()), ("org_1", Some("org:admin")));
        assert!(!first.all_organizations, "one that is active, of more perhaps");
    }

    #[test]
    fn a_claim_is_looked_up_as_a_name_before_a_path() {
        let exact = read(json!({ "o.id": "exact", "o": { "id": "path" } }));
        assert_eq!(exact.organizations[0].id, "exact");
        let url = read(json!({ "https://acme.example/groups": ["a"], "realm_access": { "roles": ["b"] } }));
        assert_eq!(url.groups.unwrap(), ["a"], "a name with dots in it");
        assert_eq!(read(json!({ "realm_access": { "roles": ["b", 7, " "] } })).groups.unwrap(), ["b"]);
        assert_eq!(read(json!({ "groups": null, "o": "text" })).groups, None);
    }

    #[test]
    fn organizations_are_a_list_or_an_object_keyed_by_name() {
        let ids = |value| read(json!({ "organization": value })).organizations.into_iter().map(|o| o.id).collect();
        let keyed: Vec<String> = ids(json!({ "acme": { "id": "42" }, "beta": {} }));
        assert_eq!(keyed, ["42", "beta"]);
        let named: Vec<String> = ids(json!(["acme", "beta"]));
        assert_eq!(named, ["acme", "beta"]);
        let none: Vec<String> = ids(json!({}));
        assert_eq!(none, [""; 0]);
        assert!(read(json!({ "organization": {} })).all_organizations);
    }

    #[test]
    fn group_names_use_their_last_segment_and_truncated_lists_are_incomplete() {
        let names = |count: usize| (0..count).map(|n| format!("g{n}")).collect::<Vec<_>>();
        assert_eq!(read(json!({ "groups": names(1_000) })).groups.unwrap().last().unwrap(), "g999");
        let listed = |count| read(json!({ "organization": names(count) }));
        assert_eq!((listed(200).organizations.len(), listed(200).all_organizations), (200, true));
        assert_eq!((listed(201).organizations.len(), listed(201).all_organizations), (200, false));
        let keyed: Map<String, Value> = names(201).into_iter().map(|name| (name, json!({}))).collect();
        assert!(!read(json!({ "organization": keyed })).all_organizations);
    }

    #[test]
    fn an_email_address_is_only_verified_if_the_provider_says_so() {
        for (claim, expected) in [(json!(true), true), (json!("true"), true), (json!(1), false), (json!("yes"), false)]
        {
            assert_eq!(read(json!({ "email": "a@b.c", "email_verified": claim })).email_verified, expected);
        }
        assert!(!read(json!({ "email": "a@b.c" })).email_verified);
    }

    #[test]
    fn undisplayable_texts_are_ignored() {
        let odd = read(json!({ "name": "a\nb", "preferred_username": 7, "email": "x".repeat(201), "org_id": "" }));
        assert_eq!((odd.name, odd.login, odd.email, odd.organizations.len()), (None, None, None, 0));
    }
}
