//! Finds words in the texts of a component, as the text filter of the web client does (`core/search/fuzzy.ts`): without
//! case and accents, and in the name also the letters of a word in order.

use std::borrow::Cow;

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup},
};

/// The words of a text to search for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Terms(Vec<String>);

impl Terms {
    /// Splits a text into words.
    pub(super) fn new(text: &str) -> Self {
        // JavaScript's white space: without the control character U+0085, and with the byte order mark.
        let is_space = |one: char| (one.is_whitespace() && one != '\u{85}') || one == '\u{feff}';
        Self(fold(text).split(is_space).filter(|word| !word.is_empty()).map(str::to_owned).collect())
    }

    /// Whether all words are found. There is at least one.
    pub(super) fn match_texts(&self, texts: &Texts) -> bool {
        let is_found = |word: &String| texts.all.contains(word.as_str()) || is_abbreviation(word, &texts.name);
        !self.0.is_empty() && self.0.iter().all(is_found)
    }
}

/// The texts of a component without case and accents.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts {
    name: String,
    /// All texts, including the name, each in a line.
    all: String,
}

impl Texts {
    /// The texts of a component with this name and other texts.
    pub(super) fn new<'t>(name: &str, others: impl IntoIterator<Item = Cow<'t, str>>) -> Self {
        let mut all = name.to_owned();
        for text in others {
            all.push('\n');
            all.push_str(&text);
        }
        Self { name: fold(name), all: fold(&all) }
    }
}

/// Removes case and accents.
fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let decomposed = DecomposingNormalizerBorrowed::new_nfkd().normalize(text);
    let without_marks: String = decomposed.chars().filter(|one| !is_in(*one, GeneralCategoryGroup::Mark)).collect();
    without_marks.to_lowercase()
}

fn is_in(character: char, group: GeneralCategoryGroup) -> bool {
    group.contains(CodePointMapData::<GeneralCategory>::new().get(character))
}

/// Whether a text contains the letters of a word in order, the first one at the start of a word, with few others in
/// between: `pmt` is in `payments`. Each letter is the next such letter of the text, even if a later one would leave
/// smaller gaps. Lengths are in UTF-16 units, as in JavaScript.
fn is_abbreviation(word: &str, text: &str) -> bool {
    let length = word.chars().map(char::len_utf16).sum::<usize>();
    if length < 2 {
        return false;
    }
    let (mut rest, mut skipped) = (text, 0);
    for (index, letter) in word.chars().enumerate() {
        let Some(at) = rest.find(letter) else { return false };
        let between = &rest[..at];
        if index > 0 {
            skipped += between.chars().map(char::len_utf16).sum::<usize>();
        } else if between.chars().next_back().is_some_and(is_letter) {
            return false;
        }
        rest = &rest[at + letter.len_utf8()..];
        // JavaScript searches from the second unit of a letter with two.
        let is_last = index + 1 == word.chars().count();
        skipped += if is_last { 0 } else { letter.len_utf16() - 1 };
    }
    skipped <= 3 * length
}

/// Whether a character is a letter or digit. JavaScript sees only half of characters of two UTF-16 units, which is
/// neither.
fn is_letter(character: char) -> bool {
    let is_in = |group| is_in(character, group);
    character.len_utf16() == 1 && (is_in(GeneralCategoryGroup::Letter) || is_in(GeneralCategoryGroup::Number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(query: &str, name: &str, other: &str) -> bool {
        Terms::new(query).match_texts(&Texts::new(name, [Cow::Borrowed(other)]))
    }

    #[test]
    fn case_accents_and_forms_of_letters_are_ignored() {
        assert_eq!(fold("Größe ﬁn Ä ÅNGSTRÖM Ⅳ नमस्ते"), "große fin a angstrom iv नमसत");
        assert!(!found("GROSSE", "x", "Große"), "ß is a letter of its own");
        assert!(found("cafe money", "Café", "takes MONEY"));
        assert!(!found("cafe other", "Café", "takes MONEY"));
    }

    #[test]
    fn letters_of_the_name_are_found_in_order() {
        assert!(found("pmt", "Payments", ""));
        assert!(found("ws", "Web Store", ""));
        assert!(!found("pmt", "", "Payments"), "only in the name");
        assert!(!found("aymt", "Payments", ""), "from the start of a word");
        assert!(!found("nr", "Night worker", ""), "with small gaps");
        assert!(!found("p", "Night worker", ""), "one letter has to be in the text");
    }

    #[test]
    fn no_words_match_nothing() {
        for query in ["", "  ", "\u{feff}\u{a0}"] {
            assert!(!found(query, "Payments", ""), "{query:?}");
        }
    }
}
