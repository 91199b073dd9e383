//! Helpers for reading requests.

use crate::domain::core::{Call, Via, access::Public};

/// A call by an unauthenticated client.
pub(super) fn anyone() -> Call<Public> {
    Call::new(None, Via::Rest, "")
}

/// Treats a parameter without a value as omitted (RFC 6749, section 3.1).
pub(super) fn sent(value: Option<String>) -> Option<String> {
    value.filter(|value| !value.is_empty())
}
