//! The lines of DSL files, split into tokens as the official tokenizer does: one statement per line, `{` ends a line, `}` is
//! alone on its line.

use std::collections::{HashMap, HashSet};

use crate::{
    builder::{At, Builder},
    files::Refusal,
    secrets::is_secret,
};

/// Maximum number of lines, including those of included files.
const MAX_LINES: usize = 300_000;
/// Maximum nesting depth of included files.
const MAX_INCLUDES: usize = 16;
/// Maximum number of constants.
const MAX_CONSTANTS: usize = 1_000;
/// Maximum length of the value of a constant, in bytes.
const MAX_CONSTANT_BYTES: usize = 10_000;

/// Maximum length of the name of a constant, in bytes.
const MAX_NAME_BYTES: usize = 200;
/// Memory of a line without its tokens, and of a token without its text, in bytes.
const LINE_BYTES: usize = 60;
const TOKEN_BYTES: usize = 64;
/// Steps for including a file, and bytes of text that are scanned in a step.
const FILE_STEPS: usize = 20;
const BYTES_PER_STEP: usize = 8;

/// A line with its tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) at: At,
    pub(super) tokens: Vec<Token>,
}

/// A word or a quoted text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) is_quoted: bool,
}

impl Token {
    /// Whether the token is this word, in any case and not in quotes.
    pub(super) fn is(&self, word: &str) -> bool {
        !self.is_quoted && self.text.eq_ignore_ascii_case(word)
    }
}

/// The indexes of the files that a file includes, as far as its text shows them without replacing constants.
pub(super) fn includes(builder: &Builder<'_>, file: usize) -> Result<Vec<usize>, Refusal> {
    const MAX_INCLUDE_LINES: usize = 1_000;
    let path = |line: &str| {
        let mut words = line.split_whitespace();
        let first = words.next()?.to_ascii_lowercase();
        let is_include = first == "!include" || (first == "workspace" && words.next()?.eq_ignore_ascii_case("extends"));
        is_include.then(|| words.next().map(|path| path.trim_matches('"').to_owned())).flatten()
    };
    let paths = builder.files.at(file).text().lines().filter_map(path).take(MAX_INCLUDE_LINES);
    let mut found = HashSet::new();
    for path in paths {
        found.extend(builder.resolve(file, &path, At::new(file, 1))?);
    }
    found.remove(&file);
    Ok(found.into_iter().collect())
}

/// Reads the lines of a file and of the files that it includes.
pub(super) struct Lexer<'b, 's> {
    builder: &'b mut Builder<'s>,
    lines: Vec<Line>,
    /// Constants, excluding secrets.
    constants: HashMap<String, String>,
    /// Files that were included.
    included: HashSet<usize>,
    open: Vec<usize>,
}

impl<'b, 's> Lexer<'b, 's> {
    pub(super) fn new(builder: &'b mut Builder<'s>) -> Self {
        Self { builder, lines: Vec::new(), constants: HashMap::new(), included: HashSet::new(), open: Vec::new() }
    }

    /// The lines of a file.
    pub(super) fn lines(mut self, file: usize) -> Result<(Vec<Line>, HashSet<usize>), Refusal> {
        self.file(file)?;
        Ok((self.lines, self.included))
    }

    fn file(&mut self, file: usize) -> Result<(), Refusal> {
        self.open.push(file);
        let files = self.builder.files;
        let text = files.at(file).text();
        // Files can include each other many times without adding lines.
        self.builder.charge_steps(FILE_STEPS + text.len() / BYTES_PER_STEP, At::new(file, 1))?;
        let mut numbered = text.lines().zip(1_u32..);
        let mut is_comment = false;
        while let Some((first, number)) = numbered.next() {
            let at = At::new(file, number);
            let mut text = first.trim().to_owned();
            if is_comment {
                is_comment = !text.ends_with("*/");
                continue;
            }
            if text.starts_with("/*") {
                is_comment = !text.ends_with("*/") || text.len() < 4;
                continue;
            }
            if text.is_empty() || text.starts_with("//") || text.starts_with('#') {
                continue;
            }
            while text.ends_with('\\') {
                text.pop();
                let Some((next, _)) = numbered.next() else { break };
                text.push_str(next.trim());
            }
            // A text block ends on a line of its own.
            if text.ends_with("\"\"\"") && text.matches("\"\"\"").count() == 1 {
                let mut block: Vec<&str> = Vec::new();
                let mut is_closed = false;
                for (next, _) in numbered.by_ref() {
                    if next.trim() == "\"\"\"" {
                        is_closed = true;
                        break;
                    }
                    block.push(next);
                }
                if !is_closed {
                    self.builder
                        .error(at, "the text block that begins here has no end (`\"\"\"` on a line of its own)");
                }
                let indent = block.iter().filter(|line| !line.trim().is_empty());
                let indent = indent.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
                let block: Vec<&str> = block.iter().map(|line| line.get(indent..).unwrap_or_default()).collect();
                text.truncate(text.len() - 3);
                let mut tokens = self.tokens(&text, at)?;
                tokens.push(Token { text: self.replaced(&block.join("\n"), at)?, is_quoted: true });
                self.push(Line { at, tokens })?;
                continue;
            }
            let tokens = self.tokens(&text, at)?;
            self.line(Line { at, tokens })?;
        }
        self.open.pop();
        Ok(())
    }

    fn line(&mut self, line: Line) -> Result<(), Refusal> {
        let at = line.at;
        let is = |token: &Token, brace: &str| !token.is_quoted && token.text == brace;
        let end = line.tokens.len().saturating_sub(1);
        if line.tokens.iter().take(end).any(|token| is(token, "{"))
            || line.tokens.iter().skip(1).any(|token| is(token, "}"))
        {
            let text = "the line was not read correctly, because `{` must be at its end and `}` on a line of its own";
            self.builder.error(at, text);
        }
        match line.tokens.as_slice() {
            [first, name, value, ..] if ["!const", "!constant", "!var"].iter().any(|word| first.is(word)) => {
                self.constants.remove(&name.text);
                if self.constants.len() < MAX_CONSTANTS
                    && name.text.len() <= MAX_NAME_BYTES
                    && value.text.len() <= MAX_CONSTANT_BYTES
                    && !is_secret(&name.text)
                {
                    self.constants.insert(name.text.clone(), value.text.clone());
                }
                Ok(())
            }
            [first, path, ..] if first.is("!include") => self.include(&path.text, at),
            [first, extends, path, ..] if first.is("workspace") && extends.is("extends") => {
                self.include(&path.text, at)?;
                self.push(line)
            }
            _ => self.push(line),
        }
    }

    /// Inserts the lines of another file.
    fn include(&mut self, path: &str, at: At) -> Result<(), Refusal> {
        let mut found = self.builder.resolve(at.file, path, at)?;
        let is_circle = found.iter().any(|file| self.open.contains(file));
        found.retain(|file| !self.open.contains(file));
        if found.is_empty() {
            let why = if path.contains("://") {
                "files are not downloaded; run Structurizr's `export -format json` and import its result"
            } else if is_circle {
                "it includes itself"
            } else {
                "add the file to the import"
            };
            self.builder.warn(at, format!("`{path}` was not included: {why}"));
        }
        for file in found {
            if self.open.len() >= MAX_INCLUDES {
                self.builder.error(at, format!("`{path}` was not included, because includes are nested too deep"));
                break;
            }
            self.included.insert(file);
            self.file(file)?;
        }
        Ok(())
    }

    fn push(&mut self, line: Line) -> Result<(), Refusal> {
        if line.tokens.is_empty() {
            return Ok(());
        }
        if self.lines.len() == MAX_LINES {
            let text =
                format!("the workspace and its included files have more than {MAX_LINES} lines; import a part of it");
            return Err(self.builder.refusal(line.at, text));
        }
        self.builder.charge(LINE_BYTES, line.at)?;
        let at = line.at;
        self.builder.push(&mut self.lines, line, at)
    }

    fn tokens(&mut self, text: &str, at: At) -> Result<Vec<Token>, Refusal> {
        let mut tokens = Vec::new();
        let mut chars = text.chars().peekable();
        while let Some(&first) = chars.peek() {
            if first.is_whitespace() {
                chars.next();
                continue;
            }
            let mut token = String::new();
            let is_quoted = first == '"';
            if is_quoted {
                chars.next();
            }
            let mut is_closed = !is_quoted;
            while let Some(&next) = chars.peek() {
                if !is_quoted && next.is_whitespace() {
                    break;
                }
                chars.next();
                match next {
                    '\\' if is_quoted && chars.peek() == Some(&'"') => {
                        token.push('"');
                        chars.next();
                    }
                    '"' if is_quoted => {
                        is_closed = true;
                        break;
                    }
                    other => token.push(other),
                }
            }
            if !is_closed {
                self.builder.error(at, "a text in quotes has no closing quote on its line");
            }
            let text = self.replaced(&token, at)?;
            self.builder.charge(TOKEN_BYTES + text.len(), at)?;
            self.builder.push(&mut tokens, Token { text, is_quoted }, at)?;
        }
        // Release spare capacity, because there can be many lines with few tokens.
        tokens.shrink_to_fit();
        Ok(tokens)
    }

    /// A text with the values of constants. Unknown names and those of secrets stay as they are.
    fn replaced(&self, text: &str, at: At) -> Result<String, Refusal> {
        if self.constants.is_empty() || !text.contains("${") {
            return Ok(text.to_owned());
        }
        let (mut result, mut rest) = (String::new(), text);
        while let Some(start) = rest.find("${") {
            result.push_str(&rest[..start]);
            let after = &rest[start + 2..];
            let near = &after[..after.floor_char_boundary(MAX_NAME_BYTES + 1)];
            let value = near.split_once('}').and_then(|(name, _)| Some((self.constants.get(name)?, name.len() + 1)));
            self.builder.charge_steps(1, at)?;
            match value {
                Some((value, length)) => {
                    self.builder.charge(value.len(), at)?;
                    result.push_str(value);
                    rest = &after[length..];
                }
                None => {
                    result.push_str("${");
                    rest = after;
                }
            }
        }
        Ok(result + rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{files::Files, options::Options};

    fn lex(text: &str) -> Vec<(u32, Vec<String>)> {
        let files = Files::of("a.dsl", text).unwrap();
        let options = Options::default();
        let mut builder = Builder::new(&files, &options);
        let (lines, _) = Lexer::new(&mut builder).lines(0).unwrap();
        let words = |line: Line| line.tokens.into_iter().map(|token| token.text).collect();
        lines.into_iter().map(|line| (line.at.line, words(line))).collect()
    }

    #[test]
    fn lines_are_split_like_the_official_tokenizer_does() {
        let text = r#"
            /* a
             * comment */
            a = person "A # {" "says \"hi\"" {
            // no
            # no
            description \
                "long"
            description """
                # Title
                  text
            """
            !const NAME "value"
            url https://example.org/${NAME}/${OTHER}#x
            }
            /* one line */
            b"#;
        let expected: Vec<(u32, Vec<&str>)> = vec![
            (4, vec!["a", "=", "person", "A # {", "says \"hi\"", "{"]),
            (7, vec!["description", "long"]),
            (9, vec!["description", "# Title\n  text"]),
            (14, vec!["url", "https://example.org/value/${OTHER}#x"]),
            (15, vec!["}"]),
            (17, vec!["b"]),
        ];
        assert_eq!(
            lex(text),
            expected
                .into_iter()
                .map(|(line, words)| (line, words.into_iter().map(str::to_owned).collect()))
                .collect::<Vec<_>>()
        );
    }

    #[test]
    fn constants_cannot_grow_without_limit() {
        let mut text = String::from("!const A aaaaaaaaaa\n");
        for _ in 0..30 {
            text.push_str("!const A ${A}${A}${A}${A}\n");
        }
        text.push_str("b ${A}");
        assert!(lex(&text)[0].1[1].len() <= MAX_CONSTANT_BYTES);
        let many = format!("!const A {}\n{}", "a".repeat(MAX_CONSTANT_BYTES), "b ${A}\n".repeat(10_000));
        // The expanded lines are much longer than the file.
        let files = Files::of("a.dsl", many).unwrap();
        let options = Options::default();
        let refusal = Lexer::new(&mut Builder::new(&files, &options)).lines(0).unwrap_err();
        assert!(refusal.text.contains("expands to more than"), "{refusal}");
    }
}
