//! What the selectors of views compare.

use crate::domain::values::{Keywords, Properties};

/// The fields of a component that selectors compare, and those that determine where it is drawn.
#[derive(Debug, Clone, Default)]
pub(in crate::domain) struct Candidate {
    pub(in crate::domain) id: String,
    pub(in crate::domain) type_id: String,
    pub(in crate::domain) name: String,
    pub(in crate::domain) description: Option<String>,
    pub(in crate::domain) tags: Keywords,
    pub(in crate::domain) technology: Keywords,
    pub(in crate::domain) properties: Properties,
    /// Position on the map.
    pub(in crate::domain) at: (f64, f64),
    /// Width and height, if both are set.
    pub(in crate::domain) size: Option<(f64, f64)>,
}

/// The fields of a relationship that selectors read.
#[derive(Debug, Clone)]
pub(in crate::domain) struct Relation {
    pub(in crate::domain) id: String,
    pub(in crate::domain) source_id: String,
    pub(in crate::domain) target_id: String,
    pub(in crate::domain) type_id: String,
}

/// A stakeholder of a component.
#[derive(Debug, Clone)]
pub(in crate::domain) struct Holder {
    pub(in crate::domain) component_id: String,
    pub(in crate::domain) person_id: Option<String>,
    pub(in crate::domain) team_id: Option<String>,
    pub(in crate::domain) role: String,
    /// Name of the person or team.
    pub(in crate::domain) name: String,
}

impl Holder {
    /// Id of the person or team.
    pub(in crate::domain) fn id(&self) -> &str {
        self.team_id.as_deref().or(self.person_id.as_deref()).unwrap_or_default()
    }
}
