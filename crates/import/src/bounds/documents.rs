//! Tables and exports of other tools: CSV, `ArchiMate`, `LikeC4`, `IcePanel`, service graphs, and XML itself.

use super::{End, attack, numbered, one};
use crate::Format;

#[test]
fn tables_are_not_multiplied_by_their_headings() {
    let long = "h".repeat(20_000);
    let rows = numbered(5_000, |n| format!("c{n},v\n"));
    attack("a long heading", Format::Csv, &one("a.csv", format!("name,{long}\n{rows}")), End::Read);
    attack("empty cells", Format::Csv, &one("a.csv", format!("name\n{}", ",".repeat(900_000))), End::Read);
    attack(
        "empty cells of a large file",
        Format::Csv,
        &one("a.csv", "name,,\n".to_owned() + &"a,,\n".repeat(15_000)),
        End::Read,
    );
    let drawio = |settings: &str, heading: &str| {
        format!("# label: %name%\n{settings}id,name,{heading}\n{}", numbered(2_000, |n| format!("{n},c{n},v\n")))
    };
    let columns = numbered(20_000, |n| format!("h{n},"));
    attack("many columns", Format::Csv, &one("a.csv", drawio("", &columns)), End::Read);
    let label = format!("# label: {}\n", "%name%x".repeat(20_000));
    attack("a long label", Format::Csv, &one("a.csv", drawio(&label, "x")), End::Refused);
    let connect = "# connect: {\"from\":\"name\",\"to\":\"name\",\"label\":\"".to_owned() + &long + "\"}\n";
    attack("a long label of connectors", Format::Csv, &one("a.csv", drawio(&connect, "x")), End::Read);
}

#[test]
fn tables_of_archi_do_not_repeat_properties() {
    let elements =
        "\"ID\",\"Type\",\"Name\",\"Documentation\"\n".to_owned() + &"a,ApplicationComponent,A,\n".repeat(3_000);
    let properties = "\"ID\",\"Key\",\"Value\"\n".to_owned() + &numbered(2_000, |n| format!("a,k{n},v\n"));
    let files = super::set([("elements.csv".to_owned(), elements), ("properties.csv".to_owned(), properties)]);
    attack("properties of elements with the same id", Format::Csv, &files, End::Refused);
}

/// An `ArchiMate` model.
fn model(inside: &str) -> String {
    format!(
        "<model xmlns=\"http://www.opengroup.org/xsd/archimate/3.0/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">{inside}\
         </model>"
    )
}

#[test]
fn models_of_archimate_are_not_multiplied() {
    let element = |n: usize| format!("<element identifier=\"e{n}\" xsi:type=\"ApplicationComponent\"/>");
    let end = |from: &str, to: &str| format!("<relationship xsi:type=\"Flow\" source=\"{from}\" target=\"{to}\"/>");
    let elements = numbered(1_000, element) + "<element identifier=\"j\" xsi:type=\"AndJunction\"/>";
    let before = numbered(1_000, |n| end(&format!("e{n}"), "j"));
    let text = model(&format!(
        "<elements>{elements}</elements><relationships>{before}{}</relationships>",
        end("j", "e0").repeat(500)
    ));
    let files = one("a.xml", text);
    let refusal = crate::read(Format::ArchiMate, &files, &crate::Options::default()).unwrap_err();
    assert!(refusal.text.contains("more than 50000 relationships"), "{refusal}");
    let name = "n".repeat(15_000);
    let property = "<property propertyDefinitionRef=\"p\"><value>v</value></property>";
    let text = model(&format!(
        "<propertyDefinitions><propertyDefinition identifier=\"p\"><name>{name}</name></propertyDefinition></propertyDefinitions>\
         <elements><element identifier=\"a\" xsi:type=\"Node\"><properties>{}</properties></element></elements>",
        property.repeat(5_000)
    ));
    attack("a property with a long name", Format::ArchiMate, &one("a.xml", text), End::Read);
    let node = "<node elementRef=\"e0\" x=\"1\" y=\"1\"/>".repeat(10_000);
    let text = model(&format!(
        "<elements>{}</elements><views><diagrams><view identifier=\"v\">{node}</view></diagrams></views>",
        element(0)
    ));
    attack("the same node of a view", Format::ArchiMate, &one("a.xml", text), End::Read);
}

#[test]
fn documents_in_xml_are_not_compared_with_themselves() {
    let refused = |inside: &str, why: &str| {
        let files = one("a.xml", model(inside));
        let refusal = crate::read(Format::ArchiMate, &files, &crate::Options::default()).unwrap_err();
        assert!(refusal.text.contains(why), "{refusal}");
    };
    let attributes = numbered(5_000, |n| format!(" a{n}=\"\""));
    refused(&format!("<elements{attributes}/>"), "more than 500 attributes");
    let namespaces = numbered(3_000, |n| format!("<a xmlns:n{n}=\"u\"/>"));
    refused(&namespaces, "more than 500 declarations of namespaces");
    refused(&format!("<elements{}/>", " xmlns:a='u'".repeat(600)), "500");
    // Small elements need more memory than a small file may use.
    attack("empty elements", Format::ArchiMate, &one("a.xml", model(&"<a/>".repeat(500_000))), End::Refused);
    let quoted = "<!-- \"it's\" -->".repeat(1_000);
    attack("quotes in comments", Format::ArchiMate, &one("a.xml", model(&quoted)), End::Read);
}

#[test]
fn exports_with_ids_do_not_repeat_texts() {
    let long = "x".repeat(20_000);
    let steps = "\"s\",".repeat(10_000);
    let likec4 = format!(
        "{{\"projectId\":\"p\",\"specification\":{{}},\"elements\":{{\"a\":{{}}}},\"relations\":{{}},\"views\":{{\"v\":{{\"_type\":\
         \"dynamic\",\"edges\":[{{\"id\":\"s\",\"source\":\"a\",\"target\":\"a\",\"label\":\"{long}\"}}],\"flow\":[{steps}\"s\"]}}}}}}"
    );
    attack("a step of LikeC4 again", Format::LikeC4, &one("a.json", likec4), End::Refused);
    let relation = "\"r\":{\"source\":{\"model\":\"a\"},\"target\":{\"model\":\"b\"}},".repeat(5_000);
    let text = format!(
        "{{\"projectId\":\"p\",\"elements\":{{\"a\":{{}},\"b\":{{}}}},\"relations\":{{{relation}\"x\":{{}}}},\"views\":{{}}}}"
    );
    attack("the same relation of LikeC4", Format::LikeC4, &one("a.json", text), End::Read);
    let paths = "{\"type\":\"parallel-path\",\"paths\":{\"p\":{}}},";
    let flow = |count: usize| {
        let own = numbered(count, |n| format!("\"a{n}\":{paths}"));
        let inner = numbered(count, |n| {
            format!("\"b{n}\":{{\"pathId\":\"p\",\"originId\":\"o\",\"targetId\":\"o\",\"description\":\"text\"}},")
        });
        format!(
            "{{\"modelObjects\":{{\"o\":{{\"type\":\"app\"}}}},\"modelConnections\":{{}},\"flows\":{{\"f\":{{\"steps\":{{{own}{inner}\
             \"z\":{{}}}}}}}}}}"
        )
    };
    attack("paths of IcePanel", Format::IcePanel, &one("a.json", flow(2_000)), End::Refused);
    let objects = numbered(3_000, |n| format!("\"o{n}\":{{\"type\":\"app\",\"tagIds\":[\"t\"]}},"));
    let text = format!(
        "{{\"tags\":{{\"t\":{{\"name\":\"{long}\"}}}},\"modelObjects\":{{{objects}\"z\":{{}}}},\"modelConnections\":{{}}}}"
    );
    attack("a tag of IcePanel with a long name", Format::IcePanel, &one("a.json", text), End::Read);
    let notes = numbered(10_000, |n| format!("\"n{n}\":{{\"type\":\"information\"}},"));
    let text = format!(
        "{{\"modelObjects\":{{\"o\":{{\"type\":\"app\"}}}},\"modelConnections\":{{}},\"flows\":{{\"f\":{{\"steps\":{{\"a\":{{\"index\":-1,\
         \"originId\":\"o\",\"targetId\":\"o\"}},{notes}\"z\":{{}}}}}}}}}}"
    );
    attack("notes after a step of IcePanel", Format::IcePanel, &one("a.json", text), End::Read);
}

#[test]
fn samples_of_service_graphs_are_added_up() {
    let line = "traces_service_graph_request_total{client=\"a\",server=\"b\"} 1\n";
    attack("the same call", Format::ServiceGraph, &one("a.txt", line.repeat(20_000)), End::Read);
    attack(
        "samples without ends",
        Format::ServiceGraph,
        &one("a.txt", "traces_service_graph_{} 1\n".repeat(50_000)),
        End::Read,
    );
    let labels = "a=\"b\",".repeat(50_000);
    let text = format!("traces_service_graph_request_total{{{labels}client=\"a\",server=\"b\"}} 1\n");
    attack("many labels", Format::ServiceGraph, &one("a.txt", text), End::Read);
}

#[test]
fn large_maps_are_read() {
    let csv = "id,name,type,description,team\n".to_owned()
        + &numbered(20_000, |n| format!("c{n},Component {n},service,What it does,team {}\n", n % 50));
    let element = |n: usize| {
        format!("<element identifier=\"e{n}\" xsi:type=\"ApplicationComponent\"><name>Component {n}</name></element>\n")
    };
    let relationship = |n: usize| {
        let (from, to) = (n % 5_000, (n * 7 + 1) % 5_000);
        format!(
            "<relationship identifier=\"r{n}\" source=\"e{from}\" target=\"e{to}\" xsi:type=\"Flow\"><name>calls {n}</name></relationship>\n"
        )
    };
    let archimate = model(&format!(
        "<elements>{}</elements><relationships>{}</relationships>",
        numbered(5_000, element),
        numbered(40_000, relationship)
    ));
    let all = numbered(150, |n| format!("n{n} & ")) + "z";
    let flowchart = format!("flowchart TD\n{all} -- asks --> {all}\n");
    let workload = |n: usize| {
        let next = (n * 7 + 1) % 2_000;
        format!(
            "---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: d{n}\nspec:\n  template:\n    metadata:\n      labels:\n        \
             app: d{n}\n    spec:\n      containers:\n      - name: main\n        image: registry.example/d{n}:1\n        env:\n        \
             - name: URL\n          value: http://d{next}:8080\n---\napiVersion: v1\nkind: Service\nmetadata:\n  name: d{n}\nspec:\n  \
             selector:\n    app: d{n}\n"
        )
    };
    for (format, name, text) in [
        (Format::Csv, "a.csv", csv),
        (Format::ArchiMate, "a.xml", archimate),
        (Format::MermaidFlowchart, "a.mmd", flowchart),
        (Format::Kubernetes, "a.yaml", numbered(2_000, workload)),
    ] {
        let files = one(name, text);
        let budget = crate::budget::Budget::new(files.bytes(), crate::budget::NEVER);
        let found = crate::read_within(format, &files, &crate::Options::default(), std::rc::Rc::clone(&budget));
        let rows = found.map(|reading| (reading.components.len(), reading.relationships.len()));
        let allowed = crate::budget::memory(files.bytes());
        // There is room for more.
        assert!(
            rows.is_ok() && budget.most_bytes() < allowed * 19 / 20,
            "{name}: {rows:?} {} {allowed}",
            budget.most_bytes()
        );
        assert!(budget.steps() < crate::budget::MAX_STEPS / 4, "{name}: {}", budget.steps());
    }
}
