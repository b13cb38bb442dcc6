//! What is reported, and what is written or read in addition to the run.

use crate::log_lines::FioWindowValue;
use crate::option::FioOption;
use crate::settings::{Settings, Unified, Untold};
use crate::values::{choice, yes};
use fathom_core::Nanos;

const MILLISECOND: Nanos = Nanos::from_millis(1);
const NAMES: &str = "in the files and columns of fio; among the words of a call the next word is \
                     its value, whatever that is, as fio takes it";
const STORED: &str = "lines are written as requests complete";
const EPOCH: &str = "by the clock of the day";
const REPLAY: &str = "traces are not merged";
const AS_RECORDED: &str = "not supported by Fathom; requests are replayed as recorded; edit the \
                           trace before the run";
const WITH_REPLAY: &str = "only with `merge_blktrace_file`";
const UNTOLD: &str = "left out of reports and logs; Fathom still measures it";
const RATES: &str = "of its log, where `log_avg_msec` asks for windows; the report has seconds";

pub(super) static OPTIONS: &[FioOption] = &[
    FioOption::kept("clat_percentiles", |to, word| {
        to.wanted.completion_percentiles = yes(word)?;
        Ok(())
    }),
    FioOption::kept("lat_percentiles", |to, word| {
        to.wanted.total_percentiles = yes(word)?;
        Ok(())
    }),
    FioOption::kept("slat_percentiles", |to, word| {
        to.wanted.submission_percentiles = yes(word)?;
        Ok(())
    })
    .remark(
        "from the begin of the turn that prepares a request until it is handed over; fio's also \
         holds the call that hands it over",
    ),
    FioOption::kept("percentile_list", Settings::percentiles),
    FioOption::kept("unified_rw_reporting", |to, word| {
        let known = [
            ("none", Unified::None),
            ("0", Unified::None),
            ("mixed", Unified::Mixed),
            ("1", Unified::Mixed),
            ("both", Unified::Both),
            ("2", Unified::Both),
        ];
        to.wanted.unified = choice(word, &known)?;
        Ok(())
    }),
    FioOption::kept("disk_util", |to, word| {
        to.wanted.disk_util = yes(word)?;
        Ok(())
    }),
    FioOption::ignored("stats", "statistics are always kept").unless(&["1"]),
    FioOption::kept("gtod_reduce", |to, word| {
        to.wanted.untold = Untold::all(yes(word)?);
        Ok(())
    })
    .remark(UNTOLD),
    FioOption::kept("disable_lat", |to, word| {
        to.wanted.untold.total = yes(word)?;
        Ok(())
    })
    .remark(UNTOLD),
    FioOption::kept("disable_clat", |to, word| {
        to.wanted.untold.completion = yes(word)?;
        Ok(())
    })
    .remark(UNTOLD),
    FioOption::kept("disable_slat", |to, word| {
        to.wanted.untold.submission = yes(word)?;
        Ok(())
    })
    .remark(UNTOLD),
    FioOption::kept("disable_bw_measurement", |to, word| {
        to.wanted.untold.bandwidth = yes(word)?;
        Ok(())
    })
    .alias(&["disable_bw"])
    .remark(UNTOLD),
    FioOption::kept("significant_figures", |to, word| {
        to.wanted.units.digits = to.number(word, 1, 10)? as u32;
        Ok(())
    }),
    FioOption::kept("unit_base", |to, word| {
        // None is that of the engine, and all of them count bytes.
        let known = [("0", false), ("8", false), ("1", true)];
        to.wanted.units.bits = choice(word, &known)?;
        Ok(())
    })
    .remark("of rates; 1 is bits"),
    FioOption::near("bwavgtime", RATES, |to, word| {
        to.logs.bandwidth_window = Some(to.time(word, MILLISECOND)?);
        Ok(())
    }),
    FioOption::near("iopsavgtime", RATES, |to, word| {
        to.logs.iops_window = Some(to.time(word, MILLISECOND)?);
        Ok(())
    }),
    FioOption::ignored("block_error_percentiles", "errors are counted by kind"),
    FioOption::kept("write_bw_log", |to, word| {
        to.logs.bandwidth = Some(word.text().to_owned());
        Ok(())
    })
    .text()
    .remark(NAMES),
    FioOption::kept("write_lat_log", |to, word| {
        to.logs.latency = Some(word.text().to_owned());
        Ok(())
    })
    .text()
    .remark(NAMES),
    FioOption::kept("write_iops_log", |to, word| {
        to.logs.iops = Some(word.text().to_owned());
        Ok(())
    })
    .text()
    .remark(NAMES),
    FioOption::kept("write_hist_log", |to, word| {
        to.logs.histogram = Some(word.text().to_owned());
        Ok(())
    })
    .text()
    .remark("in the files and buckets of fio; a call has its value as `write_bw_log` has"),
    FioOption::ignored("log_entries", "a log has no end").also(|to, word| {
        to.number(word, 1024, u64::from(u32::MAX))?;
        Ok(())
    }),
    FioOption::kept("log_avg_msec", |to, word| {
        to.logs.window = to.time(word, MILLISECOND)?;
        Ok(())
    })
    .remark("windows end at multiples of it"),
    FioOption::kept("log_max_value", |to, word| {
        let known = [
            ("avg", FioWindowValue::Mean),
            ("0", FioWindowValue::Mean),
            ("max", FioWindowValue::Largest),
            ("1", FioWindowValue::Largest),
            ("both", FioWindowValue::Both),
        ];
        to.logs.value = choice(word, &known)?;
        Ok(())
    })
    .alias(&["log_window_value"])
    .remark("only with `log_avg_msec`; of rates the largest of a window is its rate"),
    FioOption::kept("log_hist_msec", |to, word| {
        to.logs.histogram_window = to.time(word, MILLISECOND)?;
        Ok(())
    }),
    FioOption::kept("log_hist_coarseness", |to, word| {
        to.logs.coarseness = to.number(word, 0, 6)? as u32;
        Ok(())
    }),
    FioOption::kept("log_offset", |to, word| {
        to.logs.offset = yes(word)?;
        Ok(())
    }),
    FioOption::kept("log_prio", |to, word| {
        to.logs.priority = yes(word)?;
        Ok(())
    }),
    FioOption::kept("log_issue_time", |to, word| {
        to.logs.issue = yes(word)?;
        Ok(())
    })
    .remark("of a later fio"),
    FioOption::ignored("log_compression", STORED),
    FioOption::ignored("log_compression_cpus", STORED),
    FioOption::refused(
        "log_store_compressed",
        "not supported by Fathom; pack the logs after the run, as with `gzip`",
    )
    .unless(&["0"]),
    FioOption::kept("log_unix_epoch", Settings::epoch),
    FioOption::kept("log_alternate_epoch", Settings::epoch).remark(EPOCH),
    FioOption::refused("log_alternate_epoch_clock_id", EPOCH).unless(&["0"]),
    FioOption::kept("per_job_logs", |to, word| {
        to.logs.together = !yes(word)?;
        Ok(())
    })
    .remark("in one file, clone after clone, appended; fio orders them by their end"),
    FioOption::near(
        "write_iolog",
        "version 3; the requests that completed, those of all clones in one file, which is emptied \
         before; a file for each job. A flush has the offset of the request before it, as fio's \
         have with one request in flight; with more, theirs are of any of those before",
        |to, word| {
            to.logs.trace = Some(word.text().to_owned());
            Ok(())
        },
    ),
    FioOption::kept("read_iolog", |to, word| {
        to.replays.traces = Settings::names(word)?;
        Ok(())
    })
    .remark(
        "versions 2 and 3, and traces of blktrace; once and as a whole, whatever `loops`, \
         `time_based` and `number_ios` say",
    ),
    FioOption::ignored(
        "read_iolog_chunked",
        "a trace is read before the clock runs",
    ),
    FioOption::kept("replay_no_stall", |to, word| {
        to.replays.no_stall = yes(word)?;
        Ok(())
    }),
    FioOption::kept("replay_redirect", |to, word| {
        to.replays.redirect = Some(word.text().to_owned());
        Ok(())
    }),
    FioOption::kept("replay_scale", |to, word| {
        to.replays.scale = to.number(word, 1, 1 << 40)?;
        Ok(())
    }),
    FioOption::refused("replay_align", AS_RECORDED).unless(&["0"]),
    FioOption::kept("replay_time_scale", |to, word| {
        to.replays.time_scale = to.number(word, 1, 1 << 40)?;
        Ok(())
    }),
    FioOption::refused("replay_skip", AS_RECORDED),
    FioOption::refused("merge_blktrace_file", REPLAY),
    FioOption::ignored("merge_blktrace_scalars", WITH_REPLAY),
    FioOption::ignored("merge_blktrace_iters", WITH_REPLAY),
];
