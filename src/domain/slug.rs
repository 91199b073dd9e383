//! Ids derived from names, for requests without an id.

use std::collections::{HashMap, HashSet};

use crate::{
    auth::keys,
    error::{Error, Result},
};

/// Derives a kebab-case id from `name`: lowercase letters of any script, digits, and dashes. Never empty.
pub(super) fn from_name(name: &str) -> String {
    kebab(name, |c| c.is_alphanumeric() && !import::is_hidden(c), "item")
}

/// Like [`from_name`], with ASCII letters and digits only, and at most 50 characters.
pub(super) fn ascii(name: &str) -> String {
    kebab(name, |c| c.is_ascii_alphanumeric(), "item").chars().take(50).collect::<String>().trim_matches('-').into()
}

/// Like [`ascii`], with at least 2 characters, and short enough for [`free`] to append a number. `what` replaces an
/// empty id and prefixes an id of 1 character.
pub(super) fn strict(name: &str, what: &str) -> String {
    let slug: String = kebab(name, |c| c.is_ascii_alphanumeric(), what).chars().take(40).collect();
    match slug.trim_matches('-') {
        slug if slug.len() < 2 => format!("{what}-{slug}"),
        slug => slug.to_owned(),
    }
}

/// Creates many unique ids. The same names in the same order result in the same ids.
pub(super) struct Numbering {
    taken: HashSet<String>,
    /// The last number tried, by base. The base itself is number 1.
    last: HashMap<String, u32>,
}

impl Numbering {
    /// Starts with the ids that are taken.
    pub(super) fn beside(taken: impl IntoIterator<Item = String>) -> Self {
        Self { taken: taken.into_iter().collect(), last: HashMap::new() }
    }

    /// Reserves `base`, or the first free id of `base-2`, `base-3`, …. Each number is tried only once.
    pub(super) fn take(&mut self, base: String) -> String {
        let last = self.last.entry(base.clone()).or_default();
        loop {
            *last += 1;
            let id = if *last == 1 { base.clone() } else { format!("{base}-{last}") };
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}

/// The given id of a new `what`, or without one a free id derived from `base`. Fails if the given id is taken.
pub(super) fn chosen(
    what: &str,
    given: Option<impl Into<String>>,
    base: impl FnOnce() -> String,
    taken: impl Fn(&str) -> Result<bool>,
) -> Result<String> {
    match given.map(Into::into) {
        Some(id) if taken(&id)? => Err(Error::Conflict(format!("a {what} with the id `{id}` exists already"))),
        Some(id) => Ok(id),
        None => free(&base(), taken),
    }
}

/// Number of numbered variants to try before a random suffix is used.
const MAX_NUMBERED_ATTEMPTS: u32 = 50;

/// `base`, or the first free id of `base-2`, `base-3`, …. After [`MAX_NUMBERED_ATTEMPTS`]
/// variants, an id with a random suffix.
pub(super) fn free(base: &str, taken: impl Fn(&str) -> Result<bool>) -> Result<String> {
    let numbered = (2..=MAX_NUMBERED_ATTEMPTS).map(|number| format!("{base}-{number}"));
    let random = std::iter::repeat_with(|| format!("{base}-{:08x}", u32::from_le_bytes(keys::random())));
    for candidate in std::iter::once(base.to_owned()).chain(numbered).chain(random) {
        if !taken(&candidate)? {
            return Ok(candidate);
        }
    }
    unreachable!("the last iterator never ends")
}

fn kebab(name: &str, keep: impl Fn(char) -> bool, otherwise: &str) -> String {
    let words: Vec<String> = name.split(|c| !keep(c)).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let slug: String = words.join("-").chars().take(100).collect();
    match slug.trim_matches('-') {
        "" => otherwise.to_owned(),
        slug => slug.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_readable_ids() {
        assert_eq!(from_name("Checkout Service (v2)"), "checkout-service-v2");
        assert_eq!(from_name("Заказ сервис"), "заказ-сервис");
        assert_eq!(from_name("???"), "item");
        assert_eq!(from_name(&"long ".repeat(50)).chars().count(), 99);
        assert_eq!(ascii("Größe 1"), "gr-e-1");
        assert_eq!(strict("Business Owner", "role"), "business-owner");
        assert_eq!((strict("X", "role"), strict("漢字", "role")), ("role-x".into(), "role".into()));
        assert_eq!(strict(&"a".repeat(80), "role").len(), 40);
    }

    #[test]
    fn taken_ids_are_numbered_without_limit() {
        let mut numbering = Numbering::beside(["api-3".to_owned()]);
        let made: Vec<String> = (0..1_000).map(|_| numbering.take("api".into())).collect();
        assert_eq!((&*made[0], &*made[1], &*made[2], &*made[999]), ("api", "api-2", "api-4", "api-1001"));
        assert_eq!(numbering.take("api-3".into()), "api-3-2");
    }

    #[test]
    fn taken_ids_get_a_number() {
        let taken = |id: &str| Ok(["api", "api-2"].contains(&id));
        assert_eq!(free("api", taken).unwrap(), "api-3");
        assert_eq!(free("web", taken).unwrap(), "web");
        let crowded = |id: &str| Ok(id.len() < 12);
        assert_eq!(free("api", crowded).unwrap().len(), "api-01234567".len());
    }
}
