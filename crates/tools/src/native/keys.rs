//! Which keys a table of the native format may have.

use super::job::FLUSHES;
use fathom_core::spec::fields::{
    ACCESS, CLOSED, COMPAT, DATA, DURABILITY, EVERYDAY, JOB, OPEN, PHASE, STOP, WORKLOAD,
};

/// Of a `[[phase.job]]`, in the long form.
pub(super) fn job() -> Vec<&'static str> {
    JOB.keys()
}

/// Of a `[[phase.job]]`, the everyday short forms.
pub(super) fn job_short() -> Vec<&'static str> {
    let mut keys = vec!["target"];
    keys.extend(EVERYDAY.keys());
    for group in [&ACCESS, &OPEN, &CLOSED, &DURABILITY] {
        keys.extend(group.shorts());
    }
    keys.extend(FLUSHES.map(|(key, _)| key));
    keys.extend(DATA.shorts());
    keys.extend(STOP.shorts());
    // Where they stood before there was a table for them.
    keys.extend(COMPAT.shorts());
    keys
}

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

/// Where a key belongs, for one that is in the wrong table.
pub(super) fn home(key: &str) -> Option<&'static str> {
    if job().contains(&key) || job_short().contains(&key) {
        Some("a job: write it below `[[job]]` or `[[phase.job]]`")
    } else if PHASE.keys().contains(&key) {
        Some("a phase: write it below `[[phase]]`, or at the top without one")
    } else if WORKLOAD.keys().contains(&key) {
        Some("the whole file: write it at the top")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_other_tools_lead_to_keys_that_are_there() {
        let groups = [WORKLOAD.keys(), PHASE.keys(), job(), job_short()];
        let lost: Vec<&str> = FOREIGN
            .iter()
            .map(|(_, key)| *key)
            .filter(|key| !groups.iter().any(|group| group.contains(key)))
            .collect();
        assert_eq!(lost, [""; 0]);
    }

    #[test]
    fn no_key_is_said_twice() {
        let keys = [job(), job_short()].concat();
        let twice: Vec<&&str> = keys
            .iter()
            .enumerate()
            .filter(|(at, key)| keys[..*at].contains(key))
            .map(|(_, key)| key)
            .collect();
        assert_eq!(twice, [&""; 0]);
    }
}
