//! Only the gate creates handles.

use planroom::domain::core::{EditTx, ViewTx};

fn construct(view: ViewTx<'_>) -> EditTx<'_> {
    EditTx { view }
}

fn main() {}
