//! Words of lines.

use super::book::Wrong;
use std::str::FromStr;

/// A line as text, without its end.
pub(super) fn line(piece: &[u8]) -> Result<&str, Wrong> {
    let text = std::str::from_utf8(piece).map_err(|_| "it is no text")?;
    Ok(text.trim())
}

/// The cells of a line of a table; none of an empty line or a comment.
pub(super) fn cells<const N: usize>(piece: &[u8]) -> Result<Option<[&str; N]>, Wrong> {
    let text = line(piece)?;
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let cells: Vec<&str> = text.split(',').map(str::trim).collect();
    let count = cells.len();
    let cells: [&str; N] = cells
        .try_into()
        .map_err(|_| Wrong::Piece(format!("it has {count} fields, {N} were expected")))?;
    Ok(Some(cells))
}

/// A number, decimal or with `0x` before it.
pub(super) fn number<T: FromStr + TryFrom<u64>>(word: &str) -> Result<T, Wrong> {
    let hex = word.strip_prefix("0x").or(word.strip_prefix("0X"));
    let found = match hex {
        Some(hex) => u64::from_str_radix(hex, 16)
            .ok()
            .and_then(|n| T::try_from(n).ok()),
        None => word.parse().ok(),
    };
    found.ok_or_else(|| Wrong::Piece(format!("`{}` is not a number", shortened(word))))
}

/// Seconds with a fraction, exact to the nanosecond.
pub(super) fn seconds(word: &str) -> Result<u64, Wrong> {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    let is_fraction = fraction.len() <= 9 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if !is_fraction {
        return Err(Wrong::Piece(format!("`{}` is no time", shortened(word))));
    }
    let fraction = if fraction.is_empty() {
        0
    } else {
        number::<u64>(fraction)? * 10_u64.pow(9 - fraction.len() as u32)
    };
    let whole = number::<u64>(whole)?.checked_mul(1_000_000_000);
    let at = whole.and_then(|whole| whole.checked_add(fraction));
    at.ok_or_else(|| Wrong::Piece(format!("`{}` is no time", shortened(word))))
}

/// The first lines of a file that may have requests, the last one only if it is whole.
pub(super) fn first_lines(start: &[u8]) -> impl Iterator<Item = &str> {
    let end = start.iter().rposition(|byte| *byte == b'\n');
    let start = &start[..end.map_or(0, |end| end + 1)];
    let lines = start.split(|byte| *byte == b'\n');
    let lines = lines.map_while(|line| std::str::from_utf8(line).ok());
    let lines = lines.map(str::trim).filter(|line| !line.is_empty());
    lines.filter(|line| !line.starts_with('#'))
}

/// Whether the first or the second of these lines has the shape of a format: the first one may
/// name columns.
pub(super) fn has_shape(start: &[u8], is: impl Fn(&str) -> bool) -> bool {
    first_lines(start).take(2).any(is)
}

/// Enough of a word to know it by.
pub(super) fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}
