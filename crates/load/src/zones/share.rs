//! Which thread writes to which zones, and to how many at once: the device limits the number, and
//! counts those that somebody else has begun.

use super::ZoneShare;
use crate::request::Window;
use fathom_device::zone_report::{Condition, Zone};

/// How many zones may be open at once; none of a number is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ZoneLimits {
    /// Zones that the device lets be open.
    pub device_open: Option<u64>,
    /// Zones that it lets be begun and not full.
    pub device_active: Option<u64>,
    /// What the job asks for, over its threads.
    pub job: Option<u32>,
    /// What it asks for of each thread.
    pub of_thread: Option<u32>,
    /// Whether writes are appended. One zone takes any number of these at a time, so that a thread
    /// has no more than one unless the number is given.
    pub appends: bool,
}

/// Why zones cannot be shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoShare {
    /// No zone that must be written in order lies in the window as a whole.
    NoZones,
    /// Writes of the job's length leave a rest of a zone of this number of bytes.
    Rest {
        /// What can be written of the zone.
        capacity_bytes: u64,
    },
    /// There are fewer zones, or fewer may be open, than there are threads.
    TooMany {
        /// How many threads could have one.
        threads: u64,
    },
    /// Zones outside the window are begun, and the device allows no more.
    Begun {
        /// How many.
        zones: u64,
    },
}

/// The share of each of `threads` threads, for writes of one length.
///
/// # Errors
///
/// [`NoShare`]
pub fn shares(
    zones: &[Zone],
    window: Window,
    request_bytes: u32,
    threads: u32,
    limits: ZoneLimits,
) -> Result<Vec<ZoneShare>, NoShare> {
    let end = window.start.saturating_add(window.len);
    let is_inside = |zone: &&Zone| {
        zone.start >= window.start
            && zone.start + zone.len <= end
            && !matches!(
                zone.condition,
                Condition::Conventional | Condition::Unusable
            )
    };
    let ours: Vec<Zone> = zones.iter().filter(is_inside).copied().collect();
    if ours.is_empty() {
        return Err(NoShare::NoZones);
    }
    let len = u64::from(request_bytes.max(1));
    let odd = |zone: &&Zone| zone.capacity == 0 || !zone.capacity.is_multiple_of(len);
    if let Some(Zone { capacity, .. }) = ours.iter().find(odd) {
        let capacity_bytes = *capacity;
        return Err(NoShare::Rest { capacity_bytes });
    }
    let is_begun = |zone: &&Zone| zone.condition == Condition::Active;
    let begun = zones.iter().filter(is_begun).count() as u64;
    let elsewhere = begun - ours.iter().filter(is_begun).count() as u64;
    let left = |most: u64| most.saturating_sub(elsewhere);
    let active = limits.device_active.map(left);
    if active == Some(0) {
        return Err(NoShare::Begun { zones: elsewhere });
    }
    let job = limits.job.map(u64::from);
    let most = [limits.device_open, active, job].into_iter().flatten();
    let open = most.fold(ours.len() as u64, u64::min);
    let of_each = open / u64::from(threads.max(1));
    if of_each == 0 {
        return Err(NoShare::TooMany { threads: open });
    }
    let of_each = match (limits.appends, limits.job.or(limits.of_thread)) {
        (true, None) => 1,
        _ => of_each,
    };
    let of_each = limits.of_thread.map_or(of_each, |most| {
        // What is not used of one thread's is of no use to another.
        of_each.min(u64::from(most))
    });
    let dealt = dealt(&ours, threads.max(1) as usize);
    let share =
        |zones: Vec<Zone>| ZoneShare::new(&zones, of_each as usize, request_bytes, limits.appends);
    Ok(dealt.into_iter().map(share).collect())
}

/// Zones that are begun go round the threads, so that none has more of them than it may have open
/// as long as another has fewer; the others are dealt in pieces.
fn dealt(zones: &[Zone], threads: usize) -> Vec<Vec<Zone>> {
    let (begun, rest): (Vec<Zone>, Vec<Zone>) = zones
        .iter()
        .partition(|zone| zone.condition == Condition::Active);
    let mut shares = vec![Vec::new(); threads];
    for (number, zone) in begun.into_iter().enumerate() {
        shares[number % threads].push(zone);
    }
    let all = zones.len();
    let mut rest = rest.into_iter();
    for (number, share) in shares.iter_mut().enumerate() {
        let wanted = all / threads + usize::from(number < all % threads);
        let more = wanted.saturating_sub(share.len());
        share.extend(rest.by_ref().take(more));
        share.sort_by_key(|zone| zone.start);
    }
    shares
}
