//! Text and numbers for SVG.

use std::fmt::{self, Display, Write};

/// A number with only as many digits as make a visible difference. Numbers that are not finite become zero.
pub(super) struct Num(pub f64);

impl Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = if self.0.is_finite() { self.0 } else { 0.0 };
        // `+ 0.0` turns -0 into 0.
        write!(f, "{}", (value * 10.0 + 0.5).floor() / 10.0 + 0.0)
    }
}

/// Text for elements and attributes. Characters that XML does not allow are left out.
pub(super) struct Xml<'a>(pub &'a str);

impl Display for Xml<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
                character => f.write_char(character)?,
            }
        }
        Ok(())
    }
}
