//! Images of maps: the command that writes them, the memory that they take, and missing fonts.

use std::{
    collections::HashSet,
    fs,
    io::{Read, Write},
    sync::Barrier,
    time::Duration,
};

use serde_json::{Value, json};

use super::{
    WorkDir, import,
    memory::{MIB, peak, send_until_accepted},
    model,
    server::Server,
};
use crate::support::waiting::eventually;

/// A directory with the workspace `лавка`, which has a view and a process.
fn shop() -> WorkDir {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let mut model = model();
    model["views"] =
        json!([{ "id": "orders", "name": "Orders", "definition": { "include": [{ "ids": ["заказ/сервис"] }] } }]);
    model["processes"] = json!([{ "id": "buy", "name": "Buy", "mermaid": "sequenceDiagram\nA->>B: pays",
                                  "participants": { "A": "заказ/сервис", "B": "漢字 🚀" } }]);
    dir.write("model.json", &model.to_string());
    dir.run(&import(&["model.json"])).ok();
    dir
}

/// The ids of the rows in an SVG.
fn ids(dir: &WorkDir, file: &str) -> HashSet<String> {
    let text = fs::read_to_string(dir.path(file)).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    document.descendants().filter_map(|element| element.attribute("data-id").map(str::to_owned)).collect()
}

#[test]
fn images_are_written_with_and_without_a_running_server() {
    let dir = shop();
    let write = |arguments: &[&str]| dir.run(&[&["workspace", "image", "лавка"], arguments].concat());
    let check = || {
        assert!(write(&["-o", "map.svg", "--ids", "--title", "--legend"]).ok().starts_with("Wrote map.svg ("));
        assert!(ids(&dir, "map.svg").is_superset(&["заказ/сервис", "漢字 🚀", "пишет"].map(str::to_owned).into()));
        assert!(fs::read_to_string(dir.path("map.svg")).unwrap().contains("Лавка"));
        write(&["-o", "map.PNG", "--width", "600", "--theme", "dark", "--detail", "overview"]).ok();
        let png = image::load_from_memory(&fs::read(dir.path("map.PNG")).unwrap()).unwrap().to_rgb8();
        assert_eq!(png.width(), 600);
        assert!(png.get_pixel(1, 1).0.iter().all(|part| *part < 90), "dark");
        write(&["-o", "map.pdf"]).ok();
        assert!(fs::read(dir.path("map.pdf")).unwrap().starts_with(b"%PDF-"));
        write(&["-o", "view.svg", "--view", "orders", "--ids"]).ok();
        assert_eq!(ids(&dir, "view.svg"), ["заказ/сервис".to_owned()].into());
        write(&["-o", "part.svg", "--around", "заказ/сервис", "--direction", "incoming", "--depth", "2", "--ids"]).ok();
        assert_eq!(ids(&dir, "part.svg"), ["заказ/сервис".to_owned()].into());
        write(&["-o", "step.svg", "--process", "buy", "--step", "1"]).ok();
        assert!(fs::read_to_string(dir.path("step.svg")).unwrap().contains("1. pays"));
        for file in ["map.svg", "map.PNG", "map.pdf", "view.svg", "part.svg", "step.svg"] {
            fs::remove_file(dir.path(file)).unwrap();
        }
        write(&["-o", "map.gif"]).expect_error("end the name with .svg, .png or .pdf");
        write(&["-o", "map.svg", "--width", "600"]).expect_error("--width applies only to .png files");
        write(&["-o", "map.png", "--ids"]).expect_error("--ids applies only to .svg files");
        write(&["-o", "map.png", "--width", "601"]).expect_error("must be 600, 1200, 1568 or 2400");
        write(&["-o", "map.svg", "--view", "none"])
            .expect_error("view not found; planroom workspace views shows what exists");
        write(&["-o", "map.svg", "--around", "none"]).expect_error("none");
        write(&["-o", "map.svg", "--process", "buy", "--step", "9"]).expect_error("from 1 to 1");
        write(&["-o", "missing/map.svg"]).expect_error("cannot write missing/map.svg");
        dir.run(&["workspace", "image", "none", "-o", "map.svg"]).expect_error("workspace not found");
        assert!(!dir.path("map.svg").exists(), "a refused image writes no file");
    };
    check();
    let server = dir.serve();
    check();
    server.stop().ok();
}

/// 2,603 components with 17,384 relationships.
fn large_model() -> Value {
    let components = (0..2_603).map(|n| {
        json!({ "id": format!("c{n}"), "typeId": "service", "name": format!("Component {n}"),
                "x": n % 51 * 240, "y": n / 51 * 160 })
    });
    let relationships = (0..17_384).map(|n| {
        json!({ "id": format!("r{n}"), "sourceId": format!("c{}", n % 2_603),
                "targetId": format!("c{}", (n * 7 + n / 2_603 * 11 + 1) % 2_603), "typeId": "uses" })
    });
    json!({ "workspace": { "name": "W" }, "components": components.collect::<Vec<_>>(),
            "relationships": relationships.collect::<Vec<_>>() })
}

/// Requests an image until the server has time to draw it.
fn draw(server: &Server, query: &str, token: &str) {
    eventually(|| {
        let mut stream = std::net::TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(5))).unwrap();
        let path = format!("/api/workspaces/w/image.png?{query}");
        let head =
            format!("GET {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        match &answer[9..12] {
            b"200" => {
                let start = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap() + 4;
                assert!(answer[start..].starts_with(b"\x89PNG") && answer.ends_with(b"IEND\xaeB`\x82"), "{path}");
                Ok(())
            }
            // Too many images of the user (429) or of all users (503) are waiting.
            b"429" | b"503" => Err("busy"),
            other => panic!("{path} was answered {}", String::from_utf8_lossy(other)),
        }
    });
}

#[test]
#[ignore = "takes minutes; run `make memory`"]
fn twenty_images_of_a_large_map_at_the_same_time_are_all_drawn_in_bounded_memory() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    let (_, token) = server.credentials();
    send_until_accepted(&server, "PUT /api/workspaces/w/bulk", &token, large_model().to_string().as_bytes());
    // All different, so that none is in the cache.
    let queries: Vec<String> = ["light", "dark"]
        .iter()
        .flat_map(|theme| [600, 1_200].map(|width| format!("theme={theme}&width={width}")))
        .flat_map(|query| {
            ["", "&legend=true", "&title=true", "&date=true", "&title=true&date=true"].map(|more| query.clone() + more)
        })
        .collect();
    assert_eq!(queries.iter().collect::<HashSet<_>>().len(), 20);
    let start = Barrier::new(queries.len());
    std::thread::scope(|scope| {
        for query in &queries {
            scope.spawn(|| {
                start.wait();
                draw(&server, query, &token);
            });
        }
    });
    let peak = peak(&server);
    assert!(peak < 400 * MIB, "{} MiB", peak / MIB);
}

#[test]
fn characters_without_a_font_are_logged_once() {
    let dir = shop();
    let server = dir.serve();
    let (_, token) = server.credentials();
    let name = json!({ "id": "w", "name": "漢字" });
    server.ask("POST", "/api/workspaces", Some(&token), Some(name)).json(201);
    for query in ["title=true", "title=true&theme=dark"] {
        draw(&server, query, &token);
    }
    let log = server.stop().err;
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("no font for a character")).collect();
    assert_eq!(lines.len(), 1, "{log}");
    assert!(lines[0].contains("U+6F22"), "{}", lines[0]);
}
