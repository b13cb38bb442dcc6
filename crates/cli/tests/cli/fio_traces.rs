//! Traces that `fathom fio --read_iolog` replays: fio's own logs, and those of blktrace.

use crate::command::Cli;
use serde_json::{Value, json};
use tempfile::TempDir;

#[test]
fn a_trace_is_replayed_once_and_as_a_whole() {
    let trace = "fio version 3 iolog\n1 a add\n2 b add\n3 a open\n4 b open\n\
                 10 a read 0 4096\n20 b write 8192 8192\n30 a read 4096 4096\n\
                 40 a sync 0 0\n50 a close\n";
    let words = "fio --name=x --ioengine=null --iodepth=4 --read_iolog=t.log --loops=3 \
                 --number_ios=2 --output-format=json --output=out.json --quiet";
    let (ended, folder) = Cli::line(words).file("t.log", trace).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let document = crate::document::read(&folder.path().join("out.json"));
    let job = &document["jobs"][0];
    let done = |direction: &str| json!([job[direction]["total_ios"], job[direction]["io_bytes"]]);
    assert_eq!(
        (done("read"), done("write"), &job["sync"]["total_ios"]),
        (json!([2, 8192]), json!([1, 8192]), &json!(1))
    );
}

/// A record of blktrace: a request of a device 8:16 that is queued.
fn queued(at_us: u64, sector: u64, bytes: u32, is_write: bool) -> Vec<u8> {
    let mut record = 0x6561_7407_u32.to_le_bytes().to_vec();
    record.extend(0_u32.to_le_bytes());
    record.extend((at_us * 1000).to_le_bytes());
    record.extend(sector.to_le_bytes());
    let action = 1 | 1 << 20 | u32::from(is_write) << 17;
    for word in [bytes, action, 1, 8 << 20 | 16, 0, 0] {
        record.extend(word.to_le_bytes());
    }
    record
}

#[test]
fn a_trace_of_the_block_layer_is_replayed_elsewhere() {
    let trace = [
        queued(1000, 8, 4096, false),
        queued(1010, 16, 8192, true),
        queued(1020, 64, 4096, false),
    ];
    let words = "fio --name=x --ioengine=null --read_iolog=t.bin --replay_redirect=here \
                 --output-format=json --output=out.json --quiet";
    let (ended, folder) = Cli::line(words).file("t.bin", trace.concat()).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let document = crate::document::read(&folder.path().join("out.json"));
    let job = &document["jobs"][0];
    let done = |direction: &str| json!([job[direction]["total_ios"], job[direction]["io_bytes"]]);
    assert_eq!(
        (done("read"), done("write")),
        (json!([2, 8192]), json!([1, 8192]))
    );
    let words = ["fio", "--name=x", "--read_iolog=t.bin"];
    let mut cut = trace.concat();
    cut.truncate(100);
    Cli::new(words).file("t.bin", cut).check(
        2,
        "",
        "\
error: the trace of blktrace ends in the middle of a record, at byte 96
 --> t.bin:1:1
  |
1 |
  | ^
  = help: one file with all of it, as `blkparse -d` writes it
",
    );
}

#[test]
fn a_trace_that_is_none_is_shown() {
    let words = ["fio", "--name=x", "--read_iolog=t.log"];
    Cli::new(words).file("t.log", "4096 read\n").check(
        2,
        "",
        "\
error: this is no I/O log of fio
 --> t.log:1:1
  |
1 | 4096 read
  | ^^^^^^^^^
  = help: a first line of `fio version 2 iolog` or `fio version 3 iolog`; or a trace of
          blktrace
",
    );
}

/// The status, the requests of reads and writes, and the error of a job that replays `t.log`.
fn replayed(folder: TempDir, words: &[&str]) -> (Value, TempDir) {
    let all = "fio --name=x --read_iolog=t.log --output-format=json --overwrite --no-save \
               --quiet";
    let all = all.split(' ').chain(words.iter().copied());
    let (ended, folder) = Cli::in_folder(folder, all).end();
    let report: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
    let job = &report["jobs"][0];
    let ios = |direction: &str| job[direction]["total_ios"].clone();
    let row = json!([ended.status, ios("read"), ios("write"), job["error"]]);
    (row, folder)
}

/// What a trace writes is read back as what is drawn is.
#[test]
fn what_a_trace_writes_is_verified() {
    let trace = "fio version 3 iolog\n1 data add\n2 data open\n10 data write 0 4096\n\
                 20 data write 8192 4096\n30 data write 4096 4096\n40 data write 16384 4096\n\
                 50 data write 16384 4096\n60 data close\n";
    let checks: [&[&str]; 4] = [
        &["--verify=pattern", "--verify_pattern=0xdeadbeef"],
        &["--verify=pattern", "--verify_pattern=\"abc\""],
        &["--verify=crc32c"],
        &["--verify=md5", "--verify_interval=512"],
    ];
    for check in checks {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("t.log"), trace).expect("a trace");
        let data = folder.path().join("data");
        std::fs::write(&data, vec![9; 32 << 10]).expect("a file");
        let (row, _folder) = replayed(folder, check);
        assert_eq!(row, json!([0, 4, 5, 0]), "{check:?}");
    }
}
