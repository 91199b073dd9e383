//! What a credential grants: an active organization and the scope of a grant.

use crate::domain::values::OrgRole;

/// The organization in which a caller acts.
#[derive(Debug, Clone)]
pub struct ActiveOrganization {
    /// Organization id, `org_…`.
    pub id: String,
    /// Slug.
    pub slug: String,
    /// Display name.
    pub name: String,
    /// Role of the caller in the organization.
    pub role: OrgRole,
}

/// OAuth scope for read access.
pub const READ: &str = "mcp:read";
/// OAuth scope for write access, which includes read access.
pub const WRITE: &str = "mcp:write";

/// The access that a grant gives to a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum GrantScope {
    /// Read access.
    Read,
    /// Read and write access.
    Write,
}

impl GrantScope {
    /// Parses the scope of a request. Unknown scope names are ignored, as RFC 6749 allows. Without a scope, full access
    /// is requested.
    pub fn parse(words: Option<&str>) -> Option<Self> {
        let words: Vec<&str> = words.unwrap_or_default().split(' ').filter(|word| !word.is_empty()).collect();
        match (words.is_empty() || words.contains(&WRITE), words.contains(&READ)) {
            (true, _) => Some(Self::Write),
            (false, true) => Some(Self::Read),
            (false, false) => None,
        }
    }

    /// The scope names, as in tokens.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => READ,
            Self::Write => "mcp:read mcp:write",
        }
    }
}
