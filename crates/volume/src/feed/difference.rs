//! What feeds say compared with the catalogue of today.

use super::fresh::{Fresh, FreshInstance};
use crate::catalog::{Catalog, Cloud, Date, InstanceType};
use fathom_core::SmallSort as _;
use serde::Serialize;

/// Prices that differ by a smaller share are the same: rounding of what is billed by the hour.
const SAME: f64 = 0.001;
/// A price that differs from another by this factor is checked again.
const JUMP: f64 = 3.0;

/// What changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Difference {
    /// Prices of volumes: as known, changed, new.
    pub prices: Count,
    /// Prices of machines.
    pub machine_prices: Count,
    /// Machines with their limits.
    pub instances: Count,
    /// What changed, the largest change first; then what is new.
    pub changes: Vec<Change>,
}

/// How many of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// As the catalogue has them.
    pub same: usize,
    /// Otherwise than there.
    pub changed: usize,
    /// Not in the catalogue.
    pub new: usize,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Whose.
    pub cloud: Cloud,
    /// The region; none for limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The volume type or the machine.
    pub name: String,
    /// What of it: a meter, `hour`, `IOPS`, `MB/s`.
    pub what: String,
    /// In the catalogue; none for what is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<f64>,
    /// In the feed.
    pub now: f64,
    /// Whether it is so large that it may be a mistake.
    pub is_jump: bool,
}

impl Count {
    fn note(&mut self, change: Option<&Change>) {
        match change {
            None => self.same += 1,
            Some(change) if change.before.is_some() => self.changed += 1,
            Some(_) => self.new += 1,
        }
    }
}

impl Change {
    /// By how much, as a share of what was; nothing for what is new.
    pub fn share(&self) -> f64 {
        self.before.map_or(0.0, |before| self.now / before - 1.0)
    }
}

/// Compares, and drops from `fresh` the machines whose limits the catalogue has as they are.
pub fn difference(catalog: &Catalog, at: Date, fresh: &mut Fresh) -> Difference {
    let mut found = Difference::default();
    for one in &fresh.prices {
        let meters = catalog
            .prices()
            .meters(one.cloud, &one.region, &one.name, at);
        let above = one.above.unwrap_or(0.0);
        let known = meters
            .iter()
            .find(|price| price.meter == one.meter && (price.above - above).abs() < 0.5)
            .filter(|price| price.currency == one.currency);
        let place = (one.cloud, Some(&one.region), one.name.as_str());
        let change = change(place, one.meter, known.map(|price| price.price), one.price);
        found.prices.note(change.as_ref());
        found.changes.extend(change);
    }
    let mut regions: Vec<(Cloud, &str)> = Vec::new();
    for one in &fresh.machine_prices {
        if !regions.contains(&(one.cloud, one.region.as_str())) {
            regions.push((one.cloud, &one.region));
        }
    }
    for (cloud, region) in regions {
        let known = catalog.machine_prices().of_region(cloud, region, at);
        let own = fresh.machine_prices.iter();
        for one in own.filter(|one| one.cloud == cloud && one.region == region) {
            let price = known.get(one.name.as_str());
            let price = price.filter(|price| price.currency == one.currency);
            let place = (cloud, Some(&one.region), one.name.as_str());
            let change = change(place, "hour", price.map(|price| price.hour), one.hour);
            found.machine_prices.note(change.as_ref());
            found.changes.extend(change);
        }
    }
    let Difference {
        instances, changes, ..
    } = &mut found;
    fresh.instances.retain(|one| {
        let change = of_instance(catalog, at, one);
        instances.note(change.as_ref());
        let is_new = change.is_some();
        changes.extend(change);
        is_new
    });
    found.changes.small_sort_by(|one, other| {
        let key = |change: &Change| (change.before.is_none(), -change.share().abs());
        let order = key(one).partial_cmp(&key(other));
        order.unwrap_or(std::cmp::Ordering::Equal)
    });
    found
}

fn change(
    (cloud, region, name): (Cloud, Option<&String>, &str),
    what: &str,
    before: Option<f64>,
    now: f64,
) -> Option<Change> {
    let is_same = before.is_some_and(|before| (now / before - 1.0).abs() <= SAME);
    let factor = before.map_or(1.0, |before| (now / before).max(before / now));
    (!is_same).then(|| Change {
        cloud,
        region: region.cloned(),
        name: name.to_owned(),
        what: what.to_owned(),
        before,
        now,
        is_jump: factor > JUMP,
    })
}

/// The first of a machine's limits that the catalogue has otherwise.
fn of_instance(catalog: &Catalog, at: Date, one: &FreshInstance) -> Option<Change> {
    let cloud = one.cloud?;
    let known: Option<&InstanceType> = catalog
        .instance(&one.name, None, at)
        .ok()
        .filter(|known| known.cloud == cloud && known.is_called(&one.name));
    // Where limits differ by how volumes are attached, the feed does not say which it gives.
    if known.is_some_and(|known| known.interface.is_some()) {
        return None;
    }
    let path = known.and_then(|known| known.network);
    let of = |of: fn(&crate::catalog::PathLimit) -> Option<f64>| path.as_ref().and_then(of);
    let limits = [
        ("IOPS", of(|path| path.iops), one.iops.0),
        (
            "MB/s",
            of(|path| path.bytes_per_second).map(|rate| rate / 1e6),
            one.mbps.0,
        ),
        ("IOPS at most", of(|path| path.max_iops), one.iops.1),
        (
            "MB/s at most",
            of(|path| path.max_bytes_per_second).map(|rate| rate / 1e6),
            one.mbps.1,
        ),
    ];
    limits.into_iter().find_map(|(what, before, now)| {
        let before = before.filter(|_| known.is_some());
        change((cloud, None, &one.name), what, before, now?)
    })
}
