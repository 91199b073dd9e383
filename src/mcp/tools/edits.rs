//! Edits of a diagram. Repeated edits change nothing: an edit whose result is in the diagram was made before.

use serde::Deserialize;

use crate::{
    describe::ToSchema,
    domain::{input::objects, map::processes::Mermaid},
    error::{Error, FieldPath, Problem, Result},
};

/// A change of a part of a diagram.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Edit {
    old_text: String,
    new_text: String,
}

objects!(Edit);

/// A diagram after edits, each of a text that occurs once, and the positions of the edits that were made before. If the
/// caller `has_read` the diagram, all edits are new.
pub(super) fn apply(mut text: String, edits: Vec<Edit>, has_read: bool) -> Result<(Mermaid, Vec<usize>)> {
    let mut made_before = Vec::new();
    for (index, Edit { old_text, new_text }) in edits.into_iter().enumerate() {
        let field = FieldPath::item("edits", index).field("oldText");
        if old_text.is_empty() {
            return Err(Error::invalid(field, Problem::REQUIRED));
        }
        let mut places = text.match_indices(old_text.as_str()).map(|(place, _)| place);
        let (first, is_unique) = (places.next(), places.next().is_none());
        if !has_read && is_made(&text, &old_text, &new_text) {
            made_before.push(index);
            continue;
        }
        match first {
            None => return Err(Error::invalid(field, "is not in the diagram; read it with get_process")),
            Some(_) if !is_unique => {
                return Err(Error::invalid(field, "occurs more than once in the diagram; add surrounding text"));
            }
            Some(place) => text.replace_range(place..place + old_text.len(), &new_text),
        }
    }
    Ok((Mermaid::new(&text)?, made_before))
}

/// Whether the edit was made: the new text occurs once, and the old one only within it.
fn is_made(text: &str, old: &str, new: &str) -> bool {
    let mut places = text.match_indices(new).map(|(place, _)| place);
    let (Some(new_place), None) = (places.next().filter(|_| !new.is_empty()), places.next()) else { return false };
    // No occurrence of the old text is outside of the new one.
    let is_within = |(place, _): (usize, &str)| (new_place..new_place + new.len()).contains(&place);
    old != new && text.match_indices(old).all(is_within)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(text: &str, edits: &[(&str, &str)], has_read: bool) -> Result<(String, Vec<usize>)> {
        let edits = edits.iter().map(|(old, new)| Edit { old_text: (*old).into(), new_text: (*new).into() }).collect();
        apply(text.into(), edits, has_read).map(|(text, made)| (text.as_str().to_owned(), made))
    }

    #[test]
    fn repeated_edits_change_nothing() {
        let before = "sequenceDiagram\n  A->>B: one\n  B->>C: two\n  C->>A: three";
        let cases: [&[(&str, &str)]; 5] = [
            // What replaces a text, comes after it, before it, around it, and several of these.
            &[("B->>C: two", "B->>C: second")],
            &[("A->>B: one", "A->>B: one\n  A->>C: new")],
            &[("A->>B: one", "C->>A: new\n  A->>B: one")],
            &[("A->>B: one", "loop twice\n  A->>B: one\n  A->>B: one\n  end")],
            &[("A->>B: one", "A->>B: one\n  A->>C: new"), ("C->>A: three", "C->>A: third")],
        ];
        for edits in cases {
            let (after, made) = edit(before, edits, false).unwrap();
            assert!(after != before && made.is_empty(), "{edits:?}");
            let all: Vec<usize> = (0..edits.len()).collect();
            assert_eq!(edit(&after, edits, false).unwrap(), (after, all), "{edits:?}");
        }
    }

    #[test]
    fn an_edit_that_was_not_made_is_made() {
        let text = "sequenceDiagram\n  A->>B: one\n  B->>C: two";
        // The new text is elsewhere, but not in this place.
        let edits = [("A->>B: one", "B->>C: two")];
        assert_eq!(edit(text, &edits, false).unwrap().0, "sequenceDiagram\n  B->>C: two\n  B->>C: two");
        // A caller that has read the diagram adds the line a second time.
        let edits = [("A->>B: one", "A->>B: one\n  B->>C: two")];
        assert_eq!(edit(text, &edits, false).unwrap(), (text.into(), vec![0]));
        let twice = "sequenceDiagram\n  A->>B: one\n  B->>C: two\n  B->>C: two";
        assert_eq!(edit(text, &edits, true).unwrap(), (twice.into(), Vec::new()));
    }

    #[test]
    fn a_text_that_is_edited_occurs_once() {
        let text = "sequenceDiagram\n  A->>B: one\n  A->>B: two";
        for (old, why) in [("", "is required"), ("C", "is not in the diagram"), ("A->>B", "more than once")] {
            let error = edit(text, &[(old, "A->>C")], false).unwrap_err().to_string();
            assert!(error.starts_with("edits[0].oldText: ") && error.contains(why), "{error}");
        }
        // A missing text can have been deleted by the edit, or have never existed.
        assert!(edit(text, &[("C", "")], false).is_err());
    }
}
