//! Keys of rows.
//!
//! What people write is unique in its file or project. If several of them have the same key, it gets the file or project as
//! a prefix in all of them. So keys depend neither on the order of the files, nor on how many have them.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::At;
use crate::{files::Files, secrets::without_secrets, text};

/// Maximum length of the key of a row, in characters.
const MAX_KEY_CHARS: usize = 400;

/// The kinds of rows with keys of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Component,
    Relationship,
    Process,
    View,
}

/// The key of a row, and what it is local to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// What the key is local to, with the separator between it and the key.
    pub(super) scope: Arc<str>,
    pub(super) local: String,
}

/// The scope of rows that are local to their file.
pub(super) fn scope_of(files: &Files, at: At) -> Arc<str> {
    let name = files.iter().nth(at.file).map_or("", |file| file.name());
    format!("{name}:").into()
}

/// The key of a row, which must not contain a secret from an address.
pub(super) fn key_of(key: &str) -> String {
    text::cut(&without_secrets(key), MAX_KEY_CHARS)
}

/// Keys of rows, each once in its scope.
#[derive(Default)]
pub(super) struct Keys {
    taken: HashSet<(Kind, Key)>,
    last: HashMap<(Kind, Key), usize>,
    /// The scope that has a key; none if several have it.
    scopes: HashMap<(Kind, String), Option<Arc<str>>>,
    written: HashSet<(Kind, String)>,
}

impl Keys {
    /// A key that no other row in the scope has.
    pub(super) fn take(&mut self, kind: Kind, scope: Arc<str>, local: String) -> Key {
        let last = self.last.entry((kind, Key { scope: scope.clone(), local: local.clone() })).or_default();
        let key = loop {
            *last += 1;
            let numbered = if *last == 1 { local.clone() } else { format!("{local}#{last}") };
            let key = Key { scope: scope.clone(), local: numbered };
            if self.taken.insert((kind, key.clone())) {
                break key;
            }
        };
        let known = self.scopes.entry((kind, key.local.clone())).or_insert_with(|| Some(scope.clone()));
        if known.as_ref().is_some_and(|known| *known != scope) {
            *known = None;
        }
        key
    }

    /// The key with its scope, if others have the same one. To be called once per row, when all rows are known.
    pub(super) fn written(&mut self, kind: Kind, key: &Key) -> String {
        let written = match self.scopes.get(&(kind, key.local.clone())) {
            Some(None) => key_of(&format!("{}{}", key.scope, key.local)),
            _ => key.local.clone(),
        };
        // The key of another row can be written like this.
        let mut numbered = written.clone();
        for number in 2.. {
            if self.written.insert((kind, numbered.clone())) {
                break;
            }
            numbered = format!("{written}#{number}");
        }
        numbered
    }
}
