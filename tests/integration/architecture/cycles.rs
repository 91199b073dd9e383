//! No file imports itself through other files.

use super::{
    assert_none,
    graph::{cycles, edges},
};

/// Folders of `src` whose files may still import each other in cycles.
const EXEMPT: &[&str] = &["domain"];

#[test]
fn no_file_imports_itself_through_others() {
    let edges = edges();
    let is_exempt = |cycle: &[String]| {
        EXEMPT.iter().any(|folder| cycle.iter().all(|file| file.starts_with(&format!("src/{folder}/"))))
    };
    let mut wrong = Vec::new();
    for cycle in cycles(edges).into_iter().filter(|cycle| !is_exempt(cycle)) {
        let next = cycle.iter().cycle().skip(1);
        for (file, target) in cycle.iter().zip(next) {
            let names: Vec<&str> = edges[file][target].iter().map(String::as_str).collect();
            wrong.push(format!("{file} imports {} from {target}", names.join(", ")));
        }
        wrong.push(String::new());
    }
    assert_none(&wrong);
}
