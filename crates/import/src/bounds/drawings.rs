//! Tests for drawings and diagrams: draw.io, Excalidraw, Mermaid and `PlantUML`.

use std::io::Write;

use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::{Compression, write::DeflateEncoder};

use super::{Outcome, assert_outcome, numbered, single_file};
use crate::Format;

/// Creates a compressed draw.io page with cells.
fn page(cells: &str) -> String {
    let text = format!("<mxGraphModel><root>{cells}</root></mxGraphModel>");
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).unwrap();
    format!("<diagram>{}</diagram>", STANDARD.encode(encoder.finish().unwrap()))
}

fn drawing(pages: &str) -> String {
    format!("<mxfile>{pages}</mxfile>")
}

#[test]
fn inflated_drawing_pages_are_limited() {
    let text = drawing(&page(&"<mxCell/>".repeat(600_000)).repeat(3));
    assert!(text.len() < 100_000);
    assert_outcome("empty cells", Format::DrawIo, &single_file("a.drawio", text), Outcome::Refused);
    let small = drawing(&page(&"<mxCell/>".repeat(10_000)).repeat(10));
    assert_outcome("pages of empty cells", Format::DrawIo, &single_file("a.drawio", small), Outcome::Read);
    let shapes = page(&numbered(10_000, |n| format!("<mxCell id=\"{n}\" vertex=\"1\"/>")));
    assert_outcome(
        "pages of shapes without text",
        Format::DrawIo,
        &single_file("a.drawio", drawing(&shapes.repeat(20))),
        Outcome::Refused,
    );
    let spaces = page(&" ".repeat(2_000_000)).repeat(20);
    assert_outcome("pages of space", Format::DrawIo, &single_file("a.drawio", drawing(&spaces)), Outcome::Refused);
}

#[test]
fn values_shared_by_drawing_shapes_are_limited() {
    let shapes = |parent: &str| {
        numbered(1_000, |n| format!("<mxCell id=\"s{n}\" value=\"S\" vertex=\"1\" parent=\"{parent}\"/>"))
    };
    let model = |cells: &str| format!("<mxGraphModel><root>{cells}</root></mxGraphModel>");
    let named = format!("<diagram id=\"{0}\" name=\"{0}\">{1}</diagram>", "n".repeat(100_000), model(&shapes("1")));
    assert_outcome(
        "a page with a long name",
        Format::DrawIo,
        &single_file("a.drawio", drawing(&(named + "<diagram/>"))),
        Outcome::Read,
    );
    let layer = format!("<mxCell id=\"1\" value=\"{}\" parent=\"0\"/>", "n".repeat(100_000));
    assert_outcome(
        "a layer with a long name",
        Format::DrawIo,
        &single_file("a.drawio", model(&(layer + &shapes("1")))),
        Outcome::Read,
    );
    let chain = numbered(5_000, |n| format!("<mxCell id=\"{}\" parent=\"{n}\" vertex=\"1\"/>", n + 1));
    assert_outcome("a deep chain", Format::DrawIo, &single_file("a.drawio", model(&chain)), Outcome::Read);
    let object =
        format!("<object id=\"a\" placeholders=\"1\" label=\"{}\" x=\"{}\">", "%x%".repeat(100), "x".repeat(600));
    let text = model(&(object + "<mxCell vertex=\"1\"/></object>").repeat(400));
    assert_outcome("labels with placeholders", Format::DrawIo, &single_file("a.drawio", text), Outcome::Read);
}

#[test]
fn whiteboard_comparisons_are_limited() {
    let board = |elements: String| format!("{{\"type\":\"excalidraw\",\"elements\":[{elements}{{}}]}}");
    let shape =
        |n: usize| format!("{{\"id\":\"s{n}\",\"type\":\"rectangle\",\"x\":{n},\"y\":0,\"width\":9,\"height\":9}},");
    let text = |n: usize| format!("{{\"id\":\"t{n}\",\"type\":\"text\",\"text\":\"T\",\"x\":{n},\"y\":0}},");
    let many = board(numbered(3_000, shape) + &numbered(3_000, text));
    assert_outcome("shapes and texts", Format::Excalidraw, &single_file("a.excalidraw", many), Outcome::Read);
    let files = (0..50).map(|n| (format!("{n}.excalidraw"), board(numbered(300, shape) + &numbered(300, text))));
    assert_outcome("whiteboards", Format::Excalidraw, &super::file_set(files), Outcome::Refused);
    let label =
        |text: &str| format!("{{\"id\":\"t\",\"type\":\"text\",\"containerId\":\"s\",\"originalText\":\"{text}\"}},");
    let same = "{\"id\":\"s\",\"type\":\"rectangle\"},".repeat(5_000);
    let spaces = board(label(&" ".repeat(50_000)) + &same);
    assert_outcome(
        "a label of spaces in all shapes",
        Format::Excalidraw,
        &single_file("a.excalidraw", spaces),
        Outcome::Read,
    );
    let long = board(label(&"x".repeat(50_000)) + &same);
    assert_outcome("a long label in all shapes", Format::Excalidraw, &single_file("a.excalidraw", long), Outcome::Read);
}

#[test]
fn flowchart_links_and_classes_are_limited() {
    let flowchart = |text: String| single_file("a.mmd", format!("flowchart TD\n{text}\n"));
    let all = "a&".repeat(50_000) + "a";
    assert_outcome("invisible links", Format::MermaidFlowchart, &flowchart(format!("{all} ~~~ {all}")), Outcome::Read);
    let refusal =
        crate::read(Format::MermaidFlowchart, &flowchart(format!("{all} --> {all}")), &crate::Options::default());
    assert!(refusal.unwrap_err().text.contains("50000 relationships"));
    let class = format!("a\nclass {}a {}", "a,".repeat(20_000), "c".repeat(20_000));
    assert_outcome("a class for all nodes", Format::MermaidFlowchart, &flowchart(class), Outcome::Read);
    // The class is cut once, and not for each node.
    let nodes = numbered(2_000, |n| format!("a{n}\n")) + "class " + &numbered(2_000, |n| format!("a{n},"));
    let secret = format!("{nodes} {}", "pwd=$".repeat(13_100));
    assert_outcome("a class with secrets for all nodes", Format::MermaidFlowchart, &flowchart(secret), Outcome::Read);
    let classes = format!("a\n{}", numbered(20_000, |n| format!("a:::c{n}\n")));
    assert_outcome("classes of a node", Format::MermaidFlowchart, &flowchart(classes), Outcome::Read);
    let label = format!("a&b&c&d -- {} --> a&b&c&d\n", "x".repeat(20_000)).repeat(50);
    assert_outcome("long labels", Format::MermaidFlowchart, &flowchart(label), Outcome::Read);
    let clicks = format!("a\n{}", "click a \"https://example.org\"\n".repeat(20_000));
    assert_outcome("links of a node", Format::MermaidFlowchart, &flowchart(clicks), Outcome::Read);
}

#[test]
fn flowchart_scanning_is_limited() {
    let flowchart = |text: String| single_file("a.mmd", format!("flowchart TD\n{text}\n"));
    let brackets = "a[(x] & ".repeat(5_000) + "a";
    assert_outcome("unclosed brackets", Format::MermaidFlowchart, &flowchart(brackets), Outcome::Refused);
    assert_outcome(
        "dots",
        Format::MermaidFlowchart,
        &flowchart(format!("a -. {} b", ".".repeat(300_000))),
        Outcome::Read,
    );
    assert_outcome(
        "lines",
        Format::MermaidFlowchart,
        &flowchart(format!("a -- {} b", "- ".repeat(150_000))),
        Outcome::Read,
    );
    assert_outcome("statements", Format::MermaidFlowchart, &flowchart("a;".repeat(200_000)), Outcome::Read);
    let blocks = "```mermaid\ngraph\n```\n".repeat(20_000);
    assert_outcome("diagrams", Format::MermaidFlowchart, &single_file("a.md", blocks.clone()), Outcome::Read);
    // The scope of each diagram repeats the heading.
    let heading = format!("# {}\n", "\u{20000}".repeat(120));
    let files = single_file("a.md", heading.clone() + &blocks.repeat(8));
    assert_outcome("diagrams below a long heading", Format::MermaidFlowchart, &files, Outcome::Refused);
    let headings = numbered(20_000, |n| format!("# {n}\n```\ngraph\n```\n"));
    assert_outcome("headings", Format::MermaidFlowchart, &single_file("a.md", headings), Outcome::Read);
}

#[test]
fn diagram_macros_are_limited() {
    let mermaid = |text: String| single_file("a.mmd", format!("C4Context\n{text}\n"));
    let commas = format!("System(a, \"A\"{})", ",".repeat(500_000));
    assert_outcome("arguments", Format::MermaidC4, &mermaid(commas), Outcome::Read);
    let tags = format!("System(a, \"A\", $tags=\"{}\")", "t+".repeat(200_000));
    assert_outcome("tags", Format::MermaidC4, &mermaid(tags), Outcome::Read);
    let steps = format!("C4Dynamic\n{}", "Rel(a, b, \"c\")\n".repeat(10_000));
    assert_outcome("steps", Format::MermaidC4, &single_file("a.mmd", steps), Outcome::Read);
    let plantuml = |text: String| single_file("a.puml", format!("@startuml\n!include C4_Context\n{text}\n@enduml\n"));
    let codes = format!("System(a, \"{}\")", "<U+".repeat(200_000));
    assert_outcome("unterminated character codes", Format::PlantUmlC4, &plantuml(codes), Outcome::Read);
    assert_outcome("includes", Format::PlantUmlC4, &plantuml("!include a.puml\n".repeat(20_000)), Outcome::Read);
    let procedures = "!procedure $a()\nSystem(a, \"A\")\n!endprocedure\n".repeat(10_000);
    assert_outcome("procedures", Format::PlantUmlC4, &plantuml(procedures), Outcome::Read);
    let boundaries = "Boundary(a, b) {\n}\n".repeat(10_000);
    assert_outcome("boundaries", Format::PlantUmlC4, &plantuml(boundaries), Outcome::Read);
}
