//! Only the gate makes handles: of nothing, ...

use planroom::domain::access::{EditTx, ViewTx};

fn forge(view: ViewTx<'_>) -> EditTx<'_> {
    EditTx { view }
}

fn main() {}
