//! Fuzzes the readers for high resource usage per byte: mutates small files by repeating, nesting, lengthening and replacing
//! parts, and keeps mutating the files with the highest usage.

use super::{Usage, measure, single_file};
use crate::{Format, recognize, testing::everything};

/// Seed files for each format, which use features that readers copy, resolve or compare.
const SEEDS: [(Format, &str, &str); 18] = [
    (
        Format::StructurizrDsl,
        "a.dsl",
        "!const C \"text\"\nworkspace {\n!identifiers hierarchical\nmodel {\narchetypes {\na = container {\ntags t,u\nproperties {\nx \
         y\n}\n}\n}\np = person \"P\"\ns = softwareSystem \"S\" {\nc = a \"C ${C}\" \"d\" {\np -> this \"uses\"\n}\n}\n!elements * \
         {\ndescription \"d\"\nproperties {\nk v\n}\n}\n!relationships *->* {\ntag x\n}\nlive = deploymentEnvironment \"L\" \
         {\ndeploymentNode \"N\" {\ncontainerInstance s.c\n}\n}\n}\nviews {\nsystemContext s v {\ninclude * ->s-> \
         element.type==Person p\nexclude p\n}\ncontainer s w {\ninclude *\n}\ndynamic s {\np -> s.c \"x\"\n{\n{\ns.c -> p\n}\n}\n}\n}\n}\n",
    ),
    (
        Format::StructurizrJson,
        "a.json",
        "{\"model\":{\"people\":[{\"id\":\"1\",\"name\":\"P\",\"tags\":\"a,b\",\"relationships\":[{\"id\":\"9\",\"sourceId\":\"1\",\
         \"destinationId\":\"2\",\"description\":\"d\"}]}],\"softwareSystems\":[{\"id\":\"2\",\"group\":\"a/b\",\"properties\":{\"x\":\"y\"},\
         \"containers\":[{\"id\":\"3\"}]}],\"deploymentNodes\":[{\"id\":\"4\",\"containerInstances\":[{\"containerId\":\"3\"}],\"children\":\
         [{\"id\":\"5\"}]}],\"properties\":{\"structurizr.groupSeparator\":\"/\"}},\"views\":{\"systemContextViews\":[{\"key\":\"v\",\
         \"softwareSystemId\":\"2\",\"elements\":[{\"id\":\"1\",\"x\":1,\"y\":2}]}],\"dynamicViews\":[{\"relationships\":[{\"id\":\"9\",\
         \"order\":\"1.1\",\"description\":\"x\"}]}]}}",
    ),
    (
        Format::LikeC4,
        "a.json",
        "{\"projectId\":\"p\",\"specification\":{},\"elements\":{\"a\":{\"kind\":\"system\",\"tags\":[\"t\"],\"metadata\":{\"k\":[\"v\"]}},\
         \"a.b\":{\"links\":[{\"url\":\"https://x.example\"}]}},\"relations\":{\"r\":{\"source\":{\"model\":\"a\"},\"target\":{\"model\":\"a.b\"},\
         \"title\":\"t\"}},\"deployments\":{\"elements\":{\"n\":{},\"n.i\":{\"element\":\"a\"}},\"relations\":{}},\"views\":{\"v\":{\"_type\":\
         \"element\",\"nodes\":[{\"id\":\"a\",\"x\":1,\"y\":2}]},\"d\":{\"_type\":\"dynamic\",\"edges\":[{\"id\":\"s\",\"source\":\"a\",\
         \"target\":\"a.b\",\"label\":\"x\",\"notes\":\"n\"}],\"flow\":[\"s\",{\"_type\":\"par\",\"flow\":[\"s\",\"s\"]}]}}}",
    ),
    (
        Format::IcePanel,
        "a.json",
        "{\"tags\":{\"t\":{\"name\":\"T\"}},\"teams\":{\"m\":{\"name\":\"M\"}},\"modelObjects\":{\"a\":{\"type\":\"app\",\"name\":\"A\",\
         \"tagIds\":[\"t\"],\"teamIds\":[\"m\"],\"links\":{\"l\":{\"url\":\"https://x.example\"}}},\"b\":{\"type\":\"store\",\"parentId\":\"a\"}},\
         \"modelConnections\":{\"c\":{\"originId\":\"a\",\"targetId\":\"b\",\"viaId\":\"b\"}},\"flows\":{\"f\":{\"steps\":{\"1\":{\"index\":1,\
         \"originId\":\"a\",\"targetId\":\"b\",\"description\":\"d\"},\"2\":{\"type\":\"parallel-path\",\"paths\":{\"p\":{\"index\":1}}},\"3\":\
         {\"pathId\":\"p\",\"type\":\"information\",\"description\":\"n\"}}}}}",
    ),
    (
        Format::Backstage,
        "catalog-info.yaml",
        "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: a\n  tags: [t]\n  annotations: &x { k: v }\n  links:\n  - \
         url: https://x.example\nspec:\n  type: service\n  owner: g\n  system: s\n  dependsOn: [b, component:a]\n  providesApis: [c]\n---\n\
         apiVersion: backstage.io/v1alpha1\nkind: Group\nmetadata: { name: g }\nspec: { members: [u] }\n---\napiVersion: \
         backstage.io/v1alpha1\nkind: Location\nmetadata: { name: l }\nspec: { targets: [./x.yaml] }\n",
    ),
    (
        Format::DrawIo,
        "a.drawio",
        "<mxfile><diagram id=\"d\" name=\"Page\"><mxGraphModel><root><mxCell id=\"0\"/><mxCell id=\"1\" parent=\"0\" value=\"L\"/><mxCell id=\"2\" \
         value=\"&lt;b&gt;A&lt;/b&gt;\" style=\"swimlane;container=1\" vertex=\"1\" parent=\"1\"><mxGeometry x=\"1\" y=\"2\"/></mxCell><object \
         id=\"3\" label=\"%n% B\" n=\"N\" placeholders=\"1\" link=\"https://x.example\"><mxCell vertex=\"1\" parent=\"2\"/></object><mxCell id=\"4\" \
         edge=\"1\" source=\"2\" target=\"3\" parent=\"1\" value=\"x\"/></root></mxGraphModel></diagram></mxfile>",
    ),
    (
        Format::Excalidraw,
        "a.excalidraw",
        "{\"type\":\"excalidraw\",\"elements\":[{\"id\":\"f\",\"type\":\"frame\",\"name\":\"F\",\"x\":0,\"y\":0,\"width\":99,\"height\":99},{\"id\":\
         \"a\",\"type\":\"rectangle\",\"x\":1,\"y\":1,\"width\":9,\"height\":9,\"frameId\":\"f\"},{\"id\":\"t\",\"type\":\"text\",\"containerId\":\
         \"a\",\"text\":\"A\"},{\"id\":\"u\",\"type\":\"text\",\"text\":\"B\",\"x\":1,\"y\":1},{\"id\":\"r\",\"type\":\"arrow\",\"startBinding\":\
         {\"elementId\":\"a\"},\"endBinding\":{\"elementId\":\"f\"}}]}",
    ),
    (
        Format::Terraform,
        "a.json",
        "{\"format_version\":\"1\",\"planned_values\":{\"root_module\":{\"resources\":[{\"address\":\"aws_vpc.v\",\"type\":\"aws_vpc\",\"values\":\
         {\"tags\":{\"Name\":\"n\",\"owner\":\"o\"}}},{\"address\":\"aws_instance.i[0]\",\"type\":\"aws_instance\",\"depends_on\":[\"aws_vpc.v\"]}],\
         \"child_modules\":[{\"address\":\"module.m\",\"resources\":[]}]}},\"configuration\":{\"root_module\":{\"resources\":[{\"address\":\
         \"aws_instance.i\",\"expressions\":{\"x\":{\"references\":[\"module.m.o\",\"aws_vpc.v\"]}}}],\"module_calls\":{\"m\":{\"expressions\":\
         {\"v\":{\"references\":[\"aws_vpc.v\"]}},\"module\":{\"outputs\":{\"o\":{\"expression\":{\"references\":[\"var.v\"]}}},\"resources\":\
         []}}}}}}",
    ),
    (
        Format::ServiceGraph,
        "a.txt",
        "traces_service_graph_request_total{client=\"a\",server=\"b\",connection_type=\"database\",client_db_system=\"redis\"} 5\n\
         traces_service_graph_request_failed_total{client=\"a\",server=\"b\"} 1\n",
    ),
    (
        Format::ServiceGraph,
        "a.json",
        "[{\"parent\":\"a\",\"child\":\"b\",\"callCount\":3},{\"parent\":\"b\",\"child\":\"c\",\"callCount\":1}]",
    ),
    (
        Format::Csv,
        "a.csv",
        "id,name,type,partOf,dependsOn,owner,tags,x,y,url,more\na,A,service,b,b;c,team:t,\"t,u\",1,2,https://x.example,z\nb,B,system,,a,,,,,,\n",
    ),
    (
        Format::Csv,
        "d.csv",
        "# label: %name% %x%\n# style: shape=%x%\n# parent: of\n# connect: {\"from\":\"to\",\"to\":\"id\",\"label\":\"l\"}\nid,name,of,to,x\n1,A,2,2,y\n\
         2,B,-,\"1,2\",z\n",
    ),
    (
        Format::Kubernetes,
        "a.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a, labels: &l { app: a, owner: o } }\nspec:\n  template:\n    metadata: { \
         labels: *l }\n    spec:\n      containers:\n      - image: nginx\n        env: [ { name: URL, value: http://b:80 } ]\n        envFrom: [ { \
         configMapRef: { name: c } } ]\n---\napiVersion: v1\nkind: Service\nmetadata: { name: b }\nspec: { selector: { app: a } }\n---\napiVersion: \
         v1\nkind: ConfigMap\nmetadata: { name: c }\ndata: { k: http://b }\n---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: \
         { name: p }\nspec:\n  podSelector: { matchLabels: { app: a } }\n  ingress:\n  - from: [ { podSelector: { matchLabels: { app: a } } } ]\n",
    ),
    (
        Format::Compose,
        "compose.yaml",
        "x-a: &a { K: v }\nservices:\n  a:\n    image: redis:${V:-7}\n    environment: { <<: *a, URL: http://b:80 }\n    depends_on: [b]\n    labels: \
         [planroom.owner=t]\n    networks: { n: { aliases: [x] } }\n  b:\n    extends: a\n    env_file: [compose.yaml]\n    command: [--url, \
         http://a:80]\n    profiles: [p]\n",
    ),
    (
        Format::ArchiMate,
        "a.xml",
        "<model xmlns=\"http://www.opengroup.org/xsd/archimate/3.0/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><name>M</name><elements>\
         <element identifier=\"a\" xsi:type=\"Node\"><name>A</name><properties><property propertyDefinitionRef=\"p\"><value>v</value></property>\
         </properties></element><element identifier=\"j\" xsi:type=\"AndJunction\"/></elements><relationships><relationship identifier=\"r\" \
         source=\"a\" target=\"j\" xsi:type=\"Flow\"/><relationship identifier=\"q\" source=\"j\" target=\"a\" xsi:type=\"Flow\"/></relationships>\
         <propertyDefinitions><propertyDefinition identifier=\"p\"><name>P</name></propertyDefinition></propertyDefinitions><views><diagrams><view \
         identifier=\"v\"><node elementRef=\"a\" x=\"1\" y=\"2\"/></view></diagrams></views></model>",
    ),
    (
        Format::MermaidC4,
        "a.mmd",
        "C4Dynamic\ntitle T\nSystem_Boundary(b, \"B\") {\nContainer(a, \"A\", \"Go\", \"d\", $tags=\"t+u\", $link=\"https://x.example\")\n}\nRel(a, \
         c, \"calls\", \"HTTP\")\nBiRel(a, b, \"x\")\n",
    ),
    (
        Format::MermaidFlowchart,
        "a.mmd",
        "flowchart TD\nsubgraph s [S]\na[(A)] & b{{B}}:::k -- text --> c@{ shape: cyl }\nend\na -.-> |x| b\na ~~~ c\nclass a,b k\nclick a \
         \"https://x.example\"\nstyle a fill:#fff\n",
    ),
    (
        Format::PlantUmlC4,
        "a.puml",
        "@startuml\n!include C4_Container.puml\n!procedure $p()\n!endprocedure\nSystem_Boundary(b, \"B<U+0041>\") {\nContainer(a, \"A\", \"Go\", $tags=\
         \"t\")\n}\nRel(a, c, \"calls\")\n@enduml\n",
    ),
];

/// Approximate size limit of mutated files, in bytes.
const MAX_BYTES: usize = 60_000;

/// A pseudorandom number generator with a fixed seed.
struct Random(u64);

impl Random {
    /// Returns a number less than `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 8).unwrap() % end.max(1)
    }

    /// Returns the range of a line, of a word with its separator, or of any characters.
    fn part(&mut self, text: &str) -> std::ops::Range<usize> {
        let at = text.floor_char_boundary(self.below(text.len()));
        let ends: &[char] = match self.below(3) {
            0 => &['\n'],
            1 => &[',', ' ', ';', '&', '>', '}', '\n'],
            _ => {
                let end = text.ceil_char_boundary((at + 1 + self.below(60)).min(text.len()));
                return at..end;
            }
        };
        let start = text[..at].rfind(ends).map_or(0, |start| start + 1);
        let end = text[at..].find(ends).map_or(text.len(), |end| at + end + 1);
        start..end.max(start)
    }

    /// Returns a mutated copy of a text.
    fn mutated(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for _ in 0..=self.below(3) {
            let part = self.part(&text);
            let own = text[part.clone()].to_owned();
            let count = (1 << self.below(13)).min((MAX_BYTES.saturating_sub(text.len())) / own.len().max(1));
            match self.below(6) {
                // Repeat a part. This is the most frequent mutation.
                0..=2 => text.insert_str(part.end, &own.repeat(count)),
                3 => {
                    let other = self.part(&text);
                    text.replace_range(other, &own);
                }
                // Nest: repeat an opening part and a later closing part.
                4 => {
                    let other = self.part(&text);
                    let close = text[other.clone()].to_owned();
                    let count = count.min(MAX_BYTES / (own.len() + close.len()).max(1)).min(200);
                    if other.start >= part.end {
                        text.insert_str(other.start, &close.repeat(count));
                        text.insert_str(part.end, &own.repeat(count));
                    }
                }
                _ => {
                    let letter = own.chars().find(char::is_ascii_alphanumeric).unwrap_or('a').to_string();
                    if let Some(at) = own.find(&letter) {
                        text.insert_str(part.start + at, &letter.repeat(count));
                    }
                }
            }
            text.truncate(text.floor_char_boundary(2 * MAX_BYTES));
        }
        text
    }
}

/// Runs a number of mutations for each format.
fn search(rounds: usize) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for (format, name, seed) in SEEDS {
        assert_eq!(recognize(&single_file(name, seed)), Ok(format), "{name}");
        let first = measure(format, &single_file(name, seed), &everything());
        assert!(
            first.result.is_ok() && first.violation().is_none(),
            "{name}: {:?} {:?}",
            first.result.as_ref().err(),
            first.violation()
        );
        // The files with the highest memory and step usage per byte.
        let mut worst: [Vec<(usize, String)>; 2] = [0, 1].map(|_| vec![(0, seed.to_owned())]);
        for round in 0..rounds {
            let candidates = &worst[round % 2];
            let parent = random.below(candidates.len());
            let text = random.mutated(&candidates[parent].1);
            let usage = measure(format, &single_file(name, text.as_str()), &everything());
            if let Some(violation) = usage.violation() {
                let beginning = text[..text.floor_char_boundary(1_000)].escape_debug();
                panic!("{}, round {round}: {violation}\n{beginning}", format.id());
            }
            for (files, score) in worst.iter_mut().zip(scores(&usage)) {
                files.push((score, text.clone()));
                files.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
                files.truncate(6);
            }
        }
    }
}

/// Memory and steps per byte. A refused file scores 0, because its usage is limited.
fn scores(usage: &Usage) -> [usize; 2] {
    let is_read = usize::from(usage.result.is_ok());
    [usage.peak, usage.steps].map(|number| is_read * number * 1_000 / usage.file_bytes.max(500))
}

#[test]
fn mutated_files_stay_within_the_budget() {
    search(12);
}

#[test]
#[ignore = "takes a minute; run `make readers`"]
fn mutated_files_stay_within_the_budget_in_a_long_search() {
    search(100);
}
