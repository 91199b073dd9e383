//! Parts of texts that several readers recognize.

use super::Located;

/// The headings outside of code blocks: index of the line, level, and text.
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
        is_heading.then(|| (index, level, text.trim()))
    })
}

/// The names in a list with commas.
pub(super) fn names(list: &str, line: u32) -> Vec<Located<String>> {
    let names = list.split(',').map(|name| name.trim().trim_matches(['[', ']', '*', '_']).trim());
    names.filter(|name| !name.is_empty()).map(|name| Located { value: name.to_owned(), line }).collect()
}
