//! URLs of the web client.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Characters that are percent-encoded in a segment of a path.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// Percent-encodes a text for use in a URI.
pub(super) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// URLs of an organization.
#[derive(Debug, Clone)]
pub struct Links {
    root: String,
}

impl Links {
    /// URLs below `public_url`, in the organization with this slug; without one, of the start page only.
    pub fn new(public_url: &str, slug: Option<&str>) -> Self {
        let organization = slug.map(|slug| format!("/o/{}", encoded(slug))).unwrap_or_default();
        Self { root: format!("{public_url}{organization}") }
    }

    /// The start page of the organization.
    pub fn home(&self) -> String {
        self.root.clone()
    }

    /// The map of a workspace.
    pub fn workspace(&self, id: &str) -> String {
        format!("{}/w/{}", self.root, encoded(id))
    }

    /// The map of a workspace with one component selected.
    pub fn component(&self, workspace_id: &str, id: &str) -> String {
        format!("{}?c={}", self.workspace(workspace_id), encoded(id))
    }

    /// A view of a workspace.
    pub fn view(&self, workspace_id: &str, id: &str) -> String {
        format!("{}/v/{}", self.workspace(workspace_id), encoded(id))
    }

    /// A thread of comments, beside the map.
    pub fn thread(&self, workspace_id: &str, id: &str) -> String {
        format!("{}?thread={}", self.workspace(workspace_id), encoded(id))
    }

    /// The history and the versions of a workspace.
    pub fn history(&self, workspace_id: &str) -> String {
        format!("{}/history", self.workspace(workspace_id))
    }

    /// A person of the directory.
    pub fn person(&self, id: &str) -> String {
        format!("{}/people/{}", self.root, encoded(id))
    }

    /// A team of the directory.
    pub fn team(&self, id: &str) -> String {
        format!("{}/teams/{}", self.root, encoded(id))
    }

    /// A decision.
    pub fn decision(&self, workspace_id: &str, id: &str) -> String {
        format!("{}/decisions/{}", self.workspace(workspace_id), encoded(id))
    }

    /// The page of a draft.
    pub fn draft(&self, workspace_id: &str, id: &str) -> String {
        format!("{}/drafts/{}", self.workspace(workspace_id), encoded(id))
    }

    /// A process.
    pub fn process(&self, workspace_id: &str, id: &str) -> String {
        format!("{}/processes/{}", self.workspace(workspace_id), encoded(id))
    }
}

#[cfg(test)]
mod tests {
    use super::Links;

    #[test]
    fn urls_have_percent_encoded_ids() {
        let links = Links::new("https://plans.example.org", Some("acme"));
        assert_eq!(links.workspace("a/b c"), "https://plans.example.org/o/acme/w/a%2Fb%20c");
        assert_eq!(links.component("w", "ä"), "https://plans.example.org/o/acme/w/w?c=%C3%A4");
        assert_eq!(links.process("w", "check-out"), "https://plans.example.org/o/acme/w/w/processes/check-out");
        assert_eq!(Links::new("http://localhost:8420", None).home(), "http://localhost:8420");
    }
}
