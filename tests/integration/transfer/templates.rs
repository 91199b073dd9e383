//! The templates of new workspaces.

use std::collections::BTreeSet;

use planroom::domain::transfer::templates::{self, Template};
use serde_json::{Value, json};

use super::export;
use crate::support::TestServer;

/// The largest size of a card in the web client (`drawing/card.json`).
const CARD: (f64, f64) = (260.0, 124.0);
/// The padding and the height of the title of a group in the web client (`scene/scene.ts`).
const GROUP: (f64, f64) = (20.0, 40.0);

/// Left, top, right and bottom.
type Rect = [f64; 4];

fn card(component: &Value) -> Rect {
    let (x, y) = position(component);
    [x, y, x + CARD.0, y + CARD.1]
}

fn position(component: &Value) -> (f64, f64) {
    (component["x"].as_f64().unwrap(), component["y"].as_f64().unwrap())
}

/// The frame that the web client draws around the parts of a group.
fn frame(parts: &[Rect]) -> Rect {
    let edge = |at: usize, pick: fn(f64, f64) -> f64| parts.iter().map(|part| part[at]).reduce(pick).unwrap();
    let (padding, title) = GROUP;
    [
        edge(0, f64::min) - padding,
        edge(1, f64::min) - padding - title,
        edge(2, f64::max) + padding,
        edge(3, f64::max) + padding,
    ]
}

/// The larger one of the horizontal and the vertical distance of two rectangles.
fn distance(a: Rect, b: Rect) -> f64 {
    let gap = |low: usize, high: usize| (b[low] - a[high]).max(a[low] - b[high]);
    gap(0, 2).max(gap(1, 3))
}

/// The ids of the parts of a group.
fn parts_of<'b>(bundle: &'b Value, group: &str) -> BTreeSet<&'b str> {
    let contained = |row: &&Value| row["typeId"] == "contains" && row["sourceId"] == group;
    let rows = bundle["relationships"].as_array().unwrap().iter().filter(contained);
    rows.map(|row| row["targetId"].as_str().unwrap()).collect()
}

fn type_ids(rows: &Value) -> BTreeSet<String> {
    let key = if rows[0]["typeId"].is_null() { "id" } else { "typeId" };
    rows.as_array().unwrap().iter().map(|row| row[key].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn every_template_is_listed_with_its_contents() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let catalogue = ada.get("/api/schema").await.ok();
    let list = ada.get("/api/templates").await.ok()["templates"].clone();
    let ids: Vec<&str> = list.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["blank", "layered-web-application", "event-driven", "cloud-landing-zone"]);
    for template in list.as_array().unwrap() {
        let (id, counts) = (template["id"].as_str().unwrap(), &template["counts"]);
        let new = json!({ "id": id, "name": "Mine", "visibility": "private", "template": id });
        let workspace = ada.post("/api/workspaces", new).await.created()["workspace"].clone();
        assert_eq!((&workspace["name"], &workspace["visibility"]), (&json!("Mine"), &json!("private")));
        let bundle = ada.bundle(id).await;
        let processes = ada.get(&format!("/api/workspaces/{id}/processes")).await.ok()["processes"].clone();
        for (part, rows) in [
            ("components", &bundle["components"]),
            ("relationships", &bundle["relationships"]),
            ("processes", &processes),
        ] {
            assert_eq!(rows.as_array().unwrap().len() as u64, counts[part].as_u64().unwrap(), "{part} of {id}");
        }
        if id == "blank" {
            assert_eq!((&counts["components"], workspace.get("description")), (&json!(0), None));
            continue;
        }
        assert_eq!(workspace["description"], template["description"]);
        assert!((12..=20).contains(&counts["components"].as_u64().unwrap()), "{id}");
        for (part, types) in [("components", "componentTypes"), ("relationships", "relationTypes")] {
            assert!(type_ids(&bundle[part]).is_subset(&type_ids(&catalogue[types])), "{part} of {id}");
        }
        for row in bundle["components"].as_array().unwrap() {
            let description = row["description"].as_str().unwrap();
            assert!((10..=100).contains(&description.len()) && description.ends_with('.'), "{description}");
        }
        for row in bundle["relationships"].as_array().unwrap() {
            assert!(row["typeId"] == "contains" || row["label"].is_string(), "{id}: {row}");
        }
        for process in processes.as_array().unwrap() {
            let name = &process["name"];
            assert_eq!((&process["unresolved"], &process["diagnostics"]), (&json!([]), &json!([])), "{name}");
            let participants = process["participants"].as_object().unwrap();
            assert_eq!(process["lifelines"].as_array().unwrap().len(), participants.len(), "{name}");
            assert!((10..=20).contains(&process["steps"].as_array().unwrap().len()), "{name}");
        }
    }
    assert_eq!(ada.get("/api/teams").await.ok()["teams"], json!([]));
    assert_eq!(ada.get("/api/people").await.ok()["people"].as_array().unwrap().len(), 1, "only ada");
}

#[tokio::test]
async fn templates_have_room_for_lines_between_cards_and_groups() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for template in Template::ALL.iter().map(|template| template.as_str()).filter(|template| *template != "blank") {
        ada.post("/api/workspaces", json!({ "id": template, "name": "T", "template": template })).await.created();
        let bundle = ada.bundle(template).await;
        let components = bundle["components"].as_array().unwrap();
        let (mut frames, mut outside, mut grouped) = (Vec::new(), Vec::new(), BTreeSet::new());
        for group in components.iter().filter(|row| row["typeId"] == "group") {
            let parts = parts_of(&bundle, group["id"].as_str().unwrap());
            let rects: Vec<Rect> =
                components.iter().filter(|row| parts.contains(row["id"].as_str().unwrap())).map(card).collect();
            assert!(rects.len() >= 2, "{}", group["id"]);
            let frame = frame(&rects);
            assert_eq!(position(group), (frame[0], frame[1]), "{} is at the corner of its frame", group["id"]);
            assert!(group["width"].is_null() && group["height"].is_null());
            for part in parts {
                assert!(grouped.insert(part), "{part} is part of two groups");
            }
            frames.push((group["id"].as_str().unwrap(), frame));
        }
        assert!((3..=5).contains(&frames.len()), "{template}");
        let cards: Vec<(&str, Rect)> = components
            .iter()
            .filter(|row| row["typeId"] != "group")
            .map(|row| (row["id"].as_str().unwrap(), card(row)))
            .collect();
        for (at, (id, one)) in cards.iter().enumerate() {
            assert!(one[0].rem_euclid(20.0) == 0.0 && one[1].rem_euclid(20.0) == 0.0, "{id} is not on the grid");
            for (other, rect) in &cards[at + 1..] {
                assert!(distance(*one, *rect) >= 60.0, "{template}: {id} is too close to {other}");
            }
            if !grouped.contains(id) {
                outside.push((*id, *one));
            }
        }
        for (at, (id, one)) in frames.iter().enumerate() {
            for (other, rect) in frames[at + 1..].iter().chain(&outside) {
                assert!(distance(*one, *rect) >= 100.0, "{template}: {id} is too close to {other}");
            }
        }
    }
}

#[tokio::test]
async fn templates_are_exported_as_in_the_repository() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for template in Template::ALL {
        let Some(text) = templates::file(*template).unwrap() else { continue };
        let file: Value = serde_json::from_str(&text).unwrap();
        let (id, name) = (template.as_str(), &file["workspace"]["name"]);
        assert_eq!(file["workspace"]["id"], id);
        ada.post("/api/workspaces", json!({ "id": id, "name": name, "template": id })).await.created();
        assert_eq!(export(&ada, id).await, file.to_string());
        let own = json!({ "id": "own", "name": "N", "description": "My own text", "template": id });
        assert_eq!(ada.post("/api/workspaces", own).await.created()["workspace"]["description"], "My own text");
        ada.delete("/api/workspaces/own").await.ok();
    }
}

#[tokio::test]
async fn a_template_is_one_of_the_list_and_excludes_the_sample() {
    let server = TestServer::new().await;
    server.seed_user("nomad");
    let ada = server.sign_in("ada").await;
    for template in ["blank", "event-driven"] {
        let both = json!({ "name": "Both", "sample": true, "template": template });
        assert_eq!(ada.post("/api/workspaces", both).await.expect_error(400, "sample")["field"], "template");
    }
    ada.post("/api/workspaces", json!({ "name": "None", "template": "hexagonal" })).await.expect_error(400, "template");
    assert_eq!(ada.get("/api/workspaces").await.ok()["workspaces"], json!([]));
    let one = json!({ "id": "one", "name": "One", "sample": false, "template": "event-driven" });
    ada.post("/api/workspaces", one).await.created();
    let none = json!({ "id": "none", "name": "None", "template": null });
    ada.post("/api/workspaces", none).await.created();
    assert_eq!(ada.bundle("none").await["components"], json!([]));
    // A list without an organization.
    server.sign_in("nomad").await.get("/api/templates").await.ok();
    server.anonymous().get("/api/templates").await.expect_error(401, "Authorization");
}
