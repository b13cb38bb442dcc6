//! From the words of mdtest to a workload with a phase for each of its own.

use super::options::{LETTERS, MdtestOptions};
use crate::letters::Read;
use crate::tasks;
use fathom_core::op::Op;
use fathom_core::spec::{FileKind, FilePlaces, Files, IoKind, Job, Phase};
use fathom_core::units::{Bytes, Nanos, Percent};
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::Surroundings;
use fathom_tools::faults::Faults;
use fathom_tools::plain_job::{job, phase, workload};
use fathom_tools::translation::{Note, RunWishes, Standing, Together, Translation};
use fathom_tools::words::{CommandWords, Word};

/// The directories of a tree that are possible.
const MOST_DIRECTORIES: u64 = 1 << 18;

/// Translates a whole line, with what starts the tasks or without it.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn translate(
    text: &str,
    file: &str,
    _: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    let words = CommandWords::split(text, file).map_err(|error| vec![*error])?;
    translate_started(&words, text)
}

/// Translates the words of a call, with what starts the tasks or without it.
///
/// # Errors
///
/// Everything that is wrong with them.
pub fn translate_words(argv: &[String]) -> Result<Translation, Vec<Diagnostic>> {
    match argv.first() {
        Some(first) if tasks::are_started(argv) => {
            translate_started(&tasks::started_words(argv), first)
        }
        _ => translate_argv(argv, 1),
    }
}

fn translate_started(words: &CommandWords, text: &str) -> Result<Translation, Vec<Diagnostic>> {
    let mut errors = Faults::default();
    match tasks::started(text, words, "mdtest", &mut errors) {
        Some((list, tasks)) if errors.is_empty() => read(words, list, tasks.unwrap_or(1)),
        _ => Err(errors.into_vec()),
    }
}

/// How sure it is that a text is a command line of mdtest.
pub fn detect(_: &str, text: &str) -> u8 {
    tasks::detect(text, "mdtest")
}

/// Translates the words after the program's name for `tasks` tasks.
///
/// # Errors
///
/// Everything that is wrong with them.
pub fn translate_argv(argv: &[String], tasks: u32) -> Result<Translation, Vec<Diagnostic>> {
    let words = CommandWords::of("mdtest", argv);
    read(&words, &words.list, tasks)
}

fn read(words: &CommandWords, list: &[Word], tasks: u32) -> Result<Translation, Vec<Diagnostic>> {
    let mut found = LETTERS.read(words, list, MdtestOptions::plain());
    let items = items(&mut found, tasks);
    let phases = Phases {
        asked: &found.asked,
        tasks: tasks.max(1),
        items,
    };
    let phases = phases.all();
    if phases.is_empty() {
        // As with -D and -E: directories are not read.
        found.wrong(
            "what is asked for leaves no phase",
            "a phase that there is: files are not renamed, and directories not read",
        );
    }
    let Read {
        errors,
        mut notes,
        asked,
        ..
    } = found;
    if !errors.is_empty() {
        return Err(errors.into_vec());
    }
    notes.add(Note::new(
        Standing::Approximated,
        "-d",
        "files are made in a directory of the run's own there, and all of them removed after it",
    ));
    let line: Vec<&str> = list.iter().map(|word| word.text.as_str()).collect();
    let source = format!("mdtest {}", line.join(" "));
    let mut workload = workload("mdtest", source, phases);
    workload.repeat = asked.iterations as u32;
    Ok(Translation {
        workload,
        notes: notes.into_vec(),
        wishes: RunWishes {
            together: Together {
                one_tree: true,
                ..Together::default()
            },
            ..RunWishes::default()
        },
    })
}

/// Files of each task.
fn items(found: &mut Read<'_, MdtestOptions>, tasks: u32) -> u64 {
    let asked = &found.asked.clone();
    let mut wrong = |message: &str, remedy: &str| found.wrong(message, remedy);
    if asked.files_only && asked.directories_only {
        wrong("-F and -D leave nothing", "one of them");
    }
    if asked.branches == 0 || asked.iterations == 0 || !(1..=4096).contains(&tasks) {
        let remedy = "1 or more, and 4096 tasks at most";
        wrong("-b, -i and the tasks cannot be that many", remedy);
    }
    let shape = files(asked, FileKind::File, 1).shape(tasks.max(1));
    let directories = shape.directories_of_tree();
    if shape.all_directories() > MOST_DIRECTORIES {
        let remedy = "a smaller -z or -b: 262144 directories at most";
        wrong("the tree has too many directories", remedy);
    }
    let holding = if asked.leaves {
        asked.branches.saturating_pow(asked.depth as u32)
    } else {
        directories
    };
    match (asked.items, asked.items_per_directory) {
        (0, 0) => {
            wrong(
                "the number of files is missing",
                "-n with files of each task",
            );
            1
        }
        (items, 0) => items,
        (0, each) => each.saturating_mul(holding),
        _ => {
            wrong("-n and -I together are not taken", "one of them");
            1
        }
    }
}

fn files(asked: &MdtestOptions, of: FileKind, count: u64) -> Files {
    Files {
        count,
        of,
        directories: if asked.own {
            FilePlaces::Own
        } else {
            FilePlaces::Shared
        },
        depth: asked.depth as u32,
        branches: asked.branches.max(1) as u32,
        leaves: asked.leaves,
        ..Files::PLAIN
    }
}

/// The phases of a call.
struct Phases<'a> {
    asked: &'a MdtestOptions,
    tasks: u32,
    items: u64,
}

impl Phases<'_> {
    fn all(&self) -> Vec<Phase> {
        let asked = self.asked;
        let all = !(asked.create || asked.stat || asked.read || asked.remove || asked.rename);
        // In the order of mdtest; how many times the stride the files are away.
        let phases = [
            (Op::Create, all || asked.create, 0),
            (Op::Stat, all || asked.stat, 1),
            (Op::Read, all || asked.read, 2),
            // As mdtest 4.0 does: one directory has no neighbour.
            (Op::Rename, (all || asked.rename) && self.items > 1, 0),
            (Op::Unlink, all || asked.remove, 3),
        ];
        let mut list = Vec::new();
        for of in [FileKind::Directory, FileKind::File] {
            let is_left_out = match of {
                FileKind::Directory => asked.files_only,
                FileKind::File => asked.directories_only,
            };
            for (op, is_wanted, strides) in phases {
                // Directories are not read, and files not renamed.
                let has_it = match of {
                    FileKind::Directory => op != Op::Read,
                    FileKind::File => op != Op::Rename,
                };
                if is_wanted && has_it && !is_left_out {
                    list.push(self.one(of, op, strides));
                }
            }
        }
        list
    }

    fn one(&self, of: FileKind, op: Op, strides: u64) -> Phase {
        let asked = self.asked;
        let what = match of {
            FileKind::Directory => "directory",
            FileKind::File => "file",
        };
        let name = format!("{what}-{}", op.name());
        let moved = match (of, op) {
            (FileKind::File, Op::Create) => asked.write_bytes,
            (FileKind::File, Op::Read) => asked.read_bytes,
            _ => 0,
        };
        let is_random = asked.random && op == Op::Stat;
        let mut kind = IoKind::plain(op, Bytes(moved));
        kind.random = if is_random {
            Percent::ALL
        } else {
            Percent::ZERO
        };
        let shift = asked.stride.saturating_mul(strides) % u64::from(self.tasks);
        let mut job = Job {
            targets: vec![asked.directory.clone()],
            threads: self.tasks,
            files: Some(Files {
                shift: shift as u32,
                sync: asked.sync && moved > 0 && op == Op::Create,
                ..files(asked, of, self.items)
            }),
            kinds: vec![kind],
            ..job(name.clone())
        };
        job.access.without_repetition = is_random;
        let mut phase = phase(name, vec![job]);
        if op == Op::Create && asked.stonewall_s > 0 {
            phase.duration = Some(Nanos::from_secs(asked.stonewall_s));
        }
        phase
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::spec::validate::validate;

    const SEVERAL: [&str; 6] = [
        "mdtest -n 1000 -d /data",
        "mpirun -n 8 ./mdtest -F -C -T -E -r -u -n 10k -w 3901 -e 3901 -N 1 -d /data",
        "mdtest -D -U -I 10 -z 2 -b 3 -L -i 3 -d /data",
        "srun -n 4 mdtest -n1 -Fuy -w=1m -W 30 -R -d /data",
        "mdtest -n 10 -a POSIX -P -t -G 5 -d /data -v",
        "mpiexec -np 2 mdtest -F -T -n 5 -d /data",
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
    fn phases_follow_those_of_mdtest() {
        let found = translate(SEVERAL[1], "line", &fathom_tools::Nowhere).expect("a line");
        let phases = found.workload.phases.iter().map(|phase| {
            let job = &phase.jobs[0];
            let files = job.files.expect("of files");
            let moved = job.kinds[0].block_size.0;
            (
                phase.name.as_str(),
                job.threads,
                files.count,
                files.shift,
                moved,
            )
        });
        let expected = [
            ("file-create", 8, 10_240, 0, 3901),
            ("file-stat", 8, 10_240, 1, 0),
            ("file-read", 8, 10_240, 2, 3901),
            ("file-unlink", 8, 10_240, 3, 0),
        ];
        assert_eq!(phases.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_is_not_taken_says_why() {
        let cases = [
            ("mdtest -d /data", "the number of files is missing"),
            ("mdtest -n 1 -F -D", "-F and -D leave nothing"),
            ("mdtest -n 1 -D -E", "what is asked for leaves no phase"),
            ("mdtest -n 1 -F -U", "what is asked for leaves no phase"),
            ("mdtest -n 1 -I 1", "-n and -I together are not taken"),
            ("mdtest -n", "`-n` needs a value"),
            ("mdtest -n x", "`x` is no number for -n"),
            ("mdtest -n 1 -d /a@/b", "several directories are not taken"),
            ("mdtest -n 1 -a S3", "the interface `S3` is not taken"),
            (
                "mdtest -n 1 -B",
                "`-B` is not taken: phases begin together here",
            ),
            ("mdtest -n 1 -q", "mdtest has no option `-q`"),
            (
                "mdtest -n 1 --gpuDirect",
                "`--gpuDirect` is not taken: no equivalent here",
            ),
            ("mdtest -n 1 5", "`5` is no option of mdtest"),
            (
                "mpirun -n 8 ior",
                "`ior` of what starts the tasks is unknown here",
            ),
            ("mpirun -n x mdtest -n 1", "that is no number of tasks"),
        ];
        for (line, message) in cases {
            let found = translate(line, "line", &fathom_tools::Nowhere).expect_err(line);
            assert_eq!(found[0].message, message, "{line}");
        }
    }
}
