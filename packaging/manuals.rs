//! Writes the manual pages, one per command, to a directory. Run by `make dist`; not part of the binary.

use std::path::PathBuf;

use clap::{Arg, Command, CommandFactory};
use planroom::cli::Cli;

fn main() -> std::io::Result<()> {
    let directory = PathBuf::from(std::env::args_os().nth(1).ok_or(std::io::ErrorKind::InvalidInput)?);
    std::fs::create_dir_all(&directory)?;
    clap_mangen::generate_to(with_synopsis(Cli::command(), ""), &directory)
}

/// Sets the synopsis of a command and its subcommands. The generated one lacks the values of options. `parent` is the
/// name of the command above.
fn with_synopsis(command: Command, parent: &str) -> Command {
    let name = format!("{parent} {}", command.get_name()).trim_start().to_owned();
    let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set()).map(synopsis);
    let mut words: Vec<String> = arguments.collect();
    if command.has_subcommands() {
        words.push("COMMAND".into());
    }
    let command = command.override_usage(format!("{name} {}", words.join(" ")).trim_end().to_owned());
    command.mut_subcommands(|subcommand| with_synopsis(subcommand, &name))
}

fn synopsis(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default().join(" ");
    let value = if names.is_empty() { argument.get_id().as_str().to_uppercase() } else { names };
    let text = match argument.get_long() {
        Some(long) if argument.get_action().takes_values() => format!("--{long} {value}"),
        Some(long) => format!("--{long}"),
        None => value,
    };
    if argument.is_required_set() { text } else { format!("[{text}]") }
}
