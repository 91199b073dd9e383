//! Pictures from elsewhere: fetched once under the guards, kept, and shown to whoever may see what they belong to.

mod guards;
mod keeping;
mod showing;
mod uploads;

use serde_json::json;

use crate::support::{Actor, Reply, Stage, pictures::PictureHost};

/// A stage that may take pictures from the host, with `acme` and its administrator `ada`.
async fn hosted() -> (Stage, PictureHost) {
    let host = PictureHost::start().await;
    let url = host.url();
    let stage = Stage::empty(|config| config.outbound.picture_urls = vec![url]);
    stage.seed_admin("ada", "acme").await;
    (stage, host)
}

impl Actor<'_> {
    /// Adds a person with a photograph at this address.
    async fn add_person(&self, id: &str, photo: &str) {
        self.post("/api/people", json!({ "id": id, "name": id, "photoUrl": photo })).await.created();
    }

    async fn photo(&self, id: &str) -> Reply {
        self.get(&format!("/api/people/{id}/photo")).await
    }
}
