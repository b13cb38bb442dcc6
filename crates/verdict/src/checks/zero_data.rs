//! Writes of zeros, which many devices do not store.

use crate::check::Check;
use crate::subject;
use fathom_core::result::RunResult;
use fathom_core::spec::Fill;
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    codes: &["zero_data"],
    needs: &[],
    purpose: "whether what was written is worth storing",
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, spec) in subject::jobs(result) {
        let zeros = spec.is_some_and(|spec| spec.data.fill == Fill::Zero && !spec.verify.stamps());
        if !zeros || job.write.as_ref().is_none_or(|write| write.ios == 0) {
            continue;
        }
        let message = "only zeros were written: devices that compress, deduplicate or unmap \
                       zeros answer without storing them";
        caveats.push(
            Caveat::new("zero_data", Level::Qualified, message)
                .remedy("write random data (`fill = \"random\"`)")
                .about(subject::job(result, phase, job)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::Op;
    use fathom_core::fixture::{self, JobPlan, Stream, series};

    fn run_of(op: Op, fill: Fill) -> RunResult {
        let stream = Stream::random(op, 4096, series(1_000, 10));
        let job = JobPlan::closed("job", 1, vec![stream]);
        let mut result = fixture::run("zeros", &[("measure", vec![job])]);
        result.provenance.workload.phases[0].jobs[0].data.fill = fill;
        result
    }

    #[test]
    fn only_writes_of_zeros_are_meant() {
        assert_eq!(found(&CHECK, &run_of(Op::Write, Fill::Random)), []);
        assert_eq!(found(&CHECK, &run_of(Op::Read, Fill::Zero)), []);
        let expected = Caveat::new(
            "zero_data",
            Level::Qualified,
            "only zeros were written: devices that compress, deduplicate or unmap zeros answer \
             without storing them",
        )
        .remedy("write random data (`fill = \"random\"`)")
        .about("measure/job");
        assert_eq!(found(&CHECK, &run_of(Op::Write, Fill::Zero)), [expected]);
    }
}
