//! The list of workspaces and their pages tell everybody the same.

use std::collections::HashMap;

use serde_json::Value;

use super::{callers::callers, found_template, targets::Copier};
use crate::support::Stage;

#[tokio::test]
async fn the_list_holds_what_one_may_read_and_nothing_else() {
    let stage = Stage::new().await;
    found_template(&stage).await;
    let callers = callers(&stage).await;
    let ids: Vec<String> = callers.iter().map(|caller| format!("w-{}-{}", caller.letter, caller.visibility)).collect();
    stage.sql(|conn| {
        let copier = Copier::new(conn);
        for (caller, id) in callers.iter().zip(&ids) {
            copier.target(id.clone(), caller, None);
        }
        copier.done();
    });
    for caller in &callers {
        let list = caller.actor.get("/api/workspaces").await;
        let roles: Option<HashMap<String, Value>> = list.status.is_success().then(|| {
            let workspaces = list.json()["workspaces"].as_array().unwrap().clone();
            workspaces.into_iter().map(|w| (w["id"].as_str().unwrap().to_owned(), w["myRole"].clone())).collect()
        });
        for id in &ids {
            let read = caller.actor.get(&format!("/api/workspaces/{id}")).await;
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
