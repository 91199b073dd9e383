//! Tests on random input: the parser does not panic, takes linear time, and returns consistent results.

use std::collections::HashSet;

use proptest::{prelude::*, sample::select};

use super::{
    begin,
    diagram::{Diagram, MAX_DIAGNOSTICS, MAX_ITEMS},
    read,
    work_counter::work_counter,
};

/// Keywords, symbols and line endings of the grammar, and some that are not part of it.
const SCRAPS: &[&str] = &[
    "A",
    "B",
    "Carl",
    "web shop",
    "x",
    "1 ",
    "é",
    "漢",
    "🚀",
    "->>",
    "-->>",
    "->",
    "-->",
    "-x",
    "--x",
    "-)",
    "--)",
    "<<->>",
    "<<-->>",
    "-|\\",
    "-//",
    "/|-",
    "\\\\--",
    "()",
    "+",
    "-",
    ":",
    ": text",
    ": a; b",
    ": #59;",
    ": #x",
    ",",
    ";",
    "#",
    "%",
    "%%",
    "%%{",
    "}%%",
    "%%{init: {}}%%",
    "{",
    "}",
    "@{",
    "@{ \"type\": \"queue\" }",
    "@{ \"type\": ",
    "<",
    ">",
    "<b a=\"x\">",
    "<br/>",
    "\"",
    "'",
    "---",
    "title: x",
    "title",
    "accTitle:",
    "accDescr {",
    "accDescr:",
    " ",
    "  ",
    "\t",
    "\n",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\u{a0}",
    "\u{2028}",
    "\u{feff}",
    "participant ",
    "actor ",
    "create ",
    "destroy ",
    " as ",
    "box ",
    "box Aqua ",
    "end",
    "end\n",
    "loop ",
    "alt ",
    "else ",
    "opt ",
    "par ",
    "and ",
    "par_over ",
    "critical ",
    "option ",
    "break ",
    "rect ",
    "Note over ",
    "note left of ",
    "right of ",
    "activate ",
    "deactivate ",
    "autonumber ",
    "off",
    "link ",
    "links ",
    "properties ",
    "details ",
    "wrap:",
    "sequenceDiagram",
    "\nA->>B: x\n",
    "\nparticipant A\n",
    "\u{0}",
    "ﬂ°59¶ß",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(select(SCRAPS), 0..120).prop_map(|scraps| format!("sequenceDiagram\n{}", scraps.concat()))
}

/// Random text, including invalid UTF-8 that was converted lossily.
fn anything() -> impl Strategy<Value = String> {
    let bytes = prop::collection::vec(any::<u8>(), 0..400).prop_map(|b| String::from_utf8_lossy(&b).into_owned());
    let text = prop_oneof![".{0,200}", bytes, prop::collection::vec(select(SCRAPS), 0..60).prop_map(|s| s.concat())];
    (any::<bool>(), text).prop_map(|(begun, text)| if begun { format!("sequenceDiagram\n{text}") } else { text })
}

/// Every index is valid, every position is in the text, and the maximum size is observed.
fn fits_together(text: &str, diagram: &Diagram) {
    let Diagram { participants, steps, notes, blocks, boxes, diagnostics, .. } = diagram;
    let lines: Vec<String> = text.replace("\r\n", "\n").split(['\n', '\r']).map(str::to_owned).collect();
    let in_text = |line: u32| (1..=lines.len()).contains(&(line as usize));
    let block_exists = |block: Option<usize>| block.is_none_or(|block| block < blocks.len());
    let aliases: HashSet<&str> = participants.iter().map(|one| one.alias.as_str()).collect();
    assert_eq!(aliases.len(), participants.len(), "an alias is listed once");
    for one in participants {
        assert!(in_text(one.line) && one.in_box.is_none_or(|of| of < boxes.len()), "{one:?}");
    }
    for step in steps {
        let ends = step.source < participants.len() && step.target < participants.len();
        assert!(ends && in_text(step.line) && block_exists(step.block), "{step:?}");
    }
    for note in notes {
        assert!(
            (1..=2).contains(&note.about.len()) && note.about.iter().all(|one| *one < participants.len()),
            "{note:?}"
        );
        assert!(in_text(note.line) && note.after <= steps.len() && block_exists(note.block), "{note:?}");
    }
    for (index, block) in blocks.iter().enumerate() {
        assert!(in_text(block.line) && block.parent.is_none_or(|parent| parent < index), "{block:?}");
    }
    for one in diagnostics {
        assert!(in_text(one.line), "{one:?}");
        let columns = lines[one.line as usize - 1].chars().count() + 1;
        assert!((1..=columns).contains(&(one.column as usize)), "{one:?} of {columns}");
        assert!(!one.message.is_empty() && one.message.chars().count() < 250, "{one:?}");
    }
    assert!(diagnostics.is_sorted_by_key(|one| (one.line, one.column)) && diagnostics.len() <= MAX_DIAGNOSTICS);
    // The last statement may add two participants besides its message.
    assert!(participants.len() + steps.len() + notes.len() + blocks.len() + boxes.len() <= MAX_ITEMS + 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_text_is_parsed_or_rejected_with_a_position(text in anything()) {
        match read(&text) {
            Ok(diagram) => fits_together(&text, &diagram),
            Err(missing) => fits_together(&text, &Diagram { diagnostics: vec![missing], ..Diagram::default() }),
        }
    }

    #[test]
    fn keywords_are_accepted_in_any_order(text in soup()) {
        fits_together(&text, &read(&text).unwrap());
    }

    #[test]
    fn parsing_continues_after_an_invalid_line(text in soup()) {
        // The last line must not be parsed as part of the random text, so braces, directives and descriptions are
        // closed before it.
        let text = format!("{text}\n}}%% }}\n}}\n\nFirst->>Last: end of the soup\n");
        let diagram = read(&text).unwrap();
        let last = diagram.steps.last().expect("the last line is a message");
        prop_assert_eq!(&*last.text, "end of the soup");
        prop_assert_eq!(&*diagram.participants[last.target].alias, "Last");
    }
}

proptest! {
    // Fewer cases, because the texts are long.
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_work_is_linear_in_the_length(
        scraps in prop::collection::vec(select(SCRAPS), 1..6),
        tail in prop::collection::vec(select(SCRAPS), 0..4),
    ) {
        work_is_bounded(&scraps.concat(), &tail.concat());
    }
}

/// Parses a text of 32 KiB that repeats `piece`. Each byte may be examined some dozen times, because there are that
/// many rules; an algorithm with quadratic time would examine it hundreds of times.
fn work_is_bounded(piece: &str, tail: &str) {
    const MAX_WORK_PER_BYTE: usize = 40;
    let count = ((32 << 10) / piece.len()).max(1);
    let text = format!("sequenceDiagram\n{}{tail}", piece.repeat(count));
    let before = work_counter();
    read(&text).unwrap();
    let looks = (work_counter() - before) / text.len();
    assert!(looks <= MAX_WORK_PER_BYTE, "each byte of {piece:?} … {tail:?} was looked at {looks} times");
}

#[test]
fn an_unclosed_construct_is_searched_once() {
    let pieces = [
        "participant A@{\n",
        "accDescr {\n",
        ";b->>accTitle:",
        "%%{\n",
        "%%{x\u{2028}",
        "%%{\u{2028}",
        "%%{end}",
        "%%{x: }",
        "<a",
        "<a b=\"",
        "loop\n",
        "alt\nelse\n",
        "box\n",
        "participant A as",
        "participant A      ",
        "actor <;",
        "---\n",
        "  ---\n",
        "#",
        "#a",
        "%%\n",
        "A",
        "A-",
        "A--",
        "(",
        "1",
        "1.",
        "ﬂ°",
        "accTitle",
        "accTitle \n",
        "title\n",
        "links  ",
        "@{ a: b, ",
        "A->>+B: x\n",
        "B-->>-A: x\n",
        "a->b:;",
        "{}",
        "participant A@{\n}",
        "destroy A\n",
        "create participant A\n",
        "\n",
        "\r",
        " \n",
        "Note over A,",
        "<br",
        "&#",
    ];
    for piece in pieces {
        for tail in ["", "\n}\n", ">\"¶ß;", "\n---\n"] {
            work_is_bounded(piece, tail);
        }
    }
}

#[test]
fn parsing_stops_at_the_size_limit() {
    let text = format!("sequenceDiagram\n{}", "A->>B: x\n".repeat(MAX_ITEMS + 5));
    let diagram = read(&text).unwrap();
    assert_eq!((diagram.participants.len(), diagram.steps.len()), (2, MAX_ITEMS - 2));
    let [last] = &diagram.diagnostics[..] else { panic!("{:?}", diagram.diagnostics) };
    assert_eq!(last.line as usize, MAX_ITEMS);
    assert!(last.message.contains("10000"), "{}", last.message);
    let wrong = format!("sequenceDiagram\n{}", "junk\n".repeat(500));
    assert_eq!(read(&wrong).unwrap().diagnostics.len(), MAX_DIAGNOSTICS);
}

#[test]
fn nesting_uses_no_stack() {
    let levels = MAX_ITEMS - 10;
    let text = format!("sequenceDiagram\n{}A->>B: x\n{}", "opt\n".repeat(levels), "end\n".repeat(levels));
    let diagram = read(&text).unwrap();
    assert_eq!((diagram.blocks.len(), &diagram.diagnostics[..]), (levels, &[][..]));
    assert_eq!(diagram.steps[0].block, Some(levels - 1));
    assert_eq!(diagram.blocks[levels - 1].parent, Some(levels - 2));
}

#[test]
fn a_sequence_diagram_starts_with_its_header() {
    for good in
        ["sequenceDiagram", " \n\tsequenceDiagram;", "%%\n%% x\nsequenceDiagram\n", "---\na: b\n---\nsequenceDiagram"]
    {
        assert!(read(good).is_ok(), "{good:?}");
    }
    assert_eq!(begin("sequenceDiagram x"), Ok("sequenceDiagram".len()));
    for (bad, line, column) in [
        ("", 1, 1),
        ("graph TD", 1, 1),
        ("  \n  flowchart", 2, 3),
        ("%% only a comment", 1, 18),
        ("SequenceDiagram", 1, 1),
        ("sequenceDiagrams", 1, 1),
        ("# x\nsequenceDiagram", 1, 1),
        ("---\ntitle: x\n---\n\n pie", 5, 2),
        ("%%{init: {}}%%\ngantt", 2, 1),
    ] {
        let missing = read(bad).unwrap_err();
        assert_eq!((missing.line, missing.column), (line, column), "{bad:?}");
    }
}

#[test]
fn errors_have_a_position_and_the_rest_is_parsed() {
    let text = "sequenceDiagram\n  participant A as Alice\n  nonsense\n  A->>B: one\n  B->>: two\n  loop ever\n  B->>A: three\n  \
                A->>C\n  Note beside A: x\n  participant D@{ \"type\": \"tree\" }\n  D->>A: four\n";
    let diagram = read(text).unwrap();
    let texts: Vec<&str> = diagram.steps.iter().map(|step| &*step.text).collect();
    assert_eq!(texts, ["one", "three", "", "four"], "what lacks its text is a message all the same");
    assert_eq!(diagram.steps.iter().map(|step| step.line).collect::<Vec<_>>(), [4, 7, 8, 11]);
    let wrong: Vec<(u32, u32, &str)> = diagram.diagnostics.iter().map(|d| (d.line, d.column, &*d.message)).collect();
    let types =
        "unknown type `tree`; use participant, actor, boundary, collections, control, database, entity or queue";
    let expected = [
        (3, 11, "an arrow is missing after `nonsense`, as in `A->>B: text`"),
        (5, 7, "a participant is missing here"),
        (6, 3, "this `loop` is not closed; `end` is missing"),
        (8, 8, "`:` and a text are missing here"),
        (9, 8, "`Note` must be followed by `left of`, `right of` or `over`"),
        (10, 18, types),
    ];
    assert_eq!(wrong, expected);
}
