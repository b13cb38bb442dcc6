//! The fields of a kind of requests.

use super::parts::group;
use super::{Default, Group, Kind, Word, fields, word};
use crate::rows;

static OPS: [Word; 8] = [
    word("read", "Read bytes, or a whole file"),
    word("write", "Write bytes, or a file from its start"),
    word("trim", "Tell the device that bytes are unused (discard)"),
    Word {
        word: "flush",
        meaning: "Make earlier writes durable",
        is_refused: true,
    },
    word("create", "Create a file with `block_size` bytes"),
    word("stat", "Read the attributes of a file"),
    word("rename", "Rename a file within its directory"),
    word("unlink", "Remove a file"),
];

pub(super) static IO_CLASSES: &[Word] = rows! { Word;
    new("real_time", "real-time class, before all others; needs CAP_SYS_ADMIN or CAP_SYS_NICE");
    new("best_effort", "best-effort class, the class of normal processes");
    new("idle", "idle class, only when no other requests exist");
};

/// Of an element of `io`.
pub static IO: Group = group(
    "io",
    fields! {
        "op": Kind::Word(&OPS), Default::Needed("\"read\""),
            "operation on the target or on one of its `files`; `create`, `stat`, `rename` and \
             `unlink` require files";
        "block_size": Kind::Size, Default::Given("\"0B\""),
            "request size; for a file, the total read or written";
        "random": Kind::Share, Default::Given("100"), "as above";
        "align": Kind::Size, Default::Like("block_size"), "as above";
        "weight": Kind::Number, Default::Given("1"), "weight relative to the other operations";
    },
);
