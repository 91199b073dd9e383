//! Maps that are expensive to draw, and canceled drawings.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use super::*;

/// Draws in a format, and returns the number of bytes.
type Draw<'d> = &'d dyn Fn(&Cancellation) -> Result<usize, Refused>;

/// A cancellation that takes effect after `most` checks, and the number of checks so far.
fn canceled_after(most: usize) -> (Cancellation, Arc<AtomicUsize>) {
    let checks = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&checks);
    (Cancellation::new(move || counted.fetch_add(1, Ordering::Relaxed) >= most), checks)
}

#[test]
fn a_drawing_in_any_format_ends_when_its_request_is_canceled() {
    let (fonts, map, options) = (Fonts::default(), shop(), Options { title: true, legend: true, ..Options::default() });
    let formats: [(&str, Draw<'_>); 4] = [
        ("svg", &|cancellation| crate::svg(&map, &options, cancellation).map(|svg| svg.len())),
        ("png", &|cancellation| crate::png(&map, &options, Some(600), &fonts, cancellation).map(|png| png.len())),
        ("small png", &|cancellation| {
            crate::png_within(&map, &options, 200, &fonts, cancellation).map(|png| png.len())
        }),
        ("pdf", &|cancellation| crate::pdf(&map, &options, &fonts, cancellation).map(|pdf| pdf.len())),
    ];
    for (name, draw) in formats {
        let (cancellation, checks) = canceled_after(usize::MAX);
        assert!(draw(&cancellation).is_ok(), "{name}");
        let all = checks.load(Ordering::Relaxed);
        for most in [0, 1, all / 2, all - 1] {
            let (cancellation, checks) = canceled_after(most);
            assert_eq!(draw(&cancellation), Err(Refused::Canceled), "{name} after {most} of {all}");
            assert_eq!(checks.load(Ordering::Relaxed), most + 1, "{name} goes on");
        }
    }
}

/// Nested groups. Each is larger than its content by these units on the left and at the top.
fn nested(count: u32, distance: f64) -> Map {
    let group = |n: u32| {
        let at = f64::from(n) * distance;
        let parent = n.checked_sub(1).map(|outer| format!("c{outer}"));
        Component { parent, ..component(&format!("c{n}"), "Name", at, at) }
    };
    Map { components: (0..count).map(group).collect(), ..Map::default() }
}

/// The width of a PNG that should be 2,400 pixels wide.
fn width_of(map: &Map, fonts: &Fonts) -> Result<usize, Refused> {
    let options = Options { detail: Some(Detail::Full), ..Options::default() };
    png(map, &options, Some(2_400), fonts).map(|png| imagesize::blob_size(&png).unwrap().width)
}

#[test]
fn images_with_large_areas_on_each_other_are_smaller_or_refused() {
    let fonts = Fonts::default();
    let full = width_of(&nested(40, 30.0), &fonts).unwrap();
    let fewer = width_of(&nested(1_200, 30.0), &fonts).unwrap();
    assert!((full / 5..full * 2 / 3).contains(&fewer), "{fewer} instead of {full}");
    let sheet = Note { text: String::new(), width: 9e5, height: 9e5, ..shop().notes.remove(0) };
    let sheets = Map { notes: vec![sheet; 9_000], ..shop() };
    assert_eq!(width_of(&sheets, &fonts), Err(Refused::TooMuchWork));
    // Frames have the same size, and faint elements are drawn twice.
    let frame = Note { kind: NoteKind::Frame, width: 9e5, height: 9e5, ..shop().notes.remove(0) };
    let frames = Map { notes: vec![frame; 2_400], ..shop() };
    assert!(width_of(&frames, &fonts).unwrap() < full / 2);
    let faint = Map { highlighted: ["none".to_owned()].into(), ..nested(1_200, 30.0) };
    assert!(width_of(&faint, &fonts).map_or(true, |width| width < fewer));
}

#[test]
fn long_texts_and_many_colors_are_refused_where_they_would_have_to_be_set() {
    let fonts = Fonts::default();
    let note = |n: u32| Note {
        text: "word ".repeat(80),
        width: 1_000.0,
        height: 1_000.0,
        x: f64::from(n),
        ..shop().notes.remove(0)
    };
    let many_words = Map { notes: (0..2_500).map(note).collect(), ..shop() };
    let colored =
        |n: u32| Component { color: format!("#{n:06x}"), ..component(&format!("c{n}"), "Name", f64::from(n), 0.0) };
    let many_colors = Map { components: (0..4_000).map(colored).collect(), ..Map::default() };
    for map in [many_words, many_colors] {
        assert!(svg(&map, &Options::default()).is_ok(), "an SVG is set by the reader");
        assert_eq!(png(&map, &Options::default(), None, &fonts).err(), Some(Refused::TooMuchWork));
        let pdf = crate::pdf(&map, &Options::default(), &fonts, &Cancellation::never());
        assert_eq!(pdf.err(), Some(Refused::TooMuchWork));
    }
    assert!(Refused::TooMuchWork.to_string().contains("Draw a part of the map instead"));
}

#[test]
fn texts_that_would_take_much_memory_are_refused_before_they_are_set() {
    let fonts = Fonts::default();
    let line = "ab cd ".repeat(60);
    let text = vec![line.trim(); 20].join("\n\n");
    let note = |n: u32| Note {
        text: text.clone(),
        width: 1_000.0,
        height: 5_000.0,
        x: f64::from(n) * 1_100.0,
        ..shop().notes.remove(0)
    };
    let notes = |count: u32| Map { notes: (0..count).map(note).collect(), ..Map::default() };
    let (options, many) = (Options::default(), notes(60));
    let drawings: [Draw<'_>; 3] = [
        &|cancellation| crate::png(&many, &options, Some(600), &fonts, cancellation).map(|png| png.len()),
        &|cancellation| crate::png_within(&many, &options, 600, &fonts, cancellation).map(|png| png.len()),
        &|cancellation| crate::pdf(&many, &options, &fonts, cancellation).map(|pdf| pdf.len()),
    ];
    for draw in drawings {
        assert_eq!(draw(&Cancellation::never()), Err(Refused::TooMuchWork));
    }
    assert!(svg(&many, &options).is_ok(), "an SVG is set by the reader");
    assert!(png(&notes(1), &options, Some(600), &fonts).is_ok());
    let outline = Options { detail: Some(Detail::Thumbnail), ..options };
    assert!(png(&many, &outline, Some(600), &fonts).is_ok(), "without texts");
}

#[test]
fn lines_through_many_points_are_drawn_in_short_paths() {
    let mut map = shop();
    let zigzag = |n: u32| {
        let point = |at: u32| (f64::from(at * 30 + n), f64::from(at % 2) * 10.0);
        Relationship { key: format!("r{n}"), via: (0..50).map(point).collect(), ..relationship("web", "db", "") }
    };
    map.relationships = (0..100).map(zigzag).collect();
    for detail in [Detail::Overview, Detail::Thumbnail] {
        let svg = svg(&map, &Options { detail: Some(detail), ..Options::default() }).unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let lines =
            document.descendants().filter(|one| one.attribute("class").is_some_and(|name| name.ends_with(" v")));
        let points: Vec<usize> = lines.map(|line| line.attribute("d").unwrap().matches(['M', 'L']).count()).collect();
        assert!(points.iter().sum::<usize>() > 5_000 && points.iter().all(|count| *count <= 500), "{points:?}");
        assert!(points.len() < 20, "few paths: {points:?}");
    }
}

#[test]
fn lines_through_very_many_points_are_refused_in_every_format() {
    let mut map = shop();
    map.relationships[0].via = vec![(0.0, 0.0); 400_001];
    assert_eq!(svg(&map, &Options::default()).err(), Some(Refused::TooMuchWork));
    assert_eq!(png(&map, &Options::default(), None, &Fonts::default()).err(), Some(Refused::TooMuchWork));
    map.relationships[0].via.truncate(50);
    assert!(svg(&map, &Options::default()).is_ok());
}

#[test]
fn very_large_images_have_no_dashes() {
    let mut map = shop();
    assert!(svg(&map, &Options::default()).unwrap().contains("stroke-dasharray:6 4"));
    map.relationships[0].via = vec![(-1e6, 1e6), (1e6, -1e6)];
    assert!(!svg(&map, &Options::default()).unwrap().contains("stroke-dasharray"));
}

#[test]
fn a_card_keeps_its_smallest_size_where_too_much_would_have_to_be_compared() {
    let long = |key: &str, x: f64| component(key, "A name that needs more than the smallest card", x, 60.0);
    let width_of_last = |groups: u32, cards: u32| {
        let mut map = nested(groups, 0.0);
        let inside = |n: u32| Component {
            parent: Some(format!("c{}", groups - 1)),
            y: 200.0 * f64::from(n),
            ..long(&format!("d{n}"), 0.0)
        };
        map.components.extend((0..cards).map(inside));
        let [x, _, width, height] = crate::rects(&map)[0].1;
        // The cards cannot grow, because the outermost group has a neighbor, which the search finds last.
        let wall = Component {
            type_id: "group".to_owned(),
            width: Some(100.0),
            height: Some(height),
            ..long("wall", x + width + 20.0)
        };
        map.components.extend([Component { y: map.components[0].y - height, ..wall }, long("last", 1e6)]);
        crate::rects(&map).last().map(|(key, [_, _, width, _])| (key.clone(), *width))
    };
    assert_eq!(width_of_last(2, 2), Some(("last".to_owned(), 220.0)));
    assert_eq!(width_of_last(1_500, 40), Some(("last".to_owned(), 180.0)));
}

#[test]
fn very_many_loops_at_a_component_do_not_become_huge() {
    let mut map = shop();
    let looped = map.relationships[2].clone();
    map.relationships = (0..2_000).map(|n| Relationship { key: format!("loop{n}"), ..looped.clone() }).collect();
    let overview = Options { detail: Some(Detail::Overview), ..Options::default() };
    let svg = svg(&map, &overview).unwrap();
    let width: f64 = svg.split("width=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().parse().unwrap();
    assert!(width < 2_000.0, "{width}");
}
