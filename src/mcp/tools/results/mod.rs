//! The results of tools. Those that are the same struct as in a response of the REST API are types of the domain.

pub mod collaboration;
pub mod components;
pub mod directory;
pub mod map;
pub mod writes;

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::{
    error::Result,
    mcp::results::{SpaceLeft, page},
};

/// Where the next page of a result begins.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NextPage {
    /// Whether there are more items.
    pub truncated: bool,
    /// The argument `cursor` for the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl From<Option<String>> for NextPage {
    fn from(next_cursor: Option<String>) -> Self {
        Self { truncated: next_cursor.is_some(), next_cursor }
    }
}

/// A page of a table. Rows have their values in the order of the columns.
#[derive(Debug, Serialize)]
pub struct Table {
    /// Revision of the workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
    pub columns: Cow<'static, [&'static str]>,
    pub rows: Vec<Value>,
    #[serde(flatten)]
    pub next: NextPage,
}

impl Table {
    /// A table with as many rows as fit, starting at `cursor`.
    pub fn page(
        revision: Option<i64>,
        columns: &'static [&'static str],
        rows: impl IntoIterator<Item = Value>,
        cursor: Option<&str>,
    ) -> Result<Self> {
        let (rows, next_cursor) = page(rows, cursor, &mut SpaceLeft::after(&(revision, columns)))?;
        Ok(Self { revision, columns: columns.into(), rows, next: next_cursor.into() })
    }
}

/// A page of one list of a component or process.
#[derive(Debug, Serialize)]
pub struct ListPage<R, L> {
    /// The component or process.
    #[serde(flatten)]
    pub row: R,
    /// The requested list.
    pub list: L,
    /// Number of items on all pages.
    pub total: usize,
    #[serde(flatten)]
    pub table: Table,
}

/// One of two forms of a result.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Either<L, R> {
    /// The usual form.
    Left(L),
    /// The form that arguments select.
    Right(R),
}

/// An id with a name.
#[derive(Debug, Serialize)]
pub struct Named<T> {
    pub id: T,
    pub name: T,
}

/// Numbers of components and relationships.
#[derive(Debug, Serialize)]
pub struct ListedCounts {
    pub components: usize,
    pub relationships: usize,
}
