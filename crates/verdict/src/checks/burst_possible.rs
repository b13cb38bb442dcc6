//! A run too short to see a burst end.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::duration;
use fathom_core::result::RunResult;
use fathom_core::{Caveat, Level};

thresholds! {
    /// Shortest burst of a full bucket: 5.4 million credits at 3000 IOPS over a fill of 100
    SHORTEST_BURST_NS: u64 = 1_862_000_000_000, Nanoseconds, Verified "Amazon's gp2";
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the run lasts longer than the possible bursts of its volume",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { BurstPossible: Steadiness, Nothing, "note",
        "a cloud with burstable volumes, and a run shorter than the shortest burst",
        [row::SHORTEST_BURST_NS],
        Example::Run(samples::reads, |r| {
            r.provenance.host.machine = "Amazon EC2 m5.large".into();
        })
    }],
    run,
};

/// Makers of machines whose usual volumes burst, by the words of their firmware.
const BURSTING: [&str; 2] = ["Amazon EC2", "Microsoft Corporation"];

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let machine = &result.provenance.host.machine;
    let bursts = BURSTING.iter().any(|maker| machine.contains(maker));
    let longest = result.phases.iter().map(|phase| phase.measured_ns).max();
    let longest = longest.unwrap_or(0);
    if !bursts || longest == 0 || longest >= SHORTEST_BURST_NS || !subject::touches_storage(result)
    {
        return;
    }
    let message = format!(
        "no drop within {} does not prove that there is none. A burst bucket of this cloud's \
         volumes needs {} of full load to empty",
        duration(longest),
        duration(SHORTEST_BURST_NS)
    );
    caveats.push(
        Code::BurstPossible
            .caveat(Level::Note, message)
            .remedy("run longer than the burst (--time), or use a volume without bursts"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn a_short_run_on_a_cloud_cannot_exclude_a_burst() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        result.provenance.host.machine = "Amazon EC2 m5.large".to_owned();
        assert_eq!(found(&CHECK, &result).len(), 1);
    }
}
