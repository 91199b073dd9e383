//! Tests of whole images.

use image::RgbImage;
use proptest::prelude::*;

use super::{
    Cancellation, Detail, Fonts, Options, Refused, Theme,
    map::{Component, Map, Note, NoteKind, Relationship},
};

mod hostile;

fn svg(map: &Map, options: &Options) -> Result<String, Refused> {
    super::svg(map, options, &Cancellation::never())
}

fn png(map: &Map, options: &Options, width: Option<u32>, fonts: &Fonts) -> Result<Vec<u8>, Refused> {
    super::png(map, options, width, fonts, &Cancellation::never())
}

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

/// The points in the path of the first line.
fn first_line(svg: &str) -> Vec<(f64, f64)> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let is_line = |element: &roxmltree::Node<'_, '_>| element.has_attribute("marker-end");
    let line = document.descendants().find(is_line).unwrap();
    let numbers = line.attribute("d").unwrap().split(['M', 'L', 'Q', ' ']).filter(|part| !part.is_empty());
    let numbers: Vec<f64> = numbers.map(|part| part.parse().unwrap()).collect();
    numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect()
}

#[test]
fn lines_go_around_cards_unless_they_are_straight_and_pass_their_waypoints() {
    let mut map = Map {
        components: vec![
            component("a", "A", 0.0, 0.0),
            component("b", "B", 260.0, 0.0),
            component("c", "C", 520.0, 0.0),
        ],
        relationships: vec![relationship("a", "c", "")],
        ..Map::default()
    };
    let drawn = |map: &Map| first_line(&svg(map, &Options::default()).unwrap());
    let crosses_b = |points: &[(f64, f64)]| {
        points.windows(2).any(|pair| {
            let ((x, y), (to_x, to_y)) = (pair[0], pair[1]);
            x.min(to_x) < 440.0 && x.max(to_x) > 260.0 && y.min(to_y) < 64.0 && y.max(to_y) > 0.0
        })
    };
    assert!(!crosses_b(&drawn(&map)), "{:?}", drawn(&map));
    map.relationships[0].via = vec![(350.0, 300.0)];
    assert!(drawn(&map).iter().any(|(_, y)| (*y - 300.0).abs() < 0.1), "{:?}", drawn(&map));
    map.relationships[0].via.clear();
    map.relationships[0].straight = true;
    assert!(crosses_b(&drawn(&map)) && drawn(&map).len() == 2, "{:?}", drawn(&map));
}

#[test]
fn labels_cover_no_cards_except_for_the_highlighted_message() {
    let mut map = Map {
        components: vec![component("a", "A", 0.0, 0.0), component("b", "B", 190.0, 0.0)],
        relationships: vec![relationship("a", "b", "a label without room")],
        ..Map::default()
    };
    let has_label = |map: &Map| svg(map, &Options::default()).unwrap().contains("without");
    // Between the cards, and above and below them.
    for (x, y) in [(0.0, -74.0), (190.0, -74.0), (0.0, 74.0), (190.0, 74.0)] {
        map.components.push(component(&format!("{x} {y}"), "Other", x, y));
    }
    assert!(!has_label(&map));
    map.highlighted = [map.relationships[0].key.clone()].into();
    assert!(has_label(&map));
}

#[test]
fn long_lines_of_dense_maps_are_faint_and_without_arrow_heads() {
    let at = |n: u32| component(&format!("c{n}"), "Name", 240.0 * f64::from(n % 40), 160.0 * f64::from(n / 40));
    let lines = |count: u32, distance: u32| {
        (0..count).map(move |n| relationship(&format!("c{}", n % 400), &format!("c{}", (n + distance) % 400), ""))
    };
    let draw = |count: u32| {
        let map = Map {
            components: (0..400).map(at).collect(),
            relationships: lines(count, 1).chain(lines(100, 20)).collect(),
            ..Map::default()
        };
        svg(&map, &Options::default()).unwrap()
    };
    let faint = |svg: &str| svg.matches(r#" n"/>"#).count();
    assert_eq!(faint(&draw(300)), 0);
    let dense = draw(1_401);
    assert!(faint(&dense) > 90, "{}", faint(&dense));
    assert_eq!(faint(&dense) + dense.matches("marker-end").count(), 1_501);
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
fn fonts_are_loaded_from_directories_and_the_directories_in_them() {
    let directory = tempfile::tempdir().unwrap();
    let nested = directory.path().join("truetype/other");
    std::fs::create_dir_all(&nested).unwrap();
    std::fs::write(nested.join("broken.ttf"), "no font").unwrap();
    let directories = [directory.path().to_owned(), directory.path().join("missing")];
    let without = Fonts::only(&directories);
    let boxes = drawn("Shop", Theme::Light, &without);
    assert_eq!(boxes, drawn(" ", Theme::Light, &without), "nothing is drawn without any font");
    std::fs::write(nested.join("face.ttf"), Fonts::face_for_tests()).unwrap();
    let with = Fonts::only(&directories);
    assert!(different_pixels(&drawn("Shop", Theme::Light, &with), &boxes) > 100);
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
    let pdf = super::pdf(&shop(), &Options::default(), &Fonts::default(), &Cancellation::never()).unwrap();
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
        lines in prop::collection::vec((0..9_u8, 0..9_u8, text(), text(), any::<bool>(), any::<(bool, Option<f64>)>(), prop::collection::vec((any::<f64>(), any::<f64>()), 0..3)), 0..8),
        notes in prop::collection::vec((text(), text(), -1e6..1e6_f64, any::<f64>(), 0..3_u8), 0..4),
        title in text(),
    ) -> Map {
        let components = rows.into_iter().enumerate().map(|(at, (name, color, icon, x, y, parent))| Component {
            parent: parent.map(|parent| format!("c{}", parent % 8)),
            color, icon: icon.clone(), type_name: icon.clone(), description: icon.clone(), lifecycle: Some(icon.clone()),
            technology: vec![icon], width: Some(x), height: Some(y),
            ..component(&format!("c{at}"), &name, x, y)
        });
        let relationships = lines.into_iter().map(|(from, to, label, color, directed, (straight, label_at), via)| Relationship {
            color, directed, via, straight, label_at, ..relationship(&format!("c{from}"), &format!("c{to}"), &label)
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
        let svg = super::svg(&map, &options, &Cancellation::never()).unwrap();
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
