//! Tests of Terraform plans and states.

use proptest::{prelude::*, sample::Index};

use crate::{Files, Format, Options, read, sets};

const PLAN: (&str, &str) = ("plan.json", include_str!("../../../../tests/imports/terraform/plan.json"));
const STATE: (&str, &str) = ("state.json", include_str!("../../../../tests/imports/terraform/state.json"));

#[test]
fn resources_of_the_table_are_components() {
    let reading = sets::reading(Format::Terraform, &[PLAN]);
    assert_eq!(
        sets::components(&reading),
        [
            "rg-shop: group",
            "apps / web: web-app",
            "rg-shop / db: database",
            "network: group",
            "rg-shop / vnet: network",
            "vnet / apps: network",
            "queue: group",
            "queue / orders: queue",
        ]
    );
    let by_key = |key: &str| reading.components.iter().find(|one| one.origin.key == key).unwrap();
    assert_eq!(by_key("azurerm_linux_web_app.web").properties["instances"], 2);
    assert_eq!(by_key("azurerm_resource_group.shop").id, "shop-group");
    assert_eq!(by_key("azurerm_resource_group.shop").properties["region"], "westeurope");
    assert_eq!(by_key("azurerm_postgresql_flexible_server.db").properties["size"], "GP_Standard_D2s_v3");
    assert_eq!(by_key("module.network.azurerm_subnet.apps").name, "apps");
    assert_eq!(sets::owners(&reading), ["rg-shop: platform"]);
    assert_eq!(
        sets::ignored(&reading),
        ["azurerm_role_assignment: 1", "data sources: 1", "references to groups further out: 1"]
    );
}

#[test]
fn references_are_followed_through_modules() {
    let reading = sets::reading(Format::Terraform, &[PLAN]);
    assert_eq!(sets::relationships(&reading), ["web depends-on db", "orders depends-on web"]);
    let reading = sets::reading(Format::Terraform, &[STATE]);
    assert_eq!(sets::components(&reading), ["mailer: function", "mails: queue"]);
    assert_eq!(sets::relationships(&reading), ["mailer depends-on mails"]);
    assert_eq!(reading.components[0].technology, ["nodejs22.x"]);
    assert_eq!(sets::owners(&reading), ["mailer: mail"]);
}

#[test]
fn only_some_values_are_kept() {
    for sample in [PLAN, STATE] {
        let reading = sets::reading(Format::Terraform, &[sample]);
        let document = serde_json::to_string(&reading).unwrap() + &sets::diagnostics(&reading).join("\n");
        assert!(!document.contains("s3cret"), "{document}");
    }
}

#[test]
fn plans_in_the_binary_format_and_circles_are_bounded() {
    let files = Files::of("a.json", "{\"format_version\": \"1.0\", \"root_module\": {}}").unwrap();
    let refusal = read(Format::Terraform, &files, &Options::default()).unwrap_err();
    assert!(refusal.text.contains("terraform show -json"), "{refusal}");
    // Each output refers twice to the next one.
    let output = |n: usize| {
        let next = format!("\"module.m.o{}\"", n + 1);
        format!("\"o{n}\": {{\"expression\": {{\"references\": [{next}, {next}]}}}}")
    };
    let outputs: Vec<String> = (0..100).map(output).collect();
    let mut module = "{}".to_owned();
    for _ in 0..14 {
        module = format!(
            "{{\"outputs\": {{{}}}, \"module_calls\": {{\"m\": {{\"module\": {module}}}}}, \"resources\": [{{\"address\": \"aws_instance.a\", \"expressions\": {{\"x\": {{\"references\": [\"module.m.o0\"]}}}}}}]}}",
            outputs.join(",")
        );
    }
    let text = format!(
        "{{\"format_version\": \"1\", \"planned_values\": {{\"root_module\": {{}}}}, \"configuration\": {{\"root_module\": {module}}}}}"
    );
    let files = Files::of("a.json", text).unwrap();
    assert!(read(Format::Terraform, &files, &Options::default()).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(files) = Files::of("a.json", bytes) {
            sets::consistent(Format::Terraform, &files);
        }
    }

    #[test]
    fn changed_samples_are_read_or_refused(which in any::<Index>(), changes in sets::changes()) {
        sets::read_changed(Format::Terraform, &[PLAN], which, &changes);
        sets::read_changed(Format::Terraform, &[STATE], which, &changes);
    }
}
