//! What `fathom help fsync` says.

use crate::paragraph::{hanging, wrapped};

/// Words under which it is looked for.
pub(super) const WORDS: [&str; 4] = ["fsync", "fdatasync", "flush", "commit"];

const LABELS: usize = 13;

pub(super) fn text() -> String {
    let mut text = wrapped(
        "Whether what was written is there after a loss of power, and what that costs. A write \
         that has completed lies in the cache of the system or of the device; fsync and \
         fdatasync return when it is said to be durable. A database does so at each commit.",
    );
    text.push('\n');
    for (label, said) in [
        (
            "cost",
            "`fathom quick`, phase commit: 4 KiB written, then fdatasync, one at a time. The mean \
             of write and flush together is what a commit costs one client",
        ),
        (
            "honoured?",
            "`fathom quick --probe`: the first lines say yes, no or cannot tell, and why. Yes: a \
             write with a flush takes longer than one without, so the device does something. No: \
             flushes were asked for and did not reach the device. Cannot tell: both take the same, \
             or the device says that it has no volatile cache; a cache that outlives the loss of \
             power looks just like a flush that does nothing",
        ),
        (
            "tried",
            "`fathom durability`: writes, tells a witness what was acknowledged, and says after \
             power was cut which of it is there",
        ),
        (
            "codes",
            "flush_real, flush_free, flush_missing, cache_persists, dsync_cheaper, writeback_ack: \
             `fathom help CODE`",
        ),
        (
            "in a load",
            "fdatasync_every = 1 or fsync_every = 1 in a specification, --sync-every 1, or \
             --write-through for O_DSYNC",
        ),
    ] {
        text += &hanging(label, LABELS, said);
    }
    text
}
