//! Estimates the memory of what rows copy from others: keys, IDs, names, and the names of files.
//!
//! It is charged when all rows are known, because a component can get its name after others refer to it.

use std::collections::HashSet;

use super::{
    At, Builder, C, Holder,
    drafts::{ROW_BYTES, TEXT_BYTES},
    keys::MAX_KEY_CHARS,
};
use crate::processes;

/// Maximum length of an ID and of a key, in bytes.
const MAX_ID_BYTES: usize = 512;
const MAX_KEY_BYTES: usize = 4 * MAX_KEY_CHARS;
/// Bytes that `ROW_BYTES` includes for a row.
const INCLUDED_BYTES: usize = 300;
/// How often the key of a row is stored: in the row and in the indexes of keys. The same for its ID, and for the name of its
/// file until the row is saved.
const COPIES: usize = 3;

impl Builder<'_> {
    /// The estimated memory of what all rows copy, as far as it was not charged with their drafts.
    pub(super) fn copied_bytes(&self) -> usize {
        let row = |at: At, bytes: usize| {
            let file = self.file_scopes.get(at.file).map_or(0, |scope| scope.len());
            (bytes + COPIES * file).saturating_sub(INCLUDED_BYTES)
        };
        let key = |C(at): C| self.component_keys[at].local.len();
        // IDs are made of names or keys.
        let id = |component: C| {
            let own = &self.components[component.0];
            own.id.as_ref().map_or(0, String::len).max(own.name.len()).max(key(component)).min(MAX_ID_BYTES)
        };
        let relationship = |from: C, to: C, has_key: bool| {
            let (ids, keys) = (id(from) + id(to), if has_key { 0 } else { key(from) + key(to) });
            ids + COPIES * (ids.min(MAX_ID_BYTES) + keys.min(MAX_KEY_BYTES))
        };
        let people: Vec<usize> = self.people.iter().map(|one| one.name.len().max(one.key.len())).collect();
        let holder = |holder: Holder| match holder {
            Holder::Person(person) => people[person.0],
            Holder::Team(team) => self.teams[team.0].name.len().max(self.teams[team.0].key.len()),
        };
        let components = self.components.iter().enumerate().map(|(at, draft)| {
            let own = key(C(at)) + id(C(at)) + TEXT_BYTES;
            let links = draft.links.iter().map(|(_, url)| row(draft.at, ROW_BYTES / 2 + own + 2 * url.len()));
            row(draft.at, 0) + links.sum::<usize>()
        });
        let wholes = self.wholes.iter().enumerate().filter_map(|(part, whole)| {
            let (whole, at) = (*whole)?;
            Some(ROW_BYTES + row(at, relationship(whole, C(part), false)))
        });
        let arrows = self.arrows.iter().map(|(one, _)| row(one.at, relationship(one.from, one.to, one.key.is_some())));
        let stakeholders =
            self.stakeholders.iter().map(|(of, by, _, at)| row(*at, key(*of) + id(*of) + 2 * holder(*by)));
        let members = self.teams.iter().map(|team| team.members.iter().map(|person| people[person.0]).sum::<usize>());
        let views = self.views.iter().map(|(view, _)| {
            let places = view.positions.iter().map(|(component, ..)| *component);
            row(view.at, view.components.iter().copied().chain(places).map(id).sum())
        });
        let processes = self.processes.iter().map(|(process, _)| {
            let name = |component: C| processes::written_bytes(&self.components[component.0].name);
            let participants: HashSet<C> = process.events.iter().flat_map(processes::Event::participants).collect();
            let heads = participants.into_iter().take(processes::MAX_PARTICIPANTS);
            let heads = heads.map(|component| 4 * TEXT_BYTES + name(component) + id(component)).sum::<usize>();
            let texts = process.events.iter().map(|event| processes::written_bytes(event.text()) - event.text().len());
            row(process.at, heads + texts.sum::<usize>().min(processes::MAX_BYTES))
        });
        components.chain(wholes).chain(arrows).chain(stakeholders).chain(members).chain(views).chain(processes).sum()
    }
}
