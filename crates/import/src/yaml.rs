//! YAML documents as trees with lines.
//!
//! The events of the parser become the same [`Node`]s as JSON, so that formats with both notations share a reader. Scalars
//! follow the core schema of YAML 1.2. Merge keys are applied in place, own keys first. Duplicate keys are refused.
//! Unknown tags are ignored, and a value with the tag `!reset` is `null`, as in compose files.
//!
//! Aliases share their target, but readers traverse it and copy its texts for each alias. Values and texts are therefore
//! charged for each alias.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
    sync::Arc,
};

use granit_parser::{Event, Options, Parser, ScalarStyle, Tag};

use super::{
    budget::{Budget, BudgetError, NEVER_CANCELED},
    files::{File, Refusal},
    json::{self, KEY_BYTES, MAX_DEPTH, MAX_VALUES, TEXT_BYTES, VALUE_BYTES},
    node::{Data, Node},
};

/// Bytes of text that are scanned in a step.
const BYTES_PER_STEP: usize = 8;
/// Steps for a value: parsing YAML takes longer than parsing JSON.
const VALUE_STEPS: usize = 8;

/// The documents of a YAML or JSON file. Empty documents are left out.
pub fn documents(file: &File) -> Result<Vec<Node>, Refusal> {
    documents_within(file, &Budget::new(file.text().len(), NEVER_CANCELED))
}

/// Parses the documents of a file, and charges a budget.
pub(super) fn documents_within(file: &File, budget: &Rc<Budget<'_>>) -> Result<Vec<Node>, Refusal> {
    let is_json = file.has_extension(&["json", "jsonl", "ndjson"]);
    if is_json || file.text().trim_start().starts_with(['{', '[']) {
        match json::values(file, budget) {
            // A YAML file can begin with a bracket too.
            Err(_) if !is_json && budget.check().is_ok() => {}
            result => return result,
        }
    }
    read(file.text(), budget).map_err(|Failure { line, cause }| {
        let text = match cause {
            Cause::Budget(error) => error.text(),
            Cause::Invalid(mut text) => {
                if file.text().contains("{{") {
                    text += "; if the file is a template, import its output, such as that of `helm template`";
                }
                format!("the file is not valid YAML: {text}")
            }
        };
        Refusal { file: Some(file.name().to_owned()), line: Some(line), text }
    })
}

/// A parse error and its line.
#[derive(Debug)]
struct Failure {
    line: u32,
    cause: Cause,
}

#[derive(Debug)]
enum Cause {
    Invalid(String),
    Budget(BudgetError),
}

fn invalid<T>(line: u32, text: impl Into<String>) -> Result<T, Failure> {
    Err(Failure { line, cause: Cause::Invalid(text.into()) })
}

fn read(text: &str, budget: &Rc<Budget<'_>>) -> Result<Vec<Node>, Failure> {
    let mut options = Options::default();
    (options.flow_nesting_limit, options.block_nesting_limit) = (MAX_DEPTH * 2, MAX_DEPTH * 2);
    let mut tree = Tree { documents: Vec::new(), open: Vec::new(), anchors: HashMap::new(), values: 0, budget };
    let mut line = 1;
    // Charge for scanning here, because comments produce no events.
    at_line(budget.charge_steps(text.len() / BYTES_PER_STEP), line)?;
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.or_else(|error| {
            let line = u32::try_from(error.marker().line()).unwrap_or(u32::MAX).max(1);
            invalid(line, error.info())
        })?;
        line = u32::try_from(span.start.line()).unwrap_or(u32::MAX).max(1);
        tree.event(event, line)?;
    }
    if tree.open.is_empty() { Ok(tree.documents) } else { invalid(line, "the file ends within a value") }
}

/// Builds documents from events.
struct Tree<'b, 'c> {
    documents: Vec<Node>,
    open: Vec<Open>,
    anchors: HashMap<usize, Anchored>,
    /// Number of values, including those that aliases repeat.
    values: usize,
    budget: &'b Rc<Budget<'c>>,
}

/// The items or fields of an open list or object.
enum Parts {
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

/// A list or object whose end was not reached.
struct Open {
    line: u32,
    parts: Parts,
    anchor: usize,
    /// Whether the value is removed by its tag.
    is_reset: bool,
    /// The key whose value comes next, and its line.
    key: Option<(String, u32)>,
    /// Lines of the object's own keys.
    keys: HashMap<String, u32>,
    /// What `<<` refers to, with the number of fields before it.
    merged: Vec<(usize, Node)>,
    /// Size of the parts so far.
    size: Size,
}

/// A complete value, which aliases can refer to.
#[derive(Clone)]
struct Anchored {
    node: Node,
    size: Size,
}

/// Number of values, total length of texts, and depth of a tree.
#[derive(Clone, Copy, Default)]
struct Size {
    values: usize,
    bytes: usize,
    levels: usize,
}

impl Tree<'_, '_> {
    fn event(&mut self, event: Event<'_>, line: u32) -> Result<(), Failure> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let size = Size { values: 1, bytes: text.len(), levels: 0 };
                self.count(1, line)?;
                at_line(self.budget.charge_tree(VALUE_BYTES + TEXT_BYTES + text.len()), line)?;
                let value = scalar(&text, style, tag.as_deref());
                self.add(Anchored { node: Node { line, value }, size }, anchor)
            }
            Event::SequenceStart(_, anchor, tag) => self.begin(Parts::List(Vec::new()), anchor, tag.as_deref(), line),
            Event::MappingStart(_, anchor, tag) => self.begin(Parts::Object(Vec::new()), anchor, tag.as_deref(), line),
            Event::SequenceEnd | Event::MappingEnd => self.end(line),
            Event::Alias(anchor) => {
                let Some(Anchored { node, size }) = self.anchors.get(&anchor).cloned() else {
                    return invalid(line, "an alias refers to a value that contains it");
                };
                if size.levels + self.open.len() > MAX_DEPTH {
                    return invalid(line, "it is nested more than 64 levels deep");
                }
                self.count(size.values, line)?;
                // Readers copy the texts.
                at_line(self.budget.charge_tree(VALUE_BYTES + size.bytes), line)?;
                self.add(Anchored { node: Node { line, ..node }, size }, 0)
            }
            Event::DocumentEnd => {
                self.anchors.clear();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn begin(&mut self, parts: Parts, anchor: usize, tag: Option<&Tag>, line: u32) -> Result<(), Failure> {
        if self.open.len() >= MAX_DEPTH {
            return invalid(line, "it is nested more than 64 levels deep");
        }
        self.count(1, line)?;
        at_line(self.budget.charge_tree(VALUE_BYTES), line)?;
        let (is_reset, keys, merged) = (is_reset(tag), HashMap::new(), Vec::new());
        self.open.push(Open {
            line,
            parts,
            anchor,
            is_reset,
            key: None,
            keys,
            merged,
            size: Size { values: 1, ..Size::default() },
        });
        Ok(())
    }

    fn end(&mut self, line: u32) -> Result<(), Failure> {
        let Some(Open { line: first, parts, anchor, is_reset, keys, merged, mut size, .. }) = self.open.pop() else {
            return Ok(());
        };
        let value = match parts {
            _ if is_reset => Data::Null,
            Parts::List(items) => Data::List(items.into()),
            Parts::Object(fields) if merged.is_empty() => Data::Object(fields.into()),
            Parts::Object(fields) => Data::Object(self.merge(fields, &keys, &merged, line)?),
        };
        size.levels += 1;
        self.add(Anchored { node: Node { line: first, value }, size }, anchor)
    }

    /// Adds a complete value to what contains it.
    fn add(&mut self, complete: Anchored, anchor: usize) -> Result<(), Failure> {
        let Anchored { node, size } = complete;
        if anchor > 0 {
            self.anchors.insert(anchor, Anchored { node: node.clone(), size });
        }
        let Some(Open { parts, key, keys, merged, size: whole, .. }) = self.open.last_mut() else {
            if node.value != Data::Null {
                self.documents.push(node);
            }
            return Ok(());
        };
        whole.values += size.values;
        whole.bytes += size.bytes;
        whole.levels = whole.levels.max(size.levels);
        match parts {
            Parts::List(items) => {
                let (budget, line) = (self.budget, node.line);
                let added = budget.push(items, node);
                return at_line(added, line);
            }
            Parts::Object(fields) => match key.take() {
                None => {
                    let name = match node.value {
                        Data::Null => String::new(),
                        Data::List(_) | Data::Object(_) => {
                            return invalid(node.line, "a list or an object is used as a key");
                        }
                        _ => node.scalar().unwrap_or_default().to_owned(),
                    };
                    if let Some(first) = keys.insert(name.clone(), node.line).filter(|_| name != "<<") {
                        let text = format!("the key `{}` is already on line {first}", super::text::cut(&name, 60));
                        return invalid(node.line, text);
                    }
                    let bytes = KEY_BYTES + 2 * name.len();
                    *key = Some((name, node.line));
                    at_line(self.budget.charge_tree(bytes), node.line)?;
                }
                Some((name, _)) if name == "<<" => merged.push((fields.len(), node)),
                // The line of the key is where a reader looks for the field.
                Some((name, line)) => {
                    let (budget, field) = (self.budget, (name, Node { line, ..node }));
                    let added = budget.push(fields, field);
                    return at_line(added, line);
                }
            },
        }
        Ok(())
    }

    /// Inserts the fields of merge keys at their positions. Own fields take precedence, and then the first merged field.
    fn merge(
        &self,
        fields: Vec<(String, Node)>,
        own: &HashMap<String, u32>,
        merged: &[(usize, Node)],
        line: u32,
    ) -> Result<Arc<[(String, Node)]>, Failure> {
        let mut known: HashSet<&str> = own.keys().map(String::as_str).collect();
        let mut before: Vec<(usize, Vec<(String, Node)>)> = Vec::new();
        for (at, node) in merged {
            let sources = if let Data::List(items) = &node.value { &items[..] } else { std::slice::from_ref(node) };
            let mut added = Vec::new();
            for (name, value) in sources.iter().flat_map(Node::fields) {
                at_line(self.budget.charge_steps(1), line)?;
                if known.insert(name) {
                    at_line(self.budget.charge_tree(VALUE_BYTES + KEY_BYTES + name.len()), line)?;
                    added.push((name.clone(), value.clone()));
                }
            }
            before.push((*at, added));
        }
        let mut all = Vec::with_capacity(fields.len());
        let mut before = before.into_iter().peekable();
        for (number, field) in fields.into_iter().enumerate() {
            while let Some((_, added)) = before.next_if(|(at, _)| *at <= number) {
                all.extend(added);
            }
            all.push(field);
        }
        all.extend(before.flat_map(|(_, added)| added));
        Ok(all.into())
    }

    fn count(&mut self, values: usize, line: u32) -> Result<(), Failure> {
        self.values += values;
        if self.values > MAX_VALUES {
            return invalid(line, "it has more than 400,000 values, including aliased values; import a part of it");
        }
        at_line(self.budget.charge_steps(VALUE_STEPS * values), line)
    }
}

/// Adds the line to a budget error.
fn at_line(result: Result<(), BudgetError>, line: u32) -> Result<(), Failure> {
    result.map_err(|error| Failure { line, cause: Cause::Budget(error) })
}

fn is_reset(tag: Option<&Tag>) -> bool {
    tag.is_some_and(|tag| tag.is_custom() && tag.suffix() == "reset")
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Data {
    let own = || Data::Text(text.into());
    if is_reset(tag) {
        return Data::Null;
    }
    let is_text = tag.is_some_and(|tag| tag.is_yaml_core_schema_tag("str"));
    if style != ScalarStyle::Plain || is_text {
        return own();
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Data::Null,
        "true" | "True" | "TRUE" => Data::Bool(true),
        "false" | "False" | "FALSE" => Data::Bool(false),
        number if is_number(number) => Data::Number(number.into()),
        _ => own(),
    }
}

/// Whether a plain scalar is a number of the core schema.
fn is_number(text: &str) -> bool {
    let digits = |text: &str, valid: fn(&char) -> bool| !text.is_empty() && text.chars().all(|c| valid(&c));
    if let Some(octal) = text.strip_prefix("0o") {
        return digits(octal, |c| c.is_digit(8));
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return digits(hex, char::is_ascii_hexdigit);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && unsigned.ends_with(|c: char| c.is_ascii_digit() || c == '.')
        && unsigned.chars().any(|c| c.is_ascii_digit())
        && unsigned.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests;
