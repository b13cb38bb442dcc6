//! From the file to a workload with the phases of the benchmark.

use super::config::{Config, section};
use super::keys;
use super::parts::{Ground, phases};
use crate::tasks;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::{Surroundings, reason};
use fathom_tools::faults::Faults;
use fathom_tools::plain_job::workload;
use fathom_tools::translation::{Note, RunWishes, Standing, Together, Translation};
use fathom_tools::words::{CommandWords, Word};
use std::path::Path;

/// The directory of the benchmark, where the file names none.
const DIRECTORY: &str = "./datafiles";

/// What differs from the benchmark in every run.
const DIFFERS: &str = "searches are not measured, so that there is no score; each task stops at \
                       the stonewall time, without coming to the count of the fastest; what \
                       ior-hard-read reads is not checked";

/// How sure it is that a text is such a file. `[global]` alone may be one of fio.
pub(in crate::ior) fn detect(text: &str) -> u8 {
    let mut sections = text.lines().filter_map(section).map(str::to_lowercase);
    let is_own = |name: &String| name != "global" && name != "debug" && keys::is_section(name);
    let has_key = |line: &str| {
        let key = line.split('=').next().unwrap_or_default();
        key.trim().eq_ignore_ascii_case("datadir")
    };
    if sections.clone().any(|name| is_own(&name)) {
        return 95;
    }
    let is_short = sections.next().is_some_and(|name| name == "global");
    if is_short && text.lines().any(has_key) {
        95
    } else {
        0
    }
}

/// The same of a line that calls the benchmark.
pub(in crate::ior) fn detect_line(text: &str) -> u8 {
    tasks::detect(text, "io500")
}

/// Translates the text of a file. A `directory` is used in place of that of the file.
///
/// # Errors
///
/// Everything that is wrong with it, and what is not taken.
pub(in crate::ior) fn translate(
    text: &str,
    file: &str,
    surroundings: &dyn Surroundings,
    given: (Option<u32>, Option<&str>),
) -> Result<Translation, Vec<Diagnostic>> {
    let (tasks, directory) = given;
    let mut config = Config::read(text, file);
    let stated = config.value("global", "datadir").unwrap_or(DIRECTORY);
    let directory = match directory.unwrap_or(stated).trim_end_matches('/') {
        "" => "/".to_owned(),
        directory => directory.to_owned(),
    };
    if tasks.is_none() {
        let message = "one, since the file does not state them; `fathom ior --tasks N FILE`";
        config
            .notes
            .add(Note::new(Standing::Approximated, "tasks", message));
    }
    let ground = Ground {
        directory: &directory,
        tasks: tasks.unwrap_or(1),
        free_bytes: surroundings.free_bytes(Path::new(&directory)),
    };
    let (phases, apart) = phases(&mut config, &ground);
    if phases.is_empty() && config.errors.is_empty() {
        let place = config.place("", "");
        let remedy = "run = TRUE for one of them";
        config.error(place, "no phase that is measured is left", remedy);
    }
    if !config.errors.is_empty() {
        return Err(config.errors.into_vec());
    }
    if !config.sizes.is_empty() {
        let message = format!(
            "each task takes a part of the free space: {}",
            config.sizes.join(", ")
        );
        let note = Note::new(Standing::Approximated, "sizes that are not stated", message);
        config.notes.add(note);
    }
    config
        .notes
        .add(Note::new(Standing::Approximated, "io500", DIFFERS));
    Ok(Translation {
        workload: workload("io500", format!("io500 {file}"), phases),
        notes: config.notes.into_vec(),
        wishes: RunWishes {
            directories: vec![directory.into()],
            together: Together {
                interleaved: true,
                apart,
                ..Together::default()
            },
            ..RunWishes::default()
        },
    })
}

/// Translates a line that calls the benchmark with its file.
///
/// # Errors
///
/// Everything that is wrong with it.
pub(in crate::ior) fn translate_line(
    text: &str,
    file: &str,
    surroundings: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    let words = CommandWords::split(text, file).map_err(|error| vec![*error])?;
    translate_started(&words, text, surroundings)
}

/// Translates the words after the first of a `text`, which may be what starts the tasks.
pub(in crate::ior) fn translate_started(
    words: &CommandWords,
    text: &str,
    surroundings: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    let mut errors = Faults::default();
    match tasks::started(text, words, "io500", &mut errors) {
        Some(([name], tasks)) if errors.is_empty() => {
            translate_file(words, name, surroundings, (tasks, None))
        }
        Some((list, _)) if errors.is_empty() => {
            let span = list.get(1).map_or(words.end(), |word| word.span.clone());
            let message = "io500 is called with its configuration file alone";
            Err(vec![words.error(
                span,
                message,
                None,
                "as in io500 io500.ini",
            )])
        }
        _ => Err(errors.into_vec()),
    }
}

/// Translates the file of this name, which is one of `words`.
///
/// # Errors
///
/// It cannot be read, and everything that is wrong with it.
pub(in crate::ior) fn translate_file(
    words: &CommandWords,
    name: &Word,
    surroundings: &dyn Surroundings,
    given: (Option<u32>, Option<&str>),
) -> Result<Translation, Vec<Diagnostic>> {
    let text = surroundings.read(Path::new(&name.text)).map_err(|error| {
        let message = format!("{} cannot be read: {}", name.text, reason(&error));
        let remedy = "name a configuration file of IO500 that can be read";
        vec![words.error(name.span.clone(), message, None, remedy)]
    })?;
    translate(&text, &name.text, surroundings, given)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::spec::validate::validate;
    use fathom_tools::Nowhere;

    const SMALL: &str = "# a comment
[global]
datadir = /data/io500/   ; where
timestamp-datadir = FALSE
[debug]
stonewall-time = 5
[ior-easy]
transferSize = 1m
blockSize = 64m
[ior-hard]
segmentCount = 100
API =
[mdtest-easy]
n = 50
[mdtest-hard]
n = 20
[mdtest-hard-read]
run = FALSE
";

    fn read(text: &str) -> Result<Translation, Vec<Diagnostic>> {
        translate(text, "io500.ini", &Nowhere, (Some(2), None))
    }

    #[test]
    fn phases_come_in_the_order_of_the_benchmark() {
        let found = read(SMALL).expect("a file");
        assert_eq!(validate(&found.workload), []);
        let phases = found.workload.phases.iter().map(|phase| {
            let (job, first) = (&phase.jobs[0], &phase.jobs[0].targets[0]);
            let limit = phase.duration.map(|limit| limit.0 / 1_000_000_000);
            let requests = job.stop.ios.or(job.files.map(|files| files.count));
            let at = first.strip_prefix("/data/io500").expect("the directory");
            (phase.name.as_str(), phase.jobs.len(), requests, limit, at)
        });
        let easy = "/ior_file_easy.00000000";
        let hard = "/ior_file_hard";
        let expected = [
            ("ior-easy-write", 2, Some(64), Some(5), easy),
            ("mdtest-easy-write", 1, Some(50), Some(5), ""),
            ("ior-hard-write", 2, Some(100), Some(5), hard),
            ("mdtest-hard-write", 1, Some(20), Some(5), ""),
            ("ior-easy-read", 2, Some(64), None, easy),
            ("mdtest-easy-stat", 1, Some(50), None, ""),
            ("ior-hard-read", 2, Some(100), None, hard),
            ("mdtest-hard-stat", 1, Some(20), None, ""),
            ("mdtest-easy-delete", 1, Some(50), None, ""),
            ("mdtest-hard-delete", 1, Some(20), None, ""),
        ];
        assert_eq!(phases.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn keys_of_the_file_that_comes_with_the_benchmark_are_taken() {
        let found = read(
            "[find]\npfind-queue-length = 10000\n[ior-easy]\nposix.odirect = TRUE\n\
             hintsFileName =\n[ior-hard]\nposix.odirect =\n[mdtest-easy]\nposix.odirect =\n",
        );
        let found = found.expect("a file").workload;
        let direct = found.phases.iter().map(|phase| {
            let direct = phase.jobs[0].durability.direct && phase.jobs[0].files.is_none();
            (phase.name.as_str(), direct)
        });
        let direct: Vec<&str> = direct.filter_map(|(name, is)| is.then_some(name)).collect();
        assert_eq!(direct, ["ior-easy-write", "ior-easy-read"]);
    }

    #[test]
    fn what_differs_is_three_notes_at_most() {
        let notes = |text: &str, tasks| {
            let found = translate(text, "io500.ini", &Nowhere, (tasks, None)).expect("a file");
            let notes = found.notes.into_iter().map(|note| note.what);
            notes.collect::<Vec<_>>()
        };
        let plain = notes("[global]\ndatadir = d", None);
        assert_eq!(plain, ["tasks", "sizes that are not stated", "io500"]);
        let sizes = "[ior-easy]\nblockSize = 64m\n[ior-hard]\nsegmentCount = 9\n\
                     [mdtest-easy]\nn = 5\n[mdtest-hard]\nn = 5\n";
        assert_eq!(notes(sizes, Some(2)), ["io500"]);
    }

    #[test]
    fn sizes_that_are_not_stated_fit_the_free_space() {
        let found = read("[global]\ndatadir = d").expect("a file");
        let jobs = found.workload.phases.iter().map(|phase| &phase.jobs[0]);
        let moved = jobs
            .filter(|job| job.files.is_none())
            .map(|job| job.stop.ios.unwrap_or(0) * job.largest_io().0);
        // Half of 4 GiB for each task, in whole requests.
        let hard = (2 << 30) / 47_008 * 47_008;
        let expected = [2 << 30, hard, 2 << 30, hard];
        assert_eq!(moved.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_is_not_taken_is_named() {
        let cases = [
            ("[ior]", "IO500 has no section `[ior]`"),
            ("[global]\nscratch = 1", "`[global]` has no key `scratch`"),
            ("[global]\ndatadir", "this is no `key = value`"),
            (
                "[global]\napi = S3",
                "`[global] api = S3` is not taken: POSIX is the only interface",
            ),
            (
                "[global]\ndrop-caches = TRUE",
                "`[global] drop-caches = TRUE` is not taken: the page cache belongs to others too",
            ),
            (
                "[debug]\nstonewall-time = abc",
                "this is no number of seconds",
            ),
            (
                "[ior-hard]\nhintsFileName = h",
                "`[ior-hard] hintsFileName = h` is not taken: hints are of MPI-IO",
            ),
            (
                "[mdtest-hard]\nfiles-per-dir = 5",
                "`[mdtest-hard] files-per-dir = 5` is not taken: files of this part are in one \
                 directory",
            ),
            (
                "[ior-easy]\nrun = maybe",
                "`maybe` is no value for [ior-easy] run",
            ),
            (
                "[ior-easy]\ntransferSize = 3m\nblockSize = 4m",
                "[ior-easy]: a block of 4194304 bytes is not whole requests of 3145728",
            ),
            (
                "[ior-easy]\nrun=0\n[ior-hard]\nrun=0\n[mdtest-easy]\nrun=0\n[mdtest-hard]\nrun=0",
                "no phase that is measured is left",
            ),
        ];
        for (text, message) in cases {
            let wrong = read(text).expect_err(text);
            let messages: Vec<&str> = wrong.iter().map(|one| one.message.as_str()).collect();
            assert_eq!(messages, [message], "{text}");
        }
        // As mdtest itself has it.
        let wrong = read("[mdtest-easy]\nn = x").expect_err("no number");
        let messages: Vec<&str> = wrong.iter().map(|one| one.message.as_str()).collect();
        let expected = [
            "[mdtest-easy]: `x` is no number for -n",
            "[mdtest-easy]: the number of files is missing",
        ];
        assert_eq!(messages, expected);
    }

    #[test]
    fn a_file_of_io500_is_not_one_of_fio() {
        let cases = [
            (SMALL, 95),
            ("[global]\ndatadir = ./d\n", 95),
            ("[mdtest-easy-write]\nrun = 0\n", 95),
            ("[global]\nrw=read\n[job]\nfilename=/data\n", 0),
            ("ior -w", 0),
            ("", 0),
        ];
        for (text, sure) in cases {
            assert_eq!(detect(text), sure, "{text}");
        }
        let line = "mpirun -n 8 ./io500 a.ini";
        assert_eq!(detect_line(line), 90);
        let wrong = translate_line(line, "line", &Nowhere).expect_err("no file");
        assert_eq!(wrong.len(), 1);
        let wrong = translate_line("io500 a b", "line", &Nowhere).expect_err("two files");
        let message = "io500 is called with its configuration file alone";
        assert_eq!(wrong[0].message, message);
    }
}
