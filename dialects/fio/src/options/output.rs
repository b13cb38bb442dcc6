//! What is reported, and what is written or read in addition to the run.

use crate::log_lines::FioWindowValue;
use crate::option::{FioOption, set};
use crate::settings::{Settings, Unified, Untold};
use crate::values::{choice, yes};
use fathom_core::Nanos;
use fathom_core::rows;

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

pub(super) static OPTIONS: &[FioOption] = rows! { FioOption;
    kept("clat_percentiles", set!(to, word => to.wanted.completion_percentiles = yes(word)?));
    kept("lat_percentiles", set!(to, word => to.wanted.total_percentiles = yes(word)?));
    kept("slat_percentiles", set!(to, word => to.wanted.submission_percentiles = yes(word)?))
        .remark("from the start of the turn that prepares a request until it is handed over; fio's \
             also holds the call that hands it over");
    kept("percentile_list", Settings::percentiles);
    kept("unified_rw_reporting", |to, word| {
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
    });
    kept("disk_util", set!(to, word => to.wanted.disk_util = yes(word)?));
    ignored("stats", "statistics are always kept").unless(&["1"]);
    kept("gtod_reduce", set!(to, word => to.wanted.untold = Untold::all(yes(word)?)))
        .remark(UNTOLD);
    kept("disable_lat", set!(to, word => to.wanted.untold.total = yes(word)?)).remark(UNTOLD);
    kept("disable_clat", set!(to, word => to.wanted.untold.completion = yes(word)?)).remark(UNTOLD);
    kept("disable_slat", set!(to, word => to.wanted.untold.submission = yes(word)?)).remark(UNTOLD);
    kept("disable_bw_measurement", set!(to, word => to.wanted.untold.bandwidth = yes(word)?))
        .alias(&["disable_bw"]).remark(UNTOLD);
    kept("significant_figures",
        set!(to, word => to.wanted.units.digits = to.number(word, 1, 10)? as u32));
    kept("unit_base", |to, word| {
        // None is that of the engine, and all of them count bytes.
        let known = [("0", false), ("8", false), ("1", true)];
        to.wanted.units.bits = choice(word, &known)?;
        Ok(())
    }).remark("of rates; 1 is bits");
    near("bwavgtime", RATES,
        set!(to, word => to.logs.bandwidth_window = Some(to.time(word, MILLISECOND)?)));
    near("iopsavgtime", RATES,
        set!(to, word => to.logs.iops_window = Some(to.time(word, MILLISECOND)?)));
    ignored("block_error_percentiles", "errors are counted by kind");
    kept("write_bw_log", set!(to, word => to.logs.bandwidth = Some(word.text().to_owned()))).text()
        .remark(NAMES);
    kept("write_lat_log", set!(to, word => to.logs.latency = Some(word.text().to_owned()))).text()
        .remark(NAMES);
    kept("write_iops_log", set!(to, word => to.logs.iops = Some(word.text().to_owned()))).text()
        .remark(NAMES);
    kept("write_hist_log", set!(to, word => to.logs.histogram = Some(word.text().to_owned())))
        .text()
        .remark("in the files and buckets of fio; a call has its value as `write_bw_log` has");
    ignored("log_entries", "a log has no end")
        .also(set!(to, word => to.number(word, 1024, u64::from(u32::MAX))?));
    kept("log_avg_msec", set!(to, word => to.logs.window = to.time(word, MILLISECOND)?))
        .remark("windows end at multiples of it");
    kept("log_max_value", |to, word| {
        let known = [
            ("avg", FioWindowValue::Mean),
            ("0", FioWindowValue::Mean),
            ("max", FioWindowValue::Largest),
            ("1", FioWindowValue::Largest),
            ("both", FioWindowValue::Both),
        ];
        to.logs.value = choice(word, &known)?;
        Ok(())
    }).alias(&["log_window_value"])
        .remark("only with `log_avg_msec`; of rates the largest of a window is its rate");
    kept("log_hist_msec", set!(to, word => to.logs.histogram_window = to.time(word, MILLISECOND)?));
    kept("log_hist_coarseness",
        set!(to, word => to.logs.coarseness = to.number(word, 0, 6)? as u32));
    kept("log_offset", set!(to, word => to.logs.offset = yes(word)?));
    kept("log_prio", set!(to, word => to.logs.priority = yes(word)?));
    kept("log_issue_time", set!(to, word => to.logs.issue = yes(word)?)).remark("of a later fio");
    ignored("log_compression", STORED);
    ignored("log_compression_cpus", STORED);
    refused("log_store_compressed",
        "not supported by Fathom; pack the logs after the run, as with `gzip`").unless(&["0"]);
    kept("log_unix_epoch", Settings::epoch);
    kept("log_alternate_epoch", Settings::epoch).remark(EPOCH);
    refused("log_alternate_epoch_clock_id", EPOCH).unless(&["0"]);
    kept("per_job_logs", set!(to, word => to.logs.together = !yes(word)?))
        .remark("in one file, clone after clone, appended; fio orders them by their end");
    near("write_iolog",
        "version 3; the requests that completed, those of all clones in one file, which is emptied \
         before; a file for each job. A flush has the offset of the request before it, as fio's \
         have with one request in flight; with more, theirs are of any of those before",
        set!(to, word => to.logs.trace = Some(word.text().to_owned())));
    kept("read_iolog", set!(to, word => to.replays.traces = Settings::names(word)?))
        .remark("versions 2 and 3, and traces of blktrace; once and as a whole, whatever `loops`, \
             `time_based` and `number_ios` say");
    ignored("read_iolog_chunked", "a trace is read before the clock runs");
    kept("replay_no_stall", set!(to, word => to.replays.no_stall = yes(word)?));
    kept("replay_redirect", set!(to, word => to.replays.redirect = Some(word.text().to_owned())));
    kept("replay_scale", set!(to, word => to.replays.scale = to.number(word, 1, 1 << 40)?));
    refused("replay_align", AS_RECORDED).unless(&["0"]);
    kept("replay_time_scale",
        set!(to, word => to.replays.time_scale = to.number(word, 1, 1 << 40)?));
    refused("replay_skip", AS_RECORDED);
    refused("merge_blktrace_file", REPLAY);
    ignored("merge_blktrace_scalars", WITH_REPLAY);
    ignored("merge_blktrace_iters", WITH_REPLAY);
};
