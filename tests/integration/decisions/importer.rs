//! Properties of the import: exported files change nothing, and random files break nothing.

use proptest::{
    collection::vec,
    prelude::*,
    sample::{select, subsequence},
    string::string_regex,
    test_runner::{Config, TestRunner},
};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{PATH, plain};
use crate::support::TestServer;

const STATES: [&str; 4] = ["proposed", "accepted", "superseded", "rejected"];

/// Texts with the traps of Markdown, front matter and other forms of decisions.
fn body() -> impl Strategy<Value = String> {
    let pieces = vec![
        "# Heading\n",
        "## Status\n\nRejected\n",
        "---\n",
        "Date: 2020-01-01\n",
        "* Status: accepted\n",
        "```\n",
        "    code\n",
        "\n",
        "text ä\u{2028} `x`  ",
    ];
    vec(select(pieces), 0..8).prop_map(|pieces| pieces.concat())
}

/// A decision that replaces some of those before it.
fn decision() -> impl Strategy<Value = Value> {
    // Without marks and fillers, some of which are invisible.
    let hidden = "\\p{C}\\p{M}\\x{115f}\\x{1160}\\x{2800}\\x{3164}\\x{ffa0}\\x{fffc}";
    let title = string_regex(&format!("[^{hidden}\\s][^{hidden}\\p{{Zl}}\\p{{Zp}}]{{0,20}}[^{hidden}\\s]")).unwrap();
    let title = prop_oneof![title, Just("2. Title".to_owned())];
    let authors = vec("[A-Z][a-z,:\"']{0,8}", 0..3);
    let components = subsequence(vec!["a", "b"], 0..=2);
    (title, select(STATES.to_vec()), authors, components, body(), any::<bool>()).prop_map(
        |(title, status, authors, components, body, replaces)| {
            json!({ "title": title, "status": status, "date": "2026-11-25", "authors": authors,
                    "componentIds": components, "body": body, "replaces": replaces })
        },
    )
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config { cases, max_shrink_iters: 50, ..Config::default() })
}

#[test]
fn an_import_of_an_export_changes_nothing() {
    let runtime = Runtime::new().unwrap();
    let run = |decisions: Vec<Value>, delete: bool, change: bool| {
        runtime.block_on(async {
            let server = TestServer::new().await;
            let ada = server.seed_map().await;
            let mut last: Option<Value> = None;
            for mut row in decisions {
                let replaces = row.as_object_mut().unwrap().shift_remove("replaces") == Some(json!(true));
                if let Some(id) = last.take().filter(|_| replaces) {
                    row["supersedes"] = json!([id]);
                }
                last = Some(ada.decide(row).await["id"].clone());
            }
            if change && let Some(id) = &last {
                // A state that does not follow from what replaces what.
                let path = format!("{PATH}/{}", id.as_str().unwrap());
                ada.patch(&path, json!({ "status": "accepted" })).await.ok();
            }
            if delete {
                ada.delete("/api/workspaces/w/components/a").await.ok();
            }
            let files = ada.export_decisions().await;
            let named: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            let (before, log) = (ada.get(PATH).await.ok(), server.log_sizes());
            let imported = ada.import_decisions(&named).await.ok();
            assert_eq!(imported["diagnostics"], json!([]), "{files:#?}");
            assert_eq!(imported["unchanged"].as_array().unwrap().len(), files.len(), "{imported} {files:#?}");
            assert_eq!((ada.get(PATH).await.ok(), server.log_sizes()), (before, log));

            // In another workspace, they create the same decisions.
            ada.create_workspace("copy").await;
            ada.create_components("copy", &["a", "b"]).await;
            if delete {
                ada.delete("/api/workspaces/copy/components/a").await.ok();
            }
            let sent: Vec<Value> = named.iter().map(|(name, text)| json!({ "name": name, "text": text })).collect();
            let imported = ada.post("/api/workspaces/copy/decisions/import", json!({ "files": sent })).await.ok();
            assert_eq!(imported["diagnostics"], json!([]));
            let contents = |rows: Value| -> Vec<Value> {
                let bare = |row: &Value| {
                    let mut row = plain(row);
                    // Ids are not part of files.
                    for field in ["id", "workspaceId", "supersedes"] {
                        row.as_object_mut().unwrap().shift_remove(field);
                    }
                    row
                };
                rows["decisions"].as_array().unwrap().iter().map(bare).collect()
            };
            let copied = ada.get("/api/workspaces/copy/decisions").await.ok();
            assert_eq!(contents(copied), contents(ada.get(PATH).await.ok()));
        });
    };
    let input = (vec(decision(), 0..5), any::<bool>(), any::<bool>());
    let result = runner(24).run(&input, |(decisions, delete, change)| {
        run(decisions, delete, change);
        Ok(())
    });
    result.unwrap();
}

#[test]
fn random_files_are_imported_or_reported_and_never_break_the_server() {
    let runtime = Runtime::new().unwrap();
    let (server, _guard) = (runtime.block_on(TestServer::new()), runtime.enter());
    runtime.block_on(server.seed_map());
    let parts = vec![
        "---\n",
        "status: superseded by ADR-0002\n",
        "status: [x]\n",
        "date: 2025-01-01\n",
        "components: [a, {b: c}, *x]\n",
        "supersedes: [\"ADR-0001\", 2, ADR-99]\n",
        "decision-makers: A, B\n",
        "# Title\n",
        "## Status\n",
        "Accepted\n",
        "Superseded by [2](0002-x.md)\n",
        "Supersedes ADR 1\n",
        "\u{0}\u{feff}\r",
        "text\n",
    ];
    let file = (1..5_u32, vec(prop_oneof![4 => select(parts).prop_map(str::to_owned), 1 => any::<String>()], 0..10));
    let files = vec(file, 0..5);
    let result = runner(60).run(&files, |files| {
        runtime.block_on(async {
            let ada = server.sign_in("ada").await;
            let files: Vec<(String, String)> =
                files.into_iter().map(|(number, parts)| (format!("{number:04}-x.md"), parts.concat())).collect();
            let named: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            let imported = ada.import_decisions(&named).await.ok();
            for one in imported["diagnostics"].as_array().unwrap() {
                let (_, text) = files.iter().find(|(name, _)| *name == one["file"].as_str().unwrap()).unwrap();
                let lines = text.replace("\r\n", "\n").replace('\r', "\n").split('\n').count();
                assert!((1..=lines as u64).contains(&one["line"].as_u64().unwrap()), "{one} {text:?}");
            }
            // The same files again change nothing.
            let log = server.log_sizes();
            ada.import_decisions(&named).await.ok();
            assert_eq!(server.log_sizes(), log, "{files:#?}");
            // No decision replaces itself, and numbers are unique.
            let rows = ada.get(PATH).await.ok()["decisions"].clone();
            let rows = rows.as_array().unwrap();
            let mut numbers: Vec<i64> = rows.iter().map(|row| row["number"].as_i64().unwrap()).collect();
            numbers.dedup();
            assert_eq!(numbers.len(), rows.len());
            assert!(rows.iter().all(|row| !row["supersedes"].as_array().unwrap().contains(&row["id"])));
        });
        Ok(())
    });
    result.unwrap();
}
