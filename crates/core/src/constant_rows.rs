//! Tables that the program is made of: a row takes a line or two, and stands as it is written.

/// A constant table of `$of`: each row is made by one of its functions, and changed by others.
///
/// ```ignore
/// static OPTIONS: &[DdOption] = rows! { DdOption;
///     kept("if=FILE", "read a file").operand(&["if"], |to, given| to.input = given.named());
///     refused("cbs=N", "conversion block", "no bytes are converted");
/// };
/// ```
#[macro_export]
macro_rules! rows {
    ($of:ty; $($made:ident($($word:expr),*)$(.$more:ident($($what:expr),*))*;)+) => {
        &[$(<$of>::$made($($word),*)$(.$more($($what),*))*),+]
    };
}
