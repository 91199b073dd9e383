//! Export of decisions, and import of files of several tools.

use serde_json::{Value, json};

use super::PATH;
use crate::support::TestServer;

const MADR: &str = "---
status: accepted
date: 2025-03-01
decision-makers: [Ada, Grace]
components: [a, gone]
---

# Use PostgreSQL

## Context

Orders need transactions.
";

const NYGARD: &str = "# 3. Use MySQL

Date: 2019-05-06

## Status

Accepted

Superseded by [7. Use PostgreSQL](0007-use-postgresql.md)

## Context

It was there.
";

#[tokio::test]
async fn files_of_madr_and_adr_tools_become_decisions() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let reply = ada
        .import_decisions(&[
            ("doc/adr/0007-use-postgresql.md", MADR),
            ("doc/adr/0003-use-mysql.md", NYGARD),
            ("doc/adr/README.md", "# Decisions"),
            ("doc/adr/0003-again.md", "# Again"),
        ])
        .await;
    let imported = reply.ok();
    assert_eq!(imported["created"], json!(["use-mysql", "use-postgresql"]));
    let told: Vec<String> = imported["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| format!("{}:{}: {}", one["file"].as_str().unwrap(), one["line"], one["text"].as_str().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            "doc/adr/README.md:1: skipped: the name is not that of a decision, as in `0005-title.md`",
            "doc/adr/0003-again.md:1: skipped: the file `doc/adr/0003-use-mysql.md` has the same number",
            "doc/adr/0007-use-postgresql.md:5: there is no component `gone`; it was not imported",
        ]
    );
    assert_eq!(ada.decisions("").await, ["3 use-mysql superseded", "7 use-postgresql accepted"]);
    let new = ada.decision("use-postgresql").await;
    assert_eq!((&new["supersedes"], &new["componentIds"]), (&json!(["use-mysql"]), &json!(["a"])));
    assert_eq!((&new["date"], &new["authors"]), (&json!("2025-03-01"), &json!(["Ada", "Grace"])));
    assert_eq!(new["body"], "## Context\n\nOrders need transactions.");
    let old = ada.decision("use-mysql").await;
    assert_eq!((&old["date"], &old["body"]), (&json!("2019-05-06"), &json!("## Context\n\nIt was there.")));
    // The next number is after the highest one, and the import is one change set.
    assert_eq!(ada.decide(json!({ "title": "Next" })).await["number"], 8);
    ada.undo(imported["changeSetId"].as_str().unwrap()).await;
    assert_eq!(ada.decisions("").await, ["8 next proposed"]);
}

#[tokio::test]
async fn a_file_updates_the_decision_with_its_number() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.decide(json!({ "title": "One", "status": "accepted", "date": "2020-01-01", "authors": ["Ada"],
                       "componentIds": ["a"], "body": "Before" }))
        .await;
    let imported = ada.import_decisions(&[("0001-other-name.md", "# 1. Renamed\n\nAfter\n")]).await.ok();
    assert_eq!((&imported["updated"], &imported["created"]), (&json!(["one"]), &json!([])));
    let row = ada.decision("one").await;
    // What the file does not say stays.
    assert_eq!((&row["title"], &row["body"]), (&json!("Renamed"), &json!("After")));
    assert_eq!(
        (&row["status"], &row["date"], &row["authors"], &row["componentIds"]),
        (&json!("accepted"), &json!("2020-01-01"), &json!(["Ada"]), &json!(["a"]))
    );
    // A decision without a file is replaced by a file that says so.
    ada.import_decisions(&[("0002-two.md", "# Two\n\n## Status\n\nAccepted\n\nSupersedes [1](0001-one.md)\n")])
        .await
        .ok();
    assert_eq!(ada.decisions("").await, ["1 one superseded", "2 two accepted"]);
}

#[tokio::test]
async fn an_export_has_a_file_for_each_decision() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.decide(json!({ "title": "Use \"MySQL\"", "date": "2020-01-01", "authors": ["Ada", "X: y"] })).await;
    ada.decide(json!({ "title": "Use PostgreSQL 17!", "status": "accepted", "date": "2021-02-03",
                       "componentIds": ["b", "a"], "supersedes": ["use-mysql"], "body": "Text" }))
        .await;
    let first = "---\nstatus: \"superseded by ADR-0002\"\ndate: \"2020-01-01\"\ndecision-makers: [\"Ada\", \"X: y\"]\n\
                 components: []\nsupersedes: []\n---\n\n# Use \"MySQL\"\n";
    let second = "---\nstatus: \"accepted\"\ndate: \"2021-02-03\"\ndecision-makers: []\ncomponents: [\"b\", \"a\"]\n\
                  supersedes: [\"ADR-0001\"]\n---\n\n# Use PostgreSQL 17!\n\nText\n";
    let expected = [("decisions/0001-use-mysql.md", first), ("decisions/0002-use-postgresql-17.md", second)];
    let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(ada.export_decisions().await, expected);
}

#[tokio::test]
async fn an_import_of_other_files_is_refused_as_a_whole_or_by_file() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let long = "x".repeat(300 << 10);
    let title = format!("# {}", "x".repeat(201));
    let body = format!("# T\n\n{}", "x".repeat(100_001));
    let imported = ada
        .import_decisions(&[("0001-a.md", &long), ("0002-b.md", &title), ("0003-c.md", &body), ("0004-d.md", "")])
        .await
        .ok();
    let told: Vec<Value> = imported["diagnostics"].as_array().unwrap().iter().map(|one| one["text"].clone()).collect();
    assert_eq!(
        told,
        [
            json!("skipped: the file is larger than 256 KiB"),
            json!("skipped: the title must have 1 to 200 characters, has 201"),
            json!("skipped: the text must have at most 100000 bytes, has 100001"),
            json!("the file has no title, a line `# Title`; its name is used"),
        ]
    );
    assert_eq!(ada.decisions("").await, ["4 decision-d proposed"]);
    let files = vec![json!({ "name": "0001-a.md", "text": "" }); 1_001];
    let refused = ada.post(&format!("{PATH}/import"), json!({ "files": files })).await;
    refused.expect_error(400, "must have at most 1000 items");
    // Nothing to write, no change set.
    let nothing = ada.import_decisions(&[]).await.ok();
    assert_eq!((&nothing["changeSetId"], &nothing["created"]), (&Value::Null, &json!([])));
}
