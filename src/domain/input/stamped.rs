//! Fields that a row is read with and not written by.

/// The stamps of rows (revision, times and authors), and what else each kind is read with. Before its own names stands where
/// rows of the kind are: `""` for the body itself, `"components[]."` for the items of a list. Behind a
/// semicolon: what is read beside the rows.
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
