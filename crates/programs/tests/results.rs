//! What results of other programs come to, whole; and what is said of those that cannot be read.
//!
//! The files of fio are its own, version 3.33, from runs of a few requests. The report of
//! DISKSPD 2.1 is made up in its layout.

#![allow(
    clippy::disallowed_methods,
    reason = "tests read files and start programs of their own"
)]

use fathom_core::result::Origin;
use fathom_fio::{FioLayout, FioStyle, write_fio};
use fathom_programs::read_results;
use fathom_tools::results::{Import, ResultFile};
use serde_json::{Value, json};
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
    match read_results(&files) {
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

/// What fio's JSON says of each direction that has requests.
fn directions(json: &str) -> Vec<Value> {
    // Several documents may follow one another: the first.
    let mut documents = serde_json::Deserializer::from_str(json).into_iter::<Value>();
    let json = documents.next().expect("a document").expect("JSON");
    let jobs = json["jobs"].as_array().expect("jobs").iter();
    let all = jobs.flat_map(|job| ["read", "write", "trim"].map(|op| &job[op]));
    let made = all.filter(|one| one["total_ios"].as_u64() > Some(0));
    let told = made.map(|one| {
        json!({
            "total_ios": one["total_ios"],
            "io_bytes": one["io_bytes"],
            "iops": one["iops"],
            "bw_bytes": one["bw_bytes"],
            "runtime": one["runtime"],
            "percentile": one["clat_ns"]["percentile"],
        })
    });
    told.collect()
}

fn exported(text: &str) -> String {
    let name = "a.json";
    let imports = read_results(&[ResultFile { name, text }]).expect("a result");
    let result = &imports[0].result;
    write_fio(result, &FioLayout::of(result), FioStyle::Json)
}

/// Each direction has its own time, and rates over it.
#[test]
fn numbers_of_an_import_are_exported_as_they_were() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/results");
    let text = std::fs::read_to_string(folder.join("runs.json")).expect("the corpus");
    let source = &text[text.find("\n{").map_or(0, |at| at + 1)..];
    assert_eq!(directions(&exported(&text)), directions(source));
    let without_time = r#"{"fio version":"fio-3.33","jobs":[{"jobname":"a","read":
        {"total_ios":500,"io_bytes":2048000,"iops":250.0,"bw_bytes":1024000}}]}"#;
    let expected = json!({
        "total_ios": 500,
        "io_bytes": 2_048_000,
        "iops": 250.0,
        "bw_bytes": 1_024_000,
        "runtime": 2000,
        "percentile": null,
    });
    assert_eq!(directions(&exported(without_time)), [expected]);
}

/// The rates that the source states, and none over a time that it does not state.
#[test]
fn rates_of_an_import_are_laid_out_as_they_were() {
    let cases = [
        (r#","iops":250.0,"bw_bytes":1048576"#, ["1.00", "250.00"]),
        ("", ["N/A", "N/A"]),
        (
            r#","iops":2160.0,"bw_bytes":2097152,"runtime":4000"#,
            ["2.00", "2160.00"],
        ),
    ];
    for (rates, expected) in cases {
        let text = format!(
            r#"{{"fio version":"fio-3.33","jobs":[{{"jobname":"a","read":
            {{"total_ios":500,"io_bytes":2048000{rates}}}}}]}}"#
        );
        let name = "a.json";
        let imports = read_results(&[ResultFile { name, text: &text }]).expect("a result");
        let report = fathom_diskspd::layout::of_run(&imports[0].result);
        let total = report.lines().find(|line| line.starts_with("total:"));
        let cells = total.expect(&report).split('|').map(str::trim);
        assert_eq!(
            cells.skip(2).take(2).collect::<Vec<_>>(),
            expected,
            "{report}"
        );
    }
}

#[test]
fn more_jobs_than_a_workload_can_have_are_no_result() {
    let job = r#"{"jobname":"a","job options":{}}"#;
    let jobs = vec![job; 32_769].join(",");
    let json = format!(r#"{{"fio version":"fio-3.33","jobs":[{jobs}]}}"#);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/results");
    let terse = std::fs::read_to_string(folder.join("terse.txt")).expect("the corpus");
    let row = terse.lines().find(|line| line.contains(";fio-"));
    let terse = vec![row.expect("a line"); 32_769].join("\n");
    for text in [&json, &terse] {
        let found = read_results(&[ResultFile { name: "a", text }]).expect_err("too many");
        let told = found.iter().map(|found| {
            let remedy = found.remedy.clone().unwrap_or_default();
            (found.message.clone(), remedy)
        });
        let expected = (
            "the workload has 32769 jobs".to_owned(),
            "32768 at most, in all phases together; a job can have many threads".to_owned(),
        );
        assert_eq!(told.collect::<Vec<_>>(), [expected]);
    }
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
fn terse_lines_of_fio_are_its_rows() {
    insta::assert_snapshot!(documents(&["terse.txt"]));
}

/// What a result says of each operation, in units of the terse lines.
fn in_terse_units(import: &Import) -> Vec<String> {
    let mut rows = Vec::new();
    for phase in &import.result.phases {
        for job in &phase.jobs {
            for (op, done) in job.ops.present() {
                let time = &done.service_ns;
                let percentiles = time.percentiles.iter();
                let percentiles: Vec<String> = percentiles
                    .map(|(percent, value)| format!("{percent} {}", value / 1000))
                    .collect();
                rows.push(format!(
                    "{} {} {op:?} {} KiB {} KiB/s {} IOPS {} ms {} to {}, {:.6} {:.6}: {}; {:?}",
                    phase.name,
                    job.name,
                    done.bytes / 1024,
                    (done.bytes_per_second / 1024.0) as u64,
                    done.iops as u64,
                    job.active_ns / 1_000_000,
                    time.min / 1000,
                    time.max / 1000,
                    time.mean / 1000.0,
                    time.stddev / 1000.0,
                    percentiles.join(", "),
                    done.iops_by_interval
                ));
            }
        }
    }
    rows
}

/// One run of fio 3.33, with `--output-format=json,terse`.
#[test]
fn terse_lines_and_json_of_one_run_say_the_same() {
    let (json, terse) = (imported(&["terse.json"]), imported(&["terse.txt"]));
    let rows = |imports: &[Import]| imports.iter().flat_map(in_terse_units).collect::<Vec<_>>();
    assert_eq!(rows(&terse), rows(&json));
}

#[test]
fn terse_lines_that_were_appended_are_results_of_their_own() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/results");
    let text = std::fs::read_to_string(folder.join("terse.txt")).expect("the corpus");
    let names = |text: &str| -> Vec<(String, Vec<String>)> {
        let name = "a.txt";
        let imports = read_results(&[ResultFile { name, text }]).expect("terse lines");
        let results = imports.into_iter().map(|import| {
            let phases = import.result.phases.iter();
            let jobs = phases.flat_map(|phase| &phase.jobs);
            let names = jobs.map(|job| job.name.clone()).collect();
            let Origin::Imported { tool, .. } = &import.result.provenance.origin else {
                panic!("it is an import");
            };
            (tool.clone(), names)
        });
        results.collect()
    };
    let run = |tool: &str| {
        let names = ["a", "b", "b (2)"].map(str::to_owned);
        (tool.to_owned(), names.to_vec())
    };
    assert_eq!(names(&text.repeat(2)), vec![run("fio-3.33"); 2]);
    let later = text.replace("fio-3.33", "fio-3.42");
    let two = names(&format!("{text}{later}"));
    assert_eq!(two, [run("fio-3.33"), run("fio-3.42")]);
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
fn the_table_of_iometer() {
    insta::assert_snapshot!(documents(&["iometer-2006.csv"]));
}

/// The names of the columns as 2006.07.27, a release candidate of 1.1.0 and 1.1.0 have them.
#[test]
fn binary_megabytes_of_iometer_have_had_three_names() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/results");
    let text = std::fs::read_to_string(folder.join("iometer-2006.csv")).expect("a table");
    let rates = |unit: &str| -> Vec<f64> {
        let names = format!("IOps,{unit},Read {unit},Write {unit},");
        let text = text.replace("IOps,MBps,Read MBps,Write MBps,", &names);
        let file = ResultFile {
            name: "results.csv",
            text: &text,
        };
        let imports = read_results(&[file]).unwrap_or_else(|errors| panic!("{}", shown(&errors)));
        let jobs = imports[0]
            .result
            .phases
            .iter()
            .flat_map(|phase| &phase.jobs);
        let sides = jobs.flat_map(|job| job.ops.iter().filter_map(|(_, op)| op.as_ref()));
        sides.map(|op| op.bytes_per_second).collect()
    };
    let told = rates("MBps");
    assert!(!told.is_empty() && told.iter().all(|rate| *rate > 0.0));
    assert_eq!(rates("MBps (Binary)"), told);
    assert_eq!(rates("MiBps (Binary)"), told);
}

#[test]
fn reports_that_were_appended_are_results_of_their_own() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/results");
    let report = std::fs::read_to_string(folder.join("diskspd-2.1.txt")).expect("the corpus");
    let names = |text: &str, name: &str| -> Result<Vec<(String, usize)>, String> {
        let files = [ResultFile { name, text }];
        let imports = read_results(&files).map_err(|errors| shown(&errors))?;
        let results = imports.into_iter().map(|import| import.result);
        Ok(results
            .map(|result| (result.provenance.started_at.clone(), result.phases.len()))
            .collect())
    };
    let [one] = &names(&report, "a.txt").expect("a report")[..] else {
        panic!("one report");
    };
    let later = report.replace("2021/", "2022/");
    let two = names(&format!("{report}\n{later}"), "a.txt").expect("two reports");
    assert_eq!(two.len(), 2);
    assert_eq!(&two[0], one);
    assert_eq!(two[1], (one.0.replace("2021-", "2022-"), one.1));
    // An error has the line of the file, not of its report.
    let broken = report.replace("actual test time:", "actual time:");
    let error = names(&format!("{report}{broken}"), "a.txt").expect_err("no time");
    let at = report.lines().count() + 1;
    let head = report
        .lines()
        .position(|line| line.starts_with("Results for timespan"));
    let line = at + head.expect("results");
    assert!(
        error.starts_with("error: there is no `actual test time:`"),
        "{error}"
    );
    assert_eq!(
        error.lines().nth(1).map(str::trim),
        Some(format!("--> a.txt:{line}:1").as_str())
    );
    let document = "<Results><System><ComputerName>a</ComputerName></System><TimeSpan>\
                    <TestTimeSeconds>1.00</TestTimeSeconds></TimeSpan></Results>\n";
    let two = names(&document.repeat(2), "a.xml").expect("two documents");
    assert_eq!(two, vec![(String::new(), 1); 2]);
}

#[test]
fn what_cannot_be_read_is_said_with_its_line() {
    let fio = |rest: &str| format!("fio: hello\n{{\n  \"fio version\" : \"fio-3.33\",\n{rest}");
    let report = "Command Line: diskspd -b4K x\nResults for timespan 1:\n";
    let terse = include_str!("results/terse.txt");
    let cases = [
        ("cut.txt", terse[..terse.len() - 300].to_owned()),
        ("cell.txt", terse.replace(";2828;", ";2828k;")),
        (
            "mixed.txt",
            include_str!("results/terse-mixed.txt").to_owned(),
        ),
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
        (
            "a.csv",
            "'Target Type,Target Name,IOps\nWORKER,Worker 1,x\n".to_owned(),
        ),
        (
            "b.csv",
            "'Target Type,Target Name,IOps\nDISK,C:,1\n".to_owned(),
        ),
        ("c.csv", "'Target Type,Target Name,IOps\n".to_owned()),
        ("x_lat.1.log", "1, 2, 0, 4096\n1, 2\n".to_owned()),
        ("x_bw.1.log", "1, 2, 0, 4096\n1, 2, 9, 9, 9\n".to_owned()),
        ("x_bw.1.log", "66666666661008296, 1, 0, 0\n".to_owned()),
    ];
    let mut text = String::new();
    for (name, content) in &cases {
        let errors = read_results(&[ResultFile {
            name,
            text: content,
        }])
        .expect_err(name);
        text += &shown(&errors);
        text.push('\n');
    }
    insta::assert_snapshot!(text);
}
