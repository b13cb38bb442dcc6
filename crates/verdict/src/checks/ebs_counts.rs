//! What EBS volumes counted.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::EbsCounts,
    group: Group::Beside,
    effect: Effect::Nothing,
    point: "5.7",
    level: "note",
    when: "a run on EBS volumes that report their own counters: the counts during the run",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "EBS counted 100,000 requests on nvme1n1. The load exceeded the instance's \
                       IOPS for 95.0 % of the run, the volume's IOPS for 1.0 % of the run";
        Code::EbsCounts.caveat(Level::Note, message)
    }),
};
