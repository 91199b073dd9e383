//! Rows of CSV files: quoted cells with separators, line breaks and doubled quotes.

use std::borrow::Cow;

use crate::budget::{Budget, BudgetError};

/// Memory of a row without its cells, and of a cell without its text, in bytes.
const ROW_BYTES: usize = 100;
const CELL_BYTES: usize = 56;
/// Bytes that are parsed in a step.
const BYTES_PER_STEP: usize = 8;
/// Maximum number of cells.
const MAX_CELLS: usize = 1_000_000;

/// A row and its line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) line: u32,
    pub(super) cells: Vec<String>,
}

/// A line of a file that begins with `#`, which configures.
pub(super) fn comments(text: &str) -> impl Iterator<Item = &str> {
    text.lines().take_while(|line| line.starts_with('#') || line.trim().is_empty())
}

/// The rows after the comments at the beginning, without empty ones.
pub(super) fn rows(text: &str, budget: &Budget<'_>) -> Result<Vec<Row>, (u32, Cow<'static, str>)> {
    let skipped: usize = text
        .split_inclusive('\n')
        .take_while(|line| line.starts_with('#') || line.trim().is_empty())
        .map(str::len)
        .sum();
    let mut line = 1 + u32::try_from(text[..skipped].matches('\n').count()).unwrap_or_default();
    let text = &text[skipped..];
    let separator = separator(text);
    let at_line = |line: u32| move |error: BudgetError| (line, Cow::from(error.text()));
    budget.charge_steps(text.len() / BYTES_PER_STEP).map_err(at_line(line))?;
    let (mut rows, mut cells, mut cell, mut count) = (Vec::new(), Vec::new(), String::new(), 0);
    let (mut start, mut quoted) = (line, false);
    let mut chars = text.chars().peekable();
    loop {
        let c = chars.next();
        match c {
            Some('"') if quoted => {
                if chars.next_if_eq(&'"').is_some() {
                    cell.push('"');
                } else {
                    quoted = false;
                }
            }
            Some('"') if cell.is_empty() => quoted = true,
            Some(c) if c == separator && !quoted => {
                budget.charge(CELL_BYTES + cell.len()).map_err(at_line(line))?;
                cells.push(cell.clone());
                cell.clear();
            }
            Some('\n') if !quoted => {
                budget.charge(ROW_BYTES + CELL_BYTES + cell.len()).map_err(at_line(line))?;
                cells.push(cell.clone());
                cell.clear();
                line += 1;
                push(&mut rows, std::mem::take(&mut cells), start);
                start = line;
            }
            Some('\r') if !quoted => {}
            Some(c) => {
                line += u32::from(c == '\n');
                cell.push(c);
            }
            None => break,
        }
        if c == Some(separator) {
            count += 1;
            if count > MAX_CELLS {
                return Err((line, "the file has more than 1,000,000 cells; import a part of it".into()));
            }
        }
    }
    if quoted {
        return Err((start, "a quoted cell has no closing quote".into()));
    }
    cells.push(cell);
    push(&mut rows, cells, start);
    Ok(rows)
}

fn push(rows: &mut Vec<Row>, mut cells: Vec<String>, line: u32) {
    if cells.iter().any(|cell| !cell.trim().is_empty()) {
        // A list has room for several cells.
        cells.shrink_to_fit();
        rows.push(Row { line, cells });
    }
}

/// The separator: the one that appears most often in the first line.
fn separator(text: &str) -> char {
    let first = text.lines().next().unwrap_or_default();
    let count = |c: &char| first.matches(*c).count();
    [';', '\t', ','].into_iter().max_by_key(count).unwrap_or(',')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::budget::NEVER_CANCELED;

    fn rows(text: &str) -> Result<Vec<Row>, (u32, Cow<'static, str>)> {
        super::rows(text, &Budget::new(text.len(), NEVER_CANCELED))
    }

    #[test]
    fn cells_can_be_quoted() {
        let rows = rows("# a: b\n\nid;\"na;me\"\r\n1;\"two\nlines \"\"quoted\"\"\"\n;\n2;\"\"\n").unwrap();
        let cells: Vec<(u32, Vec<&str>)> =
            rows.iter().map(|row| (row.line, row.cells.iter().map(String::as_str).collect())).collect();
        assert_eq!(cells, [(3, vec!["id", "na;me"]), (4, vec!["1", "two\nlines \"quoted\""]), (7, vec!["2", ""])]);
    }

    #[test]
    fn invalid_and_large_files_are_refused() {
        assert_eq!(rows("a,b\n\"x\n"), Err((2, "a quoted cell has no closing quote".into())));
        assert!(rows(&",".repeat(1_000_001)).is_err());
        assert_eq!(rows(""), Ok(vec![]));
        assert_eq!(rows("# only comments"), Ok(vec![]));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(table in proptest::collection::vec(proptest::collection::vec("[ -~\n]{1,5}", 2), 1..5)) {
            let quote = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
            let lines = table.iter().map(|row| row.iter().map(quote).collect::<Vec<_>>().join(",")).collect::<Vec<_>>();
            let text = format!("a,b\n{}\n", lines.join("\n"));
            let expected: Vec<&Vec<String>> = table.iter().filter(|row| row.iter().any(|cell| !cell.trim().is_empty())).collect();
            let read = rows(&text).unwrap();
            prop_assert_eq!(read[1..].iter().map(|row| &row.cells).collect::<Vec<_>>(), expected);
        }
    }
}
