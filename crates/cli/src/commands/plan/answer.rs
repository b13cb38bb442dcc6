//! The first lines of a plan: what to buy, at what price, and what half of it would do.

use super::{MERGED, Shown, years};
use fathom_core::figure;
use fathom_volume::catalog::{Media, RemarkKind};
use fathom_volume::plan::{Meets, Offer, Reason, Scope};
use std::fmt::Write as _;

/// The answer in words, a sentence in a line.
pub(super) fn sentences(shown: &Shown<'_>) -> Vec<String> {
    let plan = shown.plan;
    let mut lines: Vec<String> = plan.beyond.iter().cloned().collect();
    if let Some(budget) = shown.budget {
        lines.extend(bought(shown, budget));
        lines.extend(
            plan.offers
                .first()
                .into_iter()
                .flat_map(|best| caveats(shown, best)),
        );
        return lines;
    }
    let of = |reason: Reason| {
        let mut picks = plan.picks.iter().filter(move |pick| pick.reason == reason);
        picks.next().and_then(|pick| plan.offers.get(pick.index))
    };
    if let Some(best) = of(Reason::Cheapest) {
        lines.push(format!("buy {}: {}", thing(best), price(shown, best)));
        lines.extend(years::sentences(shown, best));
        if best.meets == Meets::Credit {
            let other = of(Reason::NoCredit).map_or_else(String::new, |steady| {
                format!(
                    "; without credit {}: {}",
                    thing(steady),
                    price(shown, steady)
                )
            });
            lines.push(format!(
                "the recording never uses up its credit, however often it is repeated{other}"
            ));
        }
        if let Some(burst) = of(Reason::Burst)
            && let Meets::Burst(seconds) = burst.meets
        {
            lines.push(format!(
                "{} if {} of this load are enough: {}, {}",
                share(burst.price() / best.price()),
                span(seconds),
                thing(burst),
                price(shown, burst)
            ));
        }
    } else if let Some(burst) = of(Reason::Burst) {
        let seconds = match burst.meets {
            Meets::Burst(seconds) => span(seconds),
            _ => String::new(),
        };
        lines.push(format!(
            "nothing gives this for good; {} gives it for {seconds}: {}",
            thing(burst),
            price(shown, burst)
        ));
    } else if plan.picks.iter().any(|pick| pick.reason == Reason::Nearest) && plan.beyond.is_none()
    {
        lines.push("nothing is known to give this at a known price; the nearest:".to_owned());
    }
    if let Some(merged) = &shown.merged {
        lines.push(format!(
            "with {MERGED} sequential requests outstanding (--sequential-depth {MERGED}), which \
             the vendor merges: {}, {}",
            thing(merged),
            price(shown, merged)
        ));
    }
    lines.extend(of(Reason::Cheapest).and_then(|best| bill(shown, best)));
    lines.extend(plan.unpriced.clone().or_else(|| volatile(shown)));
    let first = of(Reason::Cheapest).or(of(Reason::Burst));
    lines.extend(first.into_iter().flat_map(|best| caveats(shown, best)));
    lines
}

/// Disks of a host that give the load at an unknown price, which ranks them last.
fn volatile(shown: &Shown<'_>) -> Option<String> {
    let mut offers = shown.plan.offers.iter();
    let found = offers.find(|offer| {
        offer.is_volatile() && offer.cost.is_none() && offer.meets == Meets::Sustained
    })?;
    let words = thing(found);
    Some(format!("at an unknown price, this load is met by {words}"))
}

/// Requests below this size take the time of a seek, not of the transfer.
const SMALL_BYTES: f64 = 262_144.0;

/// What may overturn an answer, which nobody should have to look for.
fn caveats(shown: &Shown<'_>, best: &Offer) -> Vec<String> {
    let market = shown.market;
    let is_open = market.instance.is_none()
        && market.scope != Scope::Disks
        && market.wanted.vcpus.or(market.wanted.cores).is_none();
    let machine = best.machine.as_ref().filter(|_| is_open);
    let mut lines: Vec<String> = Vec::new();
    lines.extend(machine.and_then(|machine| {
        let vcpus = figure::plural(machine.vcpus?.into(), "vCPU");
        Some(format!(
            "{} has {vcpus}: the plan did not consider processors and memory. Set them with \
             --vcpus and --memory",
            machine.in_words()
        ))
    }));
    let mut kinds = shown.need.flow.kinds.iter();
    let is_small = kinds.any(|kind| kind.sequential < 1.0 && kind.bytes < SMALL_BYTES);
    let mut orders = best.orders.iter();
    if is_small && orders.any(|one| one.volume.media == Some(Media::Hdd)) {
        lines.push(
            "these are hard disks: a random request takes 5 to 15 ms, so that a database that \
             waits for each request is slow on them"
                .to_owned(),
        );
    }
    let warnings = best
        .remarks
        .iter()
        .filter(|remark| remark.kind == RemarkKind::Warning);
    lines.extend(warnings.map(ToString::to_string));
    lines
}

/// What a sum of money buys.
fn bought(shown: &Shown<'_>, budget: f64) -> Option<String> {
    let best = shown.plan.offers.first()?;
    let most = match (shown.need.iops, &best.meets) {
        (None, _) => format!(
            "{} IOPS ({} MB/s) for good",
            figure::iops(best.lasting_iops()),
            figure::megabytes(best.lasting_iops() * shown.need.flow.mean_bytes())
        ),
        (Some(_), Meets::Burst(seconds)) => format!("this load for {}", span(*seconds)),
        (Some(_), Meets::No(_) | Meets::Unknown(_)) => return None,
        (Some(_), _) => "this load for good".to_owned(),
    };
    let currency = best.cost.as_ref().map_or("", |cost| &cost.currency);
    Some(format!(
        "{} {currency} a month buy {most}: {}, {}",
        figure::decimal(budget, 2),
        thing(best),
        price(shown, best)
    ))
}

/// What the price is: `list price in us-east-1: Windows, on demand, as of 2025-11-03`.
fn bill(shown: &Shown<'_>, best: &Offer) -> Option<String> {
    let cost = best.cost.as_ref()?;
    let mut text = cost.origin_in_words(shown.market.scope, shown.market.terms);
    if let Some(conversion) = &shown.market.terms.conversion {
        let (currency, rate) = (&conversion.currency, conversion.rate);
        let _ = write!(
            text,
            ". Converted at {rate} {currency} for 1 USD, as you said"
        );
    }
    Some(text)
}

/// `gp3:1TiB:8000iops on m7i.2xlarge`.
pub(super) fn thing(offer: &Offer) -> String {
    let machine = offer.machine.as_ref();
    let on = machine.map_or_else(String::new, |machine| format!(" on {}", machine.in_words()));
    let lost = if offer.is_volatile() {
        ", volatile (all data is lost when the machine stops or fails)"
    } else {
        ""
    };
    format!("{}{on}{lost}", offer.layout)
}

/// `412.30 USD a month (disks 120.00, machine 292.30)`.
pub(super) fn price(shown: &Shown<'_>, offer: &Offer) -> String {
    let Some(cost) = &offer.cost else {
        return "at an unknown price".to_owned();
    };
    cost.in_words(shown.market.scope)
}

/// A share of a price in words.
fn share(part: f64) -> String {
    match part {
        part if part < 0.3 => format!("{} of that", figure::percent(part * 100.0)),
        part if (0.45..0.55).contains(&part) => "half of that".to_owned(),
        part => format!("{} less", figure::percent((1.0 - part) * 100.0)),
    }
}

pub(super) fn span(seconds: f64) -> String {
    figure::duration((seconds * 1e9) as u64)
}
