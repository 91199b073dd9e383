//! A process as it is drawn: participants that are not components, and the message to emphasize.

use drawing::map as drawn;

use crate::domain::map::processes::ProcessReading;

/// The color of the message.
const COLOR: &str = "#E11D48";
/// The color of participants that are not components.
const PLAIN_COLOR: &str = "#64748B";
/// Maximum number of participants that are not components.
const MAX_PLAIN: usize = 60;
/// Number of them in a row, and the distances of their left and top edges.
const PER_ROW: u8 = 4;
const PITCH: (f64, f64) = (260.0, 130.0);
/// Distance of the top edges of components and of the participants below them.
const BELOW: f64 = 200.0;

/// The participants of a process that are not components, as plain boxes below its components.
pub(super) fn plain_participants(process: &ProcessReading, map: &drawn::Map) -> Vec<drawn::Component> {
    let left = map.components.iter().map(|one| one.x).reduce(f64::min).unwrap_or_default();
    let bottom = map.components.iter().map(|one| one.y + one.height.unwrap_or_default() + BELOW).reduce(f64::max);
    let (mut column, mut y) = (0, bottom.unwrap_or_default());
    let plain = process.lifelines.iter().filter(|line| line.component_id.is_none()).take(MAX_PLAIN);
    let placed = plain.map(|line| {
        if column == PER_ROW {
            (column, y) = (0, y + PITCH.1);
        }
        let x = left + f64::from(column) * PITCH.0;
        column += 1;
        drawn::Component {
            key: plain_key(&line.alias),
            name: line.name.clone(),
            type_name: "Participant".to_owned(),
            color: PLAIN_COLOR.to_owned(),
            x,
            y,
            ..drawn::Component::default()
        }
    });
    placed.collect()
}

/// The key of a participant that is not a component. Ids contain no spaces.
fn plain_key(alias: &str) -> String {
    format!("participant {alias}")
}

/// A message to emphasize.
pub(super) struct Message {
    line: drawn::Relationship,
    /// The whole text with the names of its ends, which has room below the map.
    caption: String,
}

impl Message {
    /// The message with this number, counted from 1.
    pub(super) fn of(process: &ProcessReading, number: usize) -> Option<Self> {
        let step = process.steps.get(number.checked_sub(1)?)?;
        let name = |alias: &str| {
            let line = process.lifelines.iter().find(|line| line.alias == alias);
            line.map_or(alias, |line| line.name.as_str()).to_owned()
        };
        let text = step.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let end = |id: &Option<String>, alias: &str| id.clone().unwrap_or_else(|| plain_key(alias));
        let line = drawn::Relationship {
            key: format!("step {number}"),
            from: end(&step.source_id, &step.source),
            to: end(&step.target_id, &step.target),
            type_name: "message".to_owned(),
            color: COLOR.to_owned(),
            directed: true,
            label: format!("{number}. {}", step.text),
            ..drawn::Relationship::default()
        };
        Some(Self { line, caption: format!("{number}. {} → {}: {text}", name(&step.source), name(&step.target)) })
    }

    /// Adds the message to a map with its participants.
    pub(super) fn emphasize(self, map: &mut drawn::Map) {
        let Self { line, caption } = self;
        map.highlighted = [&line.key, &line.from, &line.to].into_iter().cloned().collect();
        map.relationships.push(line);
        map.caption = caption;
    }
}
