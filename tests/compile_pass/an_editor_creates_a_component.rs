//! An editor writes, and reads as a viewer does.

use planroom::{
    Error,
    domain::{
        access::EditTx,
        components::{self, Component, ComponentDetails, NewComponent},
    },
};

pub fn work(tx: &mut EditTx<'_>, new: NewComponent) -> Result<(Component, ComponentDetails), Error> {
    let component = components::create(tx, new)?;
    let details = components::read(tx, &component.id)?;
    Ok((component, details))
}
