//! A browser with cookies and the origin of its page.

use std::{cell::RefCell, collections::BTreeMap, net::IpAddr};

use axum::http::Method;
use planroom::clock::SECOND;
use serde_json::{Value, json};

use crate::support::{PASSWORD, TestClient, TestResponse, TestServer};

pub struct Browser<'s> {
    server: &'s TestServer,
    page: String,
    address: Option<IpAddr>,
    pub jar: RefCell<BTreeMap<String, String>>,
}

impl Clone for Browser<'_> {
    fn clone(&self) -> Self {
        Self { server: self.server, page: self.page.clone(), address: self.address, jar: self.jar.clone() }
    }
}

impl<'s> Browser<'s> {
    /// A browser without cookies, on a page of the server.
    pub fn new(server: &'s TestServer) -> Self {
        Self { server, page: "http://planroom.test".into(), address: None, jar: RefCell::default() }
    }

    /// The same on a page of another origin.
    pub fn on(&self, page: &str) -> Self {
        Self { page: page.into(), ..self.clone() }
    }

    /// The same with another address.
    pub fn from(&self, address: impl Into<IpAddr>) -> Self {
        Self { address: Some(address.into()), ..self.clone() }
    }

    /// A browser in which `login` has signed in, and the response.
    pub async fn of(server: &'s TestServer, login: &str) -> (Self, Value) {
        let browser = Self::new(server);
        let answer = browser.sign_in(login, PASSWORD).await.ok();
        (browser, answer)
    }

    pub async fn sign_in(&self, login: &str, password: &str) -> TestResponse {
        self.post("/api/auth/login", json!({ "login": login, "password": password })).await
    }

    /// Guesses until the next attempt must wait for 16 s, which is longer than any request in a test takes.
    pub async fn guess(&self, login: &str) {
        for _ in 0..9 {
            self.server.clock.advance(30 * SECOND);
            self.sign_in(login, "guess").await.expect_error(401, "login or password is wrong");
        }
    }

    pub async fn refresh(&self) -> TestResponse {
        self.post("/api/auth/refresh", json!({})).await
    }

    pub async fn post(&self, path: &str, body: Value) -> TestResponse {
        self.send(&self.server.anonymous(), path, Some(body)).await
    }

    /// Signs out, with a credential in addition to the cookie.
    pub async fn log_out(&self, client: &TestClient<'_>) -> TestResponse {
        self.send(client, "/api/auth/logout", None).await
    }

    async fn send(&self, client: &TestClient<'_>, path: &str, body: Option<Value>) -> TestResponse {
        let mut client = client.header("origin", &self.page).header("user-agent", "Testfox/1.0");
        if let Some(address) = self.address {
            client = client.from(address);
        }
        let cookies: Vec<String> = self.jar.borrow().iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            client = client.header("cookie", &cookies.join("; "));
        }
        let reply = client.send(Method::POST, path, body).await;
        for cookie in set_cookies(&reply) {
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            if cookie.contains("Max-Age=0") {
                self.jar.borrow_mut().remove(name);
            } else {
                self.jar.borrow_mut().insert(name.to_owned(), value.to_owned());
            }
        }
        reply
    }

    /// The refresh token.
    pub fn token(&self) -> String {
        self.jar.borrow()["planroom_refresh"].clone()
    }

    /// The same browser with another refresh token: an old or a stolen one.
    pub fn with(&self, token: &str) -> Self {
        let other = self.clone();
        other.jar.borrow_mut().insert("planroom_refresh".into(), token.into());
        other
    }
}

/// The cookies that a reply sets.
pub fn set_cookies(reply: &TestResponse) -> Vec<String> {
    reply.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned()).collect()
}
