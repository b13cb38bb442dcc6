//! More bytes from another machine than the network carries.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::megabytes;
use fathom_core::result::{HostInfo, NetworkLink, PhaseResult, RunResult};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Multiple of the links' rate that cannot be: edges of the measured time
    CARRIED: f64 = 1.02, Times, Decided "docs/many-hosts.md";
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the network can transfer the rate measured from another machine",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { FasterThanNetwork: TooFast, Number, "invalid",
        "one direction moved more than {CARRIED} the capacity of all links of the machines",
        [row::CARRIED],
        Example::Run(samples::reads, |r| {
            samples::served(r);
            samples::reads_of(r).bytes_per_second = 4.2e9;
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let hosts = [&result.provenance.host];
    let phases = result.phases.iter();
    caveats.extend(phases.filter_map(|phase| found(result, phase, &hosts)));
}

/// What a phase of these machines shows, each of which is named once.
pub(crate) fn found(
    result: &RunResult,
    phase: &PhaseResult,
    hosts: &[&HostInfo],
) -> Option<Caveat> {
    let targets = &result.provenance.targets;
    let is_elsewhere = !targets.is_empty() && targets.iter().all(subject::is_elsewhere);
    let is_known = !hosts.is_empty() && hosts.iter().all(|host| !host.links.is_empty());
    if !is_elsewhere || !is_known || !subject::touches_storage(result) {
        return None;
    }
    let links = hosts.iter().flat_map(|host| &host.links);
    let carried: f64 = links.map(NetworkLink::bytes_per_second).sum();
    let rate = |op: Op| -> f64 {
        let jobs = phase.jobs.iter().filter_map(|job| job.ops.get(op));
        jobs.map(|one| one.bytes_per_second).sum()
    };
    let op = [Op::Read, Op::Write]
        .into_iter()
        .find(|op| rate(*op) > carried * CARRIED)?;
    let message = format!(
        "{} MB/s of {}s from another machine, but all network links together have a capacity of {} \
         MB/s. These bytes were not transferred",
        megabytes(rate(op)),
        op.name(),
        megabytes(carried)
    );
    let caveat = Code::FasterThanNetwork
        .caveat(Level::Invalid, message)
        .remedy("use direct I/O, and files larger than the memory of the machines");
    Some(caveat.about(subject::phase(result, phase)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_carry_what_their_links_carry_together() {
        let mut result = samples::reads();
        samples::served(&mut result);
        samples::reads_of(&mut result).bytes_per_second = 2.5e9;
        let host = result.provenance.host.clone();
        let found = |hosts: &[&HostInfo]| super::found(&result, &result.phases[0], hosts).is_some();
        assert!(found(&[&host]));
        assert!(!found(&[&host, &host]));
        // Of a machine whose links do not say what they carry nothing is known.
        assert!(!found(&[&HostInfo::default()]));
        let mut own = result.clone();
        own.provenance.targets[0].file_system = "ext4".to_owned();
        assert!(super::found(&own, &own.phases[0], &[&host]).is_none());
    }
}
