//! The fields of a kind of requests.

use super::parts::group;
use super::{Default, Field, Group, Kind, Word, word};

static OPS: [Word; 8] = [
    word("read", "Read bytes, or a whole file"),
    word("write", "Write bytes, or a file from its begin"),
    word("trim", "Tell the device that bytes are no longer needed"),
    Word {
        word: "flush",
        meaning: "Make earlier writes durable",
        is_refused: true,
    },
    word("create", "Make a file, with `block_size` bytes"),
    word("stat", "Ask for the attributes of a file"),
    word("rename", "Give a file another name in its directory"),
    word("unlink", "Remove a file"),
];

pub(super) static IO_CLASSES: [Word; 3] = [
    word("real_time", "before all others; needs the right to"),
    word("best_effort", "as those of any process"),
    word("idle", "when there are no others"),
];

/// Of an element of `io`.
pub static IO: Group = group(
    "io",
    &[
        Field::new(
            "op",
            Kind::Word(&OPS),
            Default::Needed("\"read\""),
            "what is asked of the target, or of one of its `files`: `create`, `stat`, `rename` and \
             `unlink` are of files alone",
        ),
        Field::new(
            "block_size",
            Kind::Size,
            Default::Given("\"0B\""),
            "bytes of a request; of a file, all that is written or read",
        ),
        Field::new("random", Kind::Share, Default::Given("100"), "as above"),
        Field::new("align", Kind::Size, Default::Like("block_size"), "as above"),
        Field::new(
            "weight",
            Kind::Number,
            Default::Given("1"),
            "how often, relative to the other kinds",
        ),
    ],
);
