//! The cases that the web client is tested with too: `shop.json` is written by hand, and `generated.json` by
//! `assets/web/build/viewCases.ts`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::{
    contents::{Candidate, Contents, Holder, Relation},
    resolve::Members,
};
use crate::domain::{
    catalogue::CATALOGUE,
    map::model::view_definition::ViewDefinition,
    values::{Keywords, Properties},
};

const SHOP: &str = include_str!("../../../../assets/web/src/core/views/cases/shop.json");
const GENERATED: &str = include_str!("../../../../assets/web/src/core/views/cases/generated.json");
const CATALOG: &str = include_str!("../../../../assets/web/src/core/views/cases/catalog.json");

#[derive(Deserialize)]
struct Group {
    model: Model,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Model {
    kinds: Vec<Named>,
    teams: Vec<Team>,
    people: Vec<Named>,
    components: Vec<Component>,
    relationships: Vec<Relationship>,
    stakeholders: Vec<Stakeholder>,
}

#[derive(Deserialize)]
struct Named {
    id: String,
    name: String,
}

#[derive(Deserialize)]
struct Team {
    id: String,
    name: String,
    members: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Component {
    id: String,
    type_id: String,
    name: String,
    description: Option<String>,
    #[serde(default)]
    tags: Keywords,
    #[serde(default)]
    technology: Keywords,
    #[serde(default)]
    properties: Properties,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Relationship {
    id: String,
    source_id: String,
    type_id: String,
    target_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stakeholder {
    component_id: String,
    person_id: Option<String>,
    team_id: Option<String>,
    link_type: String,
}

#[derive(Deserialize)]
struct Case {
    #[serde(default)]
    title: String,
    /// Whether the definition is refused, because something in it is empty.
    #[serde(default)]
    refused: bool,
    definition: Value,
    components: Vec<String>,
    relationships: Vec<String>,
    stubs: BTreeMap<String, Vec<String>>,
    /// The ends of implied relationships.
    #[serde(default)]
    implied: BTreeMap<String, [String; 2]>,
}

impl Model {
    fn contents(self) -> Contents {
        let name = |link: &Stakeholder| {
            let person = self.people.iter().find(|person| Some(&person.id) == link.person_id.as_ref());
            let team = self.teams.iter().find(|team| Some(&team.id) == link.team_id.as_ref());
            person.map(|person| &person.name).or(team.map(|team| &team.name)).cloned().unwrap_or_default()
        };
        let holders = self.stakeholders.iter().map(|link| Holder {
            name: name(link),
            component_id: link.component_id.clone(),
            person_id: link.person_id.clone(),
            team_id: link.team_id.clone(),
            role: link.link_type.clone(),
        });
        let holders = holders.collect();
        let candidate = |row: Component| Candidate {
            id: row.id,
            type_id: row.type_id,
            name: row.name,
            description: row.description,
            tags: row.tags,
            technology: row.technology,
            properties: row.properties,
            ..Candidate::default()
        };
        let relation = |row: Relationship| Relation {
            id: row.id,
            source_id: row.source_id,
            target_id: row.target_id,
            type_id: row.type_id,
        };
        let memberships = self
            .teams
            .into_iter()
            .flat_map(|team| team.members.into_iter().map(move |person| (person, team.id.clone())));
        Contents::new(
            self.components.into_iter().map(candidate).collect(),
            self.relationships.into_iter().map(relation).collect(),
            holders,
            memberships,
            self.kinds.into_iter().map(|kind| (kind.id, kind.name)).collect(),
        )
    }
}

/// Compares the cases of a model. Returns the number of those that were not refused.
fn compare(group: Group) -> usize {
    let contents = group.model.contents();
    let mut count = 0;
    for case in group.cases {
        let definition: Result<ViewDefinition, _> = serde_json::from_value(case.definition.clone());
        let what = format!("{} {}", case.title, case.definition);
        assert_eq!(definition.is_err(), case.refused, "{what}: {definition:?}");
        let Ok(definition) = definition else { continue };
        let found = Members::of(&definition, &contents);
        assert_eq!(found.component_ids(&contents), case.components, "components of {what}");
        assert_eq!(found.relationship_ids(&contents), case.relationships, "relationships of {what}");
        let stubs = found.stubs(&contents).into_iter().map(|stub| (stub.component_id, stub.relationship_ids));
        assert_eq!(stubs.collect::<BTreeMap<_, _>>(), case.stubs, "stubs of {what}");
        let implied = found.implied(&contents).into_iter();
        let implied = implied.map(|one| (one.relationship_id, [one.source_id, one.target_id]));
        assert_eq!(implied.collect::<BTreeMap<_, _>>(), case.implied, "implied relationships of {what}");
        count += 1;
    }
    count
}

#[test]
fn a_view_contains_what_the_cases_say() {
    assert!(compare(serde_json::from_str(SHOP).unwrap()) > 120);
}

#[test]
fn a_view_contains_what_the_generated_cases_say() {
    let groups: Vec<Group> = serde_json::from_str(GENERATED).unwrap();
    assert!(groups.into_iter().map(compare).sum::<usize>() > 400);
}

#[test]
fn the_cases_have_the_types_of_the_catalog() {
    let types = |list: Vec<Value>| serde_json::json!(list);
    let components = CATALOGUE.component_types.iter().map(|one| serde_json::json!({ "id": one.id, "name": one.name }));
    let relations = CATALOGUE
        .relation_types
        .iter()
        .map(|one| serde_json::json!({ "id": one.id, "directed": one.directed, "dependsOn": one.depends_on }));
    let expected = serde_json::json!({
        "componentTypes": types(components.collect()),
        "relationTypes": types(relations.collect()),
    });
    assert_eq!(serde_json::from_str::<Value>(CATALOG).unwrap(), expected);
}
