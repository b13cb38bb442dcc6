//! A member whose totals are not those of its intervals.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::MemberUnbalanced,
    group: Group::Hosts,
    effect: Effect::Number,
    point: "",
    level: "invalid",
    when: "the totals that a member says are not what its intervals add up to",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "db3 (rank 2) reports totals that its intervals do not add up to";
        let remedy = "keep the output and report it: this should never happen";
        Code::MemberUnbalanced
            .caveat(Level::Invalid, message)
            .remedy(remedy)
            .about("db3 (rank 2)")
    }),
};
