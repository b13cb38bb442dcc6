//! `fathom plan`: from what a load needs to layouts that give it.

mod csv;
mod json;
mod text;
mod wish;

use super::catalog::{Known, known, unknown};
use super::print;
use crate::args::{PlanArgs, PlanOutput};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::nearest::nearest;
use fathom_volume::catalog::InstanceType;
use fathom_volume::layout::{BuildError, ExpressionError};
use fathom_volume::plan::{Market, Meets, Need, Plan, compare, plan};
use fathom_volume::{Cloud, Layout};

pub(crate) fn run(args: &PlanArgs) -> Result<Exit, Error> {
    let known = known(&args.catalog)?;
    let need = wish::need(args)?;
    refuse_no_rate(args, &need)?;
    let instance = match &args.instance {
        Some(name) => Some(instance(&known, name)?),
        None => None,
    };
    if let Some(region) = &args.region {
        check_region(&known, region, args.cloud)?;
    }
    let market = Market {
        catalog: &known.catalog,
        at: known.at,
        region: args.region.as_deref(),
        instance,
        cloud: args.cloud,
        max_volumes: usize::from(args.max_volumes),
    };
    let mut found = if args.volume.is_empty() {
        plan(&need, &market)
    } else {
        compare(&layouts(&args.volume)?, &need, &market).map_err(|error| cannot_be(&error))?
    };
    if found.offers.is_empty() {
        return Err(Problem::new(Exit::Usage, "no layout can be planned")
            .because(
                "no volume type of the catalogue has the room, was on offer that day, or is \
                      sold there",
            )
            .remedy("another --as-of, --region or --cloud, or more --max-volumes")
            .into());
    }
    let more = shorten(&mut found, args);
    print(&match args.output {
        PlanOutput::Text => text::table(&found, &need, &market, args.explain, more),
        PlanOutput::Json => json::document(&found, &need, &market),
        PlanOutput::Csv => csv::rows(&found)?,
    })
}

/// Without a rate there is nothing to search for; given layouts can still be compared.
fn refuse_no_rate(args: &PlanArgs, need: &Need) -> Result<(), Problem> {
    if need.iops.is_some() || !args.volume.is_empty() {
        return Ok(());
    }
    let problem = Problem::new(Exit::Usage, "it is not said how much is needed");
    Err(match &args.workload {
        Some(name) => problem.because(format!(
            "{name} asks for as much as it can get: it names no rate"
        )),
        None => problem,
    }
    .remedy("--iops 10000, --throughput 500MB/s, or layouts to compare by --volume"))
}

/// Keeps the first offers; how many are left out.
fn shorten(plan: &mut Plan, args: &PlanArgs) -> usize {
    let top = usize::from(args.top);
    if !args.volume.is_empty() || plan.offers.len() <= top {
        return 0;
    }
    let more = plan.offers.len() - top;
    plan.offers.truncate(top);
    more
}

fn instance<'a>(known: &'a Known, words: &str) -> Result<&'a InstanceType, Problem> {
    let (name, interface) = match words.split_once('/') {
        Some((name, interface)) => (name, Some(interface)),
        None => (words, None),
    };
    let found = known.catalog.instance(name, interface, known.at);
    found.map_err(|error| unknown(&error))
}

/// A region that no price knows would leave every layout without one.
fn check_region(known: &Known, region: &str, cloud: Option<Cloud>) -> Result<(), Problem> {
    let clouds = Cloud::ALL.into_iter();
    let mut regions: Vec<&str> = clouds
        .filter(|own| cloud.is_none_or(|cloud| cloud == *own))
        .flat_map(|cloud| known.catalog.prices().all_regions(cloud))
        .collect();
    if regions.contains(&region) {
        return Ok(());
    }
    regions.sort_unstable();
    let problem = Problem::new(Exit::Usage, format!("no price is known in {region}"));
    Err(match nearest(region, regions.iter().copied()) {
        Some(nearest) => problem.remedy(nearest),
        None => problem.remedy(regions.join(", ")),
    })
}

fn layouts(expressions: &[String]) -> Result<Vec<Layout>, Problem> {
    let parse = |text: &String| {
        text.parse::<Layout>().map_err(|error: ExpressionError| {
            let problem = Problem::new(Exit::Usage, format!("cannot read the volume `{text}`"))
                .because(error.message.clone());
            match error.remedy {
                Some(remedy) => problem.remedy(remedy),
                None => problem,
            }
        })
    };
    expressions.iter().map(parse).collect()
}

fn cannot_be(error: &BuildError) -> Problem {
    match error {
        BuildError::Unknown(error) => unknown(error),
        other => Problem::new(Exit::Usage, other.to_string()),
    }
}

/// Whether the need is met, in a word.
fn verdict(meets: &Meets) -> &'static str {
    match meets {
        Meets::NotAsked => "",
        Meets::Sustained => "always",
        Meets::Burst(_) => "burst",
        Meets::No(_) => "no",
    }
}
