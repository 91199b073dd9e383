//! `planroom completions`.

use clap::{Args, Command};

use super::output::{Failure, print};

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// Shell to generate completions for
    shell: clap_complete::Shell,
}

impl Completions {
    pub(super) fn run(self, mut command: Command) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "planroom", &mut script);
        print(&String::from_utf8(script)?)
    }
}
