//! Draws lines and their labels.

use std::fmt::Write;

use super::{
    Options, Refused,
    canvas::Canvas,
    geometry::Point,
    line_path::LinePath,
    route::{PlacedLabel, RULES},
    routes::Routes,
    scene::{Line, Scene},
    xml::{Num, Xml},
};

/// Maximum number of labels on lines. Labels take most of the time of a PNG.
const MAX_LABELS: usize = 2_000;
/// Labels are half a unit below the middle of their area, as on the map.
const LABEL_SHIFT: f64 = 0.5;
/// Maximum number of points in a path of several lines, because the time for a path can grow with the square of their number.
const MAX_POINTS_IN_A_PATH: usize = 500;

/// Lines with arrow heads, and their labels above all lines.
pub(super) fn lines(
    canvas: &mut Canvas<'_>,
    scene: &Scene<'_>,
    routes: &Routes,
    options: &Options,
) -> Result<(), Refused> {
    // Faint lines first, so that they are below the others.
    for is_faint in [true, false] {
        for ((line, path), _) in rows(scene, routes).filter(|(_, faint)| **faint == is_faint) {
            let relationship = line.relationship;
            let color = canvas.styles.line(&relationship.color);
            open_line(canvas, scene, line, options);
            canvas.push(format_args!(r#"<path d="{}" class="l{color}"#, path_data(path, RULES.corner_radius)));
            let dashed = if relationship.directed { "" } else { " u" };
            match (is_faint, relationship.directed) {
                (true, _) => canvas.push(format_args!(r#" n{dashed}"/>"#)),
                (false, true) => canvas.push(format_args!(r#"" marker-end="url(#a{color})"/>"#)),
                (false, false) => canvas.push(format_args!(r#"{dashed}"/>"#)),
            }
            canvas.close();
            canvas.check()?;
        }
    }
    let placed = scene.lines.iter().zip(&routes.labels).filter_map(|(line, label)| Some((line, label.as_ref()?)));
    for (line, placed) in placed.take(MAX_LABELS) {
        open_line(canvas, scene, line, options);
        label(canvas, placed);
        canvas.close();
        canvas.check()?;
    }
    Ok(())
}

/// Draws all lines of a color in few paths, without labels and arrowheads.
pub(super) fn faint_lines(canvas: &mut Canvas<'_>, scene: &Scene<'_>, routes: &Routes) -> Result<(), Refused> {
    let mut by_color: Vec<Vec<&LinePath>> = Vec::new();
    for ((line, path), _) in rows(scene, routes) {
        let color = canvas.styles.line(&line.relationship.color);
        by_color.resize(by_color.len().max(color + 1), Vec::new());
        by_color[color].push(path);
    }
    for (color, paths) in by_color.iter().enumerate() {
        let mut paths = paths.as_slice();
        while !paths.is_empty() {
            let (together, others) = paths.split_at(first_in_a_path(paths));
            let data: String = together.iter().map(|path| path_data(path, 0.0)).collect();
            canvas.push(format_args!(r#"<path d="{data}" class="l{color} v"/>"#));
            canvas.check()?;
            paths = others;
        }
    }
    Ok(())
}

/// How many of the first lines are one path: at least one.
fn first_in_a_path(lines: &[&LinePath]) -> usize {
    let ends = lines.iter().scan(0, |points, line| {
        *points += line.points.len();
        Some(*points)
    });
    ends.take_while(|points| *points <= MAX_POINTS_IN_A_PATH).count().max(1)
}

fn rows<'s, 'm>(
    scene: &'s Scene<'m>,
    routes: &'s Routes,
) -> impl Iterator<Item = ((&'s Line<'m>, &'s LinePath), &'s bool)> {
    scene.lines.iter().zip(&routes.paths).zip(&routes.faint)
}

fn open_line(canvas: &mut Canvas<'_>, scene: &Scene<'_>, line: &Line<'_>, options: &Options) {
    let relationship = line.relationship;
    let class = scene.class_of(&relationship.key);
    if options.ids {
        let (from, to) = (Xml(&relationship.from), Xml(&relationship.to));
        canvas.open(Some(&relationship.key), &format!(r#" data-from="{from}" data-to="{to}"{class}"#));
    } else {
        canvas.open(None, class);
    }
}

/// A label on the color of the background.
#[expect(clippy::cast_precision_loss, reason = "a label has one or two rows")]
fn label(canvas: &mut Canvas<'_>, PlacedLabel { rect, rows }: &PlacedLabel) {
    let rule = &RULES.labels;
    canvas.rect(*rect, 0.0, "p");
    let middle = rect.center();
    let top = middle.y - (rows.len() as f64 - 1.0) * rule.line_height / 2.0 + LABEL_SHIFT;
    for (row, text) in rows.iter().enumerate() {
        let at = Point { x: middle.x, y: top + row as f64 * rule.line_height };
        canvas.text(text, at, rule.font_size, "q c");
    }
}

/// The path with rounded corners.
fn path_data(path: &LinePath, radius: f64) -> String {
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
                let [before, here, after] = [corner[0], corner[1], corner[2]];
                if radius > 0.0 {
                    let radius = radius.min(distance(before, here).min(distance(here, after)) / 2.0);
                    let (start, end) = (towards(here, before, radius), towards(here, after, radius));
                    let _ = write!(data, "L{}Q{} {}", at(&start), at(&here), at(&end));
                } else {
                    let _ = write!(data, "L{}", at(&here));
                }
            }
            let _ = write!(data, "L{}", at(last));
            data
        }
        [only] => format!("M{}", at(only)),
    }
}

fn distance(one: Point, other: Point) -> f64 {
    (other.x - one.x).hypot(other.y - one.y)
}

/// The point at a distance from a point toward another one.
fn towards(from: Point, to: Point, by: f64) -> Point {
    let length = distance(from, to);
    let part = if length > 0.0 { by / length } else { 0.0 };
    Point { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
}
