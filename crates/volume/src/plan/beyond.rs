//! A need that nothing gives: what the most is, said before anything else.

use super::Need;
use super::offer::{Meets, Offer};
use super::search::Market;
use crate::catalog::bare;
use fathom_core::figure;

/// `no layout under r5d.xlarge gives more than 18,750 IOPS`; none where something is enough.
///
/// Of layouts that were `given`, nothing can be said of others.
pub(super) fn sentence(
    offers: &[Offer],
    need: &Need,
    market: &Market<'_>,
    given: bool,
) -> Option<String> {
    let asked = need.iops?;
    if offers.is_empty() || offers.iter().any(|offer| offer.rank() < 2) {
        return None;
    }
    let all = || offers.iter().filter(|offer| offer.rank() == 2);
    let is_slow = |offer: &&Offer| offer.latency_ns > need.latency_ns;
    if all().next().is_some() && all().all(|offer| is_slow(&offer)) {
        return slow(offers, need);
    }
    // What is too slow gives nothing, whatever its rate.
    let known = || all().filter(|offer| !is_slow(offer));
    let mut names: Vec<&str> = offers
        .iter()
        .filter(|offer| matches!(offer.meets, Meets::Unknown(_)))
        .filter_map(|offer| Some(offer.orders.first()?.volume.name.as_str()))
        .collect();
    names.sort_unstable();
    names.dedup();
    let unknown = match names.as_slice() {
        [] => String::new(),
        names => format!(
            ". It is not known whether {} would give it",
            names.join(" or ")
        ),
    };
    let most = |pick: fn(&Offer) -> f64| known().map(pick).fold(0.0, f64::max);
    let mut unknowns = offers.iter().filter(|offer| offer.rank() == 3);
    if unknowns.any(|offer| offer.figures.sustained_iops >= asked) || known().next().is_none() {
        let others = most(|offer| offer.figures.burst_iops);
        let others = if others > 0.0 {
            format!("; the others give {} IOPS at most", figure::iops(others))
        } else {
            String::new()
        };
        return Some(format!(
            "no layout is known to give this load{unknown}{others}"
        ));
    }
    let (lasts, bursts) = (
        most(|offer| offer.figures.sustained_iops),
        most(|offer| offer.figures.burst_iops),
    );
    if bursts >= asked {
        // Something else than the rate is missing, which each row says.
        return None;
    }
    let whose = match (given, market.instance) {
        (true, _) if offers.len() == 1 => "this layout does not give".to_owned(),
        (true, _) => "none of these layouts gives".to_owned(),
        (_, Some(instance)) => format!("no layout under {} gives", bare(&instance.name)),
        (_, None) => format!("no layout of up to {} volumes gives", market.max_volumes),
    };
    let mean = need.flow.mean_bytes();
    let burst = if bursts > lasts * 1.001 {
        format!(
            " while credit lasts, and {} without end",
            figure::iops(lasts)
        )
    } else {
        String::new()
    };
    Some(format!(
        "{whose} more than {} IOPS of {} ({} MB/s){burst}; {} are asked \
         for{unknown}",
        figure::iops(bursts),
        figure::size(mean.round() as u64),
        figure::megabytes(bursts * mean),
        figure::iops(asked)
    ))
}

/// That every layout takes longer for a request than is asked for.
fn slow(offers: &[Offer], need: &Need) -> Option<String> {
    let known = offers.iter().filter(|offer| offer.rank() == 2);
    let times = known.filter_map(|offer| offer.latency_ns);
    let fastest = times.fold(f64::INFINITY, f64::min);
    Some(format!(
        "no layout is known to take {} or less for a request: the fastest takes {} where nothing \
         waits. The models assume these times (500 µs for network SSD, 5 ms for hard disks), as no \
         vendor states them; measure with `fathom quick`",
        figure::time(need.latency_ns?),
        figure::time(fastest)
    ))
}
