//! What to draw and how, as clients write it in queries and commands.

use drawing::{Detail, Options, Theme};
use serde::{Deserialize, Serialize};

use super::{
    map::{MAX_DEPTH, MAX_NAMED, Part},
    part::{ImageDetail, ImageDirection, ImageTheme},
    request::PartRequest,
};
use crate::{describe::IntoParams, error::Result};

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_DEPTH == 10 && MAX_NAMED == 500);

/// What to draw, and how.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ImageQuery {
    /// Ids of at most 500 components to draw with their contents, separated by commas.
    #[param(max_length = 20_000, example = "web,checkout")]
    pub components: Option<String>,
    /// Ids of components, separated by commas, whose surroundings are drawn in a layout of their own. Not together with
    /// `components`.
    #[param(max_length = 20_000, example = "checkout")]
    pub around: Option<String>,
    /// Which relationships `around` follows. Default: `both`.
    #[param(inline)]
    pub direction: Option<ImageDirection>,
    /// Maximum distance from `around`, in relationships, 0 to 10. Default: 1.
    #[param(maximum = 10)]
    pub depth: Option<u32>,
    /// Id of a process whose participants are drawn in a layout of their own. Not together with `components` or `around`.
    #[param(max_length = 128)]
    pub process: Option<String>,
    /// Message of the process to emphasize, counted from 1.
    #[param(minimum = 1, maximum = 10_000)]
    pub step: Option<usize>,
    /// Colors. Default: `light`.
    #[param(inline)]
    pub theme: Option<ImageTheme>,
    /// How much is drawn. Default: `full` for at most 400 components, otherwise `overview`.
    #[param(inline)]
    pub detail: Option<ImageDetail>,
    /// Whether to draw a legend of the types. Default: false.
    #[serde(default)]
    pub legend: bool,
    /// Whether to draw the name of the workspace, the view or the process. Default: false.
    #[serde(default)]
    pub title: bool,
    /// Whether to draw the current date (UTC). Default: false.
    #[serde(default)]
    pub date: bool,
    /// An earlier state, which reads of other resources return. Rejected instead of ignored, because the image would look
    /// like that state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(ignore)]
    pub at: Option<String>,
}

/// The ids in a list that is separated by commas.
fn list(text: &str) -> Vec<String> {
    text.split(',').filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

impl ImageQuery {
    /// The part of the map to draw.
    ///
    /// # Errors
    /// If parameters contradict each other or are out of range.
    pub(super) fn part(&self) -> Result<Part> {
        let Self { components, around, direction, depth, process, step, .. } = self;
        let chosen = PartRequest {
            components: components.as_deref().map(list),
            around: around.as_deref().map(list),
            direction: *direction,
            depth: *depth,
            process: process.clone(),
            step: *step,
        };
        chosen.part()
    }

    /// How to draw. `now` is in milliseconds since 1970. `ids` adds the ids of rows to an SVG.
    pub(super) fn options(&self, ids: bool, now: i64) -> Options {
        Options {
            theme: self.theme.map(Theme::from).unwrap_or_default(),
            detail: self.detail.map(Detail::from),
            legend: self.legend,
            title: self.title,
            date: self.date.then(|| today(now)),
            ids,
            is_card: false,
        }
    }
}

/// The date (UTC) of a time in milliseconds since 1970, as in 2026-11-24.
fn today(now: i64) -> String {
    let time = jiff::Timestamp::from_millisecond(now).unwrap_or_default();
    time.strftime("%Y-%m-%d").to_string()
}
