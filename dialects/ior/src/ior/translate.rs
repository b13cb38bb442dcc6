//! From the words of IOR to a phase that writes and one that reads, with a job for each task.

use super::options::{IorOptions, LETTERS};
use crate::letters::Read;
use crate::tasks;
use fathom_core::EngineKind;
use fathom_core::op::Op;
use fathom_core::spec::{
    Fill, IorData, IorKind, Job, Phase, SyncEvery, VERIFY_UNIT_BYTES, Verify, Walk,
};
use fathom_core::units::{Bytes, Nanos, Percent};
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::Surroundings;
use fathom_tools::faults::Faults;
use fathom_tools::plain_job::{in_order, job, phase, workload};
use fathom_tools::translation::{Note, RunWishes, Standing, Together, Translation};
use fathom_tools::words::{CommandWords, Word};

const MOST_TASKS: u64 = 4096;
/// Offsets are signed 64-bit numbers in every interface of the kernel.
const MOST_BYTES: u64 = i64::MAX as u64;
/// What direct requests are multiples of.
const SECTOR_BYTES: u64 = 512;
/// The stamp of data for which none is given. IOR takes the time, and for random data none.
const OWN_STAMP: u32 = 1;

/// Translates a whole line, with what starts the tasks or without it.
///
/// # Errors
///
/// Everything that is wrong with it.
pub(super) fn translate(
    text: &str,
    file: &str,
    _: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    let words = CommandWords::split(text, file).map_err(|error| vec![*error])?;
    translate_started(&words, text)
}

/// Translates the words after the first of a `text`, which may be what starts the tasks.
pub(super) fn translate_started(
    words: &CommandWords,
    text: &str,
) -> Result<Translation, Vec<Diagnostic>> {
    let mut errors = Faults::default();
    match tasks::started(text, words, "ior", &mut errors) {
        Some((list, tasks)) if errors.is_empty() => read(words, list, tasks),
        _ => Err(errors.into_vec()),
    }
}

/// How sure it is that a text is a command line of IOR.
pub(super) fn detect(_: &str, text: &str) -> u8 {
    tasks::detect(text, "ior")
}

/// Translates the words after the program's name for `tasks` tasks, or the number that they state.
///
/// # Errors
///
/// Everything that is wrong with them.
pub fn translate_argv(argv: &[String], tasks: Option<u32>) -> Result<Translation, Vec<Diagnostic>> {
    let words = CommandWords::of("ior", argv);
    read(&words, &words.list, tasks)
}

fn read(
    words: &CommandWords,
    list: &[Word],
    started: Option<u32>,
) -> Result<Translation, Vec<Diagnostic>> {
    let mut found = LETTERS.read(words, list, IorOptions::plain());
    let tasks = tasks_of(&mut found, started);
    check_sizes(&mut found, tasks);
    check_phases(&mut found);
    let Read {
        errors,
        mut notes,
        asked,
        ..
    } = found;
    if !errors.is_empty() {
        return Err(errors.into_vec());
    }
    if asked.fsync && asked.deadline_s > 0 {
        let message = "only of tasks that are through before the time of -D";
        notes.add(Note::new(Standing::Approximated, "-e", message));
    }
    let line: Vec<&str> = list.iter().map(|word| word.text.as_str()).collect();
    let source = format!("ior {}", line.join(" "));
    let mut workload = workload(
        "ior",
        source,
        Phases {
            asked: &asked,
            tasks,
        }
        .all(),
    );
    workload.repeat = asked.repetitions as u32;
    Ok(Translation {
        workload,
        notes: notes.into_vec(),
        wishes: RunWishes {
            engine: Some(EngineKind::Psync),
            keep_files: asked.keep,
            together: Together {
                interleaved: !asked.own_files,
                shift_reads: if asked.reorder {
                    asked.node_offset as u32
                } else {
                    0
                },
                ..Together::default()
            },
            ..RunWishes::default()
        },
    })
}

fn tasks_of(found: &mut Read<'_, IorOptions>, started: Option<u32>) -> u64 {
    let wanted = Some(found.asked.tasks).filter(|tasks| *tasks > 0);
    let started = started.map(u64::from);
    let tasks = wanted.or(started).unwrap_or(1);
    if !(1..=MOST_TASKS).contains(&tasks) {
        let remedy = format!("1 to {MOST_TASKS}");
        found.wrong(format!("{tasks} tasks are not possible"), &remedy);
    }
    if let Some(started) = started.filter(|started| *started < tasks) {
        let message = format!("-N asks for {tasks} tasks, and {started} are started");
        found.wrong(message, "start as many");
    }
    tasks
}

fn check_sizes(found: &mut Read<'_, IorOptions>, tasks: u64) {
    let IorOptions {
        transfer,
        block,
        segments,
        repetitions,
        ..
    } = found.asked;
    if transfer == 0 || segments == 0 || repetitions == 0 {
        found.wrong("-t, -s and -i cannot be 0", "1 or more");
        return;
    }
    if block == 0 || !block.is_multiple_of(transfer) {
        let message = format!("a block of {block} bytes is not whole requests of {transfer}");
        found.wrong(message, "-b as a multiple of -t");
    }
    let all = tasks
        .checked_mul(block)
        .and_then(|bytes| bytes.checked_mul(segments));
    if all.is_none_or(|bytes| bytes > MOST_BYTES) {
        let message = "all segments of all tasks together are more than a file holds";
        found.wrong(message, "a smaller -b or -s");
    } else if found.asked.fsync && u32::try_from(block / transfer * segments).is_err() {
        let message = "-e comes after more requests of a task than can be counted";
        found.wrong(message, "a larger -t, or without -e");
    }
    if found.asked.direct && !transfer.is_multiple_of(SECTOR_BYTES) {
        let message = format!("direct I/O cannot move {transfer} bytes");
        found.wrong(
            message,
            "-t as a multiple of 512, or without --posix.odirect",
        );
    }
    if found.asked.check && !transfer.is_multiple_of(VERIFY_UNIT_BYTES) {
        let message = format!("requests of {transfer} bytes cannot be checked");
        let remedy = format!("-t as a multiple of {VERIFY_UNIT_BYTES}, or without -R");
        found.wrong(message, &remedy);
    }
}

fn check_phases(found: &mut Read<'_, IorOptions>) {
    let asked = &mut found.asked;
    if !asked.write && !asked.read {
        // Checking what is read is reading.
        (asked.write, asked.read) = (!asked.check, true);
    }
    asked.read |= asked.check;
    let asked = found.asked.clone();
    if asked.check && !asked.write && asked.stamp == 0 {
        let message = "-R without -w has to know the stamp of what was written";
        found.wrong(message, "-G with the number that it was written with");
    }
    if asked.ends_early() && asked.random > 0 {
        let message = "`-z` reads in another order than it writes, and -D may leave blocks that \
                       were never written";
        found.wrong(message, "without -z, or a call for each phase");
    }
    if asked.random > 1 {
        let message = "`-z` is taken once: places that overlap would not be all of the file";
        found.wrong(message, "-z alone");
    }
    if asked.random > 0 && asked.block == asked.transfer {
        let message = "`-z` has nothing to change: a block is one request";
        found.wrong(message, "a larger -b, or without -z");
    }
    if asked.random > 0 && asked.reorder && !asked.own_files {
        let message = "`-z` and `-C` are not taken together for one file, as IOR has it";
        found.wrong(message, "one of them, or -F");
    }
}

/// The phases of a call.
struct Phases<'a> {
    asked: &'a IorOptions,
    tasks: u64,
}

impl Phases<'_> {
    fn all(&self) -> Vec<Phase> {
        let asked = self.asked;
        let phases = [
            ("write", Op::Write, asked.write),
            ("read", Op::Read, asked.read),
        ];
        let phases = phases.into_iter().filter(|(_, _, is_wanted)| *is_wanted);
        phases.map(|(name, op, _)| self.phase(name, op)).collect()
    }

    fn phase(&self, name: &str, op: Op) -> Phase {
        let jobs = (0..self.tasks).map(|task| match op {
            Op::Write => self.writer(task),
            _ => self.reader(task),
        });
        let mut phase = phase(name, jobs.collect());
        if self.asked.deadline_s > 0 {
            phase.duration = Some(Nanos::from_secs(self.asked.deadline_s));
        }
        phase
    }

    fn requests(&self) -> u64 {
        self.asked.block / self.asked.transfer * self.asked.segments
    }

    fn writer(&self, task: u64) -> Job {
        let asked = self.asked;
        let mut job = self.one(task, Op::Write);
        job.fresh = !asked.existing;
        let writes = match (asked.fsync_each, asked.fsync) {
            (true, _) => Some(1),
            (false, true) => Some(self.requests() as u32),
            (false, false) => None,
        };
        job.durability.sync = writes.map(|writes| SyncEvery {
            writes,
            data_only: false,
        });
        job
    }

    fn reader(&self, task: u64) -> Job {
        let mut job = self.one(task, Op::Read);
        if self.asked.check {
            job.verify = Verify::Check;
        }
        job.stop.as_before = self.asked.ends_early();
        job
    }

    /// What writers and readers have in common: in a file of its own a task has its blocks one
    /// after another, in one for all they take turns with those of the others.
    fn one(&self, task: u64, op: Op) -> Job {
        let asked = self.asked;
        let mut job = job(format!("task-{task}"));
        let (block, segments) = (asked.block, asked.segments);
        let others = if asked.own_files { 0 } else { self.tasks - 1 };
        let step = block * (others + 1);
        if asked.own_files {
            job.targets = vec![format!("{}.{task:08}", asked.file)];
        } else {
            job.targets = vec![asked.file.clone()];
            job.offset = Bytes(task * block);
        }
        job.size = Some(Bytes(step * segments));
        job.window = Some(Bytes(step * (segments - 1) + block));
        job.access.walk = Walk::Zones {
            done: Bytes(block),
            length: Bytes(block),
            skip: Bytes(block * others),
        };
        let mut kind = in_order(op, Bytes(asked.transfer));
        if asked.random > 0 {
            kind.random = Percent::ALL;
            job.access.without_repetition = true;
        }
        job.kinds = vec![kind];
        job.durability.direct = asked.direct;
        job.stop.ios = Some(self.requests());
        job.data.fill = Fill::Ior(IorData {
            kind: asked.kind,
            task: task as u32,
            stamp: match asked.stamp {
                0 if asked.kind != IorKind::Random => OWN_STAMP,
                given => given as u32,
            },
        });
        job
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::spec::validate::validate;

    const SEVERAL: [&str; 8] = [
        "ior",
        "mpirun -n 8 ./ior -C -g -k -e -F -a POSIX -t 2m -b 64m -w -r -o /data/easy",
        "srun -n 4 ior -C -Q 1 -e -t 47008 -b 47008 -s 1000 -o /data/hard",
        "ior -N 3 -wr -t=4k -b=16k -s 2 -z -R -i 3 -E",
        "ior -w -D 30 -O stoneWallingWearOut=1 -e --posix.odirect",
        "mpiexec -np 2 ior -w -R -t 4k -b 1m -Y -G 5 -l random",
        "mpirun -n 2 ior -w -r -R -D 5 -t 4k -b 1m",
        "mpirun -n 2 ior -r -R -G 1700000000 -l o -t 4k -b 1m",
    ];

    #[test]
    fn whatever_is_taken_can_be_run() {
        for line in SEVERAL {
            assert_eq!(detect("a.txt", line), 90, "{line}");
            let found = translate(line, "line", &fathom_tools::Nowhere).expect(line);
            assert_eq!(validate(&found.workload), [], "{line}");
        }
    }

    #[test]
    fn tasks_take_turns_in_one_file() {
        let line = "mpirun -n 3 ior -t 1k -b 4k -s 5 -w -o f";
        let found = translate(line, "line", &fathom_tools::Nowhere).expect("a line");
        let zones = Walk::Zones {
            done: Bytes(4 << 10),
            length: Bytes(4 << 10),
            skip: Bytes(8 << 10),
        };
        let jobs = found.workload.phases[0].jobs.iter();
        let places = jobs.map(|job| {
            let window = job.window.map(|one| one.0 >> 10);
            let size = job.size.map(|one| one.0 >> 10);
            assert_eq!((job.access.walk, job.stop.ios), (zones, Some(20)));
            (job.offset.0 >> 10, window, size)
        });
        let all = (Some(52), Some(60));
        let expected = [(0, all.0, all.1), (4, all.0, all.1), (8, all.0, all.1)];
        assert_eq!(places.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn tasks_write_what_those_of_ior_do() {
        let fills = |line: &str| {
            let found = translate(line, "line", &fathom_tools::Nowhere).expect(line);
            let phases = found.workload.phases.iter();
            let jobs = phases.flat_map(|phase| &phase.jobs);
            jobs.map(|job| (job.data.fill, job.verify, job.stop.as_before))
                .collect::<Vec<_>>()
        };
        let fill = |text: &str| Fill::Ior(text.parse().expect("data"));
        assert_eq!(
            fills("mpirun -n 2 ior -wrR -D 3"),
            [
                (fill("timestamp/0/1"), Verify::Off, false),
                (fill("timestamp/1/1"), Verify::Off, false),
                (fill("timestamp/0/1"), Verify::Check, true),
                (fill("timestamp/1/1"), Verify::Check, true),
            ]
        );
        let offset = (fill("offset/0/7"), Verify::Off, false);
        assert_eq!(fills("ior -w -l o -G 7"), [offset]);
        let random = (fill("random/0/0"), Verify::Off, false);
        assert_eq!(fills("ior -w -l random"), [random]);
    }

    #[test]
    fn what_is_not_taken_says_why() {
        let cases = [
            ("ior -t 0", "-t, -s and -i cannot be 0"),
            (
                "ior -t 3k -b 4k",
                "a block of 4096 bytes is not whole requests of 3072",
            ),
            (
                "ior -b 1t -s 1000000000",
                "all segments of all tasks together are more than a file holds",
            ),
            (
                "ior -t 1000 -b 1000 -B",
                "direct I/O cannot move 1000 bytes",
            ),
            (
                "ior -t 47008 -b 47008 -R",
                "requests of 47008 bytes cannot be checked",
            ),
            (
                "ior -D 5 -z",
                "`-z` reads in another order than it writes, and -D may leave blocks that were \
                 never written",
            ),
            ("ior -l x", "the data `x` are unknown"),
            (
                "ior -zz",
                "`-z` is taken once: places that overlap would not be all of the file",
            ),
            (
                "ior -z -b 4k -t 4k",
                "`-z` has nothing to change: a block is one request",
            ),
            (
                "ior -zC",
                "`-z` and `-C` are not taken together for one file, as IOR has it",
            ),
            (
                "ior -r -R",
                "-R without -w has to know the stamp of what was written",
            ),
            ("ior -a MPIIO", "the interface `MPIIO` is not taken"),
            ("ior -c", "`-c` is not taken: that is of MPI-IO"),
            (
                "ior -W",
                "`-W` is not taken: -w -R checks in the read phase",
            ),
            (
                "ior --hdf5.chunkSize 5",
                "`--hdf5.chunkSize` is not taken: no equivalent here",
            ),
            (
                "ior -O summaryFormat=JSON",
                "the directive `summaryFormat=JSON` is not taken",
            ),
            ("ior -o a@b", "several files are not taken"),
            (
                "mpirun -n 2 ior -N 3",
                "-N asks for 3 tasks, and 2 are started",
            ),
            (
                "mpirun -n 2 mdtest",
                "`mdtest` of what starts the tasks is unknown here",
            ),
        ];
        for (line, message) in cases {
            let found = translate(line, "line", &fathom_tools::Nowhere).expect_err(line);
            assert_eq!(found[0].message, message, "{line}");
        }
    }
}
