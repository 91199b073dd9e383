//! What the macros mean.

use std::collections::HashMap;

use super::arguments::Call;
use crate::{
    builder::{Arrow, At, Builder, C, Draft, ProcessDraft},
    diagrams,
    files::Refusal,
    processes::Event,
    text, types,
};

/// Names of macros that declare elements, without `Db`, `Queue` and `_Ext`.
const ELEMENTS: [(&str, &str, &str); 4] = [
    ("Person", "person", ""),
    ("System", "system", "system"),
    ("Container", "service", "container"),
    ("Component", "component", "component"),
];

/// Bytes that are parsed in a step.
const BYTES_PER_STEP: usize = 8;
/// Maximum number of tags of an element.
const MAX_TAGS: usize = 100;
/// Maximum number of nested boundaries.
const MAX_DEPTH: usize = 100;

/// Whether a line declares an element or a relationship.
pub(super) fn is_declaration(line: &str) -> bool {
    let name = line.split('(').next().unwrap_or_default();
    line.contains('(') && (element(name).is_some() || name == "Rel" || name.ends_with("_Boundary"))
}

/// Tags, which are joined by `+`.
fn tags(call: &Call) -> Vec<String> {
    call.get("tags", 99).split('+').take(MAX_TAGS).map(|tag| tag.trim().to_owned()).collect()
}

/// The type, the C4 level and the shape of the element that a macro declares.
fn element(name: &str) -> Option<(&'static str, &'static str, &'static str)> {
    let (name, is_external) = match name.strip_suffix("_Ext") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let (name, shape) = match (name.strip_suffix("Db"), name.strip_suffix("Queue")) {
        (Some(name), _) => (name, "db"),
        (_, Some(name)) => (name, "queue"),
        _ => (name, ""),
    };
    let (_, level, c4) = ELEMENTS.iter().find(|(known, ..)| *known == name)?;
    Some((if is_external && *level == "system" { "external-system" } else { level }, c4, shape))
}

/// The diagram that is read.
pub(super) struct Diagram<'b, 's> {
    builder: &'b mut Builder<'s>,
    file: usize,
    /// Whether the relationships are the steps of a process.
    is_process: bool,
    title: String,
    aliases: HashMap<String, C>,
    /// Open boundaries. None is a block of something else.
    open: Vec<Option<C>>,
    steps: Vec<Event<C>>,
    first: At,
    /// What tells the diagrams of a file apart.
    scope: Option<String>,
    /// Replaces codes of special characters.
    decode: fn(&str) -> String,
}

impl<'b, 's> Diagram<'b, 's> {
    pub(super) fn new(builder: &'b mut Builder<'s>, file: usize, is_process: bool, decode: fn(&str) -> String) -> Self {
        let (aliases, open, steps) = (HashMap::new(), Vec::new(), Vec::new());
        let (title, first) = (String::new(), At::new(file, 1));
        Self { builder, file, is_process, title, aliases, open, steps, first, scope: None, decode }
    }

    /// The same for a diagram of a Markdown file, which can have several.
    pub(super) fn in_scope(self, scope: Option<String>) -> Self {
        Self { scope, ..self }
    }

    fn at(&self, number: usize) -> At {
        At::new(self.file, u32::try_from(number + 1).unwrap_or(u32::MAX))
    }

    /// Reads a line; `number` is its index.
    pub(super) fn line(&mut self, line: &str, number: usize) -> Result<(), Refusal> {
        let at = self.at(number);
        let code = line.trim();
        if code.is_empty() || code.starts_with("%%") {
            return Ok(());
        }
        if code == "}" {
            self.end(at);
            return Ok(());
        }
        if let Some(title) = code.strip_prefix("title ") {
            let title = (self.decode)(title);
            self.title = text::name(&title);
            self.builder.workspace(Some(&title), None);
            return Ok(());
        }
        self.builder.charge_steps(1 + code.len() / BYTES_PER_STEP, at)?;
        let Some(call) = Call::read(code) else {
            // Other words, such as `accTitle` and `skinparam`, are about the drawing.
            if code.ends_with('{') {
                self.begin(None, at)?;
            }
            return Ok(());
        };
        self.call(&call.decoded(self.decode), at)
    }

    fn call(&mut self, call: &Call, at: At) -> Result<(), Refusal> {
        let name = call.name.as_str();
        if name == "Boundary_End" {
            self.end(at);
        } else if let Some(found) = element(name) {
            self.element(call, found, at)?;
            if call.opens {
                self.begin(None, at)?;
            }
        } else if name == "Boundary" || name.ends_with("_Boundary") {
            let mut group = Draft::group(call.get("alias", 0), call.get("label", 1), at);
            group.tags = tags(call);
            group.is_box = !group.tags.iter().any(|tag| tag.starts_with("planroom:"));
            let group = self.declare(call.get("alias", 0), group)?;
            self.begin(Some(group), at)?;
        } else if name == "Node"
            || name == "Deployment_Node"
            || name.starts_with("Node_")
            || name.starts_with("Deployment_Node_")
        {
            let mut draft = Draft::new(call.get("alias", 0), call.get("label", 1), "host", at);
            draft.technologies(call.get("techn", 2));
            draft.description = Some(call.get("descr", 3).to_owned());
            draft.is_fixed = true;
            let node = self.declare(call.get("alias", 0), draft)?;
            if call.opens {
                self.begin(Some(node), at)?;
            }
        } else if let Some(rest) = name.strip_prefix("BiRel").or_else(|| name.strip_prefix("Rel")) {
            if !rest.is_empty() && !rest.starts_with('_') && rest != "Index" {
                return Ok(());
            }
            self.relationship(call, rest, name.starts_with("Bi"), at)?;
        } else if call.opens {
            self.begin(None, at)?;
        }
        Ok(())
    }

    fn element(
        &mut self,
        call: &Call,
        (level, c4, shape): (&'static str, &'static str, &'static str),
        at: At,
    ) -> Result<(), Refusal> {
        let mut draft = Draft::new(call.get("alias", 0), call.get("label", 1), level, at);
        draft.is_fixed = level == "person";
        draft.shape = (!shape.is_empty()).then(|| shape.to_owned());
        // People and systems have no technology.
        let has_technology = matches!(c4, "container" | "component");
        if has_technology {
            draft.technologies(call.get("techn", 2));
        }
        draft.description = Some(call.get("descr", if has_technology { 3 } else { 2 }).to_owned());
        draft.property("c4", c4);
        if call.name.ends_with("_Ext") && level != "external-system" {
            draft.property("external", true);
        }
        draft.tags = tags(call);
        draft.links.push((None, call.get("link", 99).to_owned()));
        self.declare(call.get("alias", 0), draft)?;
        Ok(())
    }

    /// Adds a component inside the innermost boundary, or completes one that was used before.
    fn declare(&mut self, alias: &str, mut draft: Draft) -> Result<C, Refusal> {
        let at = draft.at;
        if draft.name.trim().is_empty() {
            alias.clone_into(&mut draft.name);
        }
        draft.key = diagrams::scoped(self.scope.as_deref(), &draft.key);
        if self.aliases.contains_key(alias) {
            self.builder.warn(
                at,
                format!("`{}` is declared again; relationships above mean the earlier one", text::cut(alias, 60)),
            );
        }
        if let Some(boundary) = self.boundary_of(alias, &draft.name) {
            self.builder.replace(boundary, draft);
            self.aliases.insert(alias.to_owned(), boundary);
            return Ok(boundary);
        }
        let component = self.builder.component(draft)?;
        self.aliases.insert(alias.to_owned(), component);
        if let Some(whole) = self.open.iter().rev().find_map(|whole| *whole) {
            self.builder.contain(whole, component, at)?;
        }
        Ok(component)
    }

    /// The boundary around an element that is the same component: exports have both, because relationships cannot end at
    /// boundaries in Mermaid.
    fn boundary_of(&mut self, alias: &str, name: &str) -> Option<C> {
        let boundary = self.open.last().copied().flatten()?;
        let has_alias = (0..3).any(|count| {
            let own = format!("{alias}_boundary{}", "_".repeat(count));
            self.aliases.get(&own) == Some(&boundary)
        });
        (has_alias && self.builder.edit(boundary).name == text::name(name)).then_some(boundary)
    }

    fn relationship(&mut self, call: &Call, kind: &str, is_bidirectional: bool, at: At) -> Result<(), Refusal> {
        // `RelIndex` begins with its number.
        let first = usize::from(kind == "Index");
        let (from, to) = (call.get("from", first), call.get("to", first + 1));
        let mut ends = [from, to];
        // The arrow of `Rel_Back` points from the second to the first.
        if kind.starts_with("_Back") {
            ends.swap(0, 1);
        }
        let mut found = Vec::new();
        for alias in ends {
            if alias.is_empty() {
                self.builder.error(at, "a relationship needs two ends");
                return Ok(());
            }
            found.push(match self.aliases.get(alias) {
                Some(component) => *component,
                None => {
                    self.builder.warn(at, format!("`{}` is used, but not declared above", text::cut(alias, 60)));
                    self.declare(alias, Draft::new(alias, alias, "service", at))?
                }
            });
        }
        let type_id = types::of_tags(&tags(call));
        let label = types::label(call.get("label", first + 2), type_id).to_owned();
        let mut arrow = Arrow { label: label.clone(), type_id, is_bidirectional, ..Arrow::new(found[0], found[1], at) };
        arrow.technology = text::list(call.get("techn", first + 3));
        if self.is_process {
            if self.steps.is_empty() {
                self.first = at;
            }
            self.steps.push(Event::Step { from: found[0], to: found[1], text: label, reply: false });
        }
        self.builder.arrow(arrow)
    }

    fn begin(&mut self, whole: Option<C>, at: At) -> Result<(), Refusal> {
        if self.open.len() == MAX_DEPTH {
            return Err(self.builder.refusal(at, format!("boundaries are nested more than {MAX_DEPTH} levels deep")));
        }
        self.open.push(whole);
        Ok(())
    }

    fn end(&mut self, at: At) {
        if self.open.pop().is_none() {
            self.builder.error(at, "this ends a boundary, but none is open");
        }
    }

    /// A line of the preprocessor of `PlantUML`, without the `!`. Returns the line that ends what it begins, if its lines are
    /// code.
    pub(super) fn directive(&mut self, directive: &str, number: usize) -> Option<&'static str> {
        const CODE: [&str; 9] =
            ["procedure", "unquoted", "function", "foreach", "while", "if", "ifdef", "ifndef", "definelong"];
        let at = self.at(number);
        let mut words = directive.split_whitespace();
        let word = words.next().unwrap_or_default();
        let target = words.next().unwrap_or_default();
        let is_library = ["C4", "<", "http"].iter().any(|known| target.contains(known));
        if CODE.contains(&word) || (word.starts_with("include") && !is_library) {
            let text = format!(
                "`!{}` was not read; run `plantuml -preproc` and import its result",
                text::cut(directive.trim(), 60)
            );
            self.builder.warn(at, text);
        }
        let is_function = word == "function" || target == "function";
        match word {
            // A function can be one line.
            "function" | "unquoted" if is_function => (!directive.contains("!return")).then_some("!endfunction"),
            "procedure" | "unquoted" => Some("!endprocedure"),
            "foreach" => Some("!endfor"),
            "while" => Some("!endwhile"),
            "definelong" => Some("!enddefinelong"),
            _ => None,
        }
    }

    /// The process of a dynamic or sequence diagram.
    pub(super) fn finish(self) -> Result<(), Refusal> {
        if !self.open.is_empty() {
            let at = At::new(self.file, 1);
            self.builder.error(at, format!("{} boundaries are not closed at the end of the diagram", self.open.len()));
        }
        if self.steps.is_empty() {
            return Ok(());
        }
        let stem = self.builder.files.at(self.file).stem().to_owned();
        let key = self.scope.unwrap_or(stem);
        let name = if self.title.is_empty() { key.clone() } else { self.title };
        self.builder.process(ProcessDraft { key, name, description: None, events: self.steps, at: self.first })
    }
}
