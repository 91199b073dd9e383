//! Paths of fields in the input.

use std::{fmt, iter};

use serde::Serialize;

use super::truncated::truncated;

use crate::describe::ToSchema;

/// The path of a field in the input, such as `components[3].typeId`. Empty for the input as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct FieldPath(Vec<PathStep>);

/// One step of a path: the name of a field, or a position in a list, starting at 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum PathStep {
    /// Name of a field.
    Name(String),
    /// Position in a list, starting at 0.
    Index(usize),
}

impl FieldPath {
    /// The item at `index` of the list `list`.
    pub fn item(list: &str, index: usize) -> Self {
        Self::from(list).index(index)
    }

    /// The field `name` of the object at this path.
    #[must_use]
    pub fn field(mut self, name: impl Into<String>) -> Self {
        // Names can come from the request and have any length.
        self.0.push(PathStep::Name(truncated(name.into())));
        self
    }

    /// The item at `index` of the list at this path.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.0.push(PathStep::Index(index));
        self
    }

    /// This path in the object or list at `outer`.
    #[must_use]
    pub fn within(self, outer: impl Into<Self>) -> Self {
        let Self(mut steps) = outer.into();
        steps.extend(self.0);
        Self(steps)
    }

    /// Whether the path is empty, which stands for the input as a whole.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The steps, from the outermost.
    pub fn into_steps(self) -> Vec<PathStep> {
        self.0
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = iter::once("").chain(iter::repeat("."));
        let text = self.0.iter().zip(dots).map(|(step, dot)| match step {
            PathStep::Name(name) => format!("{dot}{name}"),
            PathStep::Index(index) => format!("[{index}]"),
        });
        f.write_str(&truncated(text.collect()))
    }
}

impl From<&str> for FieldPath {
    fn from(name: &str) -> Self {
        Self::default().field(name)
    }
}

impl From<String> for FieldPath {
    fn from(name: String) -> Self {
        Self::default().field(name)
    }
}

impl<const N: usize> From<[&str; N]> for FieldPath {
    fn from(names: [&str; N]) -> Self {
        names.into_iter().fold(Self::default(), Self::field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_like_javascript() {
        let path = FieldPath::item("components", 3).field("typeId");
        assert_eq!(path.to_string(), "components[3].typeId");
        assert_eq!(FieldPath::default().index(0).field("id").to_string(), "[0].id");
        assert_eq!(FieldPath::from("id").within(["row", "a.b"]).to_string(), "row.a.b.id");
        assert_eq!(FieldPath::default().to_string(), "");
        assert!(FieldPath::default().within(FieldPath::default()).is_root());
        assert_eq!(serde_json::to_string(&path).unwrap(), r#"["components",3,"typeId"]"#);
    }
}
