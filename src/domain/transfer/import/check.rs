//! Validation of a file, before any row is read or written.

use std::collections::HashSet;

use super::{
    attached_rows::RequestedRows,
    decision_rows::RequestedDecisions,
    images::{FileImages, UnencodedImages},
    unique_ids::check_unique_ids,
    view_rows::RequestedViews,
};
use crate::{
    domain::{
        comments::file::{self as comment_file, DocumentThread},
        directory::{component_kinds::NewComponentKind, people::NewPerson, roles::NewRole},
        map::{
            bulk::{self, Bulk},
            stakeholders::NewStakeholder,
        },
        sync::{self, DocumentSource},
        transfer::document::{Document, DocumentTeam},
        values::{Id, KebabId},
    },
    error::{Error, FieldPath, Result},
};

/// A file that satisfies all rules that need no other data.
pub(super) struct Checked {
    pub(super) model: bulk::Checked,
    pub(super) parts: FileParts,
}

/// The parts of a file besides the model. Absent parts are unchanged.
pub(super) struct FileParts {
    pub(super) people: Vec<NewPerson>,
    pub(super) teams: Vec<DocumentTeam>,
    pub(super) roles: Vec<NewRole>,
    pub(super) kinds: Vec<NewComponentKind>,
    pub(super) threads: Vec<DocumentThread>,
    pub(super) attached_rows: RequestedRows,
    pub(super) sources: Option<Vec<DocumentSource>>,
}

impl Checked {
    /// Checks a file. Its images are returned apart, to be encoded.
    pub(super) fn new(document: Document) -> Result<(Self, UnencodedImages)> {
        let Document { format: _, mut workspace, components, relationships, .. } = document;
        let images = UnencodedImages::new(document.images.unwrap_or_default(), document.notes.iter().flatten())?;
        if let Some(own) = &mut workspace {
            // The target id is determined separately, and the organization that the file came from is irrelevant.
            (own.id, own.org_id) = (None, None);
        }
        let model = bulk::Checked::new(Bulk { workspace, components, relationships })?;
        let mut parts = FileParts {
            people: document.people.unwrap_or_default(),
            teams: document.teams.unwrap_or_default(),
            roles: document.roles.unwrap_or_default(),
            kinds: document.kinds.unwrap_or_default(),
            sources: document.sources,
            threads: document.threads.unwrap_or_default(),
            attached_rows: RequestedRows {
                stakeholders: document
                    .stakeholders
                    .map(|all| all.into_iter().map(<(String, NewStakeholder)>::from).collect()),
                links: document.links,
                processes: document.processes,
                notes: document.notes,
                views: RequestedViews {
                    views: document.views,
                    places: document.view_places,
                    lines: document.view_lines,
                    tours: document.tours,
                },
                decisions: RequestedDecisions(document.decisions),
                images: FileImages::default(),
            },
        };
        let components: HashSet<&str> = model.component_ids().collect();
        parts.attached_rows.decisions.check(&components)?;
        let RequestedRows { stakeholders, links, processes, notes, views, .. } = &parts.attached_rows;
        parts.sources.as_deref().map_or(Ok(()), sync::transfer::check)?;
        check_unique_ids("people", parts.people.iter().map(|one| one.id.as_ref().map(Id::as_str)))?;
        check_unique_ids("teams", parts.teams.iter().map(|one| Some(one.id.as_str())))?;
        check_unique_ids("roles", parts.roles.iter().map(|one| one.id.as_ref().map(KebabId::as_str)))?;
        check_unique_ids("kinds", parts.kinds.iter().map(|one| one.id.as_ref().map(KebabId::as_str)))?;
        comment_file::check(&parts.threads)?;
        let mut kind_names = HashSet::new();
        for (index, one) in parts.kinds.iter().enumerate() {
            one.check().map_err(|error| error.within(FieldPath::item("kinds", index)))?;
            if !kind_names.insert(one.name.as_str().to_ascii_lowercase()) {
                let text = format!("the name `{}` is repeated", one.name.as_str());
                return Err(Error::invalid(FieldPath::item("kinds", index).field("name"), text));
            }
        }
        check_unique_ids("processes", processes.iter().flatten().map(|one| one.id.as_ref().map(KebabId::as_str)))?;
        check_unique_ids("notes", notes.iter().flatten().map(|one| one.id.as_ref().map(Id::as_str)))?;
        for (index, team) in parts.teams.iter().enumerate() {
            let mut seen = HashSet::new();
            for (at, member) in team.members.iter().enumerate() {
                if !seen.insert(&member.person_id) {
                    let field = FieldPath::item("teams", index).field("members").index(at).field("personId");
                    return Err(Error::invalid(field, format!("`{}` is a member already", member.person_id)));
                }
            }
        }
        views.check(&components, &model.relationship_ids().collect())?;
        let check_component = |list: &str, index: usize, id: &str| {
            let found = components.contains(id).then_some(());
            let field = || FieldPath::item(list, index).field("componentId");
            found.ok_or_else(|| Error::invalid(field(), format!("there is no component `{id}` in the file")))
        };
        let mut seen = HashSet::new();
        for (index, (component_id, one)) in stakeholders.iter().flatten().enumerate() {
            check_component("stakeholders", index, component_id)?;
            one.check_holder().map_err(|error| error.within(FieldPath::item("stakeholders", index)))?;
            if !seen.insert((component_id, &one.link_type, &one.person_id, &one.team_id)) {
                let text = "the same person or team has this role for this component already";
                return Err(Error::invalid(FieldPath::item("stakeholders", index), text));
            }
        }
        for (index, one) in links.iter().flatten().enumerate() {
            check_component("links", index, &one.component_id)?;
        }
        for (index, one) in processes.iter().flatten().enumerate() {
            one.check().map_err(|error| error.within(FieldPath::item("processes", index)))?;
        }
        for (index, one) in notes.iter().flatten().enumerate() {
            one.check().map_err(|error| error.within(FieldPath::item("notes", index)))?;
        }
        Ok((Self { model, parts }, images))
    }
}
