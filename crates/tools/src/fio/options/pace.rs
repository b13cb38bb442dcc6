//! How long, how fast, how much.

use crate::fio::option::FioOption;
use crate::fio::settings::Settings;
use crate::fio::values::{self, choice, yes};
use fathom_core::Nanos;

const SECOND: Nanos = Nanos::from_secs(1);
const MICROSECOND: Nanos = Nanos::from_micros(1);
const ARRIVALS: &str = "requests arrive by the clock, whatever is in flight, where fio waits for \
                        what is in flight; the rate of a mixed job is that at which its busier \
                        direction keeps the limit";
const SLOW: &str = "rates are taken in whole seconds, those of all clones that report together; a \
                    job beside others ends alone";

pub(super) static OPTIONS: &[FioOption] = &[
    FioOption::kept("runtime", |to, word| {
        to.runtime = to.time(word, SECOND)?;
        Ok(())
    })
    .alias(&["timeout"])
    .unless(&["0"]),
    FioOption::kept("time_based", |to, word| {
        to.time_based = yes(word)?;
        Ok(())
    })
    .flag(),
    FioOption::kept("ramp_time", |to, word| {
        to.ramp = to.time(word, SECOND)?;
        Ok(())
    })
    .remark("jobs that run at once begin together, with the longest of them"),
    FioOption::kept("startdelay", Settings::delay)
        .remark("of a range the lower end; counted from the begin of the run, as fio does")
        .unless(&["0"]),
    FioOption::kept("loops", |to, word| {
        to.loops = to.number(word, 1, 1 << 40)?;
        Ok(())
    }),
    FioOption::kept("number_ios", |to, word| {
        to.requests = to.number(word, 0, u64::MAX)?;
        Ok(())
    }),
    FioOption::near("rate", ARRIVALS, |to, word| {
        to.rate = to.numbers(word, to.rate, 0, u64::MAX)?;
        Ok(())
    })
    .unless(&["0"]),
    FioOption::near("rate_iops", ARRIVALS, |to, word| {
        to.rate_iops = to.numbers(word, to.rate_iops, 0, u64::MAX)?;
        Ok(())
    })
    .unless(&["0"]),
    FioOption::kept("rate_process", |to, word| {
        to.poisson = choice(word, &[("linear", false), ("poisson", true)])?;
        Ok(())
    }),
    FioOption::near("rate_min", SLOW, |to, word| {
        to.rate_min = to.numbers(word, to.rate_min, 0, u64::MAX)?;
        Ok(())
    })
    .alias(&["ratemin"])
    .unless(&["0"]),
    FioOption::near("rate_iops_min", SLOW, |to, word| {
        to.rate_iops_min = to.numbers(word, to.rate_iops_min, 0, u64::MAX)?;
        Ok(())
    })
    .unless(&["0"]),
    FioOption::kept("rate_cycle", |to, word| {
        to.rate_cycle = Nanos::from_millis(to.number(word, 1, 1 << 32)?);
        Ok(())
    })
    .alias(&["ratecycle"])
    .remark("rounded up to whole seconds; only with `rate_min`"),
    FioOption::ignored(
        "rate_ignore_thinktime",
        "a rate and a think time are not had together",
    ),
    FioOption::kept("thinktime", |to, word| {
        to.think = to.time(word, MICROSECOND)?;
        Ok(())
    })
    .remark("counted from the completion of the last request in flight"),
    FioOption::kept("thinktime_blocks", |to, word| {
        to.think_blocks = to.number(word, 1, 1 << 40)?;
        Ok(())
    }),
    FioOption::ignored(
        "thinktime_blocks_type",
        "a pause begins when nothing is in flight",
    )
    .unless(&["complete"]),
    FioOption::ignored("thinktime_spin", "a pause uses no processor").unless(&["0"]),
    FioOption::refused(
        "thinktime_iotime",
        "bursts are counted in requests, not in time",
    )
    .unless(&["0"]),
    FioOption::refused("max_latency", "a job is not ended for a slow request").unless(&["0"]),
    FioOption::kept("latency_target", |to, word| {
        to.target.within = to.time(word, MICROSECOND)?;
        Ok(())
    })
    .unless(&["0"])
    .remark(
        "each clone looks for its depth; what is reported is the last window, when all have found \
         it; where even one request in flight takes longer, one window of that ends the search",
    ),
    FioOption::kept("latency_window", |to, word| {
        to.target.window = to.time(word, MICROSECOND)?;
        Ok(())
    })
    .remark("needed with `latency_target`, 10 ms at least"),
    FioOption::kept("latency_percentile", |to, word| {
        to.target.percent = values::percent(word.text())?;
        Ok(())
    }),
    FioOption::kept("latency_run", |to, word| {
        to.target.follows = yes(word)?;
        Ok(())
    }),
    FioOption::near(
        "steadystate",
        "the measured time is the first steady window, where fio reports the whole run; besides \
         the limit, the rounds may differ by their mean at most",
        Settings::criterion,
    )
    .alias(&["ss"]),
    FioOption::kept("steadystate_duration", |to, word| {
        to.steady_time = to.time(word, SECOND)?;
        Ok(())
    })
    .alias(&["ss_dur"]),
    FioOption::kept("steadystate_ramp_time", |to, word| {
        to.steady_ramp = to.time(word, SECOND)?;
        Ok(())
    })
    .alias(&["ss_ramp"]),
    FioOption::ignored("steadystate_check_interval", "rounds are of one second")
        .alias(&["ss_interval"]),
];
