//! A limit of the control group on the page cache.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use crate::subject;
use fathom_core::figure::size;
use fathom_core::result::RunResult;
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether the control group limits the page cache that the run uses",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { MemoryLimited: Surroundings, Number, "qualified",
        "the control group limits memory below the machine's memory, and a job uses the page \
         cache",
        [],
        Example::Run(samples::reads, |r| {
            r.provenance.host.memory_limit_bytes = Some(2 << 30);
            samples::spec(r).durability.direct = false;
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let host = &result.provenance.host;
    let Some(limit_bytes) = host.memory_limit_bytes else {
        return;
    };
    let buffered = subject::jobs(result)
        .filter_map(|(_, _, spec)| spec)
        .any(|spec| !spec.durability.direct);
    if !buffered || !subject::touches_storage(result) {
        return;
    }
    let message = format!(
        "the control group limits this process to {} of {} of memory. The page cache is part of it",
        size(limit_bytes),
        size(host.memory_bytes)
    );
    caveats.push(
        Code::MemoryLimited
            .caveat(Level::Qualified, message)
            .remedy("run outside the group, or state that the limit is intended"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn a_limit_of_memory_matters_where_the_page_cache_does() {
        for (limit, direct, expected) in [
            (Some(1 << 30), false, 1),
            (Some(1 << 30), true, 0),
            (None, false, 0),
        ] {
            let mut result = fixture::random_read();
            result.provenance.host.memory_limit_bytes = limit;
            result.provenance.workload.phases[0].jobs[0]
                .durability
                .direct = direct;
            assert_eq!(found(&CHECK, &result).len(), expected, "{limit:?} {direct}");
        }
    }
}
