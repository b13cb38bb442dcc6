//! Requests that wait although the disk, or the one below a layer, is idle most of the time.

use super::{Said, slow_disk};
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use crate::utilisation::{IDLE, ROOM};
use fathom_core::figure::{outstanding, time};

/// Requests and times that do not go with a disk that has room.
const MANY: f64 = 8.0;
const LONG_NS: f64 = 20e6;

/// Layers of the kernel above disks of this machine.
const LAYERS: [&str; 4] = ["bcache", "dm-", "md", "zd"];

/// A wait in a layer, its factor to that below, and the most requests a second: a burst of so few
/// is over before they have waited that long.
const WAIT_NS: f64 = 100e6;
const TIMES: f64 = 10.0;
const FEW: f64 = 200.0;

/// Factor between the rates of a layer and of the only disk that has the same load.
const ALIKE: f64 = 1.1;

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let one = &all[index];
    one.is_watched().then_some(())?;
    between(all, index).or_else(|| above(one))
}

/// A layer whose requests wait while the only other device with requests, a disk of the same rate,
/// is idle and quick.
fn between(all: &[Evidence], index: usize) -> Option<Said> {
    let upper = &all[index];
    let name = upper.title.as_str();
    LAYERS.iter().find(|start| name.starts_with(**start))?;
    let mean = upper.mean_latency().filter(|mean| *mean >= WAIT_NS)?;
    upper.iops().filter(|rate| *rate <= FEW)?;
    let mut others = slow_disk::near(all, index).filter(|one| one.iops().is_some());
    let disk = others.next().filter(|one| slow_disk::is_physical(one))?;
    let (above, below) = (upper.rate()?, disk.rate()?);
    if others.next().is_some() || above.max(below) > above.min(below) * ALIKE {
        return None;
    }
    let busiest = disk.busiest()?.1.max(disk.others.most_busy);
    let waits = [disk.mean_latency(), disk.others.longest_wait_ns];
    let wait = waits.into_iter().flatten().reduce(f64::max)?;
    (wait * TIMES <= mean && busiest < IDLE).then_some(())?;
    let headline = format!(
        "A request waits {} in {name}, and {} needs {} and is {busiest:.0} % busy: the time seems \
         to be lost above the disk.",
        time(mean),
        disk.title,
        time(wait)
    );
    Some(
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(
                "Both have the same rate, so one seems to lie on the other, which waits for work. \
                 The kernel, the file system, a lock, or a limit between them holds the requests.",
            )
            .remedy(
                "Look for a thread of the kernel with a full processor (top, perf top) and for \
                 processes in state D and their stacks (/proc/PID/stack).",
            )
            .by(&["rate"]),
    )
}

fn above(evidence: &Evidence) -> Option<Said> {
    let (name, util) = evidence.busiest().filter(|(_, util)| *util < ROOM)?;
    let mean = evidence.mean_latency().filter(|mean| *mean >= LONG_NS)?;
    let held = evidence.in_flight().filter(|held| *held >= MANY)?;
    let headline = format!(
        "{name} had a request {util:.0} % of the time, and still {} of them waited {} each.",
        outstanding(held),
        time(mean)
    );
    Some(
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(
                "Either the load comes in bursts, which a mean over a long interval hides, or \
                 requests wait above the disk: in a scheduler, behind a limit, or in a hypervisor.",
            )
            .remedy(
                "Watch at 1 s (iostat -x 1) to see bursts, and compare with the scheduler (none) \
                 and without limits. The mean rate of the disk is not the bottleneck.",
            )
            .by(&["rate"]),
    )
}
