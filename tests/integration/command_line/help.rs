//! Version, help, completions and the OpenAPI document.

use clap::CommandFactory;
use planroom::cli::Cli;
use serde_json::Value;

use super::WorkDir;

#[test]
fn version_document_and_completions_are_printed() {
    let dir = WorkDir::new();
    assert_eq!(dir.run(&["--version"]).ok(), format!("planroom {}\n", env!("CARGO_PKG_VERSION")));
    let document: Value = serde_json::from_str(&dir.run(&["openapi"]).ok()).unwrap();
    assert!(document["paths"]["/api/workspaces"].is_object());
    for shell in ["bash", "zsh", "fish"] {
        assert!(dir.run(&["completions", shell]).ok().contains("planroom"), "{shell}");
    }
    let unknown = dir.run(&["srve"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(unknown.err.contains("serve"), "{unknown:?}");
}

#[test]
fn every_command_and_every_flag_is_explained() {
    fn walk(command: &clap::Command, path: &str) {
        assert!(command.get_about().is_some(), "{path} has no explanation");
        for argument in command.get_arguments() {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(!help.is_empty(), "{path}: {} has no explanation", argument.get_id());
            assert!(!help.ends_with('.'), "{path}: {} ends with a full stop, others do not", argument.get_id());
        }
        let words = path.split(' ').chain(["--help"]);
        let shown = Cli::command().try_get_matches_from(words).unwrap_err();
        assert_eq!(shown.kind(), clap::error::ErrorKind::DisplayHelp, "{path}");
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            walk(inner, &format!("{path} {}", inner.get_name()));
        }
    }
    let mut command = Cli::command();
    command.build();
    walk(&command, "planroom");
}
