//! A cache above a disk that turns, which claims to keep data without power.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::checks::writeback_ack::{self, HALF_TURN_NS};
use crate::probed::{flushed_ns, level, turns};
use crate::samples;
use fathom_core::figure::time;
use fathom_core::result::{Evidence, ProbeKind, ProbeRound, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether a layer above a rotating disk claims that data is safe",
    needs: Needs::OurRun(&[Evidence::Probe]),
    codes: &[entry! { CachePersists: Data, Nothing, "note",
        "a write with `fdatasync` takes less than {HALF_TURN_NS} on a rotating disk (`--probe`)",
        [writeback_ack::row::HALF_TURN_NS],
        Example::Run(
            || samples::probed(samples::flushed(51_000, 62_000)),
            |r| samples::disk(r).rotational = true,
        )
    }],
    run,
};

/// What a platter cannot have in so short a time, something else has.
fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let cost = level(result, ProbeKind::WriteFlush, ProbeRound::flushed);
    let is_sooner = cost.is_some_and(|cost| cost.high < HALF_TURN_NS);
    let Some(flushed) = flushed_ns(result).filter(|_| is_sooner && turns(result)) else {
        return;
    };
    let message = format!(
        "a write with a flush takes {}, less than half a rotation of a disk. A cache below claims \
         that it keeps data without power",
        time(flushed)
    );
    caveats.push(
        Code::CachePersists
            .caveat(Level::Note, message)
            .remedy("check that the controller cache has a working battery or flash backup"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use crate::probed::made_up::{on_platters, run, with_flush};

    #[test]
    fn a_flush_that_no_platter_can_have_answered_is_told() {
        let with = |flush_ns| on_platters(run(vec![with_flush(50_000, flush_ns)]));
        assert_eq!(found(&CHECK, &with(1_960_000)), []);
        assert_eq!(found(&CHECK, &run(vec![with_flush(50_000, 50_000)])), []);
        let message = "a write with a flush takes 1.95 ms, less than half a rotation of a disk. A \
                       cache below claims that it keeps data without power";
        let expected = Code::CachePersists
            .caveat(Level::Note, message)
            .remedy("check that the controller cache has a working battery or flash backup");
        assert_eq!(found(&CHECK, &with(1_900_000)), [expected]);
    }
}
