//! References in the configuration of a plan.

use std::collections::HashMap;

use crate::node::{Data, Node};

/// Maximum number of steps from a reference to a resource.
const MAX_DEPTH: usize = 16;
/// Maximum effort for following references.
const MAX_STEPS: usize = 20_000_000;
/// Effort for a resource that is found.
const FOUND: usize = 50;

/// A module of the configuration.
struct Module<'n> {
    node: &'n Node,
    parent: Option<usize>,
    /// The expressions of the call that makes it.
    call: Option<&'n Node>,
    children: HashMap<&'n str, usize>,
}

/// The modules of a configuration by their address, such as `module.network`.
pub(super) struct Modules<'n> {
    all: Vec<Module<'n>>,
    addresses: Vec<String>,
    steps: usize,
}

/// A resource in the configuration, and what it refers to.
pub(super) struct Configured {
    pub(super) address: String,
    /// Addresses, with the name of the argument if it is not nested.
    pub(super) references: Vec<(String, Option<String>)>,
    pub(super) line: u32,
}

impl<'n> Modules<'n> {
    pub(super) fn new(root: &'n Node) -> Self {
        let mut all = Self { all: Vec::new(), addresses: Vec::new(), steps: 0 };
        all.add(root, None, None, String::new());
        all
    }

    fn add(&mut self, node: &'n Node, parent: Option<usize>, call: Option<&'n Node>, address: String) -> usize {
        let own = self.all.len();
        self.all.push(Module { node, parent, call, children: HashMap::new() });
        self.addresses.push(address);
        for (name, call) in node.entries("module_calls") {
            let Some(module) = call.get("module") else { continue };
            let address = format!("{}module.{name}.", self.addresses[own]);
            let child = self.add(module, Some(own), call.get("expressions"), address);
            self.all[own].children.insert(name, child);
        }
        own
    }

    /// All resources with what they refer to.
    pub(super) fn resources(&mut self) -> Vec<Configured> {
        let mut all = Vec::new();
        for at in 0..self.all.len() {
            for resource in self.all[at].node.items("resources") {
                let Some(address) = resource.text("address") else { continue };
                let mut references = Vec::new();
                for (name, expression) in resource.entries("expressions") {
                    let is_direct = expression.get("references").is_some();
                    let mut written = Vec::new();
                    collect(expression, &mut written);
                    for reference in written {
                        let argument = is_direct.then(|| name.clone());
                        self.follow(at, reference, 0, &mut |found| references.push((found, argument.clone())));
                    }
                }
                for reference in resource.texts("depends_on") {
                    self.follow(at, reference, 0, &mut |found| references.push((found, None)));
                }
                let mut seen = std::collections::HashSet::new();
                references.retain(|one| seen.insert(one.clone()));
                let address = format!("{}{address}", self.addresses[at]);
                all.push(Configured { address, references, line: resource.line });
            }
        }
        all
    }

    /// Follows a reference through variables and outputs to resources.
    fn follow(&mut self, at: usize, reference: &str, depth: usize, found: &mut dyn FnMut(String)) {
        self.steps += 1;
        if depth > MAX_DEPTH || self.steps > MAX_STEPS {
            return;
        }
        let reference = plain(reference);
        let parts: Vec<&str> = reference.split('.').collect();
        let module = &self.all[at];
        let (mut next, mut steps): (Vec<(usize, &str)>, _) = (Vec::new(), 0);
        match parts.as_slice() {
            ["var", name, ..] => {
                let Some((parent, call)) = module.parent.zip(module.call) else { return };
                let mut written = Vec::new();
                steps += call.fields().len();
                if let Some(expression) = call.get(name) {
                    collect(expression, &mut written);
                }
                next.extend(written.into_iter().map(|reference| (parent, reference)));
            }
            ["module", name, output, ..] => {
                let Some(&child) = module.children.get(name) else { return };
                let mut written = Vec::new();
                steps += self.all[child].node.entries("outputs").len();
                if let Some(expression) = self.all[child].node.at(&["outputs", output, "expression"]) {
                    collect(expression, &mut written);
                }
                next.extend(written.into_iter().map(|reference| (child, reference)));
            }
            ["data" | "local" | "each" | "count" | "path" | "terraform" | "self" | "module", ..] | [_] | [] => {}
            [kind, name, ..] => {
                steps += FOUND;
                found(format!("{}{kind}.{name}", self.addresses[at]));
            }
        }
        self.steps += steps + next.len();
        for (at, reference) in next {
            self.follow(at, reference, depth + 1, found);
        }
    }
}

/// The references anywhere in an expression.
fn collect<'n>(node: &'n Node, found: &mut Vec<&'n str>) {
    match &node.value {
        Data::Object(fields) => {
            for (name, value) in fields {
                if name == "references" {
                    found.extend(value.as_list().iter().filter_map(Node::as_text));
                } else {
                    collect(value, found);
                }
            }
        }
        Data::List(items) => items.iter().for_each(|item| collect(item, found)),
        _ => {}
    }
}

/// An address without indexes: `a.b[0]` is `a.b`, and `module.m["x"].a.b` is `module.m.a.b`.
pub(super) fn plain(address: &str) -> String {
    let (mut out, mut depth, mut is_quoted) = (String::new(), 0_u32, false);
    for c in address.chars() {
        match c {
            '"' if depth > 0 => is_quoted = !is_quoted,
            '[' if !is_quoted => depth += 1,
            ']' if !is_quoted => depth = depth.saturating_sub(1),
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}
