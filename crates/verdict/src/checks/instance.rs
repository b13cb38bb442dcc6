//! Limits of an instance of a cloud.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { Instance: Beside, Nothing, "note",
    "a cloud machine was recognised, and its limits were compared with the result",
    [],
    Example::Said(|| {
        let message = "the firmware (DMI) identifies this machine as r5d.xlarge. Its limits are \
                       applied [moto 5.2.5 (2026-10), a stored copy of the EC2 API \
                       DescribeInstanceTypes, as of 2026-10-27]";
        Code::Instance.caveat(Level::Note, message)
    })
};
