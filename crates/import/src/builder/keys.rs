//! Keys of rows.
//!
//! What people write is unique in its file or project. If several of them have the same key, it gets the file or project as
//! a prefix in all of them. So keys depend neither on the order of the files, nor on how many have them.

use std::{collections::HashMap, hash::Hash, sync::Arc};

use crate::{files::Files, secrets::without_secrets, text};

/// Maximum length of the key of a row, in characters.
pub(super) const MAX_KEY_CHARS: usize = 400;

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
    pub(super) local: Arc<str>,
}

/// Returns the scope of each file, by file index.
pub(super) fn file_scopes(files: &Files) -> Vec<Arc<str>> {
    files.iter().map(|file| format!("{}:", file.name()).into()).collect()
}

/// The key of a row, which must not contain a secret from an address.
pub(super) fn key_of(key: &str) -> String {
    text::cut(&without_secrets(key), MAX_KEY_CHARS)
}

/// Keys of rows, each once in its scope.
#[derive(Default)]
pub(super) struct Keys {
    /// Keys in use, each with the last number that was appended to it.
    taken: HashMap<(Kind, Key), usize>,
    /// The scope that has a key; none if several have it.
    scopes: HashMap<(Kind, Arc<str>), Option<Arc<str>>>,
    /// Written keys in use, each with the last number that was appended to it.
    written: HashMap<(Kind, Arc<str>), usize>,
}

impl Keys {
    /// A key that no other row in the scope has.
    pub(super) fn take(&mut self, kind: Kind, scope: Arc<str>, local: String) -> Key {
        let of = |local: &str| Key { scope: Arc::clone(&scope), local: local.into() };
        let (_, key) = unique(&mut self.taken, &local, |local| (kind, of(local)));
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
            _ => key.local.to_string(),
        };
        // The key of another row can be written like this.
        unique(&mut self.written, &written, |written| (kind, written.into())).1.to_string()
    }
}

/// Reserves an unused key: that of the text, or of the text with a number appended.
fn unique<K: Clone + Eq + Hash>(taken: &mut HashMap<K, usize>, text: &str, key: impl Fn(&str) -> K) -> K {
    let first = key(text);
    let Some(mut last) = taken.get(&first).copied() else {
        taken.insert(first.clone(), 1);
        return first;
    };
    loop {
        last += 1;
        let numbered = key(&format!("{text}#{last}"));
        if !taken.contains_key(&numbered) {
            taken.insert(first, last);
            taken.insert(numbered.clone(), 1);
            return numbered;
        }
    }
}
