//! Draws cards and groups.

use super::{
    canvas::Canvas,
    card::{Content, METRICS, description_height},
    geometry::{Point, Rect},
    icons,
    map::Component,
    nodes::GROUPS,
    shapes::{Shape, resolved},
    text::{Face, text_width, wrap},
    xml::Num,
};

const GROUP_RADIUS: f64 = 6.0;
const GROUP_ICON_SIZE: f64 = 18.0;
const GROUP_ICON_LEFT: f64 = 12.0;
const GROUP_ICON_GAP: f64 = 8.0;
const GROUP_NAME_SIZE: f64 = 18.0;
/// Side of the view box of icons.
const ICON_BOX: f64 = 24.0;

/// Draws the frame of a group.
pub(super) fn group_frame(canvas: &mut Canvas<'_>, component: &Component, rect: Rect) {
    let color = canvas.styles.card(&component.color);
    canvas.rect(rect, GROUP_RADIUS, "h");
    canvas.rect(rect, GROUP_RADIUS, &format!("g{color}"));
}

/// Draws the title of a group.
pub(super) fn group_title(canvas: &mut Canvas<'_>, component: &Component, rect: Rect) {
    let middle = rect.y + GROUPS.title / 2.0;
    let left = rect.x + GROUP_ICON_LEFT;
    draw_icon(canvas, component, Point { x: left, y: middle - GROUP_ICON_SIZE / 2.0 }, GROUP_ICON_SIZE);
    let text_left = left + GROUP_ICON_SIZE + GROUP_ICON_GAP;
    let room = (rect.right() - GROUP_ICON_LEFT - text_left).max(0.0);
    let name = wrap(&component.name, GROUP_NAME_SIZE, room, 1, Face::Name);
    let at = Point { x: text_left, y: middle };
    canvas.text(name.first().map_or("", String::as_str), at, GROUP_NAME_SIZE, "t");
}

/// Draws a card as a colored shape without texts.
pub(super) fn plain_card(canvas: &mut Canvas<'_>, component: &Component, rect: Rect) {
    let color = canvas.styles.card(&component.color);
    canvas.rect(rect, 4.0, &format!("f{color}"));
}

/// Draws the outline of a card and the rows that fit on it. In the overview, these are the rows of the name.
pub(super) fn card(
    canvas: &mut Canvas<'_>,
    component: &Component,
    content: &Content<'_>,
    rect: Rect,
    is_overview: bool,
) {
    let Shape { outline, detail, figure, dash, .. } = content.shape;
    let color = canvas.styles.card(&component.color);
    let path = |path: &str| resolved(path, rect.width, rect.height);
    canvas.push(format_args!(r#"<g transform="translate({} {})">"#, Num(rect.x), Num(rect.y)));
    canvas.push(format_args!(r#"<path d="{}" class="f{color}""#, path(outline)));
    if !dash.is_empty() {
        let dash: Vec<String> = dash.iter().map(f64::to_string).collect();
        canvas.push(format_args!(r#" stroke-dasharray="{}""#, dash.join(" ")));
    }
    canvas.push(format_args!("/>"));
    if !detail.is_empty() {
        canvas.push(format_args!(r#"<path d="{}" class="b{color}"/>"#, path(detail)));
    }
    if !figure.is_empty() {
        canvas.push(format_args!(r#"<path d="{}" class="e{color}"/>"#, path(figure)));
    }
    face(canvas, component, content, rect, is_overview);
    canvas.close();
}

/// The icon, the name, the small text and the description, centered vertically.
#[expect(clippy::cast_precision_loss, reason = "a card has few lines")]
fn face(canvas: &mut Canvas<'_>, component: &Component, content: &Content<'_>, rect: Rect, is_overview: bool) {
    let Shape { inset, figure, .. } = content.shape;
    let (name, note, description, icon) = (&METRICS.name, &METRICS.note, &METRICS.description, &METRICS.icon);
    let mut rows = content.fitting_rows(rect.width, rect.height);
    if is_overview {
        (rows.has_note, rows.description_lines) = (false, 0);
    }
    let text_height = rows.name_lines as f64 * name.line + if rows.has_note { note.line } else { 0.0 };
    let head_height = text_height.max(if figure.is_empty() { icon.size } else { 0.0 });
    let room = rect.height - inset.top - inset.bottom;
    let top = inset.top + (room - head_height - description_height(rows.description_lines)) / 2.0;
    let left = inset.left + if figure.is_empty() { icon.size + icon.gap } else { 0.0 };
    let mut middle = top + (head_height - text_height) / 2.0 + name.line / 2.0;
    let width = content.room(rect.width);
    if figure.is_empty() {
        draw_icon(canvas, component, Point { x: inset.left, y: top + (head_height - icon.size) / 2.0 }, icon.size);
    }
    for line in wrap(content.name, name.size, width, rows.name_lines, name.face) {
        canvas.text(&line, Point { x: left, y: middle }, name.size, "t");
        middle += name.line;
    }
    if rows.has_note {
        note_row(canvas, component, content, Point { x: left, y: middle - name.line / 2.0 + note.line / 2.0 }, width);
    }
    if rows.description_lines > 0 {
        let soft = format!("d s{}", canvas.styles.card(&component.color));
        let room = rect.width - inset.left - inset.right;
        let mut middle = top + head_height + description.gap + description.line / 2.0;
        for line in wrap(&content.description, description.size, room, rows.description_lines, description.face) {
            canvas.text(&line, Point { x: inset.left, y: middle }, description.size, &soft);
            middle += description.line;
        }
    }
}

/// The mark of the lifecycle and the small text.
fn note_row(canvas: &mut Canvas<'_>, component: &Component, content: &Content<'_>, at: Point, width: f64) {
    let note = &METRICS.note;
    let color = canvas.styles.card(&component.color);
    let mut left = at.x;
    if content.has_lifecycle {
        lifecycle_mark(canvas, component.lifecycle.as_deref().unwrap_or_default(), at, color);
        left += METRICS.lifecycle.size + METRICS.lifecycle.gap;
    }
    let owner = if content.has_owner { METRICS.owner.size + METRICS.owner.gap } else { 0.0 };
    let room = (width - (left - at.x) - owner).max(text_width("…", note.size, note.face));
    let text = wrap(&content.note, note.size, room, 1, note.face);
    let at = Point { x: left, y: at.y };
    canvas.text(text.first().map_or("", String::as_str), at, note.size, &format!("d s{color}"));
}

/// Each lifecycle state has a different shape.
fn lifecycle_mark(canvas: &mut Canvas<'_>, state: &str, at: Point, color: usize) {
    let radius = METRICS.lifecycle.size / 2.0;
    let (x, y, r) = (at.x + radius, at.y, radius - 0.75);
    let ring = |more: &str| format!(r#"<circle cx="{}" cy="{}" r="{r}" class="k{color}"{more}/>"#, Num(x), Num(y));
    let mark = match state {
        "idea" => ring(r#" stroke-dasharray="1.5 1.5""#),
        "building" => {
            let (top, bottom) = (Num(y - r), Num(y + r));
            let (x, half) = (Num(x), ring(""));
            format!(r#"{half}<path d="M{x} {top}A{r} {r} 0 0 0 {x} {bottom}Z" class="s{color}"/>"#)
        }
        "deprecated" => format!(r#"<path d="M{} {}l4 4l-4 4l-4 -4Z" class="w"/>"#, Num(x), Num(y - 4.0)),
        "retired" => format!(r#"<path d="M{} {}h8" class="k{color}"/>"#, Num(at.x), Num(y)),
        _ => ring(""),
    };
    canvas.push(format_args!("{mark}"));
}

/// The logo of a technology, or the icon of the type.
fn draw_icon(canvas: &mut Canvas<'_>, component: &Component, Point { x, y }: Point, size: f64) {
    let color = canvas.styles.card(&component.color);
    let scale = (size / ICON_BOX * 1000.0).round() / 1000.0;
    let own = component.logo.as_deref();
    let logo = match own {
        Some(own) => icons::logo([own]),
        None => icons::logo(component.technology.iter().map(String::as_str)),
    };
    let (x, y) = (Num(x), Num(y));
    match logo {
        Some(path) => canvas
            .push(format_args!(r#"<path transform="translate({x} {y}) scale({scale})" d="{path}" class="e{color}"/>"#)),
        None => canvas.push(format_args!(
            r#"<g transform="translate({x} {y}) scale({scale})" class="y i{color}">{}</g>"#,
            icons::icon(&component.icon)
        )),
    }
}
