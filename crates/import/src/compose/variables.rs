//! Variables in compose files: `${NAME:-default}` with values of a `.env` file.

use std::collections::HashMap;

/// Maximum length of a text after variables are replaced, in bytes.
const MAX_BYTES: usize = 4 << 10;
/// Maximum length of all values together, in bytes.
const MAX_ALL_BYTES: usize = 4 << 20;
/// Maximum number of variables within each other.
const MAX_DEPTH: usize = 8;

/// Whether a text contains variables.
pub(super) fn has_variables(text: &str) -> bool {
    Variables::default().replaced(text) != shown(text)
}

/// Values of variables. They stay here: only the services and products that they name get into a reading.
#[derive(Debug, Default)]
pub(super) struct Variables {
    values: HashMap<String, String>,
    bytes: usize,
}

impl Variables {
    /// Reads a `.env` file. A value can refer to variables before it. The first file that has a variable counts.
    pub(super) fn read(&mut self, text: &str) {
        for line in text.lines() {
            let line = line.trim();
            let Some((name, value)) = line.strip_prefix("export ").unwrap_or(line).split_once('=') else { continue };
            let name = name.trim();
            if line.starts_with('#') || !is_name(name) {
                continue;
            }
            let value = value.trim();
            let value = match value.chars().next() {
                Some(quote @ ('"' | '\'')) => {
                    let inner = &value[1..];
                    let inner = inner.split(quote).next().unwrap_or_default();
                    if quote == '"' { self.replaced(inner) } else { inner.to_owned() }
                }
                _ => self.replaced(value.split(" #").next().unwrap_or_default().trim()),
            };
            self.bytes += name.len() + value.len();
            if self.bytes > MAX_ALL_BYTES {
                break;
            }
            self.values.entry(name.to_owned()).or_insert(value);
        }
    }

    /// The value of a variable.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// A text with the values of its variables. Unknown variables without a default are empty, as in compose.
    pub(super) fn replaced(&self, text: &str) -> String {
        let mut out = String::new();
        self.replace(text, 0, &mut out);
        out
    }

    fn replace(&self, text: &str, depth: usize, out: &mut String) {
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            push(out, &rest[..at]);
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix('$') {
                push(out, "$");
                rest = after;
            } else if let Some(after) = rest.strip_prefix('{') {
                let Some(end) = closing(after) else {
                    push(out, "${");
                    rest = after;
                    break;
                };
                self.expression(&after[..end], depth, out);
                rest = &after[end + 1..];
            } else {
                let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                let name = &rest[..length];
                if is_name(name) {
                    push(out, self.get(name).unwrap_or_default());
                } else {
                    push(out, "$");
                    push(out, name);
                }
                rest = &rest[length..];
            }
        }
        push(out, rest);
    }

    /// What stands between braces.
    fn expression(&self, text: &str, depth: usize, out: &mut String) {
        let length = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        let (name, operation) = text.split_at(length);
        let value = self.get(name);
        let filled = value.filter(|value| !value.is_empty());
        let (chosen, other) = match operation {
            _ if operation.starts_with(":-") => (filled, &operation[2..]),
            _ if operation.starts_with('-') => (value, &operation[1..]),
            _ if operation.starts_with(":+") => (filled.is_none().then_some(""), &operation[2..]),
            _ if operation.starts_with('+') => (value.is_none().then_some(""), &operation[1..]),
            _ => (Some(value.unwrap_or_default()), ""),
        };
        match chosen {
            Some(value) => push(out, value),
            None if depth < MAX_DEPTH => self.replace(other, depth + 1, out),
            None => {}
        }
    }
}

/// A text as it is shown: with the names of its variables instead of their values, because values can be secrets.
pub(super) fn shown(text: &str) -> String {
    text.replace("$$", "$")
}

/// The position of the brace that closes an expression.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            '\n' => return None,
            _ => {}
        }
    }
    None
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn push(out: &mut String, text: &str) {
    let room = MAX_BYTES.saturating_sub(out.len());
    out.push_str(&text[..text.floor_char_boundary(room)]);
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    #[test]
    fn variables_are_replaced() {
        let mut variables = Variables::default();
        variables
            .read("# comment\nHOST=flagd\nexport PORT=8013 # note\nADDR=\"${HOST}:${PORT}\"\nRAW='${HOST}'\nEMPTY=\n");
        for (text, value) in [
            ("$HOST", "flagd"),
            ("${ADDR}/x", "flagd:8013/x"),
            ("${RAW}", "${HOST}"),
            ("${EMPTY:-default}${EMPTY-other}", "default"),
            ("${NONE:-${HOST}-${NONE:-b}}", "flagd-b"),
            ("${HOST:+set}${NONE:+unset}", "set"),
            ("${NONE:?must be set}", ""),
            ("$$HOST $1 ${HOST", "$HOST $1 ${HOST"),
        ] {
            assert_eq!(variables.replaced(text), value, "{text}");
        }
    }

    #[test]
    fn values_are_bounded() {
        let mut variables = Variables::default();
        let mut text = "A0=xxxxxxxxxx\n".to_owned();
        for n in 1..60 {
            writeln!(text, "A{n}=${{A{0}}}${{A{0}}}", n - 1).unwrap();
        }
        variables.read(&text);
        assert_eq!(variables.get("A59").unwrap().len(), MAX_BYTES);
        variables.replaced(&"${A:-".repeat(10_000));
        variables.replaced(&format!("{}{}", "${A:-".repeat(1_000), "}".repeat(1_000)));
    }
}
