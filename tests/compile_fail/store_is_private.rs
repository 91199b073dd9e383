//! SQL is private to the domain, so the gate cannot be bypassed.

use planroom::domain::map::store;

fn main() {}
