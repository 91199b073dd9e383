//! Only the domain declares permissions.

use planroom::domain::core::access::{Access, Need};

enum Anything {}

impl Access for Anything {
    const NEED: Need = Need::Public;
}

fn main() {}
