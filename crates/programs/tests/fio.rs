//! fio's inputs: what becomes of each file of the corpus, and of command lines.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

#[path = "fio/access.rs"]
mod access;
#[path = "fio/binding.rs"]
mod binding;
#[path = "fio/content.rs"]
mod content;
#[path = "fio/pacing.rs"]
mod pacing;
#[path = "fio/reports.rs"]
mod reports;
#[path = "fio/requests.rs"]
mod requests;

use fathom_core::{EngineKind, ErrorNumbers, Rate, Tolerated};
use fathom_fio::{CommandLine, FioJob, FioRun, OutputFormat, detect, translate};
use fathom_tools::native::{parse, print};
use fathom_tools::{Diagnostic, Surroundings, Translation};
use proptest::prelude::*;
use std::io;
use std::path::Path;

/// A small world: one include, two variables, two processors, one file.
struct World;

impl Surroundings for World {
    fn size_bytes(&self, path: &Path) -> Option<u64> {
        (path == Path::new("/data/there")).then_some(100 << 10)
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        match path.to_str() {
            Some("shared.inc") => Ok("size=1m\nrw=randread\n".to_owned()),
            Some("trace.log") => Ok(
                "fio version 3 iolog\n10 a write 0 4096\n5000 b read 8192 512\n\
                                     9000 a trim 81920 4096\n9500 a sync 0 0\n"
                    .to_owned(),
            ),
            Some("broken.log") => Ok("fio version 2 iolog\n/f read 512\n".to_owned()),
            Some("/proc/cpuinfo") => Ok("processor : 0\nprocessor : 1\n".to_owned()),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn read_bytes(&self, path: &Path) -> io::Result<Vec<u8>> {
        match path.to_str() {
            Some("pattern.bin") => Ok((0..16 << 10).map(|n: u32| (n * n) as u8 | 0x80).collect()),
            Some("long.bin") => Ok(vec![1; (64 << 10) + 1]),
            _ => self.read(path).map(String::into_bytes),
        }
    }

    fn is_folder(&self, path: &Path) -> bool {
        path == Path::new("/folder")
    }

    fn variable(&self, name: &str) -> Option<String> {
        match name {
            "FOLDER" => Some("/data".to_owned()),
            _ => None,
        }
    }
}

fn run(words: &[&str], files: &[(&str, &str)]) -> Result<FioRun, Vec<Diagnostic>> {
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let line = CommandLine::parse(&words)?;
    let owned = |(file, text): &(&str, &str)| ((*file).to_owned(), (*text).to_owned());
    let files: Vec<_> = files.iter().map(owned).collect();
    translate(&line, &files, &World)
}

fn drawn(found: &[Diagnostic]) -> String {
    let drawn: Vec<String> = found.iter().map(ToString::to_string).collect();
    drawn.join("\n\n")
}

fn first_line(found: &[Diagnostic]) -> String {
    drawn(found).lines().next().unwrap_or_default().to_owned()
}

fn last_line(found: &[Diagnostic]) -> String {
    drawn(found)
        .lines()
        .last()
        .unwrap_or_default()
        .trim()
        .to_owned()
}

/// All that a run says, as one text.
fn told(run: &FioRun) -> String {
    let Translation {
        workload,
        notes,
        wishes,
    } = &run.translation;
    let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
    let row = |job: &FioJob| {
        format!(
            "{} group {} of {:?}: {:?}, {} clones, {:?}",
            job.name, job.group, job.phase, job.members, job.clones, job.options
        )
    };
    let rows: Vec<String> = run.jobs.iter().map(row).collect();
    let logs: Vec<String> = run.logs.iter().map(|log| format!("{log:?}")).collect();
    [
        print(workload),
        format!("{wishes:#?}"),
        notes.join("\n"),
        drawn(&run.warnings),
        format!("global {:?}", run.global_options),
        rows.join("\n"),
        logs.join("\n"),
    ]
    .join("\n")
}

fn is_refused(path: &Path) -> bool {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    name.is_some_and(|name| name.starts_with("refused-"))
}

fn corpus(refused: bool) -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/fio");
    let entries = std::fs::read_dir(folder).expect("the corpus");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| is_refused(path) == refused)
        .collect();
    paths.sort();
    assert_ne!(paths.len(), 0);
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy();
        let text = std::fs::read_to_string(&path).expect("a text");
        (name.into_owned(), text)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn every_file_of_the_corpus_has_its_meaning() {
    for (name, text) in corpus(false) {
        let file = format!("{name}.fio");
        let words = ["--size=1g", "--target=/data/target", "--directory=/data"];
        let words = if name == "hp-profiles" {
            &words[..2]
        } else {
            &[]
        };
        let run = run(words, &[(&file, &text)]).unwrap_or_else(|found| panic!("{}", drawn(&found)));
        let workload = &run.translation.workload;
        let printed = print(workload);
        assert_eq!(
            parse(&printed, "printed.toml").as_ref(),
            Ok(workload),
            "{name}"
        );
        insta::assert_snapshot!(name.as_str(), told(&run));
    }
}

#[test]
fn every_refusal_shows_its_lines() {
    for (name, text) in corpus(true) {
        let found = run(&[], &[(&format!("{name}.fio"), &text)]).expect_err(&name);
        insta::assert_snapshot!(name.as_str(), drawn(&found));
    }
}

#[test]
fn a_command_line_is_a_job_file() {
    let words = "--name=x --filename=/data/f --rw=randread --bs 8k --size=1m --iodepth=4 \
                 --ioengine=libaio --direct=1 --runtime=5 --time_based --output-format=json \
                 --output out.json --eta=never";
    let words: Vec<&str> = words.split(' ').collect();
    let by_line = run(&words, &[]).unwrap();
    let text = "[x]\nfilename=/data/f\nrw=randread\nbs=8k\nsize=1m\niodepth=4\nioengine=libaio\n\
                direct=1\nruntime=5\ntime_based\n";
    let by_file = run(&[], &[("x.fio", text)]).unwrap();
    assert_eq!(by_line.translation, by_file.translation);
    // Of its options, fio's JSON lists the name of a job that the command line begins.
    let mut expected = by_file.jobs;
    let named = ("name".to_owned(), "x".to_owned());
    expected[0].options.insert(0, named);
    assert_eq!(by_line.jobs, expected);
}

#[test]
fn defaults_of_the_command_line_give_way_to_the_file() {
    let text = "[global]\nbs=16k\n[a]\nfilename=/data/f\n";
    let run = run(&["--bs=4k", "--size=1m", "--rw=write"], &[("a.fio", text)]).unwrap();
    let job = &run.translation.workload.phases[0].jobs[0];
    assert_eq!(job.kinds[0].block_size.0, 16384);
    assert_eq!(job.size.map(|size| size.0), Some(1 << 20));
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        run.global_options,
        [
            pair("bs", "4k"),
            pair("size", "1m"),
            pair("rw", "write"),
            pair("bs", "16k")
        ]
    );
    assert_eq!(run.jobs[0].options, [pair("filename", "/data/f")]);
}

#[test]
fn files_run_one_after_another_and_sections_can_be_chosen() {
    let text = "[global]\nsize=1m\nfilename=/data/f\n[a]\n[b]\n";
    let names = |words: &[&str], files: &[(&str, &str)]| -> Vec<Vec<String>> {
        let run = run(words, files).unwrap();
        let phases = run.translation.workload.phases.iter();
        let jobs = |phase: &fathom_core::spec::Phase| {
            phase.jobs.iter().map(|job| job.name.clone()).collect()
        };
        phases.map(jobs).collect()
    };
    let files = [("1.fio", text), ("2.fio", text)];
    assert_eq!(names(&[], &files), [["a", "b"], ["a", "b"]]);
    assert_eq!(names(&["--section=b"], &files[..1]), [["b"]]);
    assert_eq!(names(&["--one-by-one"], &files[..1]), [["a"], ["b"]]);
}

/// fio 3.33 read 49152 bytes of half a file, and ended or began anew as here with strides.
#[test]
fn shares_are_of_the_target() {
    let amount_of = |file: &str, options: &str| {
        let text = format!("[a]\nfilename=/data/{file}\n{options}\n");
        let run = run(&[], &[("a.fio", &text)]).unwrap();
        run.translation.workload.phases[0].jobs[0]
            .stop
            .bytes
            .map(|bytes| bytes.0)
    };
    let amount = |options: &str| amount_of("there", options);
    assert_eq!(amount("offset=50%"), Some(49152));
    assert_eq!(amount("size=50%"), Some(49152));
    assert_eq!(amount(""), Some(102_400));
    // Blocks at 0, 12, … 96 KiB: the last ends at 100 KiB, which ends the pass.
    assert_eq!(amount("rw=read:8k"), Some(36_864));
    // Measured with fio 3.33, as all below. The second block ends behind the part, and in the file;
    // the next would begin behind the file, so fio begins anew.
    assert_eq!(amount("rw=read:68k\nbs=8k\nsize=80k"), Some(81_920));
    // The next would begin behind the part, and in the file.
    assert_eq!(amount("rw=read:8k\nsize=71k"), Some(24_576));
    assert_eq!(amount("rw=read:8k\nsize=72k"), Some(24_576));
    // The same of a file that is made as large as that: the next would not fit, or begin behind it.
    let made = |options: &str| amount_of("new", options);
    assert_eq!(made("rw=read:68k\nbs=8k\nsize=80k"), Some(8192));
    assert_eq!(made("rw=read:8k\nsize=71k"), Some(73_728));
    assert_eq!(made("rw=read:8k\nsize=72k"), Some(73_728));
}

/// fio's letters stand behind one dash; what stands behind two alone is a file.
#[test]
fn words_are_read_as_fio_reads_them() {
    let words = ["-o", "out", "-F=terse", "-x", "b", "-V5", "-P", "--", "-o"];
    let words = words.map(str::to_owned);
    let found = CommandLine::parse(&words).expect_err("a value behind a letter");
    assert_eq!(found[0].message, "unknown option `--V5`");
    let words: Vec<String> = words.into_iter().filter(|word| word != "-V5").collect();
    let line = CommandLine::parse(&words).expect("a command line");
    assert_eq!(
        (
            line.tool.own.output.as_deref(),
            line.tool.own.parse_only,
            line.tool.sections,
            line.tool.formats,
            line.files
        ),
        (
            Some("out"),
            true,
            vec!["b".to_owned()],
            vec![OutputFormat::Terse],
            vec!["-o".to_owned()]
        )
    );
}

/// Of fio 3.33: one group of all of them, in the order of the line, and a second for a second file.
#[test]
fn the_jobs_of_the_line_run_with_those_of_the_first_file() {
    let files = [
        ("1.fio", "[b]\nsize=1m\n[c]\nsize=1m\n"),
        ("2.fio", "[d]\nsize=1m\n"),
    ];
    let run = run(&["--name=a", "--size=1m", "1.fio", "2.fio"], &files).expect("jobs");
    let groups = run.jobs.iter().map(|job| (job.name.as_str(), job.group));
    let groups: Vec<_> = groups.collect();
    assert_eq!(groups, [("a", 0), ("b", 0), ("c", 0), ("d", 1)]);
    assert_eq!(run.translation.workload.phases.len(), 2);
}

#[test]
fn no_size_is_that_of_what_is_there() {
    let amounts = |words: &[&str]| {
        let run = run(words, &[]).expect("a job");
        run.translation.workload.phases[0].jobs[0].clone()
    };
    let words = [
        "--size=64k",
        "--filename=/data/there",
        "--name=a",
        "--rw=read",
    ];
    let reset = [&words[..], &["--size=0"]].concat();
    let without = ["--filename=/data/there", "--name=a", "--rw=read"];
    assert_eq!(amounts(&reset), amounts(&without));
}

#[test]
fn wrong_words_of_a_command_line_are_shown() {
    let found = run(
        &[
            "--nmae=x",
            "\u{2013}rw=read",
            "--output-format=jsn",
            "--showcmd",
        ],
        &[],
    );
    insta::assert_snapshot!("command_line", drawn(&found.expect_err("all wrong")));
    let found = run(&["--as-written", "--one-by-one"], &[]).expect_err("contradiction");
    assert_eq!(found.len(), 1);
    let found = run(&[], &[]).expect_err("nothing to do");
    assert_eq!(found[0].message, "no job is given");
}

#[test]
fn a_job_file_is_known_by_its_name_or_its_lines() {
    assert_eq!(detect("a.fio", ""), 90);
    assert_eq!(detect("job", "; x\n[global]\nrw=read\n"), 60);
    assert_eq!(detect("a.toml", "[[phase]]\nname = \"x\"\n"), 0);
    assert_eq!(detect("a.ini", "[section]\nkey=1\n"), 0);
}

const TEXTS: &str = "(\\[[a-z]{0,3}\\]?|[a-z_]{1,9}=|[0-9]{1,20}|[kmgtpi%:,/;#$(){}é \n-]){0,40}";

const WORDS: &str = "-{0,3}[a-z_é=]{0,12}\\PC{0,3}";

const KEYS: &str = "filename|size|bs|rw|bssplit|bsrange|runtime|ss|rate|io_size|offset|numjobs|\
                    random_distribution|percentile_list|zonesize|verify|startdelay|cpus_allowed|\
                    name|include|nrfiles|filesize|thinktime|fsync|end_fsync|loops|ba|iodepth";

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in TEXTS) {
        let _ = run(&[], &[("x.fio", &text)]);
    }

    #[test]
    fn no_value_makes_it_panic(
        lines in prop::collection::vec((
            prop::sample::select(KEYS.split('|').collect::<Vec<_>>()),
            "[0-9]{0,20}[kmgKMGi%:,/.x()+*-]{0,3}[0-9]{0,6}[kmgsB%]{0,2}",
        ), 0..8),
    ) {
        let mut text = "[a]\nsize=1m\nfilename=/data/f\n".to_owned();
        for (key, value) in lines {
            text += &[key, "=", &value, "\n"].concat();
        }
        let _ = run(&[], &[("x.fio", &text)]);
    }

    #[test]
    fn no_words_make_it_panic(words in prop::collection::vec(WORDS, 0..6)) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let _ = run(&words, &[]);
    }
}

/// The jobs of the one phase of a command line.
fn jobs(words: &[&str]) -> Vec<fathom_core::spec::Job> {
    let run = run(words, &[]).unwrap_or_else(|found| panic!("{}", drawn(&found)));
    let mut phases = run.translation.workload.phases.into_iter();
    phases.next().expect("a phase").jobs
}

fn as_written(file: &str) -> Result<FioRun, Vec<Diagnostic>> {
    run(&["--as-written"], &[("a.fio", file)])
}

#[test]
fn a_pattern_may_be_in_a_file() {
    let words = ["--name=x", "--filename=/data/f", "--size=1m", "--rw=write"];
    let fill = |value: &str| jobs(&[&words[..], &[value]].concat())[0].data.fill;
    let text = "\"ab\"0x73697a653d316d0a72773d72616e64726561640a-1";
    assert_eq!(
        fill("--buffer_pattern=\"ab\"'shared.inc'-1"),
        fill(&format!("--buffer_pattern={text}"))
    );
    let found = run(&[&words[..], &["--buffer_pattern='none'"]].concat(), &[]);
    assert_eq!(
        first_line(&found.expect_err("no such file")),
        "error: a pattern from a file that cannot be read"
    );
}

/// A world in which targets are somewhere else.
struct Elsewhere;

impl Surroundings for Elsewhere {
    fn size_bytes(&self, _: &Path) -> Option<u64> {
        None
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        World.read(path)
    }

    fn variable(&self, name: &str) -> Option<String> {
        World.variable(name)
    }

    fn is_elsewhere(&self) -> bool {
        true
    }
}

#[test]
fn targets_may_be_somewhere_else_where_nothing_depends_on_their_size() {
    let target = "/dev/nvme9n1";
    let of = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        fathom_fio::translate_words(&words, &Elsewhere)
    };
    let name = format!("--filename={target}");
    let timed = [
        "--name=x",
        &name,
        "--rw=randread",
        "--runtime=5",
        "--time_based",
    ];
    for more in [&[][..], &["--size=100%"], &["--bs=64k", "--offset=1m"]] {
        let found = of(&[&timed[..], more].concat());
        let found = found.unwrap_or_else(|found| panic!("{}", drawn(&found)));
        let job = &found.workload.phases[0].jobs[0];
        assert_eq!((job.size, job.window), (None, None), "{more:?}");
    }
    for more in ["--size=50%", "--offset=10%"] {
        let found = of(&[&timed[..], &[more]].concat()).expect_err(more);
        assert_eq!(
            last_line(&found),
            "= help: in bytes, or --assume-size with the size of the target",
            "{more}"
        );
    }
    let found = of(&timed[..3]).expect_err("a pass over what is not here");
    assert_eq!(
        last_line(&found),
        "= help: add size=, as in `size=1g`, or --assume-size with that of the target"
    );
    for line in [
        "diskspd -b4K -d5 -r /mnt/none/file",
        "dd if=/mnt/none/file of=/dev/null bs=1M count=3",
    ] {
        let dialect = fathom_programs::detect("", line).expect("a dialect");
        (dialect.translate)(line, "line", &Elsewhere).expect(line);
    }
}

/// fio 3.33 reads 64 blocks of a file of 256 KiB, and 128 of two, whatever size= says beyond that.

#[test]
fn a_mapping_is_mapped_and_never_direct() {
    let words = ["--name=x", "--size=1m", "--ioengine=mmap", "--direct=1"];
    let run = run(&words, &[]).expect("it is taken");
    let notes: Vec<String> = run
        .translation
        .notes
        .iter()
        .map(ToString::to_string)
        .collect();
    let expected = "approximated: `ioengine=mmap`: with direct=1 fio writes the pages of each \
                    request back and drops them; here they stay in the page cache";
    assert_eq!(notes, [expected]);
    let job = &run.translation.workload.phases[0].jobs[0];
    assert_eq!((job.durability.direct, job.cold), (false, true));
    assert_eq!(run.translation.wishes.engine, Some(EngineKind::Mmap));
    // A file that is not there is laid out: a mapping cannot make it grow.
    let words = ["--name=x", "--size=1m", "--rw=write"];
    assert!(jobs(&words)[0].fresh);
    assert!(!jobs(&[&words[..], &["--ioengine=mmap"]].concat())[0].fresh);
}

#[test]
fn one_request_in_flight_overlaps_with_none() {
    let words = [
        "--name=x",
        "--size=1m",
        "--ioengine=libaio",
        "--serialize_overlap=1",
    ];
    assert_eq!(jobs(&words).len(), 1);
    let deeper = [&words[..], &["--iodepth=2"]].concat();
    let wrong = run(&deeper, &[]).expect_err("it is refused");
    let expected = "error: requests in flight that overlap do not wait for each other";
    assert_eq!(first_line(&wrong), expected);
}

/// fio has names for errors that every system has, and numbers for all.
#[test]
fn errors_that_end_nothing_are_named_by_request() {
    let of = |options: &str| {
        let text = format!("[a]\nfilename=/data/there\n{options}\n");
        let wishes = run(&[], &[("a.fio", &text)]).map(|run| run.translation.wishes);
        wishes.map(|wishes| (wishes.stop_on_error, wishes.tolerated))
    };
    let these = |numbers: &[i32]| ErrorNumbers::These(numbers.to_vec());
    let tolerated = |reads, writes, checks| Tolerated {
        reads,
        writes,
        checks,
    };
    let cases = [
        ("continue_on_error=none", true, Tolerated::default()),
        ("continue_on_error=all", false, Tolerated::default()),
        (
            "continue_on_error=io",
            true,
            tolerated(ErrorNumbers::All, ErrorNumbers::All, these(&[])),
        ),
        (
            "ignore_error=EAGAIN,ENOSPC:122,84",
            true,
            tolerated(these(&[11]), these(&[28, 122]), these(&[84])),
        ),
        (
            "continue_on_error=verify\nignore_error=EIO",
            true,
            tolerated(these(&[5]), these(&[]), ErrorNumbers::All),
        ),
    ];
    for (options, stops, expected) in cases {
        assert_eq!(of(options).ok(), Some((stops, expected)), "{options}");
    }
    let found = of("ignore_error=EILSEQ").expect_err("fio has no name for it");
    let expected = "error: `EILSEQ` is no error that has a name here";
    assert_eq!(first_line(&found), expected);
}
