//! What describes the API in the code: utoipa's derives for schemas and parameters, and its attribute for handlers.
//!
//! They generate code from which only the documents in `assets/contracts` are made, so they have an effect only with the
//! feature `contracts`, which tests enable. Without it, a tenth of the library is not compiled.

pub use utoipa::*;

// Explicit imports take precedence over those of the line above, but only for macros: the traits remain utoipa's.
#[cfg(not(feature = "contracts"))]
pub use undescribed::{IntoParams, ToSchema, path};

/// A type with a schema, which types have if there is the code to generate it.
#[cfg(feature = "contracts")]
pub trait Described: ToSchema {}
#[cfg(feature = "contracts")]
impl<T: ToSchema> Described for T {}

/// A type without a schema, because there is no code to generate it.
#[cfg(not(feature = "contracts"))]
pub trait Described {}
#[cfg(not(feature = "contracts"))]
impl<T> Described for T {}
