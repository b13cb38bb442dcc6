//! Orders as they are written, and a layout with orders that the vendor sells.

use super::resolve::resolve;
use super::{Amount, Array, Layout, VolumeText};
use crate::catalog::{BurstChoice, Catalog, Date, VolumeOrder, VolumeType};

impl VolumeText {
    /// An order of a type, written in the vendor's units.
    pub fn of(volume: &VolumeType, order: &VolumeOrder) -> Self {
        let amount = |number: f64, unit: &str| Amount {
            number,
            unit: unit.to_owned(),
        };
        let rate = |bytes: f64| {
            let number = (bytes / volume.unit_bytes * 1e6).round() / 1e6;
            amount(number, volume.unit().trim_end_matches("/s"))
        };
        Self {
            name: volume.name.clone(),
            size: order.size_gib.map(|gib| amount(gib, "GiB")),
            iops: order.iops,
            rate: order.bytes_per_second.map(rate),
            on_demand: order.burst == BurstChoice::OnDemand,
            plus: order.plus,
            credit_percent: (order.credit < 1.0).then_some(order.credit * 100.0),
        }
    }
}

impl Layout {
    /// The same with the nearest orders that are on sale; none where all are, or none is near.
    pub fn on_sale(&self, catalog: &Catalog, at: Date) -> Option<Self> {
        let sold = match self {
            Self::Volume(text) => Self::Volume(on_sale(text, catalog, at)?),
            Self::Array(array) => {
                let members = array.members.iter();
                let members: Option<Vec<Self>> = members
                    .map(|one| {
                        let volumes = one.volumes();
                        let mut refused = volumes.iter().map(|text| is_refused(text, catalog, at));
                        if refused.any(|is_refused| is_refused) {
                            one.on_sale(catalog, at)
                        } else {
                            Some(one.clone())
                        }
                    })
                    .collect();
                Self::Array(Array {
                    members: members?,
                    ..array.clone()
                })
            }
        };
        (sold != *self).then_some(sold)
    }
}

fn is_refused(text: &VolumeText, catalog: &Catalog, at: Date) -> bool {
    let found = resolve(text, catalog, at);
    found.is_ok_and(|(volume, order, _)| !volume.refusals(&order).is_empty())
}

fn on_sale(text: &VolumeText, catalog: &Catalog, at: Date) -> Option<VolumeText> {
    let (volume, order, _) = resolve(text, catalog, at).ok()?;
    Some(VolumeText::of(volume, &volume.nearest_on_sale(&order)?))
}
