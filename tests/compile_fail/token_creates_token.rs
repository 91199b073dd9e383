//! Any credential may manage its own account, but only a session may create tokens.

use planroom::domain::{
    core::SelfTx,
    accounts::tokens::{self, NewToken},
};

fn create(tx: &mut SelfTx<'_>, new: NewToken) {
    drop(tokens::mint(tx, new));
}

fn main() {}
