//! Every operand of GNU dd, and every word that may stand in its lists.

use crate::coverage::Row;
use crate::translation::Standing;

/// All of them; a row of `conv=`, `iflag=` and `oflag=` for each word.
pub const OPTIONS: &[Row] = &[
    Row::kept("if=/dev/zero", "write zeros"),
    Row::near(
        "if=/dev/urandom, /dev/random",
        "write random bytes",
        "Fathom makes the random bytes itself, faster than the kernel does, so that they do not \
         hold the writes back",
    ),
    Row::kept("if=FILE of=/dev/null", "read a file or device"),
    Row::refused(
        "if=FILE of=FILE",
        "copy",
        "a copy measures two targets at once, and it is not clear which one",
    ),
    Row::refused(
        "if=/dev/zero of=/dev/null",
        "nothing",
        "neither end is storage",
    ),
    Row::refused(
        "no if=, no of=",
        "standard input and output",
        "a pipe is not storage",
    ),
    Row::kept("of=FILE", "write to a file or device"),
    Row::kept("bs=N", "bytes of a request, 512 without it"),
    Row::kept("ibs=N", "bytes of a read; the unit of count= and skip="),
    Row::kept("obs=N", "bytes of a write; the unit of seek="),
    Row::kept("count=N", "requests, or bytes where N ends in B"),
    Row::near(
        "no count=",
        "to the end",
        "a part of a block at the end of the file is not read",
    ),
    Row::kept("seek=N, oseek=N", "blocks of the output to leave out"),
    Row::kept("skip=N, iseek=N", "blocks of the input to leave out"),
    Row::kept("status=none", "no lines"),
    Row::kept("status=noxfer", "no last line"),
    Row::kept("status=progress", "how it goes, meanwhile"),
    Row::refused("cbs=N", "conversion block", "no bytes are converted"),
    Row::kept(
        "conv=fdatasync",
        "flush the data at the end, inside the time",
    ),
    Row::kept(
        "conv=fsync",
        "flush data and metadata at the end, inside the time",
    ),
    Row::near(
        "conv=notrunc",
        "write into the file as it is",
        "what is missing in the file is filled in before the time begins",
    ),
    Row::kept("conv=nocreat", "the file has to be there"),
    Row::kept("conv=excl", "the file must not be there"),
    Row::near(
        "conv=noerror",
        "go on after errors",
        "Fathom goes on after every error, without it too, and ends with status 3",
    ),
    Row::ignored(
        "conv=sync",
        "fill short blocks with zeros",
        "no block of these inputs is short",
    ),
    Row::refused(
        "conv=sparse",
        "leave zeros out",
        "zeros are not written at all then, so there is nothing to measure",
    ),
    Row::refused(
        "conv=swab, lcase, ucase, ascii, ebcdic, ibm, block, unblock",
        "change the bytes",
        "no bytes are converted",
    ),
    Row::kept(
        "oflag=direct, iflag=direct",
        "past the page cache (O_DIRECT)",
    ),
    Row::kept(
        "oflag=dsync",
        "writes complete when their data is durable (O_DSYNC)",
    ),
    Row::near(
        "oflag=sync",
        "writes complete when data and metadata are durable",
        "metadata that nobody needs to read the data back (times) may come later",
    ),
    Row::kept("oflag=seek_bytes", "seek= counts bytes"),
    Row::kept("iflag=count_bytes", "count= counts bytes"),
    Row::kept("iflag=skip_bytes", "skip= counts bytes"),
    Row::kept(
        "iflag=fullblock",
        "no short reads, which these inputs do not have",
    ),
    Row::near(
        "iflag=nocache",
        "drop pages that have been read",
        "they are dropped before the time begins",
    ),
    Row::ignored(
        "oflag=nocache",
        "drop pages that have been written",
        "pages that are dropped late do not change the time of the writes",
    ),
    Row::ignored(
        "iflag=dsync, sync",
        "synchronous reads",
        "every read is synchronous",
    ),
    Row::ignored(
        "iflag= or oflag=noatime, nonblock, noctty, nofollow",
        "how the file is opened",
        "it does not change what is measured",
    ),
    Row::refused(
        "oflag=append",
        "write at the end of the file",
        "a job that grows a file has to begin with an empty one",
    ),
    Row::refused(
        "iflag= or oflag=directory, text, binary, cio",
        "kinds of files that are no storage",
        "only files and block devices are measured",
    ),
];

/// The row of a word in one of the lists.
pub(super) fn row(operand: &str, word: &str) -> Option<&'static Row> {
    let is_named = |row: &&Row| {
        let (operands, words) = row.form.rsplit_once('=').unwrap_or((row.form, ""));
        let listed = words.split(", ").any(|item| {
            let item = item.rsplit('=').next().unwrap_or(item);
            item == word
        });
        operands.contains(operand) && listed
    };
    let direct = |row: &&Row| row.form.starts_with("oflag=direct") && word == "direct";
    OPTIONS.iter().find(is_named).or_else(|| {
        let flags = operand == "iflag" || operand == "oflag";
        OPTIONS.iter().find(direct).filter(|_| flags)
    })
}

/// The words that a list may hold, for suggestions.
pub(super) fn words(operand: &str) -> Vec<&'static str> {
    const CONV: &[&str] = &[
        "fdatasync",
        "fsync",
        "notrunc",
        "nocreat",
        "excl",
        "noerror",
        "sync",
        "sparse",
        "swab",
        "lcase",
        "ucase",
        "ascii",
        "ebcdic",
        "ibm",
        "block",
        "unblock",
    ];
    const FLAGS: &[&str] = &[
        "direct",
        "dsync",
        "sync",
        "nocache",
        "noatime",
        "nonblock",
        "noctty",
        "nofollow",
        "directory",
        "text",
        "binary",
        "cio",
    ];
    let (list, more): (&[_], &[_]) = match operand {
        "conv" => (CONV, &[]),
        "iflag" => (FLAGS, &["count_bytes", "skip_bytes", "fullblock"]),
        _ => (FLAGS, &["append", "seek_bytes"]),
    };
    list.iter().chain(more).copied().collect()
}

/// Whether a row says more than that all is as with dd.
pub(super) fn deserves_note(row: &Row) -> bool {
    matches!(row.standing, Standing::Approximated | Standing::Ignored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_row() {
        for operand in ["conv", "iflag", "oflag"] {
            for word in words(operand) {
                assert!(row(operand, word).is_some(), "{operand}={word}");
            }
        }
        assert_eq!(row("conv", "direct"), None);
        assert_eq!(row("oflag", "sync").unwrap().form, "oflag=sync");
        assert_eq!(row("conv", "sync").unwrap().form, "conv=sync");
        assert_eq!(row("iflag", "sync").unwrap().form, "iflag=dsync, sync");
    }
}
