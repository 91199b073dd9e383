//! Owners that are only known by their name, as in labels, tags and columns.

use std::collections::HashMap;

use super::{
    builder::{At, Builder, C, Holder, T, TeamDraft},
    files::Refusal,
    text,
};

/// The teams of a source, by name.
#[derive(Default)]
pub(super) struct Owners {
    teams: HashMap<String, T>,
}

impl Owners {
    /// Makes a team with this name the owner of a component. An empty name is no owner.
    pub(super) fn attach(&mut self, builder: &mut Builder<'_>, of: C, name: &str, at: At) -> Result<(), Refusal> {
        let name = text::name(name);
        if name.is_empty() {
            return Ok(());
        }
        let key = name.to_lowercase();
        let team = match self.teams.get(&key) {
            Some(team) => *team,
            None => {
                let draft = TeamDraft { key: key.clone(), name, at, ..TeamDraft::default() };
                let team = builder.team(draft)?;
                self.teams.insert(key, team);
                team
            }
        };
        builder.stakeholder(of, Holder::Team(team), "owner", at)
    }
}
