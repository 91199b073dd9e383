//! SQL is the domain's own: there is no way round the gate.

use planroom::domain::store;

fn main() {}
