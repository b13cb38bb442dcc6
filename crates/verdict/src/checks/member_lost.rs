//! A member that was gone before it had reported all.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::MemberLost,
    group: Group::Hosts,
    effect: Effect::Number,
    point: "",
    level: "qualified",
    when: "a member disappeared before it had reported everything",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "db3 (rank 2) was lost: its connection ended. It is counted up to interval 3 \
                       of phase 1 (79 requests)";
        let remedy = "find the cause, and measure again. The sums after that time cover fewer \
                      members";
        Code::MemberLost
            .caveat(Level::Qualified, message)
            .remedy(remedy)
            .about("db3 (rank 2)")
    }),
};
