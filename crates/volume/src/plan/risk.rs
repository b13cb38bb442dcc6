//! What can go wrong with a layout, in words.

use super::offer::{Meets, Offer};
use fathom_core::figure;

/// The risks of a layout, the worst first; each a sentence without its stop.
pub fn risks(offer: &Offer) -> Vec<String> {
    let mut risks = Vec::new();
    risks.push(loss(offer));
    if let Meets::Burst(seconds) = offer.meets {
        risks.push(format!(
            "after {} of this load only {} IOPS are left",
            figure::duration((seconds * 1e9) as u64),
            figure::iops(offer.figures.sustained_iops)
        ));
    }
    if offer.meets == Meets::Credit {
        risks.push(format!(
            "lives on credit, which the recording leaves enough of; without it {} IOPS are left",
            figure::iops(offer.figures.sustained_iops)
        ));
    }
    risks
}

/// The loss of a volume: of a stripe, every one of them loses all.
fn loss(offer: &Offer) -> String {
    let kept: f64 = offer
        .orders
        .iter()
        .map(|one| {
            let lost = one.volume.lost_a_year.unwrap_or(f64::NAN);
            (1.0 - lost).powi(i32::try_from(one.count).unwrap_or(i32::MAX))
        })
        .product();
    let share = |part: f64| format!("{} %", figure::significant(part * 100.0));
    let is_stripe = offer.volumes > 1;
    let each = offer
        .orders
        .first()
        .and_then(|one| one.volume.lost_a_year)
        .map(share);
    match (is_stripe, each) {
        (true, Some(each)) => format!(
            "RAID 0 of {} loses all with one: about {} a year ({each} each by the vendor)",
            offer.volumes,
            share(1.0 - kept)
        ),
        (true, None) => format!("RAID 0 of {} loses all with one", offer.volumes),
        (false, Some(each)) => {
            format!("about {each} of such volumes are lost in a year, by the vendor")
        }
        (false, None) => "the vendor states no share of volumes lost in a year".to_owned(),
    }
}
