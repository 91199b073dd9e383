//! Memory and storage are bounded: bodies in flight, large answers, quotas.

mod bodies;
mod quotas;
