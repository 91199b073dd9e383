//! What to do with files that no reader recognizes: often, the tool that wrote them can export them.

use super::files::File;

/// What to do with a file, if it belongs to a known tool.
pub(super) fn hint(file: &File) -> Option<&'static str> {
    let beginning = file.beginning(4 << 10);
    let is = |extensions: &[&str]| file.has_extension(extensions);
    if is(&["c4", "likec4"]) {
        Some(
            "LikeC4 sources are read by LikeC4 itself; import the result of `npx likec4 export json --skip-layout -p NAME`",
        )
    } else if is(&["archimate"]) || beginning.contains("<archimate:model") {
        Some("files of Archi are imported in another format; choose File, Export, Open Exchange Model in Archi")
    } else if is(&["puml", "plantuml", "iuml", "pu"]) || beginning.contains("@startuml") {
        Some(
            "of PlantUML, only diagrams with the macros of C4-PlantUML are imported; `plantuml -preproc` writes them out",
        )
    } else if is(&["tf", "tfvars", "hcl"]) {
        Some("Terraform sources are read by Terraform itself; import the result of `terraform show -json`")
    } else if beginning.trim_start().starts_with("sequenceDiagram") {
        Some("a sequence diagram is a process: create a process and paste the text")
    } else if file.text().contains("{{") && is(&["yaml", "yml", "tpl"]) {
        Some("templates are filled in by their tool; import the result of `helm template`")
    } else {
        None
    }
}
