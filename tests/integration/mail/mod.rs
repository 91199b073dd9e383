//! Emails: the queue, the mail server, and what emails are sent for.

mod confirming;
mod erasing;
mod forgotten;
mod queue;
mod smtp;

use crate::support::{
    TestServer,
    mail::{Mail, MailHost},
};

/// Sends everything that is requested and due, and returns what the mail server got.
async fn deliver(server: &TestServer, host: &MailHost) -> Vec<Mail> {
    server.app.sign_in().send_requested_password_resets().await;
    while server.app.mail().send_due().await.unwrap() > 0 {}
    host.take()
}

/// Sends the only email.
async fn deliver_one(server: &TestServer, host: &MailHost) -> Mail {
    let mails = deliver(server, host).await;
    assert_eq!(mails.len(), 1, "{mails:?}");
    mails.into_iter().next().unwrap()
}
