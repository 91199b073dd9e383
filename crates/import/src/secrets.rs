//! Removes secrets from texts, because any text of a source can contain a password.
//!
//! A text keeps its meaning: what is removed is the secret alone, or the parameter of an address that contains it.

use std::borrow::Cow;

/// Maximum length of a text, in bytes. All texts of a reading are shorter.
const MAX_TEXT_BYTES: usize = 64 << 10;
/// Maximum length of a value whose end is looked for, in bytes. Bounds the time.
const MAX_BYTES: usize = 512;
/// Maximum length of a name, in bytes.
const MAX_NAME_BYTES: usize = 64;
/// What replaces a secret.
const REMOVED: &str = "…";

/// Whether the name of a property, variable or parameter says that its value is a secret.
pub(super) fn is_secret(name: &str) -> bool {
    const PARTS: [&str; 20] = [
        "password",
        "passwd",
        "passphrase",
        "passcode",
        "pwd",
        "secret",
        "token",
        "bearer",
        "apikey",
        "credential",
        "privatekey",
        "accesskey",
        "accountkey",
        "sharedkey",
        "signingkey",
        "encryptionkey",
        "sshkey",
        "signature",
        "connectionstring",
        "connstr",
    ];
    let words = words(name);
    let joined = words.concat();
    let last = words.last().map_or("", String::as_str);
    PARTS.iter().any(|part| joined.contains(part))
        || words.iter().any(|word| matches!(word.as_str(), "dsn" | "sas"))
        || matches!(last, "pass" | "auth" | "authorization" | "creds" | "cred")
}

/// The words of a name in lowercase: `dbPass`, `DB_PASS` and `db-pass` are `db` and `pass`.
fn words(name: &str) -> Vec<String> {
    let (mut words, mut last): (Vec<String>, char) = (Vec::new(), ' ');
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let is_start =
            c.is_ascii_uppercase() && (last.is_ascii_lowercase() || rest.peek().is_some_and(char::is_ascii_lowercase));
        if c.is_ascii_alphanumeric() {
            match words.last_mut().filter(|_| last.is_ascii_alphanumeric() && !is_start) {
                Some(word) => word.push(c.to_ascii_lowercase()),
                None => words.push(c.to_ascii_lowercase().to_string()),
            }
        }
        last = c;
    }
    words
}

/// What a text contains if it may have a kind of secret, and how this is removed.
type Step = (&'static str, fn(&str) -> String);

/// A text without secrets: user names and passwords in addresses, secret parameters of addresses, values of assignments
/// such as `Password=…`, bearer tokens, and private keys. Very long texts are cut.
pub(super) fn without_secrets(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(&text[..text.floor_char_boundary(MAX_TEXT_BYTES)]);
    let steps: [Step; 6] = [
        ("-----", without_keys),
        ("://", without_user_info),
        ("@", without_logins),
        ("${", without_defaults),
        ("=", without_values),
        (" ", without_tokens),
    ];
    for (sign, step) in steps {
        if text.contains(sign) {
            text = Cow::Owned(step(&text));
        }
    }
    text
}

/// Removes keys and certificates, which begin with `-----BEGIN`. Keys of rows are in lowercase.
fn without_keys(text: &str) -> String {
    const DASHES: &str = "-----";
    let lower = text.to_ascii_lowercase();
    let (mut clean, mut from) = (String::with_capacity(text.len()), 0);
    while let Some(at) = lower[from..].find("-----begin") {
        clean.push_str(&text[from..from + at]);
        clean.push_str(REMOVED);
        let end = lower[from + at..].find("-----end").map(|end| from + at + end + DASHES.len());
        let end = end.and_then(|end| Some(end + lower[end..].find(DASHES)? + DASHES.len()));
        from = end.unwrap_or(text.len());
    }
    clean + &text[from..]
}

/// Removes user names, passwords and secret parameters from addresses.
fn without_user_info(text: &str) -> String {
    const BEFORE: &str = "://";
    let (mut clean, mut from, mut word_end) = (String::with_capacity(text.len()), 0, 0);
    while let Some(at) = text[from..].find(BEFORE) {
        let start = from + at + BEFORE.len();
        clean.push_str(&text[from..start]);
        if word_end <= start {
            let end = text[start..].find(|c: char| c.is_whitespace() || c == '"');
            word_end = end.map_or(text.len(), |end| start + end);
        }
        let whole = &text[start..word_end];
        let authority = &whole[..whole.find(['/', '?', '#']).unwrap_or(whole.len())];
        // A password can contain characters that end the authority. A port is a number.
        let has_password =
            authority.split_once(':').is_some_and(|(host, port)| !host.starts_with('[') && !is_port(port));
        let searched = if has_password && !authority.contains('@') { beginning(whole) } else { authority };
        let host = searched.rfind('@').map_or(0, |at| at + 1);
        // The next address in the same word is cleaned for itself.
        let address = &whole[host..];
        let address = &address[..address.find(BEFORE).unwrap_or(address.len())];
        let address = &address[..address.find(['<', '>']).unwrap_or(address.len())];
        clean.push_str(&without_parameters(address));
        from = start + host + address.len();
    }
    clean + &text[from..]
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Removes the secret parameters of an address.
fn without_parameters(address: &str) -> String {
    let end = address.trim_end_matches([')', ']', '\'', '`', '.', ',', ';', ':', '!', '*', '_', '|']).len();
    let (address, after) = address.split_at(end);
    let is_delimiter = |c: char| matches!(c, '?' | '&' | '#');
    let first = address.find(is_delimiter).unwrap_or(address.len());
    let (path, mut rest) = address.split_at(first);
    let (mut clean, mut opening) = (path.to_owned(), None);
    while let Some(delimiter) = rest.chars().next() {
        let end = rest[1..].find(is_delimiter).map_or(rest.len(), |end| end + 1);
        let parameter = &rest[1..end];
        rest = &rest[end..];
        // Removing the first parameter leaves its question mark to the next one.
        let delimiter = if delimiter == '&' { opening.take().unwrap_or(delimiter) } else { delimiter };
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let is_key = match name.to_ascii_lowercase().as_str() {
            "sig" => true,
            "key" | "code" => value.len() >= 16,
            _ => false,
        };
        if !value.is_empty() && (is_secret(name) || is_key) {
            opening = (delimiter != '&').then_some(delimiter);
            continue;
        }
        opening = None;
        clean.push(delimiter);
        clean.push_str(parameter);
    }
    clean + after
}

/// Removes `user:password@` before `tcp(…)`, a host with a port, and a host with a path.
fn without_logins(text: &str) -> String {
    let is_end = |c: char| c.is_whitespace() || "\"'<>".contains(c);
    // Computed once, because a text can contain many `@` signs.
    let signs = text.match_indices('@').filter_map(|(at, _)| Some((at, server(&text[at + 1..])?)));
    let servers: Vec<(usize, Server)> = signs.collect();
    let (mut clean, mut from, mut word_end) = (String::with_capacity(text.len()), 0, 0);
    while let Some(first) = text[from..].find('@').map(|at| from + at) {
        let floor = text.ceil_char_boundary(first.saturating_sub(4 * MAX_NAME_BYTES).max(from));
        let word = text[floor..first].char_indices().rfind(|(_, c)| is_end(*c));
        let word = word.map_or(floor, |(at, c)| floor + at + c.len_utf8());
        let login = text[word..first].find(':').map(|colon| {
            let user =
                text[word..word + colon].rfind(['=', '(', '[', '{', ',', ';', '|']).map_or(word, |at| word + at + 1);
            (user, word + colon)
        });
        let login = login.filter(|(user, colon)| {
            let (name, password) = (&text[*user..*colon], &text[colon + 1..first]);
            !name.is_empty() && !password.is_empty() && name != "mailto" && !password.starts_with("//")
        });
        if word_end <= first {
            word_end = text[first..].find(is_end).map_or(text.len(), |end| first + end);
        }
        // A password can contain `@`.
        let server = login.and_then(|(user, _)| {
            let end = word_end.min(first + beginning(&text[first..]).len());
            let place = |at: usize| servers.partition_point(|(known, _)| *known < at);
            let mut near = servers[place(first)..place(end)].iter().rev().take(MAX_NAME_BYTES);
            Some((user, near.find(|(_, server)| server.can_follow(&text[user..first]))?.0))
        });
        let (kept, next) = server.map_or((first + 1, first + 1), |(user, at)| (user, at + 1));
        clean.push_str(&text[from..kept]);
        from = next;
    }
    clean + &text[from..]
}

/// The address of a server after a login.
#[derive(Clone, Copy)]
enum Server {
    /// `tcp(db:3306)`
    Protocol,
    /// `db:3306`
    Port,
    /// `db.example.org/shop`
    Path,
}

impl Server {
    /// Whether the text before the server can be a login.
    fn can_follow(self, login: &str) -> bool {
        match self {
            Self::Protocol => true,
            Self::Port => !login.contains(','),
            Self::Path => !login.contains([',', '/']),
        }
    }
}

/// Recognizes a server at the beginning of a text.
fn server(text: &str) -> Option<Server> {
    let host = &text[..text.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c)).unwrap_or(text.len())];
    let after = &text[host.len()..];
    if host.is_empty() || host == "sha256" {
        return None;
    }
    let digits = after.strip_prefix(':').map_or(0, |port| port.bytes().take_while(u8::is_ascii_digit).count());
    let is_port = (2..=5).contains(&digits) && !after[1 + digits..].starts_with(|c: char| c.is_alphanumeric());
    let is_name = host.contains('.') && host.contains(|c: char| c.is_ascii_alphabetic());
    let is_protocol = ["tcp", "udp", "unix", "cloudsql"].iter().any(|known| host.starts_with(known));
    if is_protocol && after.starts_with('(') {
        Some(Server::Protocol)
    } else if is_port {
        Some(Server::Port)
    } else {
        (after.starts_with('/') && is_name).then_some(Server::Path)
    }
}

/// Removes the default values of secret variables: `${PASSWORD:-hunter2}` becomes `${PASSWORD}`.
fn without_defaults(text: &str) -> String {
    let (mut clean, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find("${") {
        clean.push_str(&rest[..at + 2]);
        rest = &rest[at + 2..];
        let near = beginning(rest);
        let length = near.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(near.len());
        let (name, operation) = near.split_at(length);
        if is_secret(name) && operation.starts_with([':', '-', '+']) {
            clean.push_str(name);
            rest = &rest[name.len()..];
            rest = &rest[closing(rest)..];
        }
    }
    clean + rest
}

/// The position of the brace that closes an expression, or its length.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return at,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Removes the values of assignments such as `Password=hunter2;`.
fn without_values(text: &str) -> String {
    let (mut clean, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('=') {
        let (before, after) = rest.split_at(at + 1);
        clean.push_str(before);
        rest = after;
        let name = before[..at].trim_end_matches([' ', '\t', '"']);
        let is_part = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        let floor = name.ceil_char_boundary(name.len().saturating_sub(MAX_NAME_BYTES));
        let start = name[floor..]
            .rfind(|c: char| !is_part(c))
            .map_or(floor, |at| floor + at + name[floor + at..].chars().next().map_or(1, char::len_utf8));
        if after.starts_with(['=', '>']) {
            // A comparison, or an arrow.
            clean.push_str(&after[..1]);
            rest = &after[1..];
        } else if is_secret(&name[start..]) {
            let (space, value) = value(after);
            clean.push_str(&after[..space]);
            rest = &after[space + value..];
            if value > 0 {
                clean.push_str(REMOVED);
            }
        }
    }
    clean + rest
}

/// The lengths of the space at the beginning of a text and of the value after it. A variable is no value: what follows its
/// `$` is not searched for an end, because it stays and can be searched many times.
fn value(text: &str) -> (usize, usize) {
    let near = beginning(text);
    let line = &near[..near.find(['\n', '\r']).unwrap_or(near.len())];
    let space = line.len() - line.trim_start().len();
    let inner = &line[space..];
    let end = match inner.chars().next() {
        Some('$') => return (space, 0),
        Some(quote @ ('"' | '\'')) => inner[1..].find(quote).map_or(inner.len(), |end| end + 2),
        // Values in connection strings can contain spaces.
        _ => inner
            .find(';')
            .or_else(|| inner.find(|c: char| c.is_whitespace() || "&,\"'<>".contains(c)))
            .unwrap_or(inner.len()),
    };
    if space + end < near.len() {
        return (space, end);
    }
    // A longer value, such as a private key, ends with its word.
    let is_end = |c: char| c.is_whitespace() || "&;,\"'<>".contains(c);
    let rest = &text[near.len()..];
    (space, end + rest.find(is_end).unwrap_or(rest.len()))
}

/// Removes what follows `Bearer` and `Basic`, unless it is a word.
fn without_tokens(text: &str) -> String {
    let (mut clean, mut rest, mut scheme) = (String::with_capacity(text.len()), text, "");
    while !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let token = word.trim_matches(['"', '\'', '`', ',', ';', '.', ')', '(']);
        let is_mixed =
            token.contains(|c: char| c.is_ascii_digit()) && token.contains(|c: char| c.is_ascii_alphabetic());
        let is_secret = match scheme {
            "bearer" => (is_mixed && token.len() >= 6) || token.len() >= 24,
            "basic" => is_mixed && token.len() >= 8,
            _ => false,
        };
        if is_secret && !token.starts_with(['$', '<', '{']) {
            clean.push_str(REMOVED);
        } else {
            clean.push_str(word);
        }
        scheme = ["bearer", "basic"]
            .into_iter()
            .find(|known| {
                let begins = word.len().checked_sub(known.len()).and_then(|at| word.get(at..));
                begins.is_some_and(|end| end.eq_ignore_ascii_case(known))
            })
            .unwrap_or("");
        let space = after.len() - after.trim_start().len();
        clean.push_str(&after[..space]);
        rest = &after[space..];
    }
    clean
}

/// The part of a text in which the end of an address or value is looked for.
fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_BYTES)]
}

#[cfg(test)]
mod tests;
