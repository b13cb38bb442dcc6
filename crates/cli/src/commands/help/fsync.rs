//! What `fathom help fsync` says.

use crate::paragraph::{hanging, wrapped};

/// Words under which it is looked for.
pub(super) const WORDS: [&str; 4] = ["fsync", "fdatasync", "flush", "commit"];

const LABELS: usize = 13;

pub(super) fn text() -> String {
    let mut text = wrapped(
        "Whether written data survives a power loss, and the cost of that. A completed write is in \
         the cache of the system or of the device; fsync and fdatasync return when it is reported \
         as durable. A database calls them at each commit.",
    );
    text.push('\n');
    for (label, said) in [
        (
            "cost",
            "`fathom quick`, phase commit: write 4 KiB, then fdatasync, one at a time. The mean of \
             write plus flush is the cost of a commit for one client",
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
            "`fathom durability`: writes, logs acknowledgements elsewhere, and after a power cut \
             verifies which of them survived",
        ),
        (
            "codes",
            "flush_real, flush_free, flush_missing, cache_persists, dsync_cheaper, writeback_ack: \
             `fathom help CODE`",
        ),
        (
            "in a load",
            "fdatasync_every = 1 or fsync_every = 1 in a workload, --sync-every 1, or \
             --write-through for O_DSYNC",
        ),
    ] {
        text += &hanging(label, LABELS, said);
    }
    text
}
