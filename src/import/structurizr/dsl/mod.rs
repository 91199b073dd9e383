//! The Structurizr DSL.
