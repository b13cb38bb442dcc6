//! Applies the overriding options to a workload, and finds the option at fault when the outcome
//! cannot be.

use crate::args::OverrideArgs;
use crate::error::Problem;
use crate::exit::Exit;
use fathom_core::spec::fields::{EVERYDAY, Group, JOB, PHASE, WORKLOAD};
use fathom_core::spec::validate::{Violation, validate};
use fathom_core::spec::{Arrivals, IoKind, Job, Pacing, Phase, SyncEvery, Workload};
use fathom_core::{Bytes, Op, Percent};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Options of a phase or a job that do more than set their field.
const BY_HAND: [&str; 4] = ["time", "size", "window", "warm"];

/// The workload with all changes, checked again.
pub(crate) fn apply(args: &OverrideArgs, workload: &Workload) -> Result<Workload, Problem> {
    let mut changed = set_plain(args, workload)?;
    for phase in &mut changed.phases {
        change_phase(args, phase);
    }
    check_applicable(args, &changed)?;
    match validate(&changed).first() {
        None => Ok(changed),
        Some(violation) => Err(explain(args, &changed, violation)),
    }
}

/// The workload with the options that are the value of a field of a workload, a phase or a job, and
/// no more than that.
fn set_plain(args: &OverrideArgs, workload: &Workload) -> Result<Workload, Problem> {
    let impossible = |error: serde_json::Error| {
        Problem::new(
            Exit::Usage,
            format!("the options do not suit the workload `{}`", workload.name),
        )
        .because(error.to_string())
    };
    let mut tree = serde_json::to_value(workload).map_err(impossible)?;
    set_fields(args, &WORKLOAD, &mut tree);
    for phase in below(&mut tree, "phase") {
        set_fields(args, &PHASE, phase);
        for job in below(phase, "job") {
            set_fields(args, &JOB, job);
        }
    }
    serde_json::from_str(&tree.to_string()).map_err(impossible)
}

fn set_fields(args: &OverrideArgs, group: &Group, tree: &mut Value) {
    for field in group.fields {
        let Some(option) = &field.option else {
            continue;
        };
        if let Some(value) = args.value(option.name)
            && !BY_HAND.contains(&option.name)
        {
            tree[field.name] = value.clone();
        }
    }
}

fn below<'t>(tree: &'t mut Value, key: &str) -> impl Iterator<Item = &'t mut Value> {
    let items = tree.get_mut(key).and_then(Value::as_array_mut);
    items.into_iter().flatten()
}

fn set<T: DeserializeOwned>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

fn change_phase(args: &OverrideArgs, phase: &mut Phase) {
    if args.has("time") {
        phase.duration = args.get("time");
    } else if args.has("ios") || args.has("bytes") {
        // The amount is to end the phase, however long it takes.
        phase.duration = None;
    }
    for job in &mut phase.jobs {
        change_job(args, job);
    }
}

fn change_job(args: &OverrideArgs, job: &mut Job) {
    change_kinds(args, job);
    if let Some(size) = args.get::<Bytes>("size") {
        // On the command line it applies to devices as well, which a job's own size is not.
        let rest = Bytes(size.0.saturating_sub(job.offset.0));
        job.size = Some(size);
        job.window = job
            .window
            .map_or(Some(rest), |window| Some(window.min(rest)));
    }
    if let (Some(files), Some(count)) = (&mut job.files, args.get("files")) {
        files.count = count;
    }
    job.window = args.get("window").or(job.window);
    job.stop.ios = args.get("ios").or(job.stop.ios);
    job.stop.bytes = args.get("bytes").or(job.stop.bytes);
    if let Some(rate) = args.get("rate") {
        let arrivals = match job.pacing {
            Pacing::Open { arrivals, .. } => arrivals,
            _ => Arrivals::Constant,
        };
        job.set_pacing(Pacing::Open { rate, arrivals });
    }
    if let Pacing::Open { arrivals, .. } = &mut job.pacing {
        set(arrivals, args.get("arrivals"));
    }
    if let Some(direct) = args.get("direct") {
        job.durability.direct = direct;
        job.warm &= !direct;
    }
    if args.has("warm") && meets_the_page_cache(job) {
        job.warm = true;
        job.cold = false;
        job.set_compat(|compat| compat.cold_again = None);
    }
    if job.writes() {
        job.durability.write_through |= args.has("write-through");
        if let Some(writes) = args.get("sync-every") {
            let data_only = job.durability.sync.is_some_and(|sync| sync.data_only);
            job.durability.sync = Some(SyncEvery { writes, data_only });
            job.sync_pattern.clear();
        }
    }
}

fn change_kinds(args: &OverrideArgs, job: &mut Job) {
    if let (Some(share), Some(first)) = (args.get::<Percent>("read"), job.kinds.first()) {
        let kind = |op, share: Percent| IoKind {
            op,
            weight: share.0,
            ..first.clone()
        };
        let mut kinds = vec![
            kind(Op::Read, share),
            kind(Op::Write, Percent(100.0 - share.0)),
        ];
        kinds.retain(|kind| kind.weight > 0.0);
        job.kinds = kinds;
    }
    for kind in &mut job.kinds {
        set(&mut kind.random, args.get("random"));
        if let Some(size) = args.get("block-size") {
            kind.block_size = size;
            kind.align = size;
        }
    }
}

fn meets_the_page_cache(job: &Job) -> bool {
    job.reads() && !job.durability.direct
}

/// An option that finds nothing to change is an error: ignored, it would be believed.
fn check_applicable(args: &OverrideArgs, workload: &Workload) -> Result<(), Problem> {
    let any = |test: fn(&Job) -> bool| {
        let mut jobs = workload.phases.iter().flat_map(|phase| &phase.jobs);
        jobs.any(test)
    };
    let useless = |option: &str, because: &str, remedy: &str| {
        Err(refused(option, workload).because(because).remedy(remedy))
    };
    if args.has("arrivals") && !any(|job| job.pacing.is_open()) {
        return useless(
            "--arrivals",
            "no job is paced by the clock",
            "add --rate, as in --rate \"1000 IOPS\"",
        );
    }
    if args.has("warm") && !any(meets_the_page_cache) {
        let because = "no job reads through the page cache";
        return useless("--warm", because, "add --no-direct, or drop the option");
    }
    if args.has("files") && !any(|job| job.files.is_some()) {
        let because = "no job deals with files";
        return useless("--files", because, "drop the option");
    }
    let no_writes = "no job writes";
    let remedy = "add --read with less than 100, or drop the option";
    if args.has("write-through") && !any(Job::writes) {
        return useless("--write-through", no_writes, remedy);
    }
    if args.has("sync-every") && !any(Job::writes) {
        return useless("--sync-every", no_writes, remedy);
    }
    Ok(())
}

fn refused(option: &str, workload: &Workload) -> Problem {
    Problem::new(
        Exit::Usage,
        format!("{option} does not suit the workload `{}`", workload.name),
    )
}

/// Names the option that brought the violation about, if its place gives it away.
fn explain(args: &OverrideArgs, workload: &Workload, violation: &Violation) -> Problem {
    let option = option_at(args, &violation.path);
    let option = option.as_deref().unwrap_or("a change on the command line");
    refused(option, workload)
        .because(format!("{}: {}", violation.path, violation.message))
        .remedy(violation.remedy.clone())
}

/// The option that sets the key at the end of a path, if it was given; else the only one that can
/// have to do with it.
fn option_at(args: &OverrideArgs, path: &str) -> Option<String> {
    let key = path.rsplit('.').next().unwrap_or(path);
    let key = key.split('[').next().unwrap_or(key);
    let direct = || (args.get("direct") == Some(true)).then_some("direct");
    let given = |list: &[&'static str]| list.iter().copied().find(|option| args.has(option));
    let option = match key {
        "duration" => given(&["time", "ios", "bytes"]),
        "size" => given(&["size", "block-size"]),
        "window" => given(&["window", "size", "offset", "block-size"]),
        "offset" => given(&["offset", "size", "block-size"]),
        "block_size" | "align" => given(&["block-size"]).or_else(direct),
        "distribution" | "without_repetition" | "cursor" => given(&["random", "block-size"]),
        "stride" => given(&["random"]).or_else(direct),
        "rate" | "after" | "pacing" => given(&["rate"]),
        "bytes" if path.ends_with("stop.bytes") => given(&["bytes"]),
        "bytes" => given(&["block-size", "threads"]),
        "sync" => given(&["sync-every", "read"]),
        "count" => given(&["files"]),
        "durability" => direct(),
        "write_through" | "warm" | "op" => given(&["read"]),
        "fill" => given(&["verify"]),
        "verify" => given(&["verify", "block-size"]),
        key => {
            let groups = [&WORKLOAD, &PHASE, &JOB, &EVERYDAY];
            let mut fields = groups.into_iter().flat_map(|group| group.fields);
            let field = fields.find(|field| field.name == key);
            let option = field.and_then(|field| field.option.as_ref());
            option
                .map(|option| option.name)
                .filter(|option| args.has(option))
        }
    };
    option.map(|option| format!("--{option}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser as _;
    use fathom_core::spec::{JobStop, Verify};
    use fathom_core::{Bytes, Nanos, Rate};
    use fathom_tools::native;
    use fathom_tools::profiles::PROFILES;

    const MIXED: &str = r#"
        name = "mixed"
        [[phase]]
        duration = "60s"
        [[phase.job]]
        name = "both"
        size = "1GiB"
        [[phase.job.io]]
        op = "read"
        block_size = "8KiB"
        random = 75
        weight = 2
        [[phase.job.io]]
        op = "write"
        block_size = "64KiB"
        random = 0
        weight = 1
        [[phase.job]]
        name = "reader"
        size = "1GiB"
        block_size = "4KiB"
        read = 100
        random = 100
    "#;

    fn mixed() -> Workload {
        native::parse(MIXED, "mixed.toml").unwrap()
    }

    fn args(options: &[&str]) -> OverrideArgs {
        let words = ["fathom", "run", "mixed.toml"].iter().chain(options);
        match Cli::try_parse_from(words).unwrap().command {
            Command::Run(args) => args.0.options.overrides,
            other => panic!("{other:?}"),
        }
    }

    /// What the options change, made by hand on both jobs.
    fn expect(options: &[&str], change: impl Fn(&mut Phase, usize)) {
        let mut expected = mixed();
        for index in 0..2 {
            change(&mut expected.phases[0], index);
        }
        assert_eq!(apply(&args(options), &mixed()), Ok(expected), "{options:?}");
    }

    fn refusal(options: &[&str]) -> [String; 3] {
        let problem = apply(&args(options), &mixed()).expect_err("refused");
        assert_eq!(problem.exit, Exit::Usage);
        [
            problem.thing,
            problem.because.unwrap_or_default(),
            problem.remedy.unwrap_or_default(),
        ]
    }

    #[test]
    fn without_options_nothing_changes() {
        for profile in PROFILES {
            let workload = profile.workload().unwrap();
            let changed = apply(&OverrideArgs::default(), &workload);
            assert_eq!(changed, Ok(workload), "{}", profile.name);
        }
    }

    #[test]
    fn requests_change_in_all_kinds() {
        expect(&["--block-size", "16KiB"], |phase, job| {
            for kind in &mut phase.jobs[job].kinds {
                kind.block_size = Bytes(16 << 10);
                kind.align = Bytes(16 << 10);
            }
        });
        expect(&["--random", "30"], |phase, job| {
            for kind in &mut phase.jobs[job].kinds {
                kind.random = Percent(30.0);
            }
        });
    }

    #[test]
    fn a_share_of_reads_replaces_the_list_of_kinds() {
        let kind = |first: &IoKind, op, weight| IoKind {
            op,
            weight,
            ..first.clone()
        };
        expect(&["--read", "70"], |phase, job| {
            let first = phase.jobs[job].kinds[0].clone();
            phase.jobs[job].kinds =
                vec![kind(&first, Op::Read, 70.0), kind(&first, Op::Write, 30.0)];
        });
        expect(&["--read", "0"], |phase, job| {
            let first = phase.jobs[job].kinds[0].clone();
            phase.jobs[job].kinds = vec![kind(&first, Op::Write, 100.0)];
        });
    }

    #[test]
    fn numbers_of_the_job_and_the_phase_change() {
        let options = "--threads 3 --queue-depth 7 --size 2GiB --offset 1MiB --window 1GiB --time \
                       5s --warm-up 2s --cool-down 1s --verify read-back --no-direct";
        let options: Vec<&str> = options.split(' ').collect();
        expect(&options, |phase, job| {
            phase.duration = Some(Nanos::from_secs(5));
            phase.warm_up = Nanos::from_secs(2);
            phase.cool_down = Nanos::from_secs(1);
            let job = &mut phase.jobs[job];
            job.threads = 3;
            job.queue_depth = 7;
            job.size = Some(Bytes(2 << 30));
            job.offset = Bytes(1 << 20);
            job.window = Some(Bytes(1 << 30));
            job.verify = Verify::ReadBack;
            job.durability.direct = false;
        });
        let mut expected = mixed();
        expected.seed = Some(9);
        expected.repeat = 4;
        expected.interval = Nanos::from_millis(100);
        let options = ["--seed", "9", "--repeat", "4", "--interval", "100ms"];
        assert_eq!(apply(&args(&options), &mixed()), Ok(expected));
    }

    #[test]
    fn an_amount_ends_the_phase_unless_a_time_is_given() {
        let stop = JobStop {
            ios: Some(1000),
            bytes: Some(Bytes(1 << 20)),
            ..JobStop::default()
        };
        expect(&["--ios", "1000", "--bytes", "1MiB"], |phase, job| {
            phase.duration = None;
            phase.jobs[job].stop = stop;
        });
        expect(
            &["--ios", "1000", "--bytes", "1MiB", "--time", "1h"],
            |phase, job| {
                phase.duration = Some(Nanos::from_secs(3600));
                phase.jobs[job].stop = stop;
            },
        );
    }

    #[test]
    fn a_rate_opens_the_load() {
        expect(
            &["--rate", "1000 IOPS", "--arrivals", "poisson"],
            |phase, job| {
                phase.jobs[job].pacing = Pacing::Open {
                    rate: Rate::Iops(1000.0),
                    arrivals: Arrivals::Poisson,
                };
            },
        );
    }

    #[test]
    fn durability_changes_where_something_is_written() {
        expect(&["--write-through", "--sync-every", "8"], |phase, job| {
            if job == 0 {
                phase.jobs[0].durability.write_through = true;
                phase.jobs[0].durability.sync = Some(SyncEvery {
                    writes: 8,
                    data_only: false,
                });
            }
        });
    }

    #[test]
    fn an_option_that_changes_nothing_is_refused() {
        let refused = |options: &[&str], because: &str, remedy: &str| {
            let thing = format!("{} does not suit the workload `mixed`", options[0]);
            let expected = [thing, because.to_owned(), remedy.to_owned()];
            assert_eq!(refusal(options), expected);
        };
        refused(
            &["--arrivals", "poisson"],
            "no job is paced by the clock",
            "add --rate, as in --rate \"1000 IOPS\"",
        );
        for option in [&["--write-through"][..], &["--sync-every", "1"][..]] {
            let options = [option, &["--read", "100"]].concat();
            refused(
                &options,
                "no job writes",
                "add --read with less than 100, or drop the option",
            );
        }
    }

    #[test]
    fn the_option_at_fault_is_named() {
        let cases: [(&[&str], &str); 9] = [
            (&["--bytes", "0"], "--bytes"),
            (&["--block-size", "1000B"], "--block-size"),
            (&["--block-size", "4GiB"], "--block-size"),
            (&["--threads", "0"], "--threads"),
            (&["--queue-depth", "0"], "--queue-depth"),
            (&["--size", "1KiB"], "--size"),
            (&["--window", "2GiB"], "--window"),
            (&["--interval", "1ms"], "--interval"),
            (&["--time", "0s"], "--time"),
        ];
        for (options, option) in cases {
            let [thing, ..] = refusal(options);
            let expected = format!("{option} does not suit the workload `mixed`");
            assert_eq!(thing, expected, "{options:?}");
        }
        assert_eq!(
            refusal(&["--block-size", "1000B"])[1..],
            [
                "phase[0].job[0].io[0].block_size: direct I/O cannot move 1000B",
                "use a multiple of 512B, or `direct = false`"
            ]
        );
    }
}
