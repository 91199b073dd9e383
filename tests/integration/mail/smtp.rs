//! The connection to the mail server: encryption, authentication, and explanations of failures.

use std::{path::PathBuf, process::Command, time::Duration};

use planroom::{
    config::MailTls,
    mail::{Encryption, Letter, MailOptions, Mailer, SendProblem},
    secret::Secret,
};

use crate::support::{
    mail::{MAIL_PASSWORD, MailHost},
    tls::Authority,
};

fn letter() -> Letter {
    let text = |text: &str| text.to_owned();
    Letter {
        to: text("dee@example.org"),
        subject: text("Ünïcode"),
        text: text("Text"),
        html: text("<p>Text</p>"),
        id: text("1"),
        unsubscribe: None,
    }
}

fn options(port: u16, encryption: Encryption, ca_file: Option<PathBuf>) -> MailOptions {
    MailOptions {
        host: "127.0.0.1".into(),
        port,
        encryption,
        credentials: Some(("planroom".into(), Secret::new(MAIL_PASSWORD))),
        from: "maps@planroom.test".into(),
        ca_file,
        timeout: Duration::from_secs(5),
        own_host: "planroom.test".into(),
    }
}

/// Sends a letter on a blocking thread.
async fn send(options: MailOptions) -> Result<(), SendProblem> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let sent = Mailer::new(&options).unwrap().send(&letter());
        let _ = sender.send(sent.map_err(|error| error.problem));
    });
    receiver.await.unwrap()
}

#[tokio::test]
async fn letters_are_sent_over_tls_with_a_trusted_certificate_only() {
    let (authority, dir) = (Authority::new(), tempfile::tempdir().unwrap());
    let ca_file = dir.path().join("ca.pem");
    std::fs::write(&ca_file, &authority.pem).unwrap();
    for (tls, encryption) in [(MailTls::Starttls, Encryption::StartTls), (MailTls::Implicit, Encryption::Implicit)] {
        let host = MailHost::with_tls(&authority, tls).await;
        assert_eq!(send(options(host.port, encryption, Some(ca_file.clone()))).await, Ok(()), "{tls:?}");
        assert_eq!(host.take().len(), 1, "{tls:?}");
        let untrusted = send(options(host.port, encryption, None)).await;
        assert_eq!(untrusted, Err(SendProblem::Encryption), "{tls:?}");
        assert!(host.take().is_empty());
    }
    // A server that offers no encryption gets neither the password nor the letter.
    let plain = MailHost::start().await;
    let refused = send(options(plain.port, Encryption::StartTls, Some(ca_file))).await;
    assert_eq!(refused, Err(SendProblem::Encryption));
    assert!(plain.take().is_empty());
}

#[tokio::test]
async fn failures_are_told_apart() {
    let host = MailHost::start().await;
    let plain = |port| options(port, Encryption::Off, None);
    assert_eq!(send(plain(host.port)).await, Ok(()));
    let wrong = MailOptions { credentials: Some(("planroom".into(), Secret::new("wrong"))), ..plain(host.port) };
    assert_eq!(send(wrong).await, Err(SendProblem::Authentication));
    for (response, problem) in [
        ("550 5.1.1 User unknown", SendProblem::Rejected),
        ("451 4.7.1 Greylisted", SendProblem::Postponed),
        ("530 5.7.0 Authentication required", SendProblem::Authentication),
    ] {
        host.refuse(Some(response));
        assert_eq!(send(plain(host.port)).await, Err(problem), "{response}");
    }
    // Nothing listens on the port of a listener that was closed.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    assert_eq!(send(plain(port)).await, Err(SendProblem::Connection));
    let unknown = MailOptions { host: "mail.invalid".into(), ..plain(25) };
    assert_eq!(send(unknown).await, Err(SendProblem::Connection));
}

/// Runs `planroom mail test` with this configuration. Returns whether it succeeded, and its output.
async fn mail_test(config: &str, address: &str) -> (bool, String) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("config.toml");
    std::fs::write(&file, config).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_planroom"));
    command.args(["mail", "test", address, "--config"]).arg(&file);
    let (sender, receiver) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || drop(sender.send(command.output().unwrap())));
    let output = receiver.await.unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

#[tokio::test]
async fn the_test_command_sends_a_message_or_explains_what_to_do() {
    let host = MailHost::start().await;
    let port = host.port;
    let config = |more: &str| {
        format!(
            "[mail]\nhost = '127.0.0.1'\nport = {port}\ntls = 'none'\nfrom = 'maps@planroom.test'\ntimeout_seconds = 5\n{more}"
        )
    };
    let (ok, text) = mail_test(&config(""), "dee@example.org").await;
    assert!(ok && text == format!("127.0.0.1:{port} accepted a test message to dee@example.org\n"), "{text}");
    assert!(host.take()[0].content.contains("Subject: Test message from Planroom"));
    let wrong = "user = 'planroom'\npassword = 'wrong password'\n";
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = listener.local_addr().unwrap().port();
    host.refuse(Some("550 5.1.1 User unknown"));
    for (config, address, expected) in [
        (
            config(wrong),
            "dee@example.org",
            "rejected the user name or password: 5.7.8 Username and Password not accepted; check mail.user",
        ),
        (config(""), "dee@example.org", "rejected the message: 5.1.1 User unknown; check the address of the recipient"),
        (config(""), "dee", "the message is invalid"),
        (
            config("").replace("'none'", "'implicit'"),
            "dee@example.org",
            "cannot encrypt the connection to the mail server",
        ),
        (
            // The client waits for a greeting.
            config("").replace(&format!("port = {port}"), &format!("port = {silent}")).replace("= 5", "= 1"),
            "dee@example.org",
            "cannot reach the mail server: no response within 1 s; check mail.host",
        ),
        (String::new(), "dee@example.org", "no mail server is configured; set mail.host and mail.from"),
    ] {
        let (ok, text) = mail_test(&config, address).await;
        assert!(!ok && text.contains(expected) && text.lines().count() == 1, "{text}");
        assert!(!text.contains("wrong password"), "{text}");
    }
}
