//! A volume type over all sizes: what it gives and costs, alone and striped.

use super::choices::{Share, of_size, stripe};
use super::offer::weigh;
use super::search::Market;
use super::{Need, Offer};
use crate::catalog::{Law, VolumeType};
use serde::Serialize;

const GIB: f64 = 1_073_741_824.0;

/// A number of equal volumes of a type, over sizes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sweep {
    /// The type, or the family of a tier.
    pub volume: String,
    /// How many volumes.
    pub count: usize,
    /// By size, without the sizes that cannot be ordered.
    pub points: Vec<SweepPoint>,
}

/// One size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SweepPoint {
    /// Usable GiB of all volumes.
    pub gib: f64,
    /// Requests of the need a second that last.
    pub iops: f64,
    /// The same while all credit lasts.
    pub burst_iops: f64,
    /// List price a month; none where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<f64>,
}

impl Sweep {
    /// `gp2`, `4x gp2`.
    pub fn label(&self) -> String {
        match self.count {
            1 => self.volume.clone(),
            count => format!("{count}x {}", self.volume),
        }
    }

    /// Whether there is a burst anywhere.
    pub fn bursts(&self) -> bool {
        let mut points = self.points.iter();
        points.any(|point| point.burst_iops > point.iops * 1.001)
    }
}

/// `count` volumes of a type over total sizes in GiB. Where IOPS and throughput are ordered apart
/// from the size, as many of them are ordered as the need takes.
pub fn sweep(
    volume: &VolumeType,
    count: usize,
    sizes_gib: &[f64],
    need: &Need,
    market: &Market<'_>,
) -> Sweep {
    let family = match (&volume.law, &volume.family) {
        (Law::Tier(_), Some(family)) => family.clone(),
        _ => volume.name.clone(),
    };
    let point = |gib: &f64| {
        let own = Need {
            capacity_gib: *gib,
            ..need.clone()
        };
        let text = of_size(volume, &family, Share::of(&own, volume, count))?;
        let offer = weigh(&stripe(text, count, need.chunk_bytes), &own, market).ok()?;
        // A size that only a larger volume has is not this one.
        (offer.size_bytes as f64 <= gib * GIB * 1.001).then(|| SweepPoint::of(*gib, &offer))
    };
    Sweep {
        count,
        points: sizes_gib.iter().filter_map(point).collect(),
        volume: family,
    }
}

impl SweepPoint {
    fn of(gib: f64, offer: &Offer) -> Self {
        Self {
            gib,
            iops: offer.figures.sustained_iops,
            burst_iops: offer.figures.burst_iops,
            price: offer.cost.as_ref().map(|cost| cost.total),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use crate::plan::Wish;

    #[test]
    fn gp2_alone_and_striped() {
        let catalog = Catalog::embedded();
        let market = Market {
            catalog: &catalog,
            at: "2018-11-01".parse().unwrap(),
            region: Some("eu-west-1"),
            instance: None,
            cloud: None,
            max_volumes: 4,
            wanted: &crate::plan::ANY_MACHINE,
            scope: crate::plan::Scope::Disks,
            terms: &crate::catalog::LIST_PRICES,
        };
        let need = Wish {
            block_bytes: Some(4_096.0),
            ..Wish::default()
        };
        let need = need.resolve().unwrap();
        let gp2 = catalog.volume("gp2", market.at).unwrap();
        let of = |count, sizes: &[f64]| {
            let found = sweep(gp2, count, sizes, &need, &market);
            assert_eq!(found.label(), if count == 1 { "gp2" } else { "4x gp2" });
            let points = found.points.iter();
            points
                .map(|point| {
                    [
                        point.gib,
                        point.iops,
                        point.burst_iops,
                        point.price.unwrap(),
                    ]
                    .map(f64::round)
                })
                .collect::<Vec<_>>()
        };
        // A single volume ends at 16 TiB, four at four times that.
        let sizes = [200.0, 4_000.0, 40_000.0];
        let one = [
            [200.0, 600.0, 3_000.0, 22.0],
            [4_000.0, 10_000.0, 10_000.0, 440.0],
        ];
        assert_eq!(of(1, &sizes), one);
        let four = [
            [200.0, 600.0, 12_000.0, 22.0],
            [4_000.0, 12_000.0, 12_000.0, 440.0],
            [40_000.0, 40_000.0, 40_000.0, 4_400.0],
        ];
        assert_eq!(of(4, &sizes), four);
    }
}
