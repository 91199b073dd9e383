//! The web client is embedded as it is found: when it was built again, so is what embeds it.

fn main() {
    println!("cargo:rerun-if-changed=assets/dist");
}
