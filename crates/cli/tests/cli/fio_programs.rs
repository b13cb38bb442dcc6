//! Programs that call fio, by their lines as they stand: the fields that they read are there.

use crate::command::Cli;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A report that one call of ours prints, and the folder that it leaves.
fn report(folder: TempDir, words: &[&str]) -> (Value, TempDir) {
    let all = std::iter::once("fio").chain(words.iter().copied());
    let (ended, folder) = Cli::in_folder(folder, all).end();
    assert_eq!(
        (ended.status, ended.stderr.as_str()),
        (Some(0), ""),
        "{words:?}"
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
    let words = [
        "--output-format=json",
        "--create_only=1",
        file,
        "--size=1m",
        "--zero_buffers=0",
        "--name=prepare",
    ];
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
        let words = [
            "--output-format=json",
            "--ioengine=libaio",
            "--randrepeat=0",
            "--refill_buffers=0",
            "--end_fsync=1",
            "--direct=0",
            "--rwmixread=70",
            file,
            &name,
            "--size=1m",
            "--zero_buffers=0",
            "--bs=64k",
            "--runtime=1",
            &rw,
            "--iodepth=4",
            "--numjobs=1",
            "--group_reporting",
        ];
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
    let words = [
        "fio",
        "--rw=write",
        "--filename=a",
        "--size=64k",
        "--name=x",
    ];
    Cli::new(words).file("a", "x").check(
        4,
        "",
        "\
error: cannot open DIR/a for writing
  because: the file exists (1 bytes) and was not made by fathom
  try:     --overwrite if you mean to destroy its contents, or another name
",
    );
}

#[test]
fn what_is_appended_follows_what_is_there() {
    let words = [
        "--name=a",
        "--file_append=1",
        "--rw=write",
        "--size=8k",
        "--bs=4k",
        "--filename=a",
        "--overwrite",
        "--output-format=json",
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a");
    std::fs::write(&path, "kept").expect("a file");
    let (told, _folder) = report(folder, &words);
    assert_eq!(told["jobs"][0]["write"]["io_bytes"], 8192);
    let content = std::fs::read(path).expect("it is there");
    assert_eq!((content.len(), &content[..4]), (8196, b"kept".as_slice()));
}
