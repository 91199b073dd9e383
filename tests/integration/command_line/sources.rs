//! `planroom sync` with sources whose files become invalid or get another name.

use std::fs;

use super::sync::{names, shop, sync};

#[test]
fn a_file_that_became_invalid_removes_nothing() {
    let (dir, server, token) = shop();
    let deployment = |name: &str| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{ name: {name} }}\nspec: {{ template: {{ spec: {{ containers: [] }} }} }}\n"
        )
    };
    for name in ["a", "b", "c"] {
        dir.write(&format!("{name}.yaml"), &deployment(name));
    }
    let arguments = ["a.yaml", "b.yaml", "c.yaml", "--workspace", "shop", "--source", "k8s", "--prune"];
    sync(&dir, &server, &token, &arguments).ok();
    dir.write("b.yaml", "apiVersion: [\n");
    sync(&dir, &server, &token, &arguments)
        .expect_error("the map has rows of this file, so the source was not synchronized");
    assert_eq!(names(&server, &token), ["a", "b", "c"]);
    // A file that never had rows is only named.
    dir.write("b.yaml", &deployment("b"));
    dir.write("settings.json", "{ // a comment\n}");
    let with_settings = [&["settings.json"], &arguments[..]].concat();
    let report = sync(&dir, &server, &token, &with_settings).ok();
    assert!(report.contains("! warning: the file was not read: the file is not valid JSON"), "{report}");
}

#[test]
fn a_source_that_left_the_configuration_is_named() {
    let (dir, server, token) = shop();
    dir.write("planroom.yaml", "workspace: shop\nsources: [compose.yaml]\n");
    sync(&dir, &server, &token, &[]).ok();
    dir.write("docker-compose.yaml", "services:\n  web:\n    image: nginx\n");
    dir.write("planroom.yaml", "workspace: shop\nsources: [docker-compose.yaml]\n");
    let told = "the files of the source 'github.com/acme/shop:compose.yaml' no longer exist, but its rows count";
    let added = sync(&dir, &server, &token, &[]).ok();
    assert!(!added.contains(told), "another configuration may have them: {added}");
    fs::remove_file(dir.path("compose.yaml")).unwrap();
    let renamed = sync(&dir, &server, &token, &[]).ok();
    assert!(renamed.contains(told), "{renamed}");
    // Files as arguments are only a part of the sources.
    let part = sync(&dir, &server, &token, &["docker-compose.yaml"]).ok();
    assert!(!part.contains(told), "{part}");
    assert_eq!(names(&server, &token), ["cart", "web"]);
}
