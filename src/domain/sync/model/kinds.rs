//! Kinds of rows that sources describe, and the side that counts in a conflict.

use crate::domain::values::words;

words! {
    /// A kind of row that a source can describe.
    SyncKind {
        /// A component.
        Component = "component",
        /// A relationship.
        Relationship = "relationship",
        /// A person or team of a component.
        Stakeholder = "stakeholder",
        /// An external link.
        Link = "link",
        /// A process.
        Process = "process",
        /// A view.
        View = "view",
    }
}

words! {
    /// How a row of the map was when a source first described it.
    RowWas {
        /// The sync drew it.
        New = "new",
        /// No source had it: a person drew it.
        Unclaimed = "unclaimed",
        /// Another source had it.
        Claimed = "claimed",
    }
}

words! {
    /// Which value a field gets when the source and the map have changed it.
    SyncPreference {
        /// That of the source.
        Source = "source",
        /// That of the map.
        Map = "map",
        /// None is chosen: the field stays as it is and remains a conflict.
        Ask = "ask",
    }
}
