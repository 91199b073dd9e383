//! `planroom completions`.

use clap::{Args, CommandFactory};

use super::{Cli, Failure, print};

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// Shell to generate completions for
    shell: clap_complete::Shell,
}

impl Completions {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "planroom", &mut script);
        print(&String::from_utf8(script)?)
    }
}
