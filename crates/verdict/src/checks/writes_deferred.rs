//! Writes that had not reached the device when the measured time ended.

use crate::application::or_direct;
use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use crate::traffic::Traffic;
use fathom_core::figure::{megabytes, volume};
use fathom_core::result::{Evidence, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of the bytes that the device must have written
    WRITTEN_BY_DEVICE: f64 = 0.95, Share, Decided,
        calibrated "in simulation, 40 of 40 devices that counted 7 % less or more were detected; \
                    none of 500 others raised it";
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the written bytes reached the device in the measured time",
    needs: Needs::OurRun(&[Evidence::DeviceCounters]),
    codes: &[entry! { WritesDeferred: Account, Elsewhere, "qualified",
        "the device wrote less than {WRITTEN_BY_DEVICE} of the bytes written",
        [row::WRITTEN_BY_DEVICE, crate::traffic::row::LEAST_QUEUES],
        Example::Run(samples::writes, |r| {
            samples::spec(r).durability.direct = false;
            samples::counters(r).write_bytes = samples::counters(r).write_bytes / 100 * 29;
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let traffic = Traffic::of(result, phase);
        let Some(traffic) = traffic.filter(|traffic| !traffic.is_silent(result)) else {
            continue;
        };
        if traffic.write.byte_ratio() >= WRITTEN_BY_DEVICE || !traffic.is_comparable(&traffic.write)
        {
            continue;
        }
        let (ours, theirs) = (traffic.write.tool.bytes, traffic.write.device.bytes);
        let deferred = format!(
            "of {} written, {} had not reached {} at the end of the measured time",
            volume(ours),
            volume(ours.saturating_sub(theirs)),
            traffic.devices()
        );
        let account = phase.ledger.as_ref();
        let rates = account.and_then(|one| one.write_rates(phase.measured_ns));
        let message = match rates {
            Some((accepted, durable)) => format!(
                "{deferred}. With the flush the rate is {} MB/s instead of {}",
                megabytes(durable),
                megabytes(accepted)
            ),
            None => deferred,
        };
        let remedy = if traffic.direct {
            "the file system buffers or shrinks direct writes. Measure another file system or the \
             device, and check that queue/iostats of the device is 1"
                .to_owned()
        } else {
            or_direct(
                result,
                "use direct I/O, or a flush after every N writes (--sync-every)",
            )
        };
        caveats.push(
            Code::WritesDeferred
                .caveat(Level::Qualified, message)
                .remedy(remedy)
                .about(subject::phase(result, phase)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::Op;
    use fathom_core::fixture::{self, JobPlan, Stream, series};
    use fathom_core::result::{CountedIo, Ledger};

    fn with_device_share(percent: u64) -> RunResult {
        let stream = Stream::sequential(Op::Write, 1 << 20, series(400, 50));
        let job = JobPlan::closed("log", 8, vec![stream]);
        let mut result = fixture::run("log", &[("measure", vec![job])]);
        let device = &mut result.phases[0].devices[0];
        device.write_bytes = device.write_bytes / 100 * percent;
        result.provenance.workload.phases[0].jobs[0]
            .durability
            .direct = false;
        result
    }

    #[test]
    fn dirty_pages_at_the_end_are_counted() {
        let expected = Code::WritesDeferred
            .caveat(
                Level::Qualified,
                "of 21.0 GB written, 14.9 GB had not reached vda at the end of the measured time",
            )
            .remedy("use direct I/O, or a flush after every N writes (--sync-every)")
            .about("measure");
        assert_eq!(found(&CHECK, &with_device_share(29)), [expected]);
        assert_eq!(found(&CHECK, &with_device_share(96)), []);
    }

    #[test]
    fn the_flush_after_the_phase_gives_the_durable_rate() {
        let mut result = with_device_share(29);
        let phase = &mut result.phases[0];
        let write_bytes = phase.jobs[0].ops.get(Op::Write).expect("it writes").bytes;
        phase.ledger = Some(Box::new(Ledger {
            tool: CountedIo {
                write_bytes,
                ..CountedIo::default()
            },
            write_back_ns: Some(3 * phase.measured_ns),
            ..Ledger::default()
        }));
        let messages: Vec<String> = found(&CHECK, &result)
            .into_iter()
            .map(|one| one.message)
            .collect();
        let message = "of 21.0 GB written, 14.9 GB had not reached vda at the end of the measured \
                       time. With the flush the rate is 104.9 MB/s instead of 419.6";
        assert_eq!(messages, [message]);
    }
}
