//! Tests of Excalidraw files.

use proptest::{prelude::*, sample::Index};

use crate::{Files, Format, sets};

const SHOP: [(&str, &str); 1] =
    [("shop.excalidraw", include_str!("../../../../tests/imports/excalidraw/shop.excalidraw"))];

#[test]
fn shapes_get_their_name_from_the_text_in_or_beside_them() {
    let reading = sets::reading(Format::Excalidraw, &SHOP);
    assert_eq!(
        sets::components(&reading),
        [
            "Shop: group",
            "Shop / Web shop: service",
            "Shop / Postgres: database",
            "Partners: group",
            "Partners / Bank: service"
        ]
    );
    let web = &reading.components[1];
    assert_eq!(
        (web.x, web.y, web.origin.key.as_str(), web.origin.line),
        (Some(12.0), Some(23.0), "web", 6),
        "spread a little"
    );
    assert_eq!(reading.links[0].url, "https://example.org/web");
    assert_eq!(
        sets::ignored(&reading),
        ["arrows without both ends: 1", "lines: 1", "shapes without text: 1", "texts: 1"]
    );
}

#[test]
fn arrows_between_shapes_are_relationships() {
    let reading = sets::reading(Format::Excalidraw, &SHOP);
    assert_eq!(
        sets::relationships(&reading),
        ["Web shop reads Postgres: reads orders", "Bank uses Web shop", "Bank uses Postgres"]
    );
    let both: Vec<&str> = reading
        .relationships
        .iter()
        .filter(|one| one.properties.contains_key("bidirectional"))
        .map(|one| one.origin.key.as_str())
        .collect();
    assert_eq!(both, ["a3"]);
}

#[test]
fn large_boards_are_not_compared_forever() {
    let shape =
        |n: usize| format!("{{\"id\":\"{n}\",\"type\":\"rectangle\",\"x\":0,\"y\":0,\"width\":{n},\"height\":9}}");
    let shapes: Vec<String> = (0..3_000).map(shape).collect();
    let text = format!("{{\"type\":\"excalidraw\",\"elements\":[{}]}}", shapes.join(","));
    let reading = sets::reading(Format::Excalidraw, &[("a.excalidraw", &text)]);
    assert!(sets::diagnostics(&reading)[0].contains("too many shapes"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(files) = Files::of("a.excalidraw", bytes) {
            sets::consistent(Format::Excalidraw, &files);
        }
    }

    #[test]
    fn changed_samples_are_read_or_refused(which in any::<Index>(), changes in sets::changes()) {
        sets::read_changed(Format::Excalidraw, &SHOP, which, &changes);
    }
}
