//! What is done with each text: by the fuzzer, by the test that replays the corpora
//! (`crates/report/tests/fuzz_corpus.rs`), and by the program that floods the readers
//! (`crates/report/examples/flood`). A text is read or refused, and its messages can be shown;
//! nothing else may happen.

use fathom_capture::file::{Device, Head, Writer, block};
use fathom_capture::learn::{Axes, Census, Roles, Survey, Windows, fidelity, workload};
use fathom_capture::{Selection, Source, Summing, Task};
use fathom_cluster::fixture::hostile;
use fathom_core::Nanos;
use fathom_core::result::RunResult;
use fathom_core::spec::validate::validate;
use fathom_core::spec::{Replay, Workload};
use fathom_dd as dd;
use fathom_diskspd as diskspd;
use fathom_explain::Importer;
use fathom_explain::explanation::{explain_against, explain_with};
use fathom_fio as fio;
use fathom_iometer as iometer;
use fathom_ior::ior;
use fathom_ior::mdtest;
use fathom_iotest as iotest;
use fathom_programs::result_formats;
use fathom_report::{EXPLANATION_FORMATS, TextOptions, find, write};
use fathom_tools::results::{Import, ResultFile};
use fathom_tools::{Diagnostic, Nowhere, Surroundings, Translation, native, recordings, suite};
use fathom_vdbench as vdbench;
use fathom_verdict::APPLICATIONS;
use fathom_volume::catalog::Date;
use fathom_volume::feed::{self, Fresh};
use fathom_volume::sizing::observe;
use std::io;
use std::path::Path;

/// What became of a text.
pub enum Outcome {
    /// It is wrong.
    Refused(Vec<Diagnostic>),
    /// It is wrong, as a sentence explains.
    Wrong(String),
    /// A dialect read it, or our own format did.
    Workload(Box<Workload>),
    /// What another program measured.
    Imports(Vec<Import>),
    /// What we measured.
    Result(Box<RunResult>),
    /// Something that nothing else is done with.
    Read,
}

/// How a text is read.
pub type Way = fn(&str) -> Outcome;

/// How a target reads a text: in each way in which somebody can give it.
pub type Target = &'static [Way];

/// Every target: its name, which is that of its corpus, and how it reads.
pub const TARGETS: [(&str, Target); 30] = [
    ("native", &[read_native]),
    ("fio_job_file", &[read_fio_job_file]),
    ("fio_command_line", &[read_fio_command_line]),
    ("diskspd_command_line", &[read_diskspd_command_line]),
    ("diskspd_xml", &[read_diskspd_xml]),
    ("iometer", &[read_iometer]),
    ("iotest", &[read_iotest, read_iotest_line]),
    ("rhel_iotest", &[read_rhel_iotest]),
    ("dd", &[read_dd, read_dd_line]),
    ("mdtest", &[read_mdtest, read_mdtest_line]),
    ("ior", &[read_ior, read_ior_line]),
    ("vdbench", &[read_vdbench, read_vdbench_words]),
    ("result_fio_json", &[read_fio_json]),
    ("result_fio_json_plus", &[read_fio_json_plus]),
    ("result_fio_log", &[read_fio_log]),
    ("result_fio_terse", &[read_fio_terse]),
    ("result_diskspd_text", &[read_diskspd_report]),
    ("result_diskspd_xml", &[read_diskspd_result]),
    ("result_iometer", &[read_iometer_table]),
    ("result_own", &[read_own]),
    ("explain", &[read_paste]),
    ("suite", &[read_suite]),
    ("trace", &[read_trace]),
    ("foreign_trace", &[read_foreign_trace]),
    ("capture", &[read_capture, read_block]),
    ("replay", &[read_replay]),
    ("fio_include", &[read_fio_include]),
    ("recording", &[read_recording]),
    ("price_feed", &[read_feed]),
    (
        "frames",
        &[read_frames_of_stranger, read_frames_of_member, read_sealed],
    ),
];

/// How the target called `name` reads a text.
pub fn ways(name: &str) -> Target {
    let (_, target) = TARGETS
        .iter()
        .find(|(known, _)| *known == name)
        .expect("it is in the table");
    target
}

/// Reads a text as the target called `name` does, and holds what becomes of it to the rules.
pub fn run(name: &str, text: &str) {
    for way in ways(name) {
        check(way(text));
    }
}

fn check(outcome: Outcome) {
    match outcome {
        Outcome::Refused(errors) => show(&errors),
        Outcome::Wrong(reason) => assert!(!reason.is_empty(), "a refusal has a reason"),
        Outcome::Workload(workload) => said_again(*workload),
        Outcome::Imports(imports) => imports.into_iter().for_each(kept),
        Outcome::Result(result) => read_back(&result),
        Outcome::Read => {}
    }
}

/// Most findings that are reported for one text.
const FINDINGS: usize = 20;

/// Most characters that all of them are drawn in: a few screens, however long the text is.
const PRINTED: usize = 60_000;

fn show(errors: &[Diagnostic]) {
    assert!(!errors.is_empty(), "a refusal has a reason");
    assert!(errors.len() <= FINDINGS, "{} findings", errors.len());
    let mut printed = 0;
    for error in errors {
        let _ = (error.line(), error.column());
        printed += error.to_string().chars().count();
    }
    assert!(printed <= PRINTED, "{printed} characters are printed");
}

/// Jobs of a phase that are said in our own format: a word can ask for thousands that are alike,
/// which would leave the fuzzer no time for other words.
const JOBS: usize = 4;

/// A workload keeps all rules, and can be said in our own format.
fn said_again(mut workload: Workload) {
    assert_eq!(validate(&workload), []);
    for phase in &mut workload.phases {
        phase.jobs.truncate(JOBS);
    }
    // The jobs that are left may wait for others, or leave the end of the phase to them.
    if validate(&workload).is_empty() {
        let text = native::print(&workload);
        let again = native::parse(&text, "printed");
        assert_eq!(again.as_ref(), Ok(&workload), "{text}");
    }
}

/// An import is judged, reported and kept.
fn kept(mut import: Import) {
    fathom_verdict::judge(&mut import.result);
    report(&import.result);
    let document = import.result.to_json();
    let again = RunResult::from_json(&document).expect("it is our own");
    assert_eq!(again.to_json(), document);
}

/// What is stored in a result can be read, and stays the same.
fn read_back(result: &RunResult) {
    let jobs = result.phases.iter().flat_map(|phase| &phase.jobs);
    for (_, op) in jobs.flat_map(|job| job.ops.present()) {
        let stored = [&op.service_histogram, &op.response_histogram];
        for histogram in stored.into_iter().flatten() {
            let _ = histogram.decode().map(|histogram| histogram.summary());
        }
    }
    let document = result.to_json();
    let again = RunResult::from_json(&document).expect("it is our own");
    assert_eq!(again.to_json(), document);
}

/// Draws a result as text.
pub fn report(result: &RunResult) -> usize {
    let form = find("text").expect("there is such a format");
    let mut page = Vec::new();
    write(result, form, TextOptions::default(), &mut page).expect("memory takes everything");
    page.len()
}

fn translated(outcome: Result<Translation, Vec<Diagnostic>>) -> Outcome {
    match outcome {
        Ok(translation) => Outcome::Workload(Box::new(translation.workload)),
        Err(errors) => Outcome::Refused(errors),
    }
}

fn read_only<T>(outcome: Result<T, Vec<Diagnostic>>) -> Outcome {
    match outcome {
        Ok(_) => Outcome::Read,
        Err(errors) => Outcome::Refused(errors),
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn read_recording(text: &str) -> Outcome {
    match recordings::read(text, "recording") {
        Ok(recording) => {
            for series in &recording.devices {
                let _ = observe(&series.samples, 0.99);
            }
            Outcome::Read
        }
        Err(error) => Outcome::Refused(vec![*error]),
    }
}

fn read_feed(text: &str) -> Outcome {
    let day = Date::constant(2026, 11, 22);
    let mut fresh = Fresh::default();
    match feed::read(text.as_bytes(), day, &mut fresh) {
        Ok(_) => {
            let _ = feed::overlay(&fresh, |_| None);
            Outcome::Read
        }
        Err(error) => Outcome::Wrong(error.to_string()),
    }
}

/// Each character is a byte, so that a text can hold any frame.
fn bytes(text: &str) -> Vec<u8> {
    text.chars().map(|sign| u32::from(sign) as u8).collect()
}

fn read_frames_of_stranger(text: &str) -> Outcome {
    assert!(!hostile::stranger(&bytes(text)).trusted);
    Outcome::Read
}

fn read_frames_of_member(text: &str) -> Outcome {
    let _ = hostile::member(&bytes(text));
    Outcome::Read
}

/// Nothing that somebody sends who does not know the secret comes out of a sealed stream.
fn read_sealed(text: &str) -> Outcome {
    hostile::sealed(&bytes(text));
    Outcome::Read
}

fn read_native(text: &str) -> Outcome {
    match native::parse(text, "a.toml") {
        Ok(workload) => Outcome::Workload(Box::new(workload)),
        Err(errors) => Outcome::Refused(errors),
    }
}

fn read_fio_job_file(text: &str) -> Outcome {
    translated(fio::translate_file(text, "a.fio", &Nowhere))
}

fn read_fio_command_line(text: &str) -> Outcome {
    translated(fio::translate_words(&words(text), &Nowhere))
}

fn read_diskspd_command_line(text: &str) -> Outcome {
    let mut argv = vec!["diskspd".to_owned()];
    argv.extend(words(text));
    let input = diskspd::read(&argv, &Nowhere);
    translated(input.and_then(|input| input.translate(&Nowhere)))
}

fn read_diskspd_xml(text: &str) -> Outcome {
    let input = diskspd::read_profile(text, "a.xml");
    translated(input.and_then(|input| input.translate(&Nowhere)))
}

fn read_iometer(text: &str) -> Outcome {
    translated(iometer::translate(text, "a.icf", &Nowhere))
}

fn read_iotest(text: &str) -> Outcome {
    let wishes = iotest::Wishes::default();
    translated(iotest::translate_argv(&words(text), wishes))
}

fn read_iotest_line(text: &str) -> Outcome {
    translated(iotest::translate(text, "a.txt", &Nowhere))
}

fn read_rhel_iotest(text: &str) -> Outcome {
    read_only(iotest::parse_rhel(&words(text)))
}

fn read_dd(text: &str) -> Outcome {
    let argv = dd::translate_argv(&words(text), &Nowhere);
    translated(argv.map(|(translation, _)| translation))
}

fn read_dd_line(text: &str) -> Outcome {
    translated(dd::translate(text, "a.txt", &Nowhere))
}

fn read_mdtest(text: &str) -> Outcome {
    translated(mdtest::translate_argv(&words(text), 2))
}

fn read_mdtest_line(text: &str) -> Outcome {
    translated(mdtest::translate(text, "a.txt", &Nowhere))
}

fn read_ior(text: &str) -> Outcome {
    translated(ior::translate_argv(&words(text), Some(2)))
}

fn read_ior_line(text: &str) -> Outcome {
    translated(ior::translate(text, "a.txt", &Nowhere))
}

fn read_vdbench(text: &str) -> Outcome {
    translated(vdbench::translate(text, "a.vdb", &Nowhere))
}

fn read_vdbench_words(text: &str) -> Outcome {
    translated(vdbench::translate_words(&words(text), &Nowhere))
}

fn read_fio_json(text: &str) -> Outcome {
    import("fio-json", "a.json", text)
}

fn read_fio_json_plus(text: &str) -> Outcome {
    import("fio-json+", "a.json", text)
}

fn read_fio_log(text: &str) -> Outcome {
    import("fio-log", "a_lat.1.log", text)
}

fn read_fio_terse(text: &str) -> Outcome {
    import("fio-terse", "a.txt", text)
}

fn read_diskspd_report(text: &str) -> Outcome {
    import("diskspd-text", "a.txt", text)
}

fn read_diskspd_result(text: &str) -> Outcome {
    import("diskspd-xml", "a.xml", text)
}

fn read_iometer_table(text: &str) -> Outcome {
    import("iometer-csv", "a.csv", text)
}

fn import(form: &str, name: &str, text: &str) -> Outcome {
    let form = result_formats()
        .find(|known| known.name == form)
        .expect("it is in the table");
    let _ = (form.detect)(name, text);
    match (form.parse)(&[ResultFile { name, text }]) {
        Ok(imports) => Outcome::Imports(imports),
        Err(errors) => Outcome::Refused(errors),
    }
}

fn read_suite(text: &str) -> Outcome {
    read_only(suite::parse(text, "a.toml"))
}

fn read_trace(text: &str) -> Outcome {
    read_only(fio::iolog::parse(text, "a.log"))
}

/// The trace of any tool, as text.
fn read_foreign_trace(text: &str) -> Outcome {
    requests_of(text.as_bytes())
}

/// A capture: each character is a byte.
fn read_capture(text: &str) -> Outcome {
    requests_of(&[b"FATHOMRQ\x01\0\0\0".to_vec(), bytes(text)].concat())
}

/// A block of a capture. The first character is its kind; no fuzzer finds a checksum that fits.
fn read_block(text: &str) -> Outcome {
    let bytes = bytes(text);
    let mut file = Vec::new();
    let head = Head {
        devices: vec![Device::default()],
        ..Head::default()
    };
    let mut writer = Writer::begin(&mut file, &head).expect("memory");
    writer.add_task(Task::default());
    writer.flush().expect("memory");
    if let Some((kind, payload)) = bytes.split_first() {
        file.extend(block(*kind, payload));
    }
    requests_of(&file)
}

/// Makes a twin as `learn` does. What comes of any trace is a valid workload.
fn learned(
    mut first: Box<dyn Source>,
    mut second: Box<dyn Source>,
) -> Result<(), fathom_capture::CaptureError> {
    let mut census = Census::default();
    while let Some(chunk) = first.next_chunk()? {
        census.add(&chunk, first.tasks());
    }
    let length_ns = census.last_ns().max(1);
    let accesses = census.page_accesses();
    let roles = Roles::of(census, length_ns, None);
    let mut survey = Survey::new(&roles);
    let mut windows = Windows::new(length_ns, roles.footprint_bytes(), accesses);
    let mut axes = Axes::new(0, length_ns, roles.footprint_bytes(), accesses);
    while let Some(chunk) = second.next_chunk()? {
        survey.add(&roles, &chunk);
        windows.add(&chunk);
        for request in &chunk {
            axes.add(request);
        }
    }
    if roles.count() > 0 {
        let twin = workload(&survey.finish(&roles), "twin", Nanos(length_ns));
        assert_eq!(validate(&twin), []);
    }
    let _ = fidelity(&windows, &axes, true).near();
    Ok(())
}

/// Reads a trace as `show`, a replay and `learn` do.
fn requests_of(bytes: &[u8]) -> Outcome {
    let source = || fathom_capture::open(io::Cursor::new(bytes.to_vec()));
    let read = || -> Result<(), fathom_capture::CaptureError> {
        let mut summing = Summing::default();
        let mut opened = source()?;
        while let Some(chunk) = opened.next_chunk()? {
            summing.add(&chunk, opened.tasks());
        }
        let _ = (summing.finish().sizes(2), opened.remarks());
        let all = Selection::new(&Replay::all(""), None);
        let trace = fathom_capture::trace(source()?.as_mut(), 1 << 24, all)?;
        let _ = (trace.kinds(), trace.end_bytes());
        learned(source()?, source()?)
    };
    match read() {
        Ok(()) => Outcome::Read,
        Err(error) => Outcome::Wrong(error.to_string()),
    }
}

/// A trace with the job that replays it.
fn read_replay(text: &str) -> Outcome {
    let job = "[a]\nread_iolog=trace\n";
    translated(fio::translate_file(job, "a.fio", &EveryFile(text)))
}

/// What a job file includes, which may include itself.
fn read_fio_include(text: &str) -> Outcome {
    let job = "[a]\nsize=1m\ninclude x\n";
    translated(fio::translate_file(job, "a.fio", &EveryFile(text)))
}

/// Every file has the same text.
struct EveryFile<'a>(&'a str);

impl Surroundings for EveryFile<'_> {
    fn size_bytes(&self, _: &Path) -> Option<u64> {
        None
    }

    fn read(&self, _: &Path) -> io::Result<String> {
        Ok(self.0.to_owned())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }
}

/// A paste: alone, against itself, and for an application; shown in every format.
fn read_paste(text: &str) -> Outcome {
    let bytes = text.as_bytes();
    let none: Importer<'_> = &|_| Vec::new();
    let own: Importer<'_> = &|text| RunResult::from_json(text).into_iter().collect();
    let answers = [
        explain_with(bytes, "paste", APPLICATIONS.first(), own),
        explain_against(bytes, bytes, ["paste", "paste"], [none, none]),
    ];
    for format in EXPLANATION_FORMATS {
        for answer in &answers {
            let shown = format.render(answer, TextOptions::default());
            let is_hidden = |sign: char| sign.is_control() && sign != '\n' && sign != '\t';
            assert!(!shown.contains(is_hidden), "{}: {shown:?}", format.name);
        }
    }
    Outcome::Read
}

fn read_own(text: &str) -> Outcome {
    match RunResult::from_json(text) {
        Ok(result) => Outcome::Result(Box::new(result)),
        Err(error) => Outcome::Wrong(error.to_string()),
    }
}
