//! Roles as a workload.

use super::role::{Loop, Role};
use fathom_core::spec::{
    Access, Arrivals, Durability, Job, Pacing, Phase, RateCurve, SyncEvery, Workload,
};
use fathom_core::{Bytes, Nanos, Rate};

/// Roles that have at least this share of both spaces in common use one.
const COMMON_SHARE: f64 = 0.5;
/// Outstanding requests that do not hold an open load back: those of its rate in this time.
const BACKLOG_SECONDS: f64 = 0.02;
/// And limits of them.
const DEPTHS: (f64, f64) = (16.0, 1024.0);

/// The workload that does what the roles do, for a time.
///
/// Their spaces lie one after another in one target, without the gaps between them, and roles that
/// have a space in common share it.
pub fn workload(roles: &[Role], name: &str, duration: Nanos) -> Workload {
    let mut spaces: Vec<(usize, u64)> = Vec::new();
    let mut end = 0;
    for (number, role) in roles.iter().enumerate() {
        let shared = spaces
            .iter()
            .find(|(other, _)| shares(role, &roles[*other]));
        let start = match shared {
            Some((_, start)) => *start,
            None => end,
        };
        spaces.push((number, start));
        end = end.max(start + space(role));
    }
    let job = |(role, (_, start)): (&Role, &(usize, u64))| job(role, *start, end);
    Workload {
        name: name.to_owned(),
        phases: vec![Phase {
            duration: Some(duration),
            jobs: roles.iter().zip(&spaces).map(job).collect(),
            ..Phase::plain()
        }],
        ..Workload::plain()
    }
}

/// Bytes of the target that a role needs.
fn space(role: &Role) -> u64 {
    let largest = role.kinds.iter().map(|kind| kind.block_size.0).max();
    let largest = largest.unwrap_or(0).next_multiple_of(1 << 20);
    role.footprint_bytes.max(largest)
}

fn shares(role: &Role, other: &Role) -> bool {
    let common = role.extents.common(&other.extents) as f64;
    let most = role.footprint_bytes.max(other.footprint_bytes);
    role.device == other.device && common >= COMMON_SHARE * most as f64
}

fn job(role: &Role, start: u64, end: u64) -> Job {
    let (threads, queue_depth, pacing) = match role.pace {
        Loop::Open { arrivals } => {
            let level = match arrivals {
                Arrivals::Bursts(bursts) => bursts.levels().0,
                Arrivals::Constant | Arrivals::Poisson => 1.0,
            };
            let factors = role.rate_curve.as_ref().map(RateCurve::factors);
            let most = factors.iter().flatten().copied().fold(1.0, f64::max);
            let outstanding =
                (role.iops * level * most * BACKLOG_SECONDS).clamp(DEPTHS.0, DEPTHS.1);
            let rate = Rate::Iops((role.iops * 1000.0).round().max(1.0) / 1000.0);
            let pacing = Pacing::Open { rate, arrivals };
            (1, (outstanding as u32).next_power_of_two(), pacing)
        }
        Loop::Closed {
            threads,
            depth,
            burst,
            think_ns,
        } => {
            let think = Nanos(think_ns);
            (threads, depth, Pacing::Closed { think, burst })
        }
    };
    let sync = role.writes_per_flush.map(|writes| SyncEvery {
        writes,
        data_only: true,
    });
    let is_thinking = pacing.thinks();
    Job {
        name: role.name.clone(),
        threads,
        queue_depth,
        size: Some(Bytes(end)),
        offset: Bytes(start),
        window: Some(Bytes(space(role))),
        access: Access {
            distribution: role.distribution.clone(),
            ..Access::PLAIN
        },
        rate_curve: role
            .rate_curve
            .clone()
            .filter(|_| is_thinking || pacing.is_open()),
        pauses: if is_thinking {
            role.pauses.clone()
        } else {
            Vec::new()
        },
        pacing,
        durability: Durability {
            write_through: role.is_write_through,
            sync: sync.filter(|_| !role.is_write_through),
            ..Durability::PLAIN
        },
        sync_pattern: if role.is_write_through {
            Vec::new()
        } else {
            role.flush_pattern.clone()
        },
        kinds: role.kinds.clone(),
        ..Job::plain()
    }
}
