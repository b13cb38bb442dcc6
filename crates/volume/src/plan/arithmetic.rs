//! The arithmetic of a layout, line by line, for people who check it with a pencil.

use super::{Meets, Need, Offer, Term};
use crate::catalog::{Law, MachinePrice, VolumeOrder, VolumeType};
use fathom_core::{CapUnit, figure};

/// The steps from the catalogue to the figures of one layout. Each line stands for itself.
pub fn arithmetic(offer: &Offer, need: &Need) -> Vec<String> {
    let mut lines = Vec::new();
    for ordered in &offer.orders {
        lines.push(format!(
            "{} x {}: {} [{}; {}]",
            ordered.count,
            named(&ordered.volume, &ordered.order),
            rule(&ordered.volume, &ordered.order),
            ordered.volume.validity,
            ordered.volume.evidence
        ));
    }
    let mean = need.flow.mean_bytes();
    lines.extend(offer.figures.terms.iter().map(|term| limit(term, mean)));
    let figures = &offer.figures;
    lines.push(format!(
        "sustained: the least of these, {} IOPS = {} MB/s, by {}",
        figure::iops(figures.sustained_iops),
        figure::megabytes(figures.sustained_bytes_per_second),
        figures.bound_by.join(" and ")
    ));
    if let Some(size) = figures.crossover_bytes {
        lines.push(format!(
            "crossover: bytes bind above {} a request",
            figure::size(size.round() as u64)
        ));
    }
    lines.extend(burst(offer));
    lines.extend(price(offer));
    lines
}

fn named(volume: &VolumeType, order: &VolumeOrder) -> String {
    match order.size_gib {
        Some(gib) => format!("{} of {} GiB", volume.name, figure::count(gib as u64)),
        None => volume.name.clone(),
    }
}

/// How the limits of a volume follow from its order.
fn rule(volume: &VolumeType, order: &VolumeOrder) -> String {
    let gib = order.size_gib.unwrap_or(0.0);
    let rate = |bytes: f64| {
        format!(
            "{} {}",
            figure::significant(bytes / volume.unit_bytes),
            volume.unit()
        )
    };
    match &volume.law {
        Law::Scaled(law) => format!(
            "{} IOPS/GiB × {gib} GiB, at least {}, at most {}",
            law.iops_per_gib,
            figure::iops(law.iops_min),
            figure::iops(law.iops_max)
        ),
        Law::Provisioned(law) => {
            let iops = order.iops.or(law.iops_included).unwrap_or(0.0);
            let bytes = match (
                order.bytes_per_second.or(law.bytes_included),
                law.bytes_per_iops,
            ) {
                (Some(bytes), _) => rate(bytes),
                (None, Some(each)) => format!("{} for each of the IOPS", rate(each)),
                (None, None) => format!("{} at most", rate(law.bytes_max)),
            };
            format!("{} IOPS as ordered, {bytes}", figure::iops(iops))
        }
        Law::Throughput(law) => format!(
            "{} per TiB × {gib} GiB / 1,024, at most {}",
            rate(law.base.0 * 1_024.0),
            rate(law.base.1)
        ),
        Law::Tier(law) => format!("{} IOPS, {}", figure::iops(law.iops), rate(law.bytes)),
        Law::Pooled(law) => format!(
            "{} + {} × {gib} GiB IOPS, {} + {} × {gib} GiB{}",
            figure::iops(law.included.0),
            law.per_gib.0,
            rate(law.included.1),
            rate(law.per_gib.2),
            if law.shared {
                ", shared by all disks of the type"
            } else {
                ""
            }
        ),
        Law::Follows(law) => format!(
            "{} as ordered, {} IOPS for each MiB/s",
            rate(order.bytes_per_second.unwrap_or(0.0)),
            figure::significant(law.iops_per_byte * 1_048_576.0)
        ),
        Law::Fixed(law) => format!("{} IOPS, {}", figure::iops(law.iops), rate(law.bytes)),
        Law::Device(_) => "as given".to_owned(),
    }
}

/// One limit and what it lets through.
fn limit(term: &Term, mean: f64) -> String {
    let of = |rate: f64| match term.unit {
        CapUnit::Iops => format!("{}/s", figure::iops(rate)),
        CapUnit::BytesPerSecond => format!("{} MB/s", figure::megabytes(rate)),
    };
    let cost = term.tokens * term.count as f64;
    let cost = match term.unit {
        CapUnit::Iops => format!("{} for a request", figure::significant(cost)),
        CapUnit::BytesPerSecond => figure::size(cost.round() as u64),
    };
    let sum = |rate: f64| match term.count {
        1 => of(rate),
        count => format!("{count} x {} = {}", of(rate), of(rate * count as f64)),
    };
    let through = |iops: f64| {
        format!(
            "{} IOPS ({} MB/s)",
            figure::iops(iops),
            figure::megabytes(iops * mean)
        )
    };
    let mut line = format!(
        "{}: {} / {cost} = {}",
        term.name,
        sum(term.rate.0),
        through(term.iops.0)
    );
    if let Some(credit) = term.credit {
        let full = match term.unit {
            CapUnit::Iops => figure::count(credit as u64),
            CapUnit::BytesPerSecond => figure::volume(credit as u64),
        };
        line = format!(
            "{line}; while credit lasts {} = {}; a full bucket holds {full}, fills {} when idle",
            sum(term.rate.1),
            through(term.iops.1),
            figure::duration((credit / term.rate.0 * 1e9) as u64)
        );
    }
    line
}

fn burst(offer: &Offer) -> Vec<String> {
    let figures = &offer.figures;
    let mut lines = Vec::new();
    if let (Some(seconds), Some(refill)) = (figures.burst_seconds, figures.refill_seconds) {
        lines.push(format!(
            "burst: {} IOPS by {} for {} from full buckets, refilled after {} of idleness",
            figure::iops(figures.burst_iops),
            figures.burst_bound_by.join(" and "),
            span(seconds),
            span(refill)
        ));
        lines.extend(figures.terms.iter().filter_map(|term| {
            let credit = term.credit?;
            let used = figures.burst_iops * term.tokens;
            (used > term.rate.0 * (1.0 + 1e-9)).then(|| {
                let of = |rate: f64| match term.unit {
                    CapUnit::Iops => figure::iops(rate),
                    CapUnit::BytesPerSecond => figure::megabytes(rate) + " MB/s",
                };
                let full = match term.unit {
                    CapUnit::Iops => figure::count(credit as u64),
                    CapUnit::BytesPerSecond => figure::volume(credit as u64),
                };
                format!(
                    "  bucket of {}: {full} / ({} − {}) = {}",
                    term.name,
                    of(used),
                    of(term.rate.0),
                    span(credit / (used - term.rate.0))
                )
            })
        }));
    }
    if let Meets::Burst(seconds) = offer.meets {
        lines.push(format!(
            "the need is given for {} only, then {} IOPS are left",
            span(seconds),
            figure::iops(figures.sustained_iops)
        ));
    }
    lines
}

fn price(offer: &Offer) -> Vec<String> {
    let Some(cost) = &offer.cost else {
        let why = offer.no_price.iter();
        return why.map(|why| format!("price: {why}")).collect();
    };
    let mut lines: Vec<String> = cost
        .parts
        .iter()
        .map(|part| {
            format!(
                "price: {} {} × {} {} = {} {} [{}]",
                figure::decimal(part.quantity, 0),
                part.what,
                part.price,
                cost.currency,
                figure::decimal(part.amount, 2),
                cost.currency,
                part.evidence
            )
        })
        .collect();
    if let Some(machine) = &cost.machine {
        let name = offer.machine.as_ref().map_or("machine", |one| &one.name);
        lines.extend(terms(machine, name, &cost.currency));
        lines.push(format!(
            "price: {name} {} {} an hour × 730 h = {} {} [{}]",
            hour(machine.hour),
            cost.currency,
            figure::decimal(machine.month(), 2),
            cost.currency,
            machine.evidence
        ));
    }
    lines.push(format!(
        "price: {} {} a month in {}, {} {} for 1,000 sustained IOPS",
        figure::decimal(cost.total, 2),
        cost.currency,
        cost.region,
        figure::decimal(offer.price_per_1000_iops().unwrap_or(0.0), 2),
        cost.currency
    ));
    lines
}

/// How the hour of a machine follows from its price on demand with Linux.
fn terms(machine: &MachinePrice, name: &str, currency: &str) -> Vec<String> {
    let added: f64 = machine.terms.iter().map(|term| term.hour).sum();
    let listed = format!(
        "price: {name} Linux, on demand: {} {currency} an hour",
        hour(machine.hour - added)
    );
    let each = machine.terms.iter().map(|term| {
        let of = match term.vcpus {
            Some(vcpus) => format!("{} × {vcpus} vCPUs", term.amount),
            None => format!("{} of it", term.amount),
        };
        format!(
            "price: {}: {of} = {} {currency} an hour [{}]",
            term.term.words(),
            hour(term.hour),
            term.evidence
        )
    });
    let is_listed = machine.terms.is_empty();
    let listed = (!is_listed).then_some(listed);
    listed.into_iter().chain(each).collect()
}

/// A price of an hour, without what is left of binary fractions.
fn hour(amount: f64) -> String {
    ((amount * 1e6).round() / 1e6).to_string()
}

/// A time in the words of [`figure::duration`].
fn span(seconds: f64) -> String {
    figure::duration((seconds * 1e9) as u64)
}
