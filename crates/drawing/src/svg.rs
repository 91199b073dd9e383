//! Draws a map as SVG.

use std::fmt::Write;

use super::{
    Cancellation, Detail, MAX_COMPONENTS, MAX_POINTS, MAX_RELATIONSHIPS, MAX_SVG_BYTES, Options, Refused,
    canvas::Canvas,
    geometry::{Rect, bounding_box},
    map::Map,
    margins::Margins,
    notes,
    routes::Routes,
    scene::Scene,
    styles::LABEL_FONTS,
    svg_card, svg_lines,
    xml::{Num, Xml},
};

/// Margin around the drawing.
const MARGIN: f64 = 40.0;
const EMPTY: Rect = Rect { x: -MARGIN, y: -MARGIN, width: 400.0, height: 200.0 };

/// Draws a map as SVG.
///
/// The SVG is well-formed XML for any map. It contains no scripts, links or references to other files; texts are never
/// markup.
///
/// # Errors
/// If the map is too large, or the request is canceled.
pub fn svg(map: &Map, options: &Options, cancellation: &Cancellation) -> Result<String, Refused> {
    if map.components.len() > MAX_COMPONENTS {
        return Err(Refused::TooManyComponents(map.components.len()));
    }
    if map.relationships.len() > MAX_RELATIONSHIPS {
        return Err(Refused::TooManyRelationships(map.relationships.len()));
    }
    if map.relationships.iter().map(|one| one.via.len()).sum::<usize>() > MAX_POINTS {
        return Err(Refused::TooMuchWork);
    }
    let scene = Scene::of(map, cancellation);
    let detail = options.detail_of(map);
    let routes = Routes::of(&scene, detail, cancellation);
    let (margins, area) = Margins::around(map, options, bounds(&scene, &routes));
    let mut canvas = Canvas::new(cancellation);
    // Sizes and routes are incomplete if the request is canceled.
    canvas.check()?;
    canvas.styles.set_lines(routes.strength, area);
    canvas.rect(area, 0.0, "paper");
    let notes = |canvas: &mut Canvas<'_>, behind: bool| {
        for note in map.notes.iter().filter(|note| note.behind == behind && detail != Detail::Thumbnail) {
            notes::draw(canvas, note, options.theme);
            canvas.check()?;
        }
        Ok(())
    };
    notes(&mut canvas, true)?;
    frames(&mut canvas, &scene, options)?;
    match detail {
        Detail::Full => svg_lines::lines(&mut canvas, &scene, &routes, options)?,
        Detail::Overview | Detail::Thumbnail => svg_lines::faint_lines(&mut canvas, &scene, &routes)?,
    }
    // Above the lines, so that no line crosses a name.
    titles(&mut canvas, &scene, options, detail)?;
    cards(&mut canvas, &scene, options, detail)?;
    notes(&mut canvas, false)?;
    margins.draw(&mut canvas, map, options, area);
    finished(canvas, map, options, area)
}

fn finished(canvas: Canvas<'_>, map: &Map, options: &Options, area: Rect) -> Result<String, Refused> {
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
    if svg.len() > MAX_SVG_BYTES { Err(Refused::TooLarge(MAX_SVG_BYTES)) } else { Ok(svg) }
}

fn bounds(scene: &Scene<'_>, routes: &Routes) -> Rect {
    let points = routes.paths.iter().flat_map(|path| &path.points).map(|point| Rect::from(*point));
    let labels = routes.labels.iter().flatten().map(|label| label.rect);
    let notes = scene.map.notes.iter().map(notes::area);
    bounding_box(scene.rects.iter().copied().chain(points).chain(labels).chain(notes))
        .map_or(EMPTY, |drawn| drawn.expanded(MARGIN))
}

fn frames(canvas: &mut Canvas<'_>, scene: &Scene<'_>, options: &Options) -> Result<(), Refused> {
    for (node, rect) in scene.nodes.iter().zip(&scene.rects).filter(|(node, _)| node.is_group()) {
        let key = &node.component.key;
        canvas.open(options.ids.then_some(key), scene.class_of(key));
        svg_card::group_frame(canvas, node.component, *rect);
        canvas.close();
        canvas.check()?;
    }
    Ok(())
}

fn titles(canvas: &mut Canvas<'_>, scene: &Scene<'_>, options: &Options, detail: Detail) -> Result<(), Refused> {
    let groups = scene.nodes.iter().zip(&scene.rects).filter(|(node, _)| node.is_group());
    for (node, rect) in groups.filter(|_| detail != Detail::Thumbnail) {
        let key = &node.component.key;
        canvas.open(options.ids.then_some(key), scene.class_of(key));
        svg_card::group_title(canvas, node.component, *rect);
        canvas.close();
        canvas.check()?;
    }
    Ok(())
}

fn cards(canvas: &mut Canvas<'_>, scene: &Scene<'_>, options: &Options, detail: Detail) -> Result<(), Refused> {
    for (node, rect) in scene.nodes.iter().zip(&scene.rects) {
        let Some(content) = &node.card else { continue };
        let key = &node.component.key;
        let is_component = !node.component.type_id.is_empty();
        canvas.open((options.ids && is_component).then_some(key), scene.class_of(key));
        match detail {
            Detail::Thumbnail => svg_card::plain_card(canvas, node.component, *rect),
            detail => svg_card::card(canvas, node.component, content, *rect, detail == Detail::Overview),
        }
        canvas.close();
        canvas.check()?;
    }
    Ok(())
}
