//! The macros of utoipa with which Planroom describes its API, without effect: they accept the same attributes and generate
//! nothing. Builds that do not generate the contracts use them, and compile a tenth less code.

use proc_macro::TokenStream;

/// Like `utoipa::ToSchema`, but generates nothing.
#[proc_macro_derive(ToSchema, attributes(schema))]
pub fn to_schema(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Like `utoipa::IntoParams`, but generates nothing.
#[proc_macro_derive(IntoParams, attributes(into_params, param))]
pub fn into_params(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Like `utoipa::path`, but only returns the handler.
#[proc_macro_attribute]
pub fn path(_: TokenStream, handler: TokenStream) -> TokenStream {
    handler
}
