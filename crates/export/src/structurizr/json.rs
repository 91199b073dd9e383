//! Workspaces as JSON, with the positions of the map in their views.

use serde_json::{Map as Fields, Value, json};

use super::{
    plan::{Element, Kind, Plan},
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
    let writer = Writer { plan: &plan };
    let workspace = json!({
        "name": map.name,
        "description": map.description,
        "model": writer.model(),
        "views": writer.views(),
    });
    format!("{workspace:#}\n")
}

struct Writer<'p, 'm> {
    plan: &'p Plan<'m>,
}

impl Writer<'_, '_> {
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

    fn model(&self) -> Value {
        let plan = self.plan;
        let mut values: Vec<Option<Fields<String, Value>>> =
            (0..plan.elements.len()).map(|element| Some(self.element(element))).collect();
        for (at, one) in plan.relations.iter().enumerate() {
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
            push(values[one.from].as_mut(), "relationships", value);
        }
        for (at, (from, node)) in plan.instances.iter().enumerate() {
            let (list, field) = match plan.elements[*from].kind {
                Kind::System => ("softwareSystemInstances", "softwareSystemId"),
                _ => ("containerInstances", "containerId"),
            };
            let value = json!({ "id": self.instance_id(at), field: Self::id(*from), "environment": "Live", "instanceId": at + 1 });
            push(values[*node].as_mut(), list, value);
        }
        let mut model = Fields::new();
        for list in ["people", "softwareSystems", "deploymentNodes"] {
            model.insert(list.into(), Value::Array(Vec::new()));
        }
        // Parents come before their parts, so that parts are complete when they are moved into their parents.
        for element in (0..plan.elements.len()).rev() {
            let Element { kind, parent, .. } = plan.elements[element];
            let list = match kind {
                Kind::Person => "people",
                Kind::System => "softwareSystems",
                Kind::Container => "containers",
                Kind::Component => "components",
                Kind::Node if parent.is_some() => "children",
                Kind::Node => "deploymentNodes",
            };
            let value = values[element].take().map_or(Value::Null, Value::Object);
            let around = match parent {
                Some(parent) => values[parent].as_mut(),
                None => Some(&mut model),
            };
            push(around, list, value);
        }
        let mut model = Value::Object(model);
        reverse(&mut model);
        model["properties"] = json!({ "structurizr.groupSeparator": plan.separator.to_string() });
        model
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

    fn views(&self) -> Value {
        let plan = self.plan;
        let all = || 0..plan.elements.len();
        let kind = |element: usize| plan.elements[element].kind;
        let top: Vec<usize> = all().filter(|at| matches!(kind(*at), Kind::Person | Kind::System)).collect();
        let mut parts: Vec<Vec<usize>> = vec![Vec::new(); plan.elements.len()];
        for element in all().filter(|at| kind(*at) != Kind::Node) {
            if let Some(parent) = plan.elements[element].parent {
                parts[parent].push(element);
            }
        }
        let (mut containers, mut components) = (Vec::new(), Vec::new());
        for (number, scope) in all().filter(|at| !parts[*at].is_empty()).take(MAX_VIEWS).enumerate() {
            let mut view = self.view(&parts[scope]);
            let (list, word) = if kind(scope) == Kind::System {
                (&mut containers, "containers")
            } else {
                (&mut components, "components")
            };
            view["key"] = format!("{word}-{}", number + 1).into();
            let system = if kind(scope) == Kind::System { Some(scope) } else { plan.elements[scope].parent };
            view["softwareSystemId"] = system.map(Self::id).into();
            if kind(scope) == Kind::Container {
                view["containerId"] = Self::id(scope).into();
            }
            list.push(view);
        }
        let mut landscape = self.view(&top);
        landscape["key"] = "landscape".into();
        let dynamic: Vec<Value> = processes::of(plan).0.iter().map(|view| self.dynamic(view)).collect();
        let styles = types::STRUCTURIZR_SHAPES.iter().map(|(type_id, shape)| {
            let tag = if *type_id == "person" { "Person".to_owned() } else { format!("planroom:{type_id}") };
            json!({ "tag": tag, "shape": shape })
        });
        json!({
            "systemLandscapeViews": if top.is_empty() { Vec::new() } else { vec![landscape] },
            "containerViews": containers,
            "componentViews": components,
            "dynamicViews": dynamic,
            "configuration": { "styles": { "elements": styles.collect::<Vec<_>>() } },
        })
    }

    /// A view of elements at their places, moved to the top left corner.
    fn view(&self, shown: &[usize]) -> Value {
        let places: Vec<Rect> = shown.iter().map(|at| self.plan.component(*at).rect).collect();
        let [left, top] =
            [|rect: &Rect| rect.x, |rect: &Rect| rect.y].map(|of| places.iter().map(of).fold(f64::INFINITY, f64::min));
        let place = |value: f64, start: f64| rounded(value - start + MARGIN);
        let elements = shown
            .iter()
            .zip(&places)
            .map(|(at, rect)| json!({ "id": Self::id(*at), "x": place(rect.x, left), "y": place(rect.y, top) }));
        let is_shown: std::collections::HashSet<usize> = shown.iter().copied().collect();
        let between = self.plan.relations.iter().enumerate();
        let between = between.filter(|(_, one)| is_shown.contains(&one.from) && is_shown.contains(&one.to));
        json!({
            "elements": elements.collect::<Vec<_>>(),
            "relationships": between.map(|(at, _)| json!({ "id": self.relation_id(at) })).collect::<Vec<_>>(),
        })
    }

    fn dynamic(&self, view: &processes::Dynamic<'_>) -> Value {
        let mut shown: Vec<usize> = view.steps.iter().flat_map(|step| [step.from, step.to]).collect();
        shown.sort_unstable();
        shown.dedup();
        let mut value = self.view(&shown);
        let steps = view.steps.iter().enumerate().map(|(number, step)| {
            json!({
                "id": self.relation_id(step.relation),
                "description": step.text,
                "order": (number + 1).to_string(),
                "response": step.is_response,
            })
        });
        value["relationships"] = steps.collect();
        value["key"] = view.key.as_str().into();
        value["title"] = view.process.name.as_str().into();
        value["description"] = view.process.description.as_str().into();
        if let Some(scope) = view.scope {
            value["elementId"] = Self::id(scope).into();
        }
        value
    }
}

fn push(fields: Option<&mut Fields<String, Value>>, list: &str, value: Value) {
    if let Some(fields) = fields
        && let Value::Array(list) = fields.entry(list).or_insert_with(|| Value::Array(Vec::new()))
    {
        list.push(value);
    }
}

/// Lists of elements were filled from the end.
fn reverse(value: &mut Value) {
    const LISTS: [&str; 6] = ["people", "softwareSystems", "containers", "components", "deploymentNodes", "children"];
    for name in LISTS {
        if let Some(Value::Array(list)) = value.get_mut(name) {
            list.reverse();
            list.iter_mut().for_each(reverse);
        }
    }
}

/// A coordinate as an integer, which Structurizr requires.
#[expect(clippy::cast_possible_truncation, reason = "the value is limited before")]
fn rounded(value: f64) -> Value {
    if value.is_finite() { json!(value.clamp(-1e9, 1e9).round() as i64) } else { json!(0) }
}
