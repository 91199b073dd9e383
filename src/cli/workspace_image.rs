//! `planroom workspace image`.

use std::path::{Path, PathBuf};

use base64::{Engine, engine::general_purpose::STANDARD};
use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use serde::de::DeserializeOwned;

use super::{
    data_dir::DataDir,
    operate::operate,
    output::{Failure, print},
};
use crate::{
    domain::map::drawing::{Format, ImageDetail, ImageDirection, ImageQuery, ImageTheme},
    operator::{AdminOperation, WorkspaceOperation},
};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command")]
pub(super) struct WorkspaceImage {
    /// Id of the workspace
    id: String,
    /// File to write; its extension selects the format: .svg, .png or .pdf
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Id of a view to draw instead of the map
    #[arg(long, value_name = "ID")]
    view: Option<String>,
    /// Draw only these components with their contents, separated by commas
    #[arg(long, value_name = "IDS", conflicts_with_all = ["around", "process"])]
    components: Option<String>,
    /// Draw the surroundings of these components, separated by commas, in a layout of their own
    #[arg(long, value_name = "IDS", conflicts_with = "process")]
    around: Option<String>,
    /// Relationships that --around follows [default: both]
    #[arg(long, requires = "around", value_parser = one_of::<ImageDirection>(&["both", "outgoing", "incoming"]))]
    direction: Option<ImageDirection>,
    /// Maximum distance from --around in relationships, 0 to 10 [default: 1]
    #[arg(long, value_name = "NUMBER", requires = "around")]
    depth: Option<u32>,
    /// Draw the participants of this process in a layout of their own
    #[arg(long, value_name = "ID")]
    process: Option<String>,
    /// Message of the process to emphasize, counted from 1
    #[arg(long, value_name = "NUMBER", requires = "process")]
    step: Option<usize>,
    /// Colors [default: light]
    #[arg(long, value_parser = one_of::<ImageTheme>(&["light", "dark"]))]
    theme: Option<ImageTheme>,
    /// How much is drawn [default: full for at most 400 components, otherwise overview]
    #[arg(long, value_parser = one_of::<ImageDetail>(&["full", "overview", "thumbnail"]))]
    detail: Option<ImageDetail>,
    /// Width of a PNG in pixels: 600, 1200, 1568 or 2400 [default: the width of the map, at most 2400]
    #[arg(long, value_name = "PIXELS")]
    width: Option<u32>,
    /// Draw a legend of the types
    #[arg(long)]
    legend: bool,
    /// Draw the name of the workspace, the view or the process
    #[arg(long)]
    title: bool,
    /// Draw the current date (UTC)
    #[arg(long)]
    date: bool,
    /// Write the ids of components and relationships to an SVG, as data-id
    #[arg(long)]
    ids: bool,
    #[command(flatten)]
    data_dir_args: DataDir,
}

impl WorkspaceImage {
    pub(super) fn run(self) -> Result<(), Failure> {
        let format = self.format()?;
        let query = ImageQuery {
            components: self.components,
            around: self.around,
            direction: self.direction,
            depth: self.depth,
            process: self.process,
            step: self.step,
            theme: self.theme,
            detail: self.detail,
            at: None,
            legend: self.legend,
            title: self.title,
            date: self.date,
        };
        let operation = WorkspaceOperation::Image { id: self.id, view: self.view, query, format, ids: self.ids };
        let encoded = operate(&self.data_dir_args, AdminOperation::Workspaces(operation))?;
        let image = STANDARD.decode(encoded.as_str().unwrap_or_default())?;
        let shown = self.output.display();
        std::fs::write(&self.output, &image).map_err(|error| format!("cannot write {shown}: {error}"))?;
        print(&format!("Wrote {shown} ({} KiB)\n", image.len().div_ceil(1024)))
    }

    /// The format for the name of the file.
    fn format(&self) -> Result<Format, Failure> {
        let format = match extension(&self.output).as_str() {
            "svg" => Format::Svg,
            "png" => Format::Png(self.width),
            "pdf" => Format::Pdf,
            _ => {
                let shown = self.output.display();
                return Err(format!("{shown}: unknown image format; end the name with .svg, .png or .pdf").into());
            }
        };
        if self.width.is_some() && !matches!(format, Format::Png(_)) {
            return Err("--width applies only to .png files".into());
        }
        if self.ids && !matches!(format, Format::Svg) {
            return Err("--ids applies only to .svg files".into());
        }
        Ok(format)
    }
}

/// A parser for these words, which are the values of `T` in requests.
fn one_of<T>(words: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words).try_map(|word| serde_json::from_value::<T>(word.into()))
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}
