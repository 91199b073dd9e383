//! The list of workspaces and the workspaces themselves agree for every caller.

use std::collections::HashMap;

use serde_json::Value;

use super::{callers::callers, found_template, targets::Copier};
use crate::support::TestServer;

#[tokio::test]
async fn the_list_contains_exactly_the_readable_workspaces() {
    let server = TestServer::new().await;
    found_template(&server).await;
    let callers = callers(&server).await;
    let ids: Vec<String> = callers.iter().map(|caller| format!("w-{}-{}", caller.letter, caller.visibility)).collect();
    server.sql(|conn| {
        let copier = Copier::new(conn);
        for (caller, id) in callers.iter().zip(&ids) {
            copier.target(id.clone(), caller, None);
        }
        copier.finish();
    });
    for caller in &callers {
        let list = caller.client.get("/api/workspaces").await;
        let roles: Option<HashMap<String, Value>> = list.status.is_success().then(|| {
            let workspaces = list.json()["workspaces"].as_array().unwrap().clone();
            workspaces.into_iter().map(|w| (w["id"].as_str().unwrap().to_owned(), w["myRole"].clone())).collect()
        });
        for id in &ids {
            let read = caller.client.get(&format!("/api/workspaces/{id}")).await;
            let expected = match &roles {
                None => list.status.as_u16(),
                Some(roles) if roles.contains_key(id) => 200,
                Some(_) => 404,
            };
            let read = read.expect(expected);
            if let Some(role) = roles.as_ref().and_then(|roles| roles.get(id)) {
                assert_eq!(read["workspace"]["myRole"], *role, "{} of {id}", caller.letter);
            }
        }
    }
}
