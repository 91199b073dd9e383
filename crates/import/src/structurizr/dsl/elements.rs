//! Statements of the model: elements, groups, relationships and their fields.

use std::rc::Rc;

use super::{
    archetypes::{Archetype, Keyword},
    lexer::Token,
    parser::{Context, Outcome, Owner, Parser, cut},
    scope::Target,
    tags::{add_tags, tags},
};
use crate::{
    builder::At,
    files::Refusal,
    structurizr::model::{Element, ElementIndex, Kind, Relationship},
    text,
};

/// Maximum number of nested groups around an element.
const MAX_GROUPS: usize = 16;

impl Parser<'_, '_, '_> {
    /// A statement of a workspace, a model, a group or an environment.
    pub(super) fn model_statement(
        &mut self,
        tokens: &[Token],
        opens: bool,
        at: At,
    ) -> Result<Option<Context>, Refusal> {
        let Some(first) = tokens.first() else { return Ok(None) };
        let argument = |index: usize| tokens.get(index).map(|token| token.text.clone());
        if tokens.len() < 2 || !tokens[1].is("=") {
            match first.text.to_ascii_lowercase().as_str() {
                "workspace" if !first.is_quoted => {
                    if !tokens.get(1).is_some_and(|token| token.is("extends")) {
                        self.model.name = argument(1).or(self.model.name.take());
                        self.model.description = argument(2).or(self.model.description.take());
                    }
                    return Ok(Some(Context::Workspace));
                }
                "model" => return Ok(Some(Context::Model)),
                "views" => return Ok(Some(Context::Views)),
                "archetypes" => return Ok(Some(Context::Archetypes)),
                "properties" => return Ok(Some(Context::Properties(Owner::Model))),
                "name" => self.model.name = argument(1).or(self.model.name.take()),
                "description" => self.model.description = argument(1).or(self.model.description.take()),
                _ => return self.declaration(tokens, opens, at),
            }
            return Ok(None);
        }
        self.declaration(tokens, opens, at)
    }

    /// A statement of an element.
    pub(super) fn element_statement(
        &mut self,
        element: ElementIndex,
        tokens: &[Token],
        opens: bool,
        at: At,
    ) -> Result<Option<Context>, Refusal> {
        let elements: Rc<[ElementIndex]> = Rc::from([element]);
        match self.field(&elements, tokens, opens, at)? {
            Outcome::Other => self.declaration(tokens, opens, at),
            Outcome::Read => Ok(None),
            Outcome::Opens(context) => Ok(Some(context)),
        }
    }

    /// A statement about several elements.
    pub(super) fn elements_statement(
        &mut self,
        elements: &Rc<[ElementIndex]>,
        tokens: &[Token],
        at: At,
    ) -> Result<Option<Context>, Refusal> {
        match self.field(elements, tokens, true, at)? {
            Outcome::Other => {}
            Outcome::Read => return Ok(None),
            Outcome::Opens(context) => return Ok(Some(context)),
        }
        let Some(arrow) = arrow_at(tokens) else { return Ok(None) };
        let mut added = Vec::new();
        let this = |index: usize| tokens.get(index).is_some_and(|token| token.is("this"));
        for element in elements.iter() {
            let (source, target) = (arrow == 0 || this(arrow - 1), this(arrow + 1));
            let source = if source { Some(*element) } else { None };
            let target = if target { Some(*element) } else { None };
            added.extend(self.relationship(tokens, arrow, (source, target), at)?);
        }
        Ok(Some(Context::Relationships(Rc::from(added))))
    }

    /// A field of elements.
    fn field(
        &mut self,
        elements: &Rc<[ElementIndex]>,
        tokens: &[Token],
        opens: bool,
        at: At,
    ) -> Result<Outcome, Refusal> {
        let Some(first) = tokens.first().filter(|first| !first.is_quoted) else { return Ok(Outcome::Other) };
        if tokens.get(1).is_some_and(|token| token.is("=")) || arrow_at(tokens).is_some() {
            return Ok(Outcome::Other);
        }
        let bytes: usize = tokens[1..].iter().map(|token| size_of::<Token>() + token.text.len()).sum();
        if elements.len() > 1 {
            self.builder.charge(elements.len() * bytes, at)?;
        }
        let value = || tokens.get(1).map(|token| token.text.clone()).unwrap_or_default();
        let word = first.text.to_ascii_lowercase();
        let mut set =
            |change: &dyn Fn(&mut Element)| elements.iter().for_each(|at| change(&mut self.model.elements[*at]));
        match word.as_str() {
            "name" => set(&|element| element.name = text::name(&value())),
            "description" => set(&|element| element.description = value()),
            "technology" => set(&|element| element.technology = value()),
            "metadata" => set(&|element| add_tags(&mut element.tags, &[value()])),
            "tag" | "tags" => {
                let tags = tags(&tokens[1..]);
                set(&|element| add_tags(&mut element.tags, &tags));
            }
            "url" => set(&|element| element.url = Some(value())),
            "instances" => set(&|element| element.instances = Some(value())),
            "properties" => return Ok(Outcome::Opens(Context::Properties(Owner::Elements(elements.clone())))),
            "perspectives" => return Ok(Outcome::Opens(Context::Perspectives(Owner::Elements(elements.clone())))),
            // A group without a block is an additional group around the element.
            "group" if !opens => {
                let separator = self.model.group_separator.clone().unwrap_or_else(|| "/".into());
                for at in elements.iter() {
                    let element = &mut self.model.elements[*at];
                    let name = text::name(&value());
                    element.group = Some(match element.group.take() {
                        Some(outer) if outer.len() < 4_000 => format!("{outer}{separator}{name}"),
                        Some(outer) => outer,
                        None => name,
                    });
                }
            }
            "healthcheck" => self.builder.ignore("health checks", 1),
            _ => return Ok(Outcome::Other),
        }
        Ok(Outcome::Read)
    }

    /// A new element, group or relationship, or another statement that models and elements have.
    fn declaration(&mut self, tokens: &[Token], opens: bool, at: At) -> Result<Option<Context>, Refusal> {
        match self.common_statement(tokens, at)? {
            Outcome::Other => {}
            Outcome::Read => return Ok(None),
            Outcome::Opens(context) => return Ok(Some(context)),
        }
        let (identifier, rest) = match tokens {
            [name, equals, rest @ ..] if equals.is("=") => (Some(name.text.as_str()), rest),
            rest => (None, rest),
        };
        if let Some(arrow) = arrow_at(rest) {
            if rest[arrow].is("-/>") {
                self.builder.ignore("removed relationships", 1);
                return Ok(None);
            }
            let added = self.relationship(rest, arrow, (None, None), at)?;
            if let (Some(index), Some(identifier)) = (added, identifier)
                && let Some(full) = self.scope.full(None, identifier)
            {
                self.scope.add(full, Target::Relationship(index));
            }
            return Ok(added.map(|index| Context::Relationships(Rc::from([index]))));
        }
        let Some(first) = rest.first() else { return Ok(None) };
        let archetype = if first.is_quoted { None } else { self.archetypes.find(&first.text) };
        let Some(archetype) = archetype else {
            const KNOWN: [&str; 6] =
                ["configuration", "!impliedrelationships", "deploymentgroup", "branding", "terminology", "!var"];
            if !KNOWN.iter().any(|known| first.is(known)) {
                let word = text::cut(&first.text, 60);
                self.builder.warn(at, format!("`{word}` is no statement that can be imported here"));
            }
            return Ok(None);
        };
        let name = rest.get(1).map(|token| token.text.as_str()).unwrap_or_default();
        match archetype.keyword {
            Keyword::Group if opens => Ok(Some(Context::Group(cut(name)))),
            Keyword::Environment => {
                let identifier = identifier.and_then(|identifier| self.scope.full(None, identifier));
                Ok(Some(Context::Environment(cut(name), identifier.map(Rc::from))))
            }
            Keyword::Group | Keyword::Relationship => Ok(None),
            _ => self.element(&archetype, identifier, &rest[1..], at),
        }
    }

    fn element(
        &mut self,
        archetype: &Archetype,
        identifier: Option<&str>,
        arguments: &[Token],
        at: At,
    ) -> Result<Option<Context>, Refusal> {
        let argument = |index: usize| arguments.get(index).map(|token| token.text.as_str()).unwrap_or_default();
        let mut element = Element { name: text::name(argument(0)), at, ..Element::default() };
        // The positions of description, technology and tags.
        let (kind, description, technology, tags) = match archetype.keyword {
            Keyword::Person => (Kind::Person, 1, None, 2),
            Keyword::Container => (Kind::Container, 1, Some(2), 3),
            Keyword::Component => (Kind::Component, 1, Some(2), 3),
            Keyword::DeploymentNode => (Kind::DeploymentNode, 1, Some(2), 3),
            Keyword::InfrastructureNode => (Kind::InfrastructureNode, 1, Some(2), 3),
            Keyword::Custom => (Kind::Custom, 2, None, 3),
            Keyword::Instance => match self.find(argument(0)) {
                Some(Target::Element(of)) => (Kind::Instance(of), 9, None, 9),
                _ => {
                    self.missing(argument(0), at);
                    return Ok(None);
                }
            },
            _ => (Kind::System, 1, None, 2),
        };
        element.kind = kind;
        self.builder.charge(archetype.estimated_bytes(), at)?;
        let or = |own: &str, default: &str| if own.is_empty() { default } else { own }.to_owned();
        element.description = or(argument(description), &archetype.description);
        element.technology = or(technology.map_or("", argument), &archetype.technology);
        element.tags.clone_from(&archetype.tags);
        add_tags(&mut element.tags, &super::tags::tags(arguments.get(tags..=tags).unwrap_or_default()));
        if kind == Kind::Custom {
            add_tags(&mut element.tags, &super::tags::tags(arguments.get(1..=1).unwrap_or_default()));
        }
        element.properties.clone_from(&archetype.properties);
        element.instances = arguments.get(4).filter(|_| kind == Kind::DeploymentNode).map(|token| token.text.clone());
        let current = self.current();
        element.parent = match kind {
            Kind::Container | Kind::Component => {
                if current.is_none() {
                    self.builder.error(at, format!("`{}` must be inside a software system or container", element.name));
                }
                current
            }
            Kind::DeploymentNode | Kind::InfrastructureNode | Kind::Instance(_) => {
                element.environment = self.environment().0;
                current.filter(|node| self.is_node(*node))
            }
            _ => None,
        };
        element.group = self.group(element.parent.is_some());
        let parent = match element.parent {
            Some(parent) => self.model.elements[parent].identifier.clone(),
            None if element.environment.is_empty() => None,
            None => self.environment().1,
        };
        element.identifier = identifier.and_then(|identifier| self.scope.full(parent.as_deref(), identifier));
        let full = element.identifier.clone();
        let index = self.model.add(self.builder, element)?;
        if let Some(full) = full {
            self.scope.add(full, Target::Element(index));
        }
        Ok(Some(Context::Element(index)))
    }

    /// The groups at the current position, inside the current element or at the top.
    fn group(&self, is_inside: bool) -> Option<String> {
        let mut names: Vec<&str> = Vec::new();
        for context in self.stack.iter().rev() {
            match context {
                Context::Group(name) if names.len() < MAX_GROUPS => names.push(name),
                Context::Element(_) if is_inside => break,
                _ => {}
            }
        }
        names.reverse();
        let separator = self.model.group_separator.as_deref().unwrap_or("/");
        (!names.is_empty()).then(|| names.join(separator))
    }

    /// The name and the identifier of the deployment environment at the current position.
    fn environment(&self) -> (String, Option<String>) {
        let found = self.stack.iter().rev().find_map(|context| match context {
            Context::Environment(name, identifier) => {
                Some((name.to_string(), identifier.as_deref().map(str::to_owned)))
            }
            _ => None,
        });
        found.unwrap_or_else(|| ("Default".into(), None))
    }

    /// Adds the relationship with an arrow at an index. `ends` are known, or are looked up.
    fn relationship(
        &mut self,
        tokens: &[Token],
        arrow: usize,
        ends: (Option<ElementIndex>, Option<ElementIndex>),
        at: At,
    ) -> Result<Option<usize>, Refusal> {
        let Some(archetype) = self.archetypes.arrow(&tokens[arrow].text) else { return Ok(None) };
        let source = if arrow == 0 { "this" } else { tokens[arrow - 1].text.as_str() };
        let target = tokens.get(arrow + 1).map(|token| token.text.as_str()).unwrap_or_default();
        let mut found = [ends.0, ends.1];
        for (end, name) in found.iter_mut().zip([source, target]) {
            if end.is_none() {
                match self.find(name) {
                    Some(Target::Element(index)) => *end = Some(index),
                    _ => self.missing(name, at),
                }
            }
        }
        let [Some(from), Some(to)] = found else { return Ok(None) };
        self.builder.charge(archetype.estimated_bytes(), at)?;
        let argument = |index: usize, default: &str| {
            let own = tokens.get(arrow + index).map(|token| token.text.as_str()).filter(|text| !text.is_empty());
            own.unwrap_or(default).to_owned()
        };
        let mut tags = archetype.tags.clone();
        add_tags(&mut tags, &super::tags::tags(tokens.get(arrow + 4..=arrow + 4).unwrap_or_default()));
        let relationship = Relationship {
            from,
            to,
            description: argument(2, &archetype.description),
            technology: argument(3, &archetype.technology),
            tags,
            url: None,
            properties: archetype.properties.clone(),
            at,
        };
        let index = self.model.relate(self.builder, relationship)?;
        self.connect(index)?;
        Ok(Some(index))
    }

    /// A field of relationships.
    pub(super) fn relationship_field(
        &mut self,
        all: &Rc<[usize]>,
        tokens: &[Token],
        at: At,
    ) -> Result<Option<Context>, Refusal> {
        let Some(first) = tokens.first().filter(|first| !first.is_quoted) else { return Ok(None) };
        let bytes: usize = tokens[1..].iter().map(|token| size_of::<Token>() + token.text.len()).sum();
        if all.len() > 1 {
            self.builder.charge(all.len() * bytes, at)?;
        }
        let value = || tokens.get(1).map(|token| token.text.clone()).unwrap_or_default();
        let mut set = |change: &dyn Fn(&mut Relationship)| {
            all.iter().for_each(|at| change(&mut self.model.relationships[*at]));
        };
        match first.text.to_ascii_lowercase().as_str() {
            "description" => set(&|one| one.description = value()),
            "technology" => set(&|one| one.technology = value()),
            "tag" | "tags" => {
                let tags = tags(&tokens[1..]);
                set(&|one| add_tags(&mut one.tags, &tags));
            }
            "url" => set(&|one| one.url = Some(value())),
            "properties" => return Ok(Some(Context::Properties(Owner::Relationships(all.clone())))),
            "perspectives" => return Ok(Some(Context::Perspectives(Owner::Relationships(all.clone())))),
            _ => {}
        }
        Ok(None)
    }

    /// A statement of the block of archetypes.
    pub(super) fn archetype(&mut self, tokens: &[Token]) -> Option<Context> {
        let (name, base) = match tokens {
            [name, equals, base, ..] if equals.is("=") => (&name.text, &base.text),
            // The defaults of a keyword itself.
            [name, ..] => (&name.text, &name.text),
            [] => return None,
        };
        self.archetypes.declare(name, base).map(|name| Context::Archetype(Rc::from(name)))
    }

    /// A statement of an archetype.
    pub(super) fn archetype_field(
        &mut self,
        name: &Rc<str>,
        tokens: &[Token],
        at: At,
    ) -> Result<Option<Context>, Refusal> {
        self.builder.charge(self.archetypes.copied_bytes(name), at)?;
        let Some((first, archetype)) = tokens.first().zip(self.archetypes.edit(name)) else { return Ok(None) };
        let value = || tokens.get(1).map(|token| token.text.clone()).unwrap_or_default();
        match first.text.to_ascii_lowercase().as_str() {
            "description" => archetype.description = value(),
            "technology" => archetype.technology = value(),
            "tag" | "tags" => add_tags(&mut archetype.tags, &tags(&tokens[1..])),
            "properties" => return Ok(Some(Context::Properties(Owner::Archetype(name.clone())))),
            "perspectives" => return Ok(Some(Context::Perspectives(Owner::Archetype(name.clone())))),
            _ => {}
        }
        Ok(None)
    }
}

/// The index of the arrow of a relationship.
fn arrow_at(tokens: &[Token]) -> Option<usize> {
    let is_arrow = |token: &Token| {
        let text = &token.text;
        !token.is_quoted && (text == "->" || text == "-/>" || (text.starts_with("--") && text.ends_with("->")))
    };
    tokens.iter().take(2).position(is_arrow)
}
