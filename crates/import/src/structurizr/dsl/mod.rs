//! The Structurizr DSL: its model, its views and the shapes of its styles.
//!
//! The parser reads line by line and keeps a stack of open blocks, so its depth is not limited by recursion. Statements that
//! it does not know are reported or counted, and blocks that it does not know are skipped. Scripts, plugins and component
//! finders run code, which only Structurizr itself can do: a diagnostic names its export command.

mod archetypes;
mod dynamic;
mod elements;
mod lexer;
mod parser;
mod scope;
mod tags;
mod views;

use std::collections::HashSet;

use super::{build, model::Model};
use crate::{
    builder::Builder,
    files::{File, Refusal},
};

/// Whether a file is a workspace or a part of one.
pub(crate) fn recognizes(file: &File) -> bool {
    let starts = |line: &str| {
        let word = line.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        word == "workspace"
    };
    if file.has_extension(&["dsl"]) {
        return true;
    }
    let code = file.beginning(64 << 10).lines().map(str::trim);
    let mut code = code.filter(|line| !line.is_empty() && !line.starts_with(['#', '/', '*', '!']));
    code.next().is_some_and(|line| starts(line) && line.ends_with('{'))
}

/// Reads workspaces. Files that others include are not read on their own.
pub(crate) fn read(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    let mut included = HashSet::new();
    for &file in files {
        included.extend(lexer::includes(builder, file)?);
    }
    let mut read = Vec::new();
    for &file in files.iter().filter(|file| !included.contains(file)) {
        read.push((file, lexer::Lexer::new(builder).lines(file)?));
    }
    // Paths can contain constants.
    included.extend(read.iter().flat_map(|(_, (_, own))| own));
    read.retain(|(file, _)| !included.contains(file));
    if read.is_empty()
        && let Some(&file) = files.first()
    {
        let text = "the files include each other; one of them must be the workspace";
        return Err(builder.refusal(crate::builder::At::new(file, 1), text));
    }
    for (file, (lines, _)) in read {
        // Several workspaces can include the same file.
        let scope = format!("{}:", builder.files.at(file).name());
        builder.scope(Some(&scope));
        let mut model = Model::default();
        parser::Parser::new(builder, &mut model).read(lines)?;
        build::build(builder, &model)?;
    }
    Ok(())
}
