//! Trees of data with the line of each value: what JSON, and other formats with the same data model, are read into.
//!
//! Clones share the tree, because YAML aliases repeat parts of it and readers keep parts of it.

use std::sync::Arc;

/// A value and its line.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The line where the value begins, from 1.
    pub line: u32,
    /// The value.
    pub value: Data,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number, as it was written.
    Number(Arc<str>),
    /// A text.
    Text(Arc<str>),
    /// Items in the order of the file.
    List(Arc<[Node]>),
    /// Fields in the order of the file.
    Object(Arc<[(String, Node)]>),
}

impl Node {
    /// A field of an object. `null` counts as absent.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        let found = self.fields().iter().find(|(name, _)| name == key).map(|(_, node)| node);
        found.filter(|node| node.value != Data::Null)
    }

    /// The value at the end of a path of fields.
    pub(crate) fn at(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// A field that is a text. An empty text counts as absent.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Node::as_text).filter(|text| !text.trim().is_empty())
    }

    /// A field that is a boolean.
    pub fn flag(&self, key: &str) -> Option<bool> {
        match self.get(key)?.value {
            Data::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// A field that is a number, or a text with a number.
    pub(crate) fn number(&self, key: &str) -> Option<f64> {
        self.get(key)?.as_number()
    }

    /// The items of a field that is a list; none if it is absent or something else.
    pub(crate) fn items(&self, key: &str) -> &[Node] {
        self.get(key).map_or(&[], Node::as_list)
    }

    /// The texts in a field that is a list of texts.
    pub(crate) fn texts<'n>(&'n self, key: &str) -> impl Iterator<Item = &'n str> + use<'n> {
        self.items(key).iter().filter_map(Node::as_text)
    }

    /// The entries of a field that is an object; none if it is absent or something else.
    pub(crate) fn entries(&self, key: &str) -> &[(String, Node)] {
        self.get(key).map_or(&[], Node::fields)
    }

    /// The fields of an object; none for other values.
    pub fn fields(&self) -> &[(String, Node)] {
        if let Data::Object(fields) = &self.value { fields } else { &[] }
    }

    /// The items of a list; none for other values.
    pub(crate) fn as_list(&self) -> &[Node] {
        if let Data::List(items) = &self.value { items } else { &[] }
    }

    /// The value of a text.
    pub fn as_text(&self) -> Option<&str> {
        if let Data::Text(text) = &self.value { Some(text) } else { None }
    }

    /// A text, number or boolean as a text.
    pub fn scalar(&self) -> Option<&str> {
        match &self.value {
            Data::Text(text) | Data::Number(text) => Some(text),
            Data::Bool(value) => Some(if *value { "true" } else { "false" }),
            _ => None,
        }
    }

    /// A finite number, or a text with one.
    pub(crate) fn as_number(&self) -> Option<f64> {
        match &self.value {
            Data::Number(text) | Data::Text(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
            _ => None,
        }
    }
}
