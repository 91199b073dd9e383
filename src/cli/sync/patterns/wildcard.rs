//! Names with wildcards: `*` for any characters, `?` for one, and sets such as `[a-z]` and `[!0-9]`.
//!
//! A pattern can come from a pull request, so that matching takes at most the length of the pattern times that of the name.

/// Maximum length of a pattern, in characters: that of a name in most file systems.
const MAX_CHARS: usize = 255;
/// Characters that make a name a pattern.
const WILDCARDS: [char; 3] = ['*', '?', '['];

#[derive(Debug)]
enum Token {
    Any,
    One,
    Char(char),
    Set { is_negated: bool, ranges: Vec<(char, char)> },
}

/// See the module documentation.
#[derive(Debug)]
pub(super) struct Wildcard(Vec<Token>);

impl Wildcard {
    /// Whether a text has wildcards.
    pub(super) fn is_in(text: &str) -> bool {
        text.contains(WILDCARDS)
    }

    /// Parses a pattern. Errors say what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let chars: Vec<char> = text.chars().take(MAX_CHARS + 1).collect();
        if chars.len() > MAX_CHARS {
            return Err("a name between slashes is longer than 255 characters");
        }
        let (mut tokens, mut at) = (Vec::new(), 0);
        while let Some(&c) = chars.get(at) {
            at += 1;
            tokens.push(match c {
                '*' if chars.get(at) == Some(&'*') => return Err("`**` must be alone between slashes"),
                '*' => Token::Any,
                '?' => Token::One,
                '[' => {
                    let is_negated = chars.get(at) == Some(&'!');
                    at += usize::from(is_negated);
                    // A bracket directly at the beginning is a member of the set.
                    let length = chars[at..].iter().skip(1).position(|c| *c == ']').ok_or("`[` has no `]`")? + 1;
                    let ranges = ranges(&chars[at..at + length]);
                    at += length + 1;
                    Token::Set { is_negated, ranges }
                }
                c => Token::Char(c),
            });
        }
        Ok(Self(tokens))
    }

    /// Whether a name matches. As in a shell, only a dot matches the dot of a hidden file.
    pub(super) fn matches(&self, name: &str) -> bool {
        let Self(tokens) = self;
        if name.starts_with('.') && !matches!(tokens.first(), Some(Token::Char('.'))) {
            return false;
        }
        let name: Vec<char> = name.chars().collect();
        let (mut token, mut at) = (0, 0);
        // Only the last `*` has to be tried at other lengths: earlier ones are as short as possible.
        let mut last_any: Option<(usize, usize)> = None;
        while let Some(&c) = name.get(at) {
            match tokens.get(token) {
                Some(Token::Any) => {
                    token += 1;
                    last_any = Some((token, at));
                }
                Some(one) if one.accepts(c) => (token, at) = (token + 1, at + 1),
                _ => {
                    let Some((after, from)) = last_any else { return false };
                    (token, at) = (after, from + 1);
                    last_any = Some((token, at));
                }
            }
        }
        tokens[token..].iter().all(|token| matches!(token, Token::Any))
    }
}

impl Token {
    fn accepts(&self, c: char) -> bool {
        match self {
            Self::Any | Self::One => true,
            Self::Char(own) => *own == c,
            Self::Set { is_negated, ranges } => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(&c)) != *is_negated
            }
        }
    }
}

/// The members of a set: characters, and ranges such as `a-z`.
fn ranges(mut members: &[char]) -> Vec<(char, char)> {
    let mut ranges = Vec::new();
    while let [first, rest @ ..] = members {
        let (last, rest) = if let ['-', last, rest @ ..] = rest { (last, rest) } else { (first, rest) };
        ranges.push((*first, *last));
        members = rest;
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, name: &str) -> bool {
        Wildcard::parse(pattern).unwrap().matches(name)
    }

    #[test]
    fn names_match_as_in_a_shell() {
        for (pattern, name) in [
            ("*", "a"),
            ("*.yaml", "a.b.yaml"),
            ("a*b*c", "aXbXbc"),
            ("*ab", "aab"),
            ("?.[ch]", "ä.c"),
            ("[a-c0-9]", "7"),
            ("[!a-c]", "d"),
            ("[]x]", "]"),
            ("[a-]", "-"),
            ("[*]", "*"),
            (".*", ".env"),
            ("a*", "a"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("*", ".env"),
            ("?env", ".env"),
            ("[.]env", ".env"),
            ("*.yaml", "a.yml"),
            ("a*b", "a"),
            ("?", "ab"),
            ("[!a-c]", "b"),
            ("[a-c]", "-"),
        ] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn invalid_patterns_say_why() {
        for (pattern, error) in
            [("a**", "`**` must be"), ("[a", "`[` has no"), ("[]", "`[` has no"), ("[!", "`[` has no")]
        {
            assert!(Wildcard::parse(pattern).unwrap_err().starts_with(error), "{pattern}");
        }
        assert!(Wildcard::parse(&"*a".repeat(128)).unwrap_err().contains("255"));
    }

    #[test]
    fn many_wildcards_are_no_more_work() {
        assert!(!matches(&format!("{}b", "*a".repeat(120)), &"a".repeat(255)));
        assert!(!matches(&format!("{}b", "*?".repeat(120)), &"a".repeat(255)));
        assert!(!matches(&format!("{}b", "*[a-z]".repeat(36)), &"a".repeat(255)));
    }
}
