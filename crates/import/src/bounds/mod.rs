//! Tests of the budget with hostile files: what a reading uses stays within what it may use, whatever a file repeats.
//!
//! Memory is measured by an allocator that counts, and compared with what the reader has charged. Steps are those that it has
//! charged, compared with the number of its allocations. No test measures time.

mod attacks;
mod documents;
mod drawings;
mod search;

use std::rc::Rc;

use super::{
    Files, Format, Options, Reading, Refusal,
    budget::{Budget, NEVER, memory},
    read_within,
    testing::everything,
};

/// Steps that a reading of these tests may take: few enough for a build without optimization.
const FEW_STEPS: usize = 1_000_000;
/// Memory that a reading may use beside half more than it charges, because lists have room for more: recognition, tables and
/// messages, in bytes.
const UNCHARGED_BYTES: usize = 1 << 20;

/// What a reading has used.
struct Used {
    result: Result<Reading, Refusal>,
    /// Number of bytes of the files.
    length: usize,
    /// Most memory at a time, in bytes.
    peak: usize,
    /// The same as it was charged.
    charged: usize,
    steps: usize,
    allocations: usize,
}

/// Reads files with few steps.
fn measured(format: Format, files: &Files, options: &Options) -> Used {
    let budget = Budget::with_steps(files.bytes(), FEW_STEPS, NEVER);
    let mut result = Err(Refusal::from(String::new()));
    let found = allocation_counter::measure(|| result = read_within(format, files, options, Rc::clone(&budget)));
    let count = |number: u64| usize::try_from(number).unwrap();
    Used {
        result,
        length: files.bytes(),
        peak: count(found.bytes_max),
        charged: budget.most_bytes(),
        steps: budget.steps(),
        allocations: count(found.count_total),
    }
}

impl Used {
    /// What is wrong with what was used; none if all is well.
    fn fault(&self) -> Option<String> {
        let Self { length, peak, charged, steps, allocations, .. } = *self;
        let allowed = memory(length);
        if peak > allowed {
            Some(format!("{peak} bytes of memory for {length} bytes are more than {allowed}"))
        } else if peak > charged + charged / 2 + UNCHARGED_BYTES {
            Some(format!("{peak} bytes of memory were used, and {charged} charged"))
        } else if allocations > 20 * (steps + length) + 20_000 {
            Some(format!("{allocations} allocations for {steps} steps and {length} bytes"))
        } else {
            None
        }
    }
}

/// How the reading of hostile files ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// They are too much.
    Refused,
    /// They are read, because repeating costs little.
    Read,
}

/// Reads hostile files, which must end in this way and within the budget.
#[track_caller]
fn attack(name: &str, format: Format, files: &Files, end: End) {
    let used = measured(format, files, &everything());
    assert_eq!(used.fault(), None, "{name}");
    let is_budget =
        |refusal: &Refusal| ["expands to more", "refers to itself"].iter().any(|text| refusal.text.contains(text));
    match (&used.result, end) {
        (Err(refusal), End::Refused) => {
            assert!(is_budget(refusal) && refusal.line.is_some() && refusal.file.is_some(), "{name}: {refusal}");
        }
        (Ok(_), End::Read) => {}
        (Ok(_), _) => panic!("{name} was read in {} steps", used.steps),
        (Err(refusal), _) => panic!("{name} was refused: {refusal}"),
    }
}

/// A set of files by name and content.
fn set(files: impl IntoIterator<Item = (String, String)>) -> Files {
    let mut set = Files::new();
    for (name, text) in files {
        set.add(&name, text).unwrap();
    }
    set
}

fn one(name: &str, text: impl Into<String>) -> Files {
    set([(name.to_owned(), text.into())])
}

/// Texts that differ in their number, one after the other.
fn numbered(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

#[test]
fn a_reading_ends_soon_after_its_caller_has_gone() {
    let repeated = |head: &str, part: &str| head.to_owned() + &part.repeat(100_000);
    for (format, name, text) in [
        (Format::StructurizrDsl, "a.dsl", repeated("workspace {\nmodel {\na = person \"A\"\n", "a -> a\n")),
        (Format::Kubernetes, "a.yaml", repeated("apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nx:\n", "- a\n")),
        (Format::Csv, "a.csv", repeated("name\n", "a\n")),
        (Format::IcePanel, "a.json", format!("[{}1]", "1,".repeat(100_000))),
        (Format::MermaidFlowchart, "a.mmd", repeated("flowchart TD\n", "a\n")),
    ] {
        let files = one(name, text);
        let asked = std::cell::Cell::new(0);
        let is_canceled = || asked.replace(asked.get() + 1) == 1;
        let budget = Budget::with_steps(files.bytes(), FEW_STEPS, &is_canceled);
        let refusal = read_within(format, &files, &Options::default(), Rc::clone(&budget)).unwrap_err();
        assert!(refusal.text.contains("canceled"), "{name}: {refusal}");
        // It was asked at the beginning and once more, and the reading is far from its end.
        assert!(asked.get() == 2 && budget.steps() < 150_000, "{name}: {} steps", budget.steps());
    }
}
