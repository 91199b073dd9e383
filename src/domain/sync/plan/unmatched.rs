//! Warnings about components with equal names that were not matched, with what matches them.

use super::{
    groups::{Anchor, Groups, Twins},
    matching::{Holder, Offers},
    planner::Planner,
};
use crate::domain::sync::model::request::SyncKind::Component as ComponentKind;

/// A text as a key or value of YAML in braces, in quotes if it needs them.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:() ".contains(c);
    let begins = text.starts_with(|c: char| c.is_alphanumeric());
    if begins && text.chars().all(is_plain) && !text.contains(": ") {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

impl Planner<'_, '_> {
    /// Warns about components of different sources that look like one and are two on the map, as after syncs of single sources.
    pub(super) fn warn_about_twins(&mut self, twins: &Twins) {
        let Some(((one, other), place)) = twins.first_key_value() else { return };
        let more = match twins.len() - 1 {
            0 => String::new(),
            more => format!("; {more} more pairs are alike"),
        };
        let text = format!(
            "`{}` ({one}) and `{}` ({other}) have equal names in sources of one repository, and are two components; if they are \
             one, delete one of them on the map, and the next sync gives its sources to the other{more}",
            self.now.component_name(one),
            self.now.component_name(other),
        );
        let origin = &self.component(*place).origin;
        self.lists.warn(origin.file.as_str(), origin.line, text);
    }

    /// Warns about components that were not matched with those of the map that have the same name.
    pub(super) fn warn_about_unmatched(&mut self, groups: &Groups, offers: &Offers) {
        let mut notes = Vec::new();
        for group in groups.all.iter().filter(|group| group.anchor == Anchor::None) {
            let Some(row) = group.members.first().map(|place| self.component(*place)) else { continue };
            let (key, name) = (quoted(row.origin.key.as_str()), row.name.as_str());
            let similar = self.fitting(group, offers, &[Holder::Unclaimed, Holder::Repository, Holder::Gone]);
            let shown = |id: &String| {
                let name = self.now.component_name(id);
                if name == *id { format!("`{id}`") } else { format!("`{name}` ({id})") }
            };
            let text = match &similar[..] {
                [] => match &self.fitting(group, offers, &[Holder::Other])[..] {
                    [] => continue,
                    [id] => {
                        let repository = self
                            .claims_of(ComponentKind, id)
                            .find_map(|(_, claim)| self.repository_of(&claim.source_id))
                            .unwrap_or("another source");
                        let target = quoted(&format!("{repository}/{}", self.now.component_name(id)));
                        format!(
                            "`{name}` has the same name as {} in `{repository}`, and is kept apart; to match them, add \
                             `same: {{ {key}: {target} }}`",
                            shown(id),
                        )
                    }
                    several => format!(
                        "`{name}` has the same name as {} of other repositories, and is kept apart; to match it with one of \
                         them, add `same: {{ {key}: ID }}`",
                        several.iter().take(5).map(shown).collect::<Vec<_>>().join(" and ")
                    ),
                },
                [id] if offers.holders.get(id) == Some(&Holder::Gone) => format!(
                    "`{name}` may be {}, which is gone from its source; if it has moved here, add `same: {{ {key}: {id} }}`",
                    shown(id)
                ),
                [id] => format!(
                    "`{name}` has the same name as {} on the map, but was not matched with it; to match them, add \
                     `same: {{ {key}: {id} }}`",
                    shown(id)
                ),
                several => format!(
                    "`{name}` can be {}, so it was not matched; to match it with one of them, add `same: {{ {key}: ID }}`",
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
