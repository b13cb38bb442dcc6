//! A recording on the layouts of a plan: which of them would have held it back.

use crate::commands::recorded::Recorded;
use crate::commands::volume_model;
use crate::error::Problem;
use fathom_core::figure;
use fathom_volume::catalog::Remark;
use fathom_volume::layout::Options;
use fathom_volume::models::ServiceLaw;
use fathom_volume::plan::{Market, Offer, Plan};
use fathom_volume::sizing::{Replay, replay};

/// Plays the recording on each layout; nothing where it does not say how long its moments are,
/// which is remarked of it already.
pub(super) fn play(
    recorded: &Recorded,
    plan: &Plan,
    market: &Market<'_>,
) -> Result<Vec<Replay>, Problem> {
    let subject = recorded.whole()?;
    if subject.samples.iter().any(|one| one.length_ns.is_none()) {
        return Ok(Vec::new());
    }
    let options = Options {
        instance: market.instance,
        service: Some(ServiceLaw::Constant(0.0)),
        ..Options::default()
    };
    let mut found = Vec::new();
    for offer in &plan.offers {
        let built = volume_model::layout(&offer.layout)?
            .build(market.catalog, market.at, &options)
            .map_err(|error| volume_model::impossible(&error))?;
        let played = replay(&built.system, &subject.samples, recorded.factor());
        found.extend(played.ok());
    }
    Ok(found)
}

/// The cheapest layout that the recording never finds without credit, however often it comes.
pub(super) fn cheapest(plan: &Plan, played: &[Replay]) -> Option<Remark> {
    let price = |offer: &Offer| offer.cost.as_ref().map(|cost| cost.total);
    let pairs = plan.offers.iter().zip(played);
    let lasting = pairs.filter(|(_, replay)| replay.held_in_repeat.is_none());
    let priced = lasting.filter_map(|(offer, _)| Some((offer, price(offer)?)));
    let (offer, total) = priced.min_by(|(_, one), (_, other)| one.total_cmp(other))?;
    let currency = offer
        .cost
        .as_ref()
        .map_or("", |cost| cost.currency.as_str());
    Some(Remark::note(format!(
        "the cheapest of these layouts that never holds the recording back, however often it is \
         repeated: {} at {} {currency} a month",
        offer.layout,
        figure::decimal(total, 2)
    )))
}

/// What the recording would have met, in words.
pub(super) fn in_words(replay: &Replay) -> String {
    let span = |seconds: f64| figure::duration((seconds * 1e9) as u64);
    let lowest = replay.lowest.iter().min_by(|one, other| {
        let share = |of: &fathom_volume::sizing::Lowest| of.tokens / of.full;
        share(one).total_cmp(&share(other))
    });
    let lowest = lowest.map_or_else(String::new, |lowest| {
        let share = figure::percent(lowest.tokens / lowest.full * 100.0);
        format!(", least credit {share} of {}", lowest.name)
    });
    match (replay.first_held_seconds, replay.held_in_repeat) {
        (Some(first), _) => format!(
            "throttled after {}, for {} of {}",
            span(first),
            span(replay.held_seconds),
            span(replay.seconds)
        ),
        (None, Some(time)) => format!("throttled in repetition {time}{lowest}"),
        (None, None) => format!("never throttled{lowest}"),
    }
}
