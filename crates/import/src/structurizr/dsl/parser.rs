//! Reads statements and keeps the stack of open blocks.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use super::{
    archetypes::Archetypes,
    lexer::{Line, Token},
    scope::{Scope, Target},
};
use crate::{
    builder::{At, Builder},
    files::Refusal,
    structurizr::model::{ElementIndex, Kind, Model},
    text,
};

/// Maximum number of open blocks.
const MAX_DEPTH: usize = 200;
/// Steps for looking up an identifier.
const FIND_STEPS: usize = 4;
/// Steps for changing an element or relationship of a set.
const CHANGE_STEPS: usize = 8;
/// Number of enclosing elements in which an identifier is searched.
const MAX_SCOPES: usize = 16;

/// An open block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Context {
    Workspace,
    Model,
    Group(Rc<str>),
    Element(ElementIndex),
    /// Several elements whose fields are set together.
    Elements(Rc<[ElementIndex]>),
    Relationships(Rc<[usize]>),
    /// A deployment environment with its name and identifier.
    Environment(Rc<str>, Option<Rc<str>>),
    Archetypes,
    Archetype(Rc<str>),
    Properties(Owner),
    Perspectives(Owner),
    Views,
    /// A view with its index.
    View(usize),
    Dynamic(usize),
    /// Parallel sequences of a dynamic view, with the number of sequences so far.
    Parallel(usize),
    Sequence,
    Styles,
    ElementStyle(Rc<str>),
    Skipped,
}

/// What became of a statement.
pub(super) enum Outcome {
    /// It is a statement of another kind.
    Other,
    /// It was read. A block that it opens is skipped.
    Read,
    /// It was read, and opens a block.
    Opens(Context),
}

/// What properties belong to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Owner {
    Model,
    Elements(Rc<[ElementIndex]>),
    Relationships(Rc<[usize]>),
    Archetype(Rc<str>),
}

pub(super) struct Parser<'b, 's, 'm> {
    pub(super) builder: &'b mut Builder<'s>,
    pub(super) model: &'m mut Model,
    pub(super) stack: Vec<Context>,
    pub(super) scope: Scope,
    pub(super) archetypes: Archetypes,
    /// Pairs of elements that a relationship connects, including those around its ends, and the relationship if it is
    /// between these two.
    pub(super) connected: HashMap<(ElementIndex, ElementIndex), Option<usize>>,
    /// The pairs of a view and an element in it.
    pub(super) shown: HashSet<(usize, ElementIndex)>,
}

impl<'b, 's, 'm> Parser<'b, 's, 'm> {
    pub(super) fn new(builder: &'b mut Builder<'s>, model: &'m mut Model) -> Self {
        let (scope, archetypes) = (Scope::default(), Archetypes::default());
        let (connected, shown) = (HashMap::new(), HashSet::new());
        Self { builder, model, stack: Vec::new(), scope, archetypes, connected, shown }
    }

    pub(super) fn read(mut self, lines: Vec<Line>) -> Result<(), Refusal> {
        let mut last = At::default();
        for line in lines {
            last = line.at;
            self.line(line)?;
        }
        if !self.stack.is_empty() {
            self.builder.error(last, format!("{} blocks are not closed at the end of the file", self.stack.len()));
        }
        while self.stack.pop().is_some_and(|context| self.close(&context)) {}
        Ok(())
    }

    fn line(&mut self, line: Line) -> Result<(), Refusal> {
        let Line { at, mut tokens } = line;
        self.builder.charge_steps(1, at)?;
        if tokens[0].is("}") {
            match self.stack.pop() {
                Some(context) => {
                    self.close(&context);
                }
                None => self.builder.error(at, "`}` closes no block"),
            }
            return Ok(());
        }
        let opens = tokens.last().is_some_and(|last| last.is("{"));
        if opens {
            tokens.pop();
        }
        let context = self.stack.last().cloned();
        if let Some(
            Context::Elements(all)
            | Context::Relationships(all)
            | Context::Properties(Owner::Elements(all) | Owner::Relationships(all))
            | Context::Perspectives(Owner::Elements(all) | Owner::Relationships(all)),
        ) = &context
        {
            self.builder.charge_steps(CHANGE_STEPS * all.len(), at)?;
        }
        let opened = match context {
            Some(Context::Skipped) => None,
            context => self.statement(context, &tokens, opens, at)?,
        };
        if opens {
            if self.stack.len() == MAX_DEPTH {
                return Err(self.builder.refusal(at, format!("blocks are nested more than {MAX_DEPTH} levels deep")));
            }
            self.stack.push(opened.unwrap_or(Context::Skipped));
        }
        Ok(())
    }

    /// Ends a block. Always true.
    fn close(&mut self, context: &Context) -> bool {
        if let Context::Parallel(sequences) = context
            && *sequences > 0
        {
            self.end_parallel();
        }
        true
    }

    /// Reads a statement. Returns the block that it opens, if that block is read.
    fn statement(
        &mut self,
        context: Option<Context>,
        tokens: &[Token],
        opens: bool,
        at: At,
    ) -> Result<Option<Context>, Refusal> {
        let opened = match context {
            None | Some(Context::Workspace | Context::Model | Context::Group(_) | Context::Environment(..)) => {
                return self.model_statement(tokens, opens, at);
            }
            Some(Context::Element(element)) => return self.element_statement(element, tokens, opens, at),
            Some(Context::Elements(elements)) => return self.elements_statement(&elements, tokens, at),
            Some(Context::Relationships(relationships)) => self.relationship_field(&relationships, tokens, at)?,
            Some(Context::Archetypes) => self.archetype(tokens),
            Some(Context::Archetype(name)) => self.archetype_field(&name, tokens, at)?,
            Some(Context::Properties(owner)) => {
                self.property(&owner, tokens, "", at)?;
                None
            }
            Some(Context::Perspectives(owner)) => {
                self.property(&owner, tokens, "perspective.", at)?;
                None
            }
            Some(Context::Views) => self.views_statement(tokens, opens, at)?,
            Some(Context::View(view)) => {
                self.view_statement(view, tokens, at)?;
                None
            }
            Some(Context::Dynamic(_) | Context::Parallel(_) | Context::Sequence) => {
                self.dynamic_statement(tokens, opens, at)?
            }
            Some(Context::Styles) => match tokens {
                [first, tag, ..] if first.is("element") => Some(Context::ElementStyle(cut(&tag.text))),
                // Styles can be different in the light and the dark theme.
                [first, ..] if first.is("light") || first.is("dark") => Some(Context::Styles),
                _ => None,
            },
            Some(Context::ElementStyle(tag)) => {
                if let [first, shape, ..] = tokens
                    && first.is("shape")
                {
                    self.model.shapes.insert(tag.to_string(), text::cut(&shape.text, 60));
                }
                None
            }
            Some(Context::Skipped) => None,
        };
        Ok(opened)
    }

    /// Statements of a model that elements have too.
    pub(super) fn common_statement(&mut self, tokens: &[Token], at: At) -> Result<Outcome, Refusal> {
        const CODE: [&str; 3] = ["!script", "!plugin", "!components"];
        const TEXTS: [&str; 4] = ["!docs", "!adrs", "!decisions", "!documentation"];
        let Some(first) = tokens.first() else { return Ok(Outcome::Other) };
        let argument = tokens.get(1).map(|token| token.text.as_str());
        if first.is("!identifiers") {
            self.scope.is_hierarchical = argument.is_some_and(|mode| mode.eq_ignore_ascii_case("hierarchical"));
            return Ok(Outcome::Read);
        }
        if CODE.iter().any(|word| first.is(word)) {
            let text = format!(
                "`{}` runs code, so it was not imported; run Structurizr's `export -format json` and import its result",
                first.text
            );
            self.builder.warn(at, text);
            return Ok(Outcome::Read);
        }
        if TEXTS.iter().any(|word| first.is(word)) {
            self.builder.ignore("documentation", 1);
            return Ok(Outcome::Read);
        }
        if ["!element", "!ref", "!extend", "!relationship"].iter().any(|word| first.is(word)) {
            let found = argument.and_then(|name| self.find(name));
            if found.is_none() {
                self.missing(argument.unwrap_or_default(), at);
            }
            return Ok(match found {
                Some(Target::Element(index)) => Outcome::Opens(Context::Element(index)),
                Some(Target::Relationship(index)) => Outcome::Opens(Context::Relationships(Rc::from([index]))),
                None => Outcome::Read,
            });
        }
        if first.is("!elements") || first.is("!relationships") {
            let expression = tokens[1..].iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
            let selected = self.selected(first.is("!elements"), &expression, at)?;
            return Ok(selected.map_or(Outcome::Read, Outcome::Opens));
        }
        Ok(Outcome::Other)
    }

    /// The target of an identifier at the current position.
    pub(super) fn find(&self, identifier: &str) -> Option<Target> {
        if identifier.eq_ignore_ascii_case("this") {
            return self.current().map(Target::Element);
        }
        let around = self.stack.iter().rev().filter_map(|context| match context {
            Context::Element(index) => self.model.elements[*index].identifier.as_deref(),
            Context::Environment(_, identifier) => identifier.as_deref(),
            _ => None,
        });
        // An exhausted budget ends the reading at the next fallible charge.
        let _ = self.builder.budget.charge_steps(FIND_STEPS + self.scope_steps());
        self.scope.find(identifier, around.take(MAX_SCOPES))
    }

    /// Steps for searching the enclosing blocks for an identifier.
    fn scope_steps(&self) -> usize {
        if self.scope.is_hierarchical { FIND_STEPS * self.stack.len().min(MAX_SCOPES) } else { 0 }
    }

    /// The innermost element whose block is open.
    pub(super) fn current(&self) -> Option<ElementIndex> {
        self.stack.iter().rev().find_map(|context| match context {
            Context::Element(index) => Some(*index),
            _ => None,
        })
    }

    pub(super) fn missing(&mut self, identifier: &str, at: At) {
        let name = text::cut(identifier, 60);
        self.builder.error(at, format!("there is no element `{name}` above this line"));
    }

    fn property(&mut self, owner: &Owner, tokens: &[Token], prefix: &str, at: At) -> Result<(), Refusal> {
        let [name, value, ..] = tokens else { return Ok(()) };
        let pair = || (format!("{prefix}{}", name.text), value.text.clone());
        let bytes = size_of::<(String, String)>() + prefix.len() + name.text.len() + value.text.len();
        match owner {
            Owner::Model => {
                if name.text == "structurizr.groupSeparator" {
                    self.model.group_separator = Some(text::cut(&value.text, 20));
                }
            }
            Owner::Elements(all) => {
                for index in all.iter() {
                    self.builder.charge(bytes, at)?;
                    set(&mut self.model.elements[*index].properties, pair());
                }
            }
            Owner::Relationships(all) => {
                for index in all.iter() {
                    self.builder.charge(bytes, at)?;
                    set(&mut self.model.relationships[*index].properties, pair());
                }
            }
            Owner::Archetype(archetype) => {
                self.builder.charge(self.archetypes.copied_bytes(archetype), at)?;
                if let Some(archetype) = self.archetypes.edit(archetype) {
                    set(&mut archetype.properties, pair());
                }
            }
        }
        Ok(())
    }

    /// Whether an element is a node of a deployment environment.
    pub(super) fn is_node(&self, element: ElementIndex) -> bool {
        self.model.elements[element].kind == Kind::DeploymentNode
    }
}

/// Sets a property. A row has few properties; further ones are ignored.
fn set(properties: &mut Vec<(String, String)>, pair: (String, String)) {
    const MAX_PROPERTIES: usize = 200;
    if properties.len() < MAX_PROPERTIES {
        properties.retain(|(name, _)| *name != pair.0);
        properties.push(pair);
    }
}

/// A name that blocks share.
pub(super) fn cut(name: &str) -> Rc<str> {
    Rc::from(text::name(name))
}
