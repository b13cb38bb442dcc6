//! What is told, and what is written or read beside the run.

use crate::fio::option::FioOption;
use crate::fio::settings::{Settings, Unified};
use crate::fio::values::{choice, yes};

const LOGS: &str = "no logs are written; the JSON of `fathom run` holds a time series";
const WITH_LOGS: &str = "only with logs";
const REPLAY: &str = "no trace is replayed";
const WITH_REPLAY: &str = "only with `read_iolog`";
const ALWAYS: &str = "service times are always measured, at a few nanoseconds a request";
const SECONDS: &str = "intervals are of one second";

pub(super) static OPTIONS: &[FioOption] = &[
    FioOption::kept("clat_percentiles", |to, word| {
        to.wanted.completion_percentiles = yes(word)?;
        Ok(())
    }),
    FioOption::kept("lat_percentiles", |to, word| {
        to.wanted.total_percentiles = yes(word)?;
        Ok(())
    }),
    FioOption::refused(
        "slat_percentiles",
        "submission and completion are not timed apart; see lat_percentiles",
    )
    .unless(&["0"]),
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
    FioOption::ignored("gtod_reduce", ALWAYS).unless(&["0"]),
    FioOption::ignored("disable_lat", ALWAYS).unless(&["0"]),
    FioOption::ignored("disable_clat", ALWAYS).unless(&["0"]),
    FioOption::ignored("disable_slat", "submission is not timed apart"),
    FioOption::ignored("disable_bw_measurement", "intervals are always kept")
        .alias(&["disable_bw"])
        .unless(&["0"]),
    FioOption::ignored(
        "significant_figures",
        "figures have as many digits as they deserve",
    ),
    FioOption::ignored("unit_base", "units are always given"),
    FioOption::ignored("bwavgtime", SECONDS),
    FioOption::ignored("iopsavgtime", SECONDS),
    FioOption::ignored("block_error_percentiles", "errors are counted by kind"),
    FioOption::refused("write_bw_log", LOGS),
    FioOption::refused("write_lat_log", LOGS),
    FioOption::refused("write_iops_log", LOGS),
    FioOption::refused("write_hist_log", LOGS),
    FioOption::ignored("log_entries", WITH_LOGS),
    FioOption::ignored("log_avg_msec", WITH_LOGS),
    FioOption::ignored("log_window_value", WITH_LOGS).alias(&["log_max_value"]),
    FioOption::ignored("log_hist_msec", WITH_LOGS),
    FioOption::ignored("log_hist_coarseness", WITH_LOGS),
    FioOption::ignored("log_offset", WITH_LOGS),
    FioOption::ignored("log_prio", WITH_LOGS),
    FioOption::ignored("log_issue_time", WITH_LOGS),
    FioOption::ignored("log_compression", WITH_LOGS),
    FioOption::ignored("log_compression_cpus", WITH_LOGS),
    FioOption::ignored("log_store_compressed", WITH_LOGS),
    FioOption::ignored("log_unix_epoch", WITH_LOGS),
    FioOption::ignored("log_alternate_epoch", WITH_LOGS),
    FioOption::ignored("log_alternate_epoch_clock_id", WITH_LOGS),
    FioOption::ignored("per_job_logs", WITH_LOGS),
    FioOption::refused("write_iolog", LOGS),
    FioOption::refused("read_iolog", REPLAY),
    FioOption::ignored("read_iolog_chunked", WITH_REPLAY),
    FioOption::ignored("replay_no_stall", WITH_REPLAY),
    FioOption::ignored("replay_redirect", WITH_REPLAY),
    FioOption::ignored("replay_scale", WITH_REPLAY),
    FioOption::ignored("replay_align", WITH_REPLAY),
    FioOption::ignored("replay_time_scale", WITH_REPLAY),
    FioOption::ignored("replay_skip", WITH_REPLAY),
    FioOption::refused("merge_blktrace_file", REPLAY),
    FioOption::ignored("merge_blktrace_scalars", WITH_REPLAY),
    FioOption::ignored("merge_blktrace_iters", WITH_REPLAY),
];
