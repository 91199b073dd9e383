//! Files of several tools, files that are changed at random, and records that are written and read again.

use proptest::prelude::*;

use super::*;

fn record(text: &str) -> Record {
    read(5, text).0
}

fn values<T: Clone>(list: &[Located<T>]) -> Vec<T> {
    list.iter().map(|item| item.value.clone()).collect()
}

const MADR_4: &str = "---
status: \"superseded by ADR-0012\"
date: 2025-03-01
decision-makers: [Ada Lovelace, \"Hopper, Grace\"]
consulted: Linus
components:
  - checkout
  - payments
---

# Use PostgreSQL for orders

## Context and Problem Statement

Orders need transactions.
";

#[test]
fn a_file_of_madr_4_has_metadata_in_front_matter() {
    let (record, diagnostics) = read(5, MADR_4);
    assert_eq!(record.title.unwrap(), Located { value: "Use PostgreSQL for orders".into(), line: 11 });
    assert_eq!(record.status, Some(Status::Superseded));
    assert_eq!(values(&record.superseded_by), [12]);
    assert_eq!(record.date.as_deref(), Some("2025-03-01"));
    assert_eq!(values(&record.authors.unwrap()), ["Ada Lovelace", "Hopper, Grace"]);
    let components = record.components.unwrap();
    assert_eq!(components[1], Located { value: "payments".into(), line: 8 });
    assert_eq!(record.body, "## Context and Problem Statement\n\nOrders need transactions.");
    assert_eq!(diagnostics, [Diagnostic { line: 5, text: "`consulted` was not imported".into() }]);
}

#[test]
fn headings_can_be_underlined() {
    let text =
        "5. Use events\n=============\n\nDate: 2020-02-29\n\nStatus\n------\n\nAccepted\n\nContext\n-------\n\nSlow.\n";
    let read = record(text);
    assert_eq!(read.title.unwrap(), Located { value: "Use events".into(), line: 1 });
    assert_eq!((read.status, read.date.as_deref()), (Some(Status::Accepted), Some("2020-02-29")));
    assert_eq!(read.body, "Context\n-------\n\nSlow.");
    assert_eq!(record("ADR-0005: Use events\n===\n").title.unwrap().value, "Use events");
    let read = record("Title\n===\n\nStatus\n---\n\nAccepted\n\nBecause of costs.\n");
    assert_eq!(read.body, "Status\n---\n\nBecause of costs.");
    let read = record("# Title\n\nText\n\n| a |\n---\n\n```\nCode\n====\n```\n\n- item\n---\n");
    assert_eq!(read.title.unwrap().value, "Title");
}

#[test]
fn a_file_of_madr_3_has_deciders_as_a_text() {
    let read = record("---\nstatus: accepted\ndeciders: Ada, Grace\ndate: 2024-01-31\n---\n# Title\nText");
    assert_eq!(values(&read.authors.unwrap()), ["Ada", "Grace"]);
    assert_eq!((read.status, read.body.as_str()), (Some(Status::Accepted), "Text"));
}

#[test]
fn a_file_of_madr_2_has_a_list_under_the_title() {
    let read =
        record("# Title\n\n* Status: rejected\n* Deciders: Ada, Grace\n* Date: 2020-02-29\n\nTechnical Story: #7\n");
    assert_eq!((read.status, read.date.as_deref()), (Some(Status::Rejected), Some("2020-02-29")));
    assert_eq!(values(&read.authors.unwrap()), ["Ada", "Grace"]);
    assert_eq!(read.body, "Technical Story: #7");
}

#[test]
fn a_file_of_adr_tools_has_a_section_with_links() {
    let text = "# 5. Use events\n\nDate: 2016-02-12\n\n## Status\n\nAccepted\n\nSupersedes [3. Use polling](0003-use-polling.md)\n\n\
                Amends [2. Queues](0002-queues.md)\n\n## Context\n\nPolling is slow.\n";
    let (record, diagnostics) = read(5, text);
    assert_eq!(record.title.unwrap().value, "Use events");
    assert_eq!((record.status, record.date.as_deref()), (Some(Status::Accepted), Some("2016-02-12")));
    assert_eq!(record.also_supersedes, [Located { value: 3, line: 9 }]);
    assert_eq!(record.body, "## Status\n\nAmends [2. Queues](0002-queues.md)\n\n## Context\n\nPolling is slow.");
    assert_eq!(diagnostics, []);
}

#[test]
fn a_superseded_file_of_adr_tools_names_its_successor() {
    let read = record("# 5. Old\n\n## Status\n\nAccepted\n\nSuperseded by [7. New](0007-new.md)\n\n## Context\nText\n");
    assert_eq!((read.status, values(&read.superseded_by)), (Some(Status::Superseded), vec![7]));
    assert_eq!(read.body, "## Context\nText");
}

#[test]
fn a_status_in_a_code_block_is_text() {
    let read = record("# Title\n\n```\n## Status\nRejected\n```\n");
    assert_eq!((read.status, read.body.as_str()), (None, "```\n## Status\nRejected\n```"));
}

#[test]
fn front_matter_that_is_no_yaml_is_reported_with_its_line() {
    let (record, diagnostics) = read(5, "---\nstatus: accepted\ndate: [\n---\n# Title\n");
    assert_eq!(record.title.unwrap().value, "Title");
    assert!((2..=4).contains(&diagnostics[0].line), "{diagnostics:?}");
    assert!(diagnostics[0].text.starts_with("the front matter was ignored"), "{diagnostics:?}");
}

#[test]
fn unknown_states_and_dates_are_reported_with_their_lines() {
    let (record, diagnostics) = read(5, "---\nstatus: \"{proposed | rejected}\"\ndate: 2025-02-30\n---\n# T\n");
    assert_eq!((record.status, record.date), (Some(Status::Proposed), None));
    assert_eq!(diagnostics.iter().map(|one| one.line).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn names_of_files_have_numbers() {
    for (name, number) in [
        ("0005-use-events.md", Some(5)),
        ("doc/adr/0012.md", Some(12)),
        ("ADR-007_Queues.markdown", Some(7)),
        ("README.md", None),
        ("0000-template.md", None),
        ("5th-element.md", None),
        ("0005-use-events.txt", None),
        ("99999999999999-x.md", None),
        ("", None),
    ] {
        assert_eq!(number_of(name), number, "{name}");
    }
    assert_eq!(file_name(5, "Use PostgreSQL 17!"), "0005-use-postgresql-17.md");
    assert_eq!(file_name(12, "日本"), "0012-decision.md");
}

/// Titles and names of the product: one line, without control characters and white space at the ends.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[^\\p{Cc}]{1,40}",
        Just("5. Title".to_owned()),
        Just("ADR-0005: # \"x\" \\".to_owned()),
        Just("# [a]: {b}, 'c'".to_owned()),
    ]
    .prop_map(|text| text.trim().to_owned())
    .prop_filter("is not empty", |text| !text.is_empty())
}

fn body() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("---\n"),
        Just("# Heading\n"),
        Just("## Status\n\nRejected\n"),
        Just("Date: 2020-01-01\n"),
        Just("* Status: accepted\n"),
        Just("```\n"),
        Just("    code\n"),
        Just("\r\n"),
        Just("\t \n"),
        Just("text ä\u{2028}"),
        Just("\u{feff}"),
    ];
    prop_oneof![proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat()), "\\PC{0,200}",]
        .prop_map(|text| normalized(&text))
}

fn located<T>(value: T) -> Located<T> {
    Located { value, line: 0 }
}

/// Without lines, which a record that is to be written does not have.
fn bare(mut record: Record) -> Record {
    record.title.iter_mut().for_each(|title| title.line = 0);
    record.authors.iter_mut().flatten().for_each(|item| item.line = 0);
    record.components.iter_mut().flatten().for_each(|item| item.line = 0);
    record.supersedes.iter_mut().flatten().for_each(|item| item.line = 0);
    record.superseded_by.iter_mut().for_each(|item| item.line = 0);
    record
}

proptest! {
    #[test]
    fn a_written_record_is_read_back_as_it_was(
        title in line(),
        status in prop_oneof![
            Just(Status::Proposed), Just(Status::Accepted), Just(Status::Superseded), Just(Status::Rejected)
        ],
        authors in proptest::collection::vec(line(), 0..4),
        components in proptest::collection::vec(line(), 0..4),
        supersedes in proptest::collection::vec(1..=MAX_NUMBER, 0..4),
        by in proptest::option::of(1..=MAX_NUMBER),
        body in body(),
        number in 1..=MAX_NUMBER,
    ) {
        let record = Record {
            title: Some(located(title)),
            status: Some(status),
            date: Some("2026-11-25".into()),
            authors: Some(authors.into_iter().map(located).collect()),
            components: Some(components.into_iter().map(located).collect()),
            supersedes: Some(supersedes.into_iter().map(located).collect()),
            also_supersedes: Vec::new(),
            superseded_by: by.filter(|_| status == Status::Superseded).map(located).into_iter().collect(),
            body,
        };
        let text = write(number, &record);
        let (read, diagnostics) = read(number, &text);
        prop_assert_eq!(bare(read), record, "{}", text);
        prop_assert_eq!(diagnostics, []);
    }

    #[test]
    fn no_file_makes_the_reader_panic(text in any::<String>(), number in 0..=MAX_NUMBER) {
        let (_, diagnostics) = read(number, &text);
        prop_assert!(diagnostics.len() <= MAX_DIAGNOSTICS);
    }

    #[test]
    fn samples_that_are_changed_at_random_are_read(at in 0..400_usize, cut in 0..40_usize, insert in "\\PC{0,8}") {
        for sample in [MADR_4, "# 5. T\n\nDate: x\n\n## Status\n\nSuperseded by [A](1-a.md)\n\n## Context\n\n~~~\n"] {
            let text: String = sample.chars().take(at).chain(insert.chars()).chain(sample.chars().skip(at + cut)).collect();
            let (record, diagnostics) = read(5, &text);
            prop_assert!(diagnostics.len() <= MAX_DIAGNOSTICS);
            prop_assert_eq!(normalized(&record.body), record.body.clone());
        }
    }
}

#[test]
fn large_files_take_linear_time() {
    let line = "# a](b) ADR-1, `` *x* [1](1-a.md)\n";
    for start in ["", "---\n", "# T\n## Status\n", "# T\n\n* Deciders: "] {
        let text = format!("{start}{}", line.repeat(MAX_FILE_BYTES / line.len()));
        assert!(read(1, &text).1.len() <= MAX_DIAGNOSTICS);
    }
}
