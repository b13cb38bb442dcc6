//! A file that was laid out and takes less room than it has bytes.

use crate::check::{Code, Entry, Example, entry, thresholds};
use fathom_core::Level;

thresholds! {
    /// Share of its size that a file takes at least where it is stored as it is
    STORED: f64 = 0.95, Share, Decided;
}

pub(crate) const ENTRY: Entry = entry! { FileShrunk: File, Number, "suspect",
    "the file filled by fathom occupies less than {STORED} of its size on its file system",
    [row::STORED],
    Example::Said(|| {
        let message = "/data/mine.dat has 1 GiB but occupies 37 MiB on its file system, which \
                       compresses or deduplicates it";
        let remedy = "disable compression for the directory, or measure the device below";
        Code::FileShrunk
            .caveat(Level::Suspect, message)
            .remedy(remedy)
    })
};
