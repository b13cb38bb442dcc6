//! More bytes than the device's link carries, or a link that runs below what it could.

use crate::check::{Check, Code, Example, Look, Needs, entry, thresholds};
use crate::fitness::Facts;
use crate::samples;
use crate::subject;
use crate::traffic::devices;
use fathom_core::figure::megabytes;
use fathom_core::result::{Evidence, Link, RunResult, TargetDevice};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Multiple of the link's rate that cannot be: edges of the measured time
    LINK: f64 = 1.02, Times, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the link of the device can transfer the measured rate",
    needs: Needs::OurRun(&[Evidence::Link]),
    codes: &[
        entry! { FasterThanLink: TooFast, Number, "invalid",
            "one direction moved more than {LINK} the capacity of the links",
            [row::LINK],
            Example::Run(samples::reads, |r| {
                samples::link(r, 8.0, 4);
                samples::reads_of(r).bytes_per_second = 44.67e9;
            })
        },
        entry! { LinkDegraded: TooFast, Number, "note",
            "the link is slower or narrower than possible",
            [],
            Example::Run(samples::reads, |r| samples::link(r, 8.0, 2))
        },
    ],
    run,
};

fn link(device: &TargetDevice) -> Option<&Link> {
    device.limits.as_ref()?.link.as_ref()
}

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let leaves = || devices(result).filter(|device| device.leaf);
    for device in leaves() {
        let Some(link) = link(device).filter(|link| link.is_degraded()) else {
            continue;
        };
        let message = format!(
            "its link runs at {} GT/s × {}, but supports {} GT/s × {}",
            link.gigatransfers, link.lanes, link.most_gigatransfers, link.most_lanes
        );
        caveats.push(
            Code::LinkDegraded
                .caveat(Level::Note, message)
                .remedy("use another slot, or check the firmware settings of this slot")
                .about(device.name.clone()),
        );
    }
    let ceilings: Option<Vec<f64>> = leaves()
        .map(|device| link(device).map(Link::bytes_per_second))
        .collect();
    let ceiling: f64 = match ceilings {
        Some(all) if !all.is_empty() => all.iter().sum(),
        _ => return,
    };
    for phase in &result.phases {
        for op in [fathom_core::Op::Read, fathom_core::Op::Write] {
            let jobs = phase.jobs.iter().filter_map(|job| job.ops.get(op));
            let rate: f64 = jobs.map(|one| one.bytes_per_second).sum();
            if rate > ceiling * LINK {
                let message = format!(
                    "{} MB/s of {}s through a link with a capacity of {} MB/s. These bytes did not \
                     come from the device",
                    megabytes(rate),
                    op.name(),
                    megabytes(ceiling)
                );
                caveats.push(
                    Code::FasterThanLink
                        .caveat(Level::Invalid, message)
                        .remedy("use direct I/O, and a target larger than all caches")
                        .about(subject::phase(result, phase)),
                );
            }
        }
    }
}

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { LinkDegraded: Before, Number, "qualified",
        "the link is slower or narrower than the disk supports",
        [],
        Example::Target(|| Facts {
            slow_links: vec![("nvme0n1".into(), "8 GT/s × 2".into(), "8 GT/s × 4".into())],
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    for (name, current, capable) in &facts.slow_links {
        let message = format!("the link runs at {current}, but the disk supports {capable}");
        let remedy = "use another slot, or check the cable and firmware";
        let caveat = Code::LinkDegraded
            .caveat(Level::Qualified, message)
            .remedy(remedy);
        found.push(caveat.about(name.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::result::DeviceLimits;
    use fathom_core::{CodeWord, Op, fixture};

    #[test]
    fn a_link_cannot_carry_more_than_it_carries() {
        let mut result = fixture::random_read();
        let limits = DeviceLimits {
            link: Some(Link {
                gigatransfers: 2.5,
                lanes: 1,
                most_gigatransfers: 2.5,
                most_lanes: 4,
            }),
            ..DeviceLimits::default()
        };
        result.provenance.targets[0].devices[0].limits = Some(Box::new(limits));
        let rate = &mut result.phases[0].jobs[0].ops[Op::Read]
            .as_mut()
            .unwrap()
            .bytes_per_second;
        *rate = 255e6;
        let codes = |result: &RunResult| -> Vec<CodeWord> {
            let found = found(&CHECK, result).into_iter();
            found.map(|one| one.code).collect()
        };
        assert_eq!(codes(&result), [Code::LinkDegraded]);
        let rate = &mut result.phases[0].jobs[0].ops[Op::Read]
            .as_mut()
            .unwrap()
            .bytes_per_second;
        *rate = 256e6;
        assert_eq!(codes(&result), [Code::LinkDegraded, Code::FasterThanLink]);
    }
}
