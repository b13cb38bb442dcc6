//! The native text: for every workload and for every text.

use crate::generators::workload;
use fathom_core::spec::validate::validate;
use fathom_tools::native::{parse, print};
use fathom_tools::profiles::PROFILES;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Pieces of which texts are made that come further than noise does.
const PIECES: &[&str] = &[
    "[[phase]]",
    "[[phase.job]]",
    "[[job]]",
    "[[phase.job.io]]",
    "[phase.job.access]",
    "\n",
    " = ",
    "=",
    "{",
    "}",
    "[",
    "]",
    ",",
    ".",
    "\"",
    "#",
    "block_size",
    "\"4KiB\"",
    "4096",
    "-1",
    "1e400",
    "0x7f",
    "nan",
    "true",
    "read",
    "random",
    "pacing",
    "open",
    "\"1000 IOPS\"",
    "io",
    "op",
    "\"read\"",
    "access",
    "cursor",
    "\"own\"",
    "ranges",
    "after",
    "ä",
    "\t",
    "\r\n",
    "\u{0}",
    "duration",
    "\"30s\"",
    "1979-05-27",
    "'''",
    "\\",
];

proptest! {
    #[test]
    fn what_is_printed_reads_back(workload in workload()) {
        prop_assert_eq!(validate(&workload), []);
        let printed = print(&workload);
        prop_assert_eq!(parse(&printed, "printed.toml"), Ok(workload), "{}", printed);
    }

    #[test]
    fn any_text_is_read_or_refused(text: String) {
        read_or_refused(&text);
    }

    #[test]
    fn any_order_of_words_is_read_or_refused(
        pieces in proptest::collection::vec(select(PIECES), 0..40),
    ) {
        read_or_refused(&pieces.concat());
    }

    #[test]
    fn a_damaged_profile_is_read_or_refused(
        profile in any::<Index>(),
        cuts in proptest::collection::vec((any::<Index>(), 0_usize..12, select(PIECES)), 1..4),
    ) {
        let mut text = PROFILES[profile.index(PROFILES.len())].text.to_owned();
        for (at, length, piece) in cuts {
            let mut from = at.index(text.len() + 1);
            while !text.is_char_boundary(from) {
                from -= 1;
            }
            let mut to = (from + length).min(text.len());
            while !text.is_char_boundary(to) {
                to += 1;
            }
            text.replace_range(from..to, piece);
        }
        read_or_refused(&text);
    }
}

/// A text is either a workload that obeys all rules and reads back from its printed form, or
/// there are diagnostics that can be drawn.
fn read_or_refused(text: &str) {
    match parse(text, "any.toml") {
        Ok(workload) => {
            assert_eq!(validate(&workload), []);
            assert_eq!(parse(&print(&workload), "printed.toml"), Ok(workload));
        }
        Err(found) => {
            assert_ne!(found.len(), 0);
            for diagnostic in found {
                assert_ne!(diagnostic.to_string(), "");
            }
        }
    }
}
