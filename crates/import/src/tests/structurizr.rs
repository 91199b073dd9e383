//! What the readers make of samples: Structurizr workspaces.

use crate::{
    Deployment, Format, Options, Reading,
    testing::{SAMPLES, components, diagnostics, everything, read_files, relationships, sample, steps},
};

#[test]
fn the_structurizr_dsl_sample() {
    let reading = sample("shop.dsl");
    assert_eq!(
        components(&reading),
        [
            "person Customer #Buyer",
            "system Shop # { in Online",
            "group Acme",
            "group Online in Acme",
            "web-app Web in Shop # { (TypeScript) #Web Browser tier=1",
            "service API in Shop # { (Java 21) #Application perspective.Security=Behind a proxy tier=1",
            "component Orders in Core",
            "group Core in API",
            "database Database in Shop # { (PostgreSQL 15) #Critical tier=1",
            "queue Events in Shop # { (Apache Kafka) tier=1",
            "external-system Database in Acme #External",
            "external-system Mail #External",
            "cluster Cloud in Live (AWS) deployment=node",
            "group Live",
            "host Host in Cloud (Linux) deployment=node instances=2",
            "host Standby in Cloud deployment=node",
            "gateway Load balancer in Cloud (nginx) deployment=infrastructure",
        ]
    );
    assert_eq!(crate::sets::owners(&reading), ["API: team-shop"]);
    assert_eq!(
        relationships(&reading),
        [
            "API deployed-on Host",
            "Web deployed-on Host",
            "API deployed-on Standby",
            "API uses Web: Delivers pages to",
            "Web calls API: Calls (HTTPS)",
            "Customer uses Web: Buys with",
            "API uses Database: Reads from and writes to (JDBC)",
            "Orders publishes Events: Publishes to",
            "API uses Mail: Sends mail with (SMTP)",
            "Load balancer uses Host: Forwards to",
            "Host uses Standby: Replicates to",
        ]
    );
    assert_eq!(
        steps(&reading),
        [
            "Customer->>Web: Chooses",
            "Web->>API: Calls",
            "par",
            "API->>Database: Stores",
            "Database-->>API: Stored",
            "and",
            "API->>Mail: Sends mail with",
            "end",
        ]
    );
    assert_eq!(
        diagnostics(&reading),
        [
            "33: the property `api.token` was not imported, because it may be a secret",
            "66: there is no element `nowhere` above this line",
        ]
    );
    let ignored: Vec<(&str, usize)> = reading.ignored.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    assert_eq!(ignored, [("documentation", 1), ("image views", 1), ("removed relationships", 1)]);
}

#[test]
fn the_structurizr_json_sample() {
    let reading = sample("shop.structurizr.json");
    assert_eq!(
        components(&reading),
        [
            "person Shop",
            "system Shop in Online",
            "group Acme",
            "group Online in Acme",
            "web-app Web storefront in Shop (TypeScript, React) #Web",
            "database Database in Shop (PostgreSQL)",
            "component Tables in Core",
            "group Core in Database",
            "external-system Mail",
            "system Scanner #Hardware",
            "cluster Cloud in Live deployment=node instances=2",
            "group Live",
            "gateway Balancer in Cloud (nginx) deployment=infrastructure",
            "host Host in Cloud deployment=node",
        ]
    );
    assert_eq!(
        relationships(&reading),
        [
            "Web storefront deployed-on Host",
            "Database deployed-on Host",
            "Shop uses Web storefront: Buys with",
            "Web storefront reads Database: Reads from (SQL)",
            "Balancer uses Web storefront: Forwards to",
        ]
    );
    assert_eq!(
        steps(&reading),
        [
            "Shop->>Shop2: asks",
            "par",
            "WebStorefront->>Database: reads",
            "and",
            "WebStorefront->>Database: reads again",
            "end",
            "Database-->>WebStorefront: returns rows",
        ]
    );
    assert_eq!(
        diagnostics(&reading),
        [
            "25: the property `DB_PASSWORD` was not imported, because it may be a secret",
            "30: a relationship was not imported, because one of its ends is missing",
            "74: a step was not imported, because its relationship is missing",
        ]
    );
    let ignored: Vec<(&str, usize)> = reading.ignored.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    assert_eq!(ignored, [("documentation sections", 1), ("imageViews", 1), ("implied relationships", 1)]);
}
/// Reads DSL files, the first of which is the workspace.
fn dsl(files: &[(&str, &str)]) -> Reading {
    read_files(Format::StructurizrDsl, files, &Options::default()).unwrap()
}

fn keys(reading: &Reading) -> Vec<&str> {
    reading.components.iter().map(|one| one.origin.key.as_str()).collect()
}

#[test]
fn structurizr_keys_do_not_depend_on_the_numbers_of_an_export() {
    let (_, text) = SAMPLES.into_iter().find(|(name, _)| *name == "shop.structurizr.json").unwrap();
    // Another export: every id gets another number, and an element without an identifier another UUID.
    let mut other = text.replace("25239481-454a", "99999999-454a");
    for id in (1..=99).rev() {
        other = other.replace(&format!("d\": \"{id}\""), &format!("d\": \"{}\"", id + 1_000));
    }
    assert_ne!(other, text);
    let read = |text: &str| read_files(Format::StructurizrJson, &[("a.json", text)], &everything()).unwrap();
    let (first, second) = (read(text), read(&other));
    assert_eq!(keys(&first), keys(&second));
    let rows = |reading: &Reading| reading.relationships.iter().map(|one| one.origin.key.clone()).collect::<Vec<_>>();
    assert_eq!(rows(&first), rows(&second));
}

#[test]
fn structurizr_environments_are_read_if_there_is_one_or_if_they_are_named() {
    let two = "workspace {\nmodel {\na = softwareSystem \"A\"\ndeploymentEnvironment \"Live\" {\ndeploymentNode \"X\" {\n\
               softwareSystemInstance a\n}\n}\ndeploymentEnvironment \"Test\" {\ndeploymentNode \"Y\" {\n}\n}\n}\n}";
    let one = two.replace("\"Test\"", "\"Live\"");
    let names = |text: &str, deployment: Deployment| {
        let options = Options { deployment, ..Options::default() };
        let reading = read_files(Format::StructurizrDsl, &[("a.dsl", text)], &options).unwrap();
        let names: Vec<String> = reading.components.iter().map(|one| one.name.clone()).collect();
        (names.join(" "), diagnostics(&reading))
    };
    assert_eq!(names(&one, Deployment::Single).0, "A X Live Y");
    assert_eq!(names(two, Deployment::Single).0, "A");
    assert_eq!(names(&one, Deployment::None).0, "A");
    assert_eq!(names(two, Deployment::Environment("Live".into())).0, "A X Live");
    assert_eq!(names(two, Deployment::All).0, "A X Live Y Test");
    let (found, why) = names(two, Deployment::Environment("Prod".into()));
    assert_eq!(
        (found.as_str(), why),
        ("A", vec!["1: there is no deployment environment `Prod`; there are: Live, Test".into()])
    );
}

#[test]
fn structurizr_files_are_included_inside_the_set() {
    let reading = dsl(&[
        (
            "docs/workspace.dsl",
            "workspace extends base.dsl {\nmodel {\n!include parts\n!include https://example.org/a.dsl\n!include gone.dsl\n\
                                A -> b \"uses\"\n}\n}",
        ),
        ("docs/base.dsl", "workspace \"Base\" {\nmodel {\na = softwareSystem \"A\"\n!include ../docs/base.dsl\n}\n}"),
        ("docs/parts/b.dsl", "b = softwareSystem \"B\"\n"),
        ("docs/parts/c.dsl", "c = softwareSystem \"C\"\nc -> b"),
    ]);
    assert_eq!(reading.workspace.name, "Base");
    assert_eq!(components(&reading), ["system A", "system B", "system C"]);
    assert_eq!(relationships(&reading), ["C uses B", "A uses B: uses"]);
    assert_eq!((&*reading.components[1].origin.file, reading.components[1].origin.line), ("docs/parts/b.dsl", 1));
    assert_eq!(
        diagnostics(&reading),
        [
            "4: `https://example.org/a.dsl` was not included: files are not downloaded; run Structurizr's `export -format json` and import its result",
            "5: `gone.dsl` was not included: add the file to the import",
            "4: `../docs/base.dsl` was not included: it includes itself",
        ]
    );
}

#[test]
fn structurizr_statements_that_are_not_known_do_not_end_the_reading() {
    let reading = dsl(&[(
        "a.dsl",
        "WORKSPACE {\nMODEL {\nA = PERSON \"A\"\n!script groovy {\nx {\n}\n}\n!plugin com.example.Plugin\nteleport a {\nb = softwareSystem \"No\"\n}\n\
         b = softwareSystem \"B\" {\n!components {\nx\n}\nnewField 1\n}\na -> B \"\" \"\" \"Async\"\n}\nviews {\nnewView {\ninclude *\n}\n}\n}\n}",
    )]);
    assert_eq!(components(&reading), ["person A", "system B"]);
    assert_eq!(relationships(&reading), ["A uses B"]);
    let lines: Vec<u32> = reading.diagnostics.iter().map(|one| one.line).collect();
    assert_eq!(lines, [4, 8, 9, 13, 16, 26], "{:?}", reading.diagnostics);
    assert!(reading.diagnostics[0].text.ends_with("run Structurizr's `export -format json` and import its result"));
    let open = dsl(&[("a.dsl", "workspace {\nmodel {\na = person \"A\" {")]);
    assert_eq!(
        (components(&open), diagnostics(&open)),
        (vec!["person A".into()], vec!["3: 3 blocks are not closed at the end of the file".into()])
    );
}

#[test]
fn structurizr_groups_are_nested_with_a_separator_only() {
    let json = |separator: &str| {
        let text = format!(
            "{{\"model\": {{\"properties\": {{{separator}}}, \"softwareSystems\": [{{\"id\": \"1\", \"name\": \"A\", \"group\": \"X/Y\"}}]}}}}"
        );
        components(&read_files(Format::StructurizrJson, &[("a.json", &text)], &Options::default()).unwrap())
    };
    assert_eq!(json(""), ["system A in X/Y", "group X/Y"]);
    assert_eq!(json("\"structurizr.groupSeparator\": \"/\""), ["system A in Y", "group X", "group Y in X"]);
}

#[test]
fn structurizr_identifiers_are_found_in_the_elements_around() {
    let reading = dsl(&[(
        "a.dsl",
        "workspace {\n!identifiers hierarchical\nmodel {\na = softwareSystem \"A\" {\nweb = container \"Web\"\napi = container \"API\" {\n\
         web -> this\nthis -> a.web\n}\n}\nweb -> a\n}\n}",
    )]);
    assert_eq!(relationships(&reading), ["Web uses API", "API uses Web"]);
    assert_eq!(diagnostics(&reading), ["11: there is no element `web` above this line"]);
    assert_eq!(keys(&reading), ["a", "a.web", "a.api"]);
}

#[test]
fn structurizr_views_show_what_their_expressions_include() {
    let reading = dsl(&[(
        "a.dsl",
        "workspace {\nmodel {\nu = person \"U\"\ns = softwareSystem \"S\" {\nweb = container \"Web\"\napi = container \"API\" {\n\
         x = component \"X\"\ny = component \"Y\"\n}\ndb = container \"DB\"\n}\nt = softwareSystem \"T\"\nother = softwareSystem \"Other\"\n\
         u -> web\nweb -> x\nx -> db\napi -> t\n}\nviews {\nsystemLandscape {\ninclude *\nexclude other\n}\n\
         systemContext s \"Context\" \"About S\" {\ninclude *\nautoLayout\n}\ncontainer s \"Containers\" {\ninclude *\ntitle \"Parts\"\n}\n\
         component api \"Components\" {\ninclude *\n}\nsystemContext s \"Some\" {\ninclude u t element.tag!=X\n}\n\
         systemContext gone \"Error\" {\ninclude *\n}\nsystemContext s \"Nothing\" {\n}\n}\n}",
    )]);
    let views: Vec<(&str, String)> = reading
        .views
        .iter()
        .map(|one| {
            let mut ids = one.definition.include[0].ids.clone();
            ids.sort();
            (one.name.as_str(), ids.join(" "))
        })
        .collect();
    assert_eq!(
        views,
        [
            ("systemLandscape-001", "s t u".into()),
            ("Context", "s t u".into()),
            ("Parts", "api db s t u web".into()),
            ("Components", "api db web x y".into()),
            ("Some", "s t u".into()),
        ]
    );
    assert_eq!(reading.views[1].description.as_deref(), Some("About S"));
    assert_eq!(
        diagnostics(&reading),
        [
            "36: the expression `element.tag!=X` is not supported; run Structurizr's `export -format json` and import its result",
            "38: there is no element `gone` above this line",
            "41: the view `Nothing` was not imported, because it shows no component of the map",
        ]
    );
}

#[test]
fn braces_in_the_middle_of_a_line_are_an_error() {
    let text = "workspace {\nmodel { a = person \"A\" }\nb = person \"{\"\n}\n";
    let reading = read_files(Format::StructurizrDsl, &[("a.dsl", text)], &Options::default()).unwrap();
    assert!(diagnostics(&reading)[0].starts_with("2: the line was not read correctly"), "{:?}", diagnostics(&reading));
    assert_eq!(diagnostics(&reading).iter().filter(|text| text.contains("correctly")).count(), 1);
}

#[test]
fn structurizr_expressions_select_relationships_and_neighbors() {
    let text = "workspace {\nmodel {\nu = person \"U\"\ns = softwareSystem \"S\" {\nweb = container \"Web\" {\ntag \"Front\"\n}\n\
                api = container \"API\"\ndb = container \"DB\" {\ntag \"Store\"\n}\n}\nu -> web \"opens\"\nweb -> api \"calls\"\n\
                api -> db \"reads\"\n!relationships \"*->*\" {\ntag \"all\"\nproperties {\nx y\n}\n}\n\
                !relationships \"web->*\" {\nproperties {\nfrom web\n}\n}\n}\n\
                views {\ncontainer s near {\ninclude ->api->\n}\ncontainer s before {\ninclude ->web\n}\n\
                container s tagged {\ninclude element.tag==Store\n}\nsystemLandscape land {\ninclude ->web->\n}\n}\n}\n";
    let reading = read_files(Format::StructurizrDsl, &[("a.dsl", text)], &Options::default()).unwrap();
    assert_eq!(diagnostics(&reading), [""; 0]);
    let with = |name: &str| reading.relationships.iter().filter(|one| one.properties.contains_key(name)).count();
    assert_eq!((with("x"), with("from")), (3, 1));
    let shown: Vec<String> = reading.views.iter().map(|view| view.definition.include[0].ids.join(" ")).collect();
    assert_eq!(shown, ["web api db s", "u web s", "db s", "u"]);
}
