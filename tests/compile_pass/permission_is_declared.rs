//! A request without a permission gets one, once.

use planroom::domain::core::{Call, access::Owner};

pub fn declare(call: Call) -> Call<Owner> {
    call.needing()
}
