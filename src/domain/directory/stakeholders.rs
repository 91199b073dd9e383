//! Stakeholders as uses of directory entries. Their rules are in `map::stakeholders`, because they refer to components.

pub(in crate::domain) use super::store::stakeholders::{
    by_id as row_by_id, find as find_row, has_another, list as rows, of_component,
};
