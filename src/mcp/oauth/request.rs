//! Reading requests: the caller and optional parameters.

use crate::domain::access::{Call, Via};

/// A request by anybody.
pub(super) fn anyone() -> Call {
    Call::new(None, Via::Rest, "")
}

/// A parameter without a value is as good as not sent (RFC 6749, 3.1).
pub(super) fn sent(value: Option<String>) -> Option<String> {
    value.filter(|value| !value.is_empty())
}
