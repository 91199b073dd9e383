//! Tests of whole images.

use image::RgbImage;
use proptest::prelude::*;

use super::{
    Detail, Fonts, Options, Refused, Theme,
    map::{Component, Map, Note, NoteKind, Relationship},
    png, svg,
};

fn component(key: &str, name: &str, x: f64, y: f64) -> Component {
    Component {
        key: key.to_owned(),
        name: name.to_owned(),
        type_id: "service".to_owned(),
        type_name: "Service".to_owned(),
        color: "#3B82F6".to_owned(),
        icon: "server".to_owned(),
        x,
        y,
        ..Component::default()
    }
}

fn relationship(from: &str, to: &str, label: &str) -> Relationship {
    Relationship {
        key: format!("{from}-{to}-{label}"),
        from: from.to_owned(),
        to: to.to_owned(),
        type_name: "calls".to_owned(),
        color: "#2563EB".to_owned(),
        directed: true,
        label: label.to_owned(),
        ..Relationship::default()
    }
}

fn shop() -> Map {
    let mut database = component("db", "Orders", 400.0, 100.0);
    (database.type_id, database.type_name) = ("database".to_owned(), "Database".to_owned());
    (database.technology, database.lifecycle) = (vec!["PostgreSQL 17.2".to_owned()], Some("deprecated".to_owned()));
    let mut web = component("web", "Web & <API>", 0.0, 100.0);
    web.parent = Some("shop".to_owned());
    web.description = "Shows the shop to customers and takes their orders.\n\nMore.".to_owned();
    Map {
        title: "Shop".to_owned(),
        components: vec![component("shop", "Shop", 0.0, 0.0), web, database],
        relationships: vec![
            relationship("web", "db", "reads"),
            relationship("db", "web", ""),
            Relationship { directed: false, ..relationship("db", "db", "cleans up") },
        ],
        notes: vec![Note {
            kind: NoteKind::Note,
            text: "# Plan\n\nUse **one** database.\n\n- first\n- <script>alert(1)</script>".to_owned(),
            color: "#f2c230".to_owned(),
            x: 0.0,
            y: 300.0,
            width: 200.0,
            height: 140.0,
            behind: false,
        }],
        ..Map::default()
    }
}

#[test]
fn a_map_with_everything_is_drawn_like_this() {
    let options = Options {
        ids: true,
        legend: true,
        title: true,
        date: Some("2026-11-24".to_owned()),
        theme: Theme::Dark,
        ..Options::default()
    };
    insta::assert_snapshot!(svg(&shop(), &options).unwrap().replace("><", ">\n<"));
    insta::assert_snapshot!(svg(&Map::default(), &Options::default()).unwrap().replace("><", ">\n<"));
}

#[test]
fn ids_are_on_cards_groups_and_lines_only_if_requested() {
    let with = svg(&shop(), &Options { ids: true, ..Options::default() }).unwrap();
    for attributes in
        [r#"data-id="web""#, r#"data-id="shop""#, r#"data-id="web-db-reads" data-from="web" data-to="db""#]
    {
        assert!(with.contains(attributes), "{attributes}");
    }
    assert!(!svg(&shop(), &Options::default()).unwrap().contains("data-"));
}

#[test]
fn what_is_not_highlighted_is_faint() {
    let map = Map { highlighted: ["web".to_owned()].into(), ..shop() };
    let svg = svg(&map, &Options { ids: true, ..Options::default() }).unwrap();
    assert!(svg.contains(r#"data-id="db" class="o""#));
    assert!(!svg.contains(r#"data-id="web" class="o""#));
}

#[test]
fn large_maps_are_drawn_as_an_overview_and_too_large_ones_are_refused() {
    let cards = |count: u32| -> Map {
        let components =
            (0..count).map(|at| component(&format!("c{at}"), "Name", 240.0 * f64::from(at), 0.0)).collect();
        let relationships = (1..count).map(|at| relationship(&format!("c{at}"), "c0", "calls")).collect();
        Map { components, relationships, ..Map::default() }
    };
    let (small, large) = (svg(&cards(400), &Options::default()), svg(&cards(401), &Options::default()));
    assert!(small.unwrap().contains("marker-end"));
    let large = large.unwrap();
    assert!(!large.contains("marker-end") && large.contains("Name"));
    let thumbnail = Options { detail: Some(Detail::Thumbnail), ..Options::default() };
    assert!(!svg(&cards(3), &thumbnail).unwrap().contains("<text"));
    assert_eq!(svg(&cards(5_001), &Options::default()), Err(Refused::TooManyComponents(5_001)));
}

/// Pixels of a PNG of one card with this name.
fn drawn(name: &str, theme: Theme, fonts: &Fonts) -> RgbImage {
    let map = Map { components: vec![component("one", name, 0.0, 0.0)], ..Map::default() };
    let bytes = png(&map, &Options { theme, ..Options::default() }, None, fonts).unwrap();
    image::load_from_memory(&bytes).unwrap().to_rgb8()
}

fn different_pixels(one: &RgbImage, other: &RgbImage) -> usize {
    assert_eq!(one.dimensions(), other.dimensions());
    one.pixels().zip(other.pixels()).filter(|(one, other)| one != other).count()
}

#[test]
fn names_in_latin_vietnamese_cyrillic_and_greek_are_drawn_in_both_themes_without_fonts_of_the_machine() {
    let fonts = Fonts::default();
    for theme in [Theme::Light, Theme::Dark] {
        let (empty, boxes) = (drawn(" ", theme, &fonts), drawn("\u{e000}\u{e001}\u{e002}\u{e003}", theme, &fonts));
        for name in ["Shop", "Phở", "Ядро", "Ψυχή"] {
            let image = drawn(name, theme, &fonts);
            assert!(different_pixels(&image, &empty) > 100, "{name} in {theme:?}");
            assert!(different_pixels(&image, &boxes) > 100, "{name} in {theme:?}");
        }
    }
}

#[test]
fn a_png_has_the_given_width_and_at_most_the_allowed_pixels() {
    let fonts = Fonts::default();
    let size = |map: &Map, width| {
        let bytes = png(map, &Options::default(), width, &fonts).unwrap();
        let size = imagesize::blob_size(&bytes).unwrap();
        (size.width, size.height)
    };
    assert_eq!(size(&shop(), Some(600)).0, 600);
    let mut tall = shop();
    tall.components.push(component("low", "Low", 0.0, 500_000.0));
    let (width, height) = size(&tall, Some(2_400));
    assert!(width * height <= 4_000_000, "{width} × {height}");
}

#[test]
fn a_pdf_has_one_page_with_the_title() {
    let pdf = super::pdf(&shop(), &Options::default(), &Fonts::default()).unwrap();
    assert!(pdf.starts_with(b"%PDF-"));
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        Just("]]><script>alert(1)</script>".to_owned()),
        Just("\" onload=\"alert(1)".to_owned()),
        Just("--></style><svg onload=alert(1)>".to_owned()),
        Just("{{{;}}</style>".to_owned()),
        Just(String::new()),
    ]
}

prop_compose! {
    fn any_map()(
        rows in prop::collection::vec((text(), text(), text(), any::<f64>(), -1e7..1e7_f64, any::<Option<u8>>()), 0..8),
        lines in prop::collection::vec((0..9_u8, 0..9_u8, text(), text(), any::<bool>(), prop::collection::vec((any::<f64>(), any::<f64>()), 0..3)), 0..8),
        notes in prop::collection::vec((text(), text(), -1e6..1e6_f64, any::<f64>(), 0..3_u8), 0..4),
        title in text(),
    ) -> Map {
        let components = rows.into_iter().enumerate().map(|(at, (name, color, icon, x, y, parent))| Component {
            parent: parent.map(|parent| format!("c{}", parent % 8)),
            color, icon: icon.clone(), type_name: icon.clone(), description: icon.clone(), lifecycle: Some(icon.clone()),
            technology: vec![icon], width: Some(x), height: Some(y),
            ..component(&format!("c{at}"), &name, x, y)
        });
        let relationships = lines.into_iter().map(|(from, to, label, color, directed, via)| Relationship {
            color, directed, via, ..relationship(&format!("c{from}"), &format!("c{to}"), &label)
        });
        let notes = notes.into_iter().map(|(text, color, x, width, kind)| Note {
            kind: [NoteKind::Note, NoteKind::Frame, NoteKind::Image][usize::from(kind)],
            text, color, x, y: x, width, height: width, behind: kind == 1,
        });
        Map {
            title,
            components: components.collect(),
            relationships: relationships.collect(),
            notes: notes.collect(),
            ..Map::default()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_map_gives_well_formed_xml_without_active_content(map in any_map(), ids: bool) {
        let options = Options { ids, legend: true, title: true, ..Options::default() };
        let svg = svg(&map, &options).unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        for element in document.descendants().filter(roxmltree::Node::is_element) {
            let name = element.tag_name().name();
            prop_assert!(
                ["svg", "title", "style", "defs", "marker", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "text"].contains(&name),
                "{name}"
            );
            for attribute in element.attributes() {
                let (name, value) = (attribute.name(), attribute.value());
                prop_assert!(!name.starts_with("on") && !name.contains("href"), "{name}");
                let is_number = matches!(name, "x" | "y" | "width" | "height" | "viewBox" | "d" | "transform");
                prop_assert!(!is_number || !(value.contains("NaN") || value.contains("inf")), "{name}={value}");
            }
        }
    }
}
