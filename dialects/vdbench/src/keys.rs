//! Every keyword, once: by which names it is known, how it is read, and what becomes of it. A table
//! for each kind of definition.

pub(crate) mod files;
pub(crate) mod general;
pub(crate) mod run;
pub(crate) mod storage;

use crate::parameter::{Parameter, Wrong};
use crate::translate::INTERVALS;
use fathom_tools::coverage::OptionRow;

/// Reads a parameter into a definition.
type Set<T> = fn(&mut T, &Parameter) -> Result<(), Wrong>;

/// A keyword and what becomes of it.
pub(crate) struct Key<T: 'static> {
    /// In full; it may be cut to two letters or more, unless `exact`.
    names: &'static [&'static str],
    exact: bool,
    pub(crate) row: OptionRow,
    /// How it is read; none where it changes nothing.
    pub(crate) set: Option<Set<T>>,
}

/// A table of keywords: the names, what becomes of it, and how its parameter is read.
macro_rules! keys {
    ($of:ty; $($name:literal $(| $other:literal)* $($exact:ident)?: $row:expr
        $(, |$to:ident, $from:ident| $body:expr)?;)+) => {
        &[$($crate::keys::Key {
            names: &[$name $(, $other)*],
            exact: $crate::keys::keys!(@exact $($exact)?),
            row: $row,
            set: $crate::keys::keys!(@set $of $(, $to, $from, $body)?),
        }),+]
    };
    (@exact) => { false };
    (@exact exact) => { true };
    (@set $of:ty) => { None };
    (@set $of:ty, $to:ident, $from:ident, $body:expr) => {
        Some(|$to: &mut $of, $from: &$crate::parameter::Parameter| {
            $body;
            Ok(())
        })
    };
}
pub(crate) use keys;

impl<T> Key<T> {
    /// Its first name.
    pub(crate) fn name(&self) -> &'static str {
        self.names[0]
    }

    fn is(&self, key: &str) -> bool {
        let is = |name: &&str| {
            if self.exact {
                *name == key
            } else {
                name.starts_with(key)
            }
        };
        self.names.iter().any(is)
    }
}

/// The keyword that a word is in a table.
pub(crate) fn find<T>(table: &'static [Key<T>], key: &str) -> Option<&'static Key<T>> {
    table.iter().find(|known| known.is(key))
}

pub(crate) fn names<T>(table: &'static [Key<T>]) -> impl Iterator<Item = &'static str> {
    table.iter().flat_map(|key| key.names).copied()
}

/// Why other hosts are refused.
pub(crate) const ELSEWHERE: &str = "--hosts of Fathom names them, before the words of vdbench";
const LAYS_OUT: &str = "Fathom writes files before the first run, outside the measured time";
const REPORTS: &str = "the history and `fathom show` have all figures";
const NO_COMMAND: &str = "Fathom starts no commands; run it yourself before or after";
const DURABILITY: &str = "`fathom durability` checks writes after a loss of power";
const REPLAY: &str = "`fathom run --replay` repeats a trace";

/// Bytes of storage: offsets are signed numbers of 64 bits in every interface of the kernel.
const MOST_BYTES: u64 = 1 << 53;

/// The rows for the page.
pub(crate) fn rows() -> Vec<OptionRow> {
    fn of<T>(table: &'static [Key<T>]) -> impl Iterator<Item = OptionRow> {
        table.iter().map(|key| key.row)
    }
    let mut rows = vec![
        OptionRow::kept("*, #, / at the start of a line", "a comment"),
        OptionRow::kept("a comma at the end of a line", "the next line goes on"),
        OptionRow::kept("(1-64,d), (10-50,10), (sd1-sd4)", "ranges"),
        OptionRow::kept("$NAME, !NAME", "a variable of the command line"),
        OptionRow::kept("include=FILE", "the lines of another file"),
        OptionRow::kept("eof", "the rest of the file is not read"),
    ];
    rows.extend(of(general::GENERAL).chain(of(general::HOST)));
    rows.push(OptionRow::refused(
        "hd=NAME,system=HOST",
        "other hosts make the load",
        ELSEWHERE,
    ));
    rows.extend(of(storage::STORAGE).chain(of(storage::WORK)));
    rows.extend(of(files::FILE_SYSTEM).chain(of(files::FILE_WORK)));
    rows.extend(of(run::RUN));
    rows.push(INTERVALS);
    rows.push(OptionRow::ignored("rg=…", "groups of reports", REPORTS));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_tools::translation::Standing;

    #[test]
    fn every_form_is_there_once_and_every_difference_has_a_reason() {
        let rows = rows();
        for (index, row) in rows.iter().enumerate() {
            let before = &rows[..index];
            assert!(
                before.iter().all(|other| other.form != row.form),
                "{}",
                row.form
            );
            let kept = row.standing == Standing::Kept;
            assert_eq!(row.remark.is_empty(), kept, "{}", row.form);
        }
    }
}
