//! The fields of a workload and of its phases.

use super::{Default, Field, Group, JOB, Kind, Layout, Opt, STEADY, tree};
use crate::spec::{Phase, Workload};

const MS: u64 = 1_000_000;
const SECOND: u64 = 1000 * MS;

/// Of the whole file.
pub static WORKLOAD: Group = Group {
    name: "workload",
    plain: tree!(Workload::plain()),
    fields: &[
        Field::new(
            "name",
            Kind::Text,
            Default::Said("name of the file"),
            "short name",
        ),
        Field::new(
            "description",
            Kind::Text,
            Default::Plain,
            "one sentence for lists",
        ),
        Field::new(
            "source",
            Kind::Text,
            Default::Plain,
            "where the parameters come from, and which reading of a contradictory source was taken",
        ),
        Field::new(
            "seed",
            Kind::Count,
            Default::PlainAs("a new one for each run; 1 in virtual time"),
            "seed of the order and the sizes of requests: same seed, same requests",
        )
        .option(Opt::new(
            14,
            "seed",
            "N",
            "Seed of the order and the sizes of requests, to repeat a run's requests",
        )),
        Field::new(
            "salt",
            Kind::Count,
            Default::PlainAs("a new one for each run"),
            "salt of the bytes that writes carry: same salt and same requests, same content",
        )
        .option(Opt::new(
            20,
            "salt",
            "N",
            "Salt of the bytes that writes carry, to repeat a run's content in a test",
        )),
        Field::new(
            "interval",
            Kind::Time,
            Default::Plain,
            "length of an interval of the time series",
        )
        .from(100 * MS, 60 * SECOND)
        .option(Opt::new(
            15,
            "interval",
            "DURATION",
            "Length of an interval of the time series, 100ms to 60s",
        )),
        Field::new(
            "repeat",
            Kind::SmallCount,
            Default::Plain,
            "how often the phases are run through",
        )
        .from(1, u64::MAX)
        .option(Opt::new(
            18,
            "repeat",
            "N",
            "How often to go through the phases",
        )),
        Field::new(
            "phase",
            Kind::Tables(&PHASE, Layout::Headers),
            Default::Said("one phase"),
            "the phases, one after another: `[[phase]]`",
        ),
    ],
};

/// Of a `[[phase]]`.
pub static PHASE: Group = Group {
    name: "phase",
    plain: tree!(Phase::plain()),
    fields: &[
        Field::new(
            "name",
            Kind::Text,
            Default::Said("`main`; with several, `phase-1`, …"),
            "unique in the workload",
        ),
        Field::new(
            "warm_up",
            Kind::Time,
            Default::Given("\"5s\""),
            "load before the measured time: recorded, but not part of the result",
        )
        .option(Opt::new(
            16,
            "warm-up",
            "DURATION",
            "Load before the measured time",
        )),
        Field::new(
            "duration",
            Kind::Time,
            Default::Said("`\"30s\"`; none if something else ends the phase"),
            "the measured time; with `steady` or a job with `stop` it may be left out, \
             and the phase lasts until that",
        )
        .option(Opt::new(
            1,
            "time",
            "DURATION",
            "Measured time of each phase, as 60s or 1h30m; without a unit, seconds",
        )),
        Field::new(
            "cool_down",
            Kind::Time,
            Default::Plain,
            "load after the measured time, so that what ends last does not have the device to \
             itself",
        )
        .option(Opt::new(
            17,
            "cool-down",
            "DURATION",
            "Load after the measured time",
        )),
        Field::new(
            "drain_timeout",
            Kind::Time,
            Default::Plain,
            "how long requests in flight at the end of the load are waited for, 1 s at least; what \
             has not completed by then is counted with its age as a lower bound, and the result is \
             INVALID",
        )
        .option(Opt::new(
            28,
            "drain-timeout",
            "DURATION",
            "Wait for requests in flight at the end [default: 30s]",
        )),
        Field::new(
            "steady",
            Kind::Table(&STEADY),
            Default::Plain,
            "end with the first steady window, and take that as the measured time",
        ),
        Field::new(
            "job",
            Kind::Tables(&JOB, Layout::Headers),
            Default::Said("one job"),
            "the jobs, all at once: `[[phase.job]]`, or `[[job]]` at the top",
        ),
    ],
};
