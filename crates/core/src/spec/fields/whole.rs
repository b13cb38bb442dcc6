//! The fields of a workload and of its phases.

use super::{Default, Group, JOB, Kind, Layout, Opt, STEADY, fields, tree};
use crate::spec::{Phase, Workload};

const MS: u64 = 1_000_000;
const SECOND: u64 = 1000 * MS;

/// Of the whole file.
pub static WORKLOAD: Group = Group {
    name: "workload",
    plain: tree!(Workload::plain()),
    fields: fields! {
        "name": Kind::Text, Default::Said("name of the workload; default is the file name"),
            "short name";
        "description": Kind::Text, Default::Plain, "one sentence for lists";
        "source": Kind::Text, Default::Plain,
            "source of the parameters, and the reading chosen if the source contradicts itself";
        "seed": Kind::Count, Default::PlainAs("a new one for each run; 1 in virtual time"),
            "seed for offsets, order and sizes of requests: the same seed repeats the same requests"
            .option(Opt::new(14, "seed", "N",
                "Seed for order and sizes of requests, to repeat a run"));
        "salt": Kind::Count, Default::PlainAs("a new one for each run"),
            "salt of the written data: the same salt and the same requests write the same content"
            .option(Opt::new(20, "salt", "N",
                "Salt of the written data, to repeat the content in a test"));
        "interval": Kind::Time, Default::Plain, "interval of the time series"
            .from(100 * MS, 60 * SECOND)
            .option(Opt::new(15, "interval", "DURATION",
                "Interval of the time series, 100ms to 60s"));
        "repeat": Kind::SmallCount, Default::Plain, "number of loops over all phases"
            .from(1, u64::MAX)
            .option(Opt::new(18, "repeat", "N", "Number of loops over all phases"));
        "phase": Kind::Tables(&PHASE, Layout::Headers), Default::Said("one phase"),
            "the phases, one after another: `[[phase]]`";
    },
};

/// The keys of a `[[phase]]`.
pub static PHASE: Group = Group {
    name: "phase",
    plain: tree!(Phase::plain()),
    fields: fields! {
        "name": Kind::Text, Default::Said("`main`; with several, `phase-1`, …"),
            "unique in the workload";
        "warm_up": Kind::Time, Default::Given("\"5s\""),
            "load before the measured time: recorded, but not part of the result"
            .option(Opt::new(16, "warm-up", "DURATION", "Load before the measured time"));
        "duration": Kind::Time,
            Default::Said("`\"30s\"`; none if another condition ends the phase"),
            "measured time; optional with `steady` or a job with `stop`, which then ends the phase"
            .option(Opt::new(1, "time", "DURATION",
                "Measured time of each phase, such as 60s or 1h30m; without a unit, in seconds"));
        "cool_down": Kind::Time, Default::Plain,
            "load after the measured time, so that the last requests do not run on an idle device"
            .option(Opt::new(17, "cool-down", "DURATION", "Load after the measured time"));
        "drain_timeout": Kind::Time, Default::Plain,
            "time to wait for requests in flight at the end of the load, at least 1 s; a request \
             that has not completed by then counts with its age as a lower bound, and the result \
             is INVALID"
            .option(Opt::new(28, "drain-timeout", "DURATION",
                "Time to wait for requests in flight at the end [default: 30s]"));
        "steady": Kind::Table(&STEADY), Default::Plain,
            "stop at the first steady window and use it as the measured time";
        "job": Kind::Tables(&JOB, Layout::Headers), Default::Said("one job"),
            "jobs, which run in parallel: `[[phase.job]]`, or `[[job]]` at the top level";
    },
};
