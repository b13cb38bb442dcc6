//! The first lines of a plan: what to buy, at what price, and what half of it would do.

use super::{MERGED, Shown, years};
use fathom_core::figure;
use fathom_volume::catalog::{Media, RemarkKind};
use fathom_volume::plan::{
    Machine, Meets, Offer, Reason, Scope, nearest_on_sale, with_larger_chunks,
};
use std::fmt::Write as _;

/// The answer in words, a sentence in a line.
pub(super) fn sentences(shown: &Shown<'_>) -> Vec<String> {
    let plan = shown.plan;
    if plan.picks.is_empty() && shown.budget.is_none() {
        return given(shown).into_iter().chain(gaps(shown)).collect();
    }
    let mut lines: Vec<String> = plan.beyond.iter().cloned().chain(gaps(shown)).collect();
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
    let best = of(Reason::Safer).or(of(Reason::Cheapest));
    if let Some(best) = best {
        lines.push(format!("buy {}: {}", thing(best), price(shown, best)));
        lines.extend(of(Reason::Safer).and_then(|best| {
            let cheapest = of(Reason::Cheapest)?;
            Some(riskier(shown, cheapest, best))
        }));
        lines.extend(years::sentences(shown, best));
        if best.meets == Meets::Credit {
            lines.push(on_credit(shown, of(Reason::NoCredit)));
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
            "nothing gives this without end; {} gives it for {seconds}: {}",
            thing(burst),
            price(shown, burst)
        ));
    } else if plan.picks.iter().any(|pick| pick.reason == Reason::Nearest) && plan.beyond.is_none()
    {
        lines.push(unpriced(shown));
    }
    if let Some(merged) = &shown.merged {
        lines.push(format!(
            "with {MERGED} sequential requests outstanding (--sequential-depth {MERGED}), which \
             the vendor merges: {}, {}",
            thing(merged),
            price(shown, merged)
        ));
    }
    lines.extend(best.and_then(|best| bill(shown, best)));
    lines.extend(plan.unpriced.clone().or_else(|| volatile(shown)));
    let first = best.or(of(Reason::Burst));
    lines.extend(first.into_iter().flat_map(|best| caveats(shown, best)));
    lines
}

/// A layout that costs a little less, at a risk.
fn riskier(shown: &Shown<'_>, cheapest: &Offer, best: &Offer) -> String {
    let less = figure::percent((1.0 - cheapest.price() / best.price()) * 100.0);
    let risk = if cheapest.is_volatile() {
        String::new()
    } else {
        let count = cheapest.volumes;
        format!(", and all data is lost if one of its {count} volumes fails")
    };
    format!(
        "{less} less at a higher risk: {}, {}{risk}",
        thing(cheapest),
        price(shown, cheapest)
    )
}

/// A recording that lives on credit, and what gives it without.
fn on_credit(shown: &Shown<'_>, steady: Option<&Offer>) -> String {
    let other = steady.map_or_else(String::new, |steady| {
        let (thing, price) = (thing(steady), price(shown, steady));
        format!("; without credit {thing}: {price}")
    });
    format!("the recording never uses up its credit, however often it is repeated{other}")
}

/// What the catalogue does not have of the cloud of the first layout.
fn gaps(shown: &Shown<'_>) -> Option<String> {
    let first = shown.plan.offers.first()?;
    first.cloud.gaps().map(str::to_owned)
}

/// Given layouts that get a sentence each; of more the table has to do.
const SENTENCES: usize = 4;

/// What becomes of the load on each layout that was given.
fn given(shown: &Shown<'_>) -> Vec<String> {
    let offers = || shown.plan.offers.iter().take(SENTENCES);
    let sentences = |offer| {
        let own = on_layout(shown, offer).into_iter();
        own.chain(on_sale(shown, offer))
            .chain(larger_chunks(shown, offer))
    };
    let bill = offers().find_map(|offer| bill(shown, offer));
    let bill = bill.filter(|_| shown.need.iops.is_some());
    let older = shown.plan.older.clone();
    offers()
        .flat_map(sentences)
        .chain(bill)
        .chain(older)
        .collect()
}

/// The nearest order that the vendor sells, where a given one is not on sale.
fn on_sale(shown: &Shown<'_>, offer: &Offer) -> Option<String> {
    let nearest = nearest_on_sale(offer, shown.need, shown.market)?;
    let words = on_layout(shown, &nearest);
    let words = words.unwrap_or_else(|| nearest.layout.clone());
    Some(format!("the nearest order on sale: {words}"))
}

/// What larger chunks would give, where the chunk of a given stripe costs a part of the rate.
fn larger_chunks(shown: &Shown<'_>, offer: &Offer) -> Option<String> {
    let (chunk, other) = with_larger_chunks(offer, shown.need, shown.market)?;
    let [own, iops] = [offer, &other].map(|one| figure::iops(one.lasting_iops()));
    Some(format!(
        "with chunks of {chunk} it gives {iops} IOPS without end, not {own}: its volumes count \
         each chunk of a request as {chunk}"
    ))
}

fn on_layout(shown: &Shown<'_>, offer: &Offer) -> Option<String> {
    let layout = &offer.layout;
    let price = match &offer.cost {
        Some(cost) => format!("; {}", cost.in_words(shown.market.scope)),
        None => String::new(),
    };
    let iops = |rate: f64| format!("{} IOPS", figure::iops(rate));
    Some(match &offer.meets {
        Meets::NotAsked => return None,
        Meets::Sustained => format!("{layout} gives this without end{price}"),
        Meets::Credit => format!("{layout} gives this recording on its credit{price}"),
        Meets::Burst(seconds) => format!(
            "{layout} gives this for {}, then {}{price}",
            span(*seconds),
            iops(offer.lasting_iops())
        ),
        Meets::NotSold(why) => format!("{layout} cannot be ordered: {why}"),
        Meets::No(why) => format!(
            "{layout} does not give this ({why}): it gives {} without end{price}",
            iops(offer.lasting_iops())
        ),
        Meets::Unknown(_) => format!("it is not known whether {layout} gives this{price}"),
    })
}

/// What gives the load, where a part of the bill has no price.
fn unpriced(shown: &Shown<'_>) -> String {
    let best = shown.plan.offers.first();
    let Some((best, part)) = best
        .filter(|offer| offer.meets == Meets::Sustained)
        .and_then(|offer| Some((offer, offer.known_part?)))
    else {
        return "no layout with a known price gives this load; the nearest:".to_owned();
    };
    let why = best.no_price.as_deref().unwrap_or_default();
    let conversion = shown.market.terms.conversion.as_ref();
    let currency = conversion.map_or("USD", |conversion| &conversion.currency);
    format!(
        "the whole price is not known: {why}. Without licences and commitments the cheapest is {}, \
         at {} {currency} a month",
        thing(best),
        figure::decimal(part, 2)
    )
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
    lines.extend(stripe(shown, best));
    let billed = best.machine.as_ref();
    let billed = billed.filter(|_| market.scope != Scope::Disks);
    lines.extend(billed.and_then(kind_of_machine));
    lines.extend(shown.plan.older.clone().filter(|_| billed.is_some()));
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
    lines.extend(hyperdisk(shown, best));
    let warnings = best
        .remarks
        .iter()
        .filter(|remark| remark.kind == RemarkKind::Warning);
    lines.extend(warnings.map(ToString::to_string));
    lines
}

/// Of most machines of Google no source states what they let through to Hyperdisk.
fn hyperdisk(shown: &Shown<'_>, best: &Offer) -> Option<String> {
    let mut names = best.orders.iter().map(|one| one.volume.name.as_str());
    let is_open = shown.market.instance.is_none() && shown.market.scope != Scope::Disks;
    (is_open && names.any(|name| name.starts_with("hyperdisk"))).then(|| {
        "the limits of a machine for Hyperdisk are known of C4D and of C4 with 192 and 288 vCPUs \
         only (for Hyperdisk Balanced HA, of C3 and Z3). A smaller C3, C4, N4 or M may give this \
         for less. Google states it under \"Hyperdisk performance limits\""
            .to_owned()
    })
}

/// A stripe, and what one volume costs instead.
fn stripe(shown: &Shown<'_>, best: &Offer) -> Option<String> {
    if best.volumes < 2 || best.is_volatile() || best.layout.starts_with("raid") {
        return None;
    }
    let mut picks = shown.plan.picks.iter();
    let single = picks.find(|pick| pick.reason == Reason::SingleVolume);
    let single = single.and_then(|pick| shown.plan.offers.get(pick.index));
    let instead = single.map_or_else(String::new, |single| {
        format!(". One volume: {}, {}", thing(single), price(shown, single))
    });
    let count = best.volumes;
    Some(format!(
        "a stripe (RAID 0): all data is lost if one of the {count} volumes fails{instead}"
    ))
}

/// Processors of which a table of vCPUs says too little.
fn kind_of_machine(machine: &Machine) -> Option<String> {
    let mut kinds = Vec::new();
    if machine.arch.as_deref() == Some("arm64") {
        kinds.push("has ARM processors (--arch x86_64 leaves them out)");
    }
    if machine.has_cpu_credits() {
        kinds.push("has burstable processors: full speed lasts only while CPU credits do");
    }
    let words = machine.in_words();
    (!kinds.is_empty()).then(|| format!("{words} {}", kinds.join("; it ")))
}

/// What a sum of money buys.
fn bought(shown: &Shown<'_>, budget: f64) -> Option<String> {
    let best = shown.plan.offers.first()?;
    let most = match (shown.need.iops, &best.meets) {
        (None, _) => format!(
            "{} IOPS ({} MB/s) without end",
            figure::iops(best.lasting_iops()),
            figure::megabytes(best.lasting_iops() * shown.need.flow.mean_bytes())
        ),
        (Some(_), Meets::Burst(seconds)) => format!("this load for {}", span(*seconds)),
        (Some(_), Meets::No(_) | Meets::NotSold(_) | Meets::Unknown(_)) => return None,
        (Some(_), _) => "this load without end".to_owned(),
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
    let mut text = cost.origin_in_words(best.cloud, shown.market.scope, shown.market.terms);
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
