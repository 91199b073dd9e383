//! Labels: HTML with placeholders.

use crate::secrets::is_secret;

/// Maximum length of a label after placeholders are replaced, in bytes.
const MAX_BYTES: usize = 64 << 10;
/// Maximum number of placeholders of a label that are replaced.
const MAX_PLACEHOLDERS: usize = 100;

/// A label whose placeholders `%name%` are replaced by attributes.
pub(crate) fn replaced(label: &str, attributes: &[(String, String)]) -> String {
    let (mut out, mut rest, mut count) = (String::new(), label, 0);
    while let Some(at) = rest.find('%').filter(|_| count < MAX_PLACEHOLDERS) {
        count += 1;
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let found = rest.find('%').filter(|end| *end <= 100).and_then(|end| {
            let name = &rest[..end];
            let value = attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
            let value = value.filter(|_| !is_secret(name));
            // Missing attributes are empty, and other text between percent signs stays.
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
            value.or(is_name.then_some("")).map(|value| (value, end))
        });
        match found {
            Some((value, end)) if out.len() + value.len() <= MAX_BYTES => {
                out.push_str(value);
                rest = &rest[end + 1..];
            }
            _ => out.push('%'),
        }
    }
    out + rest
}

/// The text of a label without tags, with spaces where lines end.
pub(crate) fn plain(label: &str) -> String {
    let (mut out, mut rest) = (String::new(), label);
    // Known once, because a text can contain many `<`.
    let last_end = label.rfind('>').unwrap_or(0);
    while let Some(at) = rest.find(['<', '&']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (text, length) = match rest.starts_with('<') {
            true if label.len() - rest.len() < last_end => tag(rest),
            true => ("<".into(), 1),
            false => entity(rest),
        };
        out.push_str(&text);
        rest = &rest[length..];
    }
    out.push_str(rest);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a tag becomes, and its length.
fn tag(text: &str) -> (String, usize) {
    let begins = text[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
    match begins.then(|| text.find('>')).flatten() {
        Some(end) => {
            let name: String =
                text[1..end].trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
            let is_inline = matches!(
                name.to_ascii_lowercase().as_str(),
                "b" | "i" | "u" | "s" | "span" | "font" | "a" | "sub" | "sup" | "strong" | "em" | "code"
            );
            (if is_inline { String::new() } else { " ".into() }, end + 1)
        }
        None => ("<".into(), 1),
    }
}

/// What a character reference becomes, and its length.
fn entity(text: &str) -> (String, usize) {
    let Some(end) = text[..text.floor_char_boundary(12)].find(';') else { return ("&".into(), 1) };
    let name = &text[1..end];
    let number = match name.strip_prefix('#') {
        Some(hex) if hex.starts_with(['x', 'X']) => u32::from_str_radix(&hex[1..], 16).ok(),
        Some(number) => number.parse().ok(),
        None => None,
    };
    let c = match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => number.and_then(char::from_u32),
    };
    c.map_or_else(|| ("&".into(), 1), |c| (c.to_string(), end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_plain_texts() {
        for (label, text) in [
            ("<b>Web</b><div>[Container:&nbsp;Rust]</div>", "Web [Container: Rust]"),
            ("Amazon<br>API&amp;<span style=\"x\">Gate</span>way<br/>", "Amazon API&Gateway"),
            ("a < b && c > d", "a < b && c > d"),
            ("&#228;&#xe4;&unknown;&", "ää&unknown;&"),
            ("<", "<"),
            ("<b", "<b"),
            ("", ""),
        ] {
            assert_eq!(plain(label), text, "{label}");
        }
    }

    #[test]
    fn missing_ends_of_tags_are_not_looked_for_again() {
        // Would take minutes if the end of each tag were looked for in the whole label.
        for label in ["<a".repeat(2_000_000), "<".repeat(2_000_000)] {
            assert_eq!(plain(&format!("<b>{label}")), label);
        }
    }

    #[test]
    fn placeholders_are_replaced() {
        let attributes = [("c4Name".to_owned(), "Web".to_owned()), ("x".to_owned(), "%c4Name%".to_owned())];
        for (label, text) in
            [("<b>%c4Name%</b> %x%", "<b>Web</b> %c4Name%"), ("%none%50% of %c4Name%", "50% of Web"), ("100%", "100%")]
        {
            assert_eq!(replaced(label, &attributes), text, "{label}");
        }
    }
}
