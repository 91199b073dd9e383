//! Draws a map as SVG.

use std::fmt::Write;

use super::{
    Detail, MAX_COMPONENTS, MAX_RELATIONSHIPS, MAX_SVG_BYTES, Options, Refused,
    canvas::Canvas,
    geometry::{Point, Rect, bounding_box},
    line_path::{LinePath, line_path},
    map::Map,
    margins::Margins,
    notes,
    scene::{Line, Scene},
    styles::LABEL_FONTS,
    svg_card,
    text::{Face, text_width, wrap},
    xml::{Num, Xml},
};

/// Margin around the drawing.
const MARGIN: f64 = 40.0;
const EMPTY: Rect = Rect { x: -MARGIN, y: -MARGIN, width: 400.0, height: 200.0 };
const CORNER_RADIUS: f64 = 6.0;
const LABEL_SIZE: f64 = 14.0;
const LABEL_HEIGHT: f64 = 18.0;
const LABEL_WIDTH: f64 = 160.0;
/// Maximum number of labels on lines. Labels take most of the time of a PNG.
const MAX_LABELS: usize = 2_000;

/// Draws a map as SVG.
///
/// The SVG is well-formed XML for any map. It contains no scripts, links or references to other files; texts are never
/// markup.
///
/// # Errors
/// If the map is too large.
pub fn svg(map: &Map, options: &Options) -> Result<String, Refused> {
    if map.components.len() > MAX_COMPONENTS {
        return Err(Refused::TooManyComponents(map.components.len()));
    }
    if map.relationships.len() > MAX_RELATIONSHIPS {
        return Err(Refused::TooManyRelationships(map.relationships.len()));
    }
    let scene = Scene::of(map);
    let paths: Vec<LinePath> = scene.lines.iter().map(|line| line_path(&scene, line)).collect();
    let detail = options.detail_of(map);
    let (margins, area) = Margins::around(map, options, bounds(&scene, &paths));
    let mut canvas = Canvas::default();
    canvas.rect(area, 0.0, "paper");
    let notes = |canvas: &mut Canvas, behind: bool| {
        for note in map.notes.iter().filter(|note| note.behind == behind && detail != Detail::Thumbnail) {
            notes::draw(canvas, note, options.theme);
        }
    };
    notes(&mut canvas, true);
    frames(&mut canvas, &scene, options);
    match detail {
        Detail::Full => lines(&mut canvas, &scene, &paths, options),
        Detail::Overview | Detail::Thumbnail => faint_lines(&mut canvas, &scene, &paths),
    }
    // Above the lines, so that no line crosses a name.
    titles(&mut canvas, &scene, options, detail);
    cards(&mut canvas, &scene, options, detail)?;
    notes(&mut canvas, false);
    margins.draw(&mut canvas, map, options, area);
    finished(canvas, map, options, area)
}

fn finished(canvas: Canvas, map: &Map, options: &Options, area: Rect) -> Result<String, Refused> {
    let Rect { x, y, width, height } = area;
    let (x, y, width, height) = (Num(x), Num(y), Num(width), Num(height));
    let definitions = canvas.styles.definitions(options.theme);
    let mut svg = String::with_capacity(canvas.out.len() + definitions.len() + 500);
    let _ = write!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}" width="{width}" height="{height}" role="img" font-family="{}"><title>{}</title>{definitions}{}</svg>"#,
        Xml(LABEL_FONTS),
        Xml(&map.title),
        canvas.out
    );
    if svg.len() > MAX_SVG_BYTES { Err(Refused::TooLarge) } else { Ok(svg) }
}

fn bounds(scene: &Scene<'_>, paths: &[LinePath]) -> Rect {
    let points = paths.iter().flat_map(|path| &path.points).map(|point| Rect::from(*point));
    let notes = scene.map.notes.iter().map(notes::area);
    bounding_box(scene.rects.iter().copied().chain(points).chain(notes)).map_or(EMPTY, |drawn| drawn.expanded(MARGIN))
}

fn class_of(scene: &Scene<'_>, key: &str) -> &'static str {
    if scene.is_dimmed(key) { r#" class="o""# } else { "" }
}

fn frames(canvas: &mut Canvas, scene: &Scene<'_>, options: &Options) {
    for (node, rect) in scene.nodes.iter().zip(&scene.rects).filter(|(node, _)| node.is_group()) {
        let key = &node.component.key;
        canvas.open(options.ids.then_some(key), class_of(scene, key));
        svg_card::group_frame(canvas, node.component, *rect);
        canvas.close();
    }
}

fn titles(canvas: &mut Canvas, scene: &Scene<'_>, options: &Options, detail: Detail) {
    let groups = scene.nodes.iter().zip(&scene.rects).filter(|(node, _)| node.is_group());
    for (node, rect) in groups.filter(|_| detail != Detail::Thumbnail) {
        let key = &node.component.key;
        canvas.open(options.ids.then_some(key), class_of(scene, key));
        svg_card::group_title(canvas, node.component, *rect);
        canvas.close();
    }
}

fn cards(canvas: &mut Canvas, scene: &Scene<'_>, options: &Options, detail: Detail) -> Result<(), Refused> {
    for (node, rect) in scene.nodes.iter().zip(&scene.rects) {
        let Some(content) = &node.card else { continue };
        let key = &node.component.key;
        canvas.open(options.ids.then_some(key), class_of(scene, key));
        match detail {
            Detail::Thumbnail => svg_card::plain_card(canvas, node.component, *rect),
            detail => svg_card::card(canvas, node.component, content, *rect, detail == Detail::Overview),
        }
        canvas.close();
        if canvas.out.len() > MAX_SVG_BYTES {
            return Err(Refused::TooLarge);
        }
    }
    Ok(())
}

/// All lines of a color as one path, without labels and arrow heads.
fn faint_lines(canvas: &mut Canvas, scene: &Scene<'_>, paths: &[LinePath]) {
    let mut data: Vec<String> = Vec::new();
    for (line, path) in scene.lines.iter().zip(paths) {
        let color = canvas.styles.line(&line.relationship.color);
        data.resize(data.len().max(color + 1), String::new());
        data[color].push_str(&path_data(path));
    }
    for (color, data) in data.iter().enumerate() {
        canvas.push(format_args!(r#"<path d="{data}" class="l{color} v"/>"#));
    }
}

fn lines(canvas: &mut Canvas, scene: &Scene<'_>, paths: &[LinePath], options: &Options) {
    for (line, path) in scene.lines.iter().zip(paths) {
        let relationship = line.relationship;
        let color = canvas.styles.line(&relationship.color);
        open_line(canvas, scene, line, options);
        canvas.push(format_args!(r#"<path d="{}" class="l{color}"#, path_data(path)));
        if relationship.directed {
            canvas.push(format_args!(r#"" marker-end="url(#a{color})"/>"#));
        } else {
            canvas.push(format_args!(r#" u"/>"#));
        }
        canvas.close();
    }
    let labeled = scene.lines.iter().zip(paths).filter(|(line, _)| !line.relationship.label.is_empty());
    for (line, path) in labeled.take(MAX_LABELS) {
        open_line(canvas, scene, line, options);
        label(canvas, &line.relationship.label, path.middle());
        canvas.close();
    }
}

fn open_line(canvas: &mut Canvas, scene: &Scene<'_>, line: &Line<'_>, options: &Options) {
    let relationship = line.relationship;
    let class = class_of(scene, &relationship.key);
    if options.ids {
        let (from, to) = (Xml(&relationship.from), Xml(&relationship.to));
        canvas.open(Some(&relationship.key), &format!(r#" data-from="{from}" data-to="{to}"{class}"#));
    } else {
        canvas.open(None, class);
    }
}

/// A label on the color of the background.
fn label(canvas: &mut Canvas, text: &str, middle: Point) {
    let rows = wrap(text, LABEL_SIZE, LABEL_WIDTH, 1, Face::Medium);
    let row = rows.first().map_or("", String::as_str);
    let width = text_width(row, LABEL_SIZE, Face::Medium) + 8.0;
    let plate = Rect { x: middle.x - width / 2.0, y: middle.y - LABEL_HEIGHT / 2.0, width, height: LABEL_HEIGHT };
    canvas.rect(plate, 0.0, "p");
    canvas.text(row, middle, LABEL_SIZE, "q c");
}

fn path_data(path: &LinePath) -> String {
    let at = |point: &Point| format!("{} {}", Num(point.x), Num(point.y));
    match path.points.as_slice() {
        [] => String::new(),
        [first, others @ ..] if path.is_curve => {
            let command = if others.len() == 3 { 'C' } else { 'Q' };
            format!("M{}{command}{}", at(first), others.iter().map(at).collect::<Vec<_>>().join(" "))
        }
        [first, .., last] => {
            let mut data = format!("M{}", at(first));
            for corner in path.points.windows(3) {
                let (before, after) = (towards(corner[1], corner[0]), towards(corner[1], corner[2]));
                let _ = write!(data, "L{}Q{} {}", at(&before), at(&corner[1]), at(&after));
            }
            let _ = write!(data, "L{}", at(last));
            data
        }
        [only] => format!("M{}", at(only)),
    }
}

/// The point toward another point at which a corner starts to bend, at most halfway.
fn towards(from: Point, to: Point) -> Point {
    let length = (to.x - from.x).hypot(to.y - from.y);
    let part = if length > 0.0 { (CORNER_RADIUS / length).min(0.5) } else { 0.5 };
    Point { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
}
