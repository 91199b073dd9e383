//! Parses the matrix.

use std::collections::HashMap;

use axum::http::Method;

use super::matrix::MATRIX;

/// One row of the matrix.
pub struct Row {
    pub method: Method,
    pub path: &'static str,
    pub what: &'static str,
    pub ok: u16,
    pub cells: HashMap<char, char>,
}

pub fn rows() -> Vec<Row> {
    let mut lines = MATRIX.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(|l| !l.is_empty());
    let heads = lines.next().unwrap();
    lines
        .map(|line| {
            assert_eq!(line.len(), heads.len(), "a cell for each caller: {line:?}");
            let letter = |cell: &str| cell.chars().next().unwrap();
            Row {
                method: line[0].parse().unwrap(),
                path: line[1],
                what: line[2],
                ok: line[3].parse().unwrap(),
                cells: heads[4..].iter().zip(&line[4..]).map(|(head, cell)| (letter(head), letter(cell))).collect(),
            }
        })
        .collect()
}
