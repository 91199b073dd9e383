//! Memory and storage limits: request bodies, large responses, quotas.

mod bodies;
mod images;
mod quotas;
pub mod whole_maps;
