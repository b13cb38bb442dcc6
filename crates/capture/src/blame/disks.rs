//! Which of several devices slow requests waited for.

use super::parts::is_not_last;
use crate::request::Request;
use fathom_core::result::blame::{DiskShare, Parts};
use std::collections::{BTreeMap, BTreeSet};

/// Share of the slow requests, or of their time, from which they waited for a device.
const MOST_OF: f64 = 0.5;
/// How many times as often as those of other devices its requests have to be slow.
const TIMES: f64 = 3.0;
/// Share of the slow requests from which a device is the last one of a mirror.
const NEARLY_ALL: f64 = 0.8;
/// Share of the requests from which several devices have a part of each.
const FEW: f64 = 0.1;
/// Standard deviations by which its number of slow requests has to exceed what chance gives.
const SIGNIFICANT: f64 = 3.5;

/// What a device has of the requests of somebody.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    requests: u64,
    slow: u64,
    slow_ns: u64,
    alone_ns: u64,
    /// Requests that other devices had a part of.
    shared: u64,
}

/// All devices and volumes that somebody's requests went to.
#[derive(Debug, Default)]
pub(super) struct Disks {
    shares: BTreeMap<u16, Share>,
    volumes: BTreeSet<u16>,
    slow_ns: u64,
}

impl Disks {
    /// Adds a request with its parts, if it has some of its own.
    pub(super) fn add(&mut self, request: &Request, parts: Option<Parts>, is_slow: bool) {
        if parts.is_none() && !is_not_last(request) {
            return;
        }
        let share = self.shares.entry(request.device).or_default();
        let Some(parts) = parts else {
            return;
        };
        self.volumes
            .extend(request.early.above.map(|above| above.volume));
        let last = request.early.above.and_then(|above| above.last);
        share.requests += 1;
        share.shared += u64::from(last.is_some_and(|last| last.alone_ns > 0));
        if is_slow {
            let on_it = parts.total_ns() - parts.layers_ns;
            share.slow += 1;
            share.slow_ns = share.slow_ns.saturating_add(on_it);
            let alone_ns = last.map_or(0, |last| last.alone_ns.min(parts.total_ns()));
            share.alone_ns = share.alone_ns.saturating_add(alone_ns);
            self.slow_ns = self.slow_ns.saturating_add(parts.total_ns());
        }
    }

    /// Number of devices.
    pub(super) fn len(&self) -> usize {
        self.shares.len()
    }

    /// The names of the volumes.
    pub(super) fn volumes(&self, names: &[String]) -> Vec<String> {
        self.volumes.iter().map(|one| name(*one, names)).collect()
    }

    /// The share of each device, if there are several.
    pub(super) fn shares(&self, names: &[String]) -> Vec<DiskShare> {
        if self.shares.len() < 2 {
            return Vec::new();
        }
        let sum = |of: fn(&Share) -> u64| self.shares.values().map(of).sum::<u64>();
        let (all, slow) = (sum(|one| one.requests), sum(|one| one.slow));
        // Where several devices have a part of each request, chance decides which is the last one.
        let is_shared = sum(|one| one.shared) as f64 > FEW * all as f64;
        let part = |number: u64, of: u64| number as f64 / of.max(1) as f64;
        let shares = self.shares.iter().map(|(position, share)| {
            let mut found = DiskShare {
                name: name(*position, names),
                of_all: part(share.requests, all),
                of_slow: part(share.slow, slow),
                time_of_slow: part(share.slow_ns, self.slow_ns),
                alone: part(share.alone_ns, self.slow_ns),
                is_slow: false,
            };
            found.is_slow = if is_shared {
                self.is_last(&found, slow)
            } else {
                is_more(&found, slow)
            };
            found
        });
        shares.collect()
    }

    /// Whether a device is the last one of nearly all slow requests, by far.
    fn is_last(&self, share: &DiskShare, slow: u64) -> bool {
        let chance = 1.0 / self.shares.len() as f64;
        share.alone >= MOST_OF && share.of_slow >= NEARLY_ALL && exceeds(share, slow, chance)
    }
}

/// Whether the requests of a device are slow more often than those of the others.
fn is_more(share: &DiskShare, slow: u64) -> bool {
    let others = (1.0 - share.of_slow) / (1.0 - share.of_all).max(f64::MIN_POSITIVE);
    let is_often = share.of_slow >= TIMES * share.of_all * others;
    share.of_slow >= MOST_OF && is_often && exceeds(share, slow, share.of_all)
}

/// Whether its number of slow requests exceeds an expected share of them by more than chance.
fn exceeds(share: &DiskShare, slow: u64, expected: f64) -> bool {
    let deviation = (expected * (1.0 - expected) * slow as f64).sqrt();
    (share.of_slow - expected) * slow as f64 > SIGNIFICANT * deviation
}

fn name(position: u16, names: &[String]) -> String {
    let known = names.get(usize::from(position)).cloned();
    known.unwrap_or_else(|| format!("device {position}"))
}
