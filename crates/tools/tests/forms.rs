//! Short forms and long forms that mean the same, and what is not written at all.

use fathom_core::spec::Workload;
use fathom_tools::native::{parse, print};

#[track_caller]
fn read(text: &str) -> Workload {
    parse(text, "forms.toml").unwrap_or_else(|found| {
        let drawn: Vec<String> = found.iter().map(ToString::to_string).collect();
        panic!("{}", drawn.join("\n\n"))
    })
}

#[test]
fn what_is_not_written_has_a_default() {
    let resolved = print(&read("block_size = \"4KiB\""));
    insta::assert_snapshot!("defaults", resolved);
    assert_eq!(print(&read(&resolved)), resolved);
}

#[test]
fn the_top_of_a_file_is_its_only_job_and_its_only_phase() {
    let whole = read(
        "name = \"w\"\n[[phase]]\nname = \"main\"\nduration = \"7s\"\nwarm_up = \"1s\"\n\
         [[phase.job]]\nname = \"w\"\nblock_size = \"4KiB\"\nread = 0\n",
    );
    let texts = [
        "name = \"w\"\nduration = \"7s\"\nwarm_up = \"1s\"\nblock_size = \"4KiB\"\nread = 0\n",
        "name = \"w\"\nduration = \"7s\"\nwarm_up = \"1s\"\n\
         [[job]]\nblock_size = \"4KiB\"\nread = 0\n",
        "name = \"w\"\n[[phase]]\nduration = \"7s\"\nwarm_up = \"1s\"\n\
         [[phase.job]]\nblock_size = \"4KiB\"\nread = 0\n",
        "name = \"w\"\nphase = [{ duration = \"7s\", warm_up = \"1s\", \
         job = [{ block_size = \"4KiB\", read = 0 }] }]\n",
    ];
    for text in texts {
        assert_eq!(read(text), whole, "{text}");
    }
}

#[test]
fn phases_and_jobs_without_a_name_are_numbered() {
    let several = read(
        "[[phase]]\n[[phase.job]]\nblock_size = 512\n[[phase.job]]\nblock_size = 512\n\
         [[phase]]\n[[phase.job]]\nblock_size = 512\n",
    );
    let names: Vec<(&str, Vec<&str>)> = several
        .phases
        .iter()
        .map(|phase| {
            let jobs = phase.jobs.iter().map(|job| job.name.as_str());
            (phase.name.as_str(), jobs.collect())
        })
        .collect();
    assert_eq!(
        names,
        [
            ("phase-1", vec!["job-1", "job-2"]),
            ("phase-2", vec!["forms"])
        ]
    );
}

#[test]
fn a_workload_without_a_name_is_called_after_its_file() {
    for (file, name) in [
        ("dir/oltp.toml", "oltp"),
        ("oltp", "oltp"),
        (".toml", "workload"),
        ("", "workload"),
    ] {
        let workload = parse("block_size = 512", file).unwrap();
        assert_eq!(workload.name, name);
    }
}

/// Each pair: a short form, and the long form that means the same.
const PAIRS: &[(&str, &str)] = &[
    (
        "block_size = 512\ntarget = \"/a\"",
        "block_size = 512\ntargets = [\"/a\"]",
    ),
    (
        "read = 70\nrandom = 40\nalign = 512\nblock_size = 8192",
        "io = [{ op = \"read\", block_size = \"8KiB\", random = 40, align = \"512B\", \
         weight = 70 }, { op = \"write\", block_size = \"8K\", random = 40.0, align = 512, \
         weight = 30 }]",
    ),
    (
        "block_size = 4096\nread = \"0 %\"",
        "io = [{ op = \"write\", block_size = 4096, weight = 100 }]",
    ),
    (
        "block_size = 4096\nrandom = 50\ndistribution = { zipf = { theta = 1 } }\n\
         stride = \"1MiB\"\ncursor = { own = { stride = \"1GiB\" } }\ncursor_scope = \"shared\"",
        "block_size = 4096\nrandom = 50\n[access]\ndistribution.zipf.theta = 1.0\n\
         stride = \"1MiB\"\ncursor.own.stride = \"1GiB\"\ncursor_scope = \"shared\"",
    ),
    (
        "block_size = 4096\nwithout_repetition = true",
        "block_size = 4096\naccess = { distribution = { uniform = {} }, \
         without_repetition = true, cursor = { own = {} } }",
    ),
    (
        "block_size = 4096\nrandom = 0\ncursor = \"shared\"",
        "block_size = 4096\nrandom = 0\naccess = { cursor = { shared = {} } }",
    ),
    (
        "block_size = 4096\nrate = \"5k IOPS\"",
        "block_size = 4096\n\
         pacing = { open = { rate = \"5000 IOPS\", arrivals = \"constant\" } }",
    ),
    (
        "block_size = 4096\nrate = \"1 MB/s\"\narrivals = \"poisson\"",
        "block_size = 4096\n\
         pacing = { open = { rate = \"1000000 B/s\", arrivals = \"poisson\" } }",
    ),
    (
        "block_size = 4096\nthink = \"1ms\"\nburst = 8",
        "block_size = 4096\npacing = { closed = { think = \"1000us\", burst = 8 } }",
    ),
    (
        "block_size = 4096",
        "block_size = 4096\npacing = { closed = {} }",
    ),
    (
        "block_size = 4096\nread = 0\ndirect = false\nwrite_through = true\nfsync_every = 32",
        "block_size = 4096\nread = 0\ndurability = { direct = false, write_through = true, \
         sync = { writes = 32 } }",
    ),
    (
        "block_size = 4096\nread = 0\nfdatasync_every = 32",
        "block_size = 4096\nread = 0\nsync = { writes = 32, data_only = true }",
    ),
    (
        "block_size = 4096\nfill = \"random\"\ncompressible_to = 50\nduplicate = 10",
        "block_size = 4096\ndata = { fill = \"random\", compressible_to = 50, duplicate = 10 }",
    ),
    (
        "block_size = 4096\nstop_bytes = \"1GiB\"\nstop_ios = 1000",
        "block_size = 4096\nstop = { bytes = \"1GiB\", ios = 1000 }",
    ),
    (
        "block_size = 4096\nsteady = {}",
        "block_size = 4096\nsteady = { metric = \"iops\", round = \"60s\", rounds = 5, \
         range = 20, slope = 10, max_rounds = 25 }",
    ),
];

#[test]
fn short_forms_mean_what_the_long_ones_say() {
    for (short, long) in PAIRS {
        assert_eq!(read(short), read(long), "{short}");
    }
}

#[test]
fn a_phase_that_something_ends_has_no_duration_of_its_own() {
    let duration = |text: &str| read(text).phases[0].duration;
    assert_eq!(duration("block_size = 512\nsteady = {}"), None);
    assert_eq!(duration("block_size = 512\nstop_ios = 1"), None);
    assert_eq!(
        duration("block_size = 512\nstop_ios = 1\nduration = \"9s\""),
        Some(fathom_core::Nanos::from_secs(9))
    );
}

#[test]
fn numbers_beyond_the_integers_of_toml_are_written_in_quotes() {
    let mut workload = read("block_size = 512\nstop_ios = \"18446744073709551615\"");
    workload.seed = Some(u64::MAX);
    assert_eq!(workload.phases[0].jobs[0].stop.ios, Some(u64::MAX));
    assert_eq!(read(&print(&workload)), workload);
}
