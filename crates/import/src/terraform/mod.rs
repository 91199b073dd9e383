//! Terraform plans and states as JSON: the output of `terraform show -json`.
//!
//! Only resources of a table are components. Values of resources often contain secrets, so only some are kept by name.

mod kinds;
mod references;

use std::collections::{BTreeMap, HashMap, HashSet};

use self::{
    kinds::Kind,
    references::{Configured, Modules, REFERENCE_BYTES, plain},
};
use super::{
    builder::{Arrow, At, Builder, C, Draft},
    files::{File, Refusal},
    node::{Data, Node},
};

/// Steps for a resource.
const RESOURCE_STEPS: usize = 20;
/// Values that are kept as properties.
const KEPT: [(&str, &str); 8] = [
    ("region", "region"),
    ("location", "region"),
    ("availability_zone", "zone"),
    ("instance_type", "size"),
    ("instance_class", "size"),
    ("size", "size"),
    ("machine_type", "size"),
    ("sku_name", "size"),
];

/// Whether a file is a plan or state.
pub(super) fn recognizes(file: &File) -> bool {
    let text = file.text();
    let has = |name: &str| text.contains(name);
    has("\"format_version\"") && (has("\"planned_values\"") || has("\"root_module\""))
}

/// Reads plans and states.
pub(super) fn read(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    for &file in files {
        let root = builder.json(file)?;
        let values = root.get("planned_values").or_else(|| root.get("values"));
        let Some(module) = values.and_then(|values| values.get("root_module")) else {
            let text = "the file contains no resources; import the output of `terraform show -json`";
            return Err(builder.refusal(At::new(file, 1), text));
        };
        let mut plan = Plan { builder, file, known: HashMap::new(), groups: HashMap::new(), references: Vec::new() };
        plan.module(module, None)?;
        if let Some(configuration) = root.at(&["configuration", "root_module"]) {
            let found = Modules::new(plan.builder, file, configuration)?.resources()?;
            plan.references.extend(found);
        }
        plan.relate()?;
        builder.budget.release_trees();
    }
    Ok(())
}

struct Resource {
    component: C,
    kind: Kind,
    instances: u32,
    /// The group of the module.
    group: Option<C>,
}

struct Plan<'b, 's> {
    builder: &'b mut Builder<'s>,
    file: usize,
    /// Resources by their address without indexes.
    known: HashMap<String, Resource>,
    /// Groups of modules by address.
    groups: HashMap<String, C>,
    references: Vec<Configured>,
}

impl Plan<'_, '_> {
    fn module(&mut self, module: &Node, around: Option<C>) -> Result<(), Refusal> {
        let mut group = around;
        if let Some(address) = module.text("address").map(plain) {
            group = Some(match self.groups.get(&address) {
                Some(group) => *group,
                None => {
                    let name = address.rsplit('.').next().unwrap_or_default();
                    let at = At::new(self.file, module.line);
                    let group = self.builder.component(Draft::group(&address, name, at))?;
                    if let Some(around) = around {
                        self.builder.contain(around, group, at)?;
                    }
                    self.groups.insert(address, group);
                    group
                }
            });
        }
        for resource in module.items("resources") {
            self.resource(resource, group)?;
        }
        for child in module.items("child_modules") {
            self.module(child, group)?;
        }
        Ok(())
    }

    fn resource(&mut self, node: &Node, group: Option<C>) -> Result<(), Refusal> {
        let at = At::new(self.file, node.line);
        self.builder.charge_steps(RESOURCE_STEPS, at)?;
        let written = node.text("type").unwrap_or_default();
        let Some(address) = node.text("address").map(plain) else {
            self.builder.ignore("resources without address", 1);
            return Ok(());
        };
        if node.text("mode") == Some("data") {
            self.builder.ignore("data sources", 1);
            return Ok(());
        }
        let Some(kind) = kinds::kind(written) else {
            self.builder.ignore(written, 1);
            return Ok(());
        };
        if let Some(known) = self.known.get_mut(&address) {
            known.instances += 1;
            return Ok(());
        }
        let value = |name: &str| {
            let is_sensitive = node.at(&["sensitive_values", name]).is_some_and(|one| one.value == Data::Bool(true));
            node.get("values").and_then(|values| values.text(name)).filter(|_| !is_sensitive)
        };
        let names = ["name", "function_name", "bucket", "cluster_identifier", "identifier"];
        let name = names.into_iter().find_map(value).or_else(|| {
            let tags = node.at(&["values", "tags"])?;
            tags.text("Name")
        });
        let name = name.or_else(|| node.text("name")).unwrap_or(&address).to_owned();
        let mut draft = Draft::new(&address, name, kind.type_id, at);
        draft.is_fixed = true;
        draft.property("terraform", written);
        for (name, property) in KEPT {
            draft.property(property, value(name).unwrap_or_default());
        }
        draft.technology.extend(["engine", "runtime"].into_iter().filter_map(value).map(str::to_owned));
        draft.description = value("description").map(str::to_owned);
        let tags = ["tags", "labels"].into_iter().filter_map(|name| node.at(&["values", name]));
        let tags: Vec<(&str, &str)> =
            tags.flat_map(Node::fields).filter_map(|(name, value)| Some((name.as_str(), value.as_text()?))).collect();
        for name in ["planroom.type", "planroom.id"] {
            let value = tags.iter().find(|(known, _)| *known == name);
            draft.property(name, value.map_or("", |(_, value)| value));
        }
        let is = |name: &str, known: &str| name.eq_ignore_ascii_case(known);
        let owner = ["planroom.owner", "owner", "team"]
            .into_iter()
            .find_map(|known| tags.iter().find(|(name, _)| is(name, known)));
        draft.owners.extend(owner.map(|(_, owner)| (*owner).to_owned()));
        let component = self.builder.component(draft)?;
        let depends = node.texts("depends_on").map(|text| (plain(text), None)).collect::<Vec<_>>();
        let bytes: usize = depends.iter().map(|(text, _)| REFERENCE_BYTES + text.len()).sum();
        self.builder.charge(bytes, at)?;
        if !depends.is_empty() {
            self.references.push(Configured { address: address.clone(), references: depends, line: node.line });
        }
        self.known.insert(address, Resource { component, kind, instances: 1, group });
        Ok(())
    }

    /// Puts resources into others, and draws what they refer to.
    fn relate(&mut self) -> Result<(), Refusal> {
        for resource in self.known.values().filter(|resource| resource.instances > 1) {
            let count = resource.instances.into();
            self.builder.edit(resource.component).properties.push(("instances".into(), count));
        }
        let mut wholes: BTreeMap<C, (u8, C, At)> = BTreeMap::new();
        let (mut drawn, mut arrows, mut around) = (HashSet::new(), Vec::new(), 0);
        for configured in std::mem::take(&mut self.references) {
            let Some(from) = self.known.get(&configured.address) else { continue };
            let at = At::new(self.file, configured.line);
            for (address, argument) in configured.references {
                self.builder.charge_steps(2, at)?;
                let Some(to) = self.known.get(&address) else { continue };
                if to.component == from.component || !drawn.insert((from.component, to.component)) {
                    continue;
                }
                // Only what stands directly in an argument places a resource.
                let is_inside = to.kind.rank > from.kind.rank && argument.is_some();
                if !is_inside {
                    arrows.push((from.component, to.component, at));
                    continue;
                }
                let new = (to.kind.rank, to.component, at);
                match wholes.get(&from.component) {
                    Some(known) if known.0 <= new.0 => around += 1,
                    known => {
                        around += usize::from(known.is_some());
                        wholes.insert(from.component, new);
                    }
                }
            }
        }
        self.builder.ignore("references to groups further out", around);
        for (part, (_, whole, at)) in &wholes {
            self.builder.contain(*whole, *part, *at)?;
        }
        let mut all: Vec<&Resource> = self.known.values().collect();
        all.sort_by_key(|resource| resource.component);
        for resource in all {
            let at = self.builder.edit(resource.component).at;
            // The module of a network is also the module of what is in the network.
            if let Some(group) = resource.group.filter(|_| !wholes.contains_key(&resource.component)) {
                self.builder.contain(group, resource.component, at)?;
            }
        }
        for (from, to, at) in arrows {
            self.builder.arrow(Arrow { type_id: Some("depends-on"), ..Arrow::new(from, to, at) })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
