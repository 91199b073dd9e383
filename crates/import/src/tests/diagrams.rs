//! What the readers make of samples: Diagrams in Mermaid and `PlantUML`.

use crate::{
    Files, Format, Options, Reading, read,
    testing::{components, diagnostics, read_files, relationships, sample, steps},
};

#[test]
fn the_mermaid_c4_sample() {
    let reading = sample("shop.c4.mmd");
    assert_eq!(
        components(&reading),
        [
            "person Customer",
            "group Acme",
            "group Shop in Acme",
            "web-app Web in Shop (TypeScript, React) #core #Web Browser",
            "database Database in Shop (PostgreSQL)",
            "database Database in Shop (PostgreSQL)",
            "queue Events in Shop (Kafka)",
            "external-system Mail",
            "service unknown",
        ]
    );
    assert_eq!(
        relationships(&reading),
        [
            "Customer calls Web: Buys with (HTTPS)",
            "Web reads Database: Reads from (SQL)",
            "Web uses Mail both ways: Talks to",
            "Web publishes Events: Publishes (async, often)",
            "Web uses unknown: Plain label",
        ]
    );
    assert_eq!(diagnostics(&reading), ["20: `unknown` is used, but not declared above",]);
    let ignored: Vec<(&str, usize)> = reading.ignored.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    assert!(ignored.is_empty());
}

#[test]
fn the_mermaid_c4_dynamic_sample() {
    let reading = sample("shop.dynamic.mmd");
    assert_eq!(components(&reading), ["service Web", "database Database",]);
    assert_eq!(relationships(&reading), ["Web writes Database: Stores; at once", "Web reads Database: Reads",]);
    assert_eq!(steps(&reading), ["Web->>Database: Stores#59; at once", "Web->>Database: Reads",]);
    assert!(diagnostics(&reading).is_empty());
    let ignored: Vec<(&str, usize)> = reading.ignored.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    assert!(ignored.is_empty());
}

#[test]
fn the_plantuml_c4_sample() {
    let reading = sample("shop.c4.puml");
    assert_eq!(
        components(&reading),
        [
            "person User",
            "group App",
            "service SPA in App (TypeScript)",
            "api API in App (Go) #v1",
            "host Host (Linux)",
            "database Database in Host (MySQL)",
        ]
    );
    assert_eq!(
        relationships(&reading),
        ["User uses SPA: Opens", "SPA calls API: Calls (JSON/HTTPS)", "API reads Database: Selects from",]
    );
    assert_eq!(steps(&reading), ["User->>SPA: Opens", "SPA->>API: Calls", "API->>Database: Selects from",]);
    assert_eq!(
        diagnostics(&reading),
        [
            "3: `!include parts.iuml` was not read; run `plantuml -preproc` and import its result",
            "7: `!procedure $mine()` was not read; run `plantuml -preproc` and import its result",
            "23: this ends a boundary, but none is open",
        ]
    );
    let ignored: Vec<(&str, usize)> = reading.ignored.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    assert!(ignored.is_empty());
}

#[test]
fn the_mermaid_flowchart_sample() {
    let reading = sample("shop.flowchart.mmd");
    assert_eq!(
        components(&reading),
        [
            "service Customer",
            "service Web (new) shop #core",
            "service admin in Back Office",
            "external-system api in Inner #1 #external",
            "database Orders (db)",
            "group Back Office",
            "group Inner #1 in Back Office",
            "external-system Mail #external",
            "service x",
            "service y",
            "queue Events, all",
        ]
    );
    assert_eq!(
        relationships(&reading),
        [
            "Customer uses Web (new) shop: buys; with",
            "Web (new) shop calls api: gRPC",
            "admin calls api: gRPC",
            "api uses Orders (db)",
            "api uses Mail: sends --> mail",
            "Mail uses Customer",
            "api uses Inner #1 both ways",
            "x related-to y",
            "x uses y both ways",
            "api publishes Events, all",
        ]
    );
    assert_eq!(diagnostics(&reading), ["25: `\"broken` was not read; a node is expected",]);
    let ignored: Vec<(&str, usize)> = reading.ignored.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    assert!(ignored.is_empty());
}

fn flowchart(text: &str) -> Reading {
    read_files(Format::MermaidFlowchart, &[("a.mmd", text)], &Options::default()).unwrap()
}

#[test]
fn a_flowchart_can_be_on_one_line() {
    let reading = flowchart("graph TD;A[One]-->B;B-->C & D;");
    assert_eq!(components(&reading), ["service One", "service B", "service C", "service D"]);
    assert_eq!(relationships(&reading), ["One uses B", "B uses C", "B uses D"]);
}

#[test]
fn an_arrow_can_lead_to_a_subgraph_that_is_declared_later() {
    let reading = flowchart("flowchart LR\n a --> s\n subgraph s [The group]\n b\n end\n s <--- c\n");
    assert_eq!(components(&reading), ["service a", "group The group", "service b in The group", "service c"]);
    assert_eq!(relationships(&reading), ["a uses The group", "c uses The group"]);
    assert!(reading.components[1].is_box);
}

#[test]
fn a_node_is_in_the_innermost_subgraph_that_mentions_it() {
    let reading = flowchart(
        "graph TD\nsubgraph outer\n x\n subgraph inner\n x\n end\nend\nsubgraph other\n x\nend\nsubgraph open\n y",
    );
    let expected =
        ["group outer", "service x in inner", "group inner in outer", "group other", "group open", "service y in open"];
    assert_eq!(components(&reading), expected);
    assert_eq!(diagnostics(&reading), ["12: 1 subgraphs have no `end`"]);
}

#[test]
fn only_the_code_block_of_a_markdown_file_is_read() {
    let text = "# graph of things\n\n```mermaid\nflowchart LR\n  A --> B\n```\n\nMore --> text\n";
    let reading = read_files(Format::MermaidFlowchart, &[("README.md", text)], &Options::default()).unwrap();
    assert_eq!(relationships(&reading), ["A uses B"]);
    assert_eq!(reading.components[0].origin.line, 5);
}

#[test]
fn c4_boundaries_end_with_braces_or_macros() {
    let text = "C4Context\nBoundary(a, \"A\") {\nSystem(x, \"X\")\n}\nBoundary(b, \"B\")\nSystem(y, \"Y\")\nBoundary_End()\nSystem(z, \"Z\")\n\
                Boundary(c, \"C\"){\n";
    let reading = read_files(Format::MermaidC4, &[("a.mmd", text)], &Options::default()).unwrap();
    assert_eq!(components(&reading), ["group A", "system X in A", "group B", "system Y in B", "system Z", "group C"]);
    assert_eq!(diagnostics(&reading), ["1: 1 boundaries are not closed at the end of the diagram"]);
}

#[test]
fn c4_relationships_of_any_direction_are_read() {
    let text = "C4Context\nSystem(a, \"A\")\nSystem(b, \"B\")\nRel_U(a, b, \"1\")\nRel_Back(a, b, \"2\")\nRel_Neighbor(a, b, \"3\")\nBiRel_R(a, b, \"4\")\n\
                RelIndex(1, a, b, \"5\")\nRelated(a, b, \"6\")\nRel(a)\n";
    let reading = read_files(Format::MermaidC4, &[("a.mmd", text)], &Options::default()).unwrap();
    let expected = ["A uses B: 1", "B uses A: 2", "A uses B: 3", "A uses B both ways: 4", "A uses B: 5"];
    assert_eq!(relationships(&reading), expected);
    assert_eq!(diagnostics(&reading), ["10: a relationship needs two ends"]);
}

#[test]
fn the_code_of_plantuml_procedures_is_not_read() {
    let text = "@startuml\n!include <C4/C4_Context>\n!procedure $app($a)\nSystem($a, \"Bogus\")\n!endprocedure\n\
                !function $one() !return 1\n!unquoted function $two()\nSystem(f, \"F\")\n!endfunction\n\
                !foreach $x in $list\nSystem(g, \"G\")\n!endfor\nSystem(a, \"A\")\n@enduml\n";
    let reading = read_files(Format::PlantUmlC4, &[("a.puml", text)], &Options::default()).unwrap();
    assert_eq!(components(&reading), ["system A"]);
    assert_eq!(reading.diagnostic_count, 4);
}

#[test]
fn a_boundary_and_the_element_in_it_that_stands_for_it_are_one_component() {
    let text = "C4Context\nSystem_Boundary(shop_boundary, \"Shop\") {\nSystem(shop, \"Shop\", \"Sells\")\nSystem(api, \"API\")\n}\n\
                System_Boundary(x_boundary, \"X\") {\nSystem(x, \"Y\")\n}\nRel(api, shop, \"uses\")\n";
    let reading = read_files(Format::MermaidC4, &[("a.mmd", text)], &Options::default()).unwrap();
    assert_eq!(components(&reading), ["system Shop", "system API in Shop", "group X", "system Y in X"]);
    assert_eq!(
        (reading.components[0].origin.key.as_str(), reading.components[0].description.as_deref()),
        ("shop", Some("Sells"))
    );
    assert_eq!(relationships(&reading), ["API uses Shop: uses"]);
}

/// A Markdown file with two flowcharts under one heading, a C4 diagram and code of another language.
const README: &str = "# Shop

```mermaid
flowchart LR
  A[Checkout] --> B[(Orders)]
```

Then:

~~~mermaid
flowchart LR
  A[Robot] --> B[Arm]
~~~

## C4 #

```mermaid
C4Context
  Person(A, \"Customer\")
  System(B, \"Shop\")
  Rel(A, B, \"Buys\")
```

```sh
# not a heading
graph TD
```

```mermaid
sequenceDiagram
  A->>B: x
```

1. In a list:

   ```mermaid
   graph TD
     A[Lorry] --> C[Depot]
   ```
";

fn keys(reading: &Reading) -> Vec<(&str, &str)> {
    reading.components.iter().map(|one| (one.origin.key.as_str(), one.name.as_str())).collect()
}

#[test]
fn all_flowcharts_of_a_markdown_file_are_read() {
    let set = Files::of("README.md", README).unwrap();
    let reading = read(Format::MermaidFlowchart, &set, &Options::default()).unwrap();
    assert_eq!(
        keys(&reading),
        [
            ("Shop/A", "Checkout"),
            ("Shop/B", "Orders"),
            ("Shop#2/A", "Robot"),
            ("Shop#2/B", "Arm"),
            ("C4/A", "Lorry"),
            ("C4/C", "Depot"),
        ]
    );
    let lines: Vec<u32> = reading.components.iter().map(|one| one.origin.line).collect();
    assert_eq!(lines, [5, 5, 12, 12, 38, 38]);
    let other = "the diagram was not read, because it has another type than those that were read; import the file once more as a source of its own with the format";
    assert_eq!(
        diagnostics(&reading),
        [
            format!("18: {other} `mermaid-c4`"),
            "30: the sequence diagram was not read; create a process and paste the text".to_owned(),
        ]
    );
}

#[test]
fn all_c4_diagrams_of_a_markdown_file_are_read_and_more_change_no_keys() {
    let dynamic = "C4Dynamic\n  Container(A, \"Web\")\n  Container(B, \"API\")\n  Rel(A, B, \"Asks\")\n";
    let more = format!("## Login\n```mermaid\n{dynamic}```\n{README}");
    let set = |text: &str| Files::of("README.md", text).unwrap();
    let before = set(README);
    let before = read(Format::MermaidC4, &before, &Options::default()).unwrap();
    assert_eq!(keys(&before), [("C4/A", "Customer"), ("C4/B", "Shop")]);
    assert_eq!(before.diagnostics.len(), 4);
    let after = set(&more);
    let after = read(Format::MermaidC4, &after, &Options::default()).unwrap();
    assert_eq!(keys(&after), [("Login/A", "Web"), ("Login/B", "API"), ("C4/A", "Customer"), ("C4/B", "Shop")]);
    assert_eq!((after.processes[0].origin.key.as_str(), steps(&after)), ("Login", vec!["Web->>API: Asks"]));
}

#[test]
fn long_headings_are_cut_in_keys() {
    let diagram = "```mermaid\ngraph TD\nA[Web]\n```\n".repeat(1_000);
    let text = format!("# {}\n{diagram}", "x".repeat(1 << 20));
    let set = Files::of("a.md", text).unwrap();
    let reading = read(Format::MermaidFlowchart, &set, &Options::default()).unwrap();
    assert_eq!(reading.components[0].origin.key, format!("{}/A", "x".repeat(120)));
    assert_eq!(reading.components[999].origin.key, format!("{}#1000/A", "x".repeat(120)));
}
