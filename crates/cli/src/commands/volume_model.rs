//! From `--volume` and `--instance` to a model.

use crate::args::{CatalogOptions, EngineArgs, InstanceOptions, ServiceWord, SimulateArgs};
use crate::commands::catalog::{Known, known, unknown};
use crate::commands::here;
use crate::error::Problem;
use crate::exit::Exit;
use fathom_core::spec::Workload;
use fathom_volume::Layout;
use fathom_volume::catalog::InstanceType;
use fathom_volume::layout::{
    Bench, BuildError, Built, ExpressionError, Options, Spread, build_roles,
};
use fathom_volume::model::VolumeModel;

/// A model as it is run: the volumes, and what stands over them.
pub(super) struct Model {
    /// The volumes alone, with what to say of them.
    pub(super) built: Built,
    /// Whether anything stands over them.
    pub(super) is_layered: bool,
    /// All of it.
    pub(super) whole: Box<dyn VolumeModel>,
    /// The roles that have volumes of their own, in the order of their places.
    pub(super) roles: Vec<String>,
}

/// The model that the options name; chance is drawn from `seed`.
pub(super) fn build(args: &SimulateArgs, workload: &Workload, seed: u64) -> Result<Model, Problem> {
    let known = known(&args.catalog)?;
    // Who says how long a request takes and nothing else means every one.
    let usual = args.service_time.map_or(Spread::USUAL, |_| Spread::None);
    let spread = args.service_law.map_or(usual, ServiceWord::spread);
    let options = Options {
        instance: instance(&known, &args.instance)?,
        instance_credit: credit(&args.instance)?,
        cache_hits: args.cache_hits.map(|percent| percent.0 / 100.0),
        service: args.service_time.map(|time| spread.law(time.0 as f64)),
        spread,
        servers: args.servers,
        seed,
    };
    let Some(volume) = &args.volume else {
        return of_roles(args, workload, &known, &options);
    };
    let bench = bench(volume)?;
    let built = bench
        .layout
        .build(&known.catalog, known.at, &options)
        .map_err(|error| impossible(&error))?;
    Ok(Model {
        whole: bench.over(built.system.boxed(), seed),
        is_layered: !bench.layers.is_empty(),
        built,
        roles: Vec::new(),
    })
}

/// The volumes of each `--role`, in the order in which the workload names the roles: its targets
/// are numbered so.
fn of_roles(
    args: &SimulateArgs,
    workload: &Workload,
    known: &Known,
    options: &Options<'_>,
) -> Result<Model, Problem> {
    let mut given: Vec<(String, Layout)> = Vec::new();
    for text in &args.role {
        let (role, volume) = text.split_once('=').ok_or_else(|| {
            Problem::new(Exit::Usage, format!("`{text}` names no role"))
                .remedy("--role data=gp3:1TiB")
        })?;
        if given.iter().any(|(known, _)| known == role) {
            return Err(
                Problem::new(Exit::Usage, format!("the role {role} is given twice"))
                    .remedy("a stripe, as in data=4x gp3:500GiB"),
            );
        }
        given.push((role.to_owned(), layout(volume)?));
    }
    let wanted = roles(workload)?;
    let mut roles = Vec::new();
    for role in &wanted {
        let place = given.iter().position(|(known, _)| known == role);
        let place = place.ok_or_else(|| {
            Problem::new(
                Exit::Usage,
                format!("no volume is given for the role {role}"),
            )
            .because(format!(
                "`{}` has jobs with the target @{role}",
                workload.name
            ))
            .remedy(format!("--role {role}=VOLUME"))
        })?;
        roles.push(given.swap_remove(place));
    }
    if let Some((role, _)) = given.first() {
        let thing = format!("`{}` has no role {role}", workload.name);
        return Err(Problem::new(Exit::Usage, thing).remedy(wanted.join(", ")));
    }
    let built = build_roles(&roles, &known.catalog, known.at, options)
        .map_err(|error| impossible(&error))?;
    Ok(Model {
        whole: built.system.boxed(),
        is_layered: false,
        built,
        roles: wanted,
    })
}

/// The roles of a workload whose jobs all have one, each once, in the order of their targets.
fn roles(workload: &Workload) -> Result<Vec<String>, Problem> {
    let mut roles: Vec<String> = Vec::new();
    for job in workload.phases.iter().flat_map(|phase| &phase.jobs) {
        let named = job
            .targets
            .iter()
            .filter_map(|target| target.strip_prefix('@'));
        let named: Vec<&str> = named.collect();
        if named.is_empty() || named.len() < job.targets.len() {
            let thing = format!("the job `{}` of `{}` has no role", job.name, workload.name);
            return Err(Problem::new(Exit::Usage, thing)
                .because("with --role each request goes to the volumes of a role")
                .remedy("target = \"@data\" in the job, or --volume for all of them"));
        }
        for role in named {
            if !roles.iter().any(|known| known == role) {
                roles.push(role.to_owned());
            }
        }
    }
    Ok(roles)
}

/// The model of `run --engine sim --sim-volume`: limits of today unless a day is given.
pub(super) fn of_engine(
    args: &EngineArgs,
    text: &str,
    seed: u64,
) -> Result<Box<dyn VolumeModel>, Problem> {
    let known = known(&CatalogOptions {
        as_of: args.sim_as_of,
        ..CatalogOptions::default()
    })?;
    let bench = bench(text)?;
    let before = InstanceOptions {
        instance: args.sim_instance.clone(),
        metadata: false,
    };
    let options = Options {
        instance: instance(&known, &before)?,
        instance_credit: credit(&before)?,
        spread: Spread::USUAL,
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
    let (words, _) = with_credit(words)?;
    let (name, interface) = match words.split_once('/') {
        Some((name, interface)) => (name, Some(interface)),
        None => (words, None),
    };
    let found = known.catalog.instance(name, interface, known.at);
    found.map(Some).map_err(|error| unknown(&error))
}

/// Share of its full buckets that the instance begins with, 0 to 1.
pub(crate) fn credit(options: &InstanceOptions) -> Result<f64, Problem> {
    let words = options.instance.as_deref();
    Ok(words
        .map(with_credit)
        .transpose()?
        .map_or(1.0, |(_, credit)| credit))
}

/// An instance as it is named, and the credit that it begins with.
fn with_credit(words: &str) -> Result<(&str, f64), Problem> {
    let Some((name, credit)) = words.split_once(':') else {
        return Ok((words, 1.0));
    };
    let share = credit.strip_prefix("credit=").and_then(|percent| {
        let number = percent.trim_end_matches('%').parse::<f64>().ok()?;
        (0.0..=100.0).contains(&number).then_some(number / 100.0)
    });
    let share = share.ok_or_else(|| {
        Problem::new(
            Exit::Usage,
            format!("cannot read `{credit}` of the instance {name}"),
        )
        .remedy(format!("{name}:credit=0% to {name}:credit=100%"))
    })?;
    Ok((name, share))
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
