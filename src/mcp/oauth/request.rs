//! Helpers for reading requests.

use crate::domain::{
    accounts::sign_in::Visitor,
    core::{Call, Via, access::Public},
};

/// A call by an unauthenticated client.
pub(super) fn public_call(visitor: &Visitor) -> Call<Public> {
    let mut call = Call::new(None, Via::Rest, "");
    call.client = Some(visitor.address);
    call
}

/// Treats a parameter without a value as omitted (RFC 6749, section 3.1).
pub(super) fn non_empty(value: Option<String>) -> Option<String> {
    value.filter(|value| !value.is_empty())
}
