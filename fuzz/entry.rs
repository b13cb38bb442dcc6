//! What is done with each text: by the fuzzer, and by the test that replays the corpora
//! (`crates/report/tests/fuzz_corpus.rs`). A text is read or refused, and what is told of it can be
//! shown; nothing else may happen.

use fathom_core::result::RunResult;
use fathom_core::spec::validate::validate;
use fathom_report::{TextOptions, find, write};
use fathom_tools::results::{ResultFile, formats};
use fathom_tools::{
    Diagnostic, Nowhere, Translation, dd, diskspd, fio, iometer, ior, iotest, mdtest, native,
    recordings, suite,
};
use fathom_volume::catalog::Date;
use fathom_volume::feed::{self, Fresh};
use fathom_volume::sizing::observe;

/// What a target does with a text.
pub type Target = fn(&str);

/// Every target: its name, which is that of its corpus, and what it does.
pub const TARGETS: [(&str, Target); 22] = [
    ("native", read_native),
    ("fio_job_file", read_fio_job_file),
    ("fio_command_line", read_fio_command_line),
    ("diskspd_command_line", read_diskspd_command_line),
    ("diskspd_xml", read_diskspd_xml),
    ("iometer", read_iometer),
    ("iotest", read_iotest),
    ("rhel_iotest", read_rhel_iotest),
    ("dd", read_dd),
    ("mdtest", read_mdtest),
    ("ior", read_ior),
    ("result_fio_json", read_fio_json),
    ("result_fio_json_plus", read_fio_json_plus),
    ("result_fio_log", read_fio_log),
    ("result_diskspd_text", read_diskspd_report),
    ("result_diskspd_xml", read_diskspd_result),
    ("result_iometer", read_iometer_table),
    ("result_own", read_own),
    ("suite", read_suite),
    ("trace", read_trace),
    ("recording", read_recording),
    ("price_feed", read_feed),
];

/// Does what the target called `name` does.
pub fn run(name: &str, text: &str) {
    let (_, target) = TARGETS
        .iter()
        .find(|(known, _)| *known == name)
        .expect("it is in the table");
    target(text);
}

/// Most findings that are told of one text.
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
const JOBS: usize = 16;

/// A workload that a dialect gives keeps all rules, and can be said in our own format.
fn translated(outcome: Result<Translation, Vec<Diagnostic>>) {
    let mut workload = match outcome {
        Ok(translation) => translation.workload,
        Err(errors) => return show(&errors),
    };
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

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn read_recording(text: &str) {
    match recordings::read(text, "recording") {
        Ok(recording) => {
            for series in &recording.devices {
                let _ = observe(&series.samples, 0.99);
            }
        }
        Err(error) => show(&[*error]),
    }
}

fn read_feed(text: &str) {
    let day = Date::constant(2026, 11, 22);
    let mut fresh = Fresh::default();
    match feed::read(text.as_bytes(), day, &mut fresh) {
        Ok(_) => {
            let _ = feed::overlay(&fresh, |_| None);
        }
        Err(error) => assert!(!error.to_string().is_empty(), "a refusal has a reason"),
    }
}

fn read_native(text: &str) {
    match native::parse(text, "a.toml") {
        Ok(workload) => {
            let printed = native::print(&workload);
            assert_eq!(
                native::parse(&printed, "printed").as_ref(),
                Ok(&workload),
                "{printed}"
            );
        }
        Err(errors) => show(&errors),
    }
}

fn read_fio_job_file(text: &str) {
    translated(fio::translate_file(text, "a.fio", &Nowhere));
}

fn read_fio_command_line(text: &str) {
    translated(fio::translate_words(&words(text), &Nowhere));
}

fn read_diskspd_command_line(text: &str) {
    let mut argv = vec!["diskspd".to_owned()];
    argv.extend(words(text));
    match diskspd::read(&argv, &Nowhere) {
        Ok(input) => translated(input.translate(&Nowhere)),
        Err(errors) => show(&errors),
    }
}

fn read_diskspd_xml(text: &str) {
    match diskspd::read_profile(text, "a.xml") {
        Ok(input) => translated(input.translate(&Nowhere)),
        Err(errors) => show(&errors),
    }
}

fn read_iometer(text: &str) {
    translated(iometer::translate(text, "a.icf", &Nowhere));
}

fn read_iotest(text: &str) {
    translated(iotest::translate_argv(
        &words(text),
        iotest::Wishes::default(),
    ));
    translated(iotest::translate(text, "a.txt", &Nowhere));
}

fn read_rhel_iotest(text: &str) {
    if let Err(errors) = iotest::parse_rhel(&words(text)) {
        show(&errors);
    }
}

fn read_dd(text: &str) {
    let outcome = dd::translate_argv(&words(text), &Nowhere);
    translated(outcome.map(|(translation, _)| translation));
    translated(dd::translate(text, "a.txt", &Nowhere));
}

fn read_mdtest(text: &str) {
    translated(mdtest::translate_argv(&words(text), 2));
    translated(mdtest::translate(text, "a.txt", &Nowhere));
}

fn read_ior(text: &str) {
    translated(ior::translate_argv(&words(text), Some(2)));
    translated(ior::translate(text, "a.txt", &Nowhere));
}

fn read_fio_json(text: &str) {
    import("fio-json", "a.json", text);
}

fn read_fio_json_plus(text: &str) {
    import("fio-json+", "a.json", text);
}

fn read_fio_log(text: &str) {
    import("fio-log", "a_lat.1.log", text);
}

fn read_diskspd_report(text: &str) {
    import("diskspd-text", "a.txt", text);
}

fn read_diskspd_result(text: &str) {
    import("diskspd-xml", "a.xml", text);
}

/// An import is judged, reported and kept.
fn import(form: &str, name: &str, text: &str) {
    let form = formats()
        .find(|known| known.name == form)
        .expect("it is in the table");
    let _ = (form.detect)(name, text);
    match (form.parse)(&[ResultFile { name, text }]) {
        Ok(imports) => {
            for mut import in imports {
                fathom_verdict::judge(&mut import.result);
                report(&import.result);
                let document = import.result.to_json();
                let again = RunResult::from_json(&document).expect("it is our own");
                assert_eq!(again.to_json(), document);
            }
        }
        Err(errors) => show(&errors),
    }
}

fn read_iometer_table(text: &str) {
    import("iometer-csv", "a.csv", text);
}

fn read_suite(text: &str) {
    if let Err(errors) = suite::parse(text, "a.toml") {
        show(&errors);
    }
}

fn read_trace(text: &str) {
    if let Err(errors) = fio::iolog::parse(text, "a.log") {
        show(&errors);
    }
}

fn read_own(text: &str) {
    match RunResult::from_json(text) {
        Ok(result) => {
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
        Err(error) => {
            let _ = error.to_string();
        }
    }
}

fn report(result: &RunResult) {
    let form = find("text").expect("there is such a format");
    let mut page = Vec::new();
    write(result, form, TextOptions::default(), &mut page).expect("memory takes everything");
}
