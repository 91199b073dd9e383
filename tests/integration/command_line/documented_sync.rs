//! The example of docs/sync.md: its files and commands, word for word.

use std::{fs, path::Path, process::Command};

use super::{WorkDir, sync::shop};

/// A code block of a document.
struct Block<'t> {
    /// Language, and whether it is run.
    info: &'t str,
    text: &'t str,
}

/// The code blocks below a heading.
fn blocks<'t>(document: &'t str, heading: &str) -> Vec<Block<'t>> {
    let (_, section) = document.split_once(heading).unwrap();
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let fenced = section.split("\n```").skip(1).step_by(2);
    let blocks = fenced.map(|block| block.split_once('\n').unwrap());
    blocks.map(|(info, text)| Block { info, text }).collect()
}

/// Runs commands as a user does who has installed Planroom and set the variables. Returns the output.
fn run(dir: &WorkDir, commands: &str, variables: &[(&str, &str)]) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_planroom"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-ec", commands]).current_dir(dir.path("")).env("PATH", path).envs(variables.iter().copied());
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{commands}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_documented_example_of_three_repositories_does_what_the_document_says() {
    let (dir, server, token) = shop();
    let url = format!("http://{}/", server.address);
    let variables = [("PLANROOM_CLIENT_URL", url.as_str()), ("PLANROOM_CLIENT_TOKEN", token.as_str())];
    for repository in ["shop", "bank", "booking"] {
        fs::create_dir_all(dir.path(repository).join(".git")).unwrap();
        let origin = format!("[remote \"origin\"]\n\turl = https://github.com/acme/{repository}.git\n");
        dir.write(&format!("{repository}/.git/config"), &origin);
    }
    let document = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/sync.md")).unwrap();
    let blocks = blocks(&document, "\n## One map from several repositories\n");
    let mut runs = 0;
    for (at, Block { info, text }) in blocks.iter().enumerate() {
        match *info {
            "yaml" => {
                let name = text.lines().next().unwrap().strip_prefix("# ").expect("the path of the file");
                fs::create_dir_all(dir.path(name).parent().unwrap()).unwrap();
                dir.write(name, text);
            }
            "sh run" => {
                let expected = blocks.get(at + 1).filter(|next| next.info == "text").expect("the output");
                assert_eq!(run(&dir, text, &variables).trim_end(), expected.text.trim_end(), "{text}");
                runs += 1;
            }
            "text" => {}
            other => panic!("a block of another kind: {other}"),
        }
    }
    assert_eq!(runs, 5);
    let bundle = server.get("/api/workspaces/acme", &token).json(200);
    let components = bundle["components"].as_array().unwrap();
    let mut names: Vec<&str> = components.iter().map(|row| row["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Orders", "booking", "frontend", "frontend", "payments"]);
}
