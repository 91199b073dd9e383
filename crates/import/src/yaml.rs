//! YAML documents as trees with lines.
//!
//! The events of the parser become the same [`Node`]s as JSON, so that formats with both notations share a reader. Scalars
//! follow the core schema of YAML 1.2. Merge keys are applied in place, own keys first. Duplicate keys are refused.
//! Unknown tags are ignored, and a value with the tag `!reset` is `null`, as in compose files.
//!
//! Aliases copy what they refer to, so values and bytes are counted after copying.

use std::collections::HashMap;

use granit_parser::{Event, Options, Parser, ScalarStyle, Tag};

use super::{
    files::{File, Refusal},
    json::{self, MAX_DEPTH, MAX_VALUES},
    node::{Data, Node},
};

/// Maximum length of all texts of a file after aliases are copied, in bytes.
const MAX_TEXT_BYTES: usize = 16 << 20;

/// The documents of a YAML or JSON file. Empty documents are left out.
pub fn documents(file: &File) -> Result<Vec<Node>, Refusal> {
    let is_json = file.has_extension(&["json", "jsonl", "ndjson"]);
    if is_json || file.text().trim_start().starts_with(['{', '[']) {
        match json::values(file) {
            // A YAML file can begin with a bracket too.
            Err(_) if !is_json => {}
            result => return result,
        }
    }
    read(file.text()).map_err(|(line, mut text)| {
        if file.text().contains("{{") {
            text += "; if the file is a template, import its output, such as that of `helm template`";
        }
        Refusal {
            file: Some(file.name().to_owned()),
            line: Some(line),
            text: format!("the file is not valid YAML: {text}"),
        }
    })
}

type Failure = (u32, String);

fn read(text: &str) -> Result<Vec<Node>, Failure> {
    let mut options = Options::default();
    (options.flow_nesting_limit, options.block_nesting_limit) = (MAX_DEPTH * 2, MAX_DEPTH * 2);
    let mut tree = Tree::default();
    let mut line = 1;
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.map_err(|error| {
            let line = u32::try_from(error.marker().line()).unwrap_or(u32::MAX).max(1);
            (line, error.info())
        })?;
        line = u32::try_from(span.start.line()).unwrap_or(u32::MAX).max(1);
        tree.event(event, line)?;
    }
    if tree.open.is_empty() { Ok(tree.documents) } else { Err((line, "the file ends within a value".into())) }
}

/// Builds documents from events.
#[derive(Default)]
struct Tree {
    documents: Vec<Node>,
    open: Vec<Open>,
    anchors: HashMap<usize, Anchored>,
    size: Size,
}

/// A list or object whose end was not reached.
struct Open {
    node: Node,
    anchor: usize,
    /// Whether the value is removed by its tag.
    is_reset: bool,
    /// The key whose value comes next, and its line.
    key: Option<(String, u32)>,
    /// Lines of the object's own keys.
    keys: HashMap<String, u32>,
    /// What `<<` refers to, with the number of fields before it.
    merged: Vec<(usize, Node)>,
    /// Size of the tree before this value.
    before: Size,
}

struct Anchored {
    node: Node,
    size: Size,
}

/// Number of values and length of texts.
#[derive(Clone, Copy, Default)]
struct Size {
    values: usize,
    bytes: usize,
}

impl Tree {
    fn event(&mut self, event: Event<'_>, line: u32) -> Result<(), Failure> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.count(Size { values: 1, bytes: text.len() }, line)?;
                let value = scalar(&text, style, tag.as_deref());
                let node = Node { line, value };
                self.anchor(anchor, &node, Size { values: 1, bytes: text.len() }, line)?;
                self.value(node)
            }
            Event::SequenceStart(_, anchor, tag) => self.begin(Data::List(Vec::new()), anchor, tag.as_deref(), line),
            Event::MappingStart(_, anchor, tag) => self.begin(Data::Object(Vec::new()), anchor, tag.as_deref(), line),
            Event::SequenceEnd | Event::MappingEnd => self.end(line),
            Event::Alias(anchor) => {
                let Some(Anchored { node, size }) = self.anchors.get(&anchor) else {
                    return Err((line, "an alias refers to a value that contains it".into()));
                };
                let (node, size) = (Node { line, ..node.clone() }, *size);
                if depth(&node) + self.open.len() > MAX_DEPTH {
                    return Err((line, "it is nested more than 64 levels deep".into()));
                }
                self.count(size, line)?;
                self.value(node)
            }
            Event::DocumentEnd => {
                self.anchors.clear();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn begin(&mut self, value: Data, anchor: usize, tag: Option<&Tag>, line: u32) -> Result<(), Failure> {
        if self.open.len() >= MAX_DEPTH {
            return Err((line, "it is nested more than 64 levels deep".into()));
        }
        let before = self.size;
        self.count(Size { values: 1, bytes: 0 }, line)?;
        let node = Node { line, value };
        let (keys, merged) = (HashMap::new(), Vec::new());
        self.open.push(Open { node, anchor, is_reset: is_reset(tag), key: None, keys, merged, before });
        Ok(())
    }

    fn end(&mut self, line: u32) -> Result<(), Failure> {
        let Some(mut open) = self.open.pop() else { return Ok(()) };
        if let Data::Object(fields) = &mut open.node.value {
            merge(fields, &open.keys, open.merged);
        }
        if open.is_reset {
            open.node.value = Data::Null;
        }
        let size = Size { values: self.size.values - open.before.values, bytes: self.size.bytes - open.before.bytes };
        self.anchor(open.anchor, &open.node, size, line)?;
        self.value(open.node)
    }

    /// Adds a complete value to what contains it.
    fn value(&mut self, node: Node) -> Result<(), Failure> {
        let Some(Open { node: whole, key, keys, merged, .. }) = self.open.last_mut() else {
            if node.value != Data::Null {
                self.documents.push(node);
            }
            return Ok(());
        };
        match &mut whole.value {
            Data::List(items) => items.push(node),
            Data::Object(fields) => match key.take() {
                None => {
                    let name = match node.value {
                        Data::Null => String::new(),
                        Data::List(_) | Data::Object(_) => {
                            return Err((node.line, "a list or an object is used as a key".into()));
                        }
                        _ => node.scalar().unwrap_or_default().to_owned(),
                    };
                    if let Some(first) = keys.insert(name.clone(), node.line).filter(|_| name != "<<") {
                        let text = format!("the key `{}` is already on line {first}", super::text::cut(&name, 60));
                        return Err((node.line, text));
                    }
                    *key = Some((name, node.line));
                }
                Some((name, _)) if name == "<<" => merged.push((fields.len(), node)),
                // The line of the key is where a reader looks for the field.
                Some((name, line)) => fields.push((name, Node { line, ..node })),
            },
            _ => {}
        }
        Ok(())
    }

    fn anchor(&mut self, anchor: usize, node: &Node, size: Size, line: u32) -> Result<(), Failure> {
        if anchor > 0 {
            // The copy that aliases use counts too.
            self.count(size, line)?;
            self.anchors.insert(anchor, Anchored { node: node.clone(), size });
        }
        Ok(())
    }

    fn count(&mut self, size: Size, line: u32) -> Result<(), Failure> {
        self.size.values += size.values;
        self.size.bytes += size.bytes;
        if self.size.values > MAX_VALUES {
            return Err((
                line,
                "it has more than 400,000 values, including copies by aliases; import a part of it".into(),
            ));
        }
        if self.size.bytes > MAX_TEXT_BYTES {
            return Err((line, "its texts, including copies by aliases, are larger than 16 MiB".into()));
        }
        Ok(())
    }
}

/// Inserts the fields of merge keys where they are written. The first one of several fields counts, after own fields.
fn merge(fields: &mut Vec<(String, Node)>, own: &HashMap<String, u32>, merged: Vec<(usize, Node)>) {
    if merged.is_empty() {
        return;
    }
    let mut known: std::collections::HashSet<String> = own.keys().cloned().collect();
    let mut before: Vec<(usize, Vec<(String, Node)>)> = Vec::new();
    for (at, node) in merged {
        let sources = match node.value {
            Data::List(items) => items,
            value => vec![Node { line: node.line, value }],
        };
        let added = sources.into_iter().flat_map(|source| match source.value {
            Data::Object(fields) => fields,
            _ => Vec::new(),
        });
        before.push((at, added.filter(|(name, _)| known.insert(name.clone())).collect()));
    }
    let old = std::mem::take(fields);
    let mut before = before.into_iter().peekable();
    for (number, field) in old.into_iter().enumerate() {
        while let Some((_, added)) = before.next_if(|(at, _)| *at <= number) {
            fields.extend(added);
        }
        fields.push(field);
    }
    fields.extend(before.flat_map(|(_, added)| added));
}

fn is_reset(tag: Option<&Tag>) -> bool {
    tag.is_some_and(|tag| tag.is_custom() && tag.suffix() == "reset")
}

/// The number of levels below a value.
fn depth(node: &Node) -> usize {
    let below = match &node.value {
        Data::List(items) => items.iter().map(depth).max(),
        Data::Object(fields) => fields.iter().map(|(_, node)| depth(node)).max(),
        _ => return 0,
    };
    1 + below.unwrap_or_default()
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Data {
    let own = || Data::Text(text.to_owned());
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
        number if is_number(number) => Data::Number(number.to_owned()),
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
