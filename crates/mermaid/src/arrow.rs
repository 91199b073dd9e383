//! The arrows of a message.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kind of an arrow, with mermaid's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ProcessArrow)]
pub enum Arrow {
    /// A line with a filled head: `->>`.
    Solid,
    /// A line with heads at both ends: `<<->>`.
    BidirectionalSolid,
    /// A dotted line with a filled head: `-->>`.
    Dotted,
    /// A dotted line with heads at both ends: `<<-->>`.
    BidirectionalDotted,
    /// A line without a head: `->`.
    SolidOpen,
    /// A dotted line without a head: `-->`.
    DottedOpen,
    /// A line that ends in a cross, for a lost message: `-x`.
    SolidCross,
    /// A dotted line that ends in a cross: `--x`.
    DottedCross,
    /// A line with an open head, for an asynchronous message: `-)`.
    SolidPoint,
    /// A dotted line with an open head: `--)`.
    DottedPoint,
    /// A dotted line with the upper half of a filled head: `--|\`.
    SolidTopDotted,
    /// A dotted line with the lower half of a filled head: `--|/`.
    SolidBottomDotted,
    /// A dotted line with the upper half of an open head: `--\\`.
    StickTopDotted,
    /// A dotted line with the lower half of an open head: `--//`.
    StickBottomDotted,
    /// A dotted line with the upper half of a filled head at its start: `/|--`.
    SolidArrowTopReverseDotted,
    /// A dotted line with the lower half of a filled head at its start: `\|--`.
    SolidArrowBottomReverseDotted,
    /// A dotted line with the upper half of an open head at its start: `//--`.
    StickArrowTopReverseDotted,
    /// A dotted line with the lower half of an open head at its start: `\\--`.
    StickArrowBottomReverseDotted,
    /// A line with the upper half of a filled head: `-|\`.
    SolidTop,
    /// A line with the lower half of a filled head: `-|/`.
    SolidBottom,
    /// A line with the upper half of an open head: `-\\`.
    StickTop,
    /// A line with the lower half of an open head: `-//`.
    StickBottom,
    /// A line with the upper half of a filled head at its start: `/|-`.
    SolidArrowTopReverse,
    /// A line with the lower half of a filled head at its start: `\|-`.
    SolidArrowBottomReverse,
    /// A line with the upper half of an open head at its start: `//-`.
    StickArrowTopReverse,
    /// A line with the lower half of an open head at its start: `\\-`.
    StickArrowBottomReverse,
}

/// The arrows and their syntax, in the order in which mermaid tries them.
pub(super) const ARROWS: [(&str, Arrow); 26] = [
    ("->>", Arrow::Solid),
    ("<<->>", Arrow::BidirectionalSolid),
    ("-->>", Arrow::Dotted),
    ("<<-->>", Arrow::BidirectionalDotted),
    ("->", Arrow::SolidOpen),
    ("-->", Arrow::DottedOpen),
    ("-x", Arrow::SolidCross),
    ("--x", Arrow::DottedCross),
    ("-)", Arrow::SolidPoint),
    ("--)", Arrow::DottedPoint),
    ("--|\\", Arrow::SolidTopDotted),
    ("--|/", Arrow::SolidBottomDotted),
    ("--\\\\", Arrow::StickTopDotted),
    ("--//", Arrow::StickBottomDotted),
    ("/|--", Arrow::SolidArrowTopReverseDotted),
    ("\\|--", Arrow::SolidArrowBottomReverseDotted),
    ("//--", Arrow::StickArrowTopReverseDotted),
    ("\\\\--", Arrow::StickArrowBottomReverseDotted),
    ("-|\\", Arrow::SolidTop),
    ("-|/", Arrow::SolidBottom),
    ("-\\\\", Arrow::StickTop),
    ("-//", Arrow::StickBottom),
    ("/|-", Arrow::SolidArrowTopReverse),
    ("\\|-", Arrow::SolidArrowBottomReverse),
    ("//-", Arrow::StickArrowTopReverse),
    ("\\\\-", Arrow::StickArrowBottomReverse),
];
