//! No reader keeps a secret, wherever a person wrote it.

use crate::{Files, Format, Reading, read, sets, testing::everything};

/// The secret. What a reading contains must not contain it.
const SECRET: &str = "s3cr3t";

/// Forms in which credentials are written.
const FORMS: [&str; 9] = [
    "mysql://root:s3cr3t@db/x",
    "root:s3cr3t@tcp(db:3306)/x",
    "admin:s3cr3t@db:5432",
    "Server=x;Password=s3cr3t;Database=y",
    "DefaultEndpointsProtocol=https;AccountKey=s3cr3t==",
    "Bearer s3cr3t6",
    "https://g.example.org/d?access_token=s3cr3t",
    "https://g.example.org/d?x=1&password=s3cr3t#y",
    "-----BEGIN PRIVATE KEY-----s3cr3t-----END PRIVATE KEY-----",
];

/// Names of properties whose values are secrets.
const NAMES: [&str; 8] = ["pwd", "passphrase", "db_pass", "dsn", "auth", "ssh_key", "AccountKey", "clientSecret"];

/// A file of each format with `@@` where people write texts.
const FILES: [(Format, &str, &str); 16] = [
    (
        Format::StructurizrJson,
        "a.json",
        r#"{"name":"SEEN @@","model":{"people":[{"id":"1","name":"P @@"}],"softwareSystems":[{"id":"2","name":"SEEN @@",
        "description":"@@","group":"G @@","tags":"Element,@@","url":"https://e.example.org/?token=s3cr3t","properties":{"x":"@@","pwd":"s3cr3t"},
        "perspectives":[{"name":"Owner","description":"@@"}],
        "containers":[{"id":"3","name":"C @@","technology":"@@","relationships":[{"id":"4","sourceId":"3","destinationId":"1","description":"uses @@","technology":"@@"}]}]}]},"views":{}}"#,
    ),
    (
        Format::StructurizrDsl,
        "a.dsl",
        "workspace \"SEEN @@\" {\n!const TOKEN s3cr3t\nmodel {\na = person \"SEEN @@ ${TOKEN}\" \"@@\" \"@@\"\ns = softwareSystem \"S @@\" {\n\
         properties {\n\"x\" \"@@\"\npwd s3cr3t\nowner \"@@\"\n}\nurl \"https://e.example.org/?sig=s3cr3t\"\n}\na -> s \"uses @@\" \"@@\"\nb -> s \"@@\"\n}\n}\n",
    ),
    (
        Format::LikeC4,
        "a.json",
        r#"{"projectId":"p","project":{"id":"p","title":"SEEN @@"},"specification":{},"elements":{
        "a @@":{"kind":"system","title":"SEEN @@","description":{"md":"@@"},"technology":"@@","tags":["@@"],"metadata":{"x":"@@","pwd":"s3cr3t"},
        "links":[{"url":"https://e.example.org/?token=s3cr3t","title":"@@"}]},"b":{"kind":"actor","title":"B"}},
        "relations":{"r":{"source":{"model":"b"},"target":{"model":"a @@"},"title":"uses @@","technology":"@@","description":{"txt":"@@"}},
        "q":{"source":{"model":"none @@"},"target":{"model":"b"}}}}"#,
    ),
    (
        Format::IcePanel,
        "a.json",
        r#"{"domains":{"d":{"id":"d","name":"D @@"}},"teams":{"t":{"id":"t","name":"T @@"}},"tags":{"g":{"id":"g","name":"@@"}},"modelObjects":{
        "s":{"id":"s","type":"system","name":"SEEN @@","caption":"@@","description":"@@","domainId":"d","teamIds":["t"],"tagIds":["g"],
        "links":{"l":{"url":"https://e.example.org/?token=s3cr3t","customName":"@@"}},"technologies":{"x":{"name":"@@"}}},
        "p":{"id":"p","type":"app","name":"P","parentId":"s","domainId":"d"}},
        "modelConnections":{"k":{"id":"k","name":"uses @@","originId":"s","targetId":"p","direction":"outgoing"}}}"#,
    ),
    (
        Format::Backstage,
        "catalog-info.yaml",
        "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: a\n  title: 'SEEN @@'\n  description: '@@'\n  tags: ['@@']\n  \
         annotations: { x: '@@', pwd: s3cr3t }\n  links: [{ url: 'https://e.example.org/?token=s3cr3t', title: '@@' }]\n\
         spec: { type: '@@', lifecycle: '@@', owner: 'group:@@', system: '@@' }\n---\n\
         apiVersion: backstage.io/v1alpha1\nkind: User\nmetadata: { name: '@@', title: '@@' }\nspec: { profile: { email: '@@' } }\n---\n\
         apiVersion: backstage.io/v1alpha1\nkind: Group\nmetadata: { name: '@@', description: '@@' }\nspec: { parent: '@@', members: ['@@'] }\n---\n\
         apiVersion: backstage.io/v1alpha1\nkind: '@@'\nmetadata: { name: '@@' }\n",
    ),
    (
        Format::DrawIo,
        "a.drawio",
        "<mxfile><diagram id=\"p\" name=\"@@\"><mxGraphModel><root><mxCell id=\"0\"/><mxCell id=\"1\" parent=\"0\" value=\"L @@\"/>\
         <object id=\"a @@\" label=\"SEEN @@ %pwd%\" placeholders=\"1\" pwd=\"s3cr3t\" x=\"@@\" tooltip=\"@@\" link=\"https://e.example.org/?token=s3cr3t\" tags=\"@@\">\
         <mxCell vertex=\"1\" parent=\"1\"/></object><mxCell id=\"b\" value=\"B @@\" vertex=\"1\" parent=\"1\"/>\
         <mxCell id=\"e\" value=\"uses @@\" edge=\"1\" source=\"a @@\" target=\"b\" parent=\"1\"/></root></mxGraphModel></diagram></mxfile>",
    ),
    (
        Format::Excalidraw,
        "a.excalidraw",
        r#"{"type":"excalidraw","elements":[{"id":"r","type":"rectangle","x":0,"y":0,"width":100,"height":50,"link":"https://e.example.org/?token=s3cr3t","boundElements":[{"id":"t","type":"text"}]},
        {"id":"t","type":"text","x":1,"y":1,"width":10,"height":10,"text":"SEEN @@","containerId":"r"},
        {"id":"f","type":"frame","x":-5,"y":-5,"width":500,"height":500,"name":"F @@"}]}"#,
    ),
    (
        Format::Terraform,
        "state.json",
        r#"{"format_version":"1.0","terraform_version":"1.9.0","values":{"root_module":{"resources":[{"address":"aws_lambda_function.a","mode":"managed","type":"aws_lambda_function","name":"SEEN",
        "values":{"function_name":"SEEN @@","description":"@@","runtime":"@@","region":"@@","environment":[{"variables":{"KEY":"s3cr3t"}}],"tags":{"Owner":"@@","planroom.type":"@@","planroom.id":"@@"}}}]}}}"#,
    ),
    (Format::ServiceGraph, "a.json", r#"{"data":[{"parent":"SEEN @@","child":"b @@","callCount":3}]}"#),
    (
        Format::Csv,
        "a.csv",
        "id,name,type,description,owner,technology,tags,lifecycle,url,x1,pwd,partOf,dependsOn\n\
         \"a @@\",\"SEEN @@\",\"@@\",\"@@\",\"@@\",\"@@\",\"@@\",\"@@\",https://e.example.org/?token=s3cr3t,\"@@\",s3cr3t,\"@@\",\"@@\"\n",
    ),
    (
        Format::Kubernetes,
        "a.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: 'SEEN @@'\n  namespace: 'n @@'\n  labels: { app.kubernetes.io/part-of: '@@', owner: '@@' }\n  \
         annotations: { kubernetes.io/description: '@@', planroom.type: '@@', planroom.id: '@@' }\n\
         spec: { template: { spec: { containers: [{ image: '@@', args: ['@@'], env: [{ name: PWD, value: s3cr3t }, { name: '@@', value: '@@' }] }] } } }\n---\n\
         apiVersion: v1\nkind: Service\nmetadata: { name: x }\nspec: { type: ExternalName, externalName: '@@' }\n---\n\
         apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: i }\nspec: { defaultBackend: { service: { name: '@@' } } }\n",
    ),
    (
        Format::Compose,
        "compose.yaml",
        "name: 'SEEN @@'\nservices:\n  'SEEN @@':\n    image: '@@'\n    profiles: ['@@']\n    depends_on: ['@@']\n    command: '@@'\n    environment: ['PWD=s3cr3t', 'X=@@']\n    \
         labels: { planroom.owner: '@@', planroom.type: '@@', planroom.id: '@@', org.opencontainers.image.description: '@@', \
         org.opencontainers.image.url: 'https://e.example.org/?token=s3cr3t' }\n",
    ),
    (
        Format::ArchiMate,
        "a.xml",
        "<model xmlns=\"http://www.opengroup.org/xsd/archimate/3.0/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" identifier=\"m\"><name>SEEN @@</name>\
         <documentation>@@</documentation><elements><element identifier=\"a\" xsi:type=\"ApplicationComponent\"><name>SEEN @@</name><documentation>@@</documentation>\
         <properties><property propertyDefinitionRef=\"p\"><value>@@</value></property><property propertyDefinitionRef=\"q\"><value>s3cr3t</value></property></properties></element></elements>\
         <propertyDefinitions><propertyDefinition identifier=\"p\" type=\"string\"><name>x</name></propertyDefinition>\
         <propertyDefinition identifier=\"q\" type=\"string\"><name>db_pass</name></propertyDefinition></propertyDefinitions></model>",
    ),
    (
        Format::MermaidC4,
        "a.mmd",
        "C4Context\ntitle T @@\nPerson(a, \"SEEN @@\", \"@@\", $tags=\"@@\", $link=\"https://e.example.org/?token=s3cr3t\")\nRel(a, b, \"uses @@\", \"@@\")\nSystem(a, \"A @@\")\n",
    ),
    (
        Format::MermaidFlowchart,
        "a.mmd",
        "flowchart LR\na[\"SEEN @@\"] -->|\"uses @@\"| b[\"B @@\"]\nsubgraph \"S @@\"\nb\nend\nclick a \"https://e.example.org/?token=s3cr3t\"\n",
    ),
    (
        Format::PlantUmlC4,
        "a.puml",
        "@startuml\n!include <C4/C4_Context>\ntitle T @@\nPerson(a, \"SEEN @@\", \"@@\", $tags=\"@@\")\nRel(a, b, \"uses @@\", \"@@\")\n@enduml\n",
    ),
];

/// Everything that leaves a reader: rows, keys, diagnostics and counts.
fn all(reading: &Reading) -> String {
    format!("{reading:?}")
}

#[test]
fn no_format_keeps_credentials() {
    for (format, name, text) in FILES {
        assert!(Format::ALL.iter().all(|one| FILES.iter().any(|(known, ..)| one == known)));
        for form in FORMS {
            let escaped = if name.ends_with("xml") || format == Format::DrawIo {
                form.replace('&', "&amp;")
            } else {
                form.into()
            };
            let files = Files::of(name, text.replace("@@", &escaped)).unwrap();
            let found = match read(format, &files, &everything()) {
                Ok(reading) => all(&reading),
                Err(refusal) => panic!("{}: {form}: {refusal}", format.id()),
            };
            assert!(found.contains("SEEN"), "{}: {form}: {found}", format.id());
            assert!(!found.contains(SECRET), "{}: {form}: {found}", format.id());
        }
    }
}

#[test]
fn a_cut_text_does_not_keep_the_beginning_of_a_credential() {
    let long = format!("https://ada:{SECRET}{}@example.org", "x".repeat(200));
    let text = format!("services:\n  a: {{ labels: {{ planroom.type: '{long}' }}, depends_on: ['{long}'] }}\n");
    let reading = sets::reading(Format::Compose, &[("compose.yaml", &text)]);
    assert_eq!(reading.diagnostic_count, 2);
    assert!(!all(&reading).contains(SECRET), "{reading:?}");
}

#[test]
fn secret_properties_are_left_out_of_every_table() {
    for name in NAMES {
        let text = format!("id,name,{name}\na,A,{SECRET}\n");
        let reading = sets::reading(Format::Csv, &[("a.csv", &text)]);
        assert_eq!(reading.components[0].properties.len(), 0, "{name}");
        assert!(reading.diagnostics[0].text.contains("may be a secret"), "{name}");
    }
}

#[test]
fn values_of_variables_stay_in_their_files() {
    let compose = "name: ${DB_PASSWORD}\nservices:\n  web:\n    image: ${IMAGE}:${DB_PASSWORD}\n    profiles: ['${DB_PASSWORD}']\n    \
         depends_on: ['${DB_PASSWORD}', '${STORE}']\n    labels:\n      planroom.owner: ${DB_PASSWORD}\n      planroom.type: ${DB_PASSWORD}\n      \
         planroom.id: web-${DB_PASSWORD}\n      org.opencontainers.image.title: Web ${DB_PASSWORD:-s3cr3t}\n      \
         org.opencontainers.image.description: connects with ${DB_PASSWORD}\n      \
         org.opencontainers.image.url: https://grafana.example.org/?x=${DB_PASSWORD}\n  db: { image: 'postgres:${TAG}' }\n";
    let env = "DB_PASSWORD=hunter2-s3cr3t\nIMAGE=registry.example.org/s3cr3t/redis\nTAG=s3cr3t\nSTORE=db\n";
    let reading = sets::reading(Format::Compose, &[("compose.yaml", compose), (".env", env)]);
    assert!(!all(&reading).contains(SECRET), "{reading:?}");
    let web = &reading.components[0];
    assert_eq!((web.name.as_str(), web.type_id), ("Web ${DB_PASSWORD}", "cache"));
    assert_eq!(web.description.as_deref(), Some("connects with ${DB_PASSWORD}"));
    assert_eq!(
        (&web.properties["image"], &web.technology[..]),
        (&"${IMAGE}:${DB_PASSWORD}".into(), &["redis".to_owned()][..])
    );
    assert_eq!(reading.components[1].properties["image"], "postgres:${TAG}");
    assert_eq!(sets::relationships(&reading), ["Web ${DB_PASSWORD} depends-on db"], "values are used to find services");
    assert!(reading.stakeholders.is_empty());
    assert!(sets::diagnostics(&reading).iter().any(|text| text.contains("`web` depends on `${DB_PASSWORD}`")));
}

#[test]
fn people_and_teams_with_an_address_as_name_get_ids_without_secrets() {
    let text = "apiVersion: backstage.io/v1alpha1\nkind: User\nmetadata: { name: 'https://ada:s3cr3t@example.org' }\n\
                spec: { profile: { email: 'https://s3cr3t@example.org' } }\n---\n\
                apiVersion: backstage.io/v1alpha1\nkind: Group\nmetadata: { name: 'https://t:s3cr3t@example.org' }\n---\n\
                apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: { name: a }\n";
    let reading = sets::reading(Format::Backstage, &[("catalog-info.yaml", text)]);
    assert!(!all(&reading).contains(SECRET), "{reading:?}");
    assert_eq!((reading.people[0].id.as_str(), reading.people[0].email.as_deref()), ("https-example-org", None));
    assert_eq!(reading.teams[0].id, "https-example-org");
}
