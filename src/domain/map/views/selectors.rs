//! Which components a selector of a view matches. The web client has the same rules (`core/views/selectors.ts`), and
//! `assets/web/src/core/views/cases` is tested in both.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{
    contents::{Candidate, Contents, Holder, OWNER, technologies},
    text::Terms,
};
use crate::domain::{
    map::{
        impact::{
            self,
            graph::{Graph, Traversal},
        },
        model::view_definition::{AroundDirection, ViewAround, ViewSelector},
    },
    values::{Id, Label, OptionalId},
};

/// The value of `lifecycle` and `owners` that stands for components without one.
const NONE: &str = "";

/// Evaluates the selectors of a view. Graphs are built once for each set of relationship types.
pub(super) struct Evaluation<'c> {
    contents: &'c Contents,
    graphs: HashMap<Option<Vec<String>>, Graph<'c>>,
}

impl<'c> Evaluation<'c> {
    pub(super) fn new(contents: &'c Contents) -> Self {
        Self { contents, graphs: HashMap::new() }
    }

    /// Which of the components match any of the selectors.
    pub(super) fn any(&mut self, selectors: &[ViewSelector]) -> Vec<bool> {
        let mut any = vec![false; self.contents.components.len()];
        for selector in selectors {
            for (any, matches) in any.iter_mut().zip(self.matches(selector)) {
                *any |= matches;
            }
        }
        any
    }

    /// Which of the components match a selector.
    fn matches(&mut self, selector: &ViewSelector) -> Vec<bool> {
        let contents = self.contents;
        let mut matches = vec![true; contents.components.len()];
        // The conditions that cost least come first.
        self.by_field(selector, &mut matches);
        self.by_place(selector, &mut matches);
        self.by_stakeholder(selector, &mut matches);
        if let Some(properties) = &selector.properties {
            let wanted = properties.entries();
            narrow(&mut matches, |at| {
                let own = contents.components[at].properties.entries();
                wanted.iter().all(|(name, value)| own.get(name).is_some_and(|own| is_equal(own, value)))
            });
        }
        if let Some(text) = &selector.text {
            let terms = Terms::new(text.as_str());
            narrow(&mut matches, |at| terms.match_texts(&contents.texts()[at]));
        }
        matches
    }

    fn by_field(&self, selector: &ViewSelector, matches: &mut [bool]) {
        let components = &self.contents.components;
        if let Some(ids) = &selector.ids {
            let wanted = set(ids);
            narrow(matches, |at| wanted.contains(components[at].id.as_str()));
        }
        if let Some(types) = &selector.types {
            narrow(matches, |at| types.contains(&components[at].type_id));
        }
        if let Some(kinds) = &selector.kinds {
            let wanted = set(kinds);
            narrow(matches, |at| self.contents.kind_of(&components[at]).is_some_and(|kind| wanted.contains(kind)));
        }
        if let Some(states) = &selector.lifecycle {
            narrow(matches, |at| states.contains(&lifecycle(&components[at])));
        }
        if let Some(tags) = &selector.tags {
            let wanted = lower_case(tags.iter().map(Label::as_str));
            narrow(matches, |at| components[at].tags.iter().any(|tag| wanted.contains(&tag.to_lowercase())));
        }
        if let Some(names) = &selector.technology {
            let wanted = lower_case(names.iter().map(Label::as_str));
            let has_one = |of: &Candidate| technologies(of).iter().any(|name| wanted.contains(&name.to_lowercase()));
            narrow(matches, |at| has_one(&components[at]));
        }
    }

    /// Conditions on where a component is, in groups and among relationships.
    fn by_place(&mut self, selector: &ViewSelector, matches: &mut [bool]) {
        let contents = self.contents;
        if let Some(groups) = &selector.within {
            let wanted: HashSet<usize> =
                groups.iter().filter_map(|id| contents.indexes.get(id.as_str()).copied()).collect();
            narrow(matches, |at| wanted.contains(&at) || contents.ancestors(at).any(|group| wanted.contains(&group)));
        }
        if let Some(around) = &selector.around {
            let near = self.around(around);
            narrow(matches, |at| near.contains(contents.components[at].id.as_str()));
        }
    }

    /// The ids of the components `of`, and of those that are reached from them. Ids that do not exist are included too.
    fn around<'a>(&mut self, around: &'a ViewAround) -> HashSet<&'a str>
    where
        'c: 'a,
    {
        let directions: &[Traversal] = match around.direction {
            AroundDirection::Up => &[Traversal::Upstream],
            AroundDirection::Down => &[Traversal::Downstream],
            AroundDirection::Both => &[Traversal::Upstream, Traversal::Downstream],
        };
        let contents = self.contents;
        let graph = self.graphs.entry(around.relation_types.clone()).or_insert_with(|| {
            let names = contents.components.iter().map(|component| component.id.as_str());
            let followed = contents.relationships.iter().filter(|relation| match &around.relation_types {
                Some(types) => types.contains(&relation.type_id),
                None => impact::is_followed(&relation.type_id),
            });
            let edges = followed.map(|one| impact::oriented(&one.id, &one.source_id, &one.target_id, &one.type_id));
            Graph::new(names, edges)
        });
        let mut near: HashSet<&str> = around.of.iter().map(Id::as_str).collect();
        let starts: Vec<&str> = near.iter().copied().collect();
        for direction in directions {
            let reached = graph.reach(starts.iter().copied(), *direction, around.depth.get().into());
            near.extend(reached.iter().map(|one| one.component));
        }
        near
    }

    fn by_stakeholder(&self, selector: &ViewSelector, matches: &mut [bool]) {
        let contents = self.contents;
        if let Some(owners) = &selector.owners {
            let wanted: HashSet<&str> = owners.iter().map(OptionalId::as_str).collect();
            let is_owner = |holder: &Holder| holder.role == OWNER && wanted.contains(holder.id());
            narrow(matches, |at| {
                (wanted.contains(NONE) && contents.is_unowned(at)) || contents.holders[at].iter().any(is_owner)
            });
        }
        if selector.teams.is_none() && selector.roles.is_none() {
            return;
        }
        // With both, the same stakeholder has to meet them.
        let (teams, roles) = (selector.teams.as_deref().map(set), selector.roles.as_deref().map(set));
        let in_team = |holder: &Holder, teams: &HashSet<&str>| match (&holder.team_id, &holder.person_id) {
            (Some(team), _) => teams.contains(team.as_str()),
            (None, Some(person)) => {
                contents.teams.get(person).is_some_and(|own| own.iter().any(|team| teams.contains(team.as_str())))
            }
            (None, None) => false,
        };
        narrow(matches, |at| {
            contents.holders[at].iter().any(|holder| {
                roles.as_ref().is_none_or(|roles| roles.contains(holder.role.as_str()))
                    && teams.as_ref().is_none_or(|teams| in_team(holder, teams))
            })
        });
    }
}

/// Keeps the components that meet another condition.
fn narrow(matches: &mut [bool], condition: impl Fn(usize) -> bool) {
    for (at, matches) in matches.iter_mut().enumerate() {
        *matches = *matches && condition(at);
    }
}

fn set(ids: &[Id]) -> HashSet<&str> {
    ids.iter().map(Id::as_str).collect()
}

fn lower_case<'k>(keywords: impl Iterator<Item = &'k str>) -> HashSet<String> {
    keywords.map(str::to_lowercase).collect()
}

/// The lifecycle state of a component; empty without one.
fn lifecycle(component: &Candidate) -> String {
    let state = component.properties.get("lifecycle");
    state.as_ref().and_then(Value::as_str).unwrap_or(NONE).to_owned()
}

/// Whether two values are equal in JavaScript: numbers have no integer type there.
fn is_equal(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        #[expect(clippy::float_cmp, reason = "equal numbers are wanted, not close ones")]
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}
