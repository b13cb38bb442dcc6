//! Texts that are not what they are taken for: a screen of findings answers them, whatever their
//! length. (How long that takes is no matter of a test: each finding beyond the first ones is only
//! counted, and after a thousand of them nothing is read any further.)

use fathom_tools::{Diagnostic, Nowhere, dd, diskspd, fio, iometer, iotest, native};

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

const READERS: [(&str, Reader); 10] = [
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
        "all steps together have more than 100000 workers"
    );
}
