//! The arguments of a macro.

/// Maximum number of arguments, which is more than any macro has. Additional arguments are ignored.
const MAX_ARGUMENTS: usize = 64;

/// A call of a macro: its name, its arguments in order, and those with a name such as `$tags`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) arguments: Vec<String>,
    pub(super) named: Vec<(String, String)>,
    /// Whether a block begins after the call.
    pub(super) opens: bool,
}

impl Call {
    /// Reads a line such as `Rel_U(a, b, "Uses", $tags="x") {`. None if it is no call.
    pub(super) fn read(line: &str) -> Option<Self> {
        let (name, rest) = line.trim().split_once('(')?;
        let name = name.trim();
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return None;
        }
        let mut call = Self { name: name.to_owned(), ..Self::default() };
        let (mut text, mut is_quoted, mut was_quoted, mut depth) = (String::new(), false, false, 0_usize);
        // Whether the argument begins with a quote: then `$` in it is text.
        let mut is_text = false;
        let mut end = rest.len();
        for (at, c) in rest.char_indices() {
            match c {
                '"' => {
                    is_text |= !was_quoted && text.trim().is_empty();
                    is_quoted = !is_quoted;
                    was_quoted = true;
                }
                '(' if !is_quoted => {
                    depth += 1;
                    text.push(c);
                }
                ')' if !is_quoted && depth > 0 => {
                    depth -= 1;
                    text.push(c);
                }
                ')' if !is_quoted => {
                    end = at + 1;
                    break;
                }
                ',' if !is_quoted && depth == 0 => {
                    call.add(&std::mem::take(&mut text), is_text);
                    (was_quoted, is_text) = (false, false);
                }
                c => text.push(c),
            }
        }
        if !text.trim().is_empty() || was_quoted || !call.arguments.is_empty() {
            call.add(&text, is_text);
        }
        call.opens = rest.get(end..).is_some_and(|after| after.trim_start().starts_with('{'));
        Some(call)
    }

    /// The call with all texts decoded.
    pub(super) fn decoded(mut self, decode: fn(&str) -> String) -> Self {
        self.arguments.iter_mut().for_each(|text| *text = decode(text));
        self.named.iter_mut().for_each(|(_, text)| *text = decode(text));
        self
    }

    fn add(&mut self, text: &str, is_text: bool) {
        let text = text.trim();
        match text.strip_prefix('$').filter(|_| !is_text).and_then(|text| text.split_once('=')) {
            _ if self.named.len() + self.arguments.len() >= MAX_ARGUMENTS => {}
            Some((name, value)) => self.named.push((name.trim().to_ascii_lowercase(), value.trim().to_owned())),
            None => self.arguments.push(text.to_owned()),
        }
    }

    /// An argument by its name, or else by its position.
    pub(super) fn get(&self, name: &str, position: usize) -> &str {
        let named = self.named.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        named.or_else(|| self.arguments.get(position)).map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted_named_or_bare() {
        let call = Call::read(r#"  Container_Boundary(c1, "Shop, (old)", $tags="v1", Plain text (x, y)) {  "#).unwrap();
        assert_eq!(call.name, "Container_Boundary");
        assert_eq!(call.arguments, ["c1", "Shop, (old)", "Plain text (x, y)"]);
        assert_eq!((call.get("tags", 9), call.get("label", 1), call.opens), ("v1", "Shop, (old)", true));
        assert!(Call::read("Boundary(a, b){").unwrap().opens);
        assert_eq!(Call::read("Boundary_End()").unwrap().arguments, Vec::<String>::new());
        assert_eq!(Call::read("Rel($index=Index(), a, b, \"\")").unwrap().arguments, ["a", "b", ""]);
        assert_eq!(Call::read("Person(a, \"$x=1\")").unwrap().arguments, ["a", "$x=1"]);
        for text in ["", "title A (b)", "}", "a b(c)"] {
            assert_eq!(Call::read(text), None, "{text}");
        }
        // Without an end, the rest of the line is read.
        assert_eq!(Call::read("Person(a, \"A").unwrap().arguments, ["a", "A"]);
    }
}
