//! Rebuilds the crate when the web client changes, because the binary embeds it.

fn main() {
    println!("cargo:rerun-if-changed=assets/dist");
}
