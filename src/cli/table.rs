//! Output of lists: tables that fit the terminal, or JSON for scripts.

use clap::Args;
use comfy_table::{ContentArrangement, Table, presets::NOTHING};
use jiff::Timestamp;
use serde_json::Value;

use super::output::{Failure, one_line, print, print_json};

/// Output format.
#[derive(Debug, Args)]
pub(super) struct OutputFormat {
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

impl OutputFormat {
    /// Whether JSON was requested.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// Prints rows: the `columns` of each object as a table, or the complete objects as JSON.
    pub(super) fn print(&self, rows: &Value, columns: &[Column]) -> Result<(), Failure> {
        if self.json {
            return print_json(rows);
        }
        let mut table = Table::new();
        table.load_style(NOTHING).set_header(columns.iter().map(|column| column.head));
        for row in rows.as_array().into_iter().flatten() {
            table.add_row(columns.iter().map(|column| one_line(&(column.show)(&row[column.field]))));
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        // Without a terminal, each row is one line, for scripts.
        if let Some(width) = width() {
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        }
        print(&format!("{}\n", table.trim_fmt()))
    }
}

/// One column of a table.
pub(super) struct Column {
    /// Heading.
    pub(super) head: &'static str,
    /// JSON field.
    pub(super) field: &'static str,
    /// Formats the value.
    pub(super) show: fn(&Value) -> String,
}

/// The width of the terminal, in columns. None if standard output is not a terminal.
fn width() -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    Some(size.ws_col).filter(|columns| *columns > 0)
}

/// A text or number, or `-` if it is missing or empty.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => "-".into(),
        Value::String(text) if text.is_empty() => "-".into(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A flag as `yes` or `-`.
pub(super) fn flag(value: &Value) -> String {
    if value.as_bool() == Some(true) { "yes".into() } else { "-".into() }
}

/// Unix time in milliseconds as UTC, with a precision of seconds.
pub(super) fn time(value: &Value) -> String {
    let moment = value.as_i64().and_then(|milliseconds| Timestamp::from_millisecond(milliseconds).ok());
    moment.map_or_else(|| "-".into(), |moment| moment.strftime("%Y-%m-%d %H:%M:%SZ").to_string())
}
