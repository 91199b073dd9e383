//! Tests of the configuration: layers, rules and error messages.

mod variables;

use std::{collections::BTreeMap, os::unix::ffi::OsStrExt, path::Path};

use tempfile::TempDir;

use crate::config::*;

/// A directory with a `config.toml` of this text.
fn file(text: &str) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("config.toml");
    std::fs::write(&path, text).unwrap();
    (dir, path)
}

fn env(variables: &[(&str, &str)]) -> BTreeMap<String, String> {
    variables.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

fn listen(address: &str) -> Flags {
    Flags { listen: Some(address.into()), ..Flags::default() }
}

/// The error for a file with this text, without the directory.
fn file_error(text: &str) -> String {
    let (dir, path) = file(text);
    let message = check_file(&path).unwrap_err().to_string();
    message.replace(&format!("{}/", dir.path().display()), "")
}

fn env_error(name: &str, text: &str) -> String {
    load(&Flags::default(), &env(&[(name, text)])).unwrap_err().to_string()
}

fn flag_error(flags: Flags) -> String {
    load(&flags, &BTreeMap::new()).unwrap_err().to_string()
}

/// Key, value and source of one key.
fn entry(loaded: &Loaded, key: &str) -> (String, String) {
    let entry = loaded.entries.iter().find(|entry| entry.key == key).unwrap();
    (entry.value.clone(), entry.source.to_string())
}

#[test]
fn the_example_has_every_key_at_its_default() {
    let loaded = load(&Flags::default(), &BTreeMap::new()).unwrap();
    let expected = Config {
        data_dir: "data".into(),
        listen: "127.0.0.1:8420".parse().unwrap(),
        public_url: String::new(),
        tls: Tls::default(),
        log: Log { format: LogFormat::Text, level: LogLevel::Info },
        metrics: Metrics { listen: String::new(), token: Secret::default() },
        limits: Limits {
            body_bytes: 1_048_576,
            bulk_body_bytes: 33_554_432,
            request_seconds: 60,
            idle_seconds: 30,
            in_flight_mib: 0,
            connections: 1000,
            connections_per_address: 100,
        },
        quotas: Quotas {
            components: 100_000,
            relationships: 200_000,
            stakeholders: 100_000,
            links: 20_000,
            processes: 2_000,
            notes: 5_000,
            image_mib: 20,
            process_mib: 16,
            views: 200,
            view_places: 50_000,
            view_lines: 50_000,
            tours: 20,
            decisions: 1_000,
            decision_mib: 16,
            versions: 200,
            workspaces: 10_000,
            people: 20_000,
            teams: 5_000,
            roles: 500,
            kinds: 200,
            organization_mib: 4_096,
            invitations: 1_000,
            tokens: 100,
            sessions: 100,
            registrations: 5_000,
            waitlist: 10_000,
        },
        session: Session { token_minutes: 15 },
        database: Database { readers: 2, heavy_readers: 2, cache_mib: 64, max_size_mib: 0 },
        backup: Backup {
            daily: "03:15".into(),
            directory: "".into(),
            keep_daily: 7,
            keep_weekly: 4,
            keep_monthly: 12,
            passphrase: Secret::default(),
            command: Vec::new(),
        },
        cors: Cors { origins: Vec::new() },
        proxies: Proxies { trusted: Vec::new() },
        outbound: Outbound {
            allow_private: false,
            wiki_url: String::new(),
            wiki_version: String::new(),
            wiki_requests_per_second: 3,
            picture_urls: Vec::new(),
            webhook_urls: Vec::new(),
            webhook_timeout_seconds: 15,
        },
        identity: loaded.config.identity.clone(),
        mail: Mail {
            host: String::new(),
            port: 587,
            tls: MailTls::Starttls,
            user: String::new(),
            password: Secret::default(),
            from: String::new(),
            ca_file: "".into(),
            timeout_seconds: 15,
        },
        pictures: Pictures { fonts: Vec::new() },
        oauth: OAuth { native_redirects: vec!["cursor://anysphere.cursor-mcp/oauth/callback".into()] },
        settings: Vec::new(),
    };
    assert_eq!(loaded.config, expected);
    assert!(!loaded.config.identity.oidc.is_on());
    // `deny_unknown_fields` rejects keys without a field, and missing keys are errors.
    let keys: Vec<_> = loaded.entries.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys[..4], ["data_dir", "listen", "public_url", "tls.certificate"], "in the order of the file");
    let settings = crate::settings::REGISTRY;
    assert_eq!(keys[keys.len() - settings.len()..], settings.map(|setting| setting.key), "settings come last");
    for setting in settings {
        let (value, source) = entry(&loaded, setting.key);
        assert_eq!((value, source), (setting.default().to_string(), "default".into()), "{}", setting.key);
    }
    let secrets: Vec<_> = loaded.entries.iter().filter(|entry| entry.secret).map(|entry| &entry.key).collect();
    let expected =
        ["metrics.token", "backup.passphrase", "identity.oidc.client_secret", "mail.password", "wiki.client_secret"];
    assert_eq!(secrets, expected);
    assert!(loaded.entries.iter().all(|entry| entry.source == ValueSource::Default));
}

#[test]
fn the_example_explains_every_key() {
    let lines: Vec<_> = EXAMPLE.lines().collect();
    for pair in lines.windows(2).filter(|pair| pair[1].contains(" = ") && !pair[1].starts_with('#')) {
        assert!(pair[0].starts_with("# "), "{}", pair[1]);
    }
    assert!(lines.iter().all(|line| line.len() <= 120));
}

#[test]
fn each_layer_overrides_the_previous_one() {
    let (_dir, path) = file("listen = '0.0.0.0:1'\npublic_url = 'http://file'\n[log]\nformat = 'json'\nlevel = 'warn'");
    let variables = env(&[
        ("PLANROOM_CONFIG", path.to_str().unwrap()),
        ("PLANROOM_LISTEN", "0.0.0.0:2"),
        ("PLANROOM_LOG_LEVEL", "debug"),
        ("HOME", "/root"),
    ]);
    let loaded = load(&listen("0.0.0.0:3"), &variables).unwrap();
    let from_file = format!("file {}", path.display());
    assert_eq!(entry(&loaded, "data_dir"), (r#""data""#.into(), "default".into()));
    assert_eq!(entry(&loaded, "public_url"), (r#""http://file""#.into(), from_file.clone()));
    assert_eq!(entry(&loaded, "log.format"), (r#""json""#.into(), from_file));
    assert_eq!(entry(&loaded, "log.level"), (r#""debug""#.into(), "environment PLANROOM_LOG_LEVEL".into()));
    assert_eq!(entry(&loaded, "listen"), (r#""0.0.0.0:3""#.into(), "flag --listen".into()));
    assert_eq!(loaded.config.listen.port(), 3);
    assert_eq!(loaded.config.log, Log { format: LogFormat::Json, level: LogLevel::Debug });
    assert_eq!(loaded.config.public_url, "http://file");
}

#[test]
fn the_flag_selects_the_file_before_the_variable() {
    let (_dir, path) = file("data_dir = '/srv/planroom'");
    let loaded = load(&Flags { config: Some(path), ..Flags::default() }, &env(&[("PLANROOM_CONFIG", "/x")])).unwrap();
    assert_eq!(loaded.config.data_dir, Path::new("/srv/planroom"));
}

#[test]
fn every_flag_sets_its_key() {
    let flags = Flags {
        config: None,
        data_dir: Some("here".into()),
        listen: Some("[::]:80".into()),
        public_url: Some("https://plans.example.org".into()),
    };
    let config = load(&flags, &BTreeMap::new()).unwrap().config;
    assert_eq!((config.data_dir, config.listen.to_string()), ("here".into(), "[::]:80".into()));
    assert_eq!(config.public_url, "https://plans.example.org");
}

#[test]
fn variables_are_read_as_the_type_of_their_key() {
    let variables = env(&[
        ("PLANROOM_DATA_DIR", "7"),
        ("PLANROOM_LIMITS_BODY_BYTES", "2_048"),
        ("PLANROOM_DATABASE_MAX_SIZE_MIB", "4294967295"),
        ("PLANROOM_CORS_ORIGINS", "https://a.org, http://localhost:3000,"),
        ("PLANROOM_TEST_ANYTHING", "1"),
        ("PLANROOM_ADMIN_LOGIN", "ada"),
    ]);
    let config = load(&Flags::default(), &variables).unwrap().config;
    assert_eq!(config.data_dir, Path::new("7"));
    assert_eq!((config.limits.body_bytes, config.database.max_size_mib), (2048, u32::MAX));
    assert_eq!(config.cors.origins, ["https://a.org", "http://localhost:3000"]);
    let none = load(&Flags::default(), &env(&[("PLANROOM_CORS_ORIGINS", "")])).unwrap().config;
    assert!(none.cors.origins.is_empty());
}

#[test]
fn an_unreadable_file_is_named() {
    let message = check_file(Path::new("/nowhere/config.toml")).unwrap_err().to_string();
    assert_eq!(
        message,
        "cannot read the configuration file /nowhere/config.toml: No such file or directory (os error 2); \
         check its path and permissions"
    );
}

#[test]
fn syntax_errors_have_line_and_column() {
    for (text, message) in [
        ("listen = 'ü' x", "1:14: invalid TOML: unexpected key or value, expected newline, `#`"),
        ("[log]\nlevel = 'info'\nlevel = 'warn'", "3:1: invalid TOML: duplicate key"),
        ("[log]\n[log]", "2:2: invalid TOML: duplicate key"),
        (
            "listen = 127.0.0.1:8420",
            "1:15: invalid TOML: invalid float, expected nothing; texts, such as addresses and paths, must be in quotes",
        ),
        (
            "limits.body_bytes = 0x1_0000_0000_0000_0000_0000_0000_0000_0000",
            "1:21: invalid TOML: integer number overflowed",
        ),
    ] {
        assert_eq!(file_error(text), format!("config.toml:{message}"));
    }
}

#[test]
fn unknown_keys_suggest_the_nearest_known_one() {
    for (text, message) in [
        ("\n[limits]\nbody_byte = 1", "3: unknown key limits.body_byte; did you mean limits.body_bytes?"),
        ("limit.body_bytes = 1", "1: unknown key limit.body_bytes; did you mean limits.body_bytes?"),
        ("lisetn = 1", "1: unknown key lisetn; did you mean listen?"),
        ("\"log.format\" = 'json'", "1: unknown key \"log.format\"; did you mean log.format?"),
        ("[post]\n", "1: unknown key post; config.example.toml lists all keys"),
        ("[post]\nhost = 1", "2: unknown key post.host; config.example.toml lists all keys"),
        ("listen.port = 1", "1: unknown key listen.port; config.example.toml lists all keys"),
    ] {
        assert_eq!(file_error(text), format!("config.toml:{message}"));
    }
}

#[test]
fn invalid_values_are_shown_with_the_allowed_ones() {
    const ADDRESS: &str = "it must be an IP address and a port, such as \"127.0.0.1:8420\" or \"[::]:8420\"";
    const BYTES: &str = "it must be an integer from 1024 to 1073741824";
    const URL: &str = "it must be empty, or an http or https URL such as \"https://plans.example.org\" or \
                       \"https://example.org/plans\": host in lowercase, no default port, user, query, fragment or \
                       trailing slash, and a path of letters, digits, `-`, `_` and `.` that does not begin with a path of \
                       Planroom itself, such as /api, /docs or /o";
    const ORIGINS: &str = "it must be a list of origins such as [\"https://maps.example.org\"]: http or https, host \
                           in lowercase, port unless it is the default, and nothing else";
    let levels = r#"it must be "error", "warn", "info", "debug" or "trace""#;
    for (text, message) in [
        ("listen = 8420", format!("1: listen is 8420; {ADDRESS}")),
        ("data_dir = ''", "1: data_dir is \"\"; it must be a non-empty path in UTF-8".into()),
        ("public_url = 'https://a.org/'", format!("1: public_url is \"https://a.org/\"; {URL}")),
        ("public_url = 'https://a.org/plans/'", format!("1: public_url is \"https://a.org/plans/\"; {URL}")),
        ("public_url = 'https://a.org/o/plans'", format!("1: public_url is \"https://a.org/o/plans\"; {URL}")),
        ("public_url = 'https://a.org/%7Eplans'", format!("1: public_url is \"https://a.org/%7Eplans\"; {URL}")),
        ("public_url = 'https://a.org/a//b'", format!("1: public_url is \"https://a.org/a//b\"; {URL}")),
        ("public_url = 'https://a.org/.well-known'", format!("1: public_url is \"https://a.org/.well-known\"; {URL}")),
        (
            "log = 'json'",
            "1: log is \"json\"; it must be a section: its name in brackets, its keys on the following lines".into(),
        ),
        ("log.format = 'xml'", "1: log.format is \"xml\"; it must be \"text\" or \"json\"".into()),
        ("\n\n[log]\n# none\nlevel = 'all'", format!("5: log.level is \"all\"; {levels}")),
        ("[limits]\nbody_bytes = '1 MiB'", format!("2: limits.body_bytes is \"1 MiB\"; {BYTES}")),
        ("[limits]\nbody_bytes = 1e6", format!("2: limits.body_bytes is 1000000.0; {BYTES}")),
        ("[limits]\nbulk_body_bytes = -1", format!("2: limits.bulk_body_bytes is -1; {BYTES}")),
        ("[limits]\nbulk_body_bytes = 1023", format!("2: limits.bulk_body_bytes is 1023; {BYTES}")),
        ("[cors]\norigins = ['*']", format!("2: cors.origins is [\"*\"]; {ORIGINS}")),
        (
            "[proxies]\ntrusted = ['10.0.0.0/33']",
            "2: proxies.trusted is [\"10.0.0.0/33\"]; it must be a list of IP addresses and networks such as \
             [\"127.0.0.1\", \"10.0.0.0/8\"]"
                .into(),
        ),
        ("[cors]\norigins = [1]", format!("2: cors.origins is [1]; {ORIGINS}")),
    ] {
        assert_eq!(file_error(text), format!("config.toml:{message}"));
    }
    assert_eq!(
        env_error("PLANROOM_LISTEN", "localhost:8420"),
        format!("PLANROOM_LISTEN: listen is \"localhost:8420\"; {ADDRESS}")
    );
    assert_eq!(flag_error(listen(":8420")), format!("--listen: listen is \":8420\"; {ADDRESS}"));
    let not_utf8 = PathBuf::from(std::ffi::OsStr::from_bytes(b"\xff"));
    assert_eq!(
        flag_error(Flags { data_dir: Some(not_utf8), ..Flags::default() }),
        "--data-dir: data_dir is \"\u{FFFD}\"; it must be a non-empty path in UTF-8"
    );
}

#[test]
fn numbers_must_be_within_their_range() {
    for (name, min, max) in [
        ("LIMITS_BODY_BYTES", 1024, 1_073_741_824),
        ("LIMITS_BULK_BODY_BYTES", 1024, 1_073_741_824),
        ("LIMITS_REQUEST_SECONDS", 1, 3600),
        ("SESSION_TOKEN_MINUTES", 1, 60),
        ("DATABASE_READERS", 1, 64),
        ("DATABASE_HEAVY_READERS", 1, 64),
        ("DATABASE_CACHE_MIB", 0, 65_536),
        ("DATABASE_MAX_SIZE_MIB", 0, 4_294_967_295_i64),
    ] {
        let name = format!("PLANROOM_{name}");
        let result = |number: i64| load(&Flags::default(), &env(&[(&name, &number.to_string())]));
        assert!(result(min).is_ok() && result(max).is_ok(), "{name}");
        for number in [min - 1, max + 1] {
            let end = format!(" is {number}; it must be an integer from {min} to {max}");
            let message = result(number).unwrap_err().to_string();
            assert!(message.starts_with(&name) && message.ends_with(&end), "{message}");
        }
    }
}

/// Key, value and place of the fixed settings.
fn fixed(loaded: &Loaded) -> Vec<(&str, serde_json::Value, String)> {
    loaded.config.settings.iter().map(|one| (one.setting.key, one.value.clone(), one.place.clone())).collect()
}

#[test]
fn an_explicit_setting_is_distinguished_from_its_default() {
    let (_dir, path) = file("[waitlist]\nopen = true\n[wiki]\nclient_secret = 's3cret'");
    let flags = Flags { config: Some(path.clone()), ..Flags::default() };
    let loaded = load(&flags, &env(&[("PLANROOM_ORGANIZATIONS_CREATION", "everyone")])).unwrap();
    let at = |line: usize| format!("{}:{line}", path.display());
    let expected = [
        ("organizations.creation", "everyone".into(), "PLANROOM_ORGANIZATIONS_CREATION".to_owned()),
        ("waitlist.open", true.into(), at(2)),
        ("wiki.client_secret", "s3cret".into(), at(4)),
    ];
    assert_eq!(fixed(&loaded), expected);
    assert!(!format!("{loaded:?}").contains("s3cret"), "not in debug output either");
}

#[test]
fn settings_follow_their_registry_and_secrets_are_hidden() {
    const NAME: &str = "one line of 1 to 100 characters without white space at its ends";
    for (text, message) in [
        ("[instance]\nname = ''", format!("2: instance.name is \"\"; it must be {NAME}")),
        ("[instance]\nname = 7", format!("2: instance.name is 7; it must be {NAME}")),
        (
            "[organizations]\ncreation = 'members'",
            "2: organizations.creation is \"members\"; it must be \"admins\" or \"everyone\"".into(),
        ),
        ("[waitlist]\nopen = 'yes'", "2: waitlist.open is \"yes\"; it must be true or false".into()),
        (
            "[wiki]\nclient_secret = ' s3cret'",
            "2: wiki.client_secret is \"(hidden)\"; it must be one line of at most 500 characters without white space \
             at its ends"
                .into(),
        ),
    ] {
        assert_eq!(file_error(text), format!("config.toml:{message}"));
    }
    assert!(env_error("PLANROOM_WAITLIST_OPEN", "maybe").ends_with("it must be true or false"));
}
