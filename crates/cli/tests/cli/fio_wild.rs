//! What job files and scripts in the wild ask of fio, and what they read of its answers.

use crate::command::Cli;
use serde_json::{Value, json};
use std::process::Command;

/// What a call prints, which ends well and says nothing on standard error.
fn printed(words: &[&str]) -> String {
    let all = std::iter::once("fio").chain(words.iter().copied());
    let (ended, _) = Cli::new(all).end();
    assert_eq!(
        (ended.status, ended.stderr.as_str()),
        (Some(0), ""),
        "{words:?}"
    );
    ended.stdout
}

fn report(words: &[&str]) -> Value {
    let text = printed(&[&["--output-format=json"], words].concat());
    serde_json::from_str(&text).expect("JSON")
}

/// What a line of a report is of: its indentation and its name.
fn label(line: &str) -> String {
    if line.starts_with("     |") {
        return "     |".to_owned();
    }
    let end = line.find([':', '=', '|']).unwrap_or(line.len());
    let label = line[..end].trim_end();
    let is_unit = |word: &&str| !word.ends_with("sec)");
    let words: Vec<&str> = label.split(' ').filter(is_unit).collect();
    words.join(" ").trim_end().to_owned()
}

/// The lines of a row in one direction.
fn row(direction: &'static str, more: &[&'static str]) -> Vec<&'static str> {
    let begin = [
        direction,
        "    slat",
        "    clat",
        "     lat",
        "    clat percentiles",
        "     |",
    ];
    let last = [
        "  cpu",
        "  IO depths",
        "     submit",
        "     complete",
        "     issued rwts",
        "     latency",
    ];
    [&begin[..], more, &last].concat()
}

#[test]
fn a_report_for_people_begins_with_what_is_run_and_has_the_lines_of_fio() {
    let words = "--ioengine=null --size=64m --name=one --thread --bsrange=4k-64k --rw=randread \
                 --iodepth=4 --name=two --stonewall --ioengine=psync --rw=write --bs=1m --size=2m \
                 --fsync=1 --iodepth=8 --numjobs=2 --group_reporting";
    let text = printed(&words.split(' ').collect::<Vec<_>>());
    let (heading, rest) = text
        .split_once("\n\n")
        .expect("an empty line after the heading");
    let version = env!("CARGO_PKG_VERSION");
    let sizes = |bytes: &str| format!("bs=(R) {bytes}, (W) {bytes}, (T) {bytes}");
    let (one, two) = (sizes("4096B-64.0KiB"), sizes("1024KiB-1024KiB"));
    let note = "note: both iodepth >= 1 and synchronous I/O engine are selected, queue depth will \
                be capped at 1";
    assert_eq!(
        heading,
        format!(
            "\
one: (g=0): rw=randread, {one}, ioengine=null, iodepth=4
two: (g=1): rw=write, {two}, ioengine=psync, iodepth=8
...
fio-3.33-fathom-{version}
Starting 1 thread and 2 processes
{note}
{note}"
        )
    );
    let mut labels: Vec<String> = rest.lines().map(label).collect();
    labels.dedup();
    // Devices, and how many lines of latencies there are, are the machine's.
    labels.retain(|label| !label.starts_with("  lat ") && label != "  lat");
    let (rows, groups) = labels.split_at(labels.iter().position(String::is_empty).unwrap_or(0));
    let flushes = [
        "  fsync/fdatasync/sync_file_range",
        "    sync",
        "    sync percentiles",
        "     |",
    ];
    let first = row("  read", &[]);
    let second = row("  write", &flushes);
    let second: Vec<&str> = second
        .into_iter()
        .filter(|label| *label != "    slat")
        .collect();
    assert_eq!(rows, [&["one"][..], &first, &["two"], &second].concat());
    assert_eq!(
        groups[..6],
        [
            "",
            "Run status group 0 (all jobs)",
            "   READ",
            "",
            "Run status group 1 (all jobs)",
            "  WRITE"
        ]
    );
}

#[test]
fn flags_are_not_told_and_the_last_section_of_a_group_tells_its_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.fio");
    let text = "[global]\nioengine=null\nsize=64k\ngroup_reporting\nthread\n\
                [a]\nbs=8k\n[b]\nnumjobs=2\n[c]\nstonewall\n";
    std::fs::write(&file, text).expect("a job file");
    let report = report(&[&file.display().to_string()]);
    let jobs = report["jobs"].as_array().expect("rows");
    let told: Vec<_> = jobs
        .iter()
        .map(|job| (&job["jobname"], job.get("job options")))
        .collect();
    assert_eq!(
        (&report["global options"], told),
        (
            &json!({"ioengine": "null", "size": "64k"}),
            vec![
                (&json!("a"), Some(&json!({"numjobs": "2"}))),
                (&json!("c"), None)
            ]
        )
    );
}

/// fio ends well when a load never becomes steady, and says so in the report.
#[test]
fn a_load_that_is_never_steady_is_no_failure() {
    let report = report(&[
        "--name=x",
        "--ioengine=null",
        "--size=64m",
        "--time_based",
        "--runtime=2",
        "--ss=iops:0.0000001%",
        "--ss_dur=1",
    ]);
    let job = &report["jobs"][0];
    assert_eq!(
        json!([job["error"], job["steadystate"]["attained"]]),
        json!([0, 0])
    );
}

/// The jobs of SPDK's check of a virtual disk, in small: a mix on what larger writes have left.
#[test]
fn a_mix_finds_nothing_wrong_with_the_blocks_of_another_section() {
    let words = "--output-format=json --filename=f --size=1m --ioengine=psync --verify=md5 \
                 --do_verify=1 --verify_backlog=1024 --group_reporting --thread \
                 --name=randwrite --stonewall --rw=randwrite --bs=128k \
                 --name=randrw --stonewall --rw=randrw --bs=32k";
    let words: Vec<&str> = words.split(' ').collect();
    let report: Value = serde_json::from_str(&printed(&words)).expect("JSON");
    let errors: Vec<&Value> = report["jobs"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|job| &job["error"])
        .collect();
    assert_eq!(errors, [0, 0]);
}

/// blktests looks for the options that it needs, and reads fields of the fourth terse form by their
/// positions.
#[test]
fn blktests_finds_what_it_asks_for() {
    for words in [
        &["--parse-only", "--terse-version=4"][..],
        &[
            "--parse-only",
            "--name=test",
            "--ioengine=pvsync2",
            "--hipri=1",
        ],
    ] {
        let (ended, _) = Cli::new(std::iter::once("fio").chain(words.iter().copied())).end();
        assert_eq!(
            (ended.status, ended.stdout.as_str()),
            (Some(0), ""),
            "{words:?}"
        );
    }
    let words = "--output-format=terse --terse-version=4 --group_reporting=1 --bs=4k --rw=randread \
                 --norandommap --numjobs=2 --name=reads --direct=0 --ioengine=psync --size=64k";
    let words: Vec<&str> = words.split(' ').collect();
    let line = printed(&words);
    let fields: Vec<&str> = line.trim_end().split(';').collect();
    let field = |number: usize| fields[number - 1];
    // Read, written and trimmed KiB, and the whole share of one request in flight.
    assert_eq!(
        [field(1), field(6), field(47), field(88), field(134)],
        ["4", "128", "0", "0", "100.0%"]
    );
}

/// fio has bits of rates alone, and no line of samples for a run of less than half a second.
#[test]
fn amounts_are_told_in_the_units_that_are_asked_for() {
    let told = |units: &[&str]| {
        let words = ["--name=a", "--ioengine=null", "--size=64k", "--bs=64k"];
        let text = printed(&[&words, units].concat());
        let line = text.lines().find(|line| line.starts_with("  read: "));
        let line = line.expect("a line of reads").to_owned();
        let moved = line
            .rsplit_once('(')
            .and_then(|(_, last)| last.split_once('/'));
        let heading = text.lines().next().unwrap_or_default();
        let blocks = heading.split("(W) ").nth(1);
        (
            blocks
                .and_then(|blocks| blocks.split(',').next())
                .map(str::to_owned),
            line.matches("bit/s").count(),
            moved.map(|(bytes, _)| bytes.to_owned()),
            text.contains("samples="),
        )
    };
    let expected = |bits, bytes: &str| {
        let blocks = format!("{bytes}-{bytes}");
        (Some(blocks), bits, Some(bytes.to_owned()), false)
    };
    assert_eq!(told(&[]), expected(0, "64.0KiB"));
    assert_eq!(told(&["--unit_base=8"]), expected(0, "64.0KiB"));
    assert_eq!(told(&["--unit_base=1"]), expected(2, "64.0KiB"));
    let thousands = ["--kb_base=1000", "--size=64ki", "--bs=64ki"];
    assert_eq!(told(&thousands), expected(0, "64.0kB"));
}

/// As fio has them: one line of each row, JSON, and what is for people, in this order, however
/// often they are asked for.
#[test]
fn forms_of_a_report_come_once_and_in_the_order_of_fio() {
    let forms = |words: &[&str]| {
        let job = ["--name=a", "--ioengine=null", "--size=64k"];
        let text = printed(&[words, &job].concat());
        let named = text.lines().filter_map(|line| match line {
            "{" => Some("json"),
            line if line.starts_with("3;fio-3.33") => Some("terse"),
            line if line.starts_with("a: (groupid=0") => Some("people"),
            line if line.contains("\"bins\"") => Some("bins"),
            _ => None,
        });
        named.collect::<Vec<_>>()
    };
    assert_eq!(
        forms(&["--output-format=normal,json,terse,json"]),
        ["terse", "json", "people"]
    );
    assert_eq!(forms(&["--append-terse"]), ["terse", "people"]);
    assert_eq!(forms(&["--output-format=json+,json"]), ["json", "bins"]);
    assert_eq!(forms(&["--minimal", "--append-terse"]), ["terse"]);
}

#[test]
fn a_row_tells_the_process_that_ran_it() {
    let running = Cli::new(["fio", "--name=a", "--ioengine=null", "--size=64k"]).start();
    let number = running.number();
    let (ended, _) = running.end();
    let row = ended
        .stdout
        .lines()
        .find(|line| line.starts_with("a: (groupid"));
    let begin = row.and_then(|row| row.rsplit_once("pid=")?.1.split(':').next());
    assert_eq!(begin, Some(number.to_string().as_str()));
}

/// Of each file there are few descriptors: 100 of them are made and read with 350.
#[test]
fn many_files_are_open_within_the_limit_of_the_system() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "ulimit -Sn 350 && ulimit -Hn 350 && exec \"$0\" fio --no-save --name=a \
                --ioengine=psync --nrfiles=100 --filesize=4k --minimal";
    let ended = Command::new("sh")
        .args(["-c", line, env!("CARGO_BIN_EXE_fathom")])
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .env_remove("XDG_DATA_HOME")
        .output()
        .expect("there is a shell");
    let text = String::from_utf8_lossy(&ended.stdout).into_owned();
    let kib = text.split(';').nth(5).map(str::to_owned);
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(
        (ended.status.code(), said, kib),
        (Some(0), String::new(), Some("400".to_owned()))
    );
}
