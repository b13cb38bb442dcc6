//! Requests that wait although the disk, or all that lies below a layer, is idle most of the time.

use super::{Said, slow_disk};
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use crate::utilisation::{IDLE, ROOM};
use fathom_core::figure::{outstanding, time};

/// Requests and times that do not go with a disk that has room.
const MANY: f64 = 8.0;
const LONG_NS: f64 = 20e6;

/// Layers of the kernel above disks.
const LAYERS: [&str; 6] = ["bcache", "dm-", "drbd", "md", "zd", "rbd"];

/// A wait in a layer, its factor to that below, and the most requests a second: a burst of so few
/// is over before they have waited that long.
const WAIT_NS: f64 = 100e6;
const TIMES: f64 = 10.0;
const FEW: f64 = 200.0;

/// Devices of one paste that are looked at.
const MOST: usize = 64;

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let one = &all[index];
    one.is_watched().then_some(())?;
    between(all, one).or_else(|| above(one))
}

/// A layer whose requests wait while all disks of the paste are idle and quick.
fn between(all: &[Evidence], upper: &Evidence) -> Option<Said> {
    let name = upper.title.as_str();
    LAYERS.iter().find(|start| name.starts_with(**start))?;
    let mean = upper.mean_latency().filter(|mean| *mean >= WAIT_NS)?;
    upper.iops().filter(|rate| *rate <= FEW)?;
    let disks = all.iter().take(MOST).filter(|one| one.tool == upper.tool);
    let disks = disks.filter(|one| slow_disk::is_physical(one));
    let mut slowest: Option<(&str, f64)> = None;
    let mut busiest = 0.0_f64;
    for disk in disks {
        busiest = busiest.max(disk.busiest()?.1).max(disk.others.most_busy);
        let waits = [disk.mean_latency(), disk.others.longest_wait_ns];
        let wait = waits.into_iter().flatten().reduce(f64::max).unwrap_or(0.0);
        if slowest.is_none_or(|(_, known)| wait > known) {
            slowest = Some((&disk.title, wait));
        }
    }
    let (disk, wait) = slowest.filter(|(_, wait)| wait * TIMES <= mean && busiest < IDLE)?;
    let headline = format!(
        "A request waits {} in {name}, and {disk} needs {} and is {busiest:.0} % busy: the time \
         seems to be lost above the disks.",
        time(mean),
        time(wait)
    );
    Some(
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(
                "If the disks of this paste are those below, they wait for work. The kernel, the \
                 file system, a lock, or a limit between them holds the requests.",
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
