//! Every operand of GNU dd, and every word that may stand in its lists.

use crate::coverage::OptionRow;
use crate::translation::Standing;

/// All of them; a row of `conv=`, `iflag=` and `oflag=` for each word.
pub const OPTIONS: &[OptionRow] = &[
    OptionRow::kept("if=/dev/zero", "write zeros"),
    OptionRow::near(
        "if=/dev/urandom, /dev/random",
        "write random bytes",
        "Fathom makes the random bytes itself, faster than the kernel does, so that they do not \
         hold the writes back",
    ),
    OptionRow::kept("if=FILE of=/dev/null", "read a file or device"),
    OptionRow::refused(
        "if=FILE of=FILE",
        "copy",
        "a copy measures two targets at once, and it is not clear which one",
    ),
    OptionRow::refused(
        "if=/dev/zero of=/dev/null",
        "nothing",
        "neither end is storage",
    ),
    OptionRow::refused(
        "no if=, no of=",
        "standard input and output",
        "a pipe is not storage",
    ),
    OptionRow::kept("of=FILE", "write to a file or device"),
    OptionRow::kept("bs=N", "bytes of a request, 512 without it"),
    OptionRow::kept("ibs=N", "bytes of a read; the unit of count= and skip="),
    OptionRow::kept("obs=N", "bytes of a write; the unit of seek="),
    OptionRow::kept("count=N", "requests, or bytes where N ends in B"),
    OptionRow::near(
        "no count=",
        "to the end",
        "a part of a block at the end of the file is not read",
    ),
    OptionRow::kept("seek=N, oseek=N", "blocks of the output to leave out"),
    OptionRow::kept("skip=N, iseek=N", "blocks of the input to leave out"),
    OptionRow::kept("status=none", "no lines"),
    OptionRow::kept("status=noxfer", "no last line"),
    OptionRow::kept("status=progress", "how it goes, meanwhile"),
    OptionRow::refused("cbs=N", "conversion block", "no bytes are converted"),
    OptionRow::kept(
        "conv=fdatasync",
        "flush the data at the end, inside the time",
    ),
    OptionRow::kept(
        "conv=fsync",
        "flush data and metadata at the end, inside the time",
    ),
    OptionRow::near(
        "conv=notrunc",
        "write into the file as it is",
        "what is missing in the file is filled in before the time begins",
    ),
    OptionRow::kept("conv=nocreat", "the file has to be there"),
    OptionRow::kept("conv=excl", "the file must not be there"),
    OptionRow::near(
        "conv=noerror",
        "go on after errors",
        "Fathom goes on after every error, without it too, and ends with status 3",
    ),
    OptionRow::ignored(
        "conv=sync",
        "fill short blocks with zeros",
        "no block of these inputs is short",
    ),
    OptionRow::refused(
        "conv=sparse",
        "leave zeros out",
        "zeros are not written at all then, so there is nothing to measure",
    ),
    OptionRow::refused(
        "conv=swab, lcase, ucase, ascii, ebcdic, ibm, block, unblock",
        "change the bytes",
        "no bytes are converted",
    ),
    OptionRow::kept(
        "oflag=direct, iflag=direct",
        "past the page cache (O_DIRECT)",
    ),
    OptionRow::kept(
        "oflag=dsync",
        "writes complete when their data is durable (O_DSYNC)",
    ),
    OptionRow::near(
        "oflag=sync",
        "writes complete when data and metadata are durable",
        "metadata that nobody needs to read the data back (times) may come later",
    ),
    OptionRow::kept("oflag=seek_bytes", "seek= counts bytes"),
    OptionRow::kept("iflag=count_bytes", "count= counts bytes"),
    OptionRow::kept("iflag=skip_bytes", "skip= counts bytes"),
    OptionRow::kept(
        "iflag=fullblock",
        "no short reads, which these inputs do not have",
    ),
    OptionRow::near(
        "iflag=nocache",
        "drop pages that have been read",
        "they are dropped before the time begins",
    ),
    OptionRow::ignored(
        "oflag=nocache",
        "drop pages that have been written",
        "pages that are dropped late do not change the time of the writes",
    ),
    OptionRow::ignored(
        "iflag=dsync, sync",
        "synchronous reads",
        "every read is synchronous",
    ),
    OptionRow::ignored(
        "iflag= or oflag=noatime, nonblock, noctty, nofollow",
        "how the file is opened",
        "it does not change what is measured",
    ),
    OptionRow::refused(
        "oflag=append",
        "write at the end of the file",
        "a job that grows a file has to begin with an empty one",
    ),
    OptionRow::refused(
        "iflag= or oflag=directory, text, binary, cio",
        "kinds of files that are no storage",
        "only files and block devices are measured",
    ),
];

/// The row of a word in one of the lists.
pub(super) fn row(operand: &str, word: &str) -> Option<&'static OptionRow> {
    let is_named = |row: &&OptionRow| {
        let (operands, words) = row.form.rsplit_once('=').unwrap_or((row.form, ""));
        let listed = words.split(", ").any(|item| {
            let item = item.rsplit('=').next().unwrap_or(item);
            item == word
        });
        operands.contains(operand) && listed
    };
    let direct = |row: &&OptionRow| row.form.starts_with("oflag=direct") && word == "direct";
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
pub(super) fn deserves_note(row: &OptionRow) -> bool {
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
