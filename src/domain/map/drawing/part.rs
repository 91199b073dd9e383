//! The parts of a map that are arranged for an image: the surroundings of components, and the participants of a process.

use std::collections::{HashMap, HashSet, VecDeque};

use drawing::{Detail, Theme};

use crate::domain::{
    catalogue::CONTAINS,
    map::{
        components::Component,
        placement::{self, Map},
        places,
        relationships::Relationship,
    },
    values::words,
};

/// Larger parts keep the positions of the map, because arranging them takes longer than a reader should wait.
const MAX_ARRANGED: usize = 300;

words! {
    /// Which relationships are followed from a component.
    ImageDirection {
        /// In either direction.
        Both = "both",
        /// From source to target.
        Outgoing = "outgoing",
        /// From target to source.
        Incoming = "incoming",
    }
}

words! {
    /// The colors of an image.
    ImageTheme {
        /// Dark on light.
        Light = "light",
        /// Light on dark.
        Dark = "dark",
    }
}

words! {
    /// How much of a map is drawn.
    ImageDetail {
        /// Everything.
        Full = "full",
        /// Cards with names, and lines without labels and arrow heads.
        Overview = "overview",
        /// Colored cards and lines without text.
        Thumbnail = "thumbnail",
    }
}

impl From<ImageTheme> for Theme {
    fn from(theme: ImageTheme) -> Self {
        match theme {
            ImageTheme::Light => Self::Light,
            ImageTheme::Dark => Self::Dark,
        }
    }
}

impl From<ImageDetail> for Detail {
    fn from(detail: ImageDetail) -> Self {
        match detail {
            ImageDetail::Full => Self::Full,
            ImageDetail::Overview => Self::Overview,
            ImageDetail::Thumbnail => Self::Thumbnail,
        }
    }
}

/// Ids of the components at most `depth` relationships away, including `of`. Containment is not followed.
pub(super) fn around<'r>(
    relationships: &'r [Relationship],
    of: &'r [String],
    direction: ImageDirection,
    depth: u32,
) -> HashSet<&'r str> {
    let mut steps: HashMap<&str, Vec<&str>> = HashMap::new();
    for Relationship { source_id, target_id, type_id, .. } in relationships {
        if type_id == CONTAINS {
            continue;
        }
        if direction != ImageDirection::Incoming {
            steps.entry(source_id).or_default().push(target_id);
        }
        if direction != ImageDirection::Outgoing {
            steps.entry(target_id).or_default().push(source_id);
        }
    }
    let mut found: HashSet<&str> = of.iter().map(String::as_str).collect();
    let mut waiting: VecDeque<(&str, u32)> = found.iter().map(|id| (*id, 0)).collect();
    while let Some((id, distance)) = waiting.pop_front() {
        if distance == depth {
            continue;
        }
        for next in steps.get(id).into_iter().flatten() {
            if found.insert(next) {
                waiting.push_back((next, distance + 1));
            }
        }
    }
    found
}

/// Gives components places as if they had none, by their relationships. `parents` are pairs of a group and a part of it.
pub(super) fn arrange(components: &mut [Component], relationships: &[Relationship], parents: &[(String, String)]) {
    if components.len() > MAX_ARRANGED {
        return;
    }
    for component in components.iter_mut() {
        // Sizes of groups belong to their places on the map.
        (component.width, component.height) = (None, None);
    }
    let items = components.iter().map(|component| places::item_of(component, None)).collect();
    let mut map = Map::new(items, parents.iter().map(|(group, part)| (group.as_str(), part.as_str())));
    let lines = relationships.iter().filter(|one| one.type_id != CONTAINS);
    map.connect(lines.map(|one| {
        let label = one.label.as_deref().map_or(0.0, placement::label_width);
        (one.source_id.as_str(), one.target_id.as_str(), label)
    }));
    placement::place(&mut map, None);
    for component in components {
        if let Some((x, y)) = map.position(&component.id) {
            (component.x, component.y) = (x, y);
        }
    }
}
