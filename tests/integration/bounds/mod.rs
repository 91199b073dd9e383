//! Memory and storage limits: request bodies, large responses, quotas.

mod bodies;
mod quotas;
mod whole_maps;
