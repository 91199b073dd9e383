//! A view handle does not permit writes.

use planroom::domain::{
    core::ViewTx,
    map::components::{self, NewComponent},
};

fn create(tx: &mut ViewTx<'_>, new: NewComponent) {
    drop(components::create(tx, new));
}

fn main() {}
