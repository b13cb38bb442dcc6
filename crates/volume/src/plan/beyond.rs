//! A need that nothing gives: what the most is, said before anything else.

use super::offer::{Meets, Offer};
use super::search::Market;
use super::{Need, machines};
use fathom_core::figure;

/// `no layout under r5d.xlarge gives more than 18,750 IOPS`; none where something is enough.
pub(super) fn sentence(offers: &[Offer], need: &Need, market: &Market<'_>) -> Option<String> {
    let asked = need.iops?;
    if offers.is_empty()
        || !offers
            .iter()
            .all(|offer| matches!(offer.meets, Meets::No(_)))
    {
        return None;
    }
    let most = |pick: fn(&Offer) -> f64| offers.iter().map(pick).fold(0.0, f64::max);
    let (lasts, bursts) = (
        most(|offer| offer.figures.sustained_iops),
        most(|offer| offer.figures.burst_iops),
    );
    if bursts >= asked {
        // Something else than the rate is missing, which each row says.
        return None;
    }
    let under = match market.instance {
        Some(instance) => format!("under {}", machines::bare(&instance.name)),
        None => format!("of up to {} volumes", market.max_volumes),
    };
    let mean = need.flow.mean_bytes();
    let burst = if bursts > lasts * 1.001 {
        format!(" while credit lasts, and {} for good", figure::iops(lasts))
    } else {
        String::new()
    };
    Some(format!(
        "no layout {under} gives more than {} IOPS of {} ({} MB/s){burst}; {} are asked for",
        figure::iops(bursts),
        figure::size(mean.round() as u64),
        figure::megabytes(bursts * mean),
        figure::iops(asked)
    ))
}
