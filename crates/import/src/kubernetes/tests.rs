//! Tests of Kubernetes manifests.

use proptest::{prelude::*, sample::Index};

use crate::{Files, Format, sets};

const SHOP: [(&str, &str); 3] = [
    ("shop.yaml", include_str!("../../../../tests/imports/kubernetes/shop.yaml")),
    ("data.yaml", include_str!("../../../../tests/imports/kubernetes/data.yaml")),
    ("cache.json", include_str!("../../../../tests/imports/kubernetes/cache.json")),
];

#[test]
fn workloads_are_components_in_their_namespace() {
    let reading = sets::reading(Format::Kubernetes, &SHOP);
    assert_eq!(
        sets::components(&reading),
        [
            "shop / cache: cache",
            "shop: group",
            "shop / reports: service",
            "data / db: database",
            "data: group",
            "data / backup: job",
            "storefront / web: gateway",
            "shop / storefront: system",
            "shop / orders: api",
            "shop / public: gateway",
            "shop / edge: gateway",
            "payments: external-system",
        ]
    );
    let named = |name: &str| reading.components.iter().find(|one| one.name == name).unwrap();
    let web = named("web");
    assert_eq!((web.origin.key.as_str(), web.description.as_deref()), ("deployment/shop/web", Some("The storefront.")));
    assert_eq!(web.properties["services"], serde_json::json!(["web", "web-public"]));
    assert_eq!((&web.properties["kubernetes"], &web.properties["instances"]), (&"Deployment".into(), &3.into()));
    assert_eq!(web.properties["image"], "registry.example.org:5000/nginx:1.27");
    assert_eq!(named("orders").id, "order-service");
    assert_eq!(named("public").properties["hosts"], serde_json::json!(["shop.example.org"]));
    assert_eq!(sets::owners(&reading), ["db: dba", "web: shop-team"]);
}

#[test]
fn routes_are_calls_and_hosts_are_inferred() {
    let reading = sets::reading(Format::Kubernetes, &SHOP);
    assert_eq!(
        sets::relationships(&reading),
        [
            "public calls web",
            "edge calls orders",
            "backup uses db",
            "web uses orders",
            "web uses db",
            "web uses payments",
            "web uses cache",
            "web uses reports",
            "orders uses db",
        ]
    );
    let from = |target: &str| {
        let row = reading.relationships.iter().find(|one| one.target_id == target && one.type_id == "uses");
        row.and_then(|row| row.properties.get("inferredFrom")?.as_str())
    };
    assert_eq!((from("order-service"), from("cache"), from("db")), (Some("ORDERS_ADDR"), None, Some("PGHOST")));
}

#[test]
fn secrets_and_values_are_not_kept() {
    let reading = sets::reading(Format::Kubernetes, &SHOP);
    let document = serde_json::to_string(&reading).unwrap() + &sets::diagnostics(&reading).join("\n");
    assert!(!document.contains("s3cret") && !document.contains("9000"), "{document}");
}

#[test]
fn what_is_missing_is_reported() {
    let reading = sets::reading(Format::Kubernetes, &SHOP);
    assert_eq!(
        sets::diagnostics(&reading),
        ["shop.yaml:106: `public` leads to the service `unlisted`, which has no workload"]
    );
    assert_eq!(sets::ignored(&reading), ["Pod: 1", "Role: 1", "Secret: 1", "services without workloads: 1"]);
}

#[test]
fn templates_and_repeated_objects_are_explained() {
    let object = "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n";
    let twice = format!("{object}---\n{object}---\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n");
    let reading = sets::reading(Format::Kubernetes, &[("a.yaml", &twice)]);
    assert_eq!(reading.components.len(), 1);
    let diagnostics = sets::diagnostics(&reading).join("\n");
    assert!(diagnostics.contains("`pod/default/a` appears twice") && diagnostics.contains("kubectl kustomize"));
    let chart = object.replace("name: a", "name: {{ .Values.name }}");
    let files = sets::files(&[("chart.yaml", &chart)]);
    let refusal = crate::read(Format::Kubernetes, &files, &crate::Options::default()).unwrap_err();
    assert!(refusal.text.contains("helm template"), "{refusal}");
}

#[test]
fn network_policies_allow_connections() {
    let workload = |name: &str, namespace: &str| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{ name: {name}, namespace: {namespace} }}\n\
             spec: {{ template: {{ metadata: {{ labels: {{ app: {name} }} }} }} }}\n---\n"
        )
    };
    let text = workload("web", "shop")
        + &workload("api", "shop")
        + &workload("db", "data")
        + &workload("mail", "shop")
        + "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: api, namespace: shop }\nspec:\n  \
           podSelector: { matchLabels: { app: api } }\n  ingress:\n  - from:\n    - podSelector: { matchLabels: { app: web } }\n    \
           - podSelector: {}\n    - ipBlock: { cidr: 10.0.0.0/8 }\n  egress:\n  - to:\n    - podSelector: { matchLabels: { app: db } }\n      \
           namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: data } }\n    \
           - podSelector: { matchLabels: { app: mail } }\n      namespaceSelector: { matchLabels: { team: x } }\n---\n\
           apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: none, namespace: shop }\nspec: { podSelector: {} }\n";
    let reading = sets::reading(Format::Kubernetes, &[("shop.yaml", &text)]);
    assert_eq!(sets::relationships(&reading), ["web uses api", "api uses db"]);
    let row = reading.relationships.iter().find(|one| one.type_id == "uses").unwrap();
    assert_eq!(
        serde_json::json!(row.properties),
        serde_json::json!({ "inferred": true, "inferredFrom": "NetworkPolicy api" })
    );
    assert!(reading.ignored.is_empty(), "{:?}", reading.ignored);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(files) = Files::of("a.yaml", bytes) {
            sets::consistent(Format::Kubernetes, &files);
        }
    }

    #[test]
    fn changed_samples_are_read_or_refused(which in any::<Index>(), changes in sets::changes()) {
        sets::read_changed(Format::Kubernetes, &SHOP, which, &changes);
    }
}

#[test]
fn a_misspelled_kind_of_a_workload_is_reported() {
    let file = "apiVersion: apps/v1\nkind: Deploymnt\nmetadata: { name: a }\n---\napiVersion: batch/v1beta1\nkind: \
                CronJob\nmetadata: { name: b }\n---\napiVersion: apps/v1\nkind: ControllerRevision\nmetadata: { name: c }\n";
    let reading = sets::reading(Format::Kubernetes, &[("a.yaml", file)]);
    let text = "`apps/v1` has no kind `Deploymnt`; its kinds are Deployment, StatefulSet, DaemonSet, ReplicaSet, ControllerRevision";
    let found: Vec<&str> = reading.diagnostics.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(found, [text]);
    assert_eq!((reading.unreadable.len(), reading.unreadable[0].text.as_str()), (1, text));
}
