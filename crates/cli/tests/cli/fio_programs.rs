//! Programs that call fio, by their lines as they stand: the fields that they read are there.

use crate::command::Cli;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A report that one call of ours prints, and the folder that it leaves.
fn report(folder: TempDir, words: &str) -> (Value, TempDir) {
    let (ended, folder) = Cli::line_in(folder, format!("fio {words}")).end();
    assert_eq!(
        (ended.status, ended.stderr.as_str()),
        (Some(0), ""),
        "{words}"
    );
    let report = serde_json::from_str(&ended.stdout);
    (report.expect("JSON"), folder)
}

/// `KDiskMark` makes an empty file, has fio lay it out, and reads and writes it.
#[test]
fn the_lines_of_kdiskmark_fill_an_empty_file_and_measure_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kdiskmark-x.tmp");
    std::fs::write(&path, "").expect("an empty file");
    let file = "--filename=kdiskmark-x.tmp";
    let words = format!(
        "--output-format=json --create_only=1 {file} --size=1m --zero_buffers=0 --name=prepare"
    );
    let (prepared, mut folder) = report(folder, &words);
    let job = &prepared["jobs"][0];
    assert_eq!(
        json!([
            job["jobname"],
            job["error"],
            job["read"]["total_ios"],
            job["usr_cpu"]
        ]),
        json!(["prepare", 0, 0, 0.0])
    );
    let length = std::fs::metadata(&path).map(|meta| meta.len());
    assert_eq!(length.ok(), Some(1 << 20));
    let patterns = ["read", "write", "randread", "randwrite", "rw", "randrw"];
    for pattern in patterns {
        let (name, rw) = (format!("--name={pattern}"), format!("--rw={pattern}"));
        let words = format!(
            "--output-format=json --ioengine=libaio --randrepeat=0 --refill_buffers=0 \
             --end_fsync=1 --direct=0 --rwmixread=70 {file} {name} --size=1m --zero_buffers=0 \
             --bs=64k --runtime=1 {rw} --iodepth=4 --numjobs=1 --group_reporting"
        );
        let (measured, kept) = report(folder, &words);
        folder = kept;
        let job = &measured["jobs"][0];
        let ran = |direction: &str| {
            let row = &job[direction];
            let fields = [&row["bw"], &row["iops"], &row["clat_ns"]["mean"]];
            fields
                .iter()
                .all(|field| field.as_f64().unwrap_or(0.0) > 0.0)
        };
        let wanted = [
            pattern != "write" && pattern != "randwrite",
            !pattern.ends_with("read"),
        ];
        assert_eq!(
            (job["error"].clone(), [ran("read"), ran("write")]),
            (json!(0), wanted),
            "{pattern}"
        );
    }
}

/// An empty file of somebody is taken over only where it is kept, and anything else never.
#[test]
fn a_file_that_is_not_empty_is_somebodys() {
    let words = "fio --rw=write --filename=a --size=64k --name=x";
    Cli::line(words).file("a", "x").check(
        4,
        "",
        "error: cannot open DIR/a for writing
  because: the file exists (1 bytes) and was not \
         created by fathom, or was changed since
  try:     --overwrite if you mean to destroy its \
         contents, or another name
",
    );
}

/// The jobs of kubestr, shorter, and the fields of its structures.
#[test]
fn the_jobs_of_kubestr_have_the_fields_of_its_structures() {
    let jobs = "\
[global]
randrepeat=0
verify=0
ioengine=libaio
direct=0
gtod_reduce=1
[job1]
name=read_iops
bs=4K
iodepth=64
size=1M
readwrite=randread
time_based
ramp_time=0s
runtime=100ms
[job2]
name=write_bw
bs=128k
iodepth=64
size=1M
readwrite=randwrite
time_based
ramp_time=0s
runtime=100ms
";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("fio.job"), jobs).expect("a job file");
    std::fs::create_dir(folder.path().join("volume")).expect("a folder");
    let words = "--directory volume fio.job --output-format=json";
    let (told, folder) = report(folder, words);
    let names = |key: &str| -> Value {
        let jobs = told["jobs"].as_array().expect("jobs");
        jobs.iter().map(|job| job[key].clone()).collect()
    };
    assert_eq!(names("jobname"), json!(["read_iops", "write_bw"]));
    let volume = folder.path().join("volume");
    let made = ["job1.0.0", "job2.0.0"].map(|file| volume.join(file).is_file());
    assert_eq!(made, [true, true]);
    let globals = &told["global options"];
    let globals = ["ioengine", "verify", "direct", "gtod_reduce"].map(|key| &globals[key]);
    assert_eq!(json!(globals), json!(["libaio", "0", "0", "1"]));
    let options = &told["jobs"][0]["job options"];
    let options = ["name", "bs", "iodepth", "size", "rw"].map(|key| &options[key]);
    assert_eq!(
        json!(options),
        json!(["read_iops", "4K", "64", "1M", "randread"])
    );
    let numbers = [
        "iops",
        "bw",
        "iops_min",
        "iops_max",
        "iops_mean",
        "bw_min",
        "bw_max",
        "bw_mean",
    ];
    for (job, direction) in [(0, "read"), (1, "write")] {
        let row = &told["jobs"][job][direction];
        let missing: Vec<_> = numbers
            .iter()
            .filter(|key| !row[**key].is_number())
            .collect();
        assert_eq!(missing, [&""; 0], "{direction}");
    }
}

/// kbench includes parts of job files, and takes these fields by the place of the job.
#[test]
fn the_job_files_of_kbench_give_the_means_that_its_scripts_read() {
    let quick = "stonewall=1\nrandrepeat=0\nverify=0\nioengine=libaio\ndirect=0\ntime_based=1\n\
                 ramp_time=0s\nruntime=100ms\n";
    let section = |name: &str, rw: &str| {
        format!("[{name}]\nreadwrite={rw}\ninclude lat.fio\ninclude quick.fio\n\n")
    };
    let jobs = section("rand-read-lat", "randread") + &section("rand-write-lat", "randwrite");
    let folder = tempfile::tempdir().expect("a folder");
    let files = [
        ("quick.fio", quick),
        ("lat.fio", "bs=4k\niodepth=1\n"),
        ("latency.fio", &jobs),
    ];
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a job file");
    }
    let path = folder.path().join("temp");
    let words = "fio latency.fio --filename=device --size=1m --output-format=json \
                 --output=temp";
    let (ended, _folder) = Cli::line_in(folder, words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let told = crate::document::read(&path);
    let means = [("read", 0), ("write", 1)].map(|(direction, job)| {
        let row = &told["jobs"][job][direction];
        let fields = [&row["iops_mean"], &row["bw_mean"], &row["lat_ns"]["mean"]];
        fields.iter().all(|field| field.is_number())
    });
    assert_eq!(
        (means, told["jobs"].as_array().map(Vec::len)),
        ([true; 2], Some(2))
    );
}

/// Two exporters for Prometheus read terse lines: one of version 5 as the run ends, one of version
/// 3 meanwhile.
#[test]
fn exporters_for_prometheus_get_their_terse_lines() {
    let words = "fio --name=latency --numjobs=2 --ioengine=libaio --direct=0 --bs=4k \
                 --iodepth=1 --readwrite=randrw --directory=. --size=1m --runtime=100ms \
                 --time_based --output-format=terse --terse-version=5 --lat_percentiles=1 \
                 --clat_percentiles=0 --group_reporting";
    let (ended, _) = Cli::line(words).end();
    let lines: Vec<Vec<&str>> = ended
        .stdout
        .lines()
        .map(|line| line.split(';').collect())
        .collect();
    let [line] = lines.as_slice() else {
        panic!("{}", ended.stdout)
    };
    assert_eq!(
        (ended.status, &line[..1], line[2]),
        (Some(0), ["5"].as_slice(), "latency")
    );
    let plain = [6, 7, 37, 38, 39, 41, 42, 44, 47, 48, 49, 53, 54];
    let after_sign = [27, 28, 29, 74, 75, 76];
    let values = plain.map(|at| Some(line[at])).into_iter();
    let values = values.chain(after_sign.map(|at| line[at].split('=').nth(1)));
    let odd: Vec<_> = values
        .filter(|value| value.and_then(|text| text.parse::<f64>().ok()).is_none())
        .collect();
    assert_eq!(odd, [None; 0]);
    let jobs = "[a]\nioengine=null\nsize=1m\nbs=4k\nrw=read\ntime_based\nruntime=400ms\n";
    let words = "fio a.fio --group_reporting --status-interval=100ms --output-format=terse \
                 --terse-version=3";
    let (ended, _) = Cli::line(words).file("a.fio", jobs).end();
    let firsts: Vec<&str> = ended.stdout.lines().map(|line| &line[..2]).collect();
    assert_eq!(ended.status, Some(0));
    assert!(
        firsts.len() > 1 && firsts.iter().all(|first| *first == "3;"),
        "{firsts:?}"
    );
}

/// Scripts look whether fio ended with 1, which is all that it says.
#[test]
fn called_fio_it_ends_with_the_statuses_of_fio() {
    let status = |called: &str, words: &[&str]| {
        let (ended, _folder) = Cli::new(words).called(called).end();
        (ended.status, ended.stdout)
    };
    let wrong = ["--name=a", "--rw=foo"];
    let missing = [
        "--name=a",
        "--rw=read",
        "--size=4k",
        "--filename=/no/such/a",
    ];
    for words in [&wrong[..], &missing, &[]] {
        for called in ["fio", "/usr/bin/fio"] {
            assert_eq!(status(called, words), (Some(1), String::new()), "{words:?}");
        }
    }
    let fathom = |words: &[&str]| status("fathom", &[&["fio"], words].concat()).0;
    assert_eq!((fathom(&wrong), fathom(&missing)), (Some(2), Some(4)));
}
