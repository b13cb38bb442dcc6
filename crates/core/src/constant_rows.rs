//! Tables that the program is made of: a row takes a line or two, and stands as it is written.

/// A constant table of `$of`: each row is made by one of its functions, and changed by others.
///
/// ```ignore
/// static COLUMNS: &[Column] = rows! { Column;
///     text("target", "what was measured");
///     number("iops", "requests a second").right();
/// };
/// ```
#[macro_export]
macro_rules! rows {
    ($of:ty; $($made:ident($($word:expr),*)$(.$more:ident($($what:expr),*))*;)+) => {
        &[$(<$of>::$made($($word),*)$(.$more($($what),*))*),+]
    };
}
