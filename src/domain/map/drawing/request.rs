//! The rules for the part of a map that a caller asks to draw, which the REST API and the MCP server share.

use super::{
    map::{MAX_DEPTH, MAX_NAMED, Part},
    part::ImageDirection,
};
use crate::error::{Error, Result};

/// Default distance of the surroundings of a component, in relationships.
const DEFAULT_DEPTH: u32 = 1;

/// What a caller asks to draw. Errors name the fields as the API and the tools do.
#[derive(Debug, Default)]
pub struct PartRequest {
    /// Ids of components to draw with their contents.
    pub components: Option<Vec<String>>,
    /// Ids of components whose surroundings are drawn.
    pub around: Option<Vec<String>>,
    /// Which relationships `around` follows. Default: both.
    pub direction: Option<ImageDirection>,
    /// Maximum distance from `around`. Default: 1.
    pub depth: Option<u32>,
    /// Id of a process whose participants are drawn.
    pub process: Option<String>,
    /// Message of the process to emphasize, counted from 1.
    pub step: Option<usize>,
}

impl PartRequest {
    /// The part of the map.
    ///
    /// # Errors
    /// If fields contradict each other or are out of range.
    pub fn part(self) -> Result<Part> {
        let Self { components, around, direction, depth, process, step } = self;
        if step.is_some() && process.is_none() {
            return Err(Error::invalid("step", "must not be given without `process`"));
        }
        if (direction.is_some() || depth.is_some()) && around.is_none() {
            return Err(Error::invalid("around", "is required with `direction` and `depth`"));
        }
        match (components, around, process) {
            (None, None, None) => Ok(Part::Whole),
            (Some(ids), None, None) => Ok(Part::Components(named("components", ids)?)),
            (None, Some(of), None) => match depth.unwrap_or(DEFAULT_DEPTH) {
                depth @ 0..=MAX_DEPTH => {
                    let direction = direction.unwrap_or(ImageDirection::Both);
                    Ok(Part::Around { of: named("around", of)?, direction, depth })
                }
                _ => Err(Error::invalid("depth", format!("must be from 0 to {MAX_DEPTH}"))),
            },
            (None, None, Some(id)) => Ok(Part::Process { id, step }),
            _ => Err(Error::invalid("components", "must not be given together with `around` or `process`")),
        }
    }
}

fn named(field: &'static str, ids: Vec<String>) -> Result<Vec<String>> {
    match ids.len() {
        1..=MAX_NAMED => Ok(ids),
        count => Err(Error::invalid(field, format!("must be 1 to {MAX_NAMED} ids of components, are {count}"))),
    }
}
