//! No file imports itself through other files.

use super::{
    assert_none,
    graph::{cycles, edges},
};

#[test]
fn no_file_imports_itself_through_others() {
    let edges = edges();
    let mut wrong = Vec::new();
    for cycle in cycles(edges) {
        let next = cycle.iter().cycle().skip(1);
        for (file, target) in cycle.iter().zip(next) {
            let names: Vec<&str> = edges[file][target].iter().map(String::as_str).collect();
            wrong.push(format!("{file} imports {} from {target}", names.join(", ")));
        }
        wrong.push(String::new());
    }
    assert_none(&wrong);
}
