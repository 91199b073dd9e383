//! Processes as dynamic views, as far as the rules of these views allow.

use std::collections::HashMap;

use super::plan::{Kind, Plan};
use crate::{map::Process, text::one_line};

/// A dynamic view.
pub(super) struct Dynamic<'m> {
    pub(super) process: &'m Process,
    pub(super) key: String,
    /// The element that the view is about.
    pub(super) scope: Option<usize>,
    pub(super) steps: Vec<Step>,
    /// Number of messages that are left out, because their ends have no relationship.
    pub(super) left_out: usize,
}

/// A message.
pub(super) struct Step {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) text: String,
    /// The index of the relationship between both.
    pub(super) relation: usize,
    /// Whether the message is against the direction of the relationship.
    pub(super) is_response: bool,
}

/// The dynamic views, and the names of the processes that cannot be written.
pub(super) fn of<'m>(plan: &Plan<'m>) -> (Vec<Dynamic<'m>>, Vec<String>) {
    let mut relations: HashMap<(usize, usize), usize> = HashMap::new();
    for (at, one) in plan.relations.iter().enumerate() {
        relations.entry((one.from, one.to)).or_insert(at);
    }
    let index: HashMap<&str, usize> =
        plan.map.components.iter().enumerate().map(|(at, one)| (one.id.as_str(), at)).collect();
    let (mut views, mut failed) = (Vec::new(), Vec::new());
    for (number, process) in plan.map.processes.iter().enumerate() {
        let mut steps = Vec::new();
        for step in &process.steps {
            let element = |id: &str| plan.of[*index.get(id)?];
            let (Some(from), Some(to)) = (element(&step.source_id), element(&step.target_id)) else { continue };
            let direct = relations.get(&(from, to)).map(|at| (*at, false));
            let Some((relation, is_response)) = direct.or_else(|| Some((*relations.get(&(to, from))?, true))) else {
                continue;
            };
            steps.push(Step { from, to, text: one_line(&step.text), relation, is_response });
        }
        let left_out = process.steps.len() - steps.len();
        match scope(plan, &steps) {
            Ok(scope) if !steps.is_empty() => {
                views.push(Dynamic { process, key: format!("process-{}", number + 1), scope, steps, left_out });
            }
            _ => failed.push(one_line(&process.name)),
        }
    }
    (views, failed)
}

/// No view can show these steps.
struct NoView;

/// The element that a view with these steps is about, if there can be such a view: it shows people and systems, or the
/// containers of a system, or the components of a container, and nothing together with its own part.
fn scope(plan: &Plan<'_>, steps: &[Step]) -> Result<Option<usize>, NoView> {
    let mut shown: Vec<usize> = steps.iter().flat_map(|step| [step.from, step.to]).collect();
    shown.sort_unstable();
    shown.dedup();
    let kind = |element: usize| plan.elements[element].kind;
    let parent = |element: usize| plan.elements[element].parent;
    let first = |wanted: Kind| shown.iter().copied().find(|element| kind(*element) == wanted);
    let Some(inside) = first(Kind::Component).or_else(|| first(Kind::Container)) else { return Ok(None) };
    let scope = parent(inside).ok_or(NoView)?;
    let fits = shown.iter().all(|&element| {
        let is_allowed = match kind(element) {
            Kind::Component => parent(element) == Some(scope),
            Kind::Container if kind(scope) == Kind::System => parent(element) == Some(scope),
            Kind::Container => parent(element) == parent(scope),
            Kind::Person | Kind::System => true,
            Kind::Node => false,
        };
        is_allowed && element != scope && Some(element) != parent(scope)
    });
    if fits { Ok(Some(scope)) } else { Err(NoView) }
}
