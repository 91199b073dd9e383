//! Tests of the readers: what each sample yields, and rules that need more than one file or other options.

mod diagrams;
mod exports;
mod keys;
mod models;
mod secrets;
mod structurizr;

use super::{Files, Format, Options, read, recognize, testing::read_files};

#[test]
fn formats_are_recognized_by_their_content() {
    for (name, text, id) in [
        ("a.txt", "workspace \"A\" {\n}", "structurizr-dsl"),
        ("parts/model.dsl", "a = person \"A\"", "structurizr-dsl"),
        ("a.json", "{\"model\": {\"people\": []}}", "structurizr-json"),
        ("a.json", "[{\"projectId\": \"a\", \"elements\": {}, \"relations\": {}}]", "likec4"),
        ("a.json", "\u{feff}{\"modelObjects\": {}, \"modelConnections\": {}}", "icepanel"),
        ("a.md", "# Shop\n\n```mermaid\nflowchart LR\nA --> B\n```\n", "mermaid-flowchart"),
        ("a", "graph TD;A-->B", "mermaid-flowchart"),
        ("a", "%% x\n  C4Context\n", "mermaid-c4"),
        ("a", "@startuml\n!include <C4/C4_Context>\n@enduml", "plantuml-c4"),
        ("a.puml", "System(a, \"A\")", "plantuml-c4"),
        ("a.yaml", "services: # all of them\n  a: {}", "compose"),
        ("a.yml", "\"services\":\n  a: {}", "compose"),
        ("a.yaml", "# x\n\n  version: '3'\n  services:\n    a: {}", "compose"),
        ("a.yaml", "{\"services\": {\"a\": {\"image\": \"redis\"}}}", "compose"),
        ("docs/compose.prod.yaml", "include: [a.yaml]", "compose"),
        ("docker-compose.yml", "services:\n  a: [", "compose"),
        ("a.yaml", "\"apiVersion\": v1\n\"kind\": Pod", "kubernetes"),
        ("a.yaml", "{\n \"apiVersion\": \"v1\",\n \"kind\": \"Pod\", \"metadata\": {}}", "kubernetes"),
        ("a.yaml", "  apiVersion: v1 # x\n  kind: Pod", "kubernetes"),
        ("compose.yaml", "apiVersion: v1\nkind: Pod", "kubernetes"),
        ("a.yaml", "'apiVersion': \"backstage.io/v1alpha1\"\nkind: System", "backstage"),
        ("a.excalidraw", "{\"type\" : \"excalidraw\", \"elements\": []}", "excalidraw"),
        ("a.xml", "<model xmlns=\"http://www.opengroup.org/xsd/archimate/3.0/\"/>", "archimate"),
    ] {
        let files = Files::of(name, text).unwrap();
        assert_eq!(recognize(&files).map(Format::id), Ok(id), "{text}");
    }
}

#[test]
fn other_files_are_refused_with_what_to_do() {
    for (name, text, hint) in [
        ("a.c4", "specification {", "npx likec4 export json --skip-layout -p NAME"),
        ("a.archimate", "<x/>", "Export, Open Exchange"),
        ("a.puml", "@startuml\na -> b\n@enduml", "plantuml -preproc"),
        ("main.tf", "resource", "terraform show -json"),
        ("a.mmd", "sequenceDiagram\nA->>B: x", "create a process"),
        ("a.yaml", "name: {{ .Values.name }}", "helm template"),
        ("a.txt", "Hello", "supported formats: structurizr-json, structurizr-dsl, likec4"),
        ("a.md", "A graph of many things", "not recognized"),
        ("a.yaml", "\u{feff} \n", "a.yaml: the file is empty"),
    ] {
        let refusal = recognize(&Files::of(name, text).unwrap()).unwrap_err().to_string();
        assert!(refusal.contains(hint), "{refusal}");
    }
    assert_eq!(recognize(&Files::new()).unwrap_err().to_string(), "no file was given");
}

#[test]
fn files_of_another_format_are_refused_with_their_place() {
    for (format, error) in [
        (Format::StructurizrJson, "a.txt:2: the file is not valid JSON: a value is expected"),
        (Format::LikeC4, "a.txt:2: the file is not valid JSON: a value is expected"),
        (Format::IcePanel, "a.txt:2: the file is not valid JSON: a value is expected"),
        (Format::ArchiMate, "a.txt:2: the file is not valid XML: unknown token at 2:1"),
        (Format::MermaidC4, "a.txt:1: the file has no C4 diagram; it must begin with a line such as `C4Context`"),
        (
            Format::MermaidFlowchart,
            "a.txt:1: the file has no flowchart; it must begin with a line such as `flowchart LR`",
        ),
    ] {
        let files = Files::of("a.txt", "\nHello").unwrap();
        assert_eq!(read(format, &files, &Options::default()).unwrap_err().to_string(), error);
    }
    let files = Files::of("a.json", "{}").unwrap();
    let refusal = read(Format::StructurizrJson, &files, &Options::default()).unwrap_err();
    assert_eq!(refusal.to_string(), "a.json:1: the file is no Structurizr workspace: `model` is missing");
}

#[test]
fn ids_of_formats_are_unique() {
    for format in Format::ALL {
        assert_eq!(Format::of_id(format.id()), Some(*format));
    }
    assert_eq!(Format::of_id("word"), None);
}

#[test]
fn files_of_other_formats_in_the_set_are_not_read() {
    let files = [("docs/a.txt", "Hello"), ("a.mmd", "graph TD\nA-->B")];
    let reading = read_files(Format::MermaidFlowchart, &files, &Options::default()).unwrap();
    assert_eq!(reading.components.len(), 2);
    assert_eq!(&*reading.components[0].origin.file, "a.mmd");
}
