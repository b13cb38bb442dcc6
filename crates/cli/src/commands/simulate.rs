//! `fathom simulate`: a workload on a modelled volume, in virtual time.

mod hosts;
mod input;
mod notes;

use super::volume_model::{self, Model};
use super::{Origin, measure};
use crate::args::{
    ClusterArgs, EngineArgs, EngineChoice, ExplainArgs, Fidelity, RunOptions, SafetyArgs,
    SimulateArgs,
};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::spec::Workload;
use fathom_core::{Cap, EngineKind, Nanos};
use fathom_programs::PROGRAMS;
use fathom_session::{Judged, Observer, RunError, Session};
use fathom_volume::forecast::{Forecast, Unsuited, forecast, interval};
use fathom_volume::layout::Built;
use fathom_volume::model::VolumeModel as _;
use fathom_volume::models::Counted;

/// Intervals of a phase whose requests are followed one by one, unless the option asks for more:
/// each takes about 6 kB of memory.
const DISCRETE_INTERVALS: u64 = 7_200;

/// Requests that are followed one by one unless asked otherwise: some ten seconds.
const DISCRETE_IOS: f64 = 2e7;

pub(crate) fn run(args: &SimulateArgs, origin: &Origin) -> Result<Exit, Error> {
    let workload = input::workload(args)?;
    let seed = args.overrides.get("seed").unwrap_or(1);
    let model = volume_model::build(args, &workload, seed)?;
    let party = hosts::gather(args, &workload, &model)?;
    let built = &model.built;
    let mut options = options(args, built);
    if let Some(span) = args.span {
        options.overrides = options.overrides.with("time", Some(span));
    }
    // What is asked for in the end decides how it is followed.
    let changed = super::overrides::apply(&options.overrides, &workload)?;
    let times = party.as_ref().map_or(1, |party| party.times);
    input::check_size(&changed, &model, times)?;
    let choice = match &party {
        Some(party) => Choice::Discrete(party.why.clone()),
        None => choose(args.fidelity, &changed, &model)?,
    };
    if matches!(choice, Choice::Discrete(_)) && !args.overrides.has("interval") {
        let longer = interval(&changed, DISCRETE_INTERVALS);
        let longer = Some(longer).filter(|longer| *longer != changed.interval);
        options.overrides = options.overrides.with("interval", longer);
    }
    options.simulated = party.as_ref().map(|party| party.members.clone());
    if matches!(choice, Choice::Fluid(..)) {
        refuse_layouts(args)?;
    }
    let targets = input::targets(&changed, &model);
    measure::along(
        &workload,
        &targets,
        &options,
        origin,
        &mut |session, observer| match &party {
            Some(party) => many(session, &model, party, observer),
            None => one(session, &model, &choice, observer),
        },
        &mut |_| Ok(()),
    )
}

fn options(args: &SimulateArgs, built: &Built) -> RunOptions {
    RunOptions {
        overrides: args.overrides.clone(),
        engine: EngineArgs {
            engine: EngineChoice(Some(EngineKind::simulator())),
            ..EngineArgs::default()
        },
        safety: SafetyArgs {
            replace_results: args.replace.overwrite,
            ..SafetyArgs::default()
        },
        explain: ExplainArgs {
            find_limit: args.guess,
            cap: plateaus(&built.caps),
            ..ExplainArgs::default()
        },
        output: args.output.clone(),
        save: args.save.clone(),
        cluster: ClusterArgs::default(),
        members: None,
        simulated: None,
        stop: None,
    }
}

/// The limits at which a load can lie: what lasts, and what holds while credit does.
fn plateaus(caps: &[Cap]) -> Vec<Cap> {
    let bursts = caps.iter().filter_map(|cap| {
        Some(Cap {
            name: format!("{} while credit lasts", cap.name),
            value: cap.burst?.value,
            burst: None,
            ..cap.clone()
        })
    });
    caps.iter().cloned().chain(bursts).collect()
}

/// How the volume is followed, and why.
enum Choice {
    Discrete(String),
    Fluid(Box<Forecast>, String),
}

fn choose(fidelity: Fidelity, workload: &Workload, model: &Model) -> Result<Choice, Problem> {
    let outcome = in_closed_form(workload, model);
    let requests = |ios: f64| format!("about {} requests", fathom_core::figure::iops(ios));
    match (fidelity, outcome) {
        (Fidelity::Discrete, _) => Ok(Choice::Discrete("asked for".to_owned())),
        (Fidelity::Fluid, Ok(forecast)) => {
            Ok(Choice::Fluid(Box::new(forecast), "asked for".to_owned()))
        }
        (Fidelity::Fluid, Err(unsuited)) if unsuited.is_endless() => {
            Err(endless(workload, &unsuited))
        }
        (Fidelity::Auto, Err(unsuited))
            if unsuited.is_endless() && length(workload) > DISCRETE_BURSTS =>
        {
            Err(endless(workload, &unsuited))
        }
        (Fidelity::Fluid, Err(unsuited)) => Err(Problem::new(
            Exit::Usage,
            format!("`{}` cannot be followed in closed form", workload.name),
        )
        .because(unsuited.to_string())
        .remedy("--fidelity discrete")),
        (Fidelity::Auto, Ok(forecast)) if forecast.ios > DISCRETE_IOS => {
            let why = format!(
                "{} are too many to follow one by one",
                requests(forecast.ios)
            );
            Ok(Choice::Fluid(Box::new(forecast), why))
        }
        (Fidelity::Auto, Ok(forecast)) => Ok(Choice::Discrete(requests(forecast.ios))),
        (Fidelity::Auto, Err(unsuited)) => Ok(Choice::Discrete(unsuited.to_string())),
    }
}

/// Length up to which single requests are followed of a load with more bursts than the closed form
/// follows.
const DISCRETE_BURSTS: Nanos = Nanos::from_secs(600);

/// How long a workload is at least.
fn length(workload: &Workload) -> Nanos {
    let phases = workload.phases.iter();
    let phases = phases.map(|one| one.warm_up + one.duration.unwrap_or_default() + one.cool_down);
    let once = phases.fold(Nanos::ZERO, Nanos::saturating_add);
    Nanos(once.0.saturating_mul(workload.repeat.into()))
}

/// More bursts than the closed form follows within seconds.
fn endless(workload: &Workload, unsuited: &Unsuited) -> Problem {
    let thing = format!("`{}` would take long to follow", workload.name);
    Problem::new(Exit::Usage, thing)
        .because(unsuited.to_string())
        .remedy("a shorter --for, a longer `every` with as many bytes more, or --fidelity discrete")
}

/// The forecast, where neither the load nor what stands over the volumes needs single requests.
fn in_closed_form(workload: &Workload, model: &Model) -> Result<Forecast, Unsuited> {
    match model.whole.open_form() {
        Some(cause) => Err(Unsuited {
            job: model.whole.title().to_owned(),
            cause,
        }),
        None => forecast(workload, &mut model.built.system.clone(), &model.roles),
    }
}

/// Layouts of other programs are full of latencies, which the closed form does not know: a zero in
/// their place would be read as one.
fn refuse_layouts(args: &SimulateArgs) -> Result<(), Problem> {
    let layouts = || PROGRAMS.iter().flat_map(|program| program.layouts);
    let is_foreign = |name: &str| name == "hlog" || layouts().any(|layout| layout.name == name);
    let names = args.output.output.iter().map(|output| output.format.name);
    match names.into_iter().find(|name| is_foreign(name)) {
        None => Ok(()),
        Some(name) => Err(
            Problem::new(Exit::Usage, format!("--output {name} cannot be written"))
                .because("it is made of latencies, and the closed form knows none")
                .remedy("--fidelity discrete, or another format"),
        ),
    }
}

/// The result of many hosts, with what is to be said of the model.
fn many(
    mut session: Session<'_>,
    model: &Model,
    party: &hosts::Party,
    observer: &mut dyn Observer,
) -> Result<Judged, RunError> {
    let mut result = session.run(observer)?;
    result.provenance.engine.reason = format!("sim, one request at a time: {}", party.why);
    notes::of_many(&mut result, model);
    notes::name_cause(&mut result, &party.counts.waits());
    Ok(session.judge(result))
}

/// The result of one way or the other, with what is to be said of the model.
fn one(
    session: Session<'_>,
    model: &Model,
    choice: &Choice,
    observer: &mut dyn Observer,
) -> Result<Judged, RunError> {
    let counted = Counted::over(model.whole.clone());
    let counts = counted.counts();
    let mut session = session.modelled(counted.boxed());
    let (mut result, left_out) = match choice {
        Choice::Discrete(why) => {
            let mut result = session.run(observer)?;
            result.provenance.engine.reason = format!("sim, one request at a time: {why}");
            (result, &[][..])
        }
        Choice::Fluid(forecast, why) => {
            let result = session.foretold(forecast, why);
            (result, forecast.left_out.as_slice())
        }
    };
    let is_fluid = matches!(choice, Choice::Fluid(..));
    let is_told = notes::add(&mut result, model, is_fluid, left_out);
    let waits = match choice {
        Choice::Discrete(_) => Some(counts.waits()),
        Choice::Fluid(forecast, _) => forecast.waits.clone(),
    };
    if let Some(waits) = waits.filter(|_| !is_told) {
        notes::name_cause(&mut result, &waits);
    }
    Ok(session.judge(result))
}
