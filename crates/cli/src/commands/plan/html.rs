//! A plan as a page with pictures: IOPS against size and against price, alone and striped, with
//! and without burst.

use super::{Shown, answer, text};
use crate::commands::catalog::Footnotes;
use fathom_report::picture::{Axis, Picture, PictureLine, Scale};
use fathom_report::{PlanPage, PlanPicture, PlanRow};
use fathom_volume::catalog::VolumeType;
use fathom_volume::plan::{Offer, Sweep, SweepPoint, arithmetic, sweep};

/// Types that have lines of their own.
const TYPES: usize = 4;
/// Volumes in the stripe that is drawn where no layout says otherwise.
const USUAL_STRIPE: usize = 4;
/// Sizes between two powers of two.
const STEPS: u32 = 4;
/// The largest size that is drawn, as a power of two in GiB.
const LARGEST: u32 = 17;

pub(super) fn page(shown: &Shown<'_>) -> String {
    let (plan, market) = (shown.plan, shown.market);
    let mut notes = Footnotes::default();
    let rows = shown.rows.iter().map(|index| {
        let offer = &plan.offers[*index];
        PlanRow {
            cells: text::row(*index, shown, &mut notes),
            details: text::details(offer, shown, *index),
            arithmetic: arithmetic(offer, shown.need),
        }
    });
    let rows: Vec<PlanRow> = rows.collect();
    let behind = market
        .instance
        .map(|instance| format!("behind {}", instance.name));
    let region = market.region.map(|region| format!("prices of {region}"));
    let parts = [Some(format!("as of {}", market.at)), region, behind];
    let circumstances: Vec<String> = parts.into_iter().flatten().collect();
    PlanPage {
        answer: answer::sentences(shown),
        need: shown.need_in_words(),
        circumstances: circumstances.join(", "),
        heads: text::heads(shown).into_iter().map(str::to_owned).collect(),
        rows,
        pictures: pictures(shown),
        remarks: plan.remarks.iter().map(ToString::to_string).collect(),
        sources: notes.to_string().lines().map(str::to_owned).collect(),
        version: concat!("fathom ", env!("CARGO_PKG_VERSION")).to_owned(),
    }
    .render()
}

fn pictures(shown: &Shown<'_>) -> Vec<PlanPicture> {
    let types = types(shown);
    let sizes: Vec<f64> = (0..=LARGEST * STEPS)
        .map(|step| 2_f64.powf(f64::from(step) / f64::from(STEPS)))
        .collect();
    let count = shown.plan.offers.iter().map(|offer| offer.volumes).max();
    let count = count.filter(|count| *count > 1).unwrap_or(USUAL_STRIPE);
    let mut sweeps = Vec::new();
    for (color, volume) in types.iter().enumerate() {
        for count in [1, count] {
            let found = sweep(volume, count, &sizes, shown.need, shown.market);
            if !found.points.is_empty() {
                sweeps.push((color, found));
            }
        }
    }
    if sweeps.is_empty() {
        return Vec::new();
    }
    let mut by_size = lines(&sweeps, |point: &SweepPoint| Some(point.gib));
    by_size.extend(need(shown, &by_size));
    let by_price = |point: &SweepPoint| point.price;
    let mut pictures = vec![PlanPicture {
        picture: Picture {
            title: "IOPS of the need, by size".to_owned(),
            x: Axis::new("GiB in all", Scale::Log),
            y: Axis::new("IOPS", Scale::Log),
            lines: by_size,
        },
        note: "Solid: without time limit; dashed: while all credit lasts, from full \
               buckets. Sizes that cannot be ordered are left out; \
               where IOPS are ordered apart, as many as the need takes."
            .to_owned(),
    }];
    let mut lines = lines(&sweeps, by_price);
    lines.extend(offers(&shown.plan.offers));
    lines.extend(need(shown, &lines));
    if lines.iter().any(|line| !line.points.is_empty()) {
        pictures.push(PlanPicture {
            picture: Picture {
                title: "IOPS of the need, by price".to_owned(),
                x: Axis::new("list price of the disks a month", Scale::Log),
                y: Axis::new("IOPS", Scale::Log),
                lines,
            },
            note:
                "The same sizes at their prices, and the layouts of the table as dots: full what \
                   lasts, hollow what they give while credit does; pale where another layout \
                   gives as much for less."
                    .to_owned(),
        });
    }
    pictures
}

/// The types of the layouts, best first, each family once.
fn types<'a>(shown: &'a Shown<'_>) -> Vec<&'a VolumeType> {
    let orders = shown.plan.offers.iter().flat_map(|offer| &offer.orders);
    let mut types: Vec<&VolumeType> = Vec::new();
    for order in orders {
        let family = |volume: &VolumeType| volume.family.clone().unwrap_or(volume.name.clone());
        let is_known = types
            .iter()
            .any(|known| family(known) == family(&order.volume));
        if !is_known && types.len() < TYPES {
            types.push(&order.volume);
        }
    }
    types
}

fn lines(sweeps: &[(usize, Sweep)], x: impl Fn(&SweepPoint) -> Option<f64>) -> Vec<PictureLine> {
    let mut lines = Vec::new();
    for (color, sweep) in sweeps {
        let points = |y: fn(&SweepPoint) -> f64| {
            let points = sweep.points.iter();
            points
                .filter_map(|point| Some((x(point)?, y(point))))
                .collect::<Vec<_>>()
        };
        // Colours of its own, which paper tells apart.
        let color = if sweep.count == 1 {
            *color
        } else {
            color + TYPES
        };
        lines.push(PictureLine::new(
            sweep.label(),
            color,
            points(|point| point.iops),
        ));
        if sweep.bursts() {
            let label = format!("{}, burst", sweep.label());
            lines.push(PictureLine::new(label, color, points(|point| point.burst_iops)).dashed());
        }
    }
    lines
}

/// The need as a line over all prices.
fn need(shown: &Shown<'_>, lines: &[PictureLine]) -> Option<PictureLine> {
    let iops = shown.need.iops?;
    let prices = lines
        .iter()
        .flat_map(|line| &line.points)
        .map(|(price, _)| *price);
    let least = prices.clone().fold(f64::INFINITY, f64::min);
    let most = prices.fold(0.0, f64::max);
    (least < most)
        .then(|| PictureLine::new("the need", 6, vec![(least, iops), (most, iops)]).dashed())
}

/// The layouts of the table; those are pale that another one beats in price and IOPS.
fn offers(offers: &[Offer]) -> Vec<PictureLine> {
    let dot = 7;
    let sustained = |offer: &Offer| offer.figures.sustained_iops;
    let burst = |offer: &Offer| {
        let bursts = offer.figures.burst_seconds.is_some();
        if bursts {
            offer.figures.burst_iops
        } else {
            f64::NAN
        }
    };
    let points = |of: &dyn Fn(&Offer) -> f64, beaten: bool| -> Vec<(f64, f64)> {
        let own = offers
            .iter()
            .filter(|offer| is_beaten(offer, offers) == beaten);
        let points = own.filter_map(|offer| Some((offer.cost.as_ref()?.disks, of(offer))));
        points.filter(|(_, iops)| iops.is_finite()).collect()
    };
    let lines = [
        PictureLine::new("layouts of the table", dot, points(&sustained, false)).as_points(),
        PictureLine::new("layouts that another beats", dot, points(&sustained, true))
            .as_points()
            .pale(),
        PictureLine::new("their burst", dot, points(&burst, false))
            .as_points()
            .dashed(),
    ];
    lines
        .into_iter()
        .filter(|line| !line.points.is_empty())
        .collect()
}

/// Whether another layout gives as much that lasts for less.
fn is_beaten(offer: &Offer, offers: &[Offer]) -> bool {
    let Some(cost) = &offer.cost else {
        return false;
    };
    offers.iter().any(|other| {
        let less = other
            .cost
            .as_ref()
            .is_some_and(|own| own.disks < cost.disks);
        less && other.figures.sustained_iops >= offer.figures.sustained_iops
    })
}
