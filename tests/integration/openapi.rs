//! The OpenAPI document as a contract.

#[test]
fn the_document_matches_the_reviewed_snapshot() {
    let document = planroom::rest::openapi().to_pretty_json().unwrap();
    insta::assert_snapshot!("openapi", document);
}

#[test]
fn every_route_lists_its_allowed_methods() {
    for route in planroom::rest::table() {
        let documented = serde_json::to_value(planroom::rest::openapi()).unwrap();
        let item = &documented["paths"][route.path];
        assert!(item[route.method.as_str().to_lowercase()].is_object(), "{} {}", route.method, route.path);
    }
}
