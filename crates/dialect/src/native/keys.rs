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
    "fresh",
    "cold",
    "warm",
    "access",
    "pacing",
    "after",
    "delay",
    "replay",
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
    "walk",
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
    "stop_time",
    "floor",
];

/// Of `steady`.
pub(super) const STEADY: &[&str] = &[
    "metric",
    "round",
    "rounds",
    "range",
    "slope",
    "deviation",
    "max_rounds",
];

/// Of an element of `io`.
pub(super) const IO: &[&str] = &["op", "block_size", "random", "align", "weight"];

/// Of `access`.
pub(super) const ACCESS: &[&str] = &[
    "distribution",
    "without_repetition",
    "stride",
    "cursor",
    "cursor_scope",
    "walk",
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

/// Of `walk`.
pub(super) const WALK: &[Form] = &[
    form("free", &[], true),
    form("trim_first", &[], true),
    form("zones", ZONES, false),
];

/// Of `walk.zones`.
pub(super) const ZONES: &[&str] = &["done", "length", "skip"];

/// Of `pacing`.
pub(super) const PACING: &[Form] = &[
    form("closed", CLOSED, true),
    form("open", OPEN, false),
    form("cyclic", CYCLIC, false),
    form("triggered", TRIGGERED, false),
    form("steered", STEERED, false),
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

/// Of `pacing.steered`.
pub(super) const STEERED: &[&str] = &["within", "share", "window", "follow"];

/// Of `durability`.
pub(super) const DURABILITY: &[&str] = &["direct", "write_through", "sync"];

/// Of `sync`.
pub(super) const SYNC: &[&str] = &["writes", "data_only"];

/// Of `data`.
pub(super) const DATA: &[&str] = &["fill", "compressible_to", "duplicate"];

/// Of `replay`.
pub(super) const REPLAY: &[&str] = &["trace", "speed", "shrink", "align", "without"];

/// Of `stop`.
pub(super) const STOP: &[&str] = &["bytes", "ios", "time", "floor"];

/// Of `floor`.
pub(super) const FLOOR: &[&str] = &["ios", "bytes", "over"];

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
    ("startdelay", "delay"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::parse;

    const REFERENCE: &str = include_str!("../../../../docs/specification.md");

    /// What stands in backquotes in the first cell of each row below a header.
    fn rows(header: &str) -> Vec<&'static str> {
        REFERENCE
            .lines()
            .skip_while(|line| !line.starts_with(&format!("| {header} |")))
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .filter_map(|line| line.split('`').nth(1))
            .collect()
    }

    fn names(forms: &'static [Form]) -> Vec<&'static str> {
        forms.iter().map(|form| form.name).collect()
    }

    /// The rows of the first table below a heading.
    fn section(heading: &str) -> Vec<&'static str> {
        REFERENCE
            .lines()
            .skip_while(|line| *line != heading)
            .skip_while(|line| !line.starts_with("|---"))
            .skip(1)
            .take_while(|line| line.starts_with('|'))
            .filter_map(|line| line.split('`').nth(1))
            .collect()
    }

    #[test]
    fn the_reference_has_every_key_and_no_other() {
        assert_eq!(section("## Workload"), WORKLOAD);
        assert_eq!(section("## Phase"), PHASE);
        let job: Vec<&str> = section("## Job");
        let long: Vec<&str> = job.iter().copied().filter(|key| *key != "target").collect();
        assert_eq!(long, JOB);
        let tables: [(&str, &[&str]); 9] = [
            ("key of `steady`", STEADY),
            ("key of `io`", IO),
            ("key of `access`", ACCESS),
            ("key of `durability`", DURABILITY),
            ("key of `sync`", SYNC),
            ("key of `data`", DATA),
            ("key of `replay`", REPLAY),
            ("key of `stop`", STOP),
            ("key of `floor`", FLOOR),
        ];
        for (header, keys) in tables {
            assert_eq!(rows(header), keys, "{header}");
        }
        assert_eq!(rows("form of `distribution`"), names(DISTRIBUTION));
        assert_eq!(rows("form of `pacing`"), names(PACING));
        let short: Vec<&str> = JOB_SHORT
            .iter()
            .copied()
            .filter(|key| !REFERENCE.contains(&format!("`{key}`")))
            .collect();
        assert_eq!(short, [""; 0]);
    }

    #[test]
    fn every_key_of_a_form_is_in_its_row() {
        for form in DISTRIBUTION.iter().chain(PACING) {
            let row = REFERENCE
                .lines()
                .find(|line| line.starts_with(&format!("| `{}` |", form.name)))
                .unwrap();
            let missing: Vec<&&str> = form
                .keys
                .iter()
                .filter(|key| !row.contains(&format!("`{key}`")))
                .collect();
            assert_eq!(missing, [&""; 0], "{}", form.name);
        }
    }

    #[test]
    fn every_example_of_the_reference_is_valid() {
        let blocks: Vec<&str> = REFERENCE
            .split("```toml\n")
            .skip(1)
            .filter_map(|rest| rest.split("```").next())
            .collect();
        assert_eq!(blocks.len(), 5);
        for block in blocks {
            let found = parse(block, "example.toml").err().unwrap_or_default();
            assert_eq!(found, [], "{block}");
        }
    }

    #[test]
    fn words_of_other_tools_lead_to_keys_that_are_there() {
        let groups = [WORKLOAD, PHASE, JOB, JOB_SHORT];
        let lost: Vec<&str> = FOREIGN
            .iter()
            .map(|(_, key)| *key)
            .filter(|key| !groups.iter().any(|group| group.contains(key)))
            .collect();
        assert_eq!(lost, [""; 0]);
    }
}
