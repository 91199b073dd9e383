//! Overlaps that a write causes.

use serde::{Deserialize, Serialize};

/// Pairs of components that are drawn over each other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overlaps {
    /// The first pairs, as ids.
    pub pairs: Vec<(String, String)>,
    /// The number of all pairs.
    pub count: usize,
}
