//! Components that have moved from one repository to another, in either order.

use std::collections::{BTreeMap, HashMap};

use super::{
    groups::Groups,
    matching::{Holder, MAX_ROUNDS, Offers},
    names::normalized,
    planner::{ClaimAt, Match, Planner},
    precedence::{SourceValues, effective},
    relationships::is_one_line,
    repository::image_of,
};
use crate::{
    domain::{
        catalogue::CONTAINS,
        comments::threads::{self, AnchorType, Thread, ThreadFilter},
        core::Reads,
        map::{
            components::Component,
            decisions::{self, DecisionFilter},
            links::Link,
            processes,
            relationships::Relationship,
            stakeholders::{NewStakeholder, StakeholderLink},
            tours, view_places,
        },
        paging::Paging,
        sync::{
            check::Place,
            fields::{self, untagged},
            merge::is_same,
            model::{
                claims::{Claim, Fields, MergedRow},
                kinds::RowWas,
                report::SyncRow,
                request::SyncKind::{self, Component as ComponentKind},
            },
            types,
        },
        values::Id,
    },
    error::Result,
};

/// Time after which a row that is gone is no longer expected to have moved, in milliseconds.
const MOVED_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

impl Planner<'_, '_> {
    /// Rows that have gone from their only source and have the same name, the same type, and a second sign: the same image, or
    /// a neighbor that both have.
    pub(super) fn match_moves(
        &mut self,
        groups: &mut Groups,
        offers: &mut Offers,
        found: &mut HashMap<usize, Match>,
    ) -> Result<()> {
        for _ in 0..MAX_ROUNDS {
            let mut changed = false;
            for (at, id) in self.unique(groups, offers, &[Holder::Gone]) {
                let Some(row) = self.now.components.get(&id).cloned() else { continue };
                if !self.is_untouched(&row)? {
                    continue;
                }
                let group = &groups.all[at];
                let has_type = group.members.iter().any(|place| self.component(*place).type_id == row.type_id);
                let image = |place: &Place| image_of(self.component(*place));
                let old = image_of_row(&row);
                let has_image = old.is_some_and(|old| group.members.iter().filter_map(image).any(|new| new == old));
                if has_type && (has_image || Self::shares_neighbor(groups, offers, at, &id)) {
                    let from = self.claims_of(ComponentKind, &id).find_map(|(_, claim)| {
                        let from = self.repository_of(&claim.source_id);
                        (from != self.repository()).then(|| from.unwrap_or(&claim.source_id).to_owned())
                    });
                    // If the old repository has the name again, it is another component.
                    self.end_missing(ComponentKind, &id);
                    Self::take(groups, offers, at, id);
                    found.insert(at, Match { is_adopted: true, moved_from: from });
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }

    /// Whether a row went from its sources in this sync or at most 30 days ago, and no user has changed or discussed it since.
    fn is_untouched(&self, row: &Component) -> Result<bool> {
        let now = self.tx.core().now;
        let since = self.claims_of(ComponentKind, &row.id).filter_map(|(_, claim)| claim.missing_since).max();
        let Some(since) = since else { return Ok(true) };
        if since <= now - MOVED_MS || row.metadata.updated_at > since {
            return Ok(false);
        }
        Ok(!self.threads(&row.id)?.iter().any(|thread| thread.updated_at > since))
    }

    fn threads(&self, id: &str) -> Result<Vec<Thread>> {
        let filter = ThreadFilter {
            anchor_type: Some(AnchorType::Component),
            anchor_id: Some(id.to_owned()),
            ..ThreadFilter::default()
        };
        Ok(threads::list(self.tx, &filter, &Paging::default())?.items)
    }

    /// Merges rows that another repository got before this one lost them: a row that goes from its only source, and a newer one
    /// of another repository with the same name, the same type and a second sign, that no user has touched.
    pub(super) fn merge_moved(&mut self, offers: &Offers) -> Result<()> {
        let mut pairs: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let leaving = self.gone.keys().filter(|(kind, id)| {
            *kind == ComponentKind && !offers.taken.contains(id) && offers.holders.get(id) == Some(&Holder::Gone)
        });
        for (_, id) in leaving {
            let Some(old) = self.now.components.get(id) else { continue };
            let named = offers.by_name.get(&normalized(&old.name)).map_or(&[][..], Vec::as_slice);
            let alike: Vec<&String> = named
                .iter()
                .filter(|newer| self.now.components.get(*newer).is_some_and(|row| self.has_moved(old, row, offers)))
                .collect();
            if let [newer] = alike[..] {
                pairs.entry(newer.clone()).or_default().push(id.clone());
            }
        }
        let mut has_merged = false;
        for (newer, old) in pairs {
            if let [old] = &old[..]
                && self.is_as_drawn(&newer)?
            {
                let repository =
                    self.claims_of(ComponentKind, &newer).find_map(|(_, claim)| self.repository_of(&claim.source_id));
                let text = format!(
                    "`{}` has moved to `{}`: the component {newer} that was drawn there is merged into {old}",
                    self.now.component_name(&newer),
                    repository.unwrap_or("another source"),
                );
                self.merge_rows(old, &newer);
                self.lists.warn("", 1, text);
                has_merged = true;
            }
        }
        if has_merged {
            self.note_claims();
        }
        Ok(())
    }

    /// Whether the newer row of another repository is where a row has moved.
    fn has_moved(&self, old: &Component, new: &Component, offers: &Offers) -> bool {
        let has_image = image_of_row(old).is_some_and(|image| image_of_row(new) == Some(image));
        let neighbors = |id: &str| offers.neighbors.get(id);
        let shares_neighbor = || neighbors(&old.id).zip(neighbors(&new.id)).is_some_and(|(a, b)| !a.is_disjoint(b));
        !self.are_split(&old.id, &new.id)
            && offers.holders.get(&new.id) == Some(&Holder::Other)
            && new.type_id == old.type_id
            && new.metadata.created_at > old.metadata.created_at.max(self.tx.core().now - MOVED_MS)
            && (has_image || shares_neighbor())
    }

    /// Whether a row and all that belongs to it is what syncs drew, and nothing of a user refers to it.
    pub(super) fn is_as_drawn(&self, id: &str) -> Result<bool> {
        if self.is_by_hand(ComponentKind, id) {
            return Ok(false);
        }
        let Some(row) = self.now.components.get(id) else { return Ok(false) };
        let is_claimed = |kind, id: &str| self.claims_of(kind, id).next().is_some();
        let said = self.claims_of(ComponentKind, id);
        let said: Vec<SourceValues<'_>> =
            said.map(|(_, claim)| SourceValues::of_claim(claim, self.now.sources.get(&claim.source_id))).collect();
        let map = fields::of_component(row, self.now.parents.get(id).map(String::as_str));
        let said = effective(&said).fields;
        let group = self.run.request.group.as_ref().map(Id::as_str);
        let has_values = map.0.iter().all(|(field, value)| {
            let is_of_group = field == "parent" && said.get(field).is_none() && value.as_str() == group;
            is_of_group || is_same(said.get(field), Some(value))
        });
        let mut lines =
            self.now.relationships.values().filter(|line| line.source_id == id || line.target_id == id).peekable();
        let is_line_claimed = |line: &Relationship| match line.type_id.as_str() {
            CONTAINS => line.target_id == id,
            _ => is_claimed(SyncKind::Relationship, &line.id) && !self.is_by_hand(SyncKind::Relationship, &line.id),
        };
        let are_attached_claimed = self
            .now
            .stakeholders
            .values()
            .filter(|row| row.component_id == id)
            .all(|row| is_claimed(SyncKind::Stakeholder, &row.id.to_string()))
            && self
                .now
                .links
                .values()
                .filter(|row| row.component_id == id)
                .all(|row| is_claimed(SyncKind::Link, &row.id.to_string()));
        if !has_values || !lines.all(is_line_claimed) || !are_attached_claimed {
            return Ok(false);
        }
        let quoted = format!("\"{id}\"");
        for view in self.now.views.values() {
            if serde_json::to_string(&view.definition)?.contains(&quoted) {
                return Ok(false);
            }
        }
        for tour in tours::list(self.tx, &Paging::default())?.items {
            if serde_json::to_string(&tour.stops)?.contains(&quoted) {
                return Ok(false);
            }
        }
        let (tx, ids) = (self.tx, [id.to_owned()]);
        let concerning = DecisionFilter { component_id: Id::new(id).ok(), status: None };
        Ok(view_places::of_component(tx.core().conn, &tx.key(), id)?.is_empty()
            && processes::with_participants(tx, &ids)?.is_empty()
            && decisions::list(tx, &concerning, &Paging::default())?.items.is_empty()
            && self.threads(id)?.is_empty())
    }

    /// Gives what belongs to the newer row to the old one, and deletes the newer one.
    pub(super) fn merge_rows(&mut self, old: &str, newer: &str) {
        let Some(removed) = self.now.components.get(newer).cloned() else { return };
        let replaced = |id: &str| if id == newer { old.to_owned() } else { id.to_owned() };
        // Relationships move, unless the old row has the same one.
        let mut ids: HashMap<(SyncKind, String), String> = HashMap::new();
        ids.insert((ComponentKind, newer.to_owned()), old.to_owned());
        let touching: Vec<Relationship> = self
            .now
            .relationships
            .values()
            .filter(|row| row.type_id != CONTAINS && (row.source_id == newer || row.target_id == newer))
            .cloned()
            .collect();
        for before in touching {
            let after = Relationship {
                source_id: replaced(&before.source_id),
                target_id: replaced(&before.target_id),
                ..before.clone()
            };
            let same = self
                .now
                .relationships
                .values()
                .filter(|row| {
                    is_one_line(row, &after, self.claims_of(SyncKind::Relationship, &row.id).next().is_some())
                })
                .cloned()
                .min_by_key(|row| (row.type_id != after.type_id, row.id.clone()));
            match same {
                Some(same) => {
                    ids.insert((SyncKind::Relationship, before.id.clone()), same.id.clone());
                    // The more exact type stands.
                    if types::is_more_exact(&after.type_id, &same.type_id) {
                        let exact = Relationship { type_id: after.type_id, ..same.clone() };
                        self.now.relationships.insert(exact.id.clone(), exact.clone());
                        self.plan.change_relationship(same, exact);
                    }
                }
                None => {
                    self.now.relationships.insert(after.id.clone(), after.clone());
                    self.plan.change_relationship(before, after);
                }
            }
        }
        self.move_attached(old, newer, &mut ids);
        let at = self.tx.core().now;
        let was: HashMap<(SyncKind, String), RowWas> =
            ids.iter().map(|((kind, newer), id)| ((*kind, newer.clone()), self.row_was(*kind, id))).collect();
        for (source, claims) in self.now.own.iter_mut().enumerate() {
            let moved = claims.values_mut().filter_map(|claim| {
                let newer = (claim.kind, claim.row_id.clone()?);
                let row = ids.get(&newer)?;
                claim.merged_from = claim.row_id.replace(row.clone()).map(|id| MergedRow { id, at });
                claim.row_was = claim.row_was.and(was.get(&newer).copied());
                if claim.kind == ComponentKind {
                    // What the source says is compared with the other row for the first time.
                    (claim.base, claim.is_home) = (Fields::default(), false);
                }
                Some((source, claim.clone()))
            });
            self.rekeyed.extend(moved);
        }
        for claim in &mut self.now.others {
            let row = claim.row_id.as_ref().and_then(|id| ids.get(&(claim.kind, id.clone())));
            let names_row = ["source", "target", "parent"]
                .into_iter()
                .filter(|field| claim.base.get(field).and_then(|id| id.as_str()) == Some(newer))
                .collect::<Vec<_>>();
            if row.is_none() && names_row.is_empty() {
                continue;
            }
            for field in names_row {
                claim.base.set(field, old);
            }
            if let Some(row) = row {
                let newer = claim.row_id.replace(row.clone());
                let row_was = newer.as_ref().and_then(|id| was.get(&(claim.kind, id.clone())).copied());
                claim.row_was = claim.row_was.and(row_was);
                claim.merged_from = newer.map(|id| MergedRow { id, at });
            }
            self.plan.claims.push(claim.clone());
        }
        let row = SyncRow::new(ComponentKind, newer, Some(newer), removed.name.as_str());
        self.lists.removed.push(SyncRow { merged_into: Some(old.to_owned()), ..row });
        // It is deleted after new rows are written.
        self.taken.entry(ComponentKind).or_default().insert(newer.to_owned());
        self.now.components.remove(newer);
        self.now.parents.remove(newer);
        self.plan.removed_components.push(removed);
    }

    /// Gives the stakeholders and links of the newer row to the old one, which may have them already.
    fn move_attached(&mut self, old: &str, newer: &str, ids: &mut HashMap<(SyncKind, String), String>) {
        let holding = |row: &StakeholderLink| (row.person_id.clone(), row.team_id.clone(), row.link_type.clone());
        let (mut stakeholders, mut links) = (Vec::new(), Vec::new());
        for row in self.now.stakeholders.values().filter(|row| row.component_id == newer) {
            let mut all = self.now.stakeholders.values().filter(|one| one.component_id == old);
            let same = all.find(|one| holding(one) == holding(row)).map(|same| same.id);
            let Some(claims) = self.claims_to_move((SyncKind::Stakeholder, row.id), same, ids) else { continue };
            let (person_id, team_id, link_type) = holding(row);
            let properties = Some(row.properties.clone());
            let new = NewStakeholder { component_id: None, person_id, team_id, link_type, properties };
            stakeholders.push((old.to_owned(), new, claims));
        }
        for row in self.now.links.values().filter(|row| row.component_id == newer) {
            let mut all = self.now.links.values().filter(|one| one.component_id == old);
            let same = all.find(|one| one.url == row.url).map(|same| same.id);
            let Some(claims) = self.claims_to_move((SyncKind::Link, row.id), same, ids) else { continue };
            links.push((Link { id: 0, component_id: old.to_owned(), ..row.clone() }, claims));
        }
        self.plan.new_stakeholders.extend(stakeholders);
        self.plan.new_links.extend(links);
    }

    /// The claims of a stakeholder or link that moves to another component. None if that one has the same, which gets the claims,
    /// or if the sync attaches it again, because a source of it has it.
    fn claims_to_move(
        &self,
        (kind, id): (SyncKind, i64),
        same: Option<i64>,
        ids: &mut HashMap<(SyncKind, String), String>,
    ) -> Option<Vec<Claim>> {
        let id = id.to_string();
        if let Some(same) = same {
            ids.insert((kind, id), same.to_string());
            return None;
        }
        let is_of_run = self.claims_of(kind, &id).any(|(at, _)| matches!(at, ClaimAt::Own(..)));
        (!is_of_run).then(|| self.claims_of(kind, &id).map(|(_, claim)| claim.clone()).collect())
    }
}

/// The image of a component of the map without its tag.
fn image_of_row(row: &Component) -> Option<String> {
    row.properties.entries().get("image").and_then(|image| image.as_str()).map(untagged)
}
