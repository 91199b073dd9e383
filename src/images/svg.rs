//! Checks that an SVG contains nothing but static shapes: no scripts, no external references, no animation, no
//! expensive effects. Everything that is not on the allowlist is rejected, because browsers gain new features.
//!
//! This is the second of three protections: browsers run no scripts in an SVG that is displayed as an image, and an SVG
//! that is opened directly is sent with a Content Security Policy that blocks scripts.

use roxmltree::{Document, Node, ParsingOptions};

/// Maximum size in bytes: an icon.
const MAX_BYTES: usize = 128 << 10;
/// Maximum number of elements and texts, not counting attributes.
const MAX_NODES: u32 = 5_000;
const NAMESPACE: &str = "http://www.w3.org/2000/svg";
const ELEMENTS: [&str; 21] = [
    "svg",
    "g",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "text",
    "tspan",
    "title",
    "desc",
    "defs",
    "linearGradient",
    "radialGradient",
    "stop",
    "clipPath",
    "mask",
    "style",
    "metadata",
];
/// Effects that are computed at every use. Nested masks that are each used twice take exponential time.
const MASKS: [&str; 2] = ["mask", "clip-path"];
/// Parts of a style that load other resources or hide that they do. `url(#…)` refers to the document itself.
const EXTERNAL_REFERENCES: [&str; 4] = ["@", "\\", "expression", "javascript:"];
/// The functions that styles and attributes may use: colors, transformations, numbers and selectors. Others load what
/// they name, such as `src()`, `image()`, `image-set()`, `cross-fade()`, `element()` and `paint()`.
const FUNCTIONS: [&str; 43] = [
    "url",
    "rgb",
    "rgba",
    "hsl",
    "hsla",
    "hwb",
    "lab",
    "lch",
    "oklab",
    "oklch",
    "color",
    "color-mix",
    "light-dark",
    "matrix",
    "matrix3d",
    "translate",
    "translatex",
    "translatey",
    "translatez",
    "translate3d",
    "scale",
    "scalex",
    "scaley",
    "rotate",
    "rotatex",
    "rotatey",
    "rotatez",
    "skew",
    "skewx",
    "skewy",
    "calc",
    "min",
    "max",
    "clamp",
    "var",
    "not",
    "is",
    "where",
    "lang",
    "nth-child",
    "nth-last-child",
    "nth-of-type",
    "nth-last-of-type",
];
/// Attributes that contain text or names, never a style.
const TEXT_ATTRIBUTES: [&str; 4] = ["id", "class", "lang", "version"];
/// Properties that no style may use, because they are expensive.
const EXPENSIVE_PROPERTIES: [&str; 3] = ["filter", MASKS[0], MASKS[1]];

/// Rejects an SVG that contains more than shapes. The error is the end of a sentence, for users.
pub(super) fn check(bytes: &[u8]) -> Result<(), String> {
    const NOT_AN_IMAGE: &str = "the response is not a supported image: PNG, JPEG, GIF, WebP, AVIF or SVG";
    let text = std::str::from_utf8(bytes).map_err(|_| NOT_AN_IMAGE)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !text.trim_start().starts_with('<') || !text.contains("<svg") {
        return Err(NOT_AN_IMAGE.into());
    }
    if bytes.len() > MAX_BYTES {
        return Err(format!("the SVG is larger than {} KiB", MAX_BYTES >> 10));
    }
    // A declared encoding could give the same bytes another meaning.
    let declared =
        text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")).map_or("", |(declared, _)| declared);
    if declared.contains("encoding") && !declared.to_ascii_lowercase().contains("utf-8") {
        return Err("the encoding of the SVG is not UTF-8".into());
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|_| "the SVG is damaged, too large, or has a document type".to_owned())?;
    if document.root_element().tag_name().name() != "svg" {
        return Err(NOT_AN_IMAGE.into());
    }
    let unsupported = document.descendants().find_map(unsupported);
    unsupported.map_or(Ok(()), |what| Err(format!("the SVG contains more than static shapes: {what}")))
}

/// The first thing in a node that is more than a shape.
fn unsupported(node: Node<'_, '_>) -> Option<String> {
    if node.is_pi() {
        return Some("a processing instruction".into());
    }
    if node.parent().is_some_and(|parent| parent.tag_name().name() == "style") && !node.is_text() {
        // Browsers ignore nodes between two parts of a style and read the parts as one text.
        return Some("a style in several parts".into());
    }
    if node.is_text() && node.parent().is_some_and(|parent| parent.tag_name().name() == "style") {
        let style = node.text().unwrap_or_default();
        return if is_external(style) || calls_others(style) {
            Some("a style with an external reference".into())
        } else {
            is_expensive(style)
        };
    }
    if !node.is_element() {
        return None;
    }
    let name: String = node.tag_name().name().chars().take(30).collect();
    if node.tag_name().namespace() != Some(NAMESPACE) || !ELEMENTS.contains(&&*name) {
        return Some(format!("`{name}`"));
    }
    let bad = node.attributes().find(|attribute| {
        let name = attribute.name().to_ascii_lowercase();
        let is_link = matches!(&*name, "href" | "src" | "base") && !attribute.value().starts_with('#');
        let is_style = name == "style" && is_expensive(attribute.value()).is_some();
        // Editors store layer names in attributes of their own namespace.
        let is_words = attribute.namespace().is_some() || TEXT_ATTRIBUTES.contains(&&*name) || is_note(&name);
        let calls = !is_words && calls_others(attribute.value());
        name.starts_with("on") || name == "filter" || is_link || is_style || calls || is_external(attribute.value())
    });
    let masked = MASKS.iter().any(|name| node.has_attribute(*name));
    if masked && node.ancestors().any(|node| matches!(node.tag_name().name(), "mask" | "clipPath")) {
        return Some("nested masks".into());
    }
    bad.map(|attribute| format!("`{}` of `{name}`", attribute.name().chars().take(30).collect::<String>()))
}

/// The first expensive property of a style. `mask-type` is allowed.
fn is_expensive(style: &str) -> Option<String> {
    let style = style.to_ascii_lowercase().replace("mask-type", "");
    EXPENSIVE_PROPERTIES.iter().find(|word| style.contains(**word)).map(|word| format!("a style with `{word}`"))
}

/// Whether an attribute is an annotation, such as `data-name` or `aria-label`.
fn is_note(name: &str) -> bool {
    name.starts_with("data-") || name.starts_with("aria-")
}

/// Whether a style uses a function that is not on the allowlist. A function is a name followed directly by a
/// parenthesis.
fn calls_others(style: &str) -> bool {
    let style = style.to_ascii_lowercase();
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii();
    style.match_indices('(').any(|(at, _)| {
        let name = style[..at].rsplit(|c| !is_of_name(c)).next().unwrap_or_default();
        !name.is_empty() && !FUNCTIONS.contains(&name)
    })
}

fn is_external(style: &str) -> bool {
    let style = style.to_ascii_lowercase();
    let mut urls = style.split("url(").skip(1).map(|rest| rest.trim_start().trim_start_matches(['"', '\'']));
    EXTERNAL_REFERENCES.iter().any(|way| style.contains(way)) || !urls.all(|target| target.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(inside: &str) -> String {
        format!(
            "<svg xmlns=\"{NAMESPACE}\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 9 9\">{inside}</svg>"
        )
    }

    #[test]
    fn static_shapes_are_accepted() {
        for inside in [
            "",
            "<path d='M0 0h9'/><g fill='#f00'><circle r='2'/></g>",
            "<defs><linearGradient id='a' xlink:href='#b'><stop offset='0'/></linearGradient></defs>\
             <rect fill='url(#a)' style=\"fill:url( '#a' );opacity:.5\" width='9' height='9'/>",
            "<g clip-path='url(#c)' mask='url(#m)'><path d='M0 0h9'/></g><clipPath id='c'><rect width='9'/></clipPath>\
             <mask id='m' style='mask-type:alpha'><rect width='9' fill='#fff'/></mask>",
            "<style>.a{fill:red}</style><title>On a cart</title><text>x</text><!-- drawn by hand -->",
            "<g transform='translate(1 2) rotate(45)' data-name='Layer (1) copy(2)' id='a(b)'><path d='M0 0h9'/></g>",
            "<style>path:not(.a):nth-child(2){fill:rgba(0,0,0,.5);r:calc(1px * (2 + 3))}</style>",
            "<rect style='fill:hsl(120deg 50% 50%);stroke:color-mix(in srgb, red, blue)'/>",
        ] {
            assert_eq!(check(svg(inside).as_bytes()), Ok(()), "{inside}");
        }
        assert_eq!(check(format!("\u{feff}<?xml version='1.0' encoding='UTF-8'?>\n{}", svg("")).as_bytes()), Ok(()));
    }

    #[test]
    fn anything_but_shapes_is_rejected() {
        for inside in [
            "<script>alert(1)</script>",
            "<SCRIPT/>",
            "<x:script xmlns:x='http://www.w3.org/1999/xhtml'>alert(1)</x:script>",
            "<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'/></foreignObject>",
            "<circle r='1' onload='alert(1)'/>",
            "<circle r='1' ONCLICK='alert(1)'/>",
            "<a href='https://example.org'><circle r='1'/></a>",
            "<image href='https://example.org/x.png'/>",
            "<use href='#a'/>",
            "<animate attributeName='href' to='javascript:alert(1)'/>",
            "<set attributeName='onload' to='alert(1)'/>",
            "<rect fill='url(https://example.org/#a)'/>",
            "<rect style='fill: u\\72l(https://example.org/)'/>",
            "<rect style='background: URL( \"//example.org\")'/>",
            "<linearGradient xlink:href='https://example.org/#a'/>",
            "<style>@import 'https://example.org/x.css';</style>",
            "<style>rect{fill:url(//example.org)}</style>",
            "<?xml-stylesheet href='https://example.org/x.css'?>",
            "<style>rect{fill:u<!-- -->rl(//example.org)}</style>",
            "<style>rect{fill:u<title/>rl(//example.org)}</style>",
            "<style>rect{fill:u<![CDATA[rl(//example.org)]]>}</style>",
            "<style><![CDATA[rect{fill:url(//example.org)}]]></style>",
            "<style>rect{fill:u&#114;l(//example.org)}</style>",
            "<rect fill='&#117;rl(//example.org)'/>",
            "<rect xml:base='//example.org'/>",
            "<svg><script/></svg>",
            "<desc><x xmlns='http://www.w3.org/1999/xhtml'/></desc>",
            "<filter id='a'/>",
            "<mask id='a'><rect mask='url(#b)'/></mask>",
            "<mask id='a' clip-path='url(#b)'/>",
            "<clipPath id='a'><g><path clip-path='url(#b)'/></g></clipPath>",
            "<clipPath id='a'><path style='clip-path:url(#b)'/></clipPath>",
            "<style>rect{MASK:url(#b)}</style><mask id='a'><rect/></mask>",
            "<g style='filter:blur(99px)'/>",
            "<g filter='blur(99px)'/>",
            "<pattern id='a'/>",
            "<style>rect{fill:src(//example.org)}</style>",
            "<style>rect{fill:src('//example.org')}</style>",
            "<style>rect{fill:SRC(\"//example.org\")}</style>",
            "<style>rect{background:image('//example.org')}</style>",
            "<style>rect{background:image-set('//example.org' 1x)}</style>",
            "<style>rect{background:-webkit-image-set('//example.org' 1x)}</style>",
            "<style>rect{background:cross-fade('//example.org', red)}</style>",
            "<style>rect{background:-webkit-cross-fade('//example.org', red, 50%)}</style>",
            "<style>rect{background:element(#a)}</style>",
            "<style>rect{background:-moz-element(#a)}</style>",
            "<style>rect{background:paint(a)}</style>",
            "<style>rect{background:-webkit-canvas(a)}</style>",
            "<style>rect{width:attr(href url)}</style>",
            "<style>rect{fill:ur\u{131}l(//example.org)}</style>",
            "<rect style='background:src(//example.org)'/>",
            "<rect fill='image(\"//example.org\")'/>",
            "<rect cursor='-webkit-image-set(\"//example.org\" 1x)'/>",
            &"<g/>".repeat(5_001),
        ] {
            assert!(check(svg(inside).as_bytes()).is_err(), "{inside}");
        }
        for whole in [
            "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg xmlns='http://www.w3.org/2000/svg'>&a;</svg>".to_owned(),
            "<html><svg xmlns='http://www.w3.org/2000/svg'/></html>".into(),
            "<svg><path/></svg>".into(),
            "<svg xmlns='http://www.w3.org/2000/svg'>".into(),
            format!("<?xml version='1.0' encoding='ISO-2022-JP'?>{}", svg("")),
            svg(&" ".repeat(MAX_BYTES)),
        ] {
            assert!(check(whole.as_bytes()).is_err(), "{}", &whole[..60.min(whole.len())]);
        }
    }
}
