//! Models and deployment files: Structurizr, Compose, Kubernetes, Backstage, Terraform.

use super::{End, attack, numbered, one, set};
use crate::Format;

/// A workspace with people and what follows the model.
fn workspace(people: usize, model: &str, views: &str) -> String {
    let people = numbered(people, |n| format!("p{n} = person \"P{n}\"\n"));
    format!("workspace {{\nmodel {{\n{people}{model}}}\nviews {{\n{views}}}\n}}\n")
}

#[test]
fn expressions_of_the_dsl_that_name_everything_are_not_multiplied() {
    let view = |line: String| workspace(2_000, "", &format!("systemLandscape x {{\n{line}\n}}\n"));
    for (name, line) in [
        ("include all again and again", format!("include{}", " *".repeat(20_000))),
        ("include by type", format!("include{}", " element.type==Person".repeat(5_000))),
        ("include by tag", format!("include{}", " element.tag==a,b,c,d,e,f,g".repeat(2_000))),
        ("exclude and include", "include *\nexclude p1\ninclude p1\n".repeat(5_000)),
    ] {
        attack(name, Format::StructurizrDsl, &one("a.dsl", view(line)), End::Refused);
    }
    // The same element again is not kept again.
    let line = format!("include{}", " p1".repeat(20_000));
    attack("include one", Format::StructurizrDsl, &one("a.dsl", view(line)), End::Read);
}

#[test]
fn statements_of_the_dsl_about_all_elements_are_not_multiplied() {
    let long = "x".repeat(20_000);
    for (name, model) in [
        ("description of all", format!("!elements * {{\ndescription \"{long}\"\n}}\n")),
        ("property of all", format!("!elements * {{\nproperties {{\n{}}}\n}}\n", "a \"b\"\n".repeat(2_000))),
        ("tags of all", format!("!elements * {{\n{}}}\n", "tags \"a,b,c,d,e,f\"\n".repeat(2_000))),
        ("relationships of all", format!("!elements * {{\nthis -> p0 \"{long}\"\n}}\n")),
        (
            "archetype with a long text",
            format!("archetypes {{\na = person {{\ndescription \"{long}\"\n}}\n}}\n{}", "a \"A\"\n".repeat(5_000)),
        ),
        (
            "archetypes of archetypes",
            format!(
                "archetypes {{\na0 = person {{\nproperties {{\nx \"{long}\"\n}}\n}}\n{}}}\n",
                numbered(900, |n| format!("a{} = a{n} {{\nproperties {{\ny z\n}}\n}}\n", n + 1)) + ""
            ) + &"a900 \"A\"\n".repeat(5_000),
        ),
    ] {
        attack(name, Format::StructurizrDsl, &one("a.dsl", workspace(5_000, &model, "")), End::Refused);
    }
}

#[test]
fn constants_and_includes_of_the_dsl_do_not_expand_without_end() {
    let constant = format!("!const A {}\n", "a".repeat(9_000));
    let lines = constant.clone() + &"b ${A}${A}${A}${A}\n".repeat(5_000);
    attack("constants", Format::StructurizrDsl, &one("a.dsl", lines), End::Refused);
    // Each file includes the next one twice.
    let chain = (0..16).map(|n| {
        let next = format!("!include {}.dsl\n", n + 1).repeat(4);
        (format!("{n}.dsl"), if n == 0 { format!("workspace {{\n{next}}}\n") } else { next })
    });
    let last = [("16.dsl".to_owned(), format!("# {}\n", "x".repeat(1_000)))];
    attack("includes", Format::StructurizrDsl, &set(chain.chain(last)), End::Refused);
    let open = constant + &"b ".repeat(10) + &"${".repeat(100_000);
    attack("constants that do not end", Format::StructurizrDsl, &one("a.dsl", open), End::Read);
    let folder = (0..1_000).map(|n| (format!("{n}.dsl"), "!include .\n".repeat(500)));
    attack("includes of a folder", Format::StructurizrDsl, &set(folder), End::Refused);
}

#[test]
fn workspaces_in_json_are_not_multiplied() {
    let elements =
        |text: &str, count: usize| format!("{{\"model\":{{\"softwareSystems\":[{}{{}}]}}}}", text.repeat(count));
    let empty = one("a.json", elements("{},", 60_000));
    let refusal = crate::read(Format::StructurizrJson, &empty, &crate::Options::default()).unwrap_err();
    assert!(refusal.text.contains("more than 40000 elements"), "{refusal}");
    let instances = "{\"softwareSystemId\":\"a\"},".repeat(20_000);
    let text = format!(
        "{{\"model\":{{\"softwareSystems\":[{{\"id\":\"a\"}}],\"deploymentNodes\":[{{\"environment\":\"{}\",\
         \"softwareSystemInstances\":[{instances}{{}}]}}]}}}}",
        "e".repeat(10_000)
    );
    attack("instances", Format::StructurizrJson, &one("a.json", text), End::Read);
    let order = "1.".repeat(30_000);
    let steps = format!("{{\"order\":\"{order}\"}},").repeat(30);
    let text =
        format!("{{\"model\":{{\"people\":[]}},\"views\":{{\"dynamicViews\":[{{\"relationships\":[{steps}{{}}]}}]}}}}");
    attack("long numbers of steps", Format::StructurizrJson, &one("a.json", text), End::Read);
}

#[test]
fn compose_services_share_what_they_extend() {
    let fields = |count: usize| numbered(count, |n| format!("      k{n}: \"a:{n}\"\n"));
    let extend = |count: usize| numbered(count, |n| format!("  s{n}: {{ extends: base }}\n"));
    let base = format!("services:\n  base:\n    environment:\n{}{}", fields(2_000), extend(4_000));
    attack("extends", Format::Compose, &one("compose.yaml", base), End::Refused);
    // What is not looked into costs nothing.
    let other = format!("services:\n  base:\n    x-other:\n{}{}", fields(10_000), extend(4_000));
    attack("extends what is not read", Format::Compose, &one("compose.yaml", other), End::Read);
    let labels = format!("services:\n  base:\n    labels:\n{}{}", fields(2_000), extend(4_000));
    attack("labels that are extended", Format::Compose, &one("compose.yaml", labels), End::Refused);
    let profiles = format!("services:\n  base:\n    profiles: [{}a]\n{}", "abcdefgh, ".repeat(5_000), extend(4_000));
    attack("profiles that are extended", Format::Compose, &one("compose.yaml", profiles), End::Refused);
    let depends = format!("services:\n  base:\n    depends_on: [{}a]\n{}", "none, ".repeat(5_000), extend(4_000));
    attack("dependencies that are extended", Format::Compose, &one("compose.yaml", depends), End::Refused);
}

#[test]
fn compose_reads_an_env_file_once_for_a_service() {
    let env = numbered(1_000, |n| format!("K{n}=http://h{n}:8080\n"));
    let list = format!("services:\n  web:\n    image: web\n    env_file: [{}e]\n", "e, ".repeat(20_000));
    let files = set([("compose.yaml".to_owned(), list), ("e".to_owned(), env.clone())]);
    attack("env files", Format::Compose, &files, End::Read);
    let many = numbered(4_000, |n| format!("  s{n}: {{ env_file: e }}\n"));
    let files = set([("compose.yaml".to_owned(), format!("services:\n{many}")), ("e".to_owned(), env)]);
    // The search for hosts ends, and the services are read.
    attack("an env file of many services", Format::Compose, &files, End::Read);
    let nothing = format!(
        "services:\n  base:\n    environment: [{}]\n{}",
        "\"A=$B\", ".repeat(3_000),
        numbered(4_000, |n| format!("  s{n}: {{ extends: base }}\n"))
    );
    attack("variables without a value", Format::Compose, &one("compose.yaml", nothing), End::Refused);
}

#[test]
fn aliases_of_all_files_count_together() {
    let text = "x".repeat(10_000);
    let kubernetes = |n: usize| {
        let object = format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: c{n} }}\nx: &x {text}\n");
        (format!("{n}.yaml"), format!("{object}data: [{}*x]\n", "*x, ".repeat(1_650)))
    };
    attack("texts by alias", Format::Kubernetes, &set((0..60).map(kubernetes)), End::Refused);
    let compose = |n: usize| {
        let services = format!("services:\n  s{n}:\n    image: &x {text}\n    x-all: [{}*x]\n", "*x, ".repeat(1_650));
        (format!("{n}/compose.yaml"), services)
    };
    attack("texts by alias in projects", Format::Compose, &set((0..60).map(compose)), End::Refused);
    let merged = format!(
        "x-base: &base\n{}services:\n{}",
        numbered(500, |n| format!("  k{n}: a\n")),
        numbered(2_000, |n| format!("  s{n}:\n    <<: *base\n"))
    );
    let files = one("compose.yaml", merged);
    let refusal = crate::read(Format::Compose, &files, &crate::Options::default()).unwrap_err();
    assert!(refusal.text.contains("400,000 values"), "{refusal}");
}

/// Deployments with labels.
fn deployments(count: usize, labels: &str) -> String {
    numbered(count, |n| {
        format!(
            "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{ name: d{n} }}\nspec: {{ template: {{ metadata: {{ labels: \
             {{ {labels} }} }} }} }}\n"
        )
    })
}

#[test]
fn selectors_of_kubernetes_are_looked_up() {
    let policy = "---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: p }\nspec:\n  podSelector: { \
                  matchLabels: { a: b } }\n  ingress:\n  - from:\n";
    let peer = "    - podSelector: { matchLabels: { a: b } }\n";
    let text = deployments(100, "a: b") + policy + &peer.repeat(5_000);
    attack("equal peers", Format::Kubernetes, &one("a.yaml", text), End::Read);
    let policies = policy.replace("name: p", "name: p{n}") + peer;
    let text = deployments(100, "a: b") + &numbered(1_000, |n| policies.replace("{n}", &n.to_string()));
    attack("equal policies", Format::Kubernetes, &one("a.yaml", text), End::Refused);
    let service = |n: usize| {
        format!("---\napiVersion: v1\nkind: Service\nmetadata: {{ name: s{n} }}\nspec: {{ selector: {{ a: b }} }}\n")
    };
    let text = deployments(2_000, "a: b") + &numbered(2_000, service);
    attack("services of all workloads", Format::Kubernetes, &one("a.yaml", text), End::Refused);
    let other = deployments(2_000, "a: b") + &numbered(2_000, |n| service(n).replace("a: b", "a: c"));
    attack("services of no workload", Format::Kubernetes, &one("a.yaml", other), End::Read);
}

#[test]
fn configuration_of_kubernetes_is_not_multiplied() {
    let map = format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: c }}\ndata:\n{}",
        numbered(2_000, |n| format!("  k{n}: \"\"\n"))
    );
    let pod = |n: usize| {
        format!(
            "---\napiVersion: v1\nkind: Pod\nmetadata: {{ name: p{n} }}\nspec: {{ containers: [ {{ envFrom: [ {{ configMapRef: {{ \
             name: c }} }} ] }} ] }}\n"
        )
    };
    let text = map.clone() + &numbered(2_000, pod);
    attack("environment of all pods", Format::Kubernetes, &one("a.yaml", text), End::Refused);
    let sources = "{ configMapRef: { name: c } }, ".repeat(2_000);
    let text = map + &pod(0).replace("{ configMapRef: { name: c } }", &(sources + "{}"));
    attack("one environment many times", Format::Kubernetes, &one("a.yaml", text), End::Read);
    let paths = "{ backend: { service: { name: s } } }, ".repeat(2_000);
    let route = format!(
        "---\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {{ name: i }}\nspec: {{ rules: [ {{ http: {{ paths: [ \
         {paths} ] }} }} ] }}\n---\napiVersion: v1\nkind: Service\nmetadata: {{ name: s }}\nspec: {{ selector: {{ a: b }} }}\n"
    );
    let text = deployments(2_000, "a: b") + &route;
    attack("paths of an ingress", Format::Kubernetes, &one("a.yaml", text), End::Refused);
}

#[test]
fn references_of_catalogs_and_plans_are_followed_once() {
    let name = "n".repeat(20_000);
    let catalog = format!(
        "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {{ name: {name} }}\nspec:\n  dependsOn:\n{}",
        "  - x\n".repeat(20_000)
    );
    attack("a long name that refers", Format::Backstage, &one("catalog-info.yaml", catalog), End::Read);
    let team = format!(
        "apiVersion: backstage.io/v1alpha1\nkind: User\nmetadata: {{ name: u }}\n---\napiVersion: backstage.io/v1alpha1\nkind: Group\n\
         metadata: {{ name: g }}\nspec:\n  members:\n{}",
        "  - u\n".repeat(20_000)
    );
    attack("the same member", Format::Backstage, &one("catalog-info.yaml", team), End::Read);
    let location = |n: usize| {
        let head = "apiVersion: backstage.io/v1alpha1\nkind: Location\nmetadata: { name: l }\nspec:\n  targets:\n";
        (format!("{n}.yaml"), head.to_owned() + &"  - .\n".repeat(500))
    };
    attack("targets", Format::Backstage, &set((0..500).map(location)), End::Refused);
    let plan = |expression: &str, uses: usize| {
        let uses = format!(
            "{{\"address\":\"aws_instance.a\",\"expressions\":{{\"x\":{{\"references\":[{}\"var.v\"]}}}}}}",
            "\"var.v\",".repeat(uses)
        );
        format!(
            "{{\"format_version\":\"1\",\"planned_values\":{{\"root_module\":{{}}}},\"configuration\":{{\"root_module\":{{\
             \"module_calls\":{{\"m\":{{\"expressions\":{{\"v\":{expression}}},\"module\":{{\"resources\":[{uses}]}}}}}}}}}}}}"
        )
    };
    let deep = format!("[{}1]", "[1],".repeat(20_000));
    attack("an expression without references", Format::Terraform, &one("a.json", plan(&deep, 20_000)), End::Read);
    let wide = format!("{{\"references\":[{}\"aws_vpc.a\"]}}", "\"aws_vpc.a\",".repeat(5_000));
    attack("an expression with references", Format::Terraform, &one("a.json", plan(&wide, 5_000)), End::Refused);
    let name = "n".repeat(50_000);
    let calls = numbered(2_000, |n| format!("\"c{n}\":{{\"module\":{{}}}},"));
    let modules = format!(
        "{{\"format_version\":\"1\",\"planned_values\":{{\"root_module\":{{}}}},\"configuration\":{{\"root_module\":{{\
         \"module_calls\":{{\"{name}\":{{\"module\":{{\"module_calls\":{{{calls}\"c\":{{}}}}}}}}}}}}}}}}"
    );
    attack("modules in a module with a long name", Format::Terraform, &one("a.json", modules), End::Refused);
}
