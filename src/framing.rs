//! Pages that other sites may show in a frame.

/// Marks a response that other sites may show in a frame: its content security policy lists them. Without the mark, a
/// response gets the header that forbids all frames.
#[derive(Debug, Clone, Copy)]
pub struct Frameable;
