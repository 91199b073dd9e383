//! Owners that are only known by their name, as in labels, tags and columns.

use super::{
    builder::{At, Builder, C, Holder, PersonDraft, TeamDraft},
    files::Refusal,
    text,
};

impl Builder<'_> {
    /// Attaches owners to a component: the name of a team, `team:NAME`, `person:NAME`, or a list of the last two. An empty name
    /// is no owner.
    pub(super) fn attach_owner(&mut self, of: C, owner: &str, at: At) -> Result<(), Refusal> {
        for (is_person, name) in references(owner) {
            self.attach_holder(of, is_person, name, at)?;
        }
        Ok(())
    }

    fn attach_holder(&mut self, of: C, is_person: bool, name: &str, at: At) -> Result<(), Refusal> {
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

/// The owners that a text names, and which are people. A list separates them with commas, which may be in names, too.
fn references(text: &str) -> Vec<(bool, &str)> {
    const PREFIXES: [(&str, bool); 4] = [("person:", true), ("user:", true), ("team:", false), ("group:", false)];
    let prefix = |text: &str| PREFIXES.into_iter().find(|(prefix, _)| text.starts_with(prefix));
    if prefix(text).is_none() {
        return vec![(false, text)];
    }
    let is_start = |at: &usize| prefix(text[*at + 1..].trim_start()).is_some();
    let commas: Vec<usize> = text.match_indices(',').map(|(at, _)| at).filter(is_start).collect();
    let (starts, ends) =
        (std::iter::once(0).chain(commas.iter().map(|at| at + 1)), commas.iter().copied().chain([text.len()]));
    let parts = starts.zip(ends).map(|(start, end)| text[start..end].trim());
    parts.filter_map(|part| prefix(part).map(|(prefix, is_person)| (is_person, &part[prefix.len()..]))).collect()
}

#[cfg(test)]
mod tests {
    use super::references;

    #[test]
    fn a_text_names_one_team_or_a_list_of_people_and_teams() {
        assert_eq!(references("Orders, Payments"), [(false, "Orders, Payments")]);
        assert_eq!(references("person:Ada, Countess of Lovelace"), [(true, "Ada, Countess of Lovelace")]);
        assert_eq!(references("team:Orders,user:ada , group:Ops"), [(false, "Orders"), (true, "ada"), (false, "Ops")]);
    }
}
