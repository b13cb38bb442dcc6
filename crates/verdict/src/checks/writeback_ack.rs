//! Whether a buffer acknowledges writes.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::probed::{median, ratio, turns};
use crate::samples;
use fathom_core::figure::time;
use fathom_core::result::{Evidence, MicroProbe, ProbeKind, ProbeRound, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// A single write over a single read below which a buffer acknowledges it
    WRITE_BACK: f64 = 0.8, Times, Decided;
    /// A single write over a single read below which that is certain
    WRITE_BACK_CERTAIN: f64 = 0.5, Times, Decided;
    /// Half a turn of the fastest disks, 15,000 a minute: what takes half of that was not written,
    /// and what is flushed sooner was not either
    HALF_TURN_NS: f64 = 2e6, Nanoseconds, Verified "turns a minute";
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether a buffer acknowledges writes",
    needs: Needs::OurRun(&[Evidence::Probe]),
    codes: &[
        entry! { WritebackAck: Data, Number, "note; qualified on a rotating disk",
            "a single write takes less than {WRITE_BACK:bare} of a single read, or less than \
             {HALF_TURN_NS:half} on a rotating disk with longer reads (`--probe`)",
            [row::WRITE_BACK, row::WRITE_BACK_CERTAIN, row::HALF_TURN_NS],
            Example::Run(
                || {
                    samples::probed(samples::times(&[
                        (ProbeKind::Read, 104_000),
                        (ProbeKind::Write, 21_000),
                    ]))
                },
                |_| (),
            )
        },
    ],
    run,
};

/// Nothing writes to a medium faster than it reads one request at a time, but through a buffer.
fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let ratio = ratio(
        result,
        (ProbeKind::Write, ProbeRound::service),
        (ProbeKind::Read, ProbeRound::service),
    );
    let read = median(result, ProbeKind::Read, MicroProbe::median_ns);
    let write = median(result, ProbeKind::Write, MicroProbe::median_ns);
    let (Some(ratio), Some(read), Some(write)) = (ratio, read, write) else {
        return;
    };
    let turns = turns(result);
    // Where reads come before a quarter turn too, a cache holds what is read, or it does not turn,
    // whatever it says: then only the two are compared.
    let quarter_turn = HALF_TURN_NS / 2.0;
    let before_turn = turns && write < quarter_turn && read >= quarter_turn;
    if ratio.high >= WRITE_BACK && !before_turn {
        return;
    }
    let certain = ratio.high < WRITE_BACK_CERTAIN || before_turn;
    let doubt = if certain { "" } else { ", it seems" };
    let message = format!(
        "a single write took {} and a single read {}. A buffer acknowledges writes{doubt}",
        time(write),
        time(read)
    );
    // All SSDs have one, and count on it; a disk that turns answers for its platters.
    let level = if turns { Level::Qualified } else { Level::Note };
    caveats.push(
        Code::WritebackAck
            .caveat(level, message)
            .remedy("rely on writes only as far as the buffer survives a power loss"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use crate::probed::made_up::{on_platters, run, with_median};

    fn reads_and_writes(read_ns: u64, write_ns: u64) -> RunResult {
        run(vec![
            with_median(ProbeKind::Read, read_ns),
            with_median(ProbeKind::Write, write_ns),
        ])
    }

    fn acknowledgement(level: Level, message: &str) -> Caveat {
        Code::WritebackAck
            .caveat(level, message)
            .remedy("rely on writes only as far as the buffer survives a power loss")
    }

    #[test]
    fn writes_faster_than_reads_are_a_buffers() {
        assert_eq!(found(&CHECK, &run(vec![])), []);
        assert_eq!(found(&CHECK, &reads_and_writes(100_000, 80_100)), []);
        let message = "a single write took 79.9 µs and a single read 100 µs. A buffer acknowledges \
                       writes, it seems";
        assert_eq!(
            found(&CHECK, &reads_and_writes(100_000, 79_900)),
            [acknowledgement(Level::Note, message)]
        );
        let message = "a single write took 49.9 µs and a single read 100 µs. A buffer acknowledges \
                       writes";
        assert_eq!(
            found(&CHECK, &reads_and_writes(100_000, 49_900)),
            [acknowledgement(Level::Note, message)]
        );
    }

    #[test]
    fn reads_that_were_slow_for_a_while_are_no_buffer() {
        let mut result = reads_and_writes(100_000, 100_000);
        for round in &mut result.micro_probes[0].rounds[..3] {
            round.median_ns = Some(400_000);
        }
        assert_eq!(found(&CHECK, &result), []);
    }

    #[test]
    fn a_disk_that_turns_cannot_write_within_a_quarter_of_its_turn() {
        let with = |write_ns| on_platters(reads_and_writes(1_200_000, write_ns));
        assert_eq!(found(&CHECK, &with(1_001_000)), []);
        let message = "a single write took 999 µs and a single read 1.20 ms. A buffer acknowledges \
                       writes";
        assert_eq!(
            found(&CHECK, &with(999_000)),
            [acknowledgement(Level::Qualified, message)]
        );
        // A virtual disk with the flag of one that turns has no platter.
        let mut virtual_disk = with(999_000);
        virtual_disk.provenance.targets[0].devices[0].kind = "virtio".to_owned();
        assert_eq!(found(&CHECK, &virtual_disk), []);
        // Its reads take no quarter turn either.
        let quick = on_platters(reads_and_writes(300_000, 250_000));
        assert_eq!(found(&CHECK, &quick), []);
    }
}
