//! `fathom simulate`: a workload on a modelled volume, in virtual time.

mod input;
pub(super) mod model;
mod notes;

use super::{Origin, measure};
use crate::args::{
    EngineArgs, EngineChoice, ExplainArgs, Fidelity, RunOptions, SafetyArgs, SimulateArgs,
};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::result::{RunResult, SCHEMA_VERSION, TargetInfo, Timings};
use fathom_core::spec::Workload;
use fathom_core::{Cap, State};
use fathom_engine::{Clock, EngineKind, Selection};
use fathom_session::plan::RunPlan;
use fathom_session::provenance;
use fathom_session::{Control, Observer, RunError};
use fathom_volume::forecast::{Forecast, Unsuited, forecast};
use fathom_volume::layout::Built;
use model::Model;

/// Requests that are followed one by one unless asked otherwise: some ten seconds.
const DISCRETE_IOS: f64 = 2e7;

pub(crate) fn run(args: &SimulateArgs, origin: &Origin) -> Result<Exit, Error> {
    let workload = input::workload(args)?;
    let model = model::build(args, &workload)?;
    let built = &model.built;
    let mut options = options(args, built);
    if let Some(span) = args.span {
        options.overrides = options.overrides.with("time", Some(span));
    }
    // What is asked for in the end decides how it is followed.
    let changed = super::overrides::apply(&options.overrides, &workload)?;
    input::check_size(&changed, &model)?;
    let choice = choose(args.fidelity, &changed, &model)?;
    if matches!(choice, Choice::Fluid(..)) {
        refuse_layouts(args)?;
    }
    let targets = input::targets(&changed, &model);
    measure::along(
        &workload,
        &targets,
        &options,
        origin,
        &mut |plan, control, observer| one(plan, &model, &choice, control, observer),
        &mut |_| Ok(()),
    )
}

fn options(args: &SimulateArgs, built: &Built) -> RunOptions {
    RunOptions {
        overrides: args.overrides.clone(),
        engine: EngineArgs {
            engine: EngineChoice(Some(EngineKind::Sim)),
            ..EngineArgs::default()
        },
        safety: SafetyArgs {
            overwrite: args.replace.overwrite,
            ..SafetyArgs::default()
        },
        explain: ExplainArgs {
            explain: args.guess,
            probe: false,
            cliff: None,
            require: Vec::new(),
            cap: plateaus(&built.caps),
        },
        output: args.output.clone(),
        save: args.save.clone(),
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
    let mut whole = model.whole.clone();
    let title = model.whole.title();
    let outcome: Result<Forecast, Unsuited> = forecast(workload, whole.as_mut(), title);
    let requests = |ios: f64| format!("about {} requests", fathom_core::figure::iops(ios));
    match (fidelity, outcome) {
        (Fidelity::Discrete, _) => Ok(Choice::Discrete("asked for".to_owned())),
        (Fidelity::Fluid, Ok(forecast)) => {
            Ok(Choice::Fluid(Box::new(forecast), "asked for".to_owned()))
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

/// Layouts of other programs are full of latencies, which the closed form does not know: a zero in
/// their place would be read as one.
fn refuse_layouts(args: &SimulateArgs) -> Result<(), Problem> {
    const FOREIGN: [&str; 7] = [
        "fio",
        "diskspd",
        "iometer",
        "iotest",
        "rhel-iotest",
        "dd",
        "hlog",
    ];
    let is_foreign = |name: &str| FOREIGN.iter().any(|tool| name.starts_with(tool));
    let names = args.output.output.iter().map(|output| output.format.name);
    match names.into_iter().find(|name| is_foreign(name)) {
        None => Ok(()),
        Some(name) => Err(
            Problem::new(Exit::Usage, format!("--output {name} cannot be written"))
                .because("it is made of latencies, and the closed form knows none")
                .remedy("--fidelity discrete, or another form"),
        ),
    }
}

fn one(
    plan: &RunPlan,
    model: &Model,
    choice: &Choice,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<RunResult, RunError> {
    let mut plan = plan.clone();
    plan.engine.model = Some(model.whole.clone());
    let mut result = match choice {
        Choice::Discrete(_) => fathom_session::run(&plan, control, observer)?,
        Choice::Fluid(forecast, why) => {
            plan.workload.interval = forecast.interval;
            at_once(&plan, forecast, why)
        }
    };
    if let Choice::Discrete(why) = choice {
        result.provenance.engine.reason = format!("sim, one request at a time: {why}");
    }
    let left_out = match choice {
        Choice::Fluid(forecast, _) => forecast.left_out.as_slice(),
        Choice::Discrete(_) => &[],
    };
    let is_fluid = matches!(choice, Choice::Fluid(..));
    notes::add(&mut result, model, is_fluid, left_out);
    Ok(result)
}

/// The result of a forecast, as if a run had brought it.
fn at_once(plan: &RunPlan, forecast: &Forecast, why: &str) -> RunResult {
    let mut clock = Clock::new();
    let started_utc_ns = fathom_engine::clock::utc_now_ns();
    let now = Clock::monotonic().now();
    let origin = provenance::Origin {
        plan,
        selection: Selection {
            kind: EngineKind::Sim,
            reason: format!("sim, in closed form: {why}"),
        },
        flags: vec!["virtual_time".to_owned(), "closed_form".to_owned()],
        started_utc_ns,
        timings: Timings {
            first_io_ns: 0,
            layout_ns: 0,
            total_ns: now.saturating_sub(plan.process_start).0,
        },
    };
    let jobs = || plan.workload.phases.iter().flat_map(|phase| &phase.jobs);
    let used = jobs().filter_map(|job| job.window.or(job.size));
    let model = plan.engine.model.as_ref();
    let all = model.map_or(0, |model| model.size_bytes());
    let target = TargetInfo {
        path: model.map_or_else(String::new, |model| model.title().to_owned()),
        kind: "none".to_owned(),
        size_bytes: used.max().map_or(all, |size| size.0),
        direct: jobs().all(|job| job.durability.direct),
        ..TargetInfo::default()
    };
    RunResult {
        schema_version: SCHEMA_VERSION,
        run_id: fathom_core::result::run_id(started_utc_ns, u64::from(std::process::id())),
        state: State::Invalid,
        caveats: Vec::new(),
        coverage: None,
        provenance: provenance::of(origin, vec![target], &mut clock),
        phases: forecast.phases.clone(),
        ramp: None,
        probes: Vec::new(),
        micro_probes: Vec::new(),
        cliff: None,
        requirements: Vec::new(),
    }
}
