//! Turns a parsed SVG into pixels, within a limit of work.
//!
//! The work is estimated before drawing. The rasterizer divides each path into segments, follows them row by row, and fills the
//! area. An image that exceeds the limit is drawn with fewer pixels, and refused if it still exceeds the limit.

use resvg::{
    tiny_skia::{self, FillRule, Paint, PathSegment, Pixmap, Point, Rect, Transform},
    usvg::{self, Group, Node, Path, Tree},
};

use super::{Cancellation, MAX_PIXELS, Refused};

/// The factors by which an image is scaled, from the largest image to the smallest.
const REDUCTIONS: [f32; 3] = [1.0, 0.5, 0.25];
/// Steps for an element, and for a segment of a path.
const STEPS_OF_NODE: f64 = 1_500.0;
const STEPS_OF_SEGMENT: f64 = 100.0;
/// Steps for each pixel along the outline of an area (followed four times for antialiasing), along a line of at most one pixel in
/// width, and in an area.
const STEPS_OF_EDGE: f64 = 60.0;
const STEPS_OF_THIN_LINE: f64 = 35.0;
const STEPS_OF_AREA: f64 = 1.5;
/// Steps for each pixel of a layer, on which elements are drawn before they become transparent.
const STEPS_OF_LAYER: f64 = 28.0;
/// Steps for a dash.
const STEPS_OF_DASH: f64 = 500.0;
/// Segments of the outline of a wide line for each of its own segments, with joins and caps.
const OUTLINE: f64 = 8.0;
/// Steps for two sides of an area that can cross, because the sides are kept in the order in which they are in each row.
const STEPS_OF_CROSSING: f64 = 4.0;
/// Crossings of the outlines of two wide lines that cross.
const CROSSINGS: f64 = 4.0;

/// A path or a layer with its contents, and its position in an image of scale 1.
struct Piece<'t> {
    node: &'t Node,
    transform: Transform,
}

/// Draws at most [`MAX_PIXELS`] pixels of a tree at a scale, or fewer if that would take more than `most` steps. A step takes about
/// a nanosecond.
#[expect(clippy::cast_precision_loss, reason = "a few million pixels")]
pub(super) fn rendered(tree: &Tree, scale: f32, most: usize, cancellation: &Cancellation) -> Result<Pixmap, Refused> {
    let pixels = tree.size().width() * tree.size().height() * scale * scale;
    let scale = if pixels > MAX_PIXELS as f32 { scale * (MAX_PIXELS as f32 / pixels).sqrt() } else { scale };
    let mut pieces = Vec::new();
    collect(tree.root(), Transform::identity(), &mut pieces);
    for scale in REDUCTIONS.map(|reduction| scale * reduction) {
        let (width, height) = pixels_of(tree, scale);
        let page = Page { width: width as f32, height: height as f32 };
        let scaled = |transform: Transform| transform.post_scale(scale, scale);
        let steps = pieces.iter().map(|piece| page.steps_of(piece.node, scaled(piece.transform)));
        if steps.sum::<f64>() <= most as f64 {
            let empty = || Refused::Failed("the image has no pixels".to_owned());
            let mut pixmap = Pixmap::new(width, height).ok_or_else(empty)?;
            for piece in &pieces {
                cancellation.check()?;
                draw(piece.node, scaled(piece.transform), &mut pixmap);
            }
            return Ok(pixmap);
        }
    }
    Err(Refused::TooMuchWork)
}

/// The width and the height of an image in pixels.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the sizes are limited to a few thousand pixels"
)]
fn pixels_of(tree: &Tree, scale: f32) -> (u32, u32) {
    let edge = |length: f32| ((length * scale).floor() as u32).clamp(1, MAX_PIXELS);
    let (width, height) = (edge(tree.size().width()), edge(tree.size().height()));
    // A very wide map could be less than one pixel high.
    (width, height.min(MAX_PIXELS / width))
}

/// Collects the elements in drawing order. Groups that are not layers are transforms only, and texts are groups of paths.
fn collect<'t>(group: &'t Group, transform: Transform, pieces: &mut Vec<Piece<'t>>) {
    for node in group.children() {
        let inner = match node {
            Node::Group(inner) if !inner.should_isolate() => Some(&**inner),
            Node::Text(text) => Some(text.flattened()),
            _ => None,
        };
        match inner {
            Some(inner) => collect(inner, transform.pre_concat(inner.transform()), pieces),
            None => pieces.push(Piece { node, transform }),
        }
    }
}

fn draw(node: &Node, transform: Transform, pixmap: &mut Pixmap) {
    match node {
        Node::Path(path) if draw_path(path, transform, pixmap).is_some() => {}
        // Reverts the library's move of the element to the corner of the image.
        node => {
            if let Some(bounds) = node.abs_layer_bounding_box() {
                resvg::render_node(node, transform.pre_translate(bounds.x(), bounds.y()), &mut pixmap.as_mut());
            }
        }
    }
}

/// Draws a path as the library does in a tree; on its own, the library skips lines without an area. Returns `None` if the path has
/// paints other than colors, such as glyphs of some fonts.
fn draw_path(path: &Path, transform: Transform, pixmap: &mut Pixmap) -> Option<()> {
    let paint = |paint: &usvg::Paint, opacity: usvg::Opacity| {
        let usvg::Paint::Color(color) = paint else { return None };
        let mut found = Paint { anti_alias: path.rendering_mode().use_shape_antialiasing(), ..Paint::default() };
        found.set_color_rgba8(color.red, color.green, color.blue, opacity.to_u8());
        Some(found)
    };
    let fill = path.fill().map(|fill| Some((paint(fill.paint(), fill.opacity())?, fill.rule())));
    let stroke = path.stroke().map(|stroke| Some((paint(stroke.paint(), stroke.opacity())?, stroke.to_tiny_skia())));
    let (fill, stroke) =
        (fill.map_or(Some(None), |fill| fill.map(Some))?, stroke.map_or(Some(None), |one| one.map(Some))?);
    if !path.is_visible() {
        return Some(());
    }
    if let Some((paint, rule)) = fill {
        let rule = if rule == usvg::FillRule::EvenOdd { FillRule::EvenOdd } else { FillRule::Winding };
        pixmap.fill_path(path.data(), &paint, rule, transform, None);
    }
    if let Some((paint, stroke)) = stroke {
        pixmap.stroke_path(path.data(), &paint, &stroke, transform, None);
    }
    Some(())
}

/// The size of an image in pixels.
struct Page {
    width: f32,
    height: f32,
}

impl Page {
    /// The steps for an element.
    fn steps_of(&self, node: &Node, transform: Transform) -> f64 {
        STEPS_OF_NODE
            + match node {
                Node::Path(path) => self.steps_of_path(path, transform),
                Node::Group(group) => {
                    let inner = transform.pre_concat(group.transform());
                    let layer = self.area(group.layer_bounding_box().to_rect(), inner);
                    let mut pieces = Vec::new();
                    collect(group, inner, &mut pieces);
                    let of_pieces = pieces.iter().map(|piece| self.steps_of(piece.node, piece.transform));
                    layer * STEPS_OF_LAYER + of_pieces.sum::<f64>()
                }
                Node::Image(_) | Node::Text(_) => 0.0,
            }
    }

    fn steps_of_path(&self, path: &Path, transform: Transform) -> f64 {
        let line = self.measured(path.data(), transform);
        let fill = path.fill().map_or(0.0, |_| {
            line.segments * STEPS_OF_SEGMENT
                + self.overlaps(&line.columns, 0.0) * STEPS_OF_CROSSING
                + line.height * STEPS_OF_EDGE
                + self.area(path.data().bounds(), transform) * STEPS_OF_AREA
        });
        let stroke = path.stroke().map_or(0.0, |stroke| {
            let dashes = stroke.dasharray().map_or(0.0, |dashes| {
                // Includes dashes outside of the image.
                line.whole_length / f64::from(dashes.iter().sum::<f32>().max(0.1))
            });
            let (across, along) = transform.get_scale();
            let width = f64::from(stroke.width().get() * across.max(along));
            let drawn = if width <= 1.0 {
                line.segments * STEPS_OF_SEGMENT + line.length * STEPS_OF_THIN_LINE
            } else {
                OUTLINE * line.segments * STEPS_OF_SEGMENT
                    + self.overlaps(&line.columns, width) * CROSSINGS * STEPS_OF_CROSSING
                    + 2.0 * (line.height + width * line.segments) * STEPS_OF_EDGE
                    + line.length * width * STEPS_OF_AREA
            };
            dashes * STEPS_OF_DASH + drawn
        });
        fill + stroke
    }

    fn measured(&self, path: &tiny_skia::Path, transform: Transform) -> Line {
        let mut line = Line::default();
        let (mut start, mut before) = (Point::zero(), Point::zero());
        for segment in path.segments() {
            let points = match segment {
                PathSegment::MoveTo(to) => {
                    (start, before) = (to, to);
                    continue;
                }
                PathSegment::LineTo(to) => [Some(to), None, None],
                PathSegment::QuadTo(one, to) => [Some(one), Some(to), None],
                PathSegment::CubicTo(one, other, to) => [Some(one), Some(other), Some(to)],
                PathSegment::Close => [Some(start), None, None],
            };
            for to in points.into_iter().flatten() {
                let (from_pixel, to_pixel) = (self.pixel(before, transform), self.pixel(to, transform));
                let (width, height) = ((to_pixel.x - from_pixel.x).abs(), (to_pixel.y - from_pixel.y).abs());
                line.segments += 1.0;
                line.columns.push((from_pixel.x.min(to_pixel.x), from_pixel.x.max(to_pixel.x)));
                line.length += f64::from(width + height);
                line.height += f64::from(height);
                line.whole_length += f64::from(before.distance(to));
                before = to;
            }
        }
        line
    }

    /// An estimate of the number of pairs of segments that are in the same columns, so that they can cross, given the columns of
    /// each segment of a line of this width. Takes linear time.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the segments and the columns of an image are limited"
    )]
    fn overlaps(&self, columns: &[(f32, f32)], width: f64) -> f64 {
        let left = columns.iter().map(|(left, _)| *left).fold(self.width, f32::min);
        let right = columns.iter().map(|(_, right)| *right).fold(left, f32::max);
        // About one segment for each group of columns, so that few of the others in a group are counted too.
        let groups = columns.len();
        let pitch = ((right - left) / groups as f32).max(f32::MIN_POSITIVE);
        let group = |column: f32| ((column - left) / pitch) as usize;
        let mut before = vec![0_usize; groups + 2];
        for (left, _) in columns {
            before[group(*left).min(groups) + 1] += 1;
        }
        for at in 0..=groups {
            before[at + 1] += before[at];
        }
        let later = columns.iter().map(|(left, right)| {
            let end = group(*right + width as f32).min(groups);
            before[end + 1] - before[group(*left).min(groups)] - 1
        });
        later.map(|count| count as f64).sum()
    }

    /// The pixel of a point, or the closest pixel if the point is outside of the image.
    fn pixel(&self, mut point: Point, transform: Transform) -> Point {
        transform.map_point(&mut point);
        Point::from_xy(point.x.clamp(0.0, self.width), point.y.clamp(0.0, self.height))
    }

    /// The number of pixels of a rectangle.
    fn area(&self, rect: Rect, transform: Transform) -> f64 {
        let one = self.pixel(Point::from_xy(rect.left(), rect.top()), transform);
        let other = self.pixel(Point::from_xy(rect.right(), rect.bottom()), transform);
        f64::from((other.x - one.x).abs()) * f64::from((other.y - one.y).abs())
    }
}

/// The measures of a path.
#[derive(Default)]
struct Line {
    segments: f64,
    /// Horizontal and vertical distance in pixels.
    length: f64,
    /// Vertical distance in pixels.
    height: f64,
    /// The length in map units, including parts outside of the image.
    whole_length: f64,
    /// The leftmost and the rightmost pixel of each segment.
    columns: Vec<(f32, f32)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps for a path on a page of 2,300 × 2,300 pixels.
    fn steps(attributes: &str, path: &str) -> f64 {
        let svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="2300" height="2300"><path {attributes} d="{path}"/></svg>"#
        );
        let tree = Tree::from_str(&svg, &usvg::Options::default()).unwrap();
        let mut pieces = Vec::new();
        collect(tree.root(), Transform::identity(), &mut pieces);
        let page = Page { width: 2_300.0, height: 2_300.0 };
        pieces.iter().map(|piece| page.steps_of(piece.node, piece.transform)).sum()
    }

    /// A path of lines that go from one side to the other, in a band.
    fn crossing(count: u32) -> String {
        (0..count)
            .map(|n| format!("M{} 0L{} 10", n * 2_300 / count, 2_300 - n * 2_300 / count))
            .collect::<Vec<_>>()
            .concat()
    }

    /// A path of lines beside each other.
    fn beside(count: u32) -> String {
        (0..count).map(|n| format!("M{0} 0L{0} 10", n * 2_300 / count)).collect::<Vec<_>>().concat()
    }

    #[test]
    fn many_crossing_sides_in_a_path_count_with_the_square_of_their_number_and_others_do_not() {
        for (attributes, lines) in
            [(r#"fill="none" stroke="red" stroke-width="1.5""#, 8_000), (r#"fill="red""#, 20_000)]
        {
            let [some, many] = [lines / 20, lines].map(|count| steps(attributes, &crossing(count)));
            assert!(many > 100.0 * some, "{attributes}: {some} and {many}");
            assert!(many > f64::from(lines).powi(2) * 1.5, "{attributes}: {many}");
            let [some, many] = [lines / 20, lines].map(|count| steps(attributes, &beside(count)));
            assert!(many < 40.0 * some, "{attributes}: {some} and {many}");
        }
        let thin = r#"fill="none" stroke="red" stroke-width="0.9""#;
        assert!(steps(thin, &crossing(8_000)) < 30.0 * steps(thin, &crossing(400)), "thin lines have no sides");
    }

    #[test]
    fn a_long_segment_does_not_hide_many_crossing_ones() {
        let cluster = (0..5_000).map(|n| format!("M{} 0L{} 10", n % 20, 20 - n % 20)).collect::<Vec<_>>().concat();
        let outlined = r#"fill="none" stroke="red" stroke-width="1.5""#;
        let (alone, hidden) = (steps(outlined, &cluster), steps(outlined, &format!("{cluster}M0 5L2300 5")));
        assert!(hidden > alone * 0.9, "{hidden} instead of {alone}");
    }
}
