//! Workspaces as JSON, with the positions of the map in their views.
//!
//! Elements are converted to JSON one by one while they are written: the JSON of a large map takes many times its memory.

use std::collections::HashSet;

use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map as Fields, Value, json};

use super::{
    plan::{Kind, Plan},
    processes,
};
use crate::{
    map::{Map, Rect},
    text::one_line,
    tree::Tree,
    types,
};

/// Maximum number of views of systems and containers.
const MAX_VIEWS: usize = 200;
/// Free space around the contents of a view.
const MARGIN: f64 = 100.0;

pub(crate) fn json(map: &Map, tree: &Tree<'_>) -> String {
    let plan = Plan::of(map, tree);
    let writer = Writer::of(&plan);
    let workspace =
        Workspace { name: &map.name, description: &map.description, model: writer.model(), views: writer.views() };
    // Nothing in it can fail: all keys are texts.
    serde_json::to_string_pretty(&workspace).unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct Workspace<'w> {
    name: &'w str,
    description: &'w str,
    model: Model<'w>,
    views: ViewLists<'w>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Model<'w> {
    people: Vec<ElementOf<'w>>,
    software_systems: Vec<ElementOf<'w>>,
    deployment_nodes: Vec<ElementOf<'w>>,
    properties: Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ViewLists<'w> {
    system_landscape_views: Vec<View<'w>>,
    container_views: Vec<View<'w>>,
    component_views: Vec<View<'w>>,
    dynamic_views: Vec<View<'w>>,
    configuration: Value,
}

/// An element with its parts.
struct ElementOf<'w> {
    writer: &'w Writer<'w>,
    element: usize,
}

/// A view of elements at their places, moved to the top left corner.
struct View<'w> {
    writer: &'w Writer<'w>,
    shown: Vec<usize>,
    /// None: those between the elements.
    relationships: Option<Vec<Value>>,
    fields: Fields<String, Value>,
}

struct Writer<'p> {
    plan: &'p Plan<'p>,
    /// For each element, its parts, in order.
    parts: Vec<Vec<usize>>,
    /// For each element, the relationships that begin there.
    relations: Vec<Vec<usize>>,
    /// For each element, the instances on it.
    instances: Vec<Vec<usize>>,
}

impl<'p> Writer<'p> {
    fn of(plan: &'p Plan<'p>) -> Self {
        let lists = || vec![Vec::new(); plan.elements.len()];
        let mut writer = Self { plan, parts: lists(), relations: lists(), instances: lists() };
        for (element, one) in plan.elements.iter().enumerate() {
            if let Some(parent) = one.parent {
                writer.parts[parent].push(element);
            }
        }
        for (at, one) in plan.relations.iter().enumerate() {
            writer.relations[one.from].push(at);
        }
        for (at, (_, node)) in plan.instances.iter().enumerate() {
            writer.instances[*node].push(at);
        }
        writer
    }

    /// The id of an element. Ids of relationships and instances follow.
    fn id(element: usize) -> String {
        (element + 1).to_string()
    }

    fn relation_id(&self, relation: usize) -> String {
        (self.plan.elements.len() + relation + 1).to_string()
    }

    fn instance_id(&self, instance: usize) -> String {
        (self.plan.elements.len() + self.plan.relations.len() + instance + 1).to_string()
    }

    fn model(&self) -> Model<'_> {
        let (mut people, mut software_systems, mut deployment_nodes) = (Vec::new(), Vec::new(), Vec::new());
        for (element, one) in self.plan.elements.iter().enumerate().filter(|(_, one)| one.parent.is_none()) {
            match one.kind {
                Kind::Person => people.push(ElementOf { writer: self, element }),
                Kind::Node => deployment_nodes.push(ElementOf { writer: self, element }),
                _ => software_systems.push(ElementOf { writer: self, element }),
            }
        }
        let properties = json!({ "structurizr.groupSeparator": self.plan.separator.to_string() });
        Model { people, software_systems, deployment_nodes, properties }
    }

    fn relation(&self, at: usize) -> Value {
        let one = &self.plan.relations[at];
        let row = one.edge.row;
        let mut value = json!({
            "id": self.relation_id(at),
            "sourceId": Self::id(one.from),
            "destinationId": Self::id(one.to),
            "description": one.description,
            "technology": row.technology.join(", "),
            "tags": format!("Relationship,planroom:{}", row.type_id),
            "properties": { "planroom.id": row.id },
        });
        if row.is_bidirectional {
            value["properties"]["bidirectional"] = "true".into();
        }
        value
    }

    fn instance(&self, at: usize) -> Value {
        let (from, _) = self.plan.instances[at];
        let field = if self.plan.elements[from].kind == Kind::System { "softwareSystemId" } else { "containerId" };
        json!({ "id": self.instance_id(at), field: Self::id(from), "environment": "Live", "instanceId": at + 1 })
    }

    fn element(&self, element: usize) -> Fields<String, Value> {
        let (one, row) = (&self.plan.elements[element], self.plan.component(element));
        let default = match one.kind {
            Kind::Person => "Element,Person",
            Kind::System => "Element,Software System",
            Kind::Container => "Element,Container",
            Kind::Component => "Element,Component",
            Kind::Node => "Element,Deployment Node",
        };
        let tags: Vec<String> = std::iter::once(default.to_owned()).chain(self.plan.tags(element)).collect();
        let mut properties: Fields<String, Value> =
            self.plan.properties(element).into_iter().map(|(name, value)| (one_line(name), value.into())).collect();
        let mut fields = Fields::new();
        let mut field = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        field("id", Self::id(element).into());
        field("name", one.name.as_str().into());
        field("description", row.description.as_str().into());
        match one.kind {
            Kind::Person | Kind::System if row.technology.is_empty() => {}
            Kind::Person | Kind::System => {
                properties.insert("planroom.technology".into(), row.technology.join(", ").into());
            }
            _ => drop(field("technology", row.technology.join(", ").into())),
        }
        field("tags", tags.join(",").into());
        if let Some(url) = row.links.first() {
            field("url", url.as_str().into());
        }
        if !one.groups.is_empty() {
            field("group", one.groups.join(&self.plan.separator.to_string()).into());
        }
        if one.kind == Kind::Node {
            field("environment", "Live".into());
        }
        field("properties", Value::Object(properties));
        fields
    }

    fn views(&self) -> ViewLists<'_> {
        let plan = self.plan;
        let all = || 0..plan.elements.len();
        let kind = |element: usize| plan.elements[element].kind;
        let (mut container_views, mut component_views) = (Vec::new(), Vec::new());
        let scopes = all().filter(|at| kind(*at) != Kind::Node && !self.parts[*at].is_empty());
        for (number, scope) in scopes.take(MAX_VIEWS).enumerate() {
            let (list, word) = if kind(scope) == Kind::System {
                (&mut container_views, "containers")
            } else {
                (&mut component_views, "components")
            };
            let mut view = self.view(self.parts[scope].clone(), &format!("{word}-{}", number + 1));
            let system = if kind(scope) == Kind::System { Some(scope) } else { plan.elements[scope].parent };
            view.set("softwareSystemId", system.map(Self::id));
            if kind(scope) == Kind::Container {
                view.set("containerId", Self::id(scope));
            }
            list.push(view);
        }
        let top: Vec<usize> = all().filter(|at| matches!(kind(*at), Kind::Person | Kind::System)).collect();
        let has_top = !top.is_empty();
        let styles = types::STRUCTURIZR_SHAPES.iter().map(|(type_id, shape)| {
            let tag = if *type_id == "person" { "Person".to_owned() } else { format!("planroom:{type_id}") };
            json!({ "tag": tag, "shape": shape })
        });
        ViewLists {
            system_landscape_views: has_top.then(|| self.view(top, "landscape")).into_iter().collect(),
            container_views,
            component_views,
            dynamic_views: processes::of(plan).0.iter().map(|view| self.dynamic(view)).collect(),
            configuration: json!({ "styles": { "elements": styles.collect::<Vec<_>>() } }),
        }
    }

    fn view(&self, shown: Vec<usize>, key: &str) -> View<'_> {
        let mut view = View { writer: self, shown, relationships: None, fields: Fields::new() };
        view.set("key", key);
        view
    }

    fn dynamic(&self, dynamic: &processes::Dynamic<'_>) -> View<'_> {
        let mut shown: Vec<usize> = dynamic.steps.iter().flat_map(|step| [step.from, step.to]).collect();
        shown.sort_unstable();
        shown.dedup();
        let mut view = self.view(shown, &dynamic.key);
        let steps = dynamic.steps.iter().enumerate().map(|(number, step)| {
            json!({
                "id": self.relation_id(step.relation),
                "description": step.text,
                "order": (number + 1).to_string(),
                "response": step.is_response,
            })
        });
        view.relationships = Some(steps.collect());
        view.set("title", dynamic.process.name.as_str());
        view.set("description", dynamic.process.description.as_str());
        if let Some(scope) = dynamic.scope {
            view.set("elementId", Self::id(scope));
        }
        view
    }
}

impl View<'_> {
    fn set(&mut self, field: &str, value: impl Into<Value>) {
        self.fields.insert(field.to_owned(), value.into());
    }
}

impl Serialize for ElementOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { writer, element } = *self;
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in writer.element(element) {
            map.serialize_entry(&name, &value)?;
        }
        if !writer.relations[element].is_empty() {
            map.serialize_entry("relationships", &Each(&writer.relations[element], |at| writer.relation(at)))?;
        }
        let is_system = |at: &usize| writer.plan.elements[writer.plan.instances[*at].0].kind == Kind::System;
        let (systems, containers): (Vec<usize>, Vec<usize>) =
            writer.instances[element].iter().partition(|at| is_system(at));
        for (name, instances) in [("softwareSystemInstances", systems), ("containerInstances", containers)] {
            if !instances.is_empty() {
                map.serialize_entry(name, &Each(&instances, |at| writer.instance(at)))?;
            }
        }
        for (name, kind) in [("containers", Kind::Container), ("components", Kind::Component), ("children", Kind::Node)]
        {
            let parts = writer.parts[element].iter().copied().filter(|part| writer.plan.elements[*part].kind == kind);
            let parts: Vec<usize> = parts.collect();
            if !parts.is_empty() {
                map.serialize_entry(name, &Each(&parts, |element| ElementOf { writer, element }))?;
            }
        }
        map.end()
    }
}

impl Serialize for View<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { writer, shown, relationships, fields } = self;
        let plan = writer.plan;
        let rect = |at: &usize| plan.component(*at).rect;
        let [left, top] = [|rect: Rect| rect.x, |rect: Rect| rect.y]
            .map(|of| shown.iter().map(|at| of(rect(at))).fold(f64::INFINITY, f64::min));
        let place = |value: f64, start: f64| rounded(value - start + MARGIN);
        let element = |at: usize| {
            let Rect { x, y, .. } = rect(&at);
            json!({ "id": Writer::id(at), "x": place(x, left), "y": place(y, top) })
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("elements", &Each(shown, element))?;
        if let Some(relationships) = relationships {
            map.serialize_entry("relationships", relationships)?;
        } else {
            let is_shown: HashSet<usize> = shown.iter().copied().collect();
            let between = plan.relations.iter().enumerate();
            let between = between.filter(|(_, one)| is_shown.contains(&one.from) && is_shown.contains(&one.to));
            let between: Vec<usize> = between.map(|(at, _)| at).collect();
            map.serialize_entry("relationships", &Each(&between, |at| json!({ "id": writer.relation_id(at) })))?;
        }
        for (name, value) in fields {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// A list whose items are made when they are written.
struct Each<'l, F>(&'l [usize], F);

impl<T: Serialize, F: Fn(usize) -> T> Serialize for Each<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|at| (self.1)(*at)))
    }
}

/// A coordinate as an integer, which Structurizr requires.
#[expect(clippy::cast_possible_truncation, reason = "the value is limited before")]
fn rounded(value: f64) -> Value {
    if value.is_finite() { json!(value.clamp(-1e9, 1e9).round() as i64) } else { json!(0) }
}
