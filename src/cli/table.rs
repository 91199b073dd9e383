//! Answers for people: tables, as wide as the terminal; and for scripts: JSON.

use clap::Args;
use comfy_table::{ContentArrangement, Table, presets::NOTHING};
use jiff::Timestamp;
use serde_json::Value;

use super::output::{Failure, print};

/// Which form the answer is to have.
#[derive(Debug, Args)]
pub(super) struct Form {
    /// Print JSON, for scripts
    #[arg(long)]
    json: bool,
}

impl Form {
    /// Whether it is for a script.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// Prints rows, one line each: the `columns` of each object, or the whole of it as JSON.
    pub(super) fn print(&self, rows: &Value, columns: &[Column]) -> Result<(), Failure> {
        if self.json {
            return print(&format!("{rows:#}\n"));
        }
        let mut table = Table::new();
        table.load_style(NOTHING).set_header(columns.iter().map(|column| column.head));
        for row in rows.as_array().into_iter().flatten() {
            table.add_row(columns.iter().map(|column| (column.show)(&row[column.field])));
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        // Where nobody looks, no line is broken: what reads it wants a row a line.
        if let Some(width) = width() {
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        }
        print(&format!("{}\n", table.trim_fmt()))
    }
}

/// One column of a table.
pub(super) struct Column {
    /// Above it.
    pub(super) head: &'static str,
    /// The field that it shows.
    pub(super) field: &'static str,
    /// How.
    pub(super) show: fn(&Value) -> String,
}

/// The columns of the terminal that standard output is; none when it is something else.
fn width() -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    Some(size.ws_col).filter(|columns| *columns > 0)
}

/// Text or a number as it is, nothing as a dash.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => "-".into(),
        Value::String(text) if text.is_empty() => "-".into(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A flag as `yes`, or nothing.
pub(super) fn flag(value: &Value) -> String {
    if value.as_bool() == Some(true) { "yes".into() } else { "-".into() }
}

/// Milliseconds as a time in UTC, to the second.
pub(super) fn time(value: &Value) -> String {
    let moment = value.as_i64().and_then(|milliseconds| Timestamp::from_millisecond(milliseconds).ok());
    moment.map_or_else(|| "-".into(), |moment| moment.strftime("%Y-%m-%d %H:%M:%SZ").to_string())
}
