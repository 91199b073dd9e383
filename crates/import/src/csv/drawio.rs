//! CSV that draw.io imports: lines with `#` at the beginning configure labels, connectors and styles.

use std::collections::{HashMap, HashSet};

use super::parse::{Row, comments};
use crate::{
    builder::{Arrow, At, Builder, C, Draft},
    drawio::{label, page::Cell, shapes},
    files::{Files, Refusal},
    json,
    node::Node,
    text,
};

/// Steps for a row, steps for comparing placeholders with a column, and bytes of a label that are processed in a step.
const ROW_STEPS: usize = 20;
const PLACEHOLDER_STEPS: usize = 4;
const BYTES_PER_STEP: usize = 8;
/// Maximum length of a setting, in bytes.
const MAX_SETTING_BYTES: usize = 10_000;
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
            match Files::of("connect", value).and_then(|files| json::parse(files.at(0), &builder.budget)) {
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
    let table = Table::new(file, heading, rows);
    let setting = |name: &str| {
        let value = settings.get(name).copied().unwrap_or_default();
        // Each row copies the settings.
        &value[..value.floor_char_boundary(MAX_SETTING_BYTES)]
    };
    let identity = if setting("identity").is_empty() { "id" } else { setting("identity") };
    let parent = Some(setting("parent")).filter(|name| table.columns.contains_key(name));
    // Columns that are not imported as properties.
    let mut used: HashSet<&str> = setting("ignore").split(',').map(str::trim).collect();
    used.extend(connects.iter().filter_map(|(connect, _)| connect.text("from")));
    used.extend(setting("label").split('%').chain([identity]).chain(parent));
    let (mut components, mut parents): (Vec<C>, Vec<(C, &str, At)>) = (Vec::new(), Vec::new());
    let mut by_id: HashMap<String, C> = HashMap::new();
    for (number, row) in (1..).zip(rows) {
        let at = At::new(file, row.line);
        let attributes: Vec<(String, String)> =
            heading.cells.iter().zip(&row.cells).map(|(name, value)| (text::name(name), value.clone())).collect();
        builder.charge_steps(ROW_STEPS + PLACEHOLDER_STEPS * attributes.len(), at)?;
        let name = if setting("label").is_empty() {
            table.cell(row, "name").to_owned()
        } else {
            label::replaced(setting("label"), &attributes)
        };
        builder.charge_steps(name.len() / BYTES_PER_STEP, at)?;
        let style = label::replaced(setting("style"), &attributes);
        let shape = Cell { style, ..Cell::default() };
        let key = match table.cell(row, identity) {
            "" => format!("row:{number}"),
            id => id.to_owned(),
        };
        let mut draft = Draft::new(&key, label::plain(&name), shapes::level(&shape).0, at);
        let number = |name: &str| table.cell(row, setting(name).trim_matches('@')).parse::<f64>().ok();
        draft.position = number("left").zip(number("top"));
        for (name, value) in &attributes {
            match name.as_str() {
                name if used.contains(name) => {}
                name if name == setting("link") || name == "url" => draft.links.push((None, value.clone())),
                "description" | "tooltip" => draft.description = Some(value.clone()),
                name => draft.property(name, value.trim()),
            }
        }
        let component = builder.component(draft)?;
        by_id.entry(key).or_insert(component);
        components.push(component);
        if let Some(parent) =
            parent.map(|parent| table.cell(row, parent)).filter(|parent| !parent.is_empty() && *parent != "-")
        {
            parents.push((component, parent, at));
        }
    }
    for (part, whole, at) in parents {
        match by_id.get(whole) {
            Some(whole) => builder.contain(*whole, part, at)?,
            None => builder.warn(at, format!("there is no row `{}`, which is a parent", text::cut(whole, 60))),
        }
    }
    for (connect, line) in &connects {
        table.connect(builder, &components, connect, *line)?;
    }
    Ok(())
}

/// The rows of a file, with an index of its columns.
struct Table<'r> {
    file: usize,
    rows: &'r [Row],
    /// Column indexes by heading.
    columns: HashMap<&'r str, usize>,
}

impl<'r> Table<'r> {
    fn new(file: usize, heading: &'r Row, rows: &'r [Row]) -> Self {
        let mut columns = HashMap::new();
        for (at, name) in heading.cells.iter().enumerate() {
            columns.entry(name.trim()).or_insert(at);
        }
        Self { file, rows, columns }
    }

    fn cell(&self, row: &'r Row, name: &str) -> &'r str {
        self.columns.get(name).and_then(|at| row.cells.get(*at)).map_or("", |cell| cell.trim())
    }

    /// Draws what a line `# connect` says.
    fn connect(&self, builder: &mut Builder<'_>, components: &[C], connect: &Node, line: u32) -> Result<(), Refusal> {
        let (Some(from), Some(to)) = (connect.text("from"), connect.text("to")) else { return Ok(()) };
        if !self.columns.contains_key(from) || !self.columns.contains_key(to) {
            let text = format!("`# connect` names the columns `{from}` and `{to}`, which do not both exist");
            builder.warn(At::new(self.file, line), text);
            return Ok(());
        }
        let is_turned = connect.flag("invert") == Some(true);
        let style = connect.get("style").and_then(Node::as_text).unwrap_or_default();
        let is_bidirectional =
            style.contains("startArrow=") && !style.contains("startArrow=none") && !style.contains("endArrow=none");
        let mut targets: HashMap<&str, C> = HashMap::new();
        for (row, component) in self.rows.iter().zip(components) {
            targets.entry(self.cell(row, to)).or_insert(*component);
        }
        let label = connect.text("label").map(text::label);
        for (row, &component) in self.rows.iter().zip(components) {
            let at = At::new(self.file, row.line);
            let from_row = || connect.text("fromlabel").map(|name| text::label(self.cell(row, name)));
            let label = label.clone().or_else(from_row).unwrap_or_default();
            for reference in self.cell(row, from).split(',').map(str::trim).filter(|reference| !reference.is_empty()) {
                builder.charge_steps(2, at)?;
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
