//! Writes of zeros, which many devices do not store.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::checks::never_written::{self, ZERO_BLOCKS};
use crate::samples;
use crate::subject;
use fathom_core::result::{RunResult, TargetInfo};
use fathom_core::spec::Fill;
use fathom_core::{Caveat, Level, Op};

pub(crate) const CHECK: Check = Check {
    purpose: "whether the data written, or read from a file, is realistic",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { ZeroData: Data, Number, "qualified",
        "only zeros were written, or {ZERO_BLOCKS} or more of {SAMPLED_BLOCKS} sampled blocks of a \
         file that is read are zeros",
        [never_written::row::ZERO_BLOCKS, never_written::row::SAMPLED_BLOCKS],
        Example::Run(samples::writes, |r| samples::spec(r).data.fill = Fill::Zero)
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, spec) in subject::jobs(result) {
        let zeros = spec.is_some_and(|spec| spec.data.fill == Fill::Zero && !spec.verify.stamps());
        if !zeros || job.ops.get(Op::Write).is_none_or(|write| write.ios == 0) {
            continue;
        }
        let message = "only zeros were written. Devices that compress, deduplicate or unmap zeros \
                       acknowledge without storing them";
        caveats.push(
            Code::ZeroData
                .caveat(Level::Qualified, message)
                .remedy("write random data (`fill = \"random\"`)")
                .about(subject::job(result, phase, job)),
        );
    }
    if subject::jobs(result).any(|(_, job, _)| job.ops[Op::Read].is_some()) {
        caveats.extend(result.provenance.targets.iter().filter_map(read_zeros));
    }
}

/// A file that holds zeros where it is read. Of a device, or where nothing was ever written, that
/// says more, and is said elsewhere.
fn read_zeros(target: &TargetInfo) -> Option<Caveat> {
    let layout = target.layout.as_ref()?;
    let (sampled, zero) = (layout.blocks_sampled?, layout.blocks_zero?);
    let extents = layout.extents.unwrap_or_default();
    let is_written = layout.hole_bytes == Some(0) && extents.unwritten_bytes == 0;
    let is_zero = sampled > 0 && f64::from(zero) >= ZERO_BLOCKS * f64::from(sampled);
    if target.kind != "file" || !is_written || !is_zero {
        return None;
    }
    let message = format!(
        "{zero} of {sampled} blocks sampled across it hold only zeros. Devices that compress, \
         deduplicate or unmap zeros serve them without reading"
    );
    let caveat = Code::ZeroData
        .caveat(Level::Qualified, message)
        .remedy("use a file of random data; fathom creates one if no file exists");
    Some(caveat.about(target.path.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::Op;
    use fathom_core::fixture::{self, JobPlan, Stream, series};
    use fathom_core::result::TargetLayout;

    fn run_of(op: Op, fill: Fill) -> RunResult {
        let stream = Stream::random(op, 4096, series(1_000, 10));
        let job = JobPlan::closed("job", 1, vec![stream]);
        let mut result = fixture::run("zeros", &[("measure", vec![job])]);
        result.provenance.workload.phases[0].jobs[0].data.fill = fill;
        result
    }

    #[test]
    fn a_file_of_zeros_is_worth_little_where_it_is_read() {
        let found_with = |op, zero, hole_bytes| {
            let mut result = run_of(op, Fill::Random);
            let target = &mut result.provenance.targets[0];
            target.kind = "file".to_owned();
            target.layout = Some(Box::new(TargetLayout {
                hole_bytes: Some(hole_bytes),
                blocks_sampled: Some(64),
                blocks_zero: Some(zero),
                ..TargetLayout::default()
            }));
            found(&CHECK, &result)
        };
        let path = run_of(Op::Read, Fill::Random).provenance.targets[0]
            .path
            .clone();
        let expected = Code::ZeroData
            .caveat(
                Level::Qualified,
                "64 of 64 blocks sampled across it hold only zeros. Devices that compress, \
                 deduplicate or unmap zeros serve them without reading",
            )
            .remedy("use a file of random data; fathom creates one if no file exists")
            .about(path);
        assert_eq!(found_with(Op::Read, 64, 0), [expected]);
        for (op, zero, hole_bytes) in [(Op::Read, 57, 0), (Op::Write, 64, 0), (Op::Read, 64, 4096)]
        {
            assert_eq!(found_with(op, zero, hole_bytes), []);
        }
    }

    #[test]
    fn only_writes_of_zeros_are_meant() {
        assert_eq!(found(&CHECK, &run_of(Op::Write, Fill::Random)), []);
        assert_eq!(found(&CHECK, &run_of(Op::Read, Fill::Zero)), []);
        let expected = Code::ZeroData
            .caveat(
                Level::Qualified,
                "only zeros were written. Devices that compress, deduplicate or unmap zeros \
                 acknowledge without storing them",
            )
            .remedy("write random data (`fill = \"random\"`)")
            .about("measure/job");
        assert_eq!(found(&CHECK, &run_of(Op::Write, Fill::Zero)), [expected]);
    }
}
