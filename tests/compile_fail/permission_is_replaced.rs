//! The permission of a request cannot be replaced: the handler of a route opens only what the route requires.

use planroom::domain::core::{
    Call,
    access::{Owner, Viewer},
};

fn replace(call: Call<Viewer>) -> Call<Owner> {
    call.needing()
}

fn main() {}
