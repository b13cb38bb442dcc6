//! A job that ended because it was slower than it had to be.

use crate::check::{Check, Code, Effect, Entry, Example, Group, Needs};
use crate::samples;
use crate::subject;
use fathom_core::figure::{duration, iops, megabytes};
use fathom_core::result::{RunResult, TooSlow};
use fathom_core::spec::Floor;
use fathom_core::{Caveat, Level, Nanos, Op};

pub(crate) const CHECK: Check = Check {
    purpose: "whether jobs with a floor kept above it",
    needs: Needs::OurRun(&[]),
    codes: &[Entry {
        code: Code::TooSlow,
        group: Group::Load,
        effect: Effect::Number,
        point: "",
        level: "qualified",
        when: "an operation of a job was slower than its floor, and the job ended for it",
        thresholds: &[],
        example: Example::Run(samples::reads, |r| {
            samples::spec(r).stop.floor = Some(Floor {
                ios: Some(70_000),
                over: Nanos::from_secs(1),
                ..Floor::default()
            });
            samples::phase(r).jobs[0].too_slow = Some(TooSlow {
                op: "read".into(),
                start_ns: 4_000_000_000,
                length_ns: 1_000_000_000,
                iops: 66_702.0,
                bytes_per_second: 273_211_392.0,
            });
        }),
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, spec) in subject::jobs(result) {
        let floor = spec.and_then(|spec| spec.stop.floor);
        let (Some(found), Some(floor)) = (&job.too_slow, floor) else {
            continue;
        };
        let mut least = Vec::new();
        let (ios, bytes) = Op::REQUESTS
            .into_iter()
            .find(|op| op.name() == found.op)
            .map_or((0, 0), |op| floor.of(op));
        least.extend((ios > 0).then(|| format!("{} IOPS", iops_of(ios))));
        least.extend((bytes > 0).then(|| format!("{} MB/s", megabytes(bytes as f64))));
        let message = format!(
            "ended for being slow: from {} on, {}s came to {} IOPS and {} MB/s over {}, and not to \
             {}",
            duration(found.start_ns),
            found.op,
            iops(found.iops),
            megabytes(found.bytes_per_second),
            duration(found.length_ns),
            least.join(" and ")
        );
        caveats.push(
            Code::TooSlow
                .caveat(Level::Qualified, message)
                .remedy("a lower `floor`, or a faster storage")
                .about(subject::job(result, phase, job)),
        );
    }
}

fn iops_of(ios: u64) -> String {
    iops(ios as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::result::TooSlow;
    use fathom_core::spec::Floor;
    use fathom_core::{Bytes, Nanos, fixture};

    #[test]
    fn the_rate_and_the_floor_are_told() {
        let mut result = fixture::random_read();
        result.provenance.workload.phases[0].jobs[0].stop.floor = Some(Floor {
            ios: Some(5_000),
            bytes: Some(Bytes(20_000_000)),
            over: Nanos::from_secs(1),
            ..Floor::default()
        });
        assert_eq!(found(&CHECK, &result), []);
        let job = &mut result.phases[0].jobs[0];
        job.too_slow = Some(TooSlow {
            op: "read".to_owned(),
            start_ns: 4_000_000_000,
            length_ns: 1_000_000_000,
            iops: 4_000.0,
            bytes_per_second: 16_384_000.0,
        });
        let about = format!("measure/{}", job.name);
        let expected = Code::TooSlow
            .caveat(
                Level::Qualified,
                "ended for being slow: from 4.0 s on, reads came to 4,000 IOPS and 16.4 MB/s over \
             1.0 s, and not to 5,000 IOPS and 20.0 MB/s",
            )
            .remedy("a lower `floor`, or a faster storage")
            .about(about);
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}
