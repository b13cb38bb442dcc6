//! `fathom plan`: from what a load needs to layouts that give it.

mod answer;
mod csv;
mod html;
mod json;
mod picture;
mod played;
mod roles;
mod text;
mod wish;
mod years;

use super::catalog::{Known, known, outdated};
use super::recorded::Recorded;
use super::sinks::TextPlace;
use super::volume_model;
use crate::args::{FormatFile, PlanArgs, PlanFormat};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::nearest::nearest;
use fathom_core::{Op, figure};
use fathom_device::Existing;
use fathom_volume::catalog::{Evidence, InstanceType, Remark, Terms};
use fathom_volume::plan::{Market, Meets, Need, Offer, Plan, Scope, Wanted, afford, compare, plan};
use fathom_volume::sizing::Replay;
use fathom_volume::{Cloud, Layout};
use std::path::PathBuf;
use years::Year;

#[cfg(test)]
pub(super) use {json::PlanDocument, roles::RolesDocument};

pub(crate) fn run(args: &PlanArgs) -> Result<Exit, Error> {
    let known = known(&args.catalog)?;
    refuse_idle(args)?;
    let outputs = args.places();
    let places = places(&outputs, Existing::replaced_if(args.replace.overwrite))?;
    let instance = volume_model::instance(&known, &args.instance)?;
    refuse_credit(args)?;
    refuse_other_cloud(args.cloud, instance)?;
    let layouts = layouts(&args.volume)?;
    refuse_other_volumes(args.cloud, &known, &layouts)?;
    if let Some(region) = &args.region {
        check_region(&known, region, args.cloud)?;
    }
    let terms = args.bill.terms();
    let wanted = under_terms(args.need.sas.on(args.machine.wanted()), &terms)?;
    let market = Market {
        catalog: &known.catalog,
        at: known.at,
        region: args.region.as_deref(),
        instance,
        cloud: args.cloud,
        max_volumes: usize::from(args.max_volumes),
        wanted: &wanted,
        scope: scope(args),
        terms: &terms,
    };
    if !args.role.is_empty() {
        return roles::run(args, &known, &market, places);
    }
    let recorded = recorded(args)?;
    let asked = wish::need(args, recorded.as_ref())?;
    let headroom = args.headroom.unwrap_or(1.0);
    let need = years::grown(&asked, headroom);
    refuse_no_rate(args, &need)?;
    refuse_no_host_disks(&need, &market)?;
    let mut found = search(args, &layouts, &need, &market)?;
    over_asked(&mut found, headroom);
    let merged = merged(args, &need, &market, &found);
    let all = found.offers.len();
    let shown_rows = rows(&mut found, args)?;
    let played = match &recorded {
        Some(recorded) => played::play(recorded, &found, &market)?,
        None => Vec::new(),
    };
    if let Some(recorded) = &recorded {
        found.remarks.extend(recorded.remarks.iter().cloned());
        found.remarks.extend(played::cheapest(&found, &played));
    }
    let shown_offers = shown_rows.iter().filter_map(|row| found.offers.get(*row));
    let old = outdated(&known, shown_offers.flat_map(evidence));
    found.remarks.extend(old.into_iter().map(Remark::warning));
    let shown = Shown {
        plan: &found,
        need: &need,
        asked: &asked,
        headroom_percent: in_percent(headroom),
        growth_percent: in_percent(recorded.as_ref().map_or(1.0, Recorded::factor)),
        market: &market,
        played: &played,
        rows: &shown_rows,
        all,
        budget: args.bill.budget,
        merged,
        years: years::of(args, &need, &market),
    };
    write(&shown, args, &outputs, places)?;
    Ok(Exit::Ok)
}

fn write(
    shown: &Shown<'_>,
    args: &PlanArgs,
    outputs: &[FormatFile<PlanFormat>],
    places: Vec<TextPlace>,
) -> Result<(), Error> {
    for (output, place) in outputs.iter().zip(places) {
        match output.format {
            PlanFormat::Text => place.write_words(&text::table(shown, args.explain, args.why))?,
            PlanFormat::Json => place.write(&json::document(shown)?)?,
            PlanFormat::Csv => place.write(&csv::rows(shown))?,
            PlanFormat::Html => place.write(&html::page(shown))?,
        }
    }
    Ok(())
}

/// States the headroom of each layout over what was asked for, not over what is bought in addition.
fn over_asked(found: &mut Plan, headroom: f64) {
    for over in found
        .picks
        .iter_mut()
        .filter_map(|pick| pick.headroom.as_mut())
    {
        *over = (1.0 + *over) * headroom - 1.0;
    }
}

/// The recording that is planned for, whose sizes have to be known.
fn recorded(args: &PlanArgs) -> Result<Option<Recorded>, Error> {
    let Some(file) = &args.from else {
        return Ok(None);
    };
    let recorded = Recorded::read(file, &args.recording, args.need.block_size)?;
    recorded.refuse_unsized()?;
    Ok(Some(recorded))
}

/// Layouts for a budget or a load, or those that were given.
fn search(
    args: &PlanArgs,
    layouts: &[Layout],
    need: &Need,
    market: &Market<'_>,
) -> Result<Plan, Error> {
    let found = match args.bill.budget {
        Some(budget) => afford(need, market, budget),
        None if args.volume.is_empty() => plan(need, market),
        None => compare(layouts, need, market).map_err(|error| volume_model::impossible(&error))?,
    };
    if found.offers.is_empty() {
        return Err(no_layout());
    }
    Ok(found)
}

/// When nothing that the catalogue has can hold what is needed.
fn no_layout() -> Error {
    Problem::new(Exit::Usage, "no layout can be planned")
        .because(
            "no volume type of the catalogue has the capacity, was available on that date, or is \
             sold there",
        )
        .remedy(
            "use another --as-of, --region or --cloud, or a higher --max-volumes; volumes of your \
             own come from --catalog DIR (docs/catalog.md)",
        )
        .into()
}

/// Who states the prices of a layout.
fn evidence(offer: &Offer) -> impl Iterator<Item = (Cloud, &Evidence)> {
    let cost = offer.cost.iter();
    cost.flat_map(|cost| {
        let machine = cost.machine.iter().map(|machine| &machine.evidence);
        cost.parts.iter().map(|part| &part.evidence).chain(machine)
    })
    .map(|evidence| (offer.cloud, evidence))
}

/// Opens all places, before anything is computed.
fn places(
    outputs: &[FormatFile<PlanFormat>],
    existing: Existing,
) -> Result<Vec<TextPlace>, Problem> {
    let to_stdout = outputs.iter().filter(|output| output.file.is_none());
    if to_stdout.count() > 1 {
        return Err(
            Problem::new(Exit::Usage, "two outputs cannot both go to standard output")
                .remedy("write one of them to a file, as in --output html:plan.html"),
        );
    }
    let path = |output: &FormatFile<PlanFormat>| output.file.clone().unwrap_or_else(|| "-".into());
    let paths: Vec<PathBuf> = outputs.iter().map(path).collect();
    let twice = paths
        .iter()
        .enumerate()
        .find(|(index, path)| paths[..*index].contains(path));
    if let Some((_, path)) = twice {
        let thing = format!("{} would be written twice", path.display());
        return Err(
            Problem::new(Exit::Usage, thing).remedy("use a separate file for each --output")
        );
    }
    paths
        .iter()
        .map(|path| TextPlace::open(path, existing))
        .collect()
}

/// All that is shown of a plan.
struct Shown<'a> {
    plan: &'a Plan,
    need: &'a Need,
    /// The same without headroom.
    asked: &'a Need,
    headroom_percent: f64,
    /// What comes on top of a recording.
    growth_percent: f64,
    market: &'a Market<'a>,
    /// What a recording does to each layout; empty where there is none that can be played.
    played: &'a [Replay],
    /// Places of the offers that are shown, in order.
    rows: &'a [usize],
    /// How many offers there are in all.
    all: usize,
    /// The sum that may be spent a month.
    budget: Option<f64>,
    /// What would be first if vendors could merge sequential requests, where that is another one.
    merged: Option<Offer>,
    /// What is needed after each year.
    years: Vec<Year>,
}

impl Shown<'_> {
    /// The need, and what was asked for where headroom comes on top.
    fn need_in_words(&self) -> String {
        let need = self.need.in_words();
        if self.headroom_percent <= 0.0 {
            return need;
        }
        let iops = self
            .asked
            .iops
            .map(|iops| format!("{} IOPS and ", figure::iops(iops)));
        let size = (self.asked.capacity_gib * 1_073_741_824.0) as u64;
        format!(
            "{need}: {}{} with {} headroom",
            iops.unwrap_or_default(),
            figure::size(size),
            figure::percent(self.headroom_percent)
        )
    }
}

/// More, in percent, without the noise of binary fractions.
fn in_percent(factor: f64) -> f64 {
    ((factor - 1.0) * 1e6).round() / 1e4
}

/// Sequential requests outstanding in the alternative that the answer shows.
const MERGED: f64 = 32.0;

fn merged(args: &PlanArgs, need: &Need, market: &Market<'_>, found: &Plan) -> Option<Offer> {
    if !args.volume.is_empty() || args.bill.budget.is_some() {
        return None;
    }
    let own = need.merged(MERGED)?;
    let other = plan(&own, market).offers.into_iter().next()?;
    (other.layout != found.offers.first()?.layout).then_some(other)
}

/// Layouts that are kept where nobody says how many.
const USUAL_TOP: usize = 12;

/// Options that say something of a recording that is not there.
fn refuse_idle(args: &PlanArgs) -> Result<(), Problem> {
    let yearly = args.recording.yearly().is_some();
    if yearly != args.years.is_some() {
        let problem = Problem::new(Exit::Usage, "--growth and --years do not fit together");
        return Err(problem
            .because("a load that grows each year is planned for a number of years")
            .remedy("--growth 30/year --years 3, or --growth 30 alone"));
    }
    let mut outputs = args.output.iter();
    if yearly && outputs.any(|output| output.format == PlanFormat::Csv) {
        return Err(Problem::new(Exit::Usage, "--years has no rows in CSV")
            .because("each row is a layout for the load of now")
            .remedy("use --output json, which has the years"));
    }
    let given = args.recording.given().into_iter();
    let mut set = given.filter(|(option, is_set)| *is_set && !(yearly && *option == "--growth"));
    match set.next() {
        Some((option, _)) if args.from.is_none() => {
            Err(Problem::new(Exit::Usage, format!("{option} has no effect"))
                .because("there is no recording")
                .remedy("give a recording with --from"))
        }
        _ => Ok(()),
    }
}

/// A machine without disks of its own, or whose rates for this mix no source states.
fn refuse_no_host_disks(need: &Need, market: &Market<'_>) -> Result<(), Problem> {
    let Some(row) = market.instance.filter(|_| need.ephemeral_ok) else {
        return Ok(());
    };
    let share = |op: Op| {
        let kinds = need.flow.kinds.iter().filter(|kind| kind.op == op);
        kinds.fold((0.0, 0.0), |(iops, bytes), kind| {
            (iops + kind.weight, bytes + kind.weight * kind.bytes)
        })
    };
    let store = market.catalog.instance_store(row);
    let given = store.and_then(|store| store.each(share(Op::Read), share(Op::Write)));
    if given.is_some() {
        return Ok(());
    }
    let problem = Problem::new(Exit::Usage, "--ephemeral-ok has no effect");
    let has_disks = store.is_some() || row.local.and_then(|local| local.disks).is_some();
    Err(if has_disks {
        problem
            .because(format!(
                "no source of the catalogue states what the local disks of {} give to these \
                 requests",
                row.name
            ))
            .remedy("measure them, and give the figures with --volume")
    } else {
        problem
            .because(format!("{} has no local disks", row.name))
            .remedy("use another --instance, or let the plan choose one")
    })
}

/// A plan counts from full buckets, and says what lasts without them.
fn refuse_credit(args: &PlanArgs) -> Result<(), Problem> {
    if volume_model::credit(&args.instance)? >= 1.0 {
        return Ok(());
    }
    Err(
        Problem::new(Exit::Usage, "a plan does not use the instance's credit")
            .because("it shows sustained rates, and how long full buckets allow more")
            .remedy("use `fathom simulate`, or the instance without `:credit=`"),
    )
}

/// Volumes of one cloud do not lie behind an instance of another.
fn refuse_other_cloud(
    cloud: Option<Cloud>,
    instance: Option<&InstanceType>,
) -> Result<(), Problem> {
    match (cloud, instance) {
        (Some(cloud), Some(instance)) if instance.cloud != cloud => Err(Problem::new(
            Exit::Usage,
            format!("{} cannot attach volumes of {cloud}", instance.name),
        )
        .because(format!("it is an instance of {}", instance.cloud))
        .remedy(format!(
            "--cloud {}, or an instance of {cloud}",
            instance.cloud
        ))),
        _ => Ok(()),
    }
}

/// Volumes of another cloud than the named one.
fn refuse_other_volumes(
    cloud: Option<Cloud>,
    known: &Known,
    layouts: &[Layout],
) -> Result<(), Problem> {
    let Some(cloud) = cloud else {
        return Ok(());
    };
    let volumes = layouts.iter().flat_map(Layout::volumes);
    let types = known.catalog.volumes();
    let own = |text: &fathom_volume::layout::VolumeText| {
        types
            .iter()
            .find(|one| one.is_called(&text.name) || one.is_of_family(&text.name))
            .filter(|one| one.cloud != cloud && one.cloud != Cloud::Local)
            .map(|one| (text.name.clone(), one.cloud))
    };
    match volumes.into_iter().find_map(own) {
        Some((name, other)) => Err(Problem::new(
            Exit::Usage,
            format!("{name} is a volume type of {other}, not of {cloud}"),
        )
        .remedy(format!("use --cloud {other}, or another --volume"))),
        None => Ok(()),
    }
}

/// Without a rate there is nothing to search for; given layouts can still be compared.
fn refuse_no_rate(args: &PlanArgs, need: &Need) -> Result<(), Problem> {
    if need.iops.is_some() || !args.volume.is_empty() || args.bill.budget.is_some() {
        return Ok(());
    }
    let problem = Problem::new(Exit::Usage, "the required load is missing");
    Err(match &args.workload {
        Some(name) => problem.because(format!(
            "{name} has no rate: it makes as many requests as possible"
        )),
        None => problem,
    }
    .remedy("use --iops 10000, --throughput 500MB/s, or --volume with layouts to compare"))
}

/// Windows and SQL Server run on x86 alone.
fn under_terms(wanted: Wanted, terms: &Terms) -> Result<Wanted, Problem> {
    let Some(term) = terms.of_machine.iter().find(|term| term.needs_x86()) else {
        return Ok(wanted);
    };
    if wanted.arch.as_deref() == Some("arm64") {
        let thing = format!("{} is not offered on arm64", term.words());
        return Err(Problem::new(Exit::Usage, thing).remedy("leave out --arch"));
    }
    Ok(Wanted {
        arch: Some("x86_64".to_owned()),
        ..wanted
    })
}

/// Options of the bill.
fn scope(args: &PlanArgs) -> Scope {
    match (args.bill.disks_only, args.bill.machine_only) {
        (true, _) => Scope::Disks,
        (_, true) => Scope::Machine,
        _ => Scope::Whole,
    }
}

/// The places of the offers that are shown: a few kinds, the first ranks, or all that were given.
/// What is behind the last of them is dropped.
fn rows(plan: &mut Plan, args: &PlanArgs) -> Result<Vec<usize>, Problem> {
    let mut places: Vec<usize> = match args.top {
        _ if !args.volume.is_empty() => (0..plan.offers.len()).collect(),
        Some(top) => (0..plan.offers.len().min(usize::from(top))).collect(),
        None if plan.picks.is_empty() => (0..plan.offers.len().min(USUAL_TOP)).collect(),
        None => plan.picks.iter().map(|pick| pick.index).collect(),
    };
    places.sort_unstable();
    if let Some(why) = args.why {
        if why == 0 || why > plan.offers.len() {
            let thing = format!("there is no row {why}");
            return Err(Problem::new(Exit::Usage, thing)
                .because(format!("the rows are 1 to {}", plan.offers.len())));
        }
        if !places.contains(&(why - 1)) {
            places.push(why - 1);
            places.sort_unstable();
        }
    }
    let last = places.last().map_or(0, |last| last + 1);
    plan.offers.truncate(last.max(USUAL_TOP));
    Ok(places)
}

/// A region that no price knows would leave every layout without one.
pub(crate) fn check_region(
    known: &Known,
    region: &str,
    cloud: Option<Cloud>,
) -> Result<(), Problem> {
    let clouds = Cloud::ALL.into_iter();
    let mut regions: Vec<&str> = clouds
        .filter(|own| cloud.is_none_or(|cloud| cloud == *own))
        .flat_map(|cloud| {
            let disks = known.catalog.prices().all_regions(cloud);
            disks
                .into_iter()
                .chain(known.catalog.machine_prices().regions(cloud))
        })
        .collect();
    regions.sort_unstable();
    regions.dedup();
    if regions.contains(&region) {
        return Ok(());
    }
    let problem = Problem::new(Exit::Usage, format!("no price is known in {region}"));
    Err(match nearest(region, regions.iter().copied()) {
        Some(nearest) => problem.remedy(nearest),
        None => problem.remedy(regions.join(", ")),
    })
}

fn layouts(expressions: &[String]) -> Result<Vec<Layout>, Problem> {
    expressions
        .iter()
        .map(|text| volume_model::layout(text))
        .collect()
}

/// Whether the need is met, in a word.
fn verdict(meets: &Meets) -> &'static str {
    match meets {
        Meets::NotAsked => "",
        Meets::Sustained => "always",
        Meets::Credit => "by credit",
        Meets::Burst(_) => "burst",
        Meets::No(_) => "no",
        Meets::NotSold(_) => "not sold",
        Meets::Unknown(_) => "unknown",
    }
}
