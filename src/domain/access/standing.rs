//! What a credential stands for: an organization, and the scope of a grant.

use crate::domain::values::OrgRole;

/// The organization a caller acts in.
#[derive(Debug, Clone)]
pub struct ActiveOrganization {
    /// Its id, `org_…`.
    pub id: String,
    /// Its slug.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// What the caller is in it.
    pub role: OrgRole,
}

/// Reading.
pub const READ: &str = "mcp:read";
/// Writing, which comes with reading.
pub const WRITE: &str = "mcp:write";

/// What a grant lets a client do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum GrantScope {
    /// Read.
    Read,
    /// Read and write.
    Write,
}

impl GrantScope {
    /// From the words of a request. What we do not know is passed over, as RFC 6749 has it; none is as much as there is.
    pub fn parse(words: Option<&str>) -> Option<Self> {
        let words: Vec<&str> = words.unwrap_or_default().split(' ').filter(|word| !word.is_empty()).collect();
        match (words.is_empty() || words.contains(&WRITE), words.contains(&READ)) {
            (true, _) => Some(Self::Write),
            (false, true) => Some(Self::Read),
            (false, false) => None,
        }
    }

    /// The words, as tokens carry them.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => READ,
            Self::Write => "mcp:read mcp:write",
        }
    }
}
