//! What the report says about components that look the same and were kept apart, with the line that makes them one.

use super::{
    groups::{Anchor, Groups},
    matching::{Holder, Offers},
    planner::Planner,
};
use crate::domain::sync::model::request::SyncKind::Component as ComponentKind;

impl Planner<'_, '_> {
    /// Tells what looks the same and was kept apart.
    pub(super) fn tell(&mut self, groups: &Groups, offers: &Offers) {
        let mut notes = Vec::new();
        for group in groups.all.iter().filter(|group| group.anchor == Anchor::None) {
            let Some(row) = group.members.first().map(|place| self.component(*place)) else { continue };
            let (key, name) = (row.origin.key.as_str(), row.name.as_str());
            let similar = self.fitting(group, offers, &[Holder::Unclaimed, Holder::Repository, Holder::Gone]);
            let shown = |id: &String| {
                let name = self.now.component_name(id);
                if name == *id { format!("`{id}`") } else { format!("`{name}` ({id})") }
            };
            let text = match &similar[..] {
                [] => {
                    let other = self.fitting(group, offers, &[Holder::Other]);
                    let Some(id) = other.first() else { continue };
                    let repository = self
                        .claims_of(ComponentKind, id)
                        .find_map(|(_, claim)| self.repository_of(&claim.source_id))
                        .unwrap_or("another source");
                    format!(
                        "`{name}` has the same name as {} in `{repository}`, and is kept apart; if both are one, add \
                         `same: {{ {key}: {repository}/{} }}`",
                        shown(id),
                        self.now.component_name(id),
                    )
                }
                [id] if offers.holders.get(id) == Some(&Holder::Gone) => format!(
                    "`{name}` may be {}, which is gone from its source; if it has moved here, add `same: {{ {key}: {id} }}`",
                    shown(id)
                ),
                [id] => format!(
                    "`{name}` looks like {} on the map, and is drawn beside it; if both are one, add `same: {{ {key}: {id} }}`",
                    shown(id)
                ),
                several => format!(
                    "`{name}` can be {}; it is drawn beside them. If it is one of them, add `same: {{ {key}: ID }}`",
                    several.iter().take(5).map(shown).collect::<Vec<_>>().join(" or ")
                ),
            };
            notes.push((row, text));
        }
        for (row, text) in notes {
            self.lists.warn(row.origin.file.as_str(), row.origin.line, text);
        }
    }
}
