//! From `--volume` and `--instance` to a model.

use crate::args::SimulateArgs;
use crate::commands::catalog::{known, unknown};
use crate::error::Problem;
use crate::exit::Exit;
use fathom_volume::Layout;
use fathom_volume::layout::{BuildError, Built, ExpressionError, Options};
use fathom_volume::models::ServiceLaw;

pub(super) fn build(args: &SimulateArgs) -> Result<Built, Problem> {
    let known = known(&args.catalog)?;
    let layout: Layout = args
        .volume
        .parse()
        .map_err(|error: ExpressionError| unreadable(&args.volume, &error))?;
    let instance = args.instance.as_deref().map(|word| {
        let (name, interface) = match word.split_once('/') {
            Some((name, interface)) => (name, Some(interface)),
            None => (word, None),
        };
        let found = known.catalog.instance(name, interface, known.at);
        found.map_err(|error| unknown(&error))
    });
    let options = Options {
        instance: instance.transpose()?,
        cache_hits: args.cache_hits.map(|percent| percent.0 / 100.0),
        service: args
            .service_time
            .map(|time| ServiceLaw::Constant(time.0 as f64)),
        seed: args.overrides.seed.unwrap_or(1),
    };
    layout
        .build(&known.catalog, known.at, &options)
        .map_err(|error| impossible(&error))
}

fn unreadable(text: &str, error: &ExpressionError) -> Problem {
    let part = error.part(text);
    let thing = if part == text.trim() {
        format!("cannot read the volume `{text}`")
    } else {
        format!("cannot read `{part}` in the volume `{text}`")
    };
    let problem = Problem::new(Exit::Usage, thing).because(error.message.clone());
    match &error.remedy {
        Some(remedy) => problem.remedy(remedy.clone()),
        None => problem,
    }
}

fn impossible(error: &BuildError) -> Problem {
    if let BuildError::Unknown(error) = error {
        return unknown(error);
    }
    let problem = Problem::new(Exit::Usage, "there is no such volume").because(error.to_string());
    match error {
        BuildError::Clouds { .. } => problem.remedy("volumes and instance of one cloud"),
        BuildError::NoCache { .. } => problem.remedy("no --cache-hits"),
        _ => problem,
    }
}
