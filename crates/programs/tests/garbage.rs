//! Texts that are not what they are taken for: a screen of findings answers them, whatever their
//! length. (How long that takes is no matter of a test: each finding beyond the first ones is only
//! counted, and after a thousand of them nothing is read any further.)

use fathom_dd as dd;
use fathom_diskspd as diskspd;
use fathom_fio as fio;
use fathom_iometer as iometer;
use fathom_ior::ior;
use fathom_ior::mdtest;
use fathom_iotest as iotest;
use fathom_tools::{Affinity, Diagnostic, Nowhere, native, recordings, suite};
use fathom_vdbench as vdbench;

/// Length of each text in bytes.
const LENGTH: usize = 60_000;

/// Most findings in one text.
const FINDINGS: usize = 20;

/// Most characters that are printed for one text.
const PRINTED: usize = 40_000;

/// What is repeated.
const PARTS: [&str; 17] = [
    "a",
    "conv=a,",
    "=",
    "[",
    "(",
    "\"",
    "1,",
    "${",
    "äöü€",
    "\0",
    "kk=vv\n",
    "[a]\nfoo=1\n",
    "[[phase]]\nfoo=1\n",
    "[[phase.job]]\nname=\"a\"\nfoo=1\n",
    "--rw=foo ",
    "-b4Q -zz ",
    "<Profile><TimeSpans>",
];

type Reader = fn(&str) -> Result<(), Vec<Diagnostic>>;

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

const READERS: [(&str, Reader); 17] = [
    ("native", |text| native::parse(text, "a.toml").map(drop)),
    ("fio file", |text| {
        fio::translate_file(text, "a.fio", &Nowhere).map(drop)
    }),
    ("fio words", |text| {
        fio::translate_words(&words(text), &Nowhere).map(drop)
    }),
    ("diskspd words", |text| {
        let argv = [vec!["diskspd".to_owned()], words(text)].concat();
        let input = diskspd::read(&argv, &Nowhere)?;
        input.translate(&Nowhere).map(drop)
    }),
    ("diskspd profile", |text| {
        diskspd::read_profile(text, "a.xml")?
            .translate(&Nowhere)
            .map(drop)
    }),
    ("iometer", |text| {
        iometer::translate(text, "a.icf", &Nowhere).map(drop)
    }),
    ("iotest", |text| {
        iotest::translate_argv(&words(text), iotest::Wishes::default()).map(drop)
    }),
    ("rhel-iotest", |text| {
        iotest::parse_rhel(&words(text)).map(drop)
    }),
    ("dd words", |text| {
        dd::translate_argv(&words(text), &Nowhere).map(drop)
    }),
    ("dd line", |text| {
        dd::translate(text, "a.txt", &Nowhere).map(drop)
    }),
    ("mdtest words", |text| {
        mdtest::translate_argv(&words(text), 2).map(drop)
    }),
    ("ior words", |text| {
        ior::translate_argv(&words(text), Some(2)).map(drop)
    }),
    ("vdbench", |text| {
        vdbench::translate(text, "a.vdb", &Nowhere).map(drop)
    }),
    ("vdbench words", |text| {
        vdbench::translate_words(&words(text), &Nowhere).map(drop)
    }),
    ("suite", |text| suite::parse(text, "a.toml").map(drop)),
    ("trace", |text| fio::iolog::parse(text, "a.log").map(drop)),
    ("recording", |text| {
        recordings::read(text, "a.txt")
            .map(drop)
            .map_err(|error| vec![*error])
    }),
];

#[test]
fn a_screen_of_findings_answers_any_length_of_garbage() {
    for (name, read) in READERS {
        for part in PARTS {
            let text = part.repeat(LENGTH / part.len());
            let Err(found) = read(&text) else {
                panic!("{name} takes {part:?}, repeated, for a load");
            };
            let printed: usize = found
                .iter()
                .map(|one| one.to_string().chars().count())
                .sum();
            let is_short = (1..=FINDINGS).contains(&found.len()) && printed <= PRINTED;
            assert!(
                is_short,
                "{name}, {part:?}: {} findings, {printed}",
                found.len()
            );
        }
    }
}

#[test]
fn a_file_of_thousands_of_jobs_is_read_whole() {
    let jobs = 3_000;
    let job = |number: usize| format!("[job{number}]\nfilename=/tmp/f{number}\nrw=read\nsize=1m\n");
    let text: String = (0..jobs).map(job).collect();
    let translation = fio::translate_file(&text, "a.fio", &Nowhere).expect("it is one");
    let phases = translation.workload.phases;
    assert_eq!(
        phases.iter().map(|phase| phase.jobs.len()).sum::<usize>(),
        jobs
    );
}

#[test]
fn specifications_of_one_name_by_the_thousand_have_names_of_their_own() {
    let spec = "'Access specification name,default assignment\nx,NONE\n'size,% of size,% reads,% \
                random,delay,burst,align,reply\n2048,100,67,100,0,1,0,0\n";
    let count = 4_000;
    let time = "'Run Time\n0 0 5\n";
    let text = format!("Version 1.1.0\n'TEST SETUP\n{time}{}", spec.repeat(count));
    let translation = iometer::translate(&text, "a.icf", &Nowhere).expect("it is one");
    let names: Vec<&str> = translation
        .workload
        .phases
        .iter()
        .map(|phase| phase.name.as_str())
        .collect();
    assert_eq!(names.len(), count);
    assert_eq!(
        [names[0], names[1], names[count - 1]],
        ["x", "x (2)", "x (4000)"]
    );
    // Steps that no machine could hold are refused before they are made.
    let workers = "'Default Disk Workers to Spawn\n4000\n";
    let text = format!(
        "Version 1.1.0\n'TEST SETUP\n{workers}{time}{}",
        spec.repeat(count)
    );
    let found = iometer::translate(&text, "a.icf", &Nowhere).expect_err("too many");
    assert_eq!(
        found[0].message,
        "all steps together have more than 32768 workers"
    );
}

/// How many things of one kind are in a long input: with as many steps for each as there are things
/// before it, no test would come to its end.
const MANY: usize = 60_000;

#[test]
fn a_trace_of_many_files_is_read_whole() {
    let line = |number: usize| format!("f{number} read 0 512\n");
    let lines: String = (0..MANY).map(line).collect();
    let trace = fio::iolog::parse(&format!("fio version 2 iolog\n{lines}"), "a.log");
    let trace = trace.expect("it is one");
    assert_eq!((trace.files.len(), trace.requests.len()), (MANY, MANY));
}

#[test]
fn recordings_of_many_devices_are_read_whole() {
    let line = |number: usize| format!("d{number} 1.00 2.00 3.00 4 5\n");
    let lines: String = (0..MANY).map(line).collect();
    let head = "Device tps kB_read/s kB_wrtn/s kB_read kB_wrtn\n";
    let text = format!("{head}{lines}\n{head}{lines}");
    let recording = recordings::read(&text, "a.txt").expect("it is one");
    assert_eq!(recording.devices.len(), MANY);
    let device = |number: usize| {
        format!(
            "{{\"device\":\"d{number}\",\"sample\":{{\"ios_per_second\":1.0,\
             \"read_bytes_per_second\":1.0,\"written_bytes_per_second\":1.0}}}}"
        )
    };
    let devices: Vec<String> = (0..MANY).map(device).collect();
    let moment = format!(
        "{{\"at\":\"t\",\"length_ns\":1000,\"devices\":[{}]}}\n",
        devices.join(",")
    );
    let head = "{\"fathom_recording\":1,\"tool\":\"fathom\",\"host\":null}\n";
    let text = format!("{head}{moment}{moment}");
    let recording = recordings::read(&text, "a.jsonl").expect("it is one");
    assert_eq!(recording.devices.len(), MANY);
}

#[test]
fn jobs_of_one_name_have_names_of_their_own() {
    let text = "[a]\nfilename=/tmp/f\nrw=read\nsize=1m\n".repeat(4_000);
    let translation = fio::translate_file(&text, "a.fio", &Nowhere).expect("it is one");
    let jobs: Vec<&str> = translation.workload.phases[0]
        .jobs
        .iter()
        .map(|job| job.name.as_str())
        .collect();
    assert_eq!((jobs.len(), jobs[0], jobs[3_999]), (4_000, "a", "a #4000"));
}

/// A few letters that ask for more than any machine has room for.
#[test]
fn what_multiplies_beyond_all_memory_is_refused_before_it_is_made() {
    let many = |head: &str, section: &str, count: usize| head.to_owned() + &section.repeat(count);
    let names = "f".repeat(4) + ":";
    let list = names.repeat(20_000) + "f";
    let inherited = "the sections up to this one inherit too much from [global]";
    let cases = [
        (
            many("", "[a]\nsize=1m\nnumjobs=4096\n", 9),
            "up to this section there are 36864 jobs",
        ),
        (
            many("", "[a]\nsize=1g\nnumjobs=4096\nnrfiles=4096\n", 1),
            "up to this section jobs use 16777216 files",
        ),
        (
            many(
                &format!("[global]\nsize=1g\nfilename={list}\n"),
                "[a]\n",
                700,
            ),
            inherited,
        ),
        (
            many(
                &format!("[global]\nsize=1g\ndescription={}\n", "x".repeat(1 << 20)),
                "[a]\n",
                65,
            ),
            inherited,
        ),
        (
            "[a]\nsize=1g\nnuma_cpu_nodes=0-65535\n".to_owned(),
            "`0-65535` names nodes that no machine has",
        ),
        (
            "[a]\nsize=1g\nignore_error=4096\n".to_owned(),
            "`4096` is no error that has a name here",
        ),
    ];
    for (text, message) in cases {
        let found = fio::translate_file(&text, "a.fio", &Nowhere).expect_err(message);
        assert_eq!((found.len(), found[0].message.as_str()), (1, message));
    }
    // Each is short, and there are many.
    let text = many(
        "[global]\nsize=1g\n",
        "[a]\ncpus_allowed=0-65535,0-65535\n",
        20_000,
    );
    let found = fio::translate_file(&text, "a.fio", &Nowhere).expect("it is one");
    let Affinity::List(list) = found.wishes.affinity else {
        panic!("a list");
    };
    assert_eq!((list.len(), list[0], list[65_535]), (65_536, 0, 65_535));
}

#[test]
fn more_than_anybody_writes_is_refused_before_it_is_read() {
    let fio = |text: &str| {
        let found = fio::translate_file(text, "a.fio", &Nowhere).expect_err("too much");
        found.into_iter().map(|one| one.message).collect::<Vec<_>>()
    };
    let options = format!("[a]\nsize=1m\n{}", "bs=4k\n".repeat(MANY));
    assert_eq!(fio(&options), ["more than 10000 options in one section"]);
    let line = vec!["--bs=4k".to_owned(); MANY];
    let line = [vec!["--name=a".to_owned()], line].concat();
    let found = fio::translate_words(&line, &Nowhere).expect_err("too much");
    assert_eq!(found[0].message, "more than 10000 options in one section");
    let jobs = format!("[[phase]]\n{}", "[[phase.job]]\n".repeat(MANY));
    let found = native::parse(&jobs, "a.toml").expect_err("too much");
    assert_eq!(
        (found.len(), &*found[0].message),
        (1, "the workload has 60000 jobs")
    );
    let span = "<TimeSpan><Targets><Target><Path>/f</Path></Target></Targets></TimeSpan>";
    let spans = format!(
        "<Profile><TimeSpans>{}</TimeSpans></Profile>",
        span.repeat(MANY)
    );
    let input = diskspd::read_profile(&spans, "a.xml").expect("it is one");
    let found = input.translate(&Nowhere).expect_err("too much");
    assert_eq!(
        (found.len(), &*found[0].message),
        (1, "the workload has 60000 jobs")
    );
}

/// What is no TOML has an error for every few bytes, all of which the parser would keep.
#[test]
fn of_what_is_no_toml_the_begin_is_looked_at() {
    let found = native::parse(&"=".repeat(1 << 20), "a.toml").expect_err("it is none");
    let last = found.last().and_then(|last| last.remedy.clone());
    let told = "the file is TOML: `key = value` lines, texts in quotes, `[[job]]` headers (the \
                text was not read any further after 1000 findings)";
    assert_eq!((found.len(), last.as_deref()), (FINDINGS, Some(told)));
    // Few errors far behind are found where they stand.
    let text = "threads = 1\na b\n";
    let far = format!("# {}\n{text}", "x".repeat(1 << 20));
    let found = native::parse(&far, "a.toml").expect_err("it is none");
    assert_eq!((found.len(), found[0].line()), (1, 3));
}

/// The same letter again and again is one option, and one finding.
#[test]
fn letters_without_end_are_read_in_one_pass() {
    let words = vec![format!("-{}", "k".repeat(1 << 20))];
    let found = mdtest::translate_argv(&words, 2).expect_err("it is refused");
    // That it is not taken, and that no folder is given.
    assert_eq!(found.len(), 2);
}

#[test]
fn attributes_without_end_are_refused() {
    let attribute = |number: usize| format!(" a{number}=\"\"");
    let all: String = (0..MANY).map(attribute).collect();
    let found = diskspd::read_profile(&format!("<Profile{all}/>"), "a.xml").expect_err("too many");
    assert_eq!(found[0].message, "`<Profile>` has too many attributes");
}

#[test]
fn targets_and_threads_of_a_profile_are_found_in_one_pass() {
    let target = |number: usize| {
        format!("<Target><Path>/tmp/f{number}</Path><FileSize>1048576</FileSize></Target>")
    };
    let span = |targets: &str, beside: &str| {
        format!(
            "<Profile><TimeSpans><TimeSpan>{beside}<Targets>{targets}</Targets></TimeSpan>\
             </TimeSpans></Profile>"
        )
    };
    let targets: String = (0..MANY).map(target).collect();
    let found = diskspd::read_profile(&span(&targets, ""), "a.xml").expect_err("too many");
    assert_eq!(found[0].message, "more than 1024 targets are too many");
    let thread = |number: usize| format!("<ThreadTarget><Thread>{number}</Thread></ThreadTarget>");
    let threads: String = (0..MANY).map(thread).collect();
    let target = format!(
        "<Target><Path>/tmp/f</Path><FileSize>1048576</FileSize><ThreadTargets>{threads}\
         </ThreadTargets></Target>"
    );
    let pool = format!("<ThreadCount>{MANY}</ThreadCount><RequestCount>4</RequestCount>");
    let input = diskspd::read_profile(&span(&target, &pool), "a.xml").expect("it is one");
    let found = input.translate(&Nowhere).expect_err("too many");
    assert_eq!(found[0].message, "60000 threads are not possible");
}

#[test]
fn axes_that_multiply_beyond_all_memory_are_counted_first() {
    let list = |name: &str| format!("{name} = {:?}\n", vec![1; 2_000]);
    let axes = ["read", "random", "queue_depth", "threads"]
        .map(list)
        .concat();
    let text = format!(
        "name = \"a\"\ndescription = \"a\"\n[[run]]\nworkload = \"random-read-4k\"\n{axes}"
    );
    let found = suite::parse(&text, "a.toml").expect_err("too many");
    assert_eq!(found[0].message, "a suite has 1 to 10000 runs");
}

#[test]
fn words_beside_a_profile_are_read_in_one_pass() {
    let argv = [vec!["diskspd".to_owned()], vec!["-W1".to_owned(); MANY]].concat();
    let argv = [argv, vec!["-c1M".to_owned(), "/tmp/f".to_owned()]].concat();
    let input = diskspd::read(&argv, &Nowhere).expect("it is one");
    assert_eq!(input.profile.spans[0].warm_up_s, 1);
}
