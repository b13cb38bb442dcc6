//! A target below which no device was found.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::DeviceUnknown,
    group: Group::Beside,
    effect: Effect::Nothing,
    point: "4.1",
    level: "note",
    when: "what lies below the target could not be found out",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "what lies below /data/mine.dat is not known: cannot read \
                       /sys/dev/block/8:17: No such file or directory";
        let remedy = "make /sys and /proc readable here (containers hide them); until then no \
                      counter of a device confirms the result";
        Code::DeviceUnknown
            .caveat(Level::Note, message)
            .remedy(remedy)
    }),
};
