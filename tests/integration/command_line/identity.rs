//! An identity provider with a private CA.

use super::WorkDir;
use crate::support::{oidc::FakeIdp, tls::Authority};

fn variables<'v>(issuer: &'v str, file: &'v str) -> [(&'v str, &'v str); 4] {
    [
        ("PLANROOM_IDENTITY_OIDC_ISSUER", issuer),
        ("PLANROOM_IDENTITY_OIDC_CLIENT_ID", "planroom"),
        ("PLANROOM_IDENTITY_OIDC_ALLOW_PRIVATE", "true"),
        ("PLANROOM_IDENTITY_OIDC_CA_FILE", file),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_trusts_the_configured_ca() {
    let authority = Authority::new();
    let idp = FakeIdp::start_tls(&authority).await;
    let dir = WorkDir::new();
    dir.write("authority.pem", &authority.pem);
    let issuer = idp.url();
    for (file, location) in [("authority.pem", issuer.as_str()), ("", "/sign-in?problem=unreachable")] {
        let server = dir.serve_with(&["--listen", "127.0.0.1:0"], &variables(&issuer, file));
        let answer = server.ask("GET", "/api/auth/oidc/start", None, None);
        assert_eq!(answer.status, 302);
        assert!(answer.header("location").starts_with(location), "{file:?}: {}", answer.header("location"));
    }
}

#[test]
fn an_invalid_ca_file_is_reported_at_startup() {
    let dir = WorkDir::new();
    let key = rcgen::KeyPair::generate().unwrap().serialize_pem();
    let broken = Authority::new().pem.replace("-----END CERTIFICATE-----", "");
    dir.write("empty.pem", "");
    dir.write("notes.pem", "The certificate is in the other file.\n");
    dir.write("key.pem", &key);
    dir.write("broken.pem", &broken);
    let other =
        format!("{}-----BEGIN CERTIFICATE-----\nTm90aGluZw==\n-----END CERTIFICATE-----\n", Authority::new().pem);
    dir.write("other.pem", &other);
    for (file, why) in [
        ("absent.pem", "cannot read the file: No such file"),
        ("data", "cannot read the file: "),
        ("empty.pem", "the file contains no certificates"),
        ("notes.pem", "the file contains no certificates"),
        ("key.pem", "the file contains no certificates"),
        ("broken.pem", "invalid PEM"),
        ("other.pem", "certificate 2 is invalid"),
    ] {
        let arguments = ["serve", "--listen", "127.0.0.1:0"];
        let outcome = dir.run_with(&arguments, &variables("https://id.example.org", file), "");
        let told = outcome.expect_error(why);
        assert!(told.contains(&format!("{file} (ca_file in [identity.oidc])")), "{told}");
        assert!(told.contains("specify a PEM file with the CA certificates"), "{told}");
        expect_invalid_configuration(&dir, "identity.oidc", file, why);
        expect_invalid_configuration(&dir, "mail", file, why);
    }
    // A section that is not in use is not checked.
    dir.write("unused.toml", "[mail]\nca_file = \"absent.pem\"\n[identity.oidc]\nca_file = \"absent.pem\"\n");
    dir.run(&["config", "check", "unused.toml"]).ok();
}

/// Expects `ca_file` in this section to be reported by all commands that use it, before anything is written.
fn expect_invalid_configuration(dir: &WorkDir, section: &str, file: &str, why: &str) {
    let keys = match section {
        "mail" => "host = \"mail.example.org\"\nfrom = \"plans@example.org\"\n",
        _ => "issuer = \"https://id.example.org\"\nclient_id = \"planroom\"\n",
    };
    dir.write("planroom.toml", &format!("[{section}]\n{keys}ca_file = {file:?}\n"));
    for arguments in [
        &["serve", "--listen", "127.0.0.1:0", "--config", "planroom.toml"][..],
        &["serve", "--standby", "--listen", "127.0.0.1:0", "--config", "planroom.toml"],
        &["config", "check", "planroom.toml"],
    ] {
        let outcome = dir.run(arguments);
        assert_eq!(outcome.status.code(), Some(78), "{outcome:?}");
        let told = outcome.expect_error(why);
        assert!(told.starts_with(&format!("planroom: {file} (ca_file in [{section}]): ")), "{told}");
        assert!(!dir.path("data").exists(), "{arguments:?} has written files");
    }
}
