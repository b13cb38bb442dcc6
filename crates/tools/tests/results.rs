//! What results of other programs come to, whole; and what is said of those that cannot be read.
//!
//! The files of fio are its own, version 3.33, from runs of a few requests. The report of
//! DISKSPD 2.1 is made up in its layout.

use fathom_tools::results::{Import, ResultFile, read};
use std::fmt::Write as _;
use std::path::Path;

/// Reads files of the corpus together.
fn imported(names: &[&str]) -> Vec<Import> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/results");
    let texts: Vec<String> = names
        .iter()
        .map(|name| std::fs::read_to_string(folder.join(name)).expect(name))
        .collect();
    let files = names.iter().zip(&texts);
    let files: Vec<ResultFile<'_>> = files
        .map(|(name, text)| ResultFile { name, text })
        .collect();
    match read(&files) {
        Ok(imports) => imports,
        Err(errors) => panic!("{}", shown(&errors)),
    }
}

fn shown(errors: &[fathom_tools::Diagnostic]) -> String {
    let drawn: Vec<String> = errors.iter().map(ToString::to_string).collect();
    drawn.join("\n\n") + "\n"
}

/// All results as documents, each after its notes.
fn documents(names: &[&str]) -> String {
    let mut text = String::new();
    for import in imported(names) {
        for note in &import.notes {
            writeln!(text, "note: {note}").expect("memory takes everything");
        }
        text += &import.result.to_json();
    }
    text
}

#[test]
fn several_runs_of_fio_with_words_between_them() {
    insta::assert_snapshot!(documents(&["runs.json"]));
}

#[test]
fn the_bins_of_fio_are_a_histogram() {
    insta::assert_snapshot!(documents(&["plus.json"]));
}

#[test]
fn failures_of_fio_are_kept() {
    insta::assert_snapshot!(documents(&["failed.json", "continued.json"]));
}

#[test]
fn logs_with_a_line_for_each_request_are_one_result() {
    let names = [
        "each_clat.1.log",
        "each_lat.1.log",
        "each_bw.1.log",
        "each_iops.1.log",
    ];
    insta::assert_snapshot!(documents(&names));
}

#[test]
fn logs_of_means_are_a_series() {
    let quantities = ["clat", "lat", "iops", "bw"];
    let names = quantities
        .iter()
        .flat_map(|q| [format!("mean_{q}.1.log"), format!("mean_{q}.2.log")]);
    let names: Vec<String> = names.collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    insta::assert_snapshot!(documents(&names));
}

#[test]
fn a_log_of_total_latency_alone_says_so() {
    insta::assert_snapshot!(documents(&["mean_lat.1.log"]));
}

#[test]
fn an_old_report_of_diskspd() {
    insta::assert_snapshot!(documents(&["diskspd-2.1.txt"]));
}

#[test]
fn what_cannot_be_read_is_said_with_its_line() {
    let fio = |rest: &str| format!("fio: hello\n{{\n  \"fio version\" : \"fio-3.33\",\n{rest}");
    let report = "Command Line: diskspd -b4K x\nResults for timespan 1:\n";
    let cases = [
        ("a.txt", "hello\n".to_owned()),
        ("empty.json", String::new()),
        ("cut.json", fio("  \"jobs\" : [ {\n")),
        (
            "words.json",
            fio("  \"jobs\" : [\nfio: io_u error\n  ]\n}\n"),
        ),
        (
            "type.json",
            fio("  \"jobs\" : [ { \"jobname\" : 7 } ]\n}\n"),
        ),
        ("none.json", fio("  \"time\" : \"x\"\n}\n")),
        (
            "mixed.json",
            fio("  \"jobs\" : [ { \"jobname\" : \"a\", \"mixed\" : {} } ]\n}\n"),
        ),
        (
            "old.json",
            fio("  \"jobs\" : []\n}\n").replace("fio-3.33", "fio-2.16"),
        ),
        (
            "a.xml",
            "<Results>\n<TimeSpan>\n</TimeSpan>\n</Results>\n".to_owned(),
        ),
        (
            "b.xml",
            "<Results><TimeSpan>\n<TestTimeSeconds>x</TestTimeSeconds></TimeSpan></Results>\n"
                .to_owned(),
        ),
        ("c.xml", "<Results><TimeSpan>\n".to_owned()),
        ("a.out", report.to_owned()),
        ("b.out", format!("{report}actual test time:\t-1s\n")),
        ("c.out", format!("{report}actual test time:\t1.00s\n")),
        ("x_lat.1.log", "1, 2, 0, 4096\n1, 2\n".to_owned()),
        ("x_bw.1.log", "1, 2, 0, 4096\n1, 2, 9, 9, 9\n".to_owned()),
    ];
    let mut text = String::new();
    for (name, content) in &cases {
        let errors = read(&[ResultFile {
            name,
            text: content,
        }])
        .expect_err(name);
        text += &shown(&errors);
        text.push('\n');
    }
    insta::assert_snapshot!(text);
}
