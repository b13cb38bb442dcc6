//! A forecast in closed form as a result, as if a run had brought it.

use crate::local::Local;
use crate::plan::Plan;
use crate::provenance;
use fathom_core::EngineKind;
use fathom_core::result::{RunResult, TargetInfo, Timings};
use fathom_engine::{Clock, Selection};
use fathom_volume::forecast::Forecast;

/// The result of a forecast by the model of a session; `why` it was not followed one by one.
pub(crate) fn result(plan: &Plan, local: &Local<'_>, forecast: &Forecast, why: &str) -> RunResult {
    let mut plan = plan.clone();
    plan.workload.interval = forecast.interval;
    let mut clock = Clock::new();
    let started_utc_ns = fathom_engine::clock::utc_now_ns();
    let now = Clock::monotonic().now();
    let origin = provenance::Origin {
        plan: &plan,
        model: local.model.as_deref(),
        selection: Selection::one(
            EngineKind::simulator(),
            format!("sim, in closed form: {why}"),
        ),
        flags: vec!["virtual_time".to_owned(), "closed_form".to_owned()],
        started_utc_ns,
        timings: Timings {
            first_io_ns: 0,
            layout_ns: 0,
            total_ns: now.saturating_sub(local.process_start).0,
        },
        io_limits: Ok(Vec::new()),
    };
    let jobs = || plan.workload.phases.iter().flat_map(|phase| &phase.jobs);
    let used = jobs().filter_map(|job| job.window.or(job.size));
    let model = local.model.as_ref();
    let all = model.map_or(0, |model| model.size_bytes());
    let target = TargetInfo {
        path: model.map_or_else(String::new, |model| model.title().to_owned()),
        kind: "none".to_owned(),
        size_bytes: used.max().map_or(all, |size| size.0),
        direct: jobs().all(|job| job.durability.direct),
        ..TargetInfo::default()
    };
    RunResult::unjudged(
        fathom_core::result::run_id(started_utc_ns, u64::from(std::process::id())),
        provenance::of(origin, vec![target], &mut clock),
        forecast.phases.clone(),
    )
}
