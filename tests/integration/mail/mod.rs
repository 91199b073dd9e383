//! Emails: the queue, the mail server, and what emails are sent for.

mod confirming;
mod erasing;
mod forgotten;
mod queue;
mod smtp;

use std::time::Duration;

use crate::support::{
    TestServer,
    mail::{Mail, MailHost},
};

/// Sends everything that is requested and due, and returns what the mail server got.
async fn deliver(server: &TestServer, host: &MailHost) -> Vec<Mail> {
    let requests = server.app.sign_in().send_password_resets();
    drop(tokio::time::timeout(Duration::from_millis(200), requests).await);
    while server.app.mail().send_due().await.unwrap() > 0 {}
    host.take()
}

/// Sends the only email.
async fn deliver_one(server: &TestServer, host: &MailHost) -> Mail {
    let mails = deliver(server, host).await;
    assert_eq!(mails.len(), 1, "{mails:?}");
    mails.into_iter().next().unwrap()
}
