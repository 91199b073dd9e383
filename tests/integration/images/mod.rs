//! External images: fetched once with protections, cached, and served with the permission of their row.

mod caching;
mod guards;
mod serving;
mod uploads;

use serde_json::json;

use crate::support::{TestClient, TestResponse, TestServer, image_host::FakeImageHost};

/// A server that may fetch images from the host, with `acme` and its administrator `ada`.
async fn server_with_host() -> (TestServer, FakeImageHost) {
    let host = FakeImageHost::start().await;
    let url = host.url();
    let server = TestServer::empty(|config| config.outbound.picture_urls = vec![url]);
    server.seed_admin("ada", "acme").await;
    (server, host)
}

impl TestClient<'_> {
    /// Adds a person with this photo URL.
    async fn add_person(&self, id: &str, photo: &str) {
        self.post("/api/people", json!({ "id": id, "name": id, "photoUrl": photo })).await.created();
    }

    async fn photo(&self, id: &str) -> TestResponse {
        self.get(&format!("/api/people/{id}/photo")).await
    }
}
