//! Zeros or compressible data.

use super::Said;
use crate::decide::Change;
use crate::evidence::{Data, Evidence};
use crate::finding::{Certainty, Effect};
use crate::mentions::Mention;

/// Parts of paths where storage compresses.
const COMPRESSING: [&str; 6] = ["zfs", "zvol", "tank", "btrfs", "vdo", "zram"];

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let is_written = load.read_percent.is_none_or(|percent| percent < 100.0);
    if evidence.tool == "diskspd" && !is_written && load.options.contains_key("c") {
        return Some(created());
    }
    let data = load
        .data
        .filter(|data| is_written && *data != Data::Random)?;
    let target = load.target.to_lowercase();
    let is_zfs = load.is_on_zfs && !load.mentions.contains(&Mention::Uncompressed);
    let compresses = is_zfs || COMPRESSING.iter().any(|word| target.contains(word));
    let words = if data == Data::Zeros {
        "zeros"
    } else {
        "data that compresses"
    };
    // Deliberate settings are a finding; what a tool does by itself is a note, unless it matters.
    let is_chosen = load.options.contains_key("zero_buffers");
    let effect = if compresses || is_chosen {
        Effect::OtherLoad
    } else {
        Effect::Reading
    };
    Some(
        Said::new(
            Certainty::Suspected,
            effect,
            format!(
                "This load writes {words}: storage that compresses or deduplicates stores \
                almost nothing of it."
            ),
        )
        .because(format!(
            "It writes {words}. ZFS, btrfs with compression, VDO, many arrays and some SSD \
                controllers make that faster than real data."
        ))
        .remedy("Write random data if anything in the path compresses or deduplicates.")
        .by(&["command"])
        .decide(evidence, &[Change::RandomData]),
    )
}

/// Reads of a file that DISKSPD made.
fn created() -> Said {
    Said::new(
        Certainty::Suspected,
        Effect::Reading,
        "The test file contains no random data: storage that compresses or deduplicates may not \
         read it from the disks.",
    )
    .because("-c reserves the file or fills it with a repeated pattern, and this run reads it.")
    .remedy("Write the file with random data first: -w100 -Zr with a duration that fills it.")
    .by(&["command"])
}
