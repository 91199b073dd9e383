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
fn a_source_that_left_the_configuration_is_gone_unless_another_one_has_its_rows() {
    let (dir, server, token) = shop();
    dir.write("planroom.yaml", "workspace: shop\nsources: [compose.yaml, jobs.csv]\n");
    dir.write("jobs.csv", "Name,Type\nNightly,job\n");
    sync(&dir, &server, &token, &[]).ok();
    assert_eq!(names(&server, &token), ["Nightly", "cart", "web"]);
    // The file has another name, and the table is no longer listed.
    dir.write("deploy.yaml", &fs::read_to_string(dir.path("compose.yaml")).unwrap());
    fs::remove_file(dir.path("compose.yaml")).unwrap();
    dir.write("planroom.yaml", "workspace: shop\nsources: [deploy.yaml]\n");
    // Files as arguments are only a part of the sources.
    let part = sync(&dir, &server, &token, &["deploy.yaml", "--dry-run"]).ok();
    assert!(!part.contains("gone from the source"), "{part}");
    let told = "! gone from the source: component `Nightly`";
    let check = sync(&dir, &server, &token, &["--check"]);
    assert!(check.status.code() == Some(2) && check.out.contains(told), "{check:?}");
    let report = sync(&dir, &server, &token, &["--prune"]).ok();
    assert!(report.contains("- removed component `Nightly`"), "{report}");
    assert_eq!(names(&server, &token), ["cart", "web"]);
    sync(&dir, &server, &token, &["--check"]).ok();
    // A source that cannot be read is not gone.
    dir.write("planroom.yaml", "workspace: shop\nsources: [deploy.yaml, 'k8s/*.yaml']\n");
    let failed = sync(&dir, &server, &token, &["--prune"]);
    assert!(failed.status.code() == Some(1) && failed.err.contains("k8s/*.yaml"), "{failed:?}");
    assert_eq!(names(&server, &token), ["cart", "web"]);
}

#[test]
fn sources_that_the_configuration_never_listed_stay() {
    let (dir, server, token) = shop();
    dir.write("planroom.yaml", "workspace: shop\nsources: [compose.yaml]\n");
    dir.write("jobs.csv", "Name,Type\nNightly,job\n");
    sync(&dir, &server, &token, &["jobs.csv"]).ok();
    fs::remove_file(dir.path("jobs.csv")).unwrap();
    sync(&dir, &server, &token, &["--prune"]).ok();
    sync(&dir, &server, &token, &["--check"]).ok();
    // Another configuration of the same repository.
    dir.write("planroom.yaml", "workspace: shop\nrepository: shop\nsources: [compose.yaml]\n");
    sync(&dir, &server, &token, &[]).ok();
    fs::create_dir(dir.path("jobs")).unwrap();
    dir.write("jobs/planroom.yaml", "workspace: shop\nrepository: shop\nsources: [jobs.csv]\n");
    dir.write("jobs/jobs.csv", "Name,Type\nWeekly,job\n");
    sync(&dir, &server, &token, &["--config", "jobs/planroom.yaml"]).ok();
    sync(&dir, &server, &token, &["--prune"]).ok();
    assert_eq!(names(&server, &token), ["Nightly", "Weekly", "cart", "web"]);
}

#[test]
fn a_file_that_is_no_longer_recognized_removes_nothing() {
    let (dir, server, token) = shop();
    let entity = |name: &str| {
        format!(
            "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {{ name: {name} }}\nspec: {{ type: service }}\n"
        )
    };
    for name in ["a", "b", "c"] {
        dir.write(&format!("{name}.yaml"), &entity(name));
    }
    let arguments = ["a.yaml", "b.yaml", "c.yaml", "--workspace", "shop", "--source", "catalog", "--prune"];
    sync(&dir, &server, &token, &arguments).ok();
    let told = "; the map has rows of this file, so the source was not synchronized";
    for (content, why) in [
        (entity("b").replace("apiVersion", "apiversion"), "the file is no file of the format Backstage catalog"),
        ("services:\n  b: { image: x }\n".into(), "the file has another format (Docker Compose)"),
        (String::new(), "the file is empty"),
    ] {
        dir.write("b.yaml", &content);
        sync(&dir, &server, &token, &arguments).expect_error(&format!("{why}{told}"));
        assert_eq!(names(&server, &token), ["a", "b", "c"]);
    }
    // Comments are a way to take components out.
    dir.write("b.yaml", "# b is no longer used\n");
    sync(&dir, &server, &token, &arguments).ok();
    assert_eq!(names(&server, &token), ["a", "c"]);
}

#[test]
fn a_part_of_a_checkout_removes_nothing() {
    let (dir, server, token) = shop();
    fs::create_dir(dir.path("deploy")).unwrap();
    dir.write("deploy/jobs-compose.yaml", "services:\n  nightly:\n    image: acme/n\n");
    dir.write("planroom.yaml", "workspace: shop\nsources: ['**/*compose.yaml']\n");
    sync(&dir, &server, &token, &[]).ok();
    fs::remove_dir_all(dir.path("deploy")).unwrap();
    let remote = fs::read_to_string(dir.path(".git/config")).unwrap();
    dir.write(".git/config", &format!("[core]\n\tsparseCheckout = true\n{remote}"));
    let refused = sync(&dir, &server, &token, &["--prune"]);
    assert!(refused.status.code() == Some(1), "{refused:?}");
    assert!(
        refused.err.contains("deploy/jobs-compose.yaml: only a part of the repository is checked out"),
        "{refused:?}"
    );
    assert_eq!(names(&server, &token), ["cart", "nightly", "web"]);
    dir.write(".git/config", &remote);
    sync(&dir, &server, &token, &["--prune"]).ok();
    assert_eq!(names(&server, &token), ["cart", "web"]);
}

#[test]
fn wrong_arguments_do_not_say_that_the_map_differs() {
    let (dir, server, token) = shop();
    for wrong in [&["--chekc"][..], &["--split", "a", "--check"], &["--report", "html"]] {
        assert_eq!(sync(&dir, &server, &token, wrong).status.code(), Some(1), "{wrong:?}");
    }
    assert_eq!(sync(&dir, &server, &token, &["--help"]).status.code(), Some(0));
}
