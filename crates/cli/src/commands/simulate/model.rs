//! From `--volume` and `--instance` to a model.

use crate::args::{CatalogOptions, InstanceOptions, SimulateArgs};
use crate::commands::catalog::{Known, known, unknown};
use crate::commands::here;
use crate::error::Problem;
use crate::exit::Exit;
use fathom_volume::Layout;
use fathom_volume::catalog::InstanceType;
use fathom_volume::layout::{Bench, BuildError, Built, ExpressionError, Options};
use fathom_volume::model::VolumeModel;
use fathom_volume::models::ServiceLaw;

/// A model as it is run: the volumes, and what stands over them.
pub(super) struct Model {
    /// The volumes alone, with what to say of them.
    pub(super) built: Built,
    /// Whether anything stands over them.
    pub(super) is_layered: bool,
    /// All of it.
    pub(super) whole: Box<dyn VolumeModel>,
}

pub(super) fn build(args: &SimulateArgs) -> Result<Model, Problem> {
    let known = known(&args.catalog)?;
    let bench = bench(&args.volume)?;
    let options = Options {
        instance: instance(&known, &args.instance)?,
        cache_hits: args.cache_hits.map(|percent| percent.0 / 100.0),
        service: args
            .service_time
            .map(|time| ServiceLaw::Constant(time.0 as f64)),
        seed: args.overrides.get("seed").unwrap_or(1),
    };
    let seed = options.seed;
    let built = bench
        .layout
        .build(&known.catalog, known.at, &options)
        .map_err(|error| impossible(&error))?;
    Ok(Model {
        whole: bench.over(built.system.boxed(), seed),
        is_layered: !bench.layers.is_empty(),
        built,
    })
}

/// The model of `run --engine sim --sim-volume`: limits of today.
pub(in crate::commands) fn of_today(
    text: &str,
    seed: u64,
) -> Result<Box<dyn VolumeModel>, Problem> {
    let known = known(&CatalogOptions::default())?;
    let bench = bench(text)?;
    let options = Options {
        seed,
        ..Options::default()
    };
    let built = bench
        .layout
        .build(&known.catalog, known.at, &options)
        .map_err(|error| impossible(&error))?;
    Ok(bench.over(built.system.boxed(), seed))
}

/// Volumes with what stands over them.
fn bench(text: &str) -> Result<Bench, Problem> {
    text.parse()
        .map_err(|error: ExpressionError| unreadable(text, &error))
}

/// A layout as it is written in `--volume`.
pub(crate) fn layout(text: &str) -> Result<Layout, Problem> {
    text.parse()
        .map_err(|error: ExpressionError| unreadable(text, &error))
}

/// The instance of `--instance`: a name, a name and its interface, or that of this machine.
pub(crate) fn instance<'a>(
    known: &'a Known,
    options: &InstanceOptions,
) -> Result<Option<&'a InstanceType>, Problem> {
    let Some(words) = options.instance.as_deref() else {
        return Ok(None);
    };
    let own;
    let words = if words == here::WORD {
        own = here::instance(known, options.metadata)?;
        own.as_str()
    } else if options.metadata {
        return Err(Problem::new(Exit::Usage, "--metadata has nothing to ask")
            .because(format!("the instance is named: {words}"))
            .remedy("--instance here, or no --metadata"));
    } else {
        words
    };
    let (name, interface) = match words.split_once('/') {
        Some((name, interface)) => (name, Some(interface)),
        None => (words, None),
    };
    let found = known.catalog.instance(name, interface, known.at);
    found.map(Some).map_err(|error| unknown(&error))
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
