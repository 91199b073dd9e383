//! A session can create and list tokens.

use planroom::{
    Error,
    domain::{
        accounts::tokens::{self, NewToken, Token},
        core::SessionTx,
        paging::Paging,
    },
};

pub fn work(tx: &mut SessionTx<'_>, new: NewToken) -> Result<Vec<Token>, Error> {
    tokens::mint(tx, new)?;
    Ok(tokens::list(tx, &Paging::default())?.items)
}
