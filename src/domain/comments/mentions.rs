//! Users that messages mention: `@` and a login.

use super::store;
use crate::{
    domain::{
        core::{Core, Reads, ViewTx},
        users::{self, Profile},
    },
    error::Result,
};

/// Maximum number of users that a message mentions. Others are text.
const MAX_MENTIONS: usize = 20;
/// Maximum number of words that are compared with logins, so that a long text costs no more than a short one.
const MAX_WORDS: usize = 100;

/// Users whom a text mentions and who can view the workspace.
pub(super) fn of(tx: &ViewTx<'_>, text: &str) -> Result<Vec<Profile>> {
    let mut found: Vec<Profile> = Vec::new();
    for word in words(text).take(MAX_WORDS) {
        for login in logins(word) {
            let Some((user, _)) = users::by_login(tx.core().conn, login)? else { continue };
            let is_new = found.iter().all(|known| known.id != user.id);
            if is_new && tx.core().level_of(tx.workspace(), user.id)?.is_some() {
                found.push(users::profile_of(tx.core(), user.id)?);
            }
            break;
        }
        if found.len() >= MAX_MENTIONS {
            break;
        }
    }
    Ok(found)
}

/// Replaces a user who is erased: their login in messages and reviews that mention them, and their name in imported messages.
pub(in crate::domain) fn erase_user(
    core: &Core<'_>,
    user_id: i64,
    (old_login, new_login): (&str, &str),
    (old_name, new_name): (&str, &str),
) -> Result<()> {
    for (workspace_pk, thread, id, text) in store::messages::containing(core.conn, user_id, &format!("@{old_login}"))? {
        core.check_alive()?;
        store::messages::rewrite(core.conn, (workspace_pk, &thread, id), &replaced(&text, old_login, new_login))?;
    }
    for (id, text) in store::messages::reviews_containing(core.conn, user_id, &format!("@{old_login}"))? {
        core.check_alive()?;
        store::messages::rewrite_review(core.conn, id, &replaced(&text, old_login, new_login))?;
    }
    store::messages::rename_imported(core.conn, user_id, old_name, new_name)
}

/// What follows each `@` that begins a word, up to white space.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('@').filter_map(|(at, _)| {
        let before = text[..at].chars().next_back();
        let starts = before.is_none_or(|before| !before.is_alphanumeric() && before != '@' && before != '/');
        let rest = &text[at + 1..];
        let word = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
        (starts && !word.is_empty()).then_some(word)
    })
}

/// The logins that a word can stand for: the whole word, and without the punctuation at its end.
fn logins(word: &str) -> impl Iterator<Item = &str> {
    let bare = word.trim_end_matches(|one: char| !one.is_alphanumeric());
    let shortest =
        &word[..word.find(|one: char| !one.is_alphanumeric() && !"._-+@".contains(one)).unwrap_or(word.len())];
    let shortest = shortest.trim_end_matches(|one: char| !one.is_alphanumeric());
    [word, bare, shortest].into_iter().filter(|login| !login.is_empty())
}

/// The text with another login in its mentions.
fn replaced(text: &str, old: &str, new: &str) -> String {
    let mut changed = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let (before, after) = rest.split_at(at + 1);
        changed.push_str(before);
        let word = &after[..after.find(char::is_whitespace).unwrap_or(after.len())];
        match logins(word).find(|login| login.eq_ignore_ascii_case(old)) {
            Some(login) => {
                changed.push_str(new);
                rest = &after[login.len()..];
            }
            None => rest = after,
        }
    }
    changed + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_after_an_at_sign_is_a_login() {
        let found: Vec<Vec<&str>> = words("@ada, (@grace) ada@example.org @a.b@example.org. @@x @")
            .map(|word| logins(word).collect())
            .collect();
        let expected = [
            vec!["ada,", "ada", "ada"],
            vec!["grace)", "grace", "grace"],
            vec!["a.b@example.org.", "a.b@example.org", "a.b@example.org"],
            vec!["@x", "@x", "@x"],
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_login_is_replaced_only_where_it_is_the_whole_word() {
        let text = "@Ada, please ask @adamant and @ada's team. ada stays.";
        assert_eq!(
            replaced(text, "ada", "erased-1"),
            "@erased-1, please ask @adamant and @erased-1's team. ada stays."
        );
        assert_eq!(replaced("@a.b@c.de.", "a.b@c.de", "x"), "@x.");
    }
}
