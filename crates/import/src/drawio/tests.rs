//! Tests of draw.io files.

use std::io::Write;

use base64::Engine;
use flate2::{Compression, write::DeflateEncoder};
use proptest::{prelude::*, sample::Index};

use crate::{Files, Format, Options, read, sets};

const SHOP: &str = include_str!("../../../../tests/imports/drawio/shop.drawio");

/// A file with a compressed page.
fn compressed(model: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(model).unwrap();
    let text = base64::engine::general_purpose::STANDARD.encode(encoder.finish().unwrap());
    format!("<mxfile>\n<diagram id=\"p\" name=\"Page\">{text}</diagram></mxfile>")
}

#[test]
fn shapes_with_a_text_are_components() {
    let reading = sets::reading(Format::DrawIo, &[("shop.drawio", SHOP)]);
    assert_eq!(
        sets::components(&reading),
        [
            "Shop / Web: web-app",
            "Shop / Orders database: database",
            "Shop: group",
            "Mailer: function",
            "Pay & go: service",
            "Order: group",
            "Line: group",
        ]
    );
    let web = &reading.components[0];
    assert_eq!((web.x, web.y, web.origin.key.as_str(), web.origin.line), (Some(110.0), Some(220.5), "p1/web", 9));
    assert_eq!((web.technology.join("+"), web.properties["owner"].as_str()), ("TypeScript+React".into(), Some("Shop")));
    assert_eq!((web.description.as_deref(), &web.tags[..]), (Some("The storefront."), &["Context".to_owned()][..]));
    let db = &reading.components[1];
    assert_eq!((db.id.as_str(), db.x, db.tags.join(" ")), ("orders-db", Some(131.0), "core store Context".into()));
    assert_eq!(reading.components[4].tags, ["Context", "Payments layer"]);
    assert_eq!(reading.links[0].url, "https://example.org/web");
    assert!(!serde_json::to_string(&reading).unwrap().contains("s3cret"));
}

#[test]
fn what_was_edited_in_an_export_is_read() {
    let read = |shape: &str, edge: &str| {
        let text = format!(
            "<mxfile><diagram id=\"map\"><mxGraphModel><root><mxCell id=\"0\"/><mxCell id=\"1\" parent=\"0\"/>\
             <object id=\"c-a\" {shape} planroomId=\"a\" planroomType=\"service\" c4Type=\"Container\"><mxCell vertex=\"1\" parent=\"1\"/></object>\
             <object id=\"c-b\" label=\"B\" planroomId=\"b\" planroomType=\"group\" c4Type=\"SystemScopeBoundary\"><mxCell vertex=\"1\" parent=\"1\"/></object>\
             <object id=\"r\" {edge} planroomId=\"r\" planroomType=\"uses\"><mxCell edge=\"1\" source=\"c-a\" target=\"c-b\" parent=\"1\"/></object>\
             </root></mxGraphModel></diagram></mxfile>"
        );
        let reading = sets::reading(Format::DrawIo, &[("a.drawio", &text)]);
        let label = reading.relationships[0].label.clone().unwrap_or_default();
        (reading.components[0].name.clone(), label)
    };
    for (shape, name) in [
        ("label=\"&lt;b&gt;Web  [x]&lt;/b&gt;&lt;div&gt;[Service: Go]&lt;/div&gt;\" c4Name=\"Web [x]\"", "Web [x]"),
        ("label=\"&lt;b&gt;Web shop&lt;/b&gt;&lt;div&gt;[Service: Go]&lt;/div&gt;\" c4Name=\"Web\"", "Web shop"),
        ("label=\"Web shop\" c4Name=\"Web\"", "Web shop"),
        ("label=\"Web shop\" placeholders=\"1\" c4Name=\"Web\"", "Web shop"),
        (
            "label=\"&lt;b&gt;%c4Name%&lt;/b&gt;&lt;div&gt;[Service]&lt;/div&gt;\" placeholders=\"1\" c4Name=\"Shop\"",
            "Shop",
        ),
        ("label=\"\" c4Name=\"Web\"", "Web"),
    ] {
        assert_eq!(read(shape, "label=\"\"").0, name, "{shape}");
    }
    for (edge, label) in [
        ("label=\"reads\" c4Description=\"reads\"", "reads"),
        ("label=\"writes\" c4Description=\"reads\"", "writes"),
        ("label=\"\" c4Description=\"reads\"", ""),
        ("label=\"writes [SQL]\"", "writes [SQL]"),
    ] {
        assert_eq!(read("label=\"A\"", edge).1, label, "{edge}");
    }
}

#[test]
fn connectors_are_relationships() {
    let reading = sets::reading(Format::DrawIo, &[("shop.drawio", SHOP)]);
    assert_eq!(
        sets::relationships(&reading),
        [
            "Web reads Orders database: reads orders",
            "Web calls Pay & go: Pays with",
            "Pay & go uses Mailer: sends",
            "Mailer uses Web",
            "Order uses Line",
            "Order uses Orders database",
        ]
    );
    let two_way: Vec<bool> =
        reading.relationships.iter().map(|one| one.properties.contains_key("bidirectional")).collect();
    assert_eq!(two_way.iter().filter(|both| **both).count(), 1);
    assert_eq!(reading.relationships.iter().find(|one| one.label.is_some()).unwrap().origin.key, "p1/e1");
    assert_eq!(
        sets::ignored(&reading),
        [
            "connectors between shapes without text: 1",
            "connectors without both ends: 1",
            "numbers: 1",
            "rows of tables and classes: 1",
            "shapes of legends: 1",
            "texts: 2",
        ]
    );
}

#[test]
fn compressed_pages_are_the_same_and_bounded() {
    let model = "<mxGraphModel><root><mxCell id=\"0\"/><mxCell id=\"1\" parent=\"0\"/>\
                 <mxCell id=\"a\" value=\"A%20B\" vertex=\"1\" parent=\"1\"/></root></mxGraphModel>";
    let encoded = model.replace('%', "%25").replace('<', "%3C");
    let reading = sets::reading(Format::DrawIo, &[("a.drawio", &compressed(encoded.as_bytes()))]);
    assert_eq!(sets::components(&reading), ["A%20B: service"]);
    assert_eq!(reading.components[0].origin.line, 2);
    let plain = sets::reading(Format::DrawIo, &[("a.xml", model)]);
    assert_eq!((sets::components(&plain).len(), plain.components[0].origin.key.as_str()), (1, "a"));
    for (text, error) in [
        (compressed(&vec![b' '; 9 << 20]), "it is larger than 8 MiB"),
        ("<mxfile><diagram>!!!</diagram></mxfile>".into(), "is not base64"),
        ("<mxfile><diagram>AAAA</diagram></mxfile>".into(), "cannot be decompressed"),
        (compressed(b"<!DOCTYPE x [<!ENTITY a \"b\">]><x/>"), "is malformed"),
    ] {
        let files = Files::of("a.drawio", text).unwrap();
        let refusal = read(Format::DrawIo, &files, &Options::default()).unwrap_err().to_string();
        assert!(refusal.contains(error), "{refusal}");
    }
    // Many small pages that are large together.
    let page = compressed(&vec![b' '; 7 << 20]);
    let page = page.strip_prefix("<mxfile>").unwrap().strip_suffix("</mxfile>").unwrap();
    let files = Files::of("a.drawio", format!("<mxfile>{}</mxfile>", page.repeat(6))).unwrap();
    assert!(read(Format::DrawIo, &files, &Options::default()).is_err());
}

#[test]
fn circles_of_parents_end() {
    let text = "<mxGraphModel><root><mxCell id=\"a\" value=\"A\" vertex=\"1\" parent=\"b\"/>\
                <mxCell id=\"b\" value=\"B\" vertex=\"1\" parent=\"a\"/><mxCell id=\"c\" vertex=\"1\" parent=\"c\"/>\
                <mxCell id=\"e\" edge=\"1\" source=\"c\" target=\"a\"/></root></mxGraphModel>";
    let reading = sets::reading(Format::DrawIo, &[("a.xml", text)]);
    assert_eq!(sets::components(&reading).len(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(files) = Files::of("a.drawio", bytes.clone()) {
            sets::consistent(Format::DrawIo, &files);
        }
        sets::consistent(Format::DrawIo, &Files::of("a.drawio", compressed(&bytes)).unwrap());
    }

    #[test]
    fn changed_samples_are_read_or_refused(which in any::<Index>(), changes in sets::changes()) {
        sets::read_changed(Format::DrawIo, &[("shop.drawio", SHOP)], which, &changes);
    }
}
