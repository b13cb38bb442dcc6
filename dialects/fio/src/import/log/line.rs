//! The lines of a log: time in milliseconds, value, direction, block size; then perhaps offset,
//! priority and more, which are not used. With `log_window_value=both` a maximum follows the value.

use fathom_core::Op;
use fathom_tools::results::format::ResultFile;
use fathom_tools::results::place;
use fathom_tools::results::place::Wrong;

/// One line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) time_ms: u64,
    pub(super) value: u64,
    pub(super) op: Op,
    /// 0 where the line is a mean over a span of time.
    pub(super) bytes: u64,
}

/// Latest time: in nanoseconds it has to fit into 63 bits. Counted from 1970, as with
/// `log_unix_epoch`, it is in the year 2248.
const LATEST_MS: u64 = (1 << 63) / 1_048_576;

fn numbers(line: &str) -> Option<Vec<u64>> {
    let number = |cell: &str| {
        let cell = cell.trim();
        match cell.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => cell.parse().ok(),
        }
    };
    line.split(',').map(number).collect()
}

/// Whether a line could be of a log.
pub(super) fn is_log(line: &str) -> bool {
    numbers(line).is_some()
}

/// All lines of a file.
pub(super) fn read(file: &ResultFile<'_>) -> Result<Vec<Entry>, Wrong> {
    let remedy = "a log of fio: time, value, direction, block size, as in `500, 4465, 1, 4096`";
    let mut rows = Vec::new();
    let mut at = 0;
    for piece in file.text.split_inclusive('\n') {
        let line = piece.trim();
        if !line.is_empty() {
            let row = numbers(line).filter(|row| row.len() >= 4);
            let row = row.ok_or_else(|| {
                place::line_of(
                    file,
                    at,
                    "this is not a line of at least four numbers",
                    remedy,
                )
            })?;
            rows.push((at, row));
        }
        at += piece.len();
    }
    let last = Op::Trim as u64;
    let has_maximum = rows.iter().any(|(_, row)| row[2] > last);
    let column = 2 + usize::from(has_maximum);
    let mut entries = Vec::with_capacity(rows.len());
    for (at, row) in rows {
        let op = match row[column] {
            0 => Op::Read,
            1 => Op::Write,
            2 => Op::Trim,
            other => {
                let message = format!("{other} is no direction");
                return Err(place::line_of(
                    file,
                    at,
                    &message,
                    "0 read, 1 write, 2 trim",
                ));
            }
        };
        if row[0] > LATEST_MS {
            let message = format!("{} ms are centuries", row[0]);
            return Err(place::line_of(file, at, &message, remedy));
        }
        let bytes = row.get(column + 1).copied();
        let bytes = bytes.ok_or_else(|| {
            place::line_of(file, at, "the block size is missing in this line", remedy)
        })?;
        entries.push(Entry {
            time_ms: row[0],
            value: row[1],
            op,
            bytes,
        });
    }
    Ok(entries)
}
