//! Threads that waited for a page of the program or of its memory to be read.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use crate::subject;
use fathom_core::figure::plural;
use fathom_core::result::{Evidence, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether threads waited for their own memory to be read from storage",
    needs: Needs::OurRun(&[Evidence::Threads]),
    codes: &[entry! { MajorFaults: Generator, Machine, "note",
        "a thread had a page fault that needed I/O",
        [],
        Example::Run(samples::reads, |r| samples::usage(r).major_faults = 12)
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        // Those of mapped files are the load.
        let jobs = phase.jobs.iter();
        let jobs = jobs.filter(|job| !subject::is_by(result, job, |engine| engine.maps_targets));
        let workers = jobs.flat_map(|job| &job.workers);
        let usages = workers.filter_map(|worker| worker.usage.as_ref());
        let faults: u64 = usages.map(|usage| usage.major_faults).sum();
        if faults > 0 {
            let message = format!(
                "the threads waited for {} of their own memory to be read from storage",
                plural(faults, "page")
            );
            caveats.push(
                Code::MajorFaults
                    .caveat(Level::Note, message)
                    .remedy("free some memory, or measure again: the program is then in memory")
                    .about(subject::phase(result, phase)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::ThreadUse;

    #[test]
    fn one_fault_is_told() {
        let with = |major_faults| {
            let mut result = fixture::random_read();
            result.phases[0].jobs[0].workers[0].usage = Some(ThreadUse {
                major_faults,
                ..ThreadUse::default()
            });
            result
        };
        assert_eq!(found(&CHECK, &fixture::random_read()), []);
        assert_eq!(found(&CHECK, &with(0)), []);
        let message = "the threads waited for 1 page of their own memory to be read from storage";
        let expected = Code::MajorFaults
            .caveat(Level::Note, message)
            .remedy("free some memory, or measure again: the program is then in memory")
            .about("measure");
        assert_eq!(found(&CHECK, &with(1)), [expected]);
        let mut mapped = with(1);
        mapped.provenance.engine.name = "mmap".to_owned();
        assert_eq!(found(&CHECK, &mapped), []);
    }
}
