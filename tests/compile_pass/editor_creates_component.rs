//! An editor can write and read.

use planroom::{
    Error,
    domain::{
        core::EditTx,
        map::components::{self, Component, ComponentDetails, NewComponent},
    },
};

pub fn work(tx: &mut EditTx<'_>, new: NewComponent) -> Result<(Component, ComponentDetails), Error> {
    let component = components::create(tx, new)?;
    let details = components::read(tx, &component.id)?;
    Ok((component, details))
}
