//! Tests for models and deployment files: Structurizr, Compose, Kubernetes, Backstage, Terraform.

use super::{Outcome, assert_outcome, file_set, numbered, single_file};
use crate::Format;

/// Creates a workspace from a number of people, further lines of the model, and views.
fn workspace(people: usize, model: &str, views: &str) -> String {
    let people = numbered(people, |n| format!("p{n} = person \"P{n}\"\n"));
    format!("workspace {{\nmodel {{\n{people}{model}}}\nviews {{\n{views}}}\n}}\n")
}

#[test]
fn dsl_expressions_that_select_many_elements_are_limited() {
    let view = |line: String| workspace(2_000, "", &format!("systemLandscape x {{\n{line}\n}}\n"));
    for (name, line) in [
        ("repeated include of all elements", format!("include{}", " *".repeat(20_000))),
        ("include by type", format!("include{}", " element.type==Person".repeat(5_000))),
        ("include by tag", format!("include{}", " element.tag==a,b,c,d,e,f,g".repeat(2_000))),
        ("exclude and include", "include *\nexclude p1\ninclude p1\n".repeat(5_000)),
    ] {
        assert_outcome(name, Format::StructurizrDsl, &single_file("a.dsl", view(line)), Outcome::Refused);
    }
    // A repeated element is stored once.
    let line = format!("include{}", " p1".repeat(20_000));
    assert_outcome(
        "repeated include of one element",
        Format::StructurizrDsl,
        &single_file("a.dsl", view(line)),
        Outcome::Read,
    );
}

#[test]
fn dsl_statements_for_all_elements_are_limited() {
    let long = "x".repeat(20_000);
    for (name, model) in [
        ("description of all", format!("!elements * {{\ndescription \"{long}\"\n}}\n")),
        ("property of all", format!("!elements * {{\nproperties {{\n{}}}\n}}\n", "a \"b\"\n".repeat(2_000))),
        ("tags of all", format!("!elements * {{\n{}}}\n", "tags \"a,b,c,d,e,f\"\n".repeat(2_000))),
        ("relationships of all", format!("!elements * {{\nthis -> p0 \"{long}\"\n}}\n")),
        (
            "archetype with a long description",
            format!("archetypes {{\na = person {{\ndescription \"{long}\"\n}}\n}}\n{}", "a \"A\"\n".repeat(5_000)),
        ),
        (
            "derived archetypes",
            format!(
                "archetypes {{\na0 = person {{\nproperties {{\nx \"{long}\"\n}}\n}}\n{}}}\n",
                numbered(900, |n| format!("a{} = a{n} {{\nproperties {{\ny z\n}}\n}}\n", n + 1)) + ""
            ) + &"a900 \"A\"\n".repeat(5_000),
        ),
    ] {
        assert_outcome(
            name,
            Format::StructurizrDsl,
            &single_file("a.dsl", workspace(5_000, &model, "")),
            Outcome::Refused,
        );
    }
}

#[test]
fn what_rows_repeat_of_components_is_charged() {
    let person = |name: &str, n: usize| format!("p{n} = person \"{}{n:04}\"\n", name.repeat(190));
    let people = |name: &str| numbered(100, |n| person(name, n));
    let text =
        |name: &str, model: &str, views: &str| single_file("a.dsl", workspace(0, &(people(name) + model), views));
    let steps = numbered(50, |n| format!("p{} -> p{}\n", 2 * n, 2 * n + 1));
    let view = |text: &str| format!("systemLandscape {{\n{text}\n}}\n");
    let processes = format!("dynamic * {{\n{steps}}}\n").repeat(100);
    for (name, files, outcome) in [
        ("participants", text("\u{20000}", "", &processes), Outcome::Read),
        ("escaped participants", text("{", "", &processes), Outcome::Read),
        ("components of views", text("\u{20000}", "", &view("include *").repeat(2_500)), Outcome::Refused),
        (
            "ends of relationships",
            text("\u{20000}", &numbered(20_000, |n| format!("p0 -> p1 \"{n}\"\n")), ""),
            Outcome::Refused,
        ),
    ] {
        assert_outcome(name, Format::StructurizrDsl, &files, outcome);
    }
    let entity = |kind: &str, name: usize, more: &str| {
        format!(
            "apiVersion: backstage.io/v1alpha1\nkind: {kind}\nmetadata:\n  name: '{}'\n{more}",
            "\u{20000}".repeat(name)
        )
    };
    let links = format!("  links:\n{}", numbered(25_000, |n| format!("  - {{ url: 'http://a/{n}' }}\n")));
    let files = single_file("catalog-info.yaml", entity("Component", 400, &links));
    assert_outcome("links of a component with a long name", Format::Backstage, &files, Outcome::Read);
    let nodes = numbered(100, |n| format!("n{n}[{}{n}]\n", "\u{20000}".repeat(190)));
    let clicks = numbered(19_000, |n| format!("click n{} \"http://a/{n}\"\n", n / 190));
    let files = single_file("a.mmd", format!("flowchart TD\n{nodes}{clicks}"));
    assert_outcome("links of nodes with long names", Format::MermaidFlowchart, &files, Outcome::Read);
    let arrows = format!("flowchart TD\n{}", numbered(10_000, |n| format!("a{n} --> a{}\n", n + 1)));
    let files = |name: &str| single_file(&format!("{}.mmd", name.repeat(990)), arrows.as_str());
    assert_outcome("a file with a long name", Format::MermaidFlowchart, &files("\u{20000}"), Outcome::Refused);
    assert_outcome(
        "a file with a name",
        Format::MermaidFlowchart,
        &single_file("a.mmd", arrows.as_str()),
        Outcome::Read,
    );
}

#[test]
fn dsl_tags_of_an_element_are_limited() {
    let metadata = numbered(200, |n| format!("metadata y{n}\n"));
    let describe = |tag: &str| {
        let model = format!(
            "q = person \"Q\" {{\n{metadata}}}\n!elements \"element.tag=={tag}\" {{\ndescription \"{tag}\"\n}}\n"
        );
        let files = single_file("a.dsl", workspace(0, &model, ""));
        let reading = crate::read(Format::StructurizrDsl, &files, &crate::Options::default()).unwrap();
        reading.components[0].description.clone()
    };
    assert_eq!((describe("y99").as_deref(), describe("y100")), (Some("y99"), None));
}

#[test]
fn dsl_constants_and_includes_are_limited() {
    let constant = format!("!const A {}\n", "a".repeat(9_000));
    let lines = constant.clone() + &"b ${A}${A}${A}${A}\n".repeat(5_000);
    assert_outcome("constants", Format::StructurizrDsl, &single_file("a.dsl", lines), Outcome::Refused);
    // Each file includes the next file several times.
    let chain = (0..16).map(|n| {
        let next = format!("!include {}.dsl\n", n + 1).repeat(4);
        (format!("{n}.dsl"), if n == 0 { format!("workspace {{\n{next}}}\n") } else { next })
    });
    let last = [("16.dsl".to_owned(), format!("# {}\n", "x".repeat(1_000)))];
    assert_outcome("includes", Format::StructurizrDsl, &file_set(chain.chain(last)), Outcome::Refused);
    let open = constant + &"b ".repeat(10) + &"${".repeat(100_000);
    assert_outcome(
        "unterminated constant references",
        Format::StructurizrDsl,
        &single_file("a.dsl", open),
        Outcome::Read,
    );
    let folder = (0..1_000).map(|n| (format!("{n}.dsl"), "!include .\n".repeat(500)));
    assert_outcome("includes of a folder", Format::StructurizrDsl, &file_set(folder), Outcome::Refused);
}

#[test]
fn structurizr_json_is_limited() {
    let elements =
        |text: &str, count: usize| format!("{{\"model\":{{\"softwareSystems\":[{}{{}}]}}}}", text.repeat(count));
    let empty = single_file("a.json", elements("{},", 60_000));
    let refusal = crate::read(Format::StructurizrJson, &empty, &crate::Options::default()).unwrap_err();
    assert!(refusal.text.contains("more than 40000 elements"), "{refusal}");
    let instances = "{\"softwareSystemId\":\"a\"},".repeat(20_000);
    let text = format!(
        "{{\"model\":{{\"softwareSystems\":[{{\"id\":\"a\"}}],\"deploymentNodes\":[{{\"environment\":\"{}\",\
         \"softwareSystemInstances\":[{instances}{{}}]}}]}}}}",
        "e".repeat(10_000)
    );
    assert_outcome("instances", Format::StructurizrJson, &single_file("a.json", text), Outcome::Read);
    let order = "1.".repeat(30_000);
    let steps = format!("{{\"order\":\"{order}\"}},").repeat(30);
    let text =
        format!("{{\"model\":{{\"people\":[]}},\"views\":{{\"dynamicViews\":[{{\"relationships\":[{steps}{{}}]}}]}}}}");
    assert_outcome("long step numbers", Format::StructurizrJson, &single_file("a.json", text), Outcome::Read);
    let steps = format!("{{\"order\":\"{}\"}},", ".".repeat(99)).repeat(10_000);
    let text =
        format!("{{\"model\":{{\"people\":[]}},\"views\":{{\"dynamicViews\":[{{\"relationships\":[{steps}{{}}]}}]}}}}");
    assert_outcome("step numbers of many parts", Format::StructurizrJson, &single_file("a.json", text), Outcome::Read);
}

#[test]
fn extended_compose_services_are_limited() {
    let fields = |count: usize| numbered(count, |n| format!("      k{n}: \"a:{n}\"\n"));
    let extend = |count: usize| numbered(count, |n| format!("  s{n}: {{ extends: base }}\n"));
    let base = format!("services:\n  base:\n    environment:\n{}{}", fields(2_000), extend(4_000));
    assert_outcome("extends", Format::Compose, &single_file("compose.yaml", base), Outcome::Refused);
    // Fields that are not read are not charged.
    let other = format!("services:\n  base:\n    x-other:\n{}{}", fields(10_000), extend(4_000));
    assert_outcome("extended unread field", Format::Compose, &single_file("compose.yaml", other), Outcome::Read);
    let labels = format!("services:\n  base:\n    labels:\n{}{}", fields(2_000), extend(4_000));
    assert_outcome("extended labels", Format::Compose, &single_file("compose.yaml", labels), Outcome::Refused);
    let profiles = format!("services:\n  base:\n    profiles: [{}a]\n{}", "abcdefgh, ".repeat(5_000), extend(4_000));
    assert_outcome("extended profiles", Format::Compose, &single_file("compose.yaml", profiles), Outcome::Refused);
    let depends = format!("services:\n  base:\n    depends_on: [{}a]\n{}", "none, ".repeat(5_000), extend(4_000));
    assert_outcome("extended dependencies", Format::Compose, &single_file("compose.yaml", depends), Outcome::Refused);
}

#[test]
fn compose_reads_an_env_file_once_per_service() {
    let env = numbered(1_000, |n| format!("K{n}=http://h{n}:8080\n"));
    let list = format!("services:\n  web:\n    image: web\n    env_file: [{}e]\n", "e, ".repeat(20_000));
    let files = file_set([("compose.yaml".to_owned(), list), ("e".to_owned(), env.clone())]);
    assert_outcome("env files", Format::Compose, &files, Outcome::Read);
    let many = numbered(4_000, |n| format!("  s{n}: {{ env_file: e }}\n"));
    let files = file_set([("compose.yaml".to_owned(), format!("services:\n{many}")), ("e".to_owned(), env)]);
    // The search for hosts stops, and the services are imported.
    assert_outcome("an env file shared by many services", Format::Compose, &files, Outcome::Read);
    let many = format!("services:\n{}", numbered(200, |n| format!("  s{n}: {{ env_file: e }}\n")));
    let named = format!(
        "services:\n  base:\n    environment: [{}=a]\n{}",
        "A".repeat(50_000),
        numbered(200, |n| format!("  s{n}: {{ extends: base }}\n"))
    );
    for (name, compose, env) in [
        ("lines without a variable", many, (" ".repeat(499) + "\n").repeat(1_000)),
        ("a variable with a long name", named, String::new()),
    ] {
        let files = file_set([("compose.yaml".to_owned(), compose), ("e".to_owned(), env)]);
        assert_outcome(name, Format::Compose, &files, Outcome::Read);
        let reading = crate::read(Format::Compose, &files, &crate::Options::default()).unwrap();
        assert!(reading.diagnostics.iter().any(|line| line.text.contains("too large to search")), "{name}");
    }
    let unset = format!(
        "services:\n  base:\n    environment: [{}]\n{}",
        "\"A=$B\", ".repeat(3_000),
        numbered(4_000, |n| format!("  s{n}: {{ extends: base }}\n"))
    );
    assert_outcome("variables without a value", Format::Compose, &single_file("compose.yaml", unset), Outcome::Refused);
}

#[test]
fn yaml_aliases_are_counted_across_files() {
    let text = "x".repeat(10_000);
    let kubernetes = |n: usize| {
        let object = format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: c{n} }}\nx: &x {text}\n");
        (format!("{n}.yaml"), format!("{object}data: [{}*x]\n", "*x, ".repeat(1_650)))
    };
    assert_outcome("aliased texts", Format::Kubernetes, &file_set((0..60).map(kubernetes)), Outcome::Refused);
    let compose = |n: usize| {
        let services = format!("services:\n  s{n}:\n    image: &x {text}\n    x-all: [{}*x]\n", "*x, ".repeat(1_650));
        (format!("{n}/compose.yaml"), services)
    };
    assert_outcome(
        "aliased texts in several projects",
        Format::Compose,
        &file_set((0..60).map(compose)),
        Outcome::Refused,
    );
    let merged = format!(
        "x-base: &base\n{}services:\n{}",
        numbered(500, |n| format!("  k{n}: a\n")),
        numbered(2_000, |n| format!("  s{n}:\n    <<: *base\n"))
    );
    let files = single_file("compose.yaml", merged);
    let refusal = crate::read(Format::Compose, &files, &crate::Options::default()).unwrap_err();
    assert!(refusal.text.contains("400,000 values"), "{refusal}");
}

/// Creates deployments whose pods have these labels.
fn deployments(count: usize, labels: &str) -> String {
    numbered(count, |n| {
        format!(
            "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{ name: d{n} }}\nspec: {{ template: {{ metadata: {{ labels: \
             {{ {labels} }} }} }} }}\n"
        )
    })
}

#[test]
fn kubernetes_selectors_are_limited() {
    let policy = "---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: p }\nspec:\n  podSelector: { \
                  matchLabels: { a: b } }\n  ingress:\n  - from:\n";
    let peer = "    - podSelector: { matchLabels: { a: b } }\n";
    let text = deployments(100, "a: b") + policy + &peer.repeat(5_000);
    assert_outcome("equal peers", Format::Kubernetes, &single_file("a.yaml", text), Outcome::Read);
    let policies = policy.replace("name: p", "name: p{n}") + peer;
    let text = deployments(100, "a: b") + &numbered(1_000, |n| policies.replace("{n}", &n.to_string()));
    assert_outcome("equal policies", Format::Kubernetes, &single_file("a.yaml", text), Outcome::Refused);
    let service = |n: usize| {
        format!("---\napiVersion: v1\nkind: Service\nmetadata: {{ name: s{n} }}\nspec: {{ selector: {{ a: b }} }}\n")
    };
    let text = deployments(2_000, "a: b") + &numbered(2_000, service);
    assert_outcome(
        "services that select all workloads",
        Format::Kubernetes,
        &single_file("a.yaml", text),
        Outcome::Refused,
    );
    let other = deployments(2_000, "a: b") + &numbered(2_000, |n| service(n).replace("a: b", "a: c"));
    assert_outcome(
        "services that select no workload",
        Format::Kubernetes,
        &single_file("a.yaml", other),
        Outcome::Read,
    );
}

#[test]
fn kubernetes_configuration_is_limited() {
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
    assert_outcome(
        "an environment shared by all pods",
        Format::Kubernetes,
        &single_file("a.yaml", text),
        Outcome::Refused,
    );
    let sources = "{ configMapRef: { name: c } }, ".repeat(2_000);
    let text = map + &pod(0).replace("{ configMapRef: { name: c } }", &(sources + "{}"));
    assert_outcome("an environment repeated in a pod", Format::Kubernetes, &single_file("a.yaml", text), Outcome::Read);
    let text = format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: c }}\ndata:\n  ? {}\n  : \"\"\n{}",
        "n".repeat(60_000),
        pod(0)
            .replace("containers: [ {", "containers: [ &c {")
            .replace("} ] } ] }", &format!("}} ] }}{} ] }}", ", *c".repeat(2_000)))
    );
    assert_outcome("a long key", Format::Kubernetes, &single_file("a.yaml", text), Outcome::Refused);
    let paths = "{ backend: { service: { name: s } } }, ".repeat(2_000);
    let route = format!(
        "---\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {{ name: i }}\nspec: {{ rules: [ {{ http: {{ paths: [ \
         {paths} ] }} }} ] }}\n---\napiVersion: v1\nkind: Service\nmetadata: {{ name: s }}\nspec: {{ selector: {{ a: b }} }}\n"
    );
    let text = deployments(2_000, "a: b") + &route;
    assert_outcome("paths of an ingress", Format::Kubernetes, &single_file("a.yaml", text), Outcome::Refused);
}

#[test]
fn catalog_and_plan_references_are_limited() {
    let name = "n".repeat(20_000);
    let catalog = format!(
        "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {{ name: {name} }}\nspec:\n  dependsOn:\n{}",
        "  - x\n".repeat(20_000)
    );
    assert_outcome(
        "an entity with a long name and many references",
        Format::Backstage,
        &single_file("catalog-info.yaml", catalog),
        Outcome::Read,
    );
    let team = format!(
        "apiVersion: backstage.io/v1alpha1\nkind: User\nmetadata: {{ name: u }}\n---\napiVersion: backstage.io/v1alpha1\nkind: Group\n\
         metadata: {{ name: g }}\nspec:\n  members:\n{}",
        "  - u\n".repeat(20_000)
    );
    assert_outcome("a repeated member", Format::Backstage, &single_file("catalog-info.yaml", team), Outcome::Read);
    let location = |n: usize| {
        let head = "apiVersion: backstage.io/v1alpha1\nkind: Location\nmetadata: { name: l }\nspec:\n  targets:\n";
        (format!("{n}.yaml"), head.to_owned() + &"  - .\n".repeat(500))
    };
    assert_outcome("targets", Format::Backstage, &file_set((0..500).map(location)), Outcome::Refused);
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
    assert_outcome(
        "an expression without references",
        Format::Terraform,
        &single_file("a.json", plan(&deep, 20_000)),
        Outcome::Read,
    );
    let wide = format!("{{\"references\":[{}\"aws_vpc.a\"]}}", "\"aws_vpc.a\",".repeat(5_000));
    assert_outcome(
        "an expression with references",
        Format::Terraform,
        &single_file("a.json", plan(&wide, 5_000)),
        Outcome::Refused,
    );
    let name = "n".repeat(50_000);
    let calls = numbered(2_000, |n| format!("\"c{n}\":{{\"module\":{{}}}},"));
    let modules = format!(
        "{{\"format_version\":\"1\",\"planned_values\":{{\"root_module\":{{}}}},\"configuration\":{{\"root_module\":{{\
         \"module_calls\":{{\"{name}\":{{\"module\":{{\"module_calls\":{{{calls}\"c\":{{}}}}}}}}}}}}}}}}"
    );
    assert_outcome(
        "modules in a module with a long name",
        Format::Terraform,
        &single_file("a.json", modules),
        Outcome::Refused,
    );
}
