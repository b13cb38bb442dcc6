//! Results of other programs.

use crate::command::Cli;
use fathom_core::result::RunResult;

const JSON: &str = r#"fio: a word before it
{
  "fio version" : "fio-3.33",
  "timestamp_ms" : 1795270710215,
  "global options" : { "filename" : "x.dat", "direct" : "1", "ioengine" : "libaio" },
  "jobs" : [ {
    "jobname" : "rr", "groupid" : 0, "error" : 0, "elapsed" : 11,
    "job options" : { "rw" : "randread", "bs" : "4k", "iodepth" : "8" },
    "read" : {
      "io_bytes" : 819200000, "bw_bytes" : 81920000, "iops" : 20000.5, "runtime" : 10000,
      "total_ios" : 200000, "short_ios" : 0,
      "clat_ns" : {
        "min" : 52077, "max" : 9306875, "mean" : 397614.9, "stddev" : 29860.8, "N" : 200000,
        "percentile" : { "50.000000" : 380928, "99.000000" : 691200, "99.900000" : 1105920,
                         "99.990000" : 2105344, "99.999000" : 9109504 }
      },
      "iops_min" : 19800, "iops_max" : 20200, "iops_mean" : 20000.0, "iops_stddev" : 100.0,
      "iops_samples" : 20
    },
    "job_runtime" : 10000, "usr_cpu" : 10.0, "sys_cpu" : 20.0
  } ]
}
"#;

const OF_JSON: &str = include_str!("import_json.txt");
const OF_LOGS: &str = include_str!("import_logs.txt");

#[test]
fn a_result_of_fio_has_a_report() {
    let cli = Cli::new(["import", "result.json", "--store", "h.db"]).file("result.json", JSON);
    let folder = cli.check(0, OF_JSON, "");
    // It is kept, once.
    let folder =
        Cli::in_folder(folder, ["import", "result.json", "--store", "h.db"]).check(0, OF_JSON, "");
    let folder = Cli::in_folder(folder, ["show", "@latest", "--full", "--store", "h.db"])
        .check(0, OF_JSON, "");
    let none = "error: no run of the history is called @latest~1\n  try:     `fathom history` \
                lists the runs\n";
    Cli::in_folder(folder, ["show", "@latest~1", "--store", "h.db"]).check(2, "", none);
}

#[test]
fn logs_of_a_run_are_one_result() {
    let cli = Cli::new(["import", "x_clat.1.log", "x_iops.1.log", "x_slat.1.log"])
        .file("x_clat.1.log", "500, 4465, 1, 0, 0\n1000, 4839, 1, 0, 0\n")
        .file(
            "x_iops.1.log",
            "500, 172000, 1, 0, 0\n1000, 158000, 1, 0, 0\n",
        )
        .file("x_slat.1.log", "");
    cli.check(
        0,
        OF_LOGS,
        "note: x_slat.1.log: a result has no place for submission times\n",
    );
}

#[test]
fn what_is_no_result_is_refused() {
    let missing = "error: cannot read a result from a.json\n  because: no such file or directory\n";
    Cli::new(["import", "a.json"]).check(4, "", missing);
    let twice = "error: standard input is named twice\n  try:     use a file in place of one `-`\n";
    Cli::new(["import", "-", "-"]).check(2, "", twice);
    let binary = "error: cannot read a result from a.bin\n  because: it is not a text\n";
    Cli::new(["import", "a.bin"])
        .file("a.bin", [0xE4_u8, 0xC3])
        .check(4, "", binary);
    let unknown = "\
error: this is no result that can be read
 --> a.txt:1:1
  |
1 | hello
  | ^^^^^
  = help: the formats are fio-json+, fio-json, fio-terse, fio-log, diskspd-xml,
          diskspd-text, iometer-csv; logs are known by their names, as in x_lat.1.log
";
    Cli::new(["import", "a.txt"])
        .file("a.txt", "hello\n")
        .check(2, "", unknown);
}

#[test]
fn a_run_that_cannot_be_read_does_not_keep_the_others_of_a_folder() {
    let bundle = "{\"fathom_bundle\":1}\n{\"status\":\"complete\",\"document\":{\"a\":1}}\n";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("in")).expect("a folder");
    let cli = Cli::in_folder(folder, ["import", "in", "--store", "h.db"])
        .file("in/a.fathom", bundle)
        .file("in/result.json", JSON);
    let warning = "warning: cannot read results from in/a.fathom\n  because: not a result of \
                   fathom: missing field `schema_version` at line 1 column 7\n";
    // Its number is made of where it lies, too.
    let expected = OF_JSON.replace("ef0934f23390", "f16ebf16ff64");
    cli.check(4, &expected, warning);
}

#[test]
fn what_lies_in_a_folder_has_a_file_for_each() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("in")).expect("a folder");
    let words = "import in --no-save --quiet -o json:{name}.json";
    let folder = Cli::line_in(folder, words)
        .file("in/a.json", JSON)
        .file("in/b.json", JSON.replace("\"rr\"", "\"second\""))
        .file("in/c.txt", "hello\n")
        .check(0, "", "");
    let names = ["a", "b"].map(|name| {
        let text = std::fs::read_to_string(folder.path().join(format!("{name}.json")));
        let result = RunResult::from_json(&text.expect("it is there")).expect("a result");
        result.phases[0].jobs[0].name.clone()
    });
    assert_eq!(names, ["rr", "second"]);
}

/// A report of fio whose reads took longer than its writes, or whose times are missing.
fn two_directions(read_runtime: u64, write_runtime: u64) -> String {
    let direction = |ios: u64, iops: f64, runtime: u64, p99: u64| {
        serde_json::json!({
            "io_bytes": ios * 4096, "bw_bytes": iops * 4096.0, "iops": iops, "runtime": runtime,
            "total_ios": ios,
            "clat_ns": {
                "min": 1000, "max": 9_000_000, "mean": 400_000.0, "stddev": 1000.0, "N": ios,
                "percentile": {"50.000000": 390_000, "99.000000": p99, "99.990000": 8_000_000},
            },
            "bw_min": 800, "bw_max": 9000, "bw_mean": 8640.5, "bw_dev": 10.5, "bw_samples": 19,
            "iops_min": 200, "iops_max": 2200, "iops_mean": 2160.25, "iops_stddev": 2.5,
            "iops_samples": 19,
        })
    };
    let document = serde_json::json!({
        "fio version": "fio-3.36",
        "jobs": [{
            "jobname": "a", "groupid": 0, "error": 0,
            "read": direction(21_600, 2160.0, read_runtime, 900_000),
            "write": direction(2500, 250.0, write_runtime, 700_000),
        }],
    });
    document.to_string()
}

/// Rates, samples and percentiles are those of the source: a direction has a time of its own there,
/// and one whose time is missing has its rate all the same.
#[test]
fn imported_numbers_leave_as_they_came() {
    for times in [(10_000, 10_120), (0, 0)] {
        let source = two_directions(times.0, times.1);
        let words = ["import", "a.json", "--no-save", "-o", "fio-json"];
        let (ended, _) = Cli::new(words).file("a.json", source.as_str()).end();
        let [before, after] = [&source, &ended.stdout].map(|text| {
            let document: serde_json::Value = serde_json::from_str(text).expect("JSON");
            let job = &document["jobs"][0];
            let of = |direction: &str| {
                let all = &job[direction];
                let names = [
                    "total_ios",
                    "io_bytes",
                    "bw_bytes",
                    "iops",
                    "bw_min",
                    "bw_max",
                    "bw_mean",
                    "bw_dev",
                    "bw_samples",
                    "iops_mean",
                    "iops_stddev",
                    "iops_samples",
                ];
                let mut numbers: Vec<f64> = names
                    .iter()
                    .filter_map(|name| all[*name].as_f64())
                    .collect();
                let percentiles = &all["clat_ns"]["percentile"];
                let percents = ["50.000000", "99.000000", "99.990000"];
                numbers.extend(
                    percents
                        .iter()
                        .filter_map(|name| percentiles[*name].as_f64()),
                );
                numbers
            };
            [of("read"), of("write")]
        });
        assert_eq!((ended.status, &before), (Some(0), &after), "{times:?}");
        assert_eq!(before[0].len(), 15);
    }
}
