//! Parses the first line of a `box`: a color and a title.

use super::{
    diagram::GroupBox,
    source::{is_space, is_word, run, trim},
    text::{display, unwrapped},
};

/// The named colors of CSS.
const COLORS: &str = " aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet \
brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson currentcolor cyan darkblue \
darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred \
darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue \
dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green \
greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue \
lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen \
lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon \
mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen \
mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab \
orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum \
powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver \
skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato transparent turquoise violet \
wheat white whitesmoke yellow yellowgreen ";

/// Parses the text after `box`.
pub(super) fn group_box(line: &str) -> GroupBox {
    let length = function(line).unwrap_or_else(|| run(line, is_word));
    let (color, title) = line.split_at(length);
    let color = trim(color);
    let (color, title) = match color {
        "" => ("transparent", trim(title)),
        color if is_color(color) => (color, trim(title)),
        _ => ("transparent", trim(line)),
    };
    let title = unwrapped(title);
    GroupBox { title: (!title.is_empty()).then(|| display(title)), color: color.to_owned() }
}

/// The length of a color function such as `rgb(…)`, up to the last parenthesis of the line.
fn function(line: &str) -> Option<usize> {
    let name = ["rgba", "rgb", "hsla", "hsl"].into_iter().find(|name| line.starts_with(name))?.len();
    let blank = run(&line[name..], is_space);
    line[name + blank..].starts_with('(').then(|| line.rfind(')')).flatten().map(|close| close + 1)
}

fn is_color(text: &str) -> bool {
    if let Some((_, values)) = text.split_once('(') {
        let values = values.strip_suffix(')').unwrap_or(values);
        let parts = || values.split([',', '/', ' ']).map(trim).filter(|part| !part.is_empty());
        let value = |part: &str| part.trim_end_matches(['%', 'd', 'e', 'g']).parse::<f64>().is_ok_and(f64::is_finite);
        return (3..=4).contains(&parts().count()) && parts().all(value);
    }
    text.len() < 30 && COLORS.contains(&format!(" {} ", text.to_ascii_lowercase()))
}
