//! A person who signed in makes tokens, and lists them as a script does.

use planroom::{
    Error,
    domain::{
        access::SessionTx,
        paging::Paging,
        tokens::{self, NewToken, Token},
    },
};

pub fn work(tx: &mut SessionTx<'_>, new: NewToken) -> Result<Vec<Token>, Error> {
    tokens::mint(tx, new)?;
    Ok(tokens::list(tx, &Paging::default())?.items)
}
