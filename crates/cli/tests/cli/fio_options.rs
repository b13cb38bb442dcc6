//! Options of fio that are only read.

use crate::command::Cli;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::Value;

/// fio reads options without a job as well, and tells them where that is asked for.
#[test]
fn options_without_a_job_are_only_read() {
    Cli::new(["fio", "--parse-only", "--bs=4k"]).check(0, "", "");
    Cli::line("fio --parse-only --debug=io,parse --ss=bw:12 --ss_ramp=5").check(
        0,
        "\
fio: set debug option parse
parse    handle_option=steadystate, ptr=bw:12
parse    set steady state BW threshold to 12
parse    handle_option=steadystate_ramp_time, ptr=5
",
        "",
    );
    let thresholds = [
        ("iops:10", "IOPS threshold to 10.000000"),
        ("iops_slope:.1%", "threshold to 0.100000%"),
    ];
    let words = ["fio", "--parse-only", "--debug=parse"];
    for (limit, told) in thresholds {
        let option = format!("--steadystate={limit}");
        let words = words.into_iter().chain([option.as_str(), "--name=a"]);
        let words = words.chain(["--filename=a", "--size=1m", "--runtime=9", "--ss_dur=2"]);
        let job = [
            "name, ptr=a",
            "filename, ptr=a",
            "size, ptr=1m",
            "runtime, ptr=9",
        ];
        let mut lines: Vec<String> = [&format!("steadystate, ptr={limit}")]
            .into_iter()
            .map(|line| format!("parse    handle_option={line}\n"))
            .collect();
        lines.push(format!("parse    set steady state {told}\n"));
        lines.extend(job.map(|line| format!("parse    handle_option={line}\n")));
        lines.push("parse    handle_option=steadystate_duration, ptr=2\n".to_owned());
        let text = format!("fio: set debug option parse\n{}", lines.concat());
        Cli::new(words).check(0, &text, "");
    }
    Cli::new(["fio", "--parse-only", "--iodepth=x"]).check(
        2,
        "",
        "\
error: `x` is not a number
 --> command line:1:24
  |
1 | --parse-only --iodepth=x
  |                        ^
  = help: digits and a suffix, as in 4k, 1m or 2g
",
    );
}

#[test]
fn flushes_stand_where_fio_has_them() {
    let of = |more: &[&str]| {
        let words = "fio --name=a --filename=data --size=64k --rw=write --fsync=4 \
                     --output-format=json,normal --no-save --quiet";
        let folder = tempfile::tempdir().expect("a folder");
        let words = words.split(' ').chain(more.iter().copied());
        let (ended, _folder) = Cli::in_folder(folder, words).end();
        let heading = "  fsync/fdatasync/sync_file_range:";
        let headings = ended.stdout.lines().filter(|line| *line == heading);
        let headings = headings.count();
        let begin = ended.stdout.find('{').expect("JSON");
        let values = serde_json::Deserializer::from_str(&ended.stdout[begin..]);
        let report: Value = values.into_iter().next().expect("JSON").expect("JSON");
        let sync = &report["jobs"][0]["sync"];
        let percentiles = sync["lat_ns"].get("percentile").is_some();
        (headings, sync["total_ios"].as_u64(), percentiles)
    };
    assert_eq!(of(&[]), (1, Some(4), true));
    assert_eq!(of(&["--clat_percentiles=0"]), (1, Some(4), false));
    assert_eq!(of(&["--unified_rw_reporting=1"]), (1, None, false));
    assert_eq!(of(&["--unified_rw_reporting=both"]), (1, Some(4), true));
}

/// Where nobody writes, nobody waits.
#[test]
fn a_named_pipe_is_no_input() {
    let include = "[a]\ninclude pipe\n";
    let why = "it is a named pipe, at which nobody may ever write; take a file, or standard input";
    let calls: [(&[&str], i32, &str); 6] = [
        (&["fio", "pipe"], 2, "cannot read the job file pipe"),
        (
            &["fio", "--parse-only", "a.fio"],
            2,
            "cannot read pipe: WHY",
        ),
        (
            &["convert", "--to", "native", "pipe"],
            2,
            "cannot read pipe",
        ),
        (
            &["run", "./pipe", "--no-save"],
            2,
            "cannot read the workload ./pipe",
        ),
        (&["import", "pipe"], 4, "cannot read a result from pipe"),
        (
            &["diskspd", "-Xpipe"],
            3,
            "the profile pipe cannot be read: WHY",
        ),
    ];
    for (words, status, begin) in calls {
        let cli = Cli::new(words).file("a.fio", include);
        let mode = Mode::RUSR | Mode::WUSR;
        mknodat(CWD, cli.path("pipe"), FileType::Fifo, mode, 0).expect("a pipe");
        let (ended, _) = cli.end();
        let told = (
            ended.status,
            ended.stderr.lines().next().unwrap_or_default().to_owned(),
        );
        assert_eq!(
            told,
            (
                Some(status),
                format!("error: {}", begin.replace("WHY", why))
            ),
            "{}",
            ended.stderr
        );
    }
}

/// How many there are, and whether there are percentiles.
type Count = (u64, bool);

/// Of submission, completion and both: what JSON has, of flushes as well, which lines there are for
/// people, and how many lines each log has.
#[derive(Debug, PartialEq)]
struct LatencyOutput {
    times: [Count; 3],
    sync: (Option<u64>, Count),
    labels: [bool; 4],
    logs: [Option<usize>; 5],
}

/// What a job tells with this option.
fn told_with(option: &str) -> LatencyOutput {
    let words = format!(
        "fio --name=a --ioengine=null --iodepth=4 --size=64k --rw=write --fsync=4 \
         --lat_percentiles=1 --slat_percentiles=1 --write_lat_log=x --write_bw_log=x \
         --write_iops_log=x --write_hist_log=x --output-format=json,normal --no-save --quiet \
         {option}"
    );
    let (ended, folder) = Cli::line(words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let begin = ended.stdout.find("\n{").expect("JSON");
    let mut values = serde_json::Deserializer::from_str(&ended.stdout[begin..]).into_iter();
    let report: Value = values.next().expect("JSON").expect("JSON");
    let job = &report["jobs"][0];
    let count = |latency: &Value| {
        let has_percentiles = latency.get("percentile").is_some();
        (latency["N"].as_u64().unwrap_or_default(), has_percentiles)
    };
    let lines = ended.stdout.lines().map(str::trim_start);
    let labels = ["slat (", "clat (", "lat (", "sync ("];
    LatencyOutput {
        times: ["slat_ns", "clat_ns", "lat_ns"].map(|part| count(&job["write"][part])),
        sync: (
            job["sync"]["total_ios"].as_u64(),
            count(&job["sync"]["lat_ns"]),
        ),
        labels: labels.map(|label| lines.clone().any(|line| line.starts_with(label))),
        logs: ["slat", "clat", "lat", "bw", "iops"].map(|part| {
            let log = std::fs::read_to_string(folder.path().join(format!("x_{part}.1.log")));
            log.ok().map(|text| text.lines().count())
        }),
    }
}

/// As with fio 3.33: zeros and no percentiles in JSON, no line for people, and no log of it, or an
/// empty one.
#[test]
fn what_is_not_wanted_is_left_out() {
    const ALL: Count = (16, true);
    const NONE: Count = (0, false);
    const SOME: Option<usize> = Some(16);
    let with_sync = (Some(4), (4, true));
    let without = (Some(4), NONE);
    let told = |times, sync, labels, logs| LatencyOutput {
        times,
        sync,
        labels,
        logs,
    };
    let cases = [
        (
            "--disable_lat=0",
            told([ALL; 3], with_sync, [true; 4], [SOME; 5]),
        ),
        // Also the shares of all requests begin with `lat (`.
        (
            "--disable_lat=1",
            told(
                [ALL, ALL, NONE],
                with_sync,
                [true; 4],
                [SOME, SOME, None, SOME, SOME],
            ),
        ),
        (
            "--disable_clat=1",
            told(
                [ALL, NONE, ALL],
                without,
                [true, false, true, false],
                [SOME, None, SOME, SOME, SOME],
            ),
        ),
        (
            "--disable_slat=1",
            told(
                [NONE, ALL, ALL],
                with_sync,
                [false, true, true, true],
                [None, SOME, SOME, SOME, SOME],
            ),
        ),
        (
            "--disable_bw=1",
            told(
                [ALL; 3],
                with_sync,
                [true; 4],
                [SOME, SOME, SOME, Some(0), SOME],
            ),
        ),
        (
            "--gtod_reduce=1",
            told(
                [NONE; 3],
                without,
                [false; 4],
                [None, None, None, Some(0), Some(0)],
            ),
        ),
    ];
    for (option, expected) in cases {
        assert_eq!(told_with(option), expected, "{option}");
    }
}

/// The names of logs are told by the next word, whatever that is, as with fio, where it stands for
/// nothing else then.
#[test]
fn the_next_word_is_the_name_of_a_log() {
    let of = |words: &[&str]| {
        let first = "fio --name=a --ioengine=null --size=4k --no-save";
        let words = first.split(' ').chain(words.iter().copied());
        let (ended, folder) = Cli::new(words).end();
        let logs = folder.path().read_dir().expect("a folder");
        let logs = logs.map(|entry| entry.expect("an entry").file_name());
        let mut logs: Vec<_> = logs
            .map(|name| name.into_string().expect("a name"))
            .collect();
        logs.sort();
        (ended.status, ended.stderr, logs)
    };
    let log = |name: &str| (Some(0), String::new(), vec![name.to_owned()]);
    assert_eq!(of(&["--write_bw_log", "x"]), log("x_bw.1.log"));
    assert_eq!(
        of(&["--write_bw_log", "--rw=write"]),
        log("--rw=write_bw.1.log")
    );
    let missing = "\
error: --write_bw_log needs a value
 --> command line:1:46
  |
1 | --name=a --ioengine=null --size=4k --no-save --write_bw_log
  |                                              ^^^^^^^^^^^^^^
  = help: as in --write_bw_log=PREFIX
";
    let refused = (Some(2), missing.to_owned(), Vec::<String>::new());
    assert_eq!(of(&["--write_bw_log"]), refused);
}

/// Of clones that report together, those whose engine takes requests and gives them back later.
#[test]
fn submission_is_told_of_those_that_have_one() {
    let words = "fio --group_reporting=1 --size=64k --name=a --ioengine=null --iodepth=4 \
                 --rw=write --name=b --ioengine=psync --filename=data --output-format=json \
                 --no-save --quiet";
    let (ended, _folder) = Cli::line(words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let job = &report["jobs"][0];
    let counts = ["read", "write"].map(|name| {
        let direction = &job[name];
        ["total_ios", "slat_ns"].map(|key| {
            let value = &direction[key];
            value.get("N").unwrap_or(value).as_u64()
        })
    });
    assert_eq!(counts, [[Some(16), Some(0)], [Some(16), Some(16)]]);
}
