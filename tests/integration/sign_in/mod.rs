//! Sign-in, sessions and sign-out.

mod basics;
pub mod browser;
mod keys;
mod passwords;
mod photos;
mod profile;
mod refreshing;
pub mod second_factor;
mod secrets;
mod sessions;
mod set_up;
mod throttle;
