//! Distances, costs and limits, which the web client reads too.

use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rules {
    pub tracks: Tracks,
    pub costs: Costs,
    pub limits: Limits,
    pub trunks: Trunks,
    pub spread: Spread,
    #[serde(rename = "loop")]
    pub own_loop: Loop,
    pub corner_radius: f64,
    pub labels: Labels,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tracks {
    pub wide_gap: f64,
    pub wide_offset: f64,
    pub clearance: f64,
    pub merge_distance: f64,
    pub min_exit: f64,
    pub margin: f64,
    pub inner_port: InnerPort,
}

#[derive(Debug, Deserialize)]
pub(crate) struct InnerPort {
    pub x: f64,
    pub y: f64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Costs {
    pub bend: f64,
    pub group_border: f64,
    pub short_piece: f64,
    pub short_last_piece: f64,
    pub short_first_piece: f64,
    pub crossing: f64,
    pub tie_break: f64,
    pub shared_step: f64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Limits {
    pub crossing_aware_lines: usize,
    pub dense_map_lines: usize,
    pub dense_map_distance: f64,
    pub large_map_nodes: usize,
    pub long_distance: f64,
    pub long_weight: f64,
    pub vertices: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Trunks {
    pub min_lines: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Spread {
    pub distance: f64,
    pub reach: f64,
    pub touch: f64,
    pub corner_of_card: f64,
    pub look_ahead: f64,
    pub card_padding: f64,
    pub group_padding: f64,
    pub arrow_space: f64,
    pub start_space: f64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Loop {
    pub out: f64,
    pub min_out: f64,
    pub step: f64,
    pub top: f64,
    pub right: f64,
    pub right_step: f64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Labels {
    pub font_size: f64,
    pub padding: f64,
    pub line_height: f64,
    pub vertical_padding: f64,
    pub wrap_width: f64,
    pub max_length: usize,
    pub short_length: usize,
    pub step: f64,
    pub max_steps: u32,
    pub end_space: f64,
    pub card_padding: f64,
    pub label_padding: f64,
    pub costs: LabelCosts,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LabelCosts {
    pub line: f64,
    pub bend: f64,
    pub end: f64,
    pub beside: f64,
    pub vertical: f64,
    pub wrapped: f64,
    pub shortened: f64,
    pub off_center: f64,
}

/// The rules of the router.
pub(crate) static RULES: LazyLock<Rules> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../assets/web/src/core/route/rules.json")).expect("the file is valid")
});
