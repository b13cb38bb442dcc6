//! One target: its model, and what the load gets there.

use super::load::Load;
use crate::args::{FitArgs, InstanceOptions};
use crate::commands::catalog::Known;
use crate::commands::volume_model;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::foreign::visible;
use fathom_volume::catalog::{InstanceType, LIST_PRICES, Remark, RemarkKind};
use fathom_volume::fit::{Answer, Fit, Interval, Played, Unread, play};
use fathom_volume::layout::{Built, Options, Spread};
use fathom_volume::model::VolumeModel as _;
use fathom_volume::plan::{ANY_MACHINE, Market, Meets, Need, Offer, Scope, Wish, compare};
use fathom_volume::{Cloud, Layout};
use std::fmt::Write as _;

/// Service times are drawn with this number of seeds.
pub(super) const SEEDS: u64 = 5;

const GIB: f64 = 1_073_741_824.0;
/// A rate that every volume sustains.
const ANY_IOPS: f64 = 1.0;

/// A layout behind an instance, or alone.
pub(super) struct Target<'a> {
    layout: Layout,
    instance: Option<&'a InstanceType>,
    instance_credit: f64,
}

/// All targets of the command line. Those that cannot be simulated are an error if they are all,
/// and answers in addition to the others if not.
pub(super) fn read_all<'a>(
    args: &FitArgs,
    known: &'a Known,
) -> Result<(Vec<Target<'a>>, Vec<Unread>), Problem> {
    let mut targets = Vec::new();
    let mut problems = Vec::new();
    for text in &args.on {
        match Target::read(text, known) {
            Ok(target) => targets.push(target),
            Err(problem) => problems.push((text, problem)),
        }
    }
    match problems.first() {
        Some((_, problem)) if targets.is_empty() => Err(problem.clone()),
        _ => Ok((
            targets,
            problems
                .into_iter()
                .map(|(text, problem)| unread(text, &problem))
                .collect(),
        )),
    }
}

/// A target that cannot be simulated.
fn unread(text: &str, problem: &Problem) -> Unread {
    let target = visible(text).into_owned();
    let mut sentence = format!("cannot tell for {target}: {}", problem.thing);
    if let Some(cause) = &problem.because {
        let _ = write!(sentence, ": {cause}");
    }
    if let Some(remedy) = &problem.remedy {
        let _ = write!(sentence, "; try {remedy}");
    }
    Unread {
        target,
        answer: Answer::CannotTell,
        sentence,
    }
}

impl<'a> Target<'a> {
    /// Reads `VOLUMES` or `VOLUMES under INSTANCE`.
    fn read(text: &str, known: &'a Known) -> Result<Self, Problem> {
        let (volumes, instance) = match text.split_once(" under ") {
            Some((volumes, instance)) => (volumes, Some(instance.trim().to_owned())),
            None => (text, None),
        };
        let before = InstanceOptions {
            instance,
            metadata: false,
        };
        let target = Self {
            layout: volume_model::layout(volumes)?,
            instance: volume_model::instance(known, &before)?,
            instance_credit: volume_model::credit(&before)?,
        };
        // What cannot be built is refused before the trace is read.
        target.build(known, 1)?;
        Ok(target)
    }

    fn build(&self, known: &Known, seed: u64) -> Result<Built, Problem> {
        let options = Options {
            instance: self.instance,
            instance_credit: self.instance_credit,
            spread: Spread::USUAL,
            seed,
            ..Options::default()
        };
        let built = self.layout.build(&known.catalog, known.at, &options);
        built.map_err(|error| volume_model::impossible(&error))
    }

    /// What the load gets here.
    pub(super) fn fit(&self, load: &Load, args: &FitArgs, known: &Known) -> Result<Fit, Error> {
        let mut all: Vec<Played> = Vec::new();
        let mut length = fathom_core::Nanos::ZERO;
        for seed in 1..=SEEDS {
            let system = self.build(known, seed)?.system;
            let (requests, of_load) = load.requests_on(&system)?;
            length = of_load;
            all.push(play(&system, &requests, length));
        }
        let built = self.build(known, 1)?;
        let offer = self.offer(load, load.asked_iops, args, known)?;
        // A machine that is not known to let the load through is found at a rate that any one does.
        let easy = self.offer(load, ANY_IOPS, args, known)?;
        let floor = load.original.floor_of_p99;
        let floor = floor.or_else(|| all[0].responses.floor(0.99));
        let p99_ns = floor.and_then(|floor| percentile(&all, 0.99, floor));
        let middle = |quantile| Some(percentile(&all, quantile, 0.0)?.estimate);
        let (p50_ns, p999_ns) = (middle(0.5), middle(0.999));
        let rates = all.iter().map(Played::iops).collect();
        let (refused, unknown) = match easy.meets {
            Meets::No(why) => (Some(why), None),
            Meets::Unknown(why) => (None, Some(why)),
            _ => {
                let mut remarks = built.remarks.iter();
                let not_offered = remarks.find(|one| one.is_not_offered);
                (None, not_offered.map(|one| one.text.clone()))
            }
        };
        let played = all.swap_remove(0);
        let is_warning = |one: &Remark| one.kind == RemarkKind::Warning;
        let (warnings, remarks): (Vec<_>, Vec<_>) = built.remarks.into_iter().partition(is_warning);
        Ok(Fit {
            target: built.system.title().to_owned(),
            answer: Answer::CannotTell,
            sentence: String::new(),
            asked_iops: load.asked_iops,
            delivered_iops: Interval::of(rates, load.floor_of_rate()).expect("there are seeds"),
            p50_ns,
            p99_ns,
            p999_ns,
            held_share: played.held_share(length),
            size_bytes: built.system.size_bytes(),
            unknown,
            refused,
            bill: bill(&offer, self.scope()),
            bill_origin: offer
                .cost
                .as_ref()
                .map(|cost| cost.origin_in_words(offer.cloud, self.scope(), &LIST_PRICES)),
            cost: offer.cost,
            warnings: warnings.into_iter().map(|one| one.text).collect(),
            remarks: remarks.iter().map(Remark::to_string).collect(),
            service_ns: built.system.latency_ns(&load.flow),
            is_without_machine: self.instance.is_none() && offer.cloud != Cloud::Local,
            played,
        })
    }

    const fn scope(&self) -> Scope {
        match self.instance {
            Some(_) => Scope::Whole,
            None => Scope::Disks,
        }
    }

    /// The layout as a plan for a rate has it, with its bill.
    fn offer(&self, load: &Load, iops: f64, args: &FitArgs, known: &Known) -> Result<Offer, Error> {
        let need = need(load, iops)?;
        let market = Market {
            catalog: &known.catalog,
            at: known.at,
            region: args.region.as_deref(),
            instance: self.instance,
            cloud: None,
            max_volumes: 1,
            wanted: &ANY_MACHINE,
            scope: self.scope(),
            terms: &LIST_PRICES,
        };
        let plan = compare(std::slice::from_ref(&self.layout), &need, &market);
        let plan = plan.map_err(|error| volume_model::impossible(&error))?;
        Ok(plan
            .offers
            .into_iter()
            .next()
            .expect("one layout was given"))
    }
}

/// A percentile over all seeds; none where one of them has too few requests.
fn percentile(all: &[Played], quantile: f64, floor: f64) -> Option<Interval> {
    let values = all
        .iter()
        .map(|played| played.responses.percentile(quantile));
    Interval::of(values.collect::<Option<_>>()?, floor)
}

fn need(load: &Load, iops: f64) -> Result<Need, Problem> {
    let wish = Wish {
        iops: Some(iops),
        flow: Some(load.flow.clone()),
        capacity_gib: Some(load.original.touched_bytes as f64 / GIB),
        ..Wish::default()
    };
    wish.resolve().map_err(|error| {
        Problem::new(Exit::Usage, "the load of the trace cannot be planned")
            .because(error.to_string())
            .remedy("a longer trace")
    })
}

/// The bill, or why there is none: an unknown price is not zero.
fn bill(offer: &Offer, scope: Scope) -> String {
    match (&offer.cost, &offer.no_price) {
        (Some(cost), _) => cost.in_words(scope),
        _ if offer.cloud == Cloud::Local => "price unknown: no cloud sells this disk".to_owned(),
        (None, Some(why)) => format!("price unknown: {why}"),
        (None, None) => "price unknown".to_owned(),
    }
}
