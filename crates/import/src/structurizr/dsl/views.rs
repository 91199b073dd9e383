//! Views of the model. The elements of `include *` follow from the type of the view; unknown expressions are reported.

use std::collections::HashSet;

use super::{
    dynamic::MAX_LEVELS,
    lexer::Token,
    parser::{Context, Parser},
    scope::Target,
};
use crate::{
    builder::At,
    files::Refusal,
    structurizr::model::{DynamicView, ElementIndex, Kind, View},
    text,
};

/// Memory of an element in a view, in bytes.
const SHOWN_BYTES: usize = 80;
/// Maximum number of views whose elements are determined.
const MAX_VIEWS: usize = 1_000;

impl Parser<'_, '_, '_> {
    /// A statement of the block of views.
    pub(super) fn views_statement(
        &mut self,
        tokens: &[Token],
        opens: bool,
        at: At,
    ) -> Result<Option<Context>, Refusal> {
        const IGNORED: [(&str, &str); 4] = [
            ("deployment", "deployment views"),
            ("filtered", "filtered views"),
            ("image", "image views"),
            ("custom", "custom views"),
        ];
        // A view can be assigned to an identifier.
        let tokens = if tokens.get(1).is_some_and(|token| token.is("=")) { &tokens[2..] } else { tokens };
        let Some(first) = tokens.first() else { return Ok(None) };
        if first.is("styles") {
            return Ok(Some(Context::Styles));
        }
        if first.is("dynamic") && opens {
            self.builder.charge(size_of::<DynamicView>(), at)?;
            return Ok(Some(self.dynamic_view(tokens, at)));
        }
        if let Some((_, name)) = IGNORED.iter().find(|(word, _)| first.is(word)) {
            self.builder.ignore(name, 1);
            return Ok(None);
        }
        let kind = first.text.to_ascii_lowercase();
        let is_landscape = kind == "systemlandscape";
        if !opens || first.is_quoted || !(is_landscape || matches!(&*kind, "systemcontext" | "container" | "component"))
        {
            return Ok(None);
        }
        if self.model.views.len() == MAX_VIEWS {
            self.builder.ignore("views", 1);
            return Ok(None);
        }
        let scope = if is_landscape {
            None
        } else {
            let name = tokens.get(1).map(|token| token.text.as_str()).unwrap_or_default();
            let Some(Target::Element(scope)) = self.find(name) else {
                self.missing(name, at);
                return Ok(None);
            };
            Some(scope)
        };
        let argument = |index: usize| {
            let index = index + usize::from(!is_landscape);
            tokens.get(index).map(|token| token.text.clone()).filter(|text| !text.is_empty())
        };
        let number = self.model.views.len();
        self.model.views.push(View {
            key: argument(1).unwrap_or_else(|| format!("{}-{:03}", first.text, number + 1)),
            title: None,
            description: argument(2),
            environment: None,
            elements: Vec::new(),
            scope,
            is_context: kind == "systemcontext",
            at,
        });
        Ok(Some(Context::View(number)))
    }

    /// A statement of a view.
    pub(super) fn view_statement(&mut self, view: usize, tokens: &[Token], at: At) -> Result<(), Refusal> {
        let Some(first) = tokens.first() else { return Ok(()) };
        let argument = tokens.get(1).map(|token| token.text.clone());
        if first.is("title") {
            self.model.views[view].title = argument;
        } else if first.is("description") {
            self.model.views[view].description = argument;
        } else if first.is("include") {
            for token in &tokens[1..] {
                self.builder.charge_steps(1, at)?;
                for element in self.included(view, token, at)?.into_iter().flatten() {
                    if self.shown.insert((view, element)) {
                        self.builder.charge(SHOWN_BYTES, at)?;
                        self.model.views[view].elements.push((element, None));
                    }
                }
            }
        } else if first.is("exclude") {
            for token in &tokens[1..] {
                self.builder.charge_steps(1, at)?;
                // Excluded relationships are written with their arrow.
                if let Some(Target::Element(excluded)) = self.find(&token.text)
                    && self.shown.remove(&(view, excluded))
                {
                    self.builder.charge_steps(self.model.views[view].elements.len(), at)?;
                    self.model.views[view].elements.retain(|(element, _)| *element != excluded);
                }
            }
        }
        Ok(())
    }

    /// The elements that an expression includes in a view.
    fn included(&mut self, view: usize, token: &Token, at: At) -> Result<Option<Vec<ElementIndex>>, Refusal> {
        if token.text == "*" {
            let View { scope, is_context, .. } = self.model.views[view];
            return self.all_in(scope, is_context, at).map(Some);
        }
        if let Some(Target::Element(element)) = self.find(&token.text) {
            return Ok(Some(vec![element]));
        }
        if let Some(found) = self.around(&token.text, at)? {
            return Ok(Some(found.into_iter().filter(|element| self.can_show(view, *element)).collect()));
        }
        if token.text.starts_with("element.") {
            let Some(Context::Elements(found)) = self.selected(true, &token.text, at)? else { return Ok(None) };
            return Ok(Some(found.iter().copied().filter(|element| self.can_show(view, *element)).collect()));
        }
        let (name, shown) = (text::cut(&self.model.views[view].key, 60), text::cut(&token.text, 60));
        self.builder.warn(at, format!("the view `{name}` is incomplete because `{shown}` is not supported"));
        Ok(None)
    }

    /// The elements that `->name->` means: one, and those with a relationship to it or from it, as the arrows say.
    fn around(&mut self, expression: &str, at: At) -> Result<Option<Vec<ElementIndex>>, Refusal> {
        let (name, is_before) = expression.strip_prefix("->").map_or((expression, false), |name| (name, true));
        let (name, is_after) = name.strip_suffix("->").map_or((name, false), |name| (name, true));
        let Some(Target::Element(element)) = self.find(name).filter(|_| is_before || is_after) else {
            return Ok(None);
        };
        self.builder.charge_steps(self.connected.len(), at)?;
        let direct = self.connected.iter().filter(|(_, relationship)| relationship.is_some());
        let mut found: Vec<ElementIndex> = direct
            .filter_map(|((from, to), _)| match (*from == element, *to == element) {
                (true, _) if is_after => Some(*to),
                (_, true) if is_before => Some(*from),
                _ => None,
            })
            .collect();
        found.push(element);
        found.sort_unstable();
        found.dedup();
        Ok(Some(found))
    }

    /// Whether a view can show an element: people and systems, and in views of a part also the parts of that level.
    fn can_show(&self, view: usize, element: ElementIndex) -> bool {
        let View { scope, is_context, .. } = self.model.views[view];
        let elements = &self.model.elements;
        let level = scope.filter(|_| !is_context).map(|scope| elements[scope].kind);
        let is_around = !is_context
            && std::iter::successors(scope, |at| elements[*at].parent).take(MAX_LEVELS).any(|at| at == element);
        let has_level = match elements[element].kind {
            Kind::Person | Kind::System | Kind::Custom => true,
            Kind::Container => matches!(level, Some(Kind::System | Kind::Container)),
            Kind::Component => level == Some(Kind::Container),
            _ => false,
        };
        has_level && !is_around
    }

    /// The elements of `*`: the parts of the scope and what is connected with them, or all people and systems. A system
    /// context shows the system itself instead of its parts.
    fn all_in(&mut self, scope: Option<ElementIndex>, is_context: bool, at: At) -> Result<Vec<ElementIndex>, Refusal> {
        self.builder.charge_steps(self.model.elements.len() + self.connected.len(), at)?;
        let elements = &self.model.elements;
        let is_top =
            |element: ElementIndex| matches!(elements[element].kind, Kind::Person | Kind::System | Kind::Custom);
        let Some(scope) = scope else {
            return Ok((0..elements.len()).filter(|element| is_top(*element)).collect());
        };
        let system = elements[scope].parent;
        let is_part = |element: &ElementIndex| elements[*element].parent == Some(scope);
        let inside: HashSet<ElementIndex> =
            if is_context { HashSet::from([scope]) } else { (0..elements.len()).filter(is_part).collect() };
        let may_be_shown = |element: ElementIndex| {
            let is_sibling = system.is_some() && elements[element].parent == system && element != scope;
            (is_top(element) || is_sibling) && element != scope && Some(element) != system
        };
        let mut found = inside.clone();
        for (from, to) in self.connected.keys() {
            for (one, other) in [(*from, *to), (*to, *from)] {
                if inside.contains(&one) && may_be_shown(other) {
                    found.insert(other);
                }
            }
        }
        let mut found: Vec<ElementIndex> = found.into_iter().collect();
        found.sort_unstable();
        Ok(found)
    }
}
