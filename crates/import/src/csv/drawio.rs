//! CSV that draw.io imports: lines with `#` at the beginning configure labels, connectors and styles.

use std::collections::HashMap;

use super::parse::{Row, comments};
use crate::{
    builder::{Arrow, At, Builder, C, Draft},
    drawio::{label, page::Cell, shapes},
    files::{Files, Refusal},
    json,
    node::Node,
    text,
};

/// Maximum number of lines `# connect`.
const MAX_CONNECTS: usize = 20;

/// Whether a file is configured in this way.
pub(super) fn recognizes(text: &str) -> bool {
    comments(text).any(|line| ["# label:", "# connect:", "# style:"].iter().any(|part| line.starts_with(part)))
}

/// Reads a file.
pub(super) fn read(builder: &mut Builder<'_>, file: usize, rows: &[Row]) -> Result<(), Refusal> {
    let own = builder.files.at(file);
    let mut settings: HashMap<&str, &str> = HashMap::new();
    let mut connects = Vec::new();
    for (line, comment) in (1..).zip(comments(own.text())) {
        let Some((name, value)) = comment.trim_start_matches('#').split_once(':') else { continue };
        let (name, value) = (name.trim(), value.trim());
        if name == "connect" && connects.len() == MAX_CONNECTS {
            builder.warn(At::new(file, line), "there are too many lines `# connect`; this one was not read");
        } else if name == "connect" {
            match Files::of("connect", value).and_then(|files| json::parse(files.at(0))) {
                Ok(node) => connects.push((node, line)),
                Err(error) => {
                    builder.warn(At::new(file, line), format!("`# connect` was not read, because {}", error.text));
                }
            }
        } else {
            settings.insert(name, value);
        }
    }
    let Some((heading, rows)) = rows.split_first() else { return Ok(()) };
    let column = |name: &str| heading.cells.iter().position(|known| known.trim() == name);
    let cell =
        |row: &Row, name: &str| column(name).and_then(|at| row.cells.get(at)).map_or("", |cell| cell.trim()).to_owned();
    let setting = |name: &str| settings.get(name).copied().unwrap_or_default();
    let ignored: Vec<&str> = setting("ignore").split(',').map(str::trim).take(100).collect();
    let identity = if setting("identity").is_empty() { "id" } else { setting("identity") };
    let parent = column(setting("parent")).is_some().then(|| setting("parent"));
    let references: Vec<&str> = connects.iter().filter_map(|(connect, _)| connect.text("from")).collect();
    let (mut components, mut parents): (Vec<C>, Vec<(C, String, At)>) = (Vec::new(), Vec::new());
    let mut by_id: HashMap<String, C> = HashMap::new();
    for (number, row) in (1..).zip(rows) {
        let at = At::new(file, row.line);
        let attributes: Vec<(String, String)> =
            heading.cells.iter().zip(&row.cells).map(|(name, value)| (name.trim().to_owned(), value.clone())).collect();
        let name = if setting("label").is_empty() {
            cell(row, "name")
        } else {
            label::replaced(setting("label"), &attributes)
        };
        let style = label::replaced(setting("style"), &attributes);
        let shape = Cell { style, ..Cell::default() };
        let key = match cell(row, identity) {
            id if id.is_empty() => format!("row:{number}"),
            id => id,
        };
        let mut draft = Draft::new(&key, label::plain(&name), shapes::level(&shape).0, at);
        let number = |name: &str| cell(row, setting(name).trim_matches('@')).parse::<f64>().ok();
        draft.position = number("left").zip(number("top"));
        for (name, value) in &attributes {
            let is_used = name == identity
                || Some(name.as_str()) == parent
                || ignored.contains(&name.as_str())
                || references.contains(&name.as_str())
                || setting("label").contains(&format!("%{name}%"));
            match name.as_str() {
                _ if is_used => {}
                name if name == setting("link") || name == "url" => draft.links.push((None, value.clone())),
                "description" | "tooltip" => draft.description = Some(value.clone()),
                name => draft.property(name, value.trim()),
            }
        }
        let component = builder.component(draft)?;
        by_id.entry(key).or_insert(component);
        components.push(component);
        if let Some(parent) =
            parent.map(|parent| cell(row, parent)).filter(|parent| !parent.is_empty() && parent != "-")
        {
            parents.push((component, parent, at));
        }
    }
    for (part, whole, at) in parents {
        match by_id.get(&whole) {
            Some(whole) => builder.contain(*whole, part, at)?,
            None => builder.warn(at, format!("there is no row `{}`, which is a parent", text::cut(&whole, 60))),
        }
    }
    let table = Table { file, heading, rows, components: &components };
    for (connect, line) in &connects {
        table.connect(builder, connect, *line)?;
    }
    Ok(())
}

/// The rows of a file with their components.
struct Table<'r> {
    file: usize,
    heading: &'r Row,
    rows: &'r [Row],
    components: &'r [C],
}

impl Table<'_> {
    fn column(&self, name: &str) -> Option<usize> {
        self.heading.cells.iter().position(|known| known.trim() == name)
    }

    fn cell(&self, row: &Row, name: &str) -> String {
        self.column(name).and_then(|at| row.cells.get(at)).map_or("", |cell| cell.trim()).to_owned()
    }

    /// Draws what a line `# connect` says.
    fn connect(&self, builder: &mut Builder<'_>, connect: &Node, line: u32) -> Result<(), Refusal> {
        let (Some(from), Some(to)) = (connect.text("from"), connect.text("to")) else { return Ok(()) };
        if self.column(from).is_none() || self.column(to).is_none() {
            let text = format!("`# connect` names the columns `{from}` and `{to}`, which do not both exist");
            builder.warn(At::new(self.file, line), text);
            return Ok(());
        }
        let is_turned = connect.flag("invert") == Some(true);
        let style = connect.get("style").and_then(Node::as_text).unwrap_or_default();
        let is_bidirectional =
            style.contains("startArrow=") && !style.contains("startArrow=none") && !style.contains("endArrow=none");
        let mut targets: HashMap<String, C> = HashMap::new();
        for (row, component) in self.rows.iter().zip(self.components) {
            targets.entry(self.cell(row, to)).or_insert(*component);
        }
        for (row, &component) in self.rows.iter().zip(self.components) {
            let at = At::new(self.file, row.line);
            let label = connect.text("label").map(str::to_owned);
            let label =
                label.or_else(|| connect.text("fromlabel").map(|name| self.cell(row, name))).unwrap_or_default();
            for reference in self.cell(row, from).split(',').map(str::trim).filter(|reference| !reference.is_empty()) {
                let Some(&other) = targets.get(reference) else {
                    builder.warn(at, format!("there is no row `{}`, which is connected", text::cut(reference, 60)));
                    continue;
                };
                let (source, target) = if is_turned { (other, component) } else { (component, other) };
                let label = label.clone();
                builder.arrow(Arrow { label, is_bidirectional, ..Arrow::new(source, target, at) })?;
            }
        }
        Ok(())
    }
}
