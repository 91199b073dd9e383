//! Tests wait for events and conditions, in Rust, TypeScript, JavaScript and Python: no wait for a time and no measured duration
//! decides whether a test passes, because machines can be slow.

use std::{fs, path::Path};

use super::{assert_none, sources::root};

/// Files that may wait or measure, and why.
const EXCEPTIONS: [(&str, &str); 9] = [
    ("tests/integration/architecture/waiting.rs", "the words that this test searches for"),
    ("tests/integration/support/waiting.rs", "the helpers that poll conditions"),
    ("tests/integration/command_line/crash.rs", "kills a server at moments that must all be harmless"),
    ("tests/durability/server.py", "the helper that polls conditions in Python"),
    ("tests/mcp-clients/clients/apps.mjs", "the helper that polls conditions in JavaScript"),
    ("tests/mcp-clients/run.mjs", "prints durations"),
    ("tests/mcp-clients/tasks/run.mjs", "prints durations"),
    ("tests/flaky/run.py", "prints durations"),
    ("tests/litestream/run.py", "measures how old lost writes are, for which the documentation has a maximum"),
];

/// What a file must not contain. Deadlines that only a server that hangs can reach are allowed.
const RUST: [&str; 5] =
    ["sleep(", ".elapsed()", "Instant::now() <", "> Instant::now()", "time::timeout(Duration::from_millis"];
const SCRIPT: [&str; 3] = ["waitForTimeout(", "performance.now(", "Date.now() -"];
const PYTHON: [&str; 3] = ["sleep(", "monotonic()", "perf_counter()"];

/// Milliseconds of the shortest time-out of an expectation that is not repeated: that of Playwright's configuration.
const SHORTEST: u32 = 10_000;

#[test]
fn no_test_waits_for_a_time_or_measures_one() {
    let mut files = Vec::new();
    for directory in ["src", "tests", "assets/web/src", "assets/web/tests"] {
        collect(&root().join(directory), &mut files);
    }
    let found: Vec<(String, Vec<String>)> =
        files.iter().map(|(name, text)| (name.clone(), waits(name, text))).collect();
    let is_exception = |name: &str| EXCEPTIONS.iter().any(|(file, _)| *file == name);
    let mut wrong: Vec<String> = found
        .iter()
        .filter(|(name, _)| !is_exception(name))
        .flat_map(|(name, waits)| waits.iter().map(move |wait| format!("{name}: {wait}")))
        .collect();
    for (file, _) in EXCEPTIONS {
        if !found.iter().any(|(name, waits)| name == file && !waits.is_empty()) {
            wrong.push(format!("{file} need not be an exception"));
        }
    }
    assert_none(&wrong);
}

/// Names and texts of all files in a directory, without installed packages.
fn collect(directory: &Path, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            if !name.ends_with("node_modules") {
                collect(&path, files);
            }
        } else if [".rs", ".ts", ".tsx", ".mjs", ".py"].iter().any(|extension| name.ends_with(extension)) {
            files.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The lines of tests that wait for a time or measure one. Empty for code that is not a test.
fn waits(name: &str, text: &str) -> Vec<String> {
    let is_product = ["src/", "crates/", "assets/web/src/"].iter().any(|root| name.starts_with(root));
    let extension = Path::new(name).extension();
    if extension.is_some_and(|extension| extension == "rs") {
        let is_test_file = !is_product || name.ends_with("tests.rs") || name.contains("/tests/");
        // Tests are the last item of a file.
        let tests = if is_test_file { Some(text) } else { text.find("#[cfg(test)]\nmod ").map(|at| &text[at..]) };
        return matches(tests.unwrap_or_default(), |line| RUST.iter().any(|word| line.contains(word)));
    }
    if extension.is_some_and(|extension| extension == "py") {
        return matches(text, |line| PYTHON.iter().any(|word| line.contains(word)));
    }
    if is_product && !name.contains(".test.ts") && !name.to_lowercase().ends_with("testing.ts") {
        return Vec::new();
    }
    let is_wait = |line: &str| {
        // Without a delay, it waits for the tasks that are queued.
        let is_delay = line.split("setTimeout(").skip(1).any(|after| after.contains(','));
        is_delay || SCRIPT.iter().any(|word| line.contains(word))
    };
    let mut found = matches(text, is_wait);
    found.extend(matches(&without_repeated(text), |line| {
        let milliseconds = line.split("timeout: ").nth(1).map(|after| {
            let digits = after.chars().filter(|c| *c != '_').take_while(char::is_ascii_digit).collect::<String>();
            digits.parse::<u32>().unwrap_or(SHORTEST)
        });
        milliseconds.is_some_and(|milliseconds| milliseconds < SHORTEST)
    }));
    found
}

/// The lines without comments that match.
fn matches(text: &str, is_wrong: impl Fn(&str) -> bool) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with("//") && !line.starts_with('*'));
    lines.filter(|line| is_wrong(line)).map(str::to_owned).collect()
}

/// The text without blocks that Playwright repeats until they pass: in these, a short time-out repeats the action earlier.
fn without_repeated(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("expect(async () => {") {
        kept.push_str(before);
        let (_, behind) = after.split_once("}).toPass(").unwrap_or_default();
        rest = behind;
    }
    kept + rest
}

#[test]
fn waits_are_found_in_tests_only() {
    let count = |name: &str, text: &str| waits(name, text).len();
    let rust = "fn wait() { sleep(PAUSE) }\n#[cfg(test)]\nmod tests {\n// sleep(1)\nassert!(begun.elapsed() < MAX);\n}";
    assert_eq!([count("src/a.rs", rust), count("src/a/tests.rs", rust), count("tests/a.rs", rust)], [1, 2, 2]);
    let web = "setTimeout(turn);\nsetTimeout(turn, 20);\npage.waitForTimeout(200);\nconst start = performance.now();";
    assert_eq!([count("assets/web/src/a.ts", web), count("assets/web/src/a.test.ts", web)], [0, 3]);
    let repeated = "expect(async () => {\n expect(a).toBe({ timeout: 500 });\n}).toPass();";
    let once = "expect(a).toBe({ timeout: 1_000 });\nexpect(a).toBe({ timeout: 60_000 });";
    assert_eq!(count("assets/web/tests/a.spec.ts", &format!("{repeated}\n{once}")), 1);
    assert_eq!(count("tests/a/run.py", "time.sleep(1)\nend = time.monotonic() + 1"), 2);
}
