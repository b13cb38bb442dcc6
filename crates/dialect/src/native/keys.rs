//! Which keys a table of the native format may have.

/// Of the whole file.
pub(super) const WORKLOAD: &[&str] = &[
    "name",
    "description",
    "source",
    "seed",
    "interval",
    "repeat",
    "phase",
];

/// Of a `[[phase]]`.
pub(super) const PHASE: &[&str] = &["name", "warm_up", "duration", "cool_down", "steady", "job"];

/// Of a `[[phase.job]]`, in the long form.
pub(super) const JOB: &[&str] = &[
    "name",
    "targets",
    "threads",
    "queue_depth",
    "queue_scope",
    "size",
    "offset",
    "window",
    "access",
    "pacing",
    "after",
    "durability",
    "data",
    "verify",
    "stop",
    "io",
];

/// Of a `[[phase.job]]`, the everyday short forms.
pub(super) const JOB_SHORT: &[&str] = &[
    "target",
    "block_size",
    "read",
    "random",
    "align",
    "distribution",
    "without_repetition",
    "stride",
    "cursor",
    "cursor_scope",
    "rate",
    "arrivals",
    "think",
    "burst",
    "direct",
    "write_through",
    "sync",
    "fsync_every",
    "fdatasync_every",
    "fill",
    "compressible_to",
    "duplicate",
    "stop_bytes",
    "stop_ios",
];

/// Of `steady`.
pub(super) const STEADY: &[&str] = &["metric", "round", "rounds", "range", "slope", "max_rounds"];

/// Of an element of `io`.
pub(super) const IO: &[&str] = &["op", "block_size", "random", "align", "weight"];

/// Of `access`.
pub(super) const ACCESS: &[&str] = &[
    "distribution",
    "without_repetition",
    "stride",
    "cursor",
    "cursor_scope",
];

/// One of the forms a value can take: a word alone, or a table with this one key.
pub(super) struct Form {
    /// The word, or the key.
    pub(super) name: &'static str,
    /// The keys of the table below the key.
    pub(super) keys: &'static [&'static str],
    /// Whether the word alone says enough.
    pub(super) alone: bool,
}

const fn form(name: &'static str, keys: &'static [&'static str], alone: bool) -> Form {
    Form { name, keys, alone }
}

/// Of `distribution`.
pub(super) const DISTRIBUTION: &[Form] = &[
    form("uniform", &[], true),
    form("zipf", ZIPF, false),
    form("pareto", PARETO, false),
    form("normal", NORMAL, false),
    form("hot", HOT, false),
];

/// Of `cursor`.
pub(super) const CURSOR: &[Form] = &[form("own", OWN, true), form("shared", &[], true)];

/// Of `pacing`.
pub(super) const PACING: &[Form] = &[
    form("closed", CLOSED, true),
    form("open", OPEN, false),
    form("cyclic", CYCLIC, false),
    form("triggered", TRIGGERED, false),
];

/// Of `zipf`.
pub(super) const ZIPF: &[&str] = &["theta"];

/// Of `pareto`.
pub(super) const PARETO: &[&str] = &["h"];

/// Of `normal`.
pub(super) const NORMAL: &[&str] = &["deviation"];

/// Of `hot`.
pub(super) const HOT: &[&str] = &["ranges"];

/// Of an element of `ranges`.
pub(super) const RANGE: &[&str] = &["ios", "of"];

/// Of `cursor.own`.
pub(super) const OWN: &[&str] = &["stride"];

/// Of `pacing.closed`.
pub(super) const CLOSED: &[&str] = &["think", "burst"];

/// Of `pacing.open`.
pub(super) const OPEN: &[&str] = &["rate", "arrivals"];

/// Of `pacing.cyclic`.
pub(super) const CYCLIC: &[&str] = &["every", "bytes"];

/// Of `pacing.triggered`.
pub(super) const TRIGGERED: &[&str] = &["bytes"];

/// Of `durability`.
pub(super) const DURABILITY: &[&str] = &["direct", "write_through", "sync"];

/// Of `sync`.
pub(super) const SYNC: &[&str] = &["writes", "data_only"];

/// Of `data`.
pub(super) const DATA: &[&str] = &["fill", "compressible_to", "duplicate"];

/// Of `stop`.
pub(super) const STOP: &[&str] = &["bytes", "ios"];

/// Words of other load generators, and the key that says the same here.
const FOREIGN: &[(&str, &str)] = &[
    ("bs", "block_size"),
    ("blocksize", "block_size"),
    ("iodepth", "queue_depth"),
    ("depth", "queue_depth"),
    ("outstanding", "queue_depth"),
    ("qd", "queue_depth"),
    ("numjobs", "threads"),
    ("processes", "threads"),
    ("runtime", "duration"),
    ("time", "duration"),
    ("ramp_time", "warm_up"),
    ("warmup", "warm_up"),
    ("rwmixread", "read"),
    ("percentage_random", "random"),
    ("filename", "target"),
    ("file", "target"),
    ("filesize", "size"),
    ("thinktime", "think"),
    ("rate_iops", "rate"),
    ("fsync", "fsync_every"),
    ("fdatasync", "fdatasync_every"),
    ("random_distribution", "distribution"),
    ("io_limit", "stop_bytes"),
    ("io_size", "stop_bytes"),
    ("number_ios", "stop_ios"),
    ("randseed", "seed"),
];

/// The key here for a word of another load generator.
pub(super) fn translated(word: &str) -> Option<&'static str> {
    FOREIGN
        .iter()
        .find(|(foreign, _)| *foreign == word)
        .map(|(_, key)| *key)
}

/// Where a key belongs, for one that stands in the wrong table.
pub(super) fn home(key: &str) -> Option<&'static str> {
    let homes: [(&[&str], &str); 4] = [
        (JOB, "a job: write it below `[[job]]` or `[[phase.job]]`"),
        (
            JOB_SHORT,
            "a job: write it below `[[job]]` or `[[phase.job]]`",
        ),
        (
            PHASE,
            "a phase: write it below `[[phase]]`, or at the top without one",
        ),
        (WORKLOAD, "the whole file: write it at the top"),
    ];
    homes
        .into_iter()
        .find(|(keys, _)| keys.contains(&key))
        .map(|(_, home)| home)
}
