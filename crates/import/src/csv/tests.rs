//! Tests of CSV files.

use proptest::{prelude::*, sample::Index};

use super::columns::is_field;
use crate::{Files, Format, Options, read, sets};

const COMPONENTS: (&str, &str) = ("components.csv", include_str!("../../../../tests/imports/csv/components.csv"));
const RELATIONSHIPS: (&str, &str) =
    ("relationships.csv", include_str!("../../../../tests/imports/csv/relationships.csv"));
const ARCHI: [(&str, &str); 3] = [
    ("properties.csv", include_str!("../../../../tests/imports/csv/properties.csv")),
    ("relations.csv", include_str!("../../../../tests/imports/csv/relations.csv")),
    ("elements.csv", include_str!("../../../../tests/imports/csv/elements.csv")),
];
const DRAWIO: (&str, &str) = ("drawio.csv", include_str!("../../../../tests/imports/csv/drawio.csv"));

#[test]
fn tables_of_components_and_relationships_belong_together() {
    let reading = sets::reading(Format::Csv, &[RELATIONSHIPS, COMPONENTS]);
    assert_eq!(
        sets::components(&reading),
        [
            "Web shop: system",
            "Web shop / Web: web-app",
            "Web shop / Orders database: database",
            "Web shop / Twin: service",
            "Twin: service",
            "Bank: service",
        ]
    );
    assert_eq!(
        sets::relationships(&reading),
        ["Web depends-on Orders database", "Web reads Orders database: orders", "Web calls Bank: pays with"]
    );
    assert_eq!(sets::owners(&reading), ["Web shop: shop", "Web shop: ada", "Web: shop"]);
    let (shop, web) = (&reading.components[0], &reading.components[1]);
    assert_eq!((shop.id.as_str(), shop.description.as_deref()), ("shop", Some("Sells \"things\".\nTo people.")));
    assert_eq!((&shop.properties["lifecycle"], &shop.properties["Cost center"]), (&"live".into(), &"4711".into()));
    assert_eq!((web.x, web.y, web.technology.join("+")), (Some(10.5), Some(-20.0), "TypeScript+React".into()));
    assert_eq!((&web.properties["status"], web.origin.line), (&"Running".into(), 4));
    assert_eq!(reading.links[0].url, "https://example.org/shop");
    let document = serde_json::to_string(&reading).unwrap() + &sets::diagnostics(&reading).join("\n");
    assert!(!document.contains("s3cret"), "{document}");
}

#[test]
fn what_is_missing_is_reported() {
    let reading = sets::reading(Format::Csv, &[RELATIONSHIPS, COMPONENTS]);
    let missing = |name: &str| format!("`{name}` is no row, or the name of several; use its id");
    let diagnostics = sets::diagnostics(&reading);
    assert!(diagnostics.contains(&format!("components.csv:4: {}", missing("nothing"))), "{diagnostics:?}");
    assert!(diagnostics.contains(&format!("components.csv:6: {}", missing("Twin"))), "{diagnostics:?}");
    assert_eq!(sets::ignored(&reading), ["rows without a name: 1", "rows without source or target: 1"]);
    let files = Files::of("a.csv", "a,b\n1,2\n").unwrap();
    let refusal = read(Format::Csv, &files, &Options::default()).unwrap_err();
    assert!(refusal.to_string().starts_with("a.csv:1: no column has the names"), "{refusal}");
}

#[test]
fn columns_can_be_chosen() {
    let text = "App,Sort,Chief,name\nWeb,Web app,Ada,ignored\n";
    let files = Files::of("a.csv", text).unwrap();
    let columns = [("name", "App"), ("type", "sort"), ("owner", "Chief")];
    assert!(columns.iter().all(|(field, _)| is_field(field)));
    let columns = columns.into_iter().map(|(field, heading)| (field.to_owned(), heading.to_owned())).collect();
    let reading = read(Format::Csv, &files, &Options { columns, ..Options::default() }).unwrap();
    assert_eq!(sets::components(&reading), ["Web: web-app"]);
    assert_eq!(sets::owners(&reading), ["Web: ada"]);
    assert_eq!(reading.components[0].properties["name"], "ignored");
}

#[test]
fn files_of_archi_are_one_model() {
    let reading = sets::reading(Format::Csv, &ARCHI);
    assert_eq!(reading.workspace.name, "Model");
    assert_eq!(sets::components(&reading), ["App: service", "Data: document", "App / Function: function"]);
    let relationships = sets::relationships(&reading);
    assert_eq!(relationships.len(), 2, "{relationships:?}");
    assert_eq!(relationships[1], "App uses Function: serves", "who is served depends on who serves");
    let app = &reading.components[0];
    assert_eq!((&app.properties["cost"], &app.properties["region"]), (&"5".into(), &"EU".into()));
    assert_eq!((app.tags.join(" "), app.description.as_deref()), ("Special".into(), Some("Line 1\nline 2")));
    assert_eq!(
        sets::ignored(&reading),
        [
            "Goal: 1",
            "properties of compositions: 1",
            "properties of the model: 1",
            "relationships of elements that were not imported: 1",
        ]
    );
}

#[test]
fn files_for_draw_io_are_configured_by_their_comments() {
    let reading = sets::reading(Format::Csv, &[DRAWIO]);
    assert_eq!(
        sets::components(&reading),
        ["Shop system: service", "Shop system / Web app: web-app", "Shop system / Orders: database", "Lost: service",]
    );
    assert_eq!(sets::relationships(&reading), ["Web app uses Orders: calls", "Web app uses Orders"]);
    assert_eq!(reading.components[0].properties["owner"], "Ada");
    assert_eq!(reading.links[0].url, "https://example.org");
    let diagnostics = sets::diagnostics(&reading);
    assert_eq!(diagnostics.len(), 4, "{diagnostics:?}");
    assert_eq!(
        diagnostics[0],
        "drawio.csv:8: `# connect` names the columns `missing` and `id`, which do not both exist"
    );
    assert!(diagnostics[1].starts_with("drawio.csv:9: `# connect` was not read"), "{diagnostics:?}");
    assert_eq!(diagnostics[2], "drawio.csv:13: there is no row `Unlisted`, which is connected");
    assert_eq!(diagnostics[3], "drawio.csv:15: there is no row `9`, which is a parent");
}

#[test]
fn types_have_short_names_and_a_component_is_no_part_of_itself() {
    let reading = sets::reading(Format::Csv, &[("a.csv", "name,type,partOf\nC,db,C\n")]);
    assert_eq!(sets::components(&reading), ["C: database"]);
    assert_eq!(sets::diagnostics(&reading), ["a.csv:2: `C` cannot be part of itself"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(files) = Files::of("a.csv", bytes) {
            sets::consistent(Format::Csv, &files);
        }
    }

    #[test]
    fn changed_samples_are_read_or_refused(which in any::<Index>(), changes in sets::changes()) {
        sets::read_changed(Format::Csv, &[RELATIONSHIPS, COMPONENTS], which, &changes);
        sets::read_changed(Format::Csv, &ARCHI, which, &changes);
        sets::read_changed(Format::Csv, &[DRAWIO], which, &changes);
    }
}
