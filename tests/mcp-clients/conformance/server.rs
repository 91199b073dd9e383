//! `planroom`, with what the conformance suite calls: the feature that this example needs is all the difference.

use clap::Parser;

fn main() {
    planroom::cli::Cli::parse().run().expect("what planroom was variables to do is done");
}
