//! `IcePanel` exports: the JSON of the export API, with objects by id.

use std::collections::{BTreeMap, HashMap};

use super::{
    builder::{Arrow, At, Builder, C, Draft, Holder, ProcessDraft, T, TeamDraft},
    files::{File, Refusal},
    node::Node,
    processes::{Block, Event},
    text,
};

/// Maximum number of tags of an object.
const MAX_TAGS: usize = 100;

/// Whether a file is an export.
pub(super) fn recognizes(file: &File) -> bool {
    file.text().trim_start().starts_with('{')
        && file.text().contains("\"modelObjects\"")
        && file.text().contains("\"modelConnections\"")
}

/// Reads exports.
pub(super) fn read(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    for &file in files {
        let root = builder.json(file)?;
        // Each object with a tag copies its name.
        let named = |(id, tag): &'_ (String, Node)| Some((id.clone(), text::name(tag.text("name")?)));
        let tags = root.entries("tags").iter().filter_map(named).collect();
        Export {
            builder,
            file,
            root: &root,
            objects: HashMap::new(),
            teams: HashMap::new(),
            tags,
            last_receiver: None,
        }
        .read()?;
        builder.budget.release_trees();
    }
    Ok(())
}

struct Export<'b, 's, 'n> {
    builder: &'b mut Builder<'s>,
    file: usize,
    root: &'n Node,
    objects: HashMap<&'n str, C>,
    teams: HashMap<&'n str, T>,
    /// Names of tags.
    tags: HashMap<String, String>,
    /// The receiver of the last step of a flow.
    last_receiver: Option<C>,
}

impl<'n> Export<'_, '_, 'n> {
    fn read(&mut self) -> Result<(), Refusal> {
        let root = self.root;
        for (id, team) in root.entries("teams") {
            let name = team.text("name").unwrap_or(id).to_owned();
            let draft = TeamDraft { key: id.clone(), name, at: self.at(team), ..TeamDraft::default() };
            self.teams.insert(id, self.builder.team(draft)?);
        }
        let domains = self.domains()?;
        let objects = root.entries("modelObjects");
        for (id, object) in objects.iter().filter(|(_, object)| object.text("type") != Some("root")) {
            self.object(id, object)?;
        }
        for (id, object) in objects {
            let Some(&part) = self.objects.get(id.as_str()) else { continue };
            let parent = object.text("parentId").and_then(|parent| self.objects.get(parent)).copied();
            let domain = || object.text("domainId").and_then(|domain| domains.get(domain)).copied();
            if let Some(whole) = parent.or_else(domain) {
                self.builder.contain(whole, part, self.at(object))?;
            }
        }
        for (id, connection) in root.entries("modelConnections") {
            self.connection(id, connection)?;
        }
        for (id, flow) in root.entries("flows") {
            self.flow(id, flow)?;
        }
        let known = ["teams", "domains", "modelObjects", "modelConnections", "flows", "tags", "tagGroups"];
        for (name, part) in root.fields().iter().filter(|(name, _)| !known.contains(&name.as_str())) {
            self.builder.ignore(name, part.fields().len());
        }
        Ok(())
    }

    fn at(&self, node: &Node) -> At {
        At::new(self.file, node.line)
    }

    /// Domains are groups if there are several.
    fn domains(&mut self) -> Result<HashMap<&'n str, C>, Refusal> {
        let domains = self.root.entries("domains");
        let mut groups = HashMap::new();
        if domains.len() > 1 {
            for (id, domain) in domains {
                let name = domain.text("name").unwrap_or(id);
                let draft = Draft { level: "domain", ..Draft::group(format!("domain:{id}"), name, self.at(domain)) };
                groups.insert(id.as_str(), self.builder.component(draft)?);
            }
        }
        Ok(groups)
    }

    fn object(&mut self, id: &'n str, object: &'n Node) -> Result<(), Refusal> {
        let at = self.at(object);
        let kind = object.text("type").unwrap_or_default();
        let is_external = object.flag("external") == Some(true);
        let (level, c4) = match kind {
            "actor" => ("person", ""),
            "system" if is_external => ("external-system", "system"),
            "system" => ("system", "system"),
            "app" => ("service", "container"),
            "store" => ("database", "container"),
            "component" => ("component", "component"),
            "group" => ("group", ""),
            other => {
                self.builder.ignore(if other.is_empty() { "objects without a type" } else { other }, 1);
                return Ok(());
            }
        };
        let mut draft = Draft::new(id, object.text("name").unwrap_or_default(), level, at);
        draft.is_fixed = matches!(level, "person" | "group");
        draft.is_box = level == "group";
        let description = [object.text("caption"), object.text("description")];
        draft.description = Some(description.into_iter().flatten().collect::<Vec<_>>().join("\n\n"));
        draft.property("c4", c4);
        let lifecycle = match object.text("status") {
            Some("future") => "planned",
            Some("deprecated") => "deprecated",
            Some("removed") => "retired",
            Some("live") => "live",
            _ => "",
        };
        draft.property("lifecycle", lifecycle);
        draft.technology = technologies(object);
        let tags = object.texts("tagIds").filter_map(|tag| self.tags.get(tag));
        draft.tags = tags.take(MAX_TAGS).cloned().collect();
        let links = object.entries("links").iter().map(|(_, link)| link);
        draft.links = links
            .filter_map(|link| {
                let title = link.text("customName").or_else(|| link.text("name")).map(str::to_owned);
                Some((title, link.text("url")?.to_owned()))
            })
            .collect();
        let component = self.builder.component(draft)?;
        self.objects.insert(id, component);
        for team in object.texts("teamIds") {
            match self.teams.get(team) {
                Some(team) => self.builder.stakeholder(component, Holder::Team(*team), "owner", at)?,
                None => self.builder.warn(at, format!("there is no team `{team}` in the export")),
            }
        }
        Ok(())
    }

    fn connection(&mut self, id: &str, connection: &Node) -> Result<(), Refusal> {
        let at = self.at(connection);
        let end = |field: &str| connection.text(field).and_then(|id| self.objects.get(id)).copied();
        let (Some(from), Some(to)) = (end("originId"), end("targetId")) else {
            self.builder.warn(
                at,
                format!("the connection `{id}` was not imported, because one of its ends is not in the export"),
            );
            return Ok(());
        };
        let arrow = Arrow {
            label: connection.text("name").unwrap_or_default().to_owned(),
            technology: technologies(connection),
            is_bidirectional: connection.text("direction") == Some("bidirectional"),
            key: Some(id.to_owned()),
            ..Arrow::new(from, to, at)
        };
        // What goes through a store or queue is two relationships.
        match end("viaId") {
            Some(via) => {
                self.builder.arrow(Arrow { to: via, ..arrow.clone() })?;
                self.builder.arrow(Arrow { from: via, label: String::new(), key: Some(format!("{id}:via")), ..arrow })
            }
            None => self.builder.arrow(arrow),
        }
    }

    fn flow(&mut self, id: &str, flow: &'n Node) -> Result<(), Refusal> {
        let mut steps: Vec<&Node> = flow.entries("steps").iter().map(|(_, step)| step).collect();
        steps.sort_by(|a, b| {
            let index = |step: &Node| step.number("index").unwrap_or(f64::MAX);
            index(a).total_cmp(&index(b))
        });
        let events = self.events(&steps)?;
        let name = flow.text("name").unwrap_or(id).to_owned();
        self.builder.process(ProcessDraft { key: id.to_owned(), name, description: None, events, at: self.at(flow) })
    }

    /// The steps of a flow. Steps of a path follow the step that begins it.
    fn events(&mut self, steps: &[&'n Node]) -> Result<Vec<Event<C>>, Refusal> {
        self.last_receiver = None;
        let mut paths: BTreeMap<&str, Vec<&Node>> = BTreeMap::new();
        for step in steps {
            if let Some(path) = step.text("pathId") {
                paths.entry(path).or_default().push(step);
            }
        }
        let mut events = Vec::new();
        for step in steps.iter().filter(|step| step.text("pathId").is_none()) {
            let block = match step.text("type").unwrap_or_default() {
                "parallel-path" => Some(Block::Par),
                "alternate-path" => Some(Block::Alt),
                _ => None,
            };
            let Some(block) = block else {
                self.step(step, &mut events)?;
                continue;
            };
            let own = step.entries("paths");
            let mut own: Vec<(&str, &Node)> = own.iter().map(|(id, path)| (id.as_str(), path)).collect();
            own.sort_by(|a, b| a.1.number("index").unwrap_or(0.0).total_cmp(&b.1.number("index").unwrap_or(0.0)));
            for (number, (id, path)) in own.iter().enumerate() {
                let label = path.text("name").unwrap_or_default().to_owned();
                events.push(if number == 0 { Event::Begin(block, label) } else { Event::Next(label) });
                for step in paths.get(id).into_iter().flatten() {
                    self.step(step, &mut events)?;
                }
            }
            if !own.is_empty() {
                events.push(Event::End);
            }
        }
        Ok(events)
    }

    fn step(&mut self, step: &Node, events: &mut Vec<Event<C>>) -> Result<(), Refusal> {
        let end = |field: &str| step.text(field).and_then(|id| self.objects.get(id)).copied();
        let text = step.text("description").unwrap_or_default();
        // Several steps can refer to the same path.
        self.builder.charge(3 * size_of::<Event<C>>() + text.len(), self.at(step))?;
        let text = text.to_owned();
        let kind = step.text("type").unwrap_or_default();
        match (kind, end("originId"), end("targetId")) {
            ("introduction" | "information" | "conclusion", origin, target) => {
                // A note belongs to a participant.
                match origin.or(target).or(self.last_receiver) {
                    Some(over) => events.push(Event::Note { over, text }),
                    None => self.builder.ignore("steps without objects", 1),
                }
            }
            ("self-action", Some(from), _) => {
                self.last_receiver = Some(from);
                events.push(Event::Step { from, to: from, text, reply: false });
            }
            (_, Some(from), Some(to)) => {
                self.last_receiver = Some(to);
                events.push(Event::Step { from, to, text, reply: kind == "reply" });
            }
            _ => self.builder.ignore("steps without objects", 1),
        }
        Ok(())
    }
}

fn technologies(node: &Node) -> Vec<String> {
    node.entries("technologies").iter().filter_map(|(_, one)| one.text("name")).map(str::to_owned).collect()
}
