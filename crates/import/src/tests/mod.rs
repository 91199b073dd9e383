//! Tests of the readers: what each sample yields, and rules that need more than one file or other options.

mod diagrams;
mod exports;
mod keys;
mod models;
mod secrets;
mod structurizr;

use super::{Files, Format, Options, read, recognize, testing::set_of};

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
        (
            "a.txt",
            "Hello",
            "a.txt: the format was not recognized; supported formats: structurizr-json, structurizr-dsl, likec4",
        ),
        ("a.md", "A graph of many things", "a.md: the format was not recognized"),
        ("traces.json", "[{\"parent\": \"a\",\n", "traces.json:2: the file is not valid JSON: "),
        ("deploy.yaml", "x:\n  - [\n", "deploy.yaml:2: the file is not valid YAML: "),
        ("a.xml", "<a>\n<b></a>", "a.xml:2: the file is not valid XML: "),
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
fn each_file_that_is_not_read_is_named_with_the_reason() {
    let files = [
        ("docs/a.txt", "Hello"),
        ("b.txt", "Hello again"),
        ("a.mmd", "graph TD\nA-->B"),
        ("compose.yaml", "services:\n  web:\n    image: nginx\n"),
        ("broken.json", "{\n\"a\": [\n"),
        ("empty.yaml", "\n"),
        ("main.tf", "resource"),
    ];
    let set = set_of(&files).unwrap();
    let reading = read(Format::MermaidFlowchart, &set, &Options::default()).unwrap();
    assert_eq!(reading.components.len(), 2);
    assert_eq!(set.read_names(), ["a.mmd"]);
    let found: Vec<String> = reading
        .diagnostics
        .iter()
        .map(|one| format!("{}:{} {} {}", one.file, one.line, one.severity.id(), one.text))
        .collect();
    assert_eq!(
        found,
        [
            "docs/a.txt:1 info not read, because they are no files of the format Mermaid flowchart: docs/a.txt, b.txt",
            "compose.yaml:1 warning the file was not read, because it is a file of another format (Docker Compose); import it as a source of its own",
            "broken.json:3 warning the file was not read: the file is not valid JSON: it ends before a value",
            "empty.yaml:1 warning the file was not read: the file is empty",
            "main.tf:1 warning the file was not read: Terraform sources are read by Terraform itself; import the result of `terraform show -json`",
        ]
    );
}

#[test]
fn files_that_others_refer_to_are_read() {
    let files = [
        ("a/compose.yaml", "include: [more.txt]\nservices:\n  web:\n    image: nginx\n    env_file: web.env\n"),
        ("a/more.txt", "services:\n  db:\n    image: postgres\n"),
        ("a/web.env", "A=b\n"),
        ("a/.env", "A=b\n"),
        ("a/notes.txt", "Hello"),
    ];
    let set = set_of(&files).unwrap();
    let reading = read(Format::Compose, &set, &Options::default()).unwrap();
    assert_eq!(set.read_names(), ["a/compose.yaml", "a/more.txt", "a/web.env", "a/.env"]);
    assert_eq!(reading.diagnostics.len(), 1, "{:?}", reading.diagnostics);
    assert_eq!(&*reading.diagnostics[0].file, "a/notes.txt");
}

#[test]
fn many_files_that_are_not_read_are_counted() {
    let mut set = Files::of("a.mmd", "graph TD\nA-->B").unwrap();
    for number in 0..100 {
        set.add(&format!("{number}/compose.yaml"), "services:\n  web: {}\n").unwrap();
        set.add(&format!("{number}/notes.txt"), "Hello").unwrap();
    }
    let reading = read(Format::MermaidFlowchart, &set, &Options::default()).unwrap();
    assert_eq!(reading.diagnostics.len(), 22);
    let texts: Vec<&str> = reading.diagnostics.iter().map(|one| one.text.as_str()).collect();
    assert!(texts.contains(&"80 more files from this one on were not read"), "{texts:?}");
    assert!(texts.iter().any(|text| text.ends_with("3/notes.txt, 4/notes.txt and 95 more")), "{texts:?}");
}
