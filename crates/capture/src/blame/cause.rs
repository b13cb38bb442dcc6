//! Why requests were slow, if something stands out.

use super::census::Counted;
use super::surroundings::{Company, Group};
use fathom_core::result::blame::{Cause, OwnerKind};

/// Share of the slow requests' time, or of what was ahead of them, from which something counts.
const MOST_OF: f64 = 0.5;
/// How much larger than usual a share of the time has to be.
const MORE: f64 = 0.3;
/// How many times as much as usual has to be ahead.
const TIMES: f64 = 2.0;
/// What a request costs a device in addition to its bytes, in bytes: a small request takes most
/// devices about as long as the transfer of this.
const REQUEST_BYTES: f64 = 16_384.0;
/// Requests ahead, or bytes over those of one's own request, that explain a wait.
const ENOUGH: f64 = 4.0;
/// Share of the most tags that were ever in use, from which all are taken to be in use.
const ALL_TAGS: f64 = 0.8;
/// The least share of requests that went through a throttle, and their least number.
const THROTTLED: (f64, u64) = (0.01, 10);

/// What is compared.
#[derive(Debug)]
pub(super) struct Case<'a> {
    pub(super) counted: &'a [Counted],
    pub(super) subject: usize,
    pub(super) slow: &'a Group,
    pub(super) usual: &'a Group,
}

impl Case<'_> {
    /// The cause; the first that holds. A throttle explains no time that is known, so that whoever
    /// else stands out comes first, unless it is the throttle's worker or the process itself.
    pub(super) fn cause(&self) -> Cause {
        let queue = self.queue();
        let is_sure = match &queue {
            Some(Cause::Neighbour { owner, .. }) => owner.kind != OwnerKind::Throttle,
            _ => false,
        };
        let found = self.tags().or_else(|| self.flush());
        let found = found.or_else(|| self.layers());
        let found = found.or_else(|| queue.clone().filter(|_| is_sure));
        let found = found.or_else(|| self.throttle());
        found.or(queue).unwrap_or(Cause::None)
    }

    fn throttle(&self) -> Option<Cause> {
        let own = &self.counted[self.subject];
        let by_throttle = |one: &&Counted| one.owner.kind == OwnerKind::Throttle;
        let throttled = self.counted.iter().find(by_throttle)?;
        let of = own.requests + throttled.requests;
        let (share, number) = THROTTLED;
        let is_some = throttled.requests >= number.max((share * of as f64) as u64);
        // The kernel does not record whose they were: they may be this one's if they look like it.
        let is_its = own.owner.kind == OwnerKind::Process && throttled.likeness(own) >= MOST_OF;
        (is_some && is_its).then_some(Cause::Throttle {
            requests: throttled.requests,
            of,
        })
    }

    fn tags(&self) -> Option<Cause> {
        let share = share(self.slow.parts.submit_ns, self.slow);
        if share < MOST_OF {
            return None;
        }
        let tags = self.slow.tags as f64 / self.slow.requests.max(1) as f64;
        let most_tags = self.slow.most_tags.max(self.usual.most_tags);
        Some(if most_tags > 0 && tags >= ALL_TAGS * most_tags as f64 {
            Cause::Tags { share, tags }
        } else {
            Cause::Admission {
                share,
                tags,
                most_tags,
            }
        })
    }

    fn layers(&self) -> Option<Cause> {
        let share = share(self.slow.parts.layers_ns, self.slow);
        (share >= MOST_OF).then_some(Cause::Layers { share })
    }

    fn flush(&self) -> Option<Cause> {
        let slow = share(self.slow.flush_ns, self.slow);
        let usual = share(self.usual.flush_ns, self.usual);
        if slow < MOST_OF || slow < usual + MORE {
            return None;
        }
        let company = self.slow.company.iter();
        let (position, _) = company.max_by_key(|(_, one)| one.flush_ns)?;
        Some(Cause::Flush {
            share: slow,
            owner: self.counted[*position].owner.clone(),
            is_own: *position == self.subject,
        })
    }

    /// Whose requests were ahead, if there were more than usual; or those of the process itself, if
    /// most of the time was spent in front of the driver.
    fn queue(&self) -> Option<Cause> {
        let company = self.slow.company.iter();
        let heaviest = company.max_by(|one, other| weight(one.1).total_cmp(&weight(other.1)));
        let (&position, most) = heaviest.filter(|(_, one)| one.ahead > 0)?;
        let all: f64 = self.slow.company.values().map(weight).sum();
        let has_most = most.behind as f64 >= MOST_OF * self.slow.requests as f64
            && weight(most) >= MOST_OF * all;
        let each = |company: &Company, group: &Group| {
            let requests = group.requests.max(1) as f64;
            (company.ahead as f64 / requests, weight(company) / requests)
        };
        let usual = self.usual.company.get(&position).copied();
        let (usual_number, usual_weight) = each(&usual.unwrap_or_default(), self.usual);
        let (number, weight) = each(most, self.slow);
        let wait_share = share(self.slow.parts.wait_ns(), self.slow);
        let is_unusual = weight >= TIMES * usual_weight;
        let own = &self.counted[self.subject];
        let own_bytes = own.mean_bytes();
        let ahead = most.ahead as f64 / most.behind.max(1) as f64;
        let bytes = most.ahead_bytes as f64 / most.ahead as f64;
        let is_enough = is_enough(ahead, weight, own_bytes);
        if !has_most || !is_enough {
            return None;
        }
        if position != self.subject {
            return is_unusual.then(|| Cause::Neighbour {
                owner: self.counted[position].owner.clone(),
                op: self.counted[position].op(),
                ahead,
                bytes,
                is_large: bytes >= ENOUGH * own_bytes.max(REQUEST_BYTES),
            });
        }
        let is_more = is_unusual && number >= TIMES * usual_number || wait_share >= MOST_OF;
        is_more.then_some(Cause::Own { ahead, wait_share })
    }
}

/// Whether requests ahead explain a wait.
pub(super) fn is_enough(ahead: f64, weight: f64, own_bytes: f64) -> bool {
    ahead >= ENOUGH || weight >= ENOUGH * (own_bytes + REQUEST_BYTES)
}

pub(super) fn share(time_ns: u64, group: &Group) -> f64 {
    time_ns as f64 / group.parts.total_ns().max(1) as f64
}

/// What requests ahead cost the device, in bytes.
pub(super) fn weight(company: &Company) -> f64 {
    company.ahead_bytes as f64 + company.ahead as f64 * REQUEST_BYTES
}
