//! The second reading: the parts of the time by percentile, and what surrounded slow requests.

use super::cause::{Case, is_enough, share, weight};
use super::census::{Counted, subject};
use super::disks::Disks;
use super::names::Names;
use super::owners::Owners;
use super::parts::{held_ns, parts_of};
use super::surroundings::{Group, Seen, Surroundings};
use crate::request::{Request, Task};
use fathom_core::Op;
use fathom_core::histogram::lower_edge_ns;
use fathom_core::result::blame::{Blame, Part, Parts, Presence};
use fathom_core::summary::{LatencySummary, supports};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Requests whose surroundings are looked at, of each group, at most.
const MOST_LOOKED_AT: u64 = 20_000;
/// The slowest requests that are shown as one.
const SLOWEST: usize = 100;
/// Percentiles, and the ranks on both sides that stand for each.
const BANDS: [(&str, f64, f64, f64); 3] = [
    ("p50", 0.5, 0.45, 0.55),
    ("p99", 0.99, 0.985, 0.995),
    ("p99.9", 0.999, 0.9985, 0.9995),
];
/// The percentile from whose band on requests are slow, and one for fewer requests.
const SLOW: [(&str, f64, f64); 2] = [("99", 0.99, 0.985), ("90", 0.9, 0.85)];
/// Share of the slow requests' time, over that of usual ones, from which somebody is mentioned.
const UNUSUAL: f64 = 0.2;
/// Requests ahead, on average, from which somebody is mentioned: a device that stalls keeps a
/// single one of anybody.
const SEVERAL: f64 = 2.0;
/// Groups of requests whose surroundings are compared.
const GROUPS: usize = 2;
const USUAL_GROUP: usize = 0;
const SLOW_GROUP: usize = 1;

/// The time of a request; of it submit, held and device.
type Ranked = (u64, (u64, u64, u64));

/// Looks at the requests of one owner.
#[derive(Debug)]
pub struct Blaming {
    counted: Vec<Counted>,
    names: Names,
    subject: usize,
    owners: Owners,
    /// Least and largest time, with what is summed up between them.
    bands: Vec<(u64, u64, Part)>,
    usual: (u64, u64),
    slow_ns: u64,
    slow_from: &'static str,
    slowest: BinaryHeap<Reverse<Ranked>>,
    /// Of each group, one request in this number is looked at.
    every: [u64; GROUPS],
    met: [u64; GROUPS],
    disks: Disks,
    surroundings: Surroundings<GROUPS>,
}

impl Blaming {
    /// For the requests of a process by its name or number; without a name, of the one with the
    /// most requests. None where there are too few of them.
    pub fn new(counted: Vec<Counted>, name: Option<&str>, names: Names) -> Option<Self> {
        let subject = subject(&counted, name)?;
        let times = &counted[subject].times;
        let slow = SLOW
            .into_iter()
            .find(|(_, quantile, _)| supports(times.len(), *quantile));
        let (slow_from, _, from) = slow?;
        // Buckets count as a whole.
        let least = |rank: f64| lower_edge_ns(times.quantile_ns(rank));
        let bands = BANDS
            .into_iter()
            .filter(|(_, quantile, ..)| supports(times.len(), *quantile));
        let bands = bands.map(|(of, _, from, to)| {
            let part = Part {
                of: of.to_owned(),
                requests: 0,
                parts: Parts::default(),
            };
            (least(from), times.quantile_ns(to), part)
        });
        let (_, _, usual_from, usual_to) = BANDS[0];
        let usual = (least(usual_from), times.quantile_ns(usual_to));
        // Where most times are equal, none of these is slow.
        let slow_ns = least(from).max(usual.1.saturating_add(1));
        let up_to = |time_ns: u64| times.count_up_to(time_ns);
        let numbers = [
            up_to(usual.1) - up_to(usual.0.saturating_sub(1)).min(up_to(usual.1)),
            times.len() - up_to(slow_ns.saturating_sub(1)),
        ];
        Some(Self {
            bands: bands.collect(),
            usual,
            slow_ns,
            slow_from,
            slowest: BinaryHeap::new(),
            every: numbers.map(|number| number.div_ceil(MOST_LOOKED_AT).max(1)),
            met: [0; GROUPS],
            disks: Disks::default(),
            surroundings: Surroundings::new(),
            owners: Owners::looked_for(name),
            subject,
            counted,
            names,
        })
    }

    /// Adds requests in the order of their issue, whose tasks are these.
    pub fn add(&mut self, requests: &[Request], tasks: &[Task]) {
        self.owners.enter(tasks);
        for request in requests {
            let Some(op) = request.flags.op() else {
                continue;
            };
            let owner = self.owners.of_task(request.task);
            let is_own = owner == self.subject && !self.names.left_out.has(request);
            let parts = parts_of(request).filter(|_| is_own);
            if is_own {
                let is_slow = parts.is_some_and(|parts| parts.total_ns() >= self.slow_ns);
                self.disks.add(request, parts, is_slow);
            }
            let group = parts.and_then(|parts| Some((self.count(parts)?, parts)));
            let above = request.early.above.and_then(|above| above.last);
            let queued = request.early.queued_ns.unwrap_or(0);
            let tagged = held_ns(request).unwrap_or(queued).min(queued);
            let queued = queued.max(above.map_or(0, |above| above.queued_ns));
            let seen = Seen {
                device: request.device,
                owner,
                bytes: request.bytes,
                is_flush: op == Op::Flush,
                queued_ns: request.at_ns.saturating_sub(queued),
                tagged_ns: request.at_ns.saturating_sub(tagged),
                issued_ns: request.at_ns,
                done_ns: request
                    .at_ns
                    .saturating_add(request.service_ns.unwrap_or(0)),
            };
            self.surroundings.add(seen, group);
        }
    }

    /// Adds a request of the owner up; its group if its surroundings are looked at.
    fn count(&mut self, parts: Parts) -> Option<usize> {
        let total_ns = parts.total_ns();
        for (from, to, part) in &mut self.bands {
            if (*from..=*to).contains(&total_ns) {
                part.requests += 1;
                part.parts += parts;
            }
        }
        let rest = (parts.submit_ns, parts.held_ns, parts.device_ns);
        self.slowest.push(Reverse((total_ns, rest)));
        if self.slowest.len() > SLOWEST {
            self.slowest.pop();
        }
        let group = if total_ns >= self.slow_ns {
            SLOW_GROUP
        } else if (self.usual.0..=self.usual.1).contains(&total_ns) {
            USUAL_GROUP
        } else {
            return None;
        };
        let met = self.met[group];
        self.met[group] += 1;
        met.is_multiple_of(self.every[group]).then_some(group)
    }

    /// Ends the pass.
    pub fn finish(self) -> Blame {
        let names = &self.names;
        let [usual, slow] = self.surroundings.finish();
        let counted = &self.counted;
        let own = &counted[self.subject];
        let cause = Case {
            counted,
            subject: self.subject,
            slow: &slow,
            usual: &usual,
        }
        .cause();
        let mut parts: Vec<Part> = self.bands.into_iter().map(|(.., part)| part).collect();
        if own.requests > SLOWEST as u64 {
            parts.push(slowest(self.slowest));
        }
        let mut company: Vec<Presence> = slow
            .company
            .keys()
            .map(|position| presence(counted, self.subject, *position, &slow, &usual))
            .collect();
        company.sort_by(|one, other| other.ahead_of_slow.total_cmp(&one.ahead_of_slow));
        Blame {
            owner: own.owner.clone(),
            time_ns: LatencySummary::of(&own.times),
            without_times: own.without_times,
            devices: self.disks.len(),
            disks: self.disks.shares(&names.devices),
            volumes: self.disks.volumes(&names.volumes),
            not_followed: names.left_out.requests,
            left_out: names.left_out.reasons.clone(),
            slow_from: self.slow_from.to_owned(),
            parts,
            company,
            flush_of_slow: share(slow.flush_ns, &slow),
            flush_of_usual: share(usual.flush_ns, &usual),
            cause,
        }
    }
}

fn slowest(slowest: BinaryHeap<Reverse<Ranked>>) -> Part {
    let mut part = Part {
        of: format!("slowest {SLOWEST}"),
        requests: slowest.len() as u64,
        parts: Parts::default(),
    };
    for Reverse((total_ns, (submit_ns, held_ns, device_ns))) in slowest {
        part.parts += Parts {
            submit_ns,
            held_ns,
            device_ns,
            layers_ns: total_ns
                .saturating_sub(submit_ns + held_ns)
                .saturating_sub(device_ns),
        };
    }
    part
}

fn presence(
    counted: &[Counted],
    subject: usize,
    position: usize,
    slow: &Group,
    usual: &Group,
) -> Presence {
    let of = |group: &Group| group.company.get(&position).copied().unwrap_or_default();
    let each = |number: u64, group: &Group| number as f64 / group.requests.max(1) as f64;
    let (in_slow, in_usual) = (of(slow), of(usual));
    let own_bytes = counted[subject].mean_bytes();
    let slow_weight = weight(&in_slow) / slow.requests.max(1) as f64;
    let ahead = each(in_slow.ahead, slow);
    let more = share(in_slow.covered_ns, slow) - share(in_usual.covered_ns, usual);
    Presence {
        owner: counted[position].owner.clone(),
        is_own: position == subject,
        ahead_of_slow: each(in_slow.ahead, slow),
        ahead_of_usual: each(in_usual.ahead, usual),
        mean_bytes: in_slow.ahead_bytes as f64 / in_slow.ahead.max(1) as f64,
        share_of_slow: share(in_slow.covered_ns, slow),
        share_of_usual: share(in_usual.covered_ns, usual),
        is_unusual: position != subject
            && more >= UNUSUAL
            && ahead >= SEVERAL
            && is_enough(ahead, slow_weight, own_bytes),
    }
}
