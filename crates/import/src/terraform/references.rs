//! References in the configuration of a plan.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use crate::{
    builder::{At, Builder},
    files::Refusal,
    node::{Data, Node},
};

/// Maximum number of steps from a reference to a resource.
const MAX_DEPTH: usize = 16;
/// Steps for resolving a reference.
const FOLLOW_STEPS: usize = 4;
/// Memory of a reference without its text, in bytes.
pub(super) const REFERENCE_BYTES: usize = 120;

/// A module of the configuration.
struct Module<'n> {
    node: &'n Node,
    parent: Option<usize>,
    /// The expressions of the call that makes it.
    call: Option<&'n Node>,
    children: HashMap<&'n str, usize>,
}

/// The modules of a configuration by their address, such as `module.network`.
pub(super) struct Modules<'b, 's, 'n> {
    builder: &'b Builder<'s>,
    file: usize,
    all: Vec<Module<'n>>,
    addresses: Vec<String>,
    /// Cached references in expressions, by the memory address of the expression.
    collected: HashMap<*const Node, Rc<[&'n str]>>,
}

/// A resource in the configuration, and what it refers to.
pub(super) struct Configured {
    pub(super) address: String,
    /// Addresses, with the name of the argument if it is not nested.
    pub(super) references: Vec<(String, Option<String>)>,
    pub(super) line: u32,
}

impl<'b, 's, 'n> Modules<'b, 's, 'n> {
    pub(super) fn new(builder: &'b Builder<'s>, file: usize, root: &'n Node) -> Result<Self, Refusal> {
        let mut all = Self { builder, file, all: Vec::new(), addresses: Vec::new(), collected: HashMap::new() };
        all.add(root, None, None, String::new())?;
        Ok(all)
    }

    fn add(
        &mut self,
        node: &'n Node,
        parent: Option<usize>,
        call: Option<&'n Node>,
        address: String,
    ) -> Result<usize, Refusal> {
        let own = self.all.len();
        self.builder.charge(2 * size_of::<Module<'_>>() + address.capacity(), self.at(node))?;
        self.all.push(Module { node, parent, call, children: HashMap::new() });
        self.addresses.push(address);
        for (name, call) in node.entries("module_calls") {
            let Some(module) = call.get("module") else { continue };
            let address = format!("{}module.{name}.", self.addresses[own]);
            let child = self.add(module, Some(own), call.get("expressions"), address)?;
            self.all[own].children.insert(name, child);
        }
        Ok(own)
    }

    fn at(&self, node: &Node) -> At {
        At::new(self.file, node.line)
    }

    /// All resources with what they refer to.
    pub(super) fn resources(&mut self) -> Result<Vec<Configured>, Refusal> {
        let mut all = Vec::new();
        for at in 0..self.all.len() {
            for resource in self.all[at].node.items("resources") {
                let Some(address) = resource.text("address") else { continue };
                let place = self.at(resource);
                let mut references = References { found: Vec::new(), known: HashSet::new(), place };
                for (name, expression) in resource.entries("expressions") {
                    let is_direct = expression.get("references").is_some();
                    let argument = is_direct.then_some(name.as_str());
                    for reference in &*self.references_in(expression, place)? {
                        self.follow(at, reference, 0, argument, &mut references)?;
                    }
                }
                for reference in resource.texts("depends_on") {
                    self.follow(at, reference, 0, None, &mut references)?;
                }
                let address = format!("{}{address}", self.addresses[at]);
                self.builder.charge(REFERENCE_BYTES + address.len(), place)?;
                all.push(Configured { address, references: references.found, line: resource.line });
            }
        }
        Ok(all)
    }

    /// Returns all references in an expression, including nested ones.
    fn references_in(&mut self, expression: &'n Node, place: At) -> Result<Rc<[&'n str]>, Refusal> {
        if let Some(known) = self.collected.get(&std::ptr::from_ref(expression)) {
            return Ok(Rc::clone(known));
        }
        let mut found = Vec::new();
        collect(expression, &mut found);
        self.builder.charge(REFERENCE_BYTES + size_of_val(&*found), place)?;
        let found: Rc<[&str]> = found.into();
        self.collected.insert(expression, Rc::clone(&found));
        Ok(found)
    }

    /// Follows a reference through variables and outputs to resources.
    fn follow(
        &mut self,
        at: usize,
        reference: &str,
        depth: usize,
        argument: Option<&str>,
        references: &mut References,
    ) -> Result<(), Refusal> {
        self.builder.charge_steps(FOLLOW_STEPS + reference.len() / 16, references.place)?;
        if depth > MAX_DEPTH {
            return Ok(());
        }
        let reference = plain(reference);
        let parts: Vec<&str> = reference.split('.').collect();
        let module = &self.all[at];
        let (next, fields) = match parts.as_slice() {
            ["var", name, ..] => match module.parent.zip(module.call) {
                Some((parent, call)) => (call.get(name).map(|expression| (parent, expression)), call.fields().len()),
                None => (None, 0),
            },
            ["module", name, output, ..] => match module.children.get(name) {
                Some(&child) => {
                    let outputs = self.all[child].node.entries("outputs");
                    let expression = self.all[child].node.at(&["outputs", output, "expression"]);
                    (expression.map(|expression| (child, expression)), outputs.len())
                }
                None => (None, 0),
            },
            ["data" | "local" | "each" | "count" | "path" | "terraform" | "self" | "module", ..] | [_] | [] => {
                (None, 0)
            }
            [kind, name, ..] => {
                let address = format!("{}{kind}.{name}", self.addresses[at]);
                return references.add(self.builder, address, argument);
            }
        };
        self.builder.charge_steps(fields / 8, references.place)?;
        let Some((at, expression)) = next else { return Ok(()) };
        for reference in &*self.references_in(expression, references.place)? {
            self.follow(at, reference, depth + 1, argument, references)?;
        }
        Ok(())
    }
}

/// The references of a resource, without duplicates.
struct References {
    found: Vec<(String, Option<String>)>,
    known: HashSet<(String, Option<String>)>,
    place: At,
}

impl References {
    fn add(&mut self, builder: &Builder<'_>, address: String, argument: Option<&str>) -> Result<(), Refusal> {
        let bytes = address.len() + argument.map_or(0, str::len);
        builder.charge_steps(FOLLOW_STEPS + bytes / 16, self.place)?;
        let one = (address, argument.map(str::to_owned));
        if self.known.insert(one.clone()) {
            builder.charge(2 * (REFERENCE_BYTES + bytes), self.place)?;
            self.found.push(one);
        }
        Ok(())
    }
}

/// The references anywhere in an expression.
fn collect<'n>(node: &'n Node, found: &mut Vec<&'n str>) {
    match &node.value {
        Data::Object(fields) => {
            for (name, value) in fields.iter() {
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
