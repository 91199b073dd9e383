//! Fields that are part of a response and that clients cannot write.

/// Lists the fields of a response that clients cannot write: revision, timestamps, authors, and additional fields per
/// kind of row. Each list starts with the path of the rows: `""` for the body itself, `"components[]."` for the items
/// of a list. Fields outside of the rows follow after a semicolon.
macro_rules! stamped {
    ($($at:literal [$($own:literal),* $(,)?]),+ $(,)? $(; $($beside:literal),+)?) => {
        &[$(
            $(concat!($at, $own),)*
            concat!($at, "revision"),
            concat!($at, "createdAt"),
            concat!($at, "createdBy"),
            concat!($at, "updatedAt"),
            concat!($at, "updatedBy"),
        )+ $($($beside,)+)?]
    };
}
pub(crate) use stamped;
