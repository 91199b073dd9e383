//! Kubernetes manifests: workloads, and what they connect to.
//!
//! Services are folded into the workloads that they select. Manifests do not say who calls whom, so hosts in the
//! environment of containers that are services become relationships with the property `inferred`.

mod environment;
mod object;
mod policies;
mod selectors;

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use self::{environment::Environment, object::Object, selectors::Selectors};
use super::{
    builder::{Arrow, At, Builder, C, Draft},
    compose::product,
    files::{File, Refusal},
    node::Node,
    roots, types,
};

/// Versions of APIs that have only workloads, with their kinds.
const WORKLOADS: [(&str, &[&str]); 2] = [
    ("apps/v1", &["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ControllerRevision"]),
    ("batch/v1", &["Job", "CronJob"]),
];

/// Steps for looking up a service by its host.
const HOST_STEPS: usize = 8;
/// Memory of an object, of a service, and of a workload of a service, in bytes.
const OBJECT_BYTES: usize = 300;
const SERVICE_BYTES: usize = 200;
const WORKLOAD_BYTES: usize = 64;

/// Whether a file contains manifests.
pub(super) fn recognizes(file: &File) -> bool {
    let text = file.text();
    let is_yaml = file.has_extension(&["yaml", "yml"]);
    let has = |name: &str| text.contains(name);
    let is_json = || text.trim_start().starts_with(['{', '[']) || has("\n{");
    (is_yaml && roots::has(text, "apiVersion") && roots::has(text, "kind"))
        || ((is_yaml || file.has_extension(&["json"]))
            && (!is_yaml || is_json())
            && has("\"apiVersion\"")
            && has("\"kind\"")
            && has("\"metadata\""))
}

/// Reads manifests.
pub(super) fn read(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    builder.scope(Some(":"));
    let (mut objects, mut known) = (Vec::new(), HashMap::new());
    for &file in files {
        for document in builder.yaml(file)? {
            let before = objects.len();
            let others = object::add(&document, file, &mut objects);
            builder.charge(OBJECT_BYTES * (objects.len() - before), At::new(file, document.line))?;
            builder.ignore("documents that are no objects", others);
        }
    }
    objects.retain(|object| {
        // A kustomization has no name of its own, so that several are no duplicates.
        let is_new = known.insert(object.key(), object.at).is_none() || object.kind == "Kustomization";
        if !is_new {
            builder.warn(object.at, format!("`{}` appears twice; this one was not imported", object.key()));
        }
        is_new
    });
    let mut cluster = Cluster {
        builder,
        objects: &objects,
        components: vec![None; objects.len()],
        services: HashMap::new(),
        selectors: Selectors::default(),
        drawn: HashSet::new(),
    };
    cluster.add()?;
    cluster.fold()?;
    cluster.route()?;
    cluster.infer()?;
    cluster.allow()
}

struct Cluster<'b, 's, 'o> {
    builder: &'b mut Builder<'s>,
    objects: &'o [Object],
    /// The component of each object.
    components: Vec<Option<C>>,
    /// The components behind each service, by `namespace/name`.
    services: HashMap<String, Rc<[C]>>,
    selectors: Selectors<'o>,
    drawn: HashSet<(C, C)>,
}

/// The type of a workload or gateway; none for other kinds.
fn level(kind: &str) -> Option<&'static str> {
    match kind {
        "Deployment"
        | "StatefulSet"
        | "DaemonSet"
        | "ReplicaSet"
        | "ReplicationController"
        | "Pod"
        | "Rollout"
        | "DeploymentConfig"
        | "KnativeService" => Some("service"),
        "CronJob" | "Job" => Some("job"),
        "Ingress" | "Gateway" => Some("gateway"),
        _ => None,
    }
}

impl Cluster<'_, '_, '_> {
    /// Adds components, with a group for each namespace if there are several.
    fn add(&mut self) -> Result<(), Refusal> {
        let own = |object: &&Object| level(&object.kind).is_some() && !object.is_owned();
        let namespaces: HashSet<&str> =
            self.objects.iter().filter(own).map(|object| object.namespace.as_str()).collect();
        let (mut groups, mut systems) = (HashMap::new(), HashMap::new());
        for (number, object) in self.objects.iter().enumerate() {
            let Some(level) = level(&object.kind).filter(|_| !object.is_owned()) else {
                self.pass(object);
                continue;
            };
            let mut draft = draft(object, level);
            draft.owners.extend(object.owner().map(str::to_owned));
            let component = self.builder.component(draft)?;
            self.components[number] = Some(component);
            let namespace = object.namespace.as_str();
            let mut whole = None;
            if namespaces.len() > 1 {
                whole = Some(match groups.get(namespace) {
                    Some(group) => *group,
                    None => {
                        let draft = Draft::group(format!("namespace/{namespace}"), namespace, object.at);
                        let group = self.builder.component(draft)?;
                        groups.insert(namespace, group);
                        group
                    }
                });
            }
            if let Some(system) = object.label("app.kubernetes.io/part-of") {
                let around = whole;
                let system = match systems.get(&(namespace, system)) {
                    Some(system) => *system,
                    None => {
                        let key = format!("part-of/{namespace}/{system}");
                        let draft = Draft { is_fixed: true, ..Draft::new(key, system, "system", object.at) };
                        let component = self.builder.component(draft)?;
                        systems.insert((namespace, system), component);
                        component
                    }
                };
                if let Some(around) = around {
                    self.builder.contain(around, system, object.at)?;
                }
                whole = Some(system);
            }
            if let Some(whole) = whole {
                self.builder.contain(whole, component, object.at)?;
            }
        }
        Ok(())
    }

    /// Counts an object that is no component.
    fn pass(&mut self, object: &Object) {
        match object.kind.as_str() {
            "Service" | "ConfigMap" | "NetworkPolicy" | "HTTPRoute" | "GRPCRoute" | "TCPRoute" | "TLSRoute" => {}
            "Kustomization" => self.builder.info(
                object.at,
                "only the files themselves are read; to import an overlay, import the output of `kubectl kustomize`",
            ),
            kind => {
                self.builder.ignore(kind, 1);
                self.note_unknown_kind(object);
            }
        }
    }

    /// Reports an object whose API has only workloads, and no such kind: its component would be gone because of a misspelling.
    fn note_unknown_kind(&mut self, object: &Object) {
        let version = object.node.text("apiVersion").unwrap_or_default();
        let Some((_, kinds)) = WORKLOADS.iter().find(|(group, _)| version.starts_with(group)) else { return };
        let kind = object.kind.trim_end_matches("List");
        if kinds.contains(&kind) {
            return;
        }
        let text = format!("`{version}` has no kind `{}`; its kinds are {}", object.kind, kinds.join(", "));
        let file = Some(self.builder.files.at(object.at.file).name().to_owned());
        if self.builder.unreadable.last().is_none_or(|last| last.file != file) {
            self.builder.unreadable.push(Refusal { file, line: Some(object.at.line), text: text.clone() });
        }
        self.builder.warn(object.at, text);
    }

    /// Folds services into the workloads that they select.
    fn fold(&mut self) -> Result<(), Refusal> {
        let mut names: HashMap<C, Vec<&str>> = HashMap::new();
        self.selectors = Selectors::new(self.builder, self.objects, &self.components)?;
        let objects = self.objects;
        for service in objects.iter().filter(|object| object.kind == "Service") {
            let spec = service.spec();
            let key = format!("{}/{}", service.namespace, service.name);
            if spec.text("type") == Some("ExternalName") {
                let mut draft = Draft::new(service.key(), &service.name, "external-system", service.at);
                draft.property("kubernetes", "Service");
                draft.property("host", spec.text("externalName").unwrap_or_default());
                let component = self.builder.component(draft)?;
                self.services.insert(key, Rc::from([component]));
                continue;
            }
            let behind =
                self.selectors.select(self.builder, &service.namespace, spec.entries("selector"), service.at)?;
            self.builder.charge_steps(behind.len(), service.at)?;
            self.builder.charge(SERVICE_BYTES + WORKLOAD_BYTES * behind.len(), service.at)?;
            for component in &*behind {
                names.entry(*component).or_default().push(&service.name);
            }
            if behind.is_empty() {
                self.builder.ignore("services without workloads", 1);
            }
            self.services.insert(key, behind);
        }
        for service in self.objects.iter().zip(&self.components).filter(|(object, _)| object.kind == "KnativeService") {
            if let (object, Some(component)) = service {
                self.services
                    .entry(format!("{}/{}", object.namespace, object.name))
                    .or_insert_with(|| Rc::from([*component]));
            }
        }
        for (component, names) in names {
            self.builder.edit(component).properties.push(("services".into(), names.into()));
        }
        Ok(())
    }

    /// Draws what ingresses and routes say.
    fn route(&mut self) -> Result<(), Refusal> {
        let gateways = self.objects.iter().zip(&self.components).filter(|(object, _)| object.kind == "Gateway");
        let gateways: HashMap<(&str, &str), C> = gateways
            .filter_map(|(object, component)| Some(((object.namespace.as_str(), object.name.as_str()), (*component)?)))
            .collect();
        for (object, component) in self.objects.iter().zip(self.components.clone()) {
            let mut backends: Vec<&Node> = Vec::new();
            let mut from = Vec::new();
            match object.kind.as_str() {
                "Ingress" => {
                    from.extend(component);
                    let spec = object.spec();
                    backends.extend(spec.get("defaultBackend").or_else(|| spec.get("backend")));
                    let rules = spec.items("rules").iter();
                    let paths = rules.flat_map(|rule| rule.get("http").map_or(&[][..], |http| http.items("paths")));
                    backends.extend(paths.filter_map(|path| path.get("backend")));
                }
                "HTTPRoute" | "GRPCRoute" | "TCPRoute" | "TLSRoute" => {
                    for parent in object.spec().items("parentRefs") {
                        let namespace = parent.text("namespace").unwrap_or(&object.namespace);
                        let name = parent.text("name").unwrap_or_default();
                        from.extend(gateways.get(&(namespace, name)).copied());
                    }
                    let rules = object.spec().items("rules").iter();
                    backends.extend(rules.flat_map(|rule| rule.items("backendRefs")));
                }
                _ => {}
            }
            for backend in backends {
                let at = At::new(object.at.file, backend.line);
                let service = backend.get("service").unwrap_or(backend);
                let Some(name) = service.text("name").or_else(|| service.text("serviceName")) else { continue };
                let namespace = backend.text("namespace").unwrap_or(&object.namespace);
                let targets = self.services.get(&format!("{namespace}/{name}")).cloned();
                if targets.as_ref().is_none_or(|targets| targets.is_empty()) {
                    let text = format!("`{}` leads to the service `{name}`, which has no workload", object.name);
                    self.builder.warn(at, text);
                }
                let targets = targets.as_deref().unwrap_or_default();
                self.builder.charge_steps(1 + from.len() * targets.len(), at)?;
                for (from, to) in from.iter().flat_map(|from| targets.iter().map(|to| (*from, *to))) {
                    if from != to && self.drawn.insert((from, to)) {
                        self.builder.arrow(Arrow { type_id: Some("calls"), ..Arrow::new(from, to, at) })?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Draws what only environments say.
    fn infer(&mut self) -> Result<(), Refusal> {
        let mut environment = Environment::new(self.objects);
        for (object, component) in self.objects.iter().zip(self.components.clone()) {
            let Some(from) = component else { continue };
            for found in environment.hosts(self.builder, object)? {
                let targets = self.behind(&found.host, &object.namespace);
                self.builder.charge_steps(HOST_STEPS + targets.len(), object.at)?;
                for to in targets.iter().copied() {
                    if from == to || !self.drawn.insert((from, to)) {
                        continue;
                    }
                    let at = At::new(object.at.file, found.line);
                    let mut arrow = Arrow { type_id: Some("uses"), ..Arrow::new(from, to, at) };
                    arrow.properties.push(("inferred".into(), true.into()));
                    if let Some(variable) = found.variable {
                        arrow.properties.push(("inferredFrom".into(), variable.into()));
                    }
                    self.builder.arrow(arrow)?;
                }
            }
            if environment.is_exhausted() {
                let text = "the environments are too large to search all of them for hosts";
                self.builder.warn(object.at, text);
                break;
            }
        }
        Ok(())
    }

    /// The components behind a host: `service`, `service.namespace`, and these with a pod before and `svc` after them.
    fn behind(&self, host: &str, namespace: &str) -> Rc<[C]> {
        let parts: Vec<&str> = host.split('.').collect();
        let found = self.service(&parts, namespace).or_else(|| self.service(parts.get(1..)?, namespace));
        found.cloned().unwrap_or_default()
    }

    fn service(&self, host: &[&str], namespace: &str) -> Option<&Rc<[C]>> {
        match *host {
            [name] => self.services.get(&format!("{namespace}/{name}")),
            [name, own] | [name, own, "svc", ..] => self.services.get(&format!("{own}/{name}")),
            _ => None,
        }
    }
}

fn draft(object: &Object, level: &'static str) -> Draft {
    let mut draft = Draft::new(object.key(), &object.name, level, object.at);
    draft.is_fixed = level != "service";
    draft.property("kubernetes", object.kind.trim_start_matches("Knative"));
    let containers = object.pod().get("spec").map_or(&[][..], |spec| spec.items("containers")).iter();
    let images: Vec<&str> = containers.filter_map(|container| container.text("image")).collect();
    if let Some(image) = images.iter().find(|image| !is_sidecar(image)).or(images.first()) {
        draft.property("image", *image);
        if types::technology(image).is_some() {
            draft.technology.push(product(image));
        }
    }
    let replicas = object.spec().get("replicas").filter(|node| node.as_number().is_some_and(|number| number > 1.0));
    draft.property("instances", replicas.and_then(Node::scalar).map(types::instances));
    let hosts = object.spec().items("rules").iter().filter_map(|rule| rule.text("host"));
    let listeners = object.spec().items("listeners").iter().filter_map(|listener| listener.text("hostname"));
    let hosts: Vec<&str> = hosts.chain(listeners).collect();
    if !hosts.is_empty() {
        draft.property("hosts", hosts);
    }
    for name in ["planroom.type", "planroom.id"] {
        draft.property(name, object.label(name).unwrap_or_default());
    }
    draft.description = object.label("kubernetes.io/description").map(str::to_owned);
    draft
}

/// Whether an image only accompanies the container of a workload.
fn is_sidecar(image: &str) -> bool {
    let sidecars =
        ["proxyv2", "cloud-sql-proxy", "gce-proxy", "linkerd-proxy", "vault", "daprd", "envoy", "fluent-bit"];
    sidecars.contains(&product(image).as_str())
}

#[cfg(test)]
mod tests;
