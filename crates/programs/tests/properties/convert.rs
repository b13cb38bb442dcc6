//! From one format to another: what can be said is said to the letter, and all else is named.

use crate::{generators, sayable};
use fathom_core::spec::validate::validate;
use fathom_core::spec::{
    Access, Cursor, CursorScope, Data, Distribution, Durability, IoKind, Job, Pacing, Phase,
    Workload,
};
use fathom_core::units::{Bytes, Nanos, Percent};
use fathom_programs::{find, writer};
use fathom_tools::{Note, RunWishes, Standing, Surroundings, Translation, Written, native};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

/// Targets of a size that the workload does not say.
struct There<'a>(&'a Workload);

impl Surroundings for There<'_> {
    fn size_bytes(&self, path: &Path) -> Option<u64> {
        let path = path.to_string_lossy();
        let jobs = self.0.phases.iter().flat_map(|phase| &phase.jobs);
        let mut sized = jobs.filter(|job| job.size.is_none());
        let is_there = sized.any(|job| {
            job.targets.is_empty() || job.targets.iter().any(|target| path.contains(&**target))
        });
        (is_there || path.starts_with("/dev/")).then_some(1 << 50)
    }

    fn read(&self, _: &Path) -> std::io::Result<String> {
        Err(std::io::ErrorKind::NotFound.into())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }
}

fn write(format: &str, workload: &Workload, wishes: &RunWishes) -> Result<Written, Note> {
    (writer(format).expect("a format").write)(workload, wishes)
}

/// What a text of a format says, for the workload that it was written from.
#[track_caller]
fn read(format: &str, text: &str, workload: &Workload) -> Translation {
    let (dialect, file) = match format {
        "fio" => ("fio", format!("{}.fio", workload.name)),
        _ => ("diskspd", "profile.xml".to_owned()),
    };
    let dialect = find(dialect).expect("a dialect");
    (dialect.translate)(text, &file, &There(workload)).unwrap_or_else(|found| {
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        panic!("{}\n{text}", found.join("\n"))
    })
}

/// The keys of notes but those that come with every text.
fn lost(written: &Written) -> Vec<(Standing, &str)> {
    let always = |note: &&Note| note.what != "name";
    let notes = written.notes.iter().filter(always);
    notes
        .map(|note| (note.standing, note.what.as_str()))
        .collect()
}

/// Said to the letter, with no more than these notes.
#[track_caller]
fn said_exactly(format: &str, workload: &Workload, wishes: &RunWishes, told: &[&str]) {
    assert_eq!(validate(workload), [], "{}", native::print(workload));
    let written = write(format, workload, wishes).expect("it can be said");
    let text = &written.text;
    let lost: Vec<_> = lost(&written)
        .into_iter()
        .filter(|(_, what)| !told.contains(what))
        .collect();
    assert_eq!(lost, [], "{text}");
    let mut found = read(format, text, workload);
    found.workload.source.clone_from(&workload.source);
    let (one, other) = (native::print(&found.workload), native::print(workload));
    assert_eq!(one, other, "{text}");
    assert_eq!(&found.workload, workload, "{text}");
    assert_eq!(&found.wishes, wishes, "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn fio_says_what_it_can_to_the_letter((workload, wishes) in sayable::fio()) {
        said_exactly("fio", &workload, &wishes, &["rate", "verify", "stop"]);
    }

    #[test]
    fn a_profile_of_diskspd_says_what_it_can((workload, wishes) in sayable::diskspd_profile()) {
        // A profile has no word for a new seed in each run.
        let seed = workload.seed.or(Some(7));
        let workload = fathom_core::spec::Workload { seed, ..workload };
        said_exactly("diskspd-xml", &workload, &wishes, &["rate"]);
    }

    #[test]
    fn a_line_of_diskspd_says_what_it_can((workload, wishes) in sayable::diskspd_line()) {
        said_exactly("diskspd", &workload, &wishes, &["rate"]);
    }

    #[test]
    fn native_says_everything(workload in generators::workload()) {
        let written = write("native", &workload, &RunWishes::default()).expect("all of it");
        prop_assert_eq!(&written.notes, &[]);
        prop_assert_eq!(native::parse(&written.text, "x.toml"), Ok(workload));
    }

    #[test]
    fn whatever_fio_does_not_say_is_named(workload in generators::workload()) {
        all_losses_named("fio", &tame(workload));
    }

    #[test]
    fn whatever_a_profile_of_diskspd_does_not_say_is_named(workload in generators::workload()) {
        all_losses_named("diskspd-xml", &tame(workload));
    }

    #[test]
    fn whatever_a_line_of_diskspd_does_not_say_is_named(workload in generators::workload()) {
        all_losses_named("diskspd", &tame(workload));
    }

    #[test]
    fn no_workload_makes_a_writer_panic(workload in generators::workload()) {
        for format in ["fio", "diskspd", "diskspd-xml"] {
            let _ = write(format, &workload, &RunWishes::default());
        }
    }
}

/// Paths that every format can name, and sizes as disks have them.
fn tame(mut workload: Workload) -> Workload {
    let mut number = 0;
    for job in workload.phases.iter_mut().flat_map(|phase| &mut phase.jobs) {
        for target in &mut job.targets {
            number += 1;
            *target = format!("/data/{number}");
        }
    }
    workload.repeat = workload.repeat.min(2);
    workload
}

#[track_caller]
fn all_losses_named(format: &str, workload: &Workload) {
    let Ok(written) = write(format, workload, &RunWishes::default()) else {
        return;
    };
    let found = read(format, &written.text, workload).workload;
    let told: BTreeSet<&str> = written
        .notes
        .iter()
        .map(|note| note.what.as_str())
        .collect();
    let structural = ["repeat", "cursor", "targets"];
    let count = |workload: &Workload| -> Vec<usize> {
        workload
            .phases
            .iter()
            .map(|phase| phase.jobs.len())
            .collect()
    };
    if count(workload) != count(&found) {
        let is_told = structural.iter().any(|key| told.contains(key));
        assert!(is_told, "{}", written.text);
        return;
    }
    let untold: Vec<String> = differences(workload, &found)
        .into_iter()
        .filter(|(key, _)| !key.split('|').any(|key| told.contains(key)))
        .map(|(key, values)| format!("{key}: {values}"))
        .collect();
    let none: [&str; 0] = [];
    assert_eq!(
        untold,
        none,
        "{}\n{}",
        native::print(workload),
        written.text
    );
}

/// The keys that differ in more than format, and their values.
fn differences(one: &Workload, other: &Workload) -> Vec<(&'static str, String)> {
    let mut found = Differences(Vec::new());
    found.of("seed", &one.seed, &other.seed);
    found.of("salt", &one.salt, &other.salt);
    found.of("interval", &one.interval, &other.interval);
    for (one, other) in one.phases.iter().zip(&other.phases) {
        found.phase(one, other);
    }
    found.0
}

struct Differences(Vec<(&'static str, String)>);

impl Differences {
    fn of<T: PartialEq + std::fmt::Debug>(&mut self, key: &'static str, one: &T, other: &T) {
        if one != other {
            self.0.push((key, format!("{one:?} {other:?}")));
        }
    }

    fn near(&mut self, key: &'static str, one: f64, other: f64) {
        if (one - other).abs() > 1e-6 * one.abs().max(other.abs()).max(1.0) {
            self.of(key, &one, &other);
        }
    }

    fn phase(&mut self, one: &Phase, other: &Phase) {
        let Phase {
            name: _,
            warm_up,
            duration,
            cool_down,
            drain_timeout,
            steady,
            jobs,
        } = one;
        self.of("warm_up|duration", warm_up, &other.warm_up);
        self.of("duration|steady|stop", duration, &other.duration);
        self.of("cool_down", cool_down, &other.cool_down);
        self.of("drain_timeout", drain_timeout, &other.drain_timeout);
        self.of("steady", steady, &other.steady);
        for (one, other) in jobs.iter().zip(&other.jobs) {
            self.job(one, other);
        }
    }

    fn targets(&mut self, one: &[String], other: &[String]) {
        if one.is_empty() {
            self.of("targets", &1, &other.len());
        } else {
            self.of("targets", &one, &other);
        }
    }

    /// The part of the targets, and how files come to it.
    fn place(&mut self, one: &Job, other: &Job) {
        self.of("size|fresh", &one.size, &other.size);
        self.of("offset", &one.offset, &other.offset);
        let end = |size: &Option<Bytes>, offset: &Bytes, window: &Option<Bytes>| {
            window.or(size.map(|size| Bytes(size.0 - offset.0)))
        };
        let ended = end(&other.size, &other.offset, &other.window);
        self.of("window", &end(&one.size, &one.offset, &one.window), &ended);
        self.of("fresh", &one.fresh, &other.fresh);
        self.of("uncut", &one.compat().uncut, &other.compat().uncut);
        if !one.durability.direct {
            self.of("cold", &one.cold, &other.cold);
        }
    }

    fn depth(&mut self, one: &Job, other: &Job) {
        self.of("submit_batch", &one.submit_batch, &other.submit_batch);
        self.of("complete_batch", &one.complete_batch, &other.complete_batch);
        self.of(
            "queue_depth|queue_scope|cursor",
            &one.queue_depth,
            &other.queue_depth,
        );
        if one.targets.len() > 1 {
            self.of("queue_scope", &one.queue_scope, &other.queue_scope);
        }
    }

    /// Whose turn it is: among the targets, and between writes and flushes.
    fn turns(&mut self, one: &Job, other: &Job) {
        self.of(
            "target_order",
            &one.compat().target_order,
            &other.compat().target_order,
        );
        self.of(
            "target_weights",
            &one.compat().target_weights,
            &other.compat().target_weights,
        );
        self.of(
            "read_ahead",
            &one.compat().read_ahead,
            &other.compat().read_ahead,
        );
        self.of("sync_at_end", &one.sync_at_end, &other.sync_at_end);
    }

    fn job(&mut self, one: &Job, other: &Job) {
        let Job {
            name: _,
            targets,
            engine,
            threads,
            queue_depth: _,
            queue_scope: _,
            submit_batch: _,
            complete_batch: _,
            size: _,
            offset: _,
            window: _,
            fresh: _,
            cold: _,
            warm,
            access,
            pacing,
            io_class: _,
            io_level: _,
            after: _,
            delay: _,
            pauses: _,
            rate_curve: _,
            replay: _,
            files: _,
            durability,
            sync_pattern: _,
            sync_at_end: _,
            data: _,
            verify: _,
            compat: _,
            stop: _,
            kinds,
        } = one;
        let sequential = kinds.iter().any(|kind| kind.random.0 < 100.0);
        self.targets(targets, &other.targets);
        self.of("engine", engine, &other.engine);
        self.of("threads|cursor", threads, &other.threads);
        self.depth(one, other);
        self.turns(one, other);
        self.place(one, other);
        self.dropped(one, other);
        self.state(*warm, one.compat().idle, other);
        self.access(access, &other.access, sequential, *threads > 1, kinds);
        self.pacing(pacing, &other.pacing);
        self.apart(one, other);
        self.durability(durability, &other.durability);
        self.written(one, other);
        self.kinds(kinds, &other.kinds);
    }

    /// What is written, where anything is.
    fn written(&mut self, one: &Job, other: &Job) {
        let is_write = |kind: &IoKind| kind.op == fathom_core::Op::Write;
        if one.kinds.iter().any(is_write) {
            self.data(&one.data, &other.data);
            self.checks(one, other);
        }
    }

    /// The file that what is written is from, and how it is checked.
    fn checks(&mut self, one: &Job, other: &Job) {
        self.of("data", &one.compat().data_file, &other.compat().data_file);
        self.of("verify", &one.verify, &other.verify);
        self.of("verify", &one.compat().verify_as, &other.compat().verify_as);
        self.of(
            "verify",
            &one.compat().verify_interval,
            &other.compat().verify_interval,
        );
        self.of(
            "verify",
            &one.compat().verify_backlog,
            &other.compat().verify_backlog,
        );
    }

    /// When it begins, and what it does instead of drawing requests.
    fn apart(&mut self, one: &Job, other: &Job) {
        self.of("io_class", &one.io_class, &other.io_class);
        self.of("io_level|io_class", &one.io_level, &other.io_level);
        self.of("pacing", &one.after, &other.after);
        self.of("delay", &one.delay, &other.delay);
        self.of("sync_pattern", &one.sync_pattern, &other.sync_pattern);
        self.of("pauses", &one.pauses, &other.pauses);
        self.of("rate_curve", &one.rate_curve, &other.rate_curve);
        self.of("replay", &one.replay, &other.replay);
        self.of("files", &one.files, &other.files);
        self.of("stop|duration", &one.stop, &other.stop);
    }

    /// When pages are dropped, which direct requests have nothing to do with.
    fn dropped(&mut self, one: &Job, other: &Job) {
        if !one.durability.direct {
            self.of("cold", &one.cold, &other.cold);
            self.of(
                "cold_again|cold",
                &one.compat().cold_again,
                &other.compat().cold_again,
            );
        }
    }

    fn state(&mut self, warm: bool, idle: bool, other: &Job) {
        self.of("warm", &warm, &other.warm);
        self.of("idle", &idle, &other.compat().idle);
    }

    fn access(
        &mut self,
        one: &Access,
        other: &Access,
        sequential: bool,
        threads: bool,
        kinds: &[IoKind],
    ) {
        let Access {
            distribution,
            without_repetition,
            stride,
            cursor,
            cursor_scope,
            walk,
        } = one;
        self.of("walk", walk, &other.walk);
        let spread = |distribution: &Distribution| match distribution {
            // What the ranges leave is one more.
            Distribution::Hot { ranges } => {
                let sum = ranges.iter().map(|range| (range.ios.0, range.of.0));
                format!("{:?}", sum.take(1).collect::<Vec<_>>())
            }
            other => format!("{other:?}"),
        };
        self.of(
            "distribution|random",
            &spread(distribution),
            &spread(&other.distribution),
        );
        self.of(
            "without_repetition|weight|block_size",
            without_repetition,
            &other.without_repetition,
        );
        if !sequential {
            return;
        }
        if let Some(stride) = stride.filter(|stride| *stride != kinds[0].block_size) {
            self.of("stride", &Some(stride), &other.stride);
        }
        if threads {
            match cursor {
                Cursor::Own { stride: None } => {
                    let is_own = matches!(other.cursor, Cursor::Own { stride: Some(_) });
                    self.of("cursor", &true, &is_own);
                }
                cursor => self.of("cursor", cursor, &other.cursor),
            }
        }
        let ops: BTreeSet<_> = kinds.iter().map(|kind| kind.op).collect();
        if ops.len() > 1 {
            let _: &CursorScope = cursor_scope;
            self.of("cursor_scope", cursor_scope, &other.cursor_scope);
        }
    }

    fn pacing(&mut self, one: &Pacing, other: &Pacing) {
        match (one, other) {
            (
                Pacing::Closed { think, burst },
                Pacing::Closed {
                    think: other_think,
                    burst: other_burst,
                },
            ) => {
                self.of("think", think, other_think);
                self.of("burst|think", burst, other_burst);
            }
            (
                Pacing::Open { rate, arrivals },
                Pacing::Open {
                    rate: other_rate,
                    arrivals: other_arrivals,
                },
            ) => {
                self.of("arrivals", arrivals, other_arrivals);
                self.of("rate", rate, other_rate);
            }
            (one, other) => self.of("pacing", one, other),
        }
    }

    fn durability(&mut self, one: &Durability, other: &Durability) {
        let Durability {
            direct,
            write_through,
            sync,
        } = one;
        self.of("direct", direct, &other.direct);
        self.of("write_through", write_through, &other.write_through);
        self.of("sync", sync, &other.sync);
    }

    fn data(&mut self, one: &Data, other: &Data) {
        let Data {
            fill,
            compressible_to,
            duplicate,
        } = one;
        self.of("fill|data", fill, &other.fill);
        self.near(
            "compressible_to|data",
            compressible_to.0,
            other.compressible_to.0,
        );
        self.near("duplicate|data", duplicate.0, other.duplicate.0);
    }

    /// Shares of the operations, sizes and places, whatever their order and scale.
    fn kinds(&mut self, one: &[IoKind], other: &[IoKind]) {
        let ops = |kinds: &[IoKind]| -> BTreeSet<_> { kinds.iter().map(|kind| kind.op).collect() };
        self.of("op", &ops(one), &ops(other));
        for kind in one {
            let share = |kinds: &[IoKind], same: &dyn Fn(&IoKind) -> bool| {
                let all: f64 = kinds.iter().map(|kind| kind.weight).sum();
                let its = kinds.iter().filter(|kind| same(kind));
                its.map(|kind| kind.weight).sum::<f64>() * 100.0 / all
            };
            let by_op = |other: &IoKind| other.op == kind.op;
            self.near("read|op", share(one, &by_op), share(other, &by_op));
            let by_size = |other: &IoKind| by_op(other) && other.block_size == kind.block_size;
            let shares = (share(one, &by_size), share(other, &by_size));
            self.near("weight|block_size|read|op", shares.0, shares.1);
            let place = |kinds: &[IoKind], value: &dyn Fn(&IoKind) -> f64| {
                let its = kinds.iter().filter(|other| by_size(other));
                let weight: f64 = its.clone().map(|kind| kind.weight).sum();
                its.map(|kind| kind.weight * value(kind)).sum::<f64>() / weight
            };
            if shares.1 > 0.0 {
                let random = |kind: &IoKind| -> f64 { kind.random.0 };
                self.near("random", place(one, &random), place(other, &random));
                let align = |kind: &IoKind| kind.align.0 as f64;
                if one
                    .iter()
                    .filter(|kind| by_size(kind))
                    .all(|kind| kind.random.0 > 0.0)
                {
                    self.near("align|random", place(one, &align), place(other, &align));
                }
            }
        }
    }
}

#[test]
fn equivalent_forms_are_no_losses() {
    let text = "name = \"w\"\nsize = \"1GiB\"\nblock_size = \"4KiB\"\ntarget = \"/data/x\"\n";
    let mut workload = native::parse(text, "w.toml").expect("it is valid");
    workload.phases[0].warm_up = Nanos::ZERO;
    let wishes = RunWishes {
        keep_files: true,
        ..RunWishes::default()
    };
    let random = Percent(100.0);
    assert_eq!(workload.phases[0].jobs[0].kinds[0].random, random);
    for format in ["fio", "diskspd", "diskspd-xml"] {
        let written = write(format, &workload, &wishes).expect("it can be said");
        let lost: Vec<_> = lost(&written)
            .into_iter()
            .filter(|(_, what)| *what != "phase.name")
            .filter(|(_, what)| format != "diskspd-xml" || *what != "seed")
            .collect();
        assert_eq!(lost, [], "{format}");
    }
}
