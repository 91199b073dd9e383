//! Types of `ArchiMate` elements and relationships.

/// What an element becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ElementType {
    /// A component of a type.
    Component(&'static str),
    /// A goal, a reason or a requirement.
    Motivation,
    /// Joins relationships.
    Junction,
    Unknown,
}

/// What an element of a type becomes.
pub(crate) fn element_type(kind: &str) -> ElementType {
    ElementType::Component(match kind {
        "BusinessActor" | "BusinessRole" | "BusinessCollaboration" => "person",
        "BusinessProcess"
        | "BusinessFunction"
        | "BusinessInteraction"
        | "BusinessEvent"
        | "BusinessService"
        | "Product"
        | "Capability"
        | "ValueStream"
        | "CourseOfAction"
        | "Resource" => "capability",
        "BusinessObject" | "Contract" | "Representation" | "DataObject" | "Artifact" | "Material" | "Deliverable"
        | "Gap" => "document",
        "ApplicationComponent" | "SystemSoftware" | "TechnologyService" => "service",
        "ApplicationCollaboration" => "system",
        "ApplicationInterface" | "ApplicationService" | "TechnologyInterface" | "BusinessInterface" => "api",
        "ApplicationFunction"
        | "ApplicationInteraction"
        | "ApplicationProcess"
        | "ApplicationEvent"
        | "TechnologyFunction"
        | "TechnologyProcess"
        | "TechnologyInteraction"
        | "TechnologyEvent" => "function",
        "Node" | "Device" | "Equipment" => "host",
        "TechnologyCollaboration" => "cluster",
        "Path" | "CommunicationNetwork" | "DistributionNetwork" => "network",
        "WorkPackage" | "ImplementationEvent" => "job",
        "Grouping" | "Location" | "Facility" | "Plateau" => "group",
        "Stakeholder" | "Driver" | "Assessment" | "Goal" | "Outcome" | "Principle" | "Requirement" | "Constraint"
        | "Meaning" | "Value" => return ElementType::Motivation,
        "AndJunction" | "OrJunction" | "Junction" => return ElementType::Junction,
        _ => return ElementType::Unknown,
    })
}

/// The type that a relationship gets, whether it is turned, and its label if it has no name.
pub(crate) fn relationship_type(kind: &str, access: &str) -> (&'static str, bool, &'static str) {
    match kind {
        // Those who are served depend on those who serve.
        "Serving" | "UsedBy" => ("uses", true, ""),
        "Flow" => ("streams-to", false, ""),
        "Access" => match access {
            "Read" => ("reads", false, ""),
            "Write" => ("writes", false, ""),
            _ => ("uses", false, ""),
        },
        "Realization" | "Realisation" => ("related-to", false, "realizes"),
        "Triggering" => ("related-to", false, "triggers"),
        "Assignment" => ("related-to", false, "is assigned to"),
        "Influence" => ("related-to", false, "influences"),
        "Specialization" | "Specialisation" => ("related-to", false, "specializes"),
        _ => ("related-to", false, ""),
    }
}
