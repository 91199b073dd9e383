//! Tests the budget with malicious files: resource usage stays within the limits, regardless of what a file repeats.
//!
//! A counting allocator measures the peak memory, which is compared with the charged memory. The number of allocations is
//! compared with the charged steps. No test measures time.

mod documents;
mod drawings;
mod models;
mod search;

use std::rc::Rc;

use super::{
    Files, Format, Options, Reading, Refusal,
    budget::{Budget, NEVER_CANCELED, memory_limit},
    read_within,
    testing::everything,
};

/// Step limit of the readings in these tests, low enough for unoptimized builds.
const TEST_STEPS: usize = 1_000_000;
/// Allowance for memory that is not charged, such as format recognition, static tables and messages, in bytes. It is in
/// addition to half of the charged memory, which covers spare capacity of lists.
const UNCHARGED_BYTES: usize = 1 << 20;

/// Resource usage of a reading.
struct Usage {
    result: Result<Reading, Refusal>,
    /// Total size of the files, in bytes.
    file_bytes: usize,
    /// Peak of the allocated memory, in bytes.
    peak: usize,
    /// Peak of the charged memory, in bytes.
    charged: usize,
    steps: usize,
    allocations: usize,
}

/// Reads files and measures the resource usage.
fn measure(format: Format, files: &Files, options: &Options) -> Usage {
    let budget = Budget::with_steps(files.bytes(), TEST_STEPS, NEVER_CANCELED);
    let mut result = Err(Refusal::from(String::new()));
    let found = allocation_counter::measure(|| result = read_within(format, files, options, Rc::clone(&budget)));
    let count = |number: u64| usize::try_from(number).unwrap();
    Usage {
        result,
        file_bytes: files.bytes(),
        peak: count(found.bytes_max),
        charged: budget.peak_bytes(),
        steps: budget.steps(),
        allocations: count(found.count_total),
    }
}

impl Usage {
    /// Describes the exceeded limit. Returns `None` if the usage is within the limits.
    fn violation(&self) -> Option<String> {
        let Self { file_bytes, peak, charged, steps, allocations, .. } = *self;
        let allowed = memory_limit(file_bytes);
        if peak > allowed {
            Some(format!("{peak} bytes of memory for {file_bytes} bytes of files exceed the limit of {allowed}"))
        } else if peak > charged + charged / 2 + UNCHARGED_BYTES {
            Some(format!("{peak} bytes of memory were used, but only {charged} were charged"))
        } else if allocations > 20 * (steps + file_bytes) + 20_000 {
            Some(format!("{allocations} allocations for {steps} steps and {file_bytes} bytes of files"))
        } else {
            None
        }
    }
}

/// The expected outcome of reading malicious files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The budget is exhausted.
    Refused,
    /// The files are read within the budget.
    Read,
}

/// Reads malicious files, and asserts the outcome and that the usage is within the limits.
#[track_caller]
fn assert_outcome(name: &str, format: Format, files: &Files, expected: Outcome) {
    let usage = measure(format, files, &everything());
    assert_eq!(usage.violation(), None, "{name}");
    let is_budget_error =
        |refusal: &Refusal| ["expands to more", "references itself"].iter().any(|text| refusal.text.contains(text));
    match (&usage.result, expected) {
        (Err(refusal), Outcome::Refused) => {
            assert!(is_budget_error(refusal) && refusal.line.is_some() && refusal.file.is_some(), "{name}: {refusal}");
        }
        (Ok(_), Outcome::Read) => {}
        (Ok(_), _) => panic!("{name} was read in {} steps", usage.steps),
        (Err(refusal), _) => panic!("{name} was refused: {refusal}"),
    }
}

/// Creates a set of files from names and contents.
fn file_set(files: impl IntoIterator<Item = (String, String)>) -> Files {
    let mut set = Files::new();
    for (name, text) in files {
        set.add(&name, text).unwrap();
    }
    set
}

fn single_file(name: &str, text: impl Into<String>) -> Files {
    file_set([(name.to_owned(), text.into())])
}

/// Concatenates `count` texts that are generated from their index.
fn numbered(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

#[test]
fn canceled_readings_stop_early() {
    let repeated = |head: &str, part: &str| head.to_owned() + &part.repeat(100_000);
    for (format, name, text) in [
        (Format::StructurizrDsl, "a.dsl", repeated("workspace {\nmodel {\na = person \"A\"\n", "a -> a\n")),
        (Format::Kubernetes, "a.yaml", repeated("apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nx:\n", "- a\n")),
        (Format::Csv, "a.csv", repeated("name\n", "a\n")),
        (Format::IcePanel, "a.json", format!("[{}1]", "1,".repeat(100_000))),
        (Format::MermaidFlowchart, "a.mmd", repeated("flowchart TD\n", "a\n")),
        (Format::MermaidFlowchart, "class.mmd", repeated("flowchart TD\na\nclass a", ",a") + " b\n"),
    ] {
        let files = single_file(name, text);
        let checks = std::cell::Cell::new(0);
        let is_canceled = || checks.replace(checks.get() + 1) == 1;
        let budget = Budget::with_steps(files.bytes(), TEST_STEPS, &is_canceled);
        let refusal = read_within(format, &files, &Options::default(), Rc::clone(&budget)).unwrap_err();
        assert!(refusal.text.contains("canceled"), "{name}: {refusal}");
        // The second check cancels the reading long before its end.
        assert!(checks.get() == 2 && budget.steps() < 150_000, "{name}: {} steps", budget.steps());
    }
}
