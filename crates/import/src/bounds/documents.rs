//! Tests for tables, exports of other tools, and XML: CSV, `ArchiMate`, `LikeC4`, `IcePanel`, service graphs.

use super::{Outcome, assert_outcome, file_set, measure, numbered, single_file};
use crate::Format;

#[test]
fn csv_headings_and_labels_are_limited() {
    let long = "h".repeat(20_000);
    let rows = numbered(5_000, |n| format!("c{n},v\n"));
    assert_outcome("a long heading", Format::Csv, &single_file("a.csv", format!("name,{long}\n{rows}")), Outcome::Read);
    assert_outcome(
        "empty cells",
        Format::Csv,
        &single_file("a.csv", format!("name\n{}", ",".repeat(900_000))),
        Outcome::Read,
    );
    assert_outcome(
        "empty cells of a large file",
        Format::Csv,
        &single_file("a.csv", "name,,\n".to_owned() + &"a,,\n".repeat(15_000)),
        Outcome::Read,
    );
    let short = "name\n".to_owned() + &"a\n".repeat(19_000);
    assert_outcome("short rows", Format::Csv, &single_file("a.csv", short.clone()), Outcome::Read);
    let many = short + &"a\n".repeat(500_000);
    let usage = measure(Format::Csv, &single_file("a.csv", many), &crate::Options::default());
    assert_eq!((usage.violation(), usage.result.is_err()), (None, true));
    let drawio = |settings: &str, heading: &str| {
        format!("# label: %name%\n{settings}id,name,{heading}\n{}", numbered(2_000, |n| format!("{n},c{n},v\n")))
    };
    let columns = numbered(20_000, |n| format!("h{n},"));
    assert_outcome("many columns", Format::Csv, &single_file("a.csv", drawio("", &columns)), Outcome::Read);
    let label = format!("# label: {}\n", "%name%x".repeat(20_000));
    assert_outcome("a long label", Format::Csv, &single_file("a.csv", drawio(&label, "x")), Outcome::Refused);
    let connect = "# connect: {\"from\":\"name\",\"to\":\"name\",\"label\":\"".to_owned() + &long + "\"}\n";
    assert_outcome("a long connector label", Format::Csv, &single_file("a.csv", drawio(&connect, "x")), Outcome::Read);
}

#[test]
fn archi_properties_are_limited() {
    let elements =
        "\"ID\",\"Type\",\"Name\",\"Documentation\"\n".to_owned() + &"a,ApplicationComponent,A,\n".repeat(3_000);
    let properties = "\"ID\",\"Key\",\"Value\"\n".to_owned() + &numbered(2_000, |n| format!("a,k{n},v\n"));
    let files = super::file_set([("elements.csv".to_owned(), elements), ("properties.csv".to_owned(), properties)]);
    assert_outcome("properties of elements with the same ID", Format::Csv, &files, Outcome::Refused);
}

/// Wraps content in an `ArchiMate` model.
fn model(inside: &str) -> String {
    format!(
        "<model xmlns=\"http://www.opengroup.org/xsd/archimate/3.0/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">{inside}\
         </model>"
    )
}

#[test]
fn archimate_models_are_limited() {
    let element = |n: usize| format!("<element identifier=\"e{n}\" xsi:type=\"ApplicationComponent\"/>");
    let end = |from: &str, to: &str| format!("<relationship xsi:type=\"Flow\" source=\"{from}\" target=\"{to}\"/>");
    let elements = numbered(1_000, element) + "<element identifier=\"j\" xsi:type=\"AndJunction\"/>";
    let before = numbered(1_000, |n| end(&format!("e{n}"), "j"));
    let text = model(&format!(
        "<elements>{elements}</elements><relationships>{before}{}</relationships>",
        end("j", "e0").repeat(500)
    ));
    let files = single_file("a.xml", text);
    let refusal = crate::read(Format::ArchiMate, &files, &crate::Options::default()).unwrap_err();
    assert!(refusal.text.contains("more than 50000 relationships"), "{refusal}");
    let name = "n".repeat(15_000);
    let property = "<property propertyDefinitionRef=\"p\"><value>v</value></property>";
    let text = model(&format!(
        "<propertyDefinitions><propertyDefinition identifier=\"p\"><name>{name}</name></propertyDefinition></propertyDefinitions>\
         <elements><element identifier=\"a\" xsi:type=\"Node\"><properties>{}</properties></element></elements>",
        property.repeat(5_000)
    ));
    assert_outcome("a property with a long name", Format::ArchiMate, &single_file("a.xml", text), Outcome::Read);
    let views = model(&format!("<views><diagrams>{}</diagrams></views>", "<view/>".repeat(150_000)));
    let usage = measure(Format::ArchiMate, &single_file("a.xml", views), &crate::Options::default());
    assert_eq!(usage.violation(), None);
    assert!(usage.result.unwrap_err().text.contains("more than 20000 views"));
    let node = "<node elementRef=\"e0\" x=\"1\" y=\"1\"/>".repeat(10_000);
    let text = model(&format!(
        "<elements>{}</elements><views><diagrams><view identifier=\"v\">{node}</view></diagrams></views>",
        element(0)
    ));
    assert_outcome("a repeated node in a view", Format::ArchiMate, &single_file("a.xml", text), Outcome::Read);
}

#[test]
fn xml_attributes_and_namespaces_are_limited() {
    let refused = |inside: &str, why: &str| {
        let files = single_file("a.xml", model(inside));
        let refusal = crate::read(Format::ArchiMate, &files, &crate::Options::default()).unwrap_err();
        assert!(refusal.text.contains(why), "{refusal}");
    };
    let attributes = numbered(5_000, |n| format!(" a{n}=\"\""));
    refused(&format!("<elements{attributes}/>"), "more than 500 attributes");
    let namespaces = numbered(3_000, |n| format!("<a xmlns:n{n}=\"u\"/>"));
    refused(&namespaces, "more than 500 namespace declarations");
    refused(&format!("<elements{}/>", " xmlns:a='u'".repeat(600)), "500");
    // A comment that begins in a processing instruction, or a CDATA section in `<!-->`, hides nothing.
    for opening in ["<?x <!-- ?>", "<!--><![CDATA[ -->"] {
        refused(&format!("{opening}<elements{attributes}/>"), "more than 500 attributes");
        refused(&format!("{opening}{namespaces}"), "more than 500 namespace declarations");
        refused(&(opening.to_owned() + &"<a>".repeat(300) + &"</a>".repeat(300)), "nested more than 200 levels");
    }
    // The nodes of many small elements exceed the memory limit.
    assert_outcome(
        "empty elements",
        Format::ArchiMate,
        &single_file("a.xml", model(&"<a/>".repeat(500_000))),
        Outcome::Refused,
    );
    let quoted = "<!-- \"it's\" -->".repeat(1_000);
    assert_outcome("quotes in comments", Format::ArchiMate, &single_file("a.xml", model(&quoted)), Outcome::Read);
}

#[test]
fn likec4_and_icepanel_exports_are_limited() {
    let long = "x".repeat(20_000);
    let steps = "\"s\",".repeat(10_000);
    let likec4 = format!(
        "{{\"projectId\":\"p\",\"specification\":{{}},\"elements\":{{\"a\":{{}}}},\"relations\":{{}},\"views\":{{\"v\":{{\"_type\":\
         \"dynamic\",\"edges\":[{{\"id\":\"s\",\"source\":\"a\",\"target\":\"a\",\"label\":\"{long}\"}}],\"flow\":[{steps}\"s\"]}}}}}}"
    );
    assert_outcome("a repeated step in LikeC4", Format::LikeC4, &single_file("a.json", likec4), Outcome::Refused);
    let relation = "\"r\":{\"source\":{\"model\":\"a\"},\"target\":{\"model\":\"b\"}},".repeat(5_000);
    let text = format!(
        "{{\"projectId\":\"p\",\"elements\":{{\"a\":{{}},\"b\":{{}}}},\"relations\":{{{relation}\"x\":{{}}}},\"views\":{{}}}}"
    );
    assert_outcome("a repeated relation in LikeC4", Format::LikeC4, &single_file("a.json", text), Outcome::Read);
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
    assert_outcome(
        "repeated paths in IcePanel",
        Format::IcePanel,
        &single_file("a.json", flow(2_000)),
        Outcome::Refused,
    );
    let objects = numbered(3_000, |n| format!("\"o{n}\":{{\"type\":\"app\",\"tagIds\":[\"t\"]}},"));
    let text = format!(
        "{{\"tags\":{{\"t\":{{\"name\":\"{long}\"}}}},\"modelObjects\":{{{objects}\"z\":{{}}}},\"modelConnections\":{{}}}}"
    );
    assert_outcome("a tag with a long name in IcePanel", Format::IcePanel, &single_file("a.json", text), Outcome::Read);
    let notes = numbered(10_000, |n| format!("\"n{n}\":{{\"type\":\"information\"}},"));
    let text = format!(
        "{{\"modelObjects\":{{\"o\":{{\"type\":\"app\"}}}},\"modelConnections\":{{}},\"flows\":{{\"f\":{{\"steps\":{{\"a\":{{\"index\":-1,\
         \"originId\":\"o\",\"targetId\":\"o\"}},{notes}\"z\":{{}}}}}}}}}}"
    );
    assert_outcome("notes after a step in IcePanel", Format::IcePanel, &single_file("a.json", text), Outcome::Read);
}

#[test]
fn service_graph_samples_are_limited() {
    let line = "traces_service_graph_request_total{client=\"a\",server=\"b\"} 1\n";
    assert_outcome("a repeated call", Format::ServiceGraph, &single_file("a.txt", line.repeat(20_000)), Outcome::Read);
    assert_outcome(
        "samples without client and server",
        Format::ServiceGraph,
        &single_file("a.txt", "traces_service_graph_{} 1\n".repeat(50_000)),
        Outcome::Read,
    );
    let labels = "a=\"b\",".repeat(50_000);
    let text = format!("traces_service_graph_request_total{{{labels}client=\"a\",server=\"b\"}} 1\n");
    assert_outcome("many labels", Format::ServiceGraph, &single_file("a.txt", text), Outcome::Read);
}

#[test]
fn large_maps_fit_the_budget() {
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
        let files = single_file(name, text);
        let budget = crate::budget::Budget::new(files.bytes(), crate::budget::NEVER_CANCELED);
        let found = crate::read_within(format, &files, &crate::Options::default(), std::rc::Rc::clone(&budget));
        let rows = found.map(|reading| (reading.components.len(), reading.relationships.len()));
        let allowed = crate::budget::memory_limit(files.bytes());
        // At least 5% of the memory limit remains.
        assert!(
            rows.is_ok() && budget.peak_bytes() < allowed * 19 / 20,
            "{name}: {rows:?} {} {allowed}",
            budget.peak_bytes()
        );
        assert!(budget.steps() < crate::budget::MAX_STEPS / 4, "{name}: {}", budget.steps());
    }
}

#[test]
fn files_that_are_not_read_share_a_budget() {
    let broken = ("z.yaml".to_owned(), "a: [".to_owned());
    let table = ("a.csv".to_owned(), "name\nShop\n".to_owned());
    let values = format!("a: [{}0]\n", "0, ".repeat(20_000));
    let costly = (0..20).map(|n| (format!("b{n}.yaml"), values.clone()));
    let warnings = |files| {
        let usage = measure(Format::Csv, &files, &crate::Options::default());
        assert_eq!(usage.violation(), None);
        let reading = usage.result.unwrap();
        assert_eq!(reading.components.len(), 1);
        reading.diagnostics.iter().filter(|line| line.text.contains("not valid YAML")).count()
    };
    assert_eq!(warnings(file_set([table.clone(), broken.clone()])), 1);
    // The last file is named, but not parsed.
    assert_eq!(warnings(file_set([table].into_iter().chain(costly).chain([broken]))), 0);
}
