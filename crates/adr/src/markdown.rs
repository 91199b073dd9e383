//! Parts of texts that several readers recognize.

use super::Located;

/// The headings outside of code blocks: index of the line, level, and text. Some are underlined: [`is_underlined`].
pub(super) fn headings<'l>(lines: &'l [(usize, &'l str)]) -> impl Iterator<Item = (usize, usize, &'l str)> {
    let mut code: Option<&str> = None;
    lines.iter().enumerate().filter_map(move |(index, (_, line))| {
        let start = line.trim_start();
        match code {
            Some(fence) if start.starts_with(fence) => code = None,
            Some(_) => {}
            None => code = ["```", "~~~"].into_iter().find(|fence| start.starts_with(fence)),
        }
        if code.is_some() {
            return None;
        }
        let level = line.len() - line.trim_start_matches('#').len();
        let text = line.get(level..)?;
        let is_heading = (1..=6).contains(&level) && text.starts_with(' ');
        if is_heading {
            return Some((index, level, text.trim()));
        }
        let level = underline(lines, index)?;
        Some((index, level, line.trim()))
    })
}

/// Whether the line at this index is a heading because of the next line, as in `Title` and `=====`.
pub(super) fn is_underlined(lines: &[(usize, &str)], index: usize) -> bool {
    underline(lines, index).is_some() && !lines.get(index).is_some_and(|(_, line)| line.starts_with('#'))
}

/// The level that the line below a paragraph of one line makes of it.
fn underline(lines: &[(usize, &str)], index: usize) -> Option<usize> {
    let (line, below) = (lines.get(index)?.1, lines.get(index + 1)?.1.trim_end());
    let is_first =
        index.checked_sub(1).and_then(|above| lines.get(above)).is_none_or(|(_, above)| above.trim().is_empty());
    // Lists, quotes and code are no headings. Above dashes, neither are metadata and tables.
    let is_text = line.starts_with(|c: char| c.is_alphanumeric());
    if !is_first || !is_text || below.len() < 2 {
        return None;
    }
    let (mark, level) = if below.starts_with('=') { ('=', 1) } else { ('-', 2) };
    let is_ambiguous = mark == '-' && line.contains([':', '|']);
    (!is_ambiguous && below.chars().all(|c| c == mark)).then_some(level)
}

/// The names in a list with commas.
pub(super) fn names(list: &str, line: u32) -> Vec<Located<String>> {
    let names = list.split(',').map(|name| name.trim().trim_matches(['[', ']', '*', '_']).trim());
    names.filter(|name| !name.is_empty()).map(|name| Located { value: name.to_owned(), line }).collect()
}
