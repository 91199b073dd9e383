//! A JSON parser that records lines, which `serde_json` does not. Time and memory are linear in the length of the text.

use std::rc::Rc;

use super::{
    budget::{Budget, BudgetError},
    files::{File, Refusal},
    node::{Data, Node},
};

/// Maximum nesting depth.
pub(super) const MAX_DEPTH: usize = 64;
/// Maximum number of values in a file.
pub(super) const MAX_VALUES: usize = 400_000;
/// Bytes of text that are scanned in a step.
const BYTES_PER_STEP: usize = 64;
/// Memory of a value, of a text, and of a field name, excluding the text itself, in bytes.
pub(super) const VALUE_BYTES: usize = 48;
pub(super) const TEXT_BYTES: usize = 32;
pub(super) const KEY_BYTES: usize = 72;

/// Parses the content of a file.
pub(super) fn parse(file: &File, budget: &Rc<Budget<'_>>) -> Result<Node, Refusal> {
    let mut parser = Parser::new(file, budget);
    let parsed = parser.begin().and_then(|()| parser.value(0)).and_then(|node| {
        parser.skip();
        if parser.at == parser.text.len() {
            Ok(node)
        } else {
            Err("there is more text after the end of the JSON value".into())
        }
    });
    parsed.map_err(|failure| parser.refusal(file, failure))
}

/// Parses all values of a file, such as one on each line.
pub(super) fn values(file: &File, budget: &Rc<Budget<'_>>) -> Result<Vec<Node>, Refusal> {
    let (mut parser, mut values) = (Parser::new(file, budget), Vec::new());
    parser.begin().map_err(|failure| parser.refusal(file, failure))?;
    loop {
        values.push(parser.value(0).map_err(|failure| parser.refusal(file, failure))?);
        parser.skip();
        if parser.at == parser.text.len() {
            return Ok(values);
        }
    }
}

struct Parser<'t, 'c> {
    text: &'t str,
    budget: &'t Rc<Budget<'c>>,
    at: usize,
    line: u32,
    values: usize,
}

/// Why parsing failed.
enum Failure {
    Invalid(&'static str),
    Budget(BudgetError),
}

impl From<&'static str> for Failure {
    fn from(text: &'static str) -> Self {
        Self::Invalid(text)
    }
}

impl From<BudgetError> for Failure {
    fn from(error: BudgetError) -> Self {
        Self::Budget(error)
    }
}

type Parsed<T> = Result<T, Failure>;

impl<'t, 'c> Parser<'t, 'c> {
    fn new(file: &'t File, budget: &'t Rc<Budget<'c>>) -> Self {
        Parser { text: file.text(), budget, at: 0, line: 1, values: 0 }
    }

    /// Charges for scanning the text, which can consist of white space.
    fn begin(&self) -> Parsed<()> {
        Ok(self.budget.charge_steps(self.text.len() / BYTES_PER_STEP)?)
    }

    fn refusal(&self, file: &File, failure: Failure) -> Refusal {
        let text = match failure {
            Failure::Invalid(text) => format!("the file is not valid JSON: {text}"),
            Failure::Budget(error) => error.text(),
        };
        Refusal { file: Some(file.name().to_owned()), line: Some(self.line), text }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space.
    fn skip(&mut self) {
        while let Some(byte @ (b' ' | b'\t' | b'\r' | b'\n')) = self.peek() {
            self.line += u32::from(byte == b'\n');
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Parsed<Node> {
        self.skip();
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err("it has more than 400,000 values; import a part of it".into());
        }
        if depth > MAX_DEPTH {
            return Err("it is nested more than 64 levels deep".into());
        }
        self.budget.charge_steps(1)?;
        self.budget.charge_tree(VALUE_BYTES)?;
        let line = self.line;
        let value = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Data::Text(self.string(TEXT_BYTES)?.into()),
            Some(_) => self.word()?,
            None => return Err("it ends before a value".into()),
        };
        Ok(Node { line, value })
    }

    fn object(&mut self, depth: usize) -> Parsed<Data> {
        let mut fields = Vec::new();
        self.at += 1;
        self.skip();
        if self.eat(b'}') {
            return Ok(Data::Object(fields.into()));
        }
        loop {
            self.skip();
            if self.peek() != Some(b'"') {
                return Err("the name of a field is expected, in double quotes".into());
            }
            let key = self.string(KEY_BYTES)?;
            self.skip();
            if !self.eat(b':') {
                return Err("`:` is expected after the name of a field".into());
            }
            let value = self.value(depth + 1)?;
            self.budget.push(&mut fields, (key, value))?;
            self.skip();
            if self.eat(b'}') {
                return Ok(Data::Object(fields.into()));
            }
            if !self.eat(b',') {
                return Err("`,` or `}` is expected after a field".into());
            }
        }
    }

    fn list(&mut self, depth: usize) -> Parsed<Data> {
        let mut items = Vec::new();
        self.at += 1;
        self.skip();
        if self.eat(b']') {
            return Ok(Data::List(items.into()));
        }
        loop {
            let item = self.value(depth + 1)?;
            self.budget.push(&mut items, item)?;
            self.skip();
            if self.eat(b']') {
                return Ok(Data::List(items.into()));
            }
            if !self.eat(b',') {
                return Err("`,` or `]` is expected after an item".into());
            }
        }
    }

    /// Parses a string. `overhead` is its memory in addition to its text, in bytes.
    fn string(&mut self, overhead: usize) -> Parsed<String> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(b'\n') | None => return Err("a string has no closing quote".into()),
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        let literal = self.text.get(start..self.at).ok_or("a string has an invalid escape")?;
        self.budget.charge_tree(overhead + literal.len())?;
        serde_json::from_str(literal).map_err(|_| "a string has an invalid escape or character".into())
    }

    fn word(&mut self) -> Parsed<Data> {
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        self.at += length;
        match word {
            "null" => Ok(Data::Null),
            "true" => Ok(Data::Bool(true)),
            "false" => Ok(Data::Bool(false)),
            number if serde_json::from_str::<serde_json::Number>(number).is_ok() => {
                self.budget.charge_tree(TEXT_BYTES + number.len())?;
                Ok(Data::Number(number.into()))
            }
            _ => Err("a value is expected".into()),
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::{budget::NEVER_CANCELED, files::Files};

    fn read(text: &str) -> Result<Node, String> {
        let budget = Budget::new(text.len(), NEVER_CANCELED);
        parse(Files::of("a.json", text).unwrap().at(0), &budget).map_err(|refusal| refusal.to_string())
    }

    fn value(node: &Node) -> Value {
        match &node.value {
            Data::Null => Value::Null,
            Data::Bool(value) => (*value).into(),
            Data::Number(text) => serde_json::from_str(text).unwrap(),
            Data::Text(text) => (**text).into(),
            Data::List(items) => items.iter().map(value).collect(),
            Data::Object(fields) => {
                Value::Object(fields.iter().map(|(key, node)| (key.clone(), value(node))).collect())
            }
        }
    }

    #[test]
    fn values_have_their_line() {
        let node = read("{\n \"a\": [1,\n 2],\n\n \"b\": {\"c\": \"x\\ny\"}\n}").unwrap();
        assert_eq!(node.get("a").unwrap().as_list()[1].line, 3);
        assert_eq!(node.at(&["b", "c"]).unwrap(), &Node { line: 5, value: Data::Text("x\ny".into()) });
    }

    #[test]
    fn errors_name_the_line() {
        for (text, error) in [
            ("{\n\"a\" 1}", "a.json:2: the file is not valid JSON: `:` is expected after the name of a field"),
            ("", "a.json:1: the file is not valid JSON: it ends before a value"),
            ("[1", "a.json:1: the file is not valid JSON: `,` or `]` is expected after an item"),
            ("[] x", "a.json:1: the file is not valid JSON: there is more text after the end of the JSON value"),
            ("[nil]", "a.json:1: the file is not valid JSON: a value is expected"),
            ("[\"a", "a.json:1: the file is not valid JSON: a string has no closing quote"),
        ] {
            assert_eq!(read(text).unwrap_err(), error);
        }
    }

    #[test]
    fn depth_and_number_of_values_are_limited() {
        let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(read(&deep(MAX_DEPTH + 1)).is_ok());
        assert!(read(&deep(MAX_DEPTH + 2)).unwrap_err().contains("64 levels"));
        assert!(read(&"[".repeat(1_000_000)).unwrap_err().contains("64 levels"));
        assert!(read(&format!("[{}0]", "0,".repeat(MAX_VALUES))).unwrap_err().contains("400,000"));
    }

    proptest! {
        #[test]
        fn values_are_those_of_serde_json(text in "[\\[\\]{}:, \n\"\\\\a0-9.eE+-]{0,24}|\\PC{0,16}") {
            let expected: Option<Value> = serde_json::from_str(&text).ok();
            // serde_json keeps the last of two equal keys, and so does collecting a map.
            prop_assert_eq!(read(&text).ok().map(|node| value(&node)), expected, "{}", text);
        }
    }
}
