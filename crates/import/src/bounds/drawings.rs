//! Drawings: draw.io, Excalidraw, Mermaid and `PlantUML`.

use std::io::Write;

use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::{Compression, write::DeflateEncoder};

use super::{End, attack, numbered, one};
use crate::Format;

/// A compressed page of draw.io with cells.
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
fn pages_of_drawings_do_not_inflate_without_end() {
    let text = drawing(&page(&"<mxCell/>".repeat(600_000)).repeat(3));
    assert!(text.len() < 100_000);
    attack("empty cells", Format::DrawIo, &one("a.drawio", text), End::Refused);
    let small = drawing(&page(&"<mxCell/>".repeat(10_000)).repeat(10));
    attack("pages of empty cells", Format::DrawIo, &one("a.drawio", small), End::Read);
    let shapes = page(&numbered(10_000, |n| format!("<mxCell id=\"{n}\" vertex=\"1\"/>")));
    attack("pages of shapes without text", Format::DrawIo, &one("a.drawio", drawing(&shapes.repeat(20))), End::Refused);
    let spaces = page(&" ".repeat(2_000_000)).repeat(20);
    attack("pages of space", Format::DrawIo, &one("a.drawio", drawing(&spaces)), End::Refused);
}

#[test]
fn what_shapes_of_drawings_share_is_not_repeated() {
    let shapes = |parent: &str| {
        numbered(1_000, |n| format!("<mxCell id=\"s{n}\" value=\"S\" vertex=\"1\" parent=\"{parent}\"/>"))
    };
    let model = |cells: &str| format!("<mxGraphModel><root>{cells}</root></mxGraphModel>");
    let named = format!("<diagram id=\"{0}\" name=\"{0}\">{1}</diagram>", "n".repeat(100_000), model(&shapes("1")));
    attack("a page with a long name", Format::DrawIo, &one("a.drawio", drawing(&(named + "<diagram/>"))), End::Read);
    let layer = format!("<mxCell id=\"1\" value=\"{}\" parent=\"0\"/>", "n".repeat(100_000));
    attack("a layer with a long name", Format::DrawIo, &one("a.drawio", model(&(layer + &shapes("1")))), End::Read);
    let chain = numbered(5_000, |n| format!("<mxCell id=\"{}\" parent=\"{n}\" vertex=\"1\"/>", n + 1));
    attack("a deep chain", Format::DrawIo, &one("a.drawio", model(&chain)), End::Read);
    let object =
        format!("<object id=\"a\" placeholders=\"1\" label=\"{}\" x=\"{}\">", "%x%".repeat(100), "x".repeat(600));
    let text = model(&(object + "<mxCell vertex=\"1\"/></object>").repeat(1_500));
    attack("labels of placeholders", Format::DrawIo, &one("a.drawio", text), End::Read);
}

#[test]
fn shapes_of_whiteboards_are_compared_a_limited_number_of_times() {
    let board = |elements: String| format!("{{\"type\":\"excalidraw\",\"elements\":[{elements}{{}}]}}");
    let shape =
        |n: usize| format!("{{\"id\":\"s{n}\",\"type\":\"rectangle\",\"x\":{n},\"y\":0,\"width\":9,\"height\":9}},");
    let text = |n: usize| format!("{{\"id\":\"t{n}\",\"type\":\"text\",\"text\":\"T\",\"x\":{n},\"y\":0}},");
    let many = board(numbered(3_000, shape) + &numbered(3_000, text));
    attack("shapes and texts", Format::Excalidraw, &one("a.excalidraw", many), End::Read);
    let files = (0..50).map(|n| (format!("{n}.excalidraw"), board(numbered(300, shape) + &numbered(300, text))));
    attack("whiteboards", Format::Excalidraw, &super::set(files), End::Refused);
    let label =
        |text: &str| format!("{{\"id\":\"t\",\"type\":\"text\",\"containerId\":\"s\",\"originalText\":\"{text}\"}},");
    let same = "{\"id\":\"s\",\"type\":\"rectangle\"},".repeat(5_000);
    let spaces = board(label(&" ".repeat(50_000)) + &same);
    attack("a text of spaces in all shapes", Format::Excalidraw, &one("a.excalidraw", spaces), End::Read);
    let long = board(label(&"x".repeat(50_000)) + &same);
    attack("a long text in all shapes", Format::Excalidraw, &one("a.excalidraw", long), End::Read);
}

#[test]
fn chains_of_flowcharts_are_not_multiplied() {
    let flowchart = |text: String| one("a.mmd", format!("flowchart TD\n{text}\n"));
    let all = "a&".repeat(50_000) + "a";
    attack("invisible links", Format::MermaidFlowchart, &flowchart(format!("{all} ~~~ {all}")), End::Read);
    let refusal =
        crate::read(Format::MermaidFlowchart, &flowchart(format!("{all} --> {all}")), &crate::Options::default());
    assert!(refusal.unwrap_err().text.contains("50000 relationships"));
    let class = format!("a\nclass {}a {}", "a,".repeat(20_000), "c".repeat(20_000));
    attack("a class of all nodes", Format::MermaidFlowchart, &flowchart(class), End::Read);
    let classes = format!("a\n{}", numbered(20_000, |n| format!("a:::c{n}\n")));
    attack("classes of a node", Format::MermaidFlowchart, &flowchart(classes), End::Read);
    let label = format!("a&b&c&d -- {} --> a&b&c&d\n", "x".repeat(20_000)).repeat(50);
    attack("long labels", Format::MermaidFlowchart, &flowchart(label), End::Read);
    let clicks = format!("a\n{}", "click a \"https://example.org\"\n".repeat(20_000));
    attack("links of a node", Format::MermaidFlowchart, &flowchart(clicks), End::Read);
}

#[test]
fn brackets_and_dots_of_flowcharts_are_searched_a_limited_number_of_times() {
    let flowchart = |text: String| one("a.mmd", format!("flowchart TD\n{text}\n"));
    let brackets = "a[(x] & ".repeat(5_000) + "a";
    attack("brackets that do not close", Format::MermaidFlowchart, &flowchart(brackets), End::Refused);
    attack("dots", Format::MermaidFlowchart, &flowchart(format!("a -. {} b", ".".repeat(300_000))), End::Read);
    attack("lines", Format::MermaidFlowchart, &flowchart(format!("a -- {} b", "- ".repeat(150_000))), End::Read);
    attack("statements", Format::MermaidFlowchart, &flowchart("a;".repeat(200_000)), End::Read);
    let blocks = "```mermaid\ngraph\n```\n".repeat(20_000);
    attack("diagrams", Format::MermaidFlowchart, &one("a.md", blocks), End::Read);
}

#[test]
fn macros_of_diagrams_have_few_arguments() {
    let mermaid = |text: String| one("a.mmd", format!("C4Context\n{text}\n"));
    let commas = format!("System(a, \"A\"{})", ",".repeat(500_000));
    attack("arguments", Format::MermaidC4, &mermaid(commas), End::Read);
    let tags = format!("System(a, \"A\", $tags=\"{}\")", "t+".repeat(200_000));
    attack("tags", Format::MermaidC4, &mermaid(tags), End::Read);
    let steps = format!("C4Dynamic\n{}", "Rel(a, b, \"c\")\n".repeat(10_000));
    attack("steps", Format::MermaidC4, &one("a.mmd", steps), End::Read);
    let plantuml = |text: String| one("a.puml", format!("@startuml\n!include C4_Context\n{text}\n@enduml\n"));
    let codes = format!("System(a, \"{}\")", "<U+".repeat(200_000));
    attack("codes that do not end", Format::PlantUmlC4, &plantuml(codes), End::Read);
    attack("includes", Format::PlantUmlC4, &plantuml("!include a.puml\n".repeat(20_000)), End::Read);
    let procedures = "!procedure $a()\nSystem(a, \"A\")\n!endprocedure\n".repeat(10_000);
    attack("procedures", Format::PlantUmlC4, &plantuml(procedures), End::Read);
    let boundaries = "Boundary(a, b) {\n}\n".repeat(10_000);
    attack("boundaries", Format::PlantUmlC4, &plantuml(boundaries), End::Read);
}
