//! What a result shows of the texts that were found.

use serde::Serialize;

use crate::{
    describe::ToSchema,
    domain::core::search::{Texts, folded},
};

const MAX_EXCERPT_CHARS: usize = 160;

/// A field that is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SearchField {
    /// Name; for a relationship, its label.
    Name,
    /// Id.
    Id,
    /// Type id.
    Type,
    /// Technologies.
    Technology,
    /// Tags.
    Tag,
    /// Names of the people and teams that are stakeholders.
    Owner,
    /// Description.
    Description,
    /// Text of a process or note.
    Text,
    /// Values of properties.
    Property,
}

/// The field that contains the words, or the first that contains one that the name does not, with the line that does.
pub(super) fn matched(texts: &Texts, words: &[String]) -> (SearchField, Option<String>) {
    let name = folded(&texts.name);
    let Some(word) = words.iter().find(|word| !name.contains(word.as_str())) else { return (SearchField::Name, None) };
    let fields = [
        (SearchField::Id, texts.id.as_str()),
        (SearchField::Type, texts.type_id.as_deref().unwrap_or_default()),
        (SearchField::Technology, &texts.technology),
        (SearchField::Tag, &texts.tags),
        (SearchField::Owner, &texts.owners),
        (SearchField::Description, &texts.description),
        (SearchField::Text, &texts.text),
        (SearchField::Property, &texts.properties),
    ];
    let found = fields.into_iter().find_map(|(field, text)| {
        let line = text.lines().find(|line| folded(line).contains(word.as_str()))?;
        Some((field, shortened(line)))
    });
    found.unwrap_or((SearchField::Name, None))
}

/// The first line of a text that contains one of the words; otherwise the first line.
pub(super) fn excerpt(text: &str, words: &[String]) -> Option<String> {
    let has = |line: &&str| {
        let line = folded(line);
        words.iter().any(|word| line.contains(word.as_str()))
    };
    shortened(text.lines().find(has).or(text.lines().next())?)
}

fn shortened(line: &str) -> Option<String> {
    let line = line.trim();
    (!line.is_empty()).then(|| match line.char_indices().nth(MAX_EXCERPT_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    })
}
