//! Reads `use` declarations and paths from Rust code.

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};

/// The segments of a path.
pub(super) type Path = Vec<String>;

/// A name that a `use` declaration brings into scope.
#[derive(Debug)]
pub(super) struct Use {
    /// The path, as it is written. It ends with `self` where a tree has `self`, and with `*` for a glob.
    pub(super) path: Path,
    /// The name in this file.
    pub(super) name: String,
    /// Whether the declaration begins with `pub`.
    pub(super) is_public: bool,
}

/// The compiled code: without comments, the content of literals and tests, and with spaces only between names.
pub(super) fn code(text: &str) -> String {
    let spaced = blank(text.parse().unwrap()).to_string();
    let mut code = String::new();
    for word in spaced.split_whitespace() {
        if code.ends_with(is_name) && word.starts_with(is_name) {
            code.push(' ');
        }
        code.push_str(word);
    }
    code
}

/// Empties literals, which include documentation comments, and removes tests.
fn blank(tokens: TokenStream) -> TokenStream {
    let blanked = compiled(tokens).into_iter().map(|token| match token {
        TokenTree::Literal(_) => Literal::u8_unsuffixed(0).into(),
        TokenTree::Group(group) => Group::new(group.delimiter(), blank(group.stream())).into(),
        other => other,
    });
    blanked.collect()
}

/// Removes tests, except those inside of groups.
fn compiled(tokens: TokenStream) -> Vec<TokenTree> {
    let mut tokens = tokens.into_iter().peekable();
    let mut kept = Vec::new();
    while let Some(token) = tokens.next() {
        let is_test = |group: &TokenTree| group.to_string().replace(' ', "") == "[cfg(test)]";
        if token.to_string() == "#" && tokens.peek().is_some_and(is_test) {
            // The item ends with its braces, or with a semicolon if it has none.
            let ends = |token: &TokenTree| match token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                other => other.to_string() == ";",
            };
            tokens.find(ends);
            continue;
        }
        kept.push(token);
    }
    kept
}

/// The string literals of a file outside of documentation, other attributes and tests.
pub(super) fn strings(text: &str) -> Vec<String> {
    fn collect(tokens: TokenStream, strings: &mut Vec<String>) {
        let mut tokens = compiled(tokens).into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    tokens.next_if(|next| next.to_string() == "!");
                    tokens.next_if(|next| matches!(next, TokenTree::Group(_)));
                }
                TokenTree::Literal(literal) if literal.to_string().ends_with('"') => strings.push(literal.to_string()),
                TokenTree::Group(group) => collect(group.stream(), strings),
                _ => {}
            }
        }
    }
    let mut strings = Vec::new();
    collect(text.parse().unwrap(), &mut strings);
    strings
}

/// All `use` declarations.
pub(super) fn uses(code: &str) -> Vec<Use> {
    let mut found = Vec::new();
    for (at, declaration) in declarations(code) {
        let is_public = ends_with_visibility(&code[..at]);
        let mut trees = Vec::new();
        tree(declaration, &[], &mut trees);
        found.extend(trees.into_iter().map(|(path, alias)| {
            let last = path.iter().rev().find(|part| *part != "self").cloned().unwrap_or_default();
            Use { name: alias.unwrap_or(last), path, is_public }
        }));
    }
    found
}

/// Whether the code ends with `pub`, or with `pub` and a scope in parentheses.
fn ends_with_visibility(code: &str) -> bool {
    let scope = code.strip_suffix(')').and_then(|code| code.rsplit_once("pub("));
    code.ends_with("pub ") || scope.is_some_and(|(_, scope)| !scope.contains(')'))
}

/// The code without `use` declarations.
pub(super) fn without_uses(code: &str) -> String {
    let mut rest = code.to_owned();
    // From the last to the first, so that earlier positions stay valid.
    for (at, declaration) in declarations(code).into_iter().rev() {
        rest.replace_range(at..at + "use ".len() + declaration.len(), "");
    }
    rest
}

/// All paths in `body` that have more than one segment or start with a keyword.
pub(super) fn paths(body: &str) -> Vec<Path> {
    let mut found = Vec::new();
    let mut rest = body;
    let mut before = None;
    while let Some(c) = rest.chars().next() {
        let word = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let is_keyword = matches!(&rest[..word], "crate" | "super" | "self" | "planroom");
        let is_path = word > 0 && before != Some(':') && (is_keyword || rest[word..].starts_with("::"));
        if is_path {
            let mut paths = Vec::new();
            rest = tree(rest, &[], &mut paths);
            before = None;
            found.extend(paths.into_iter().map(|(path, _)| path));
        } else {
            let step = word.max(c.len_utf8());
            before = rest[..step].chars().next_back();
            rest = &rest[step..];
        }
    }
    found
}

/// The positions of `use` declarations, and what follows the keyword up to the semicolon.
fn declarations(code: &str) -> Vec<(usize, &str)> {
    let starts = code.match_indices("use ").chain(code.match_indices("use{")).map(|(at, _)| at);
    let mut starts: Vec<usize> = starts.filter(|at| !code[..*at].ends_with(is_name)).collect();
    starts.sort_unstable();
    let declaration = |at: usize| {
        let after = &code[at + "use".len()..];
        let end = after.find(';').unwrap_or(after.len());
        (at, after[..end].trim_start())
    };
    starts.into_iter().map(declaration).collect()
}

/// Reads one path, or a tree of paths in braces, at the start of `text`, with their aliases. Returns the text behind it.
fn tree<'t>(text: &'t str, prefix: &[String], paths: &mut Vec<(Path, Option<String>)>) -> &'t str {
    let mut path = prefix.to_vec();
    let mut rest = text.trim_start();
    loop {
        if let Some(inside) = rest.strip_prefix('{') {
            rest = inside.trim_start();
            while !rest.is_empty() && !rest.starts_with('}') {
                rest = tree(rest, &path, paths).trim_start();
                rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
            }
            return rest.strip_prefix('}').unwrap_or(rest);
        }
        let end = if rest.starts_with('*') { 1 } else { rest.find(|c| !is_name(c)).unwrap_or(rest.len()) };
        if end == 0 {
            // Neither a name nor braces, such as the `<` of a turbofish: the path ends.
            paths.push((path, None));
            return rest.strip_prefix(|c: char| c != '}' && c != ',').unwrap_or(rest);
        }
        path.push(rest[..end].to_owned());
        rest = rest[end..].trim_start();
        match rest.strip_prefix("::") {
            Some(after) => rest = after.trim_start(),
            None => break,
        }
    }
    let alias = rest.strip_prefix("as ").map(str::trim_start);
    let name = alias.map(|alias| alias[..alias.find(|c| !is_name(c)).unwrap_or(alias.len())].to_owned());
    paths.push((path, name));
    alias.map_or(rest, |alias| alias.trim_start_matches(is_name))
}

/// Whether a character may be part of a name.
pub(super) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[test]
fn use_declarations_have_names_and_visibility() {
    let code = code(
        "pub use a::{b, c::d as e}; pub(super) use f::*; use g::{self, h}; fn i() -> impl Fn() + use<> { j::k() }
         struct L(M); use n;",
    );
    let uses: Vec<String> = uses(&code)
        .iter()
        .map(|used| format!("{}{} = {}", if used.is_public { "pub " } else { "" }, used.name, used.path.join("::")))
        .collect();
    assert_eq!(uses, ["pub b = a::b", "pub e = a::c::d", "pub * = f::*", "g = g::self", "h = g::h", "n = n"]);
    assert_eq!(paths(&without_uses(&code)), [vec!["super"], vec!["j", "k"]]);
}
