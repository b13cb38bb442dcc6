//! How long, how fast, how much.

use crate::option::{At, FioOption, set};
use crate::settings::Settings;
use crate::values::{choice, yes};
use crate::write::pacing::{in_bytes, in_requests, limits};
use crate::write::time;
use crate::write::times::{self, is_odd};
use fathom_core::rows;
use fathom_core::spec::{Arrivals, Pacing};
use fathom_core::{Nanos, Rate};
use fathom_tools::translation::Standing;

const SECOND: Nanos = Nanos::from_secs(1);
const MICROSECOND: Nanos = Nanos::from_micros(1);
const ARRIVALS: &str = "requests arrive by the clock, whatever is in flight, where fio waits for \
                        what is in flight; reads and writes whose rates are not those of the mix \
                        become a job each and share the amount by their rates; on storage that is \
                        too slow for these, fio keeps the mix";
const SEARCH: &str = "not supported by Fathom; `fathom ramp` finds the load that keeps a latency";
const FLOORS: &str = "not supported by Fathom; `fathom run --require` says of a whole run whether \
                      it was fast enough";

/// Most requests of a burst or passes of a job.
const MOST_REQUESTS: u64 = 1 << 40;

pub(super) static OPTIONS: &[FioOption] = rows! { FioOption;
    kept("runtime", set!(to, word => to.runtime = to.time(word, SECOND)?)).alias(&["timeout"])
        .unless(&["0"]).of_job(At::Time(1), times::write_runtime);
    kept("time_based", set!(to, word => to.time_based = yes(word)?)).flag()
        .of_job(At::Time(8), |of, pen| pen.flag_if(times::is_timed(of)));
    kept("ramp_time", set!(to, word => to.ramp = to.time(word, SECOND)?))
        .remark("of jobs that run at once, those with a shorter one begin later; the bytes done \
             meanwhile are part of amounts, and not of the report")
        .of_job(At::Time(0), |of, pen| {
            let stop = of.job.stop;
            let bytes = stop.bytes.is_some() && stop.ios.is_none();
            pen.lose_if(
                of.phase.warm_up > Nanos::ZERO && bytes != stop.with_warm_up && stop.is_set(),
                Standing::Approximated,
                "stop",
                "fio counts the bytes of the warm-up as part of the amount, and not its requests",
            );
            let ramp = of.phase.warm_up;
            pen.put_some((ramp > Nanos::ZERO).then(|| time(ramp.0)));
        });
    kept("startdelay", Settings::delay)
        .remark("of a range the lower end; counted from the start of the run, as fio does")
        .unless(&["0"]);
    kept("loops", set!(to, word => to.loops = to.number(word, 1, MOST_REQUESTS)?))
        .remark("writes of one size are read back after each pass, as part of the measured time; \
             those of a mix after the last pass. Of a job that only reads each pass is \
             checked, where fio 3.33 makes one with verify");
    kept("number_ios", set!(to, word => to.requests = to.number(word, 0, u64::MAX)?))
        .remark("behind `ramp_time`, within which fio ends a job that makes that number")
        .of_job(At::Time(7), |of, pen| {
            pen.lose_if(
                of.job.stop.as_before,
                Standing::Approximated,
                "stop",
                "fio does not know how much a job before has done",
            );
            pen.put_some(times::requests(of));
        });
    near("rate", ARRIVALS, set!(to, word => to.rate = to.numbers(word, to.rate, 0, u64::MAX)?))
        .unless(&["0"])
        .of_job(At::Pace(3), |of, pen| {
            if let Some(rate @ Rate::BytesPerSecond(_)) = of.rate {
                limits(of, rate, in_bytes, pen);
            }
        });
    near("rate_iops", ARRIVALS,
        set!(to, word => to.rate_iops = to.numbers(word, to.rate_iops, 0, u64::MAX)?))
        .unless(&["0"])
        .of_job(At::Pace(4), |of, pen| {
            if let Some(rate @ Rate::Iops(_)) = of.rate {
                limits(of, rate, in_requests, pen);
            }
        });
    kept("rate_process",
        set!(to, word => to.poisson = choice(word, &[("linear", false), ("poisson", true)])?))
        .of_job(At::Pace(2), |of, pen| {
            let Pacing::Open { arrivals, .. } = of.job.pacing else {
                return;
            };
            pen.put_some((arrivals == Arrivals::Poisson).then_some("poisson"));
        });
    refused("rate_min", FLOORS).alias(&["ratemin"]).unless(&["0"]);
    refused("rate_iops_min", FLOORS).unless(&["0"]);
    ignored("rate_cycle", "only with `rate_min`").alias(&["ratecycle"]);
    refused("rate_ignore_thinktime",
        "not supported by Fathom; after a pause, the job catches up with its rate").unless(&["0"]);
    kept("thinktime", set!(to, word => to.think = to.time(word, MICROSECOND)?))
        .remark("counted from the completion of the last request in flight; with a rate, the \
             slower of the two holds, since fio catches up behind pauses")
        .of_job(At::Pace(0), |of, pen| {
            let Pacing::Closed { think, .. } = of.job.pacing else {
                return;
            };
            if think == Nanos::ZERO {
                return;
            }
            pen.put(time(think.0));
            pen.lose_if(
                is_odd(think),
                Standing::Approximated,
                "think",
                "fio counts microseconds; rounded up",
            );
        });
    kept("thinktime_blocks", set!(to, word => to.think_blocks = to.number(word, 1, MOST_REQUESTS)?))
        .of_job(At::Pace(1), |of, pen| {
            let Pacing::Closed { think, burst } = of.job.pacing else {
                return;
            };
            if think == Nanos::ZERO || burst <= 1 {
                return;
            }
            pen.put(burst.min(MOST_REQUESTS));
            let message = "it is 2^40 requests";
            pen.lose_if(
                burst > MOST_REQUESTS,
                Standing::Approximated,
                "burst",
                message,
            );
        });
    ignored("thinktime_blocks_type", "a pause begins when nothing is in flight")
        .unless(&["complete"]);
    ignored("thinktime_spin", "a pause uses no processor").unless(&["0"]);
    refused("thinktime_iotime",
        "not supported by Fathom; `thinktime_blocks` says after how many requests a pause begins")
        .unless(&["0"]);
    refused("max_latency", "not supported by Fathom; `--slo` judges the latencies of a run")
        .unless(&["0"]);
    refused("latency_target", SEARCH).unless(&["0"]);
    refused("latency_window", SEARCH).unless(&["0"]);
    refused("latency_percentile", SEARCH).unless(&["100", "100.0"]);
    refused("latency_run", SEARCH).unless(&["0"]);
    near("steadystate",
        "requests, bytes and time are those of the whole run, latencies those of its first steady \
         window; the means of the rounds may differ by their mean at most. A limit of `lat` \
         is a share", Settings::criterion).alias(&["ss"])
        .of_job(At::Time(2), |of, pen| {
            pen.put_some(of.phase.steady.as_ref().map(times::criterion));
        });
    kept("steadystate_duration", set!(to, word => to.steady_time = to.time(word, SECOND)?))
        .alias(&["ss_dur"]).of_job(At::Time(3), times::write_window);
    kept("steadystate_ramp_time", set!(to, word => to.steady_ramp = to.time(word, SECOND)?))
        .alias(&["ss_ramp"]);
    ignored("steadystate_check_interval", "rounds are of one second").alias(&["ss_interval"]);
};
