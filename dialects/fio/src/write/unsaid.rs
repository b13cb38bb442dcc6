//! What has no option.

use super::place::parts_of_fresh;
use super::subject::{OfJob, OfRun};
use fathom_core::Nanos;
use fathom_core::spec::{Arrivals, CursorScope, Pacing, Phase, TargetOrder, Walk};
use fathom_tools::losses::Losses;
use fathom_tools::translation::{Affinity, Standing};
use fathom_tools::writers::begin_and_end;

pub(crate) fn of_run(run: &OfRun<'_>, losses: &mut Losses) {
    losses.say_if(
        run.workload.interval != Nanos::from_secs(1),
        Standing::Ignored,
        "interval",
        "a job file does not say at which times the run reports",
    );
    losses.say_if(
        run.workload.salt.is_some(),
        Standing::Ignored,
        "salt",
        "fio takes the content of buffers from the seed of the offsets",
    );
    losses.say_if(
        !run.wishes.keep_files,
        Standing::Ignored,
        "keep",
        "fio leaves the files that it made, where Fathom removes its own; unlink=1 would remove \
         yours as well",
    );
    losses.say_if(
        run.wishes.affinity == Affinity::RoundRobin,
        Standing::Approximated,
        "affinity",
        "fio pins to processors by number, which the workload does not name; \
         cpus_allowed=0-N with cpus_allowed_policy=split",
    );
    losses.say_if(
        !run.wishes.directories.is_empty(),
        Standing::Ignored,
        "directories",
        "fio makes no directories; make them before",
    );
}

/// Of the order of a job's requests.
pub(crate) fn of_order(of: &OfJob<'_>, losses: &mut Losses) {
    let both = of.mix.reads() && of.mix.writes();
    losses.say_if(
        of.job.access.walk.appends(),
        Standing::Refused,
        "walk",
        "fio writes where it takes a zone's write pointer to be, and appends nothing",
    );
    losses.say_if(
        matches!(of.job.access.walk, Walk::Zones { .. }),
        Standing::Refused,
        "walk",
        "zones correspond to zonemode=strided, which Fathom does not write",
    );
    losses.say_if(
        of.job.access.cursor_scope == CursorScope::Shared && both && of.is_sequential(),
        Standing::Approximated,
        "cursor_scope",
        "fio's reads and writes keep a position each: a write does not move the next read",
    );
    losses.say_if(
        of.job.compat().target_order == Some(TargetOrder::Drawn),
        Standing::Approximated,
        "target_order",
        "fio's files have as many requests each in a pass as they hold, where these are drawn by \
         themselves",
    );
    losses.say_if(
        !of.job.compat().target_weights.is_empty(),
        Standing::Refused,
        "target_weights",
        "fio gives files no shares of the requests",
    );
    losses.say_if(
        of.job.fresh && parts_of_fresh(of.job),
        Standing::Approximated,
        "fresh",
        "fio lays the file out before, where several clones or a clock write it",
    );
}

/// Of the times at which its requests go.
pub(crate) fn of_pace(of: &OfJob<'_>, losses: &mut Losses) {
    begin_and_end(of.job, losses);
    if matches!(
        of.job.pacing,
        Pacing::Open {
            arrivals: Arrivals::Bursts(_),
            ..
        }
    ) {
        losses.say(
            Standing::Refused,
            "arrivals",
            "fio has no bursts over a base rate; their mean rate stands for them",
        );
    }
    match &of.job.pacing {
        Pacing::Closed { .. } => {}
        Pacing::Open { .. } => losses.say(
            Standing::Approximated,
            "rate",
            "fio holds requests back while its queue is full and counts their time from then on, \
             so what waiting costs is not in its latencies",
        ),
        Pacing::Cyclic { .. } | Pacing::Triggered { .. } => losses.say(
            Standing::Refused,
            "pacing",
            "fio has no bursts by the clock or after those of another job; their mean rate \
             stands for them",
        ),
    }
}

/// Of its end.
pub(crate) fn of_time(of: &OfJob<'_>, losses: &mut Losses) {
    losses.say_if(
        of.phase.cool_down > Nanos::ZERO,
        Standing::Approximated,
        "cool_down",
        "fio's jobs end with the measured time",
    );
    losses.say_if(
        of.phase.drain_timeout != Phase::plain().drain_timeout,
        Standing::Approximated,
        "drain_timeout",
        "fio waits for requests in flight without a limit",
    );
}
