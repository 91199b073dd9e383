//! The formats of architecture files.

macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident = $id:literal, $title:literal);+ $(;)?) => {
        /// A format of architecture files.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Format {
            $($(#[$doc])* $name),+
        }

        impl Format {
            /// All formats.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The id of the format, for command lines and requests.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id),+ }
            }

            /// The name of the format, for people.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $title),+ }
            }
        }
    };
}

formats! {
    /// A Structurizr workspace as JSON.
    StructurizrJson = "structurizr-json", "Structurizr JSON";
    /// A Structurizr workspace in its DSL.
    StructurizrDsl = "structurizr-dsl", "Structurizr DSL";
    /// A `LikeC4` model as JSON.
    LikeC4 = "likec4", "LikeC4";
    /// An `IcePanel` export as JSON.
    IcePanel = "icepanel", "IcePanel";
    /// Backstage catalog files, or entities of its API.
    Backstage = "backstage", "Backstage catalog";
    /// A draw.io file.
    DrawIo = "drawio", "draw.io";
    /// An Excalidraw file.
    Excalidraw = "excalidraw", "Excalidraw";
    /// A Terraform plan or state as JSON.
    Terraform = "terraform", "Terraform";
    /// Calls between services, as seen by tracing.
    ServiceGraph = "servicegraph", "Service graph";
    /// Tables of components and relationships.
    Csv = "csv", "CSV";
    /// Kubernetes manifests.
    Kubernetes = "kubernetes", "Kubernetes";
    /// Compose files.
    Compose = "compose", "Docker Compose";
    /// An `ArchiMate` model in the Open Exchange format.
    ArchiMate = "archimate", "ArchiMate";
    /// A C4 diagram in Mermaid.
    MermaidC4 = "mermaid-c4", "Mermaid C4";
    /// A flowchart in Mermaid.
    MermaidFlowchart = "mermaid-flowchart", "Mermaid flowchart";
    /// A C4 diagram in `PlantUML`.
    PlantUmlC4 = "plantuml-c4", "PlantUML C4";
}

impl Format {
    /// The format with an id.
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.id() == id)
    }

    /// Whether the files say what was seen in operation. Others say what is declared.
    pub fn is_observed(self) -> bool {
        self == Self::ServiceGraph
    }
}
