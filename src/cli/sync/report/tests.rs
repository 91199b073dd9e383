//! Tests of reports: hostile names, and what each format shows.

use serde_json::{Value, json as object};

use super::{
    github, json, markdown,
    model::{Outcome, Problem, Report, ReportSource, Row},
    text,
};

fn report() -> Report {
    let row = |kind: &str, name: &str, line: u32| object!({ "kind": kind, "key": name, "id": null, "name": name, "file": "deploy/a,b:c.yaml", "line": line });
    let with = |row: Value, fields: Value| {
        let mut row = row;
        row["fields"] = fields;
        row
    };
    let value = object!({
        "source": { "id": "github.com/acme/shop:compose.yaml", "kind": "compose" },
        "changeSetId": null,
        "isInStep": false,
        "added": [row("component", "cart", 3), row("relationship", "web → cart", 4)],
        "changed": [with(row("component", "web", 1), object!([
            { "field": "technology", "base": ["a"], "source": ["nginx", "lua"], "map": ["a"], "taken": "source" },
            { "field": "description", "base": null, "source": "x".repeat(100), "map": null, "taken": "source" }]))],
        "conflicts": [with(row("component", "db", 9), object!([
            { "field": "name", "base": "db", "source": "orders", "map": "Orders DB", "taken": "map" }]))],
        "vanished": [row("component", "::error::`old`\n\u{1b}[31m<b>@acme", 0)],
        "renameCandidates": [{ "from": "old", "to": "new", "name": "Old", "newName": "New" }],
        "unchanged": 42,
        "diagnostics": [
            { "severity": "warning", "file": "compose.yaml", "line": 7, "text": "100% of *this* `is\nnot read" },
            { "severity": "info", "file": "a/x.yaml", "line": 1, "text": "not read" },
            { "severity": "info", "file": "b/x.yaml", "line": 1, "text": "not read" }],
        "massRemoval": { "vanishing": 5, "claimed": 9, "isAllowed": false },
        "counts": { "added": 7, "changed": 1, "conflicts": 1, "vanished": 1 },
        "addedLater": true
    });
    serde_json::from_value(value).unwrap()
}

fn shown(write: impl Fn(&Outcome<'_>) -> String) -> String {
    let reports = [
        report(),
        Report { is_in_step: true, unchanged: 3, source: ReportSource { id: "b".into() }, ..Report::default() },
    ];
    write(&Outcome { workspace: Some("web-shop"), is_preview: true, reports: &reports, problems: &[] })
}

#[test]
fn text_lists_every_row_with_its_place() {
    insta::assert_snapshot!(shown(text));
}

#[test]
fn markdown_escapes_what_is_not_in_code() {
    insta::assert_snapshot!(shown(markdown));
}

#[test]
fn annotations_cannot_be_forged_by_names() {
    let text = shown(github);
    insta::assert_snapshot!(text);
    assert!(text.lines().all(|line| !line.starts_with("::error")), "{text}");
}

#[test]
fn json_has_the_reports_of_all_sources() {
    let value: Value = serde_json::from_str(&shown(json)).unwrap();
    assert_eq!((&value["inStep"], &value["preview"]), (&object!(false), &object!(true)));
    assert_eq!(value["sources"][0]["added"][0]["name"], "cart");
    assert_eq!(value["sources"][1]["isInStep"], true);
}

#[test]
fn long_comments_are_cut() {
    let mut report = report();
    report.added = vec![Row { name: "x".repeat(2_000), ..Row::default() }; 100];
    report.counts.added = 100;
    let reports = [report];
    let text = markdown(&Outcome { workspace: Some("a"), is_preview: false, reports: &reports, problems: &[] });
    assert!(text.chars().count() < 65_536 && text.ends_with("- The rest does not fit into a comment.\n"));
}

#[test]
fn a_failure_is_never_reported_as_in_step() {
    let reports = [Report { is_in_step: true, unchanged: 3, ..Report::default() }];
    let failure = "b was not synchronized: the server responded 400:\n::warning::`x`";
    let problems = [Problem { text: failure.to_owned(), ..Problem::default() }];
    let outcome = Outcome { workspace: Some("a"), is_preview: true, reports: &reports, problems: &problems };
    assert!(!outcome.is_in_step());
    let value: Value = serde_json::from_str(&json(&outcome)).unwrap();
    assert_eq!((&value["inStep"], &value["error"]), (&object!(false), &object!(failure)));
    assert!(
        markdown(&outcome).starts_with("### The map `a` was not completely compared with the code\n\n⚠️ b was not")
    );
    let annotations = github(&outcome);
    assert!(
        annotations
            .ends_with("::error title=Planroom::b was not synchronized: the server responded 400: ::warning::'x'\n")
    );
}

#[test]
fn no_format_repeats_commands_of_names() {
    let hostile = " : ::stop-commands::x\n::error::a\r##[add-mask]in step #\u{200b}#[b] \u{1b}[31m\u{202e}c\u{9b}";
    let mut report = report();
    report.source.id = hostile.to_owned();
    report.added[0] = Row { kind: hostile.into(), name: hostile.into(), file: hostile.into(), ..Row::default() };
    report.diagnostics[0].file = hostile.to_owned();
    report.diagnostics[0].text = hostile.to_owned();
    report.rename_candidates[0].new_name = hostile.to_owned();
    let reports = [report];
    let problems = [Problem { file: Some(hostile.into()), line: Some(1), text: hostile.into() }];
    let outcome = Outcome { workspace: Some(hostile), is_preview: true, reports: &reports, problems: &problems };
    for shown in [text(&outcome), markdown(&outcome), github(&outcome)] {
        assert!(!shown.contains("##["), "{shown}");
        assert!(!shown.contains(|c| c != '\n' && import::is_hidden(c)), "{shown:?}");
        let own =
            |line: &str| ["warning", "notice", "error"].iter().any(|kind| line.starts_with(&format!("::{kind} ")));
        assert!(shown.lines().all(|line| !line.trim_start().starts_with("::") || own(line)), "{shown}");
    }
    assert!(!json(&outcome).contains("##["));
    let value: Value = serde_json::from_str(&json(&outcome)).unwrap();
    assert_eq!(value["sources"][0]["source"]["id"], hostile, "JSON has the names as they are");
}
