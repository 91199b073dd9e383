//! Tests of trees of YAML.

use std::fmt::Write;

use proptest::prelude::*;

use super::*;
use crate::files::Files;

fn parsed(text: &str) -> Result<Vec<Node>, String> {
    documents(Files::of("a.yaml", text).unwrap().at(0)).map_err(|refusal| refusal.to_string())
}

fn one(text: &str) -> Node {
    let mut all = parsed(text).unwrap();
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

#[test]
fn documents_are_separated_and_empty_ones_are_left_out() {
    let all = parsed("# first\n---\na: 1\n---\n---\n# nothing\n---\nb: [x, 'y']\n...\n").unwrap();
    assert_eq!(all.len(), 2);
    assert_eq!(all[0].get("a").unwrap().as_number(), Some(1.0));
    assert_eq!((all[1].get("b").unwrap().line, all[1].texts("b").collect::<Vec<_>>()), (8, vec!["x", "y"]));
    assert_eq!(parsed("").unwrap(), []);
    assert_eq!(parsed("{\"a\": 1}\n{\"a\": 2}").unwrap().len(), 2, "JSON values one after another");
}

#[test]
fn scalars_follow_the_core_schema() {
    for (text, value) in [
        ("~", Data::Null),
        ("True", Data::Bool(true)),
        ("yes", Data::Text("yes".into())),
        ("on", Data::Text("on".into())),
        ("'true'", Data::Text("true".into())),
        ("!!str 12", Data::Text("12".into())),
        ("!Ref name", Data::Text("name".into())),
        ("!reset [1]", Data::Null),
        ("0x1F", Data::Number("0x1F".into())),
        ("-1.5e3", Data::Number("-1.5e3".into())),
        ("3.8", Data::Number("3.8".into())),
        ("1.2.3", Data::Text("1.2.3".into())),
        ("22:22", Data::Text("22:22".into())),
        ("1_000", Data::Text("1_000".into())),
        (".inf", Data::Text(".inf".into())),
        ("|\n   two\n   lines\n", Data::Text("two\nlines\n".into())),
    ] {
        let node = one(&format!("list:\n - x\n - {text}\n"));
        assert_eq!(node.items("list")[1].value, value, "{text}");
    }
}

#[test]
fn merge_keys_are_applied_in_place_and_own_keys_are_stronger() {
    let node = one("base: &base {image: a, env: {X: 1}}\nmore: &more {image: b, tty: true}\n\
                    all:\n  first: 1\n  <<: [*base, *more]\n  env: {Y: 2}\n  last: 2\n");
    let all = node.get("all").unwrap();
    let names: Vec<&str> = all.fields().iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["first", "image", "tty", "env", "last"]);
    assert_eq!(all.text("image"), Some("a"));
    assert!(all.at(&["env", "X"]).is_none());
    assert_eq!(all.at(&["env", "Y"]).unwrap().line, 6);
}

#[test]
fn invalid_files_are_refused_with_their_line() {
    for (text, error) in [
        ("a: 1\nb: 2\na: 3\n", "a.yaml:3: the file is not valid YAML: the key `a` is already on line 1"),
        ("a: &x\n  b: *x\n", "a.yaml:2: the file is not valid YAML: an alias refers to a value that contains it"),
        ("? [a, b]\n: 1\n", "a.yaml:1: the file is not valid YAML: a list or an object is used as a key"),
    ] {
        assert_eq!(parsed(text).unwrap_err(), error);
    }
    assert!(parsed("a: *unknown\n").unwrap_err().starts_with("a.yaml:1: the file is not valid YAML: "));
    assert!(parsed("a: [1\n").unwrap_err().starts_with("a.yaml:"));
    assert!(parsed("name: {{ .Values.name }}\n").unwrap_err().ends_with("such as that of `helm template`"));
}

#[test]
fn hostile_files_are_bounded() {
    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        writeln!(laughs, "a{level}: &a{level} [{aliases}]").unwrap();
    }
    assert!(parsed(&laughs).unwrap_err().contains("400,000 values"));
    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), "*a, ".repeat(20_000));
    assert!(parsed(&long).unwrap_err().contains("expands to more than"));
    let mut deep = "a0: &a0 [x]\n".to_owned();
    for level in 1..200 {
        writeln!(deep, "a{level}: &a{level} [*a{}]", level - 1).unwrap();
    }
    assert!(parsed(&deep).unwrap_err().contains("64 levels"));
    assert!(parsed(&"[".repeat(100_000)).is_err());
    assert!(parsed(&"- ".repeat(100_000)).is_err());
    assert!(parsed(&"a: \n".repeat(1_000)).is_err());
    assert!(parsed(&"? ".repeat(100_000)).is_err());
    assert!(parsed(&"'".repeat(100_001)).is_err());
    let merges = format!("a: &a {{{}}}\nb:\n{}", "k: 1", "  <<: *a\n".repeat(10_000));
    assert!(parsed(&merges).is_ok());
}

#[test]
fn anchors_end_with_their_document() {
    assert!(parsed("a: &a 1\n---\nb: *a\n").is_err());
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[-a-c0-9:{}\\[\\]&*!|>'\"#?%@~<,. \n]{0,80}") {
        let _ = parsed(&text);
    }

    #[test]
    fn json_is_yaml(value in proptest::collection::vec(("[a-z]{1,4}", any::<i32>(), "[ -~ä€]{0,8}"), 0..5)) {
        let json = serde_json::to_string(&value).unwrap();
        let file = Files::of("a.json", json.as_str()).unwrap();
        let budget = Budget::new(json.len(), NEVER_CANCELED);
        prop_assert_eq!(read(&json, &budget).ok(), json::values(file.at(0), &budget).ok(), "{}", json);
    }
}
