//! Host names in addresses, as in environment variables and commands.
//!
//! Only host names leave this module: values of variables are often secrets.

/// Maximum length of a value that is searched, in bytes.
const MAX_VALUE_BYTES: usize = 64 << 10;

/// Ends of names of variables whose value is a host even without a scheme or port.
const HOST_NAMES: [&str; 11] =
    ["HOST", "HOSTS", "ADDR", "ADDRESS", "URL", "URI", "ENDPOINT", "ENDPOINTS", "SERVER", "SERVERS", "BROKERS"];

/// Keys of connection strings whose value is a host, as in `Host=db;Username=app`.
const HOST_KEYS: [&str; 3] = ["host", "server", "data source"];

/// The hosts that the value of a variable names, in lowercase and each once.
pub(super) fn in_value(name: &str, value: &str) -> Vec<String> {
    let value = &value[..value.floor_char_boundary(MAX_VALUE_BYTES)];
    let mut found = in_text(value);
    let ends_with = |end: &&str| {
        let start = name.len().checked_sub(end.len());
        start.and_then(|start| name.get(start..)).is_some_and(|own| own.eq_ignore_ascii_case(end))
    };
    if HOST_NAMES.iter().any(ends_with) {
        for word in value.split([',', ';', ' ']).map(|word| word.trim_matches(['"', '\''])) {
            if is_host(word) {
                push(&mut found, word);
            }
        }
    }
    for (key, value) in value.split(';').filter_map(|pair| pair.split_once('=')) {
        if HOST_KEYS.iter().any(|host| key.trim().eq_ignore_ascii_case(host)) {
            let host = value.trim().trim_start_matches("tcp:").split([',', ':']).next().unwrap_or_default();
            if is_host(host) {
                push(&mut found, host);
            }
        }
    }
    found
}

/// The hosts that the words of a command name.
pub(super) fn in_command<'w>(words: impl IntoIterator<Item = &'w str>) -> Vec<String> {
    let (mut found, mut option) = (Vec::new(), "");
    let mut bytes = 0;
    for word in words.into_iter().flat_map(str::split_whitespace) {
        bytes += word.len();
        if bytes > MAX_VALUE_BYTES {
            break;
        }
        let (name, value) = match word.split_once('=') {
            Some((name, value)) if name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) => {
                (name, value)
            }
            _ => (option, word),
        };
        for host in in_value(&name.replace('-', "_"), value) {
            push(&mut found, &host);
        }
        option = if word.starts_with('-') { word } else { "" };
    }
    found
}

/// The hosts that a text names with a scheme or a port.
pub(super) fn in_text(text: &str) -> Vec<String> {
    let text = &text[..text.floor_char_boundary(MAX_VALUE_BYTES)];
    let mut found = Vec::new();
    for (at, separator) in text.match_indices("://") {
        let after = &text[at + separator.len()..];
        let end = after.find(|c: char| c.is_whitespace() || "/?#\"'<>|;()`\\".contains(c)).unwrap_or(after.len());
        let authority = &after[..end];
        let hosts = &authority[authority.rfind('@').map_or(0, |at| at + 1)..];
        for host in hosts.split(',') {
            let host = host.split(':').next().unwrap_or_default();
            if is_host(host) {
                push(&mut found, host);
            }
        }
    }
    for word in text.split(|c: char| c.is_whitespace() || ",;\"'=()[]{}<>|@/`\\".contains(c)) {
        let Some((host, port)) = word.split_once(':') else { continue };
        // Shorter numbers are versions, as in `redis:7`.
        let is_port = (3..=5).contains(&port.len()) && port.chars().all(|c| c.is_ascii_digit());
        if is_host(host) && (is_port || port == "80") {
            push(&mut found, host);
        }
    }
    found
}

fn is_host(text: &str) -> bool {
    (1..=253).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

fn push(found: &mut Vec<String>, host: &str) {
    const MAX_HOSTS: usize = 200;
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    if found.len() < MAX_HOSTS && !found.contains(&host) {
        found.push(host);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_found_in_addresses() {
        for (name, value, hosts) in [
            ("DATABASE_URL", "mysql://root:whale@hello@db:3306/mysql?x=y", &["db"][..]),
            ("SPRING_URL", "jdbc:postgresql://accounts-db:5432/accounts", &["accounts-db"]),
            ("KAFKA", "kafka://a:9092,b.c:9092/orders", &["a", "b.c"]),
            ("DSN", "user:pass@tcp(db:3306)/shop", &["db"]),
            ("CART_ADDR", "cart:80", &["cart"]),
            ("REDIS_HOST", "Redis", &["redis"]),
            ("ES_HOSTS", "es1, es2", &["es1", "es2"]),
            ("DB_CONNECTION_STRING", "Host=db;Username=app;Password=x;Database=orders", &["db"]),
            ("ConnectionStrings__Orders", "Data Source=tcp:sql,1433;User Id=app", &["sql"]),
            ("MODE", "backend", &[]),
            ("IMAGE", "redis:7", &[]),
            ("IMAGE", "postgres:16", &[]),
            ("TIME", "12:30:15", &[]),
            ("PATH", "/usr/bin:/bin", &[]),
            ("URL", "", &[]),
            ("URL", "://", &[]),
        ] {
            assert_eq!(in_value(name, value), hosts, "{name}={value}");
        }
    }

    #[test]
    fn hosts_are_found_in_commands() {
        let words = ["--db-host=db", "--cache-addr cache", "--verbose", "sh -c 'wait-for-it queue:5672 -- node app'"];
        assert_eq!(in_command(words), ["db", "cache", "queue"]);
        assert_eq!(in_command(["npm run backend"]), [""; 0]);
    }
}
