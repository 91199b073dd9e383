//! Owners that are only known by their name, as in labels, tags and columns.

use super::{
    builder::{At, Builder, C, Holder, PersonDraft, TeamDraft},
    files::Refusal,
    text,
};

impl Builder<'_> {
    /// Attaches an owner to a component: the name of a team, `team:NAME` or `person:NAME`. An empty name is no owner.
    pub(super) fn attach_owner(&mut self, of: C, owner: &str, at: At) -> Result<(), Refusal> {
        let (is_person, name) = match owner.split_once(':') {
            Some(("person" | "user", name)) => (true, name),
            Some(("team" | "group", name)) => (false, name),
            _ => (false, owner),
        };
        let name = text::name(name);
        if name.is_empty() {
            return Ok(());
        }
        let key = name.to_lowercase();
        let holder = if is_person {
            Holder::Person(match self.owners.people.get(&key) {
                Some(person) => *person,
                None => {
                    let person = self.person(PersonDraft { key: key.clone(), name, at, ..PersonDraft::default() })?;
                    self.owners.people.insert(key, person);
                    person
                }
            })
        } else {
            Holder::Team(match self.owners.teams.get(&key) {
                Some(team) => *team,
                None => {
                    let team = self.team(TeamDraft { key: key.clone(), name, at, ..TeamDraft::default() })?;
                    self.owners.teams.insert(key, team);
                    team
                }
            })
        };
        self.stakeholder(of, holder, "owner", at)
    }
}
