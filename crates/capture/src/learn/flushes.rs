//! Whose flushes a kernel worker hands over.
//!
//! Who flushes has written since the last flush, and does not write while it waits for this one.

use std::collections::BTreeMap;

/// Flushes of one device without an owner, and the roles that write to it.
#[derive(Debug, Default)]
pub(super) struct Flushes {
    pub(super) count: u64,
    /// Seconds.
    pub(super) service_sum: f64,
    /// When the latest one completes.
    until_ns: u64,
    roles: BTreeMap<usize, Writes>,
}

/// What a role did between flushes and during them.
#[derive(Clone, Copy, Debug, Default)]
struct Writes {
    since: bool,
    during: bool,
    /// Flushes before which it had written, and during which it wrote.
    fits: u64,
    conflicts: u64,
}

impl Flushes {
    pub(super) fn wrote(&mut self, role: usize, at_ns: u64) {
        let writes = self.roles.entry(role).or_default();
        writes.since = true;
        if at_ns < self.until_ns && !writes.during {
            writes.during = true;
            writes.conflicts += 1;
        }
    }

    pub(super) fn flushed(&mut self, at_ns: u64, service_ns: Option<u64>) {
        self.count += 1;
        let service_ns = service_ns.unwrap_or(0);
        self.service_sum += service_ns as f64 / 1e9;
        self.until_ns = at_ns.saturating_add(service_ns);
        for writes in self.roles.values_mut() {
            writes.fits += u64::from(writes.since);
            writes.since = false;
            writes.during = false;
        }
    }

    /// The role that they fit best; none if nothing was written.
    pub(super) fn owner(&self) -> Option<usize> {
        let fit = |writes: &Writes| writes.fits as i64 - writes.conflicts as i64;
        let best = self.roles.iter().max_by_key(|(_, writes)| fit(writes));
        best.map(|(role, _)| *role)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_for_a_flush_owns_it() {
        let mut flushes = Flushes::default();
        for number in 0..100 {
            let at_ns = number * 1_000_000;
            flushes.wrote(1, at_ns);
            flushes.wrote(0, at_ns + 50_000);
            flushes.flushed(at_ns + 100_000, Some(300_000));
            if number % 8 == 0 {
                flushes.wrote(0, at_ns + 200_000);
            }
        }
        assert_eq!((flushes.count, flushes.owner()), (100, Some(1)));
        assert_eq!(Flushes::default().owner(), None);
    }
}
