//! From `--volume` and `--instance` to a model.

use crate::args::SimulateArgs;
use crate::commands::catalog::{Known, known, unknown};
use crate::error::Problem;
use crate::exit::Exit;
use fathom_volume::Layout;
use fathom_volume::catalog::InstanceType;
use fathom_volume::layout::{BuildError, Built, ExpressionError, Options};
use fathom_volume::models::ServiceLaw;

pub(super) fn build(args: &SimulateArgs) -> Result<Built, Problem> {
    let known = known(&args.catalog)?;
    let options = Options {
        instance: instance(&known, args.instance.as_deref())?,
        cache_hits: args.cache_hits.map(|percent| percent.0 / 100.0),
        service: args
            .service_time
            .map(|time| ServiceLaw::Constant(time.0 as f64)),
        seed: args.overrides.seed.unwrap_or(1),
    };
    layout(&args.volume)?
        .build(&known.catalog, known.at, &options)
        .map_err(|error| impossible(&error))
}

/// A layout as it is written in `--volume`.
pub(crate) fn layout(text: &str) -> Result<Layout, Problem> {
    text.parse()
        .map_err(|error: ExpressionError| unreadable(text, &error))
}

/// The instance of `--instance`: a name, or a name and its interface.
pub(crate) fn instance<'a>(
    known: &'a Known,
    words: Option<&str>,
) -> Result<Option<&'a InstanceType>, Problem> {
    let found = words.map(|words| {
        let (name, interface) = match words.split_once('/') {
            Some((name, interface)) => (name, Some(interface)),
            None => (words, None),
        };
        let found = known.catalog.instance(name, interface, known.at);
        found.map_err(|error| unknown(&error))
    });
    found.transpose()
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

/// A layout that cannot be built, in our form of a message.
pub(crate) fn impossible(error: &BuildError) -> Problem {
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
