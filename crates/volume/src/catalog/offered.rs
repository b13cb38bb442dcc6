//! What a vendor sells of a volume type: the rules of an order, for the search and for what is
//! given.

use super::law::{Follows, Law, Provisioned};
use super::limits::{gib_words, rate_words};
use super::{Cloud, VolumeOrder, VolumeType};
use fathom_core::figure;

/// The least and the most that can be ordered.
type Range = (f64, f64);

/// What a quotient of floating point may be off.
const ROUNDING: f64 = 1e-9;

/// Something in an order that the vendor does not sell, as far as the catalogue knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What was asked for, with its unit and verb: `3,000 IOPS are`.
    pub asked: String,
    /// What is on sale instead: `at least 12,000`.
    pub limit: String,
}

impl VolumeType {
    /// What of an order the vendor does not sell, as far as the catalogue knows.
    pub fn refusals(&self, order: &VolumeOrder) -> Vec<Refusal> {
        let size = self.refused_size(order);
        let of_laws = match &self.law {
            Law::Provisioned(law) => [Self::refused_iops(law, order), self.refused_rate(order)],
            Law::Follows(_) => [None, self.refused_rate(order)],
            _ => [None, None],
        };
        size.into_iter()
            .chain(of_laws.into_iter().flatten())
            .collect()
    }

    /// The smallest order on sale with at least this size in GiB, these requests and these bytes a
    /// second; none where no volume has as much.
    pub fn order_for(&self, gib: f64, iops: f64, bytes: f64) -> Option<VolumeOrder> {
        match &self.law {
            Law::Provisioned(law) => self.provisioned_for(law, gib, iops, bytes),
            Law::Follows(law) => self.following_for(law, gib, iops, bytes),
            _ => Some(VolumeOrder::new(&self.name, Some(self.size_for(gib)?))),
        }
    }

    /// The order on sale that is nearest to one that is not: as large where that is possible.
    pub fn nearest_on_sale(&self, order: &VolumeOrder) -> Option<VolumeOrder> {
        let gib = order.size_gib?.min(self.max_gib);
        let (iops, bytes) = (
            order.iops.unwrap_or(0.0),
            order.bytes_per_second.unwrap_or(0.0),
        );
        let (iops, bytes) = match &self.law {
            Law::Provisioned(law) => (iops.min(law.iops_max), bytes.min(law.bytes_max)),
            Law::Follows(law) => (0.0, bytes.min(law.bytes_max)),
            _ => (iops, bytes),
        };
        Some(VolumeOrder {
            burst: order.burst,
            plus: order.plus,
            credit: order.credit,
            ..self.order_for(gib, iops, bytes)?
        })
    }

    /// The smallest size on sale that is no smaller, in whole GiB; none where none is as large.
    pub fn size_for(&self, gib: f64) -> Option<f64> {
        let number = (gib - ROUNDING).ceil().max(self.min_gib).max(1.0);
        (number <= self.max_gib).then_some(number)
    }

    /// Bytes a second in whole units of the vendor.
    fn whole_rate(&self, bytes: f64) -> f64 {
        (bytes / self.unit_bytes - ROUNDING).ceil() * self.unit_bytes
    }

    fn provisioned_for(
        &self,
        law: &Provisioned,
        gib: f64,
        iops: f64,
        bytes: f64,
    ) -> Option<VolumeOrder> {
        let is_ordered = law.bytes_included.is_some();
        let bytes = if is_ordered {
            self.whole_rate(bytes)
        } else {
            bytes
        };
        let included = law.bytes_included.unwrap_or(0.0);
        // Throughput beyond the included one takes IOPS.
        let for_bytes = match (law.bytes_per_iops, law.knee) {
            (Some(_), Some((knee, above))) if bytes > knee => bytes / above,
            (Some(each), _) if bytes > included => bytes / each,
            _ => 0.0,
        };
        let least = law.iops_included.or(law.iops_min).unwrap_or(0.0);
        let iops = (iops.max(for_bytes).max(least) - ROUNDING).ceil();
        if iops > law.iops_max || bytes > law.bytes_max {
            return None;
        }
        let by_ratio = match (law.iops_per_gib_max, law.iops_included) {
            (_, Some(included)) if iops <= included => 0.0,
            (Some(ratio), _) => iops / ratio,
            (None, _) => 0.0,
        };
        let size = self.size_for(gib.max(by_ratio))?;
        let iops = iops.max(law.iops_range(size).0.ceil());
        let bytes = self.whole_rate(bytes.max(law.bytes_range(iops).0));
        let has_iops = law.iops_included.is_none_or(|included| iops > included);
        let has_bytes = bytes > included || law.iops_included.is_none();
        Some(VolumeOrder {
            iops: has_iops.then_some(iops),
            bytes_per_second: (is_ordered && has_bytes).then_some(bytes),
            ..VolumeOrder::new(&self.name, Some(size))
        })
    }

    fn following_for(&self, law: &Follows, gib: f64, iops: f64, bytes: f64) -> Option<VolumeOrder> {
        let bytes = self.whole_rate((iops / law.iops_per_byte).max(bytes).max(law.bytes_min));
        if bytes > law.bytes_max || iops > law.iops_max {
            return None;
        }
        let by_ratio = law.per_gib.map_or(0.0, |(_, most)| bytes / most);
        let size = self.size_for(gib.max(by_ratio))?;
        let bytes = self.whole_rate(bytes.max(law.bytes_range(size).0));
        Some(VolumeOrder::new(&self.name, Some(size)).bytes_per_second(bytes))
    }

    fn refused_size(&self, order: &VolumeOrder) -> Option<Refusal> {
        let gib = order.size_gib?;
        if matches!(self.law, Law::Tier(_) | Law::Device(_)) {
            return None;
        }
        let is_sold = !matches!(self.cloud, Cloud::Own | Cloud::Local);
        let limit = if gib < self.min_gib || gib > self.max_gib {
            format!(
                "{} to {} GiB",
                gib_words(self.min_gib),
                gib_words(self.max_gib)
            )
        } else if is_sold && (gib - gib.round()).abs() > 1e-6 {
            "whole GiB".to_owned()
        } else {
            return None;
        };
        Some(Refusal {
            asked: format!("{} GiB are", gib_words(gib)),
            limit,
        })
    }

    fn refused_iops(law: &Provisioned, order: &VolumeOrder) -> Option<Refusal> {
        let (iops, gib) = (order.iops?, order.size_gib?);
        let (least, most) = law.iops_range(gib);
        let for_size = |is_of_size: bool| {
            let words = is_of_size.then(|| format!(" for {} GiB", gib_words(gib)));
            words.unwrap_or_default()
        };
        let limit = if iops < least {
            let words = for_size(law.iops_range(0.0).0 < least);
            format!("at least {}{words}", figure::iops(least))
        } else if iops > most {
            let words = for_size(most < law.iops_max);
            format!("at most {}{words}", figure::iops(most))
        } else if iops.fract() != 0.0 {
            "whole numbers".to_owned()
        } else {
            return None;
        };
        Some(Refusal {
            asked: format!("{} IOPS are", figure::iops(iops)),
            limit,
        })
    }

    fn refused_rate(&self, order: &VolumeOrder) -> Option<Refusal> {
        let bytes = order.bytes_per_second?;
        let gib = order.size_gib?;
        let ((least, most), with) = match &self.law {
            Law::Provisioned(law) => {
                let iops = order.iops.or(law.iops_included)?;
                let with = format!(" with {} IOPS", figure::iops(iops));
                law.bytes_included?;
                (law.bytes_range(iops), with)
            }
            Law::Follows(law) => (law.bytes_range(gib), format!(" for {} GiB", gib_words(gib))),
            _ => return None,
        };
        let limit = if bytes < least * (1.0 - ROUNDING) {
            format!("at least {}", rate_words(self, least))
        } else if bytes > most * (1.0 + ROUNDING) {
            format!("at most {}{with}", rate_words(self, most))
        } else if bytes < self.whole_rate(bytes) * (1.0 - ROUNDING) {
            format!("whole {}", self.unit())
        } else {
            return None;
        };
        Some(Refusal {
            asked: format!("{} {} are", rate_words(self, bytes), self.unit()),
            limit,
        })
    }
}

impl Provisioned {
    /// IOPS that can be ordered with a size in GiB.
    fn iops_range(&self, gib: f64) -> Range {
        let included = self.iops_included.unwrap_or(0.0);
        let least = self.iops_min.or(self.iops_included).unwrap_or(0.0);
        let by_size = self.iops_per_gib_min.map_or(0.0, |ratio| ratio * gib);
        let most = self.iops_per_gib_max.map_or(self.iops_max, |ratio| {
            (ratio * gib).max(included).min(self.iops_max)
        });
        (least.max(by_size).min(self.iops_max), most)
    }

    /// Bytes a second that follow from IOPS at most.
    pub(super) fn most_bytes(&self, iops: f64) -> f64 {
        let by_iops = self
            .bytes_per_iops
            .map_or(self.bytes_max, |each| each * iops);
        let most = match self.knee {
            Some((knee, above)) => by_iops.min(knee).max(above * iops),
            None => by_iops,
        };
        most.min(self.bytes_max)
    }

    /// Bytes a second that can be ordered with IOPS.
    fn bytes_range(&self, iops: f64) -> Range {
        let by_iops = self.bytes_per_iops_min.map_or(0.0, |each| each * iops);
        let least = self.bytes_included.unwrap_or(0.0).max(by_iops);
        (least.min(self.bytes_max), self.most_bytes(iops))
    }
}

impl Follows {
    /// Bytes a second that can be ordered with a size in GiB.
    fn bytes_range(&self, gib: f64) -> Range {
        let (least, most) = self.per_gib.unwrap_or((0.0, f64::INFINITY));
        let least = self.bytes_min.max(least * gib).min(self.bytes_max);
        (least, self.bytes_max.min(most * gib))
    }
}
