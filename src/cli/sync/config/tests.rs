//! Tests of configurations.

use super::*;

fn parse(text: &str) -> Result<Config, String> {
    Config::parse("ci/planroom.yaml", text.as_bytes().to_vec(), Path::new("ci")).map_err(|error| error.to_string())
}

#[test]
fn a_configuration_names_sources_and_how_they_are_read() {
    let config = parse(
        "
url: https://plans.example.org
workspace: web-shop
sources:
  - compose.yaml
  - files: ['deploy/**/*.yaml', base.yaml]
    format: kubernetes
    name: cluster
    deployment: all
  - { files: services.csv, columns: { name: App, owner: Contact }, motivation: true, systems: true }
ignore: [otel-collector]
aliases: { checkoutservice: checkout }
types:
  cart: cache
owners:
  '*': team:platform
  web: person:ada
renames: { old: new }
same: { front: bank/frontend }
volatile: [build]
repository: shop
group: shop-group
order: [cluster]
prune: false
policy: { name: map, description: source }
",
    )
    .unwrap();
    insta::assert_debug_snapshot!(config);
    assert_eq!(parse("").unwrap(), Config::default());
}

#[test]
fn errors_name_the_line_and_what_to_do() {
    let known = "ci/planroom.yaml:1: the configuration has no key `x`; known keys: url, workspace, repository, \
                     group, sources, order, ignore, aliases, types, owners, renames, same, volatile, policy, adopt, draw, \
                     prune";
    for (text, error) in [
        ("x: 1", known),
        ("url: a\nworkspace: b", "ci/planroom.yaml:1: `url` is invalid: relative URL without a base"),
        (
            "workspace: a\nworkspce: b",
            "ci/planroom.yaml:2: the configuration has no key `workspce`; did you mean `workspace`?",
        ),
        ("sources:\n  - fils: a", "ci/planroom.yaml:2: a source has no key `fils`; did you mean `files`?"),
        ("sources:\n  - name: a", "ci/planroom.yaml:2: a source needs `files`"),
        ("sources: a", "ci/planroom.yaml:1: `sources` must be a list"),
        ("sources: [{ files: a, motivation: 1 }]", "ci/planroom.yaml:1: `motivation` must be `true` or `false`"),
        (
            "sources:\n  - files: a\n    columns: { owners: b }",
            "ci/planroom.yaml:3: `columns` has no key `owners`; did you mean `owner`?",
        ),
        ("owners:\n  web: ada", "ci/planroom.yaml:2: the owner `ada` must be `team:ID` or `person:ID`"),
        ("policy:\n  name: ours", "ci/planroom.yaml:2: the policy `ours` must be `source`, `map` or `ask`"),
        ("policy: { names: map }", "ci/planroom.yaml:1: `policy` has no key `names`; did you mean `name`?"),
        ("ignore: { a: b }", "ci/planroom.yaml:1: `ignore` must be a text"),
        ("- a", "ci/planroom.yaml:1: the configuration must have keys, such as `url:`"),
        ("a: 1\n---\nb: 1", "ci/planroom.yaml:3: the file must have one document"),
        ("a: 1\na: 2", "ci/planroom.yaml:2: the file is not valid YAML: "),
    ] {
        let found = parse(text).unwrap_err();
        assert!(found.starts_with(error), "{text:?}: {found}");
    }
    let format = parse("sources:\n  - files: a\n    format: compos").unwrap_err();
    assert!(
        format.starts_with("ci/planroom.yaml:3: `compos` is no format; known formats: structurizr-json, "),
        "{format}"
    );
}
