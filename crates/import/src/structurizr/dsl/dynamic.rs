//! Dynamic views, and the selection of elements by expressions.

use std::rc::Rc;

use super::{
    lexer::Token,
    parser::{Context, Parser},
    scope::Target,
};
use crate::{
    builder::At,
    files::Refusal,
    processes::{Block, Event},
    structurizr::model::{DynamicView, ElementIndex, Kind, Relationship},
    text,
};

/// Memory of a pair of connected elements, in bytes.
const PAIR_BYTES: usize = 64;
/// Maximum number of elements around an element that count as connected with it.
pub(super) const MAX_LEVELS: usize = 4;

impl Parser<'_, '_, '_> {
    /// Begins a dynamic view: `dynamic SCOPE [KEY] [DESCRIPTION] {`.
    pub(super) fn dynamic_view(&mut self, tokens: &[Token], at: At) -> Context {
        let argument = |index: usize| tokens.get(index).map(|token| token.text.clone()).filter(|text| !text.is_empty());
        let number = self.model.dynamic_views.len();
        self.model.dynamic_views.push(DynamicView {
            key: argument(2).unwrap_or_else(|| format!("Dynamic-{:03}", number + 1)),
            title: None,
            description: argument(3),
            events: Vec::new(),
            at,
        });
        Context::Dynamic(number)
    }

    /// A statement of a dynamic view.
    pub(super) fn dynamic_statement(
        &mut self,
        tokens: &[Token],
        opens: bool,
        at: At,
    ) -> Result<Option<Context>, Refusal> {
        let Some(first) = tokens.first() else {
            self.builder.charge(size_of::<Event<ElementIndex>>(), at)?;
            return Ok(opens.then(|| self.sequence()));
        };
        let argument = tokens.get(1).map(|token| token.text.clone());
        let Some(view) = self.view() else { return Ok(None) };
        if first.is("title") {
            view.title = argument;
            return Ok(None);
        }
        if first.is("description") {
            view.description = argument;
            return Ok(None);
        }
        // A step can begin with its number.
        let tokens = if first.text.ends_with(':') && !first.is_quoted { &tokens[1..] } else { tokens };
        let is_arrow = |token: &Token| !token.is_quoted && token.text.starts_with('-') && token.text.ends_with("->");
        let step = match tokens {
            [source, arrow, target, rest @ ..] if is_arrow(arrow) => {
                let ends = [source, target].map(|end| match self.find(&end.text) {
                    Some(Target::Element(index)) => Some(index),
                    _ => {
                        self.missing(&end.text, at);
                        None
                    }
                });
                ends[0].zip(ends[1]).map(|ends| (ends, rest.first()))
            }
            [name, rest @ ..] => match self.scope.find(&name.text, std::iter::empty()) {
                Some(Target::Relationship(index)) => {
                    let one = &self.model.relationships[index];
                    Some(((one.from, one.to), rest.first()))
                }
                _ => None,
            },
            [] => None,
        };
        let Some(((from, to), text)) = step else { return Ok(None) };
        let own = text.map(|token| token.text.clone()).filter(|text| !text.is_empty());
        let direct = self.connected.get(&(from, to)).copied().flatten();
        let described = direct.map(|index| self.model.relationships[index].description.as_str()).unwrap_or_default();
        self.builder.charge(size_of::<Event<ElementIndex>>() + described.len(), at)?;
        let text = own.unwrap_or_else(|| described.to_owned());
        // A message against the direction of the relationship answers an earlier one.
        let reply = !self.is_connected(from, to) && self.is_connected(to, from);
        if let Some(view) = self.view() {
            view.events.push(Event::Step { from, to, text, reply });
        }
        Ok(None)
    }

    /// `{` inside a dynamic view: parallel sequences, each in another block.
    fn sequence(&mut self) -> Context {
        let Some(Context::Parallel(count)) = self.stack.last_mut() else { return Context::Parallel(0) };
        *count += 1;
        let event = if *count == 1 { Event::Begin(Block::Par, String::new()) } else { Event::Next(String::new()) };
        if let Some(view) = self.view() {
            view.events.push(event);
        }
        Context::Sequence
    }

    /// The end of parallel sequences.
    pub(super) fn end_parallel(&mut self) {
        if let Some(view) = self.view() {
            view.events.push(Event::End);
        }
    }

    /// The dynamic view that is read.
    fn view(&mut self) -> Option<&mut DynamicView> {
        self.model.dynamic_views.last_mut()
    }

    /// Remembers which elements a new relationship connects.
    pub(super) fn connect(&mut self, relationship: usize) -> Result<(), Refusal> {
        let around = |element: ElementIndex| -> Vec<ElementIndex> {
            std::iter::successors(Some(element), |at| self.model.elements[*at].parent).take(MAX_LEVELS).collect()
        };
        let one = &self.model.relationships[relationship];
        let (from, to, at) = (one.from, one.to, one.at);
        let (sources, targets) = (around(from), around(to));
        for source in sources {
            for target in &targets {
                let direct = (source, *target) == (from, to);
                let count = self.connected.len();
                let known = self.connected.entry((source, *target)).or_default();
                *known = known.or(direct.then_some(relationship));
                self.builder.charge(PAIR_BYTES * (self.connected.len() - count), at)?;
            }
        }
        Ok(())
    }

    /// Whether a relationship leads from an element, or a part of it, to another one, or a part of it.
    fn is_connected(&self, from: ElementIndex, to: ElementIndex) -> bool {
        self.connected.contains_key(&(from, to))
    }

    /// The elements or relationships that an expression selects. Reports expressions that are not known.
    pub(super) fn selected(&mut self, elements: bool, expression: &str, at: At) -> Result<Option<Context>, Refusal> {
        let conditions: Option<Vec<Condition>> = expression.split("&&").map(Condition::read).collect();
        let Some(conditions) = conditions else {
            let shown = text::cut(expression, 60);
            let text = format!(
                "the expression `{shown}` is not supported; run Structurizr's `export -format json` and import its result"
            );
            self.builder.warn(at, text);
            return Ok(None);
        };
        let count = if elements { self.model.elements.len() } else { self.model.relationships.len() };
        let steps: usize = conditions.iter().map(Condition::steps).sum();
        self.builder.charge_steps(1 + steps * count, at)?;
        let conditions: Vec<Resolved<'_>> = conditions.iter().map(|condition| self.resolved(condition)).collect();
        let holds = |kind: &str, tags: &[String], technology: &str, of: Option<ElementIndex>| {
            conditions.iter().all(|condition| match condition {
                Resolved::Ends(..) => kind == "relationship",
                Resolved::Parent(parent) => of.is_some() && of == *parent,
                Resolved::Other(Condition::Type(name)) => kind == name,
                Resolved::Other(Condition::Tags(all)) => {
                    all.iter().all(|tag| tags.contains(tag) || default_tag(kind) == tag)
                }
                Resolved::Other(Condition::Technology(name)) => technology == name,
                Resolved::Other(_) => true,
            })
        };
        let connects = |one: &Relationship| {
            conditions.iter().all(|condition| match condition {
                Resolved::Ends(from, to) => from.matches(one.from) && to.matches(one.to),
                _ => true,
            })
        };
        let found: Rc<[usize]> = if elements {
            let all = self.model.elements.iter().enumerate();
            let found = all.filter(|(_, one)| holds(type_name(one.kind), &one.tags, &one.technology, one.parent));
            found.map(|(index, _)| index).collect()
        } else {
            let all = self.model.relationships.iter().enumerate();
            let found = all.filter(|(_, one)| connects(one) && holds("relationship", &one.tags, &one.technology, None));
            found.map(|(index, _)| index).collect()
        };
        self.builder.charge_steps(0, at)?;
        Ok(Some(if elements { Context::Elements(found) } else { Context::Relationships(found) }))
    }

    /// Resolves the elements that a condition names.
    fn resolved<'c>(&self, condition: &'c Condition) -> Resolved<'c> {
        let element = |name: &str| match self.find(name) {
            Some(Target::Element(element)) => Some(element),
            _ => None,
        };
        let end = |name: &str| if name == "*" { EndCondition::Any } else { EndCondition::Only(element(name)) };
        match condition {
            Condition::Ends(from, to) => Resolved::Ends(end(from), end(to)),
            Condition::Parent(name) => Resolved::Parent(element(name)),
            other => Resolved::Other(other),
        }
    }
}

/// A condition on an end of a relationship.
enum EndCondition {
    Any,
    Only(Option<ElementIndex>),
}

impl EndCondition {
    fn matches(&self, element: ElementIndex) -> bool {
        match self {
            Self::Any => true,
            Self::Only(only) => *only == Some(element),
        }
    }
}

/// A condition with resolved elements. An element is `None` if it does not exist.
enum Resolved<'c> {
    Ends(EndCondition, EndCondition),
    Parent(Option<ElementIndex>),
    Other(&'c Condition),
}

/// A condition of an expression.
enum Condition {
    All,
    /// Relationships from an element to another one; `*` is any.
    Ends(String, String),
    Type(String),
    Tags(Vec<String>),
    Technology(String),
    Parent(String),
}

impl Condition {
    /// Steps for evaluating the condition for an element.
    fn steps(&self) -> usize {
        match self {
            Self::Tags(all) => 1 + 4 * all.len(),
            _ => 1,
        }
    }

    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        if text == "*" {
            return Some(Self::All);
        }
        if let Some((from, to)) = text.split_once("->") {
            let (from, to) = (from.trim(), to.trim());
            let is_name = |name: &str| !name.is_empty() && !name.contains(['>', '=', ' ']);
            return (is_name(from) && is_name(to)).then(|| Self::Ends(from.to_owned(), to.to_owned()));
        }
        let (name, value) = text.split_once("==")?;
        let value = value.trim();
        if value.contains("||") || value.is_empty() {
            return None;
        }
        match name.trim().to_ascii_lowercase().as_str() {
            "element" | "relationship" if value == "*" => Some(Self::All),
            "element.type" => Some(Self::Type(value.to_ascii_lowercase())),
            "element.tag" | "relationship.tag" => Some(Self::Tags(text::list(value))),
            "element.technology" | "relationship.technology" => Some(Self::Technology(value.to_owned())),
            "element.parent" => Some(Self::Parent(value.to_owned())),
            _ => None,
        }
    }
}

fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Person => "person",
        Kind::System => "softwaresystem",
        Kind::Container => "container",
        Kind::Component => "component",
        Kind::Custom => "element",
        Kind::DeploymentNode => "deploymentnode",
        Kind::InfrastructureNode => "infrastructurenode",
        Kind::Instance(_) => "instance",
    }
}

/// The tag that every element of a type has.
fn default_tag(kind: &str) -> &'static str {
    match kind {
        "person" => "Person",
        "softwaresystem" => "Software System",
        "container" => "Container",
        "component" => "Component",
        "deploymentnode" => "Deployment Node",
        "infrastructurenode" => "Infrastructure Node",
        "relationship" => "Relationship",
        _ => "",
    }
}
