//! Blocks that fio's jobs check, written by fio itself and by ours.

use crate::command::Cli;
use serde_json::{Value, json};

/// The checksums whose blocks both sides check.
const SUMS: [&str; 6] = ["crc32c", "md5", "sha256", "sha512", "xxhash", "meta"];

/// What a job over `data` is called with, by either program.
fn over_data(rw: &str, sum: &str) -> Vec<String> {
    let words = "--name=a --filename=data --size=64k --bs=4k --ioengine=psync";
    let mut words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    words.extend([format!("--rw={rw}"), format!("--verify={sum}")]);
    words
}

/// fio itself in a folder; whether it was content. None where there is no fio.
fn by_fio(folder: &std::path::Path, words: &[String]) -> Option<bool> {
    let mut fio = std::process::Command::new("fio");
    let ended = fio.args(words).current_dir(folder).output().ok()?;
    Some(ended.status.success())
}

/// The status of ours, and what it says of blocks.
fn by_us(folder: tempfile::TempDir, words: &[String]) -> (Option<i32>, String, tempfile::TempDir) {
    let ours = std::iter::once("fio".to_owned()).chain(words.iter().cloned());
    let (ended, folder) = Cli::in_folder(folder, ours).end();
    (ended.status, ended.stderr, folder)
}

#[test]
fn blocks_that_fio_wrote_are_checked_and_ours_by_fio() {
    for sum in SUMS {
        let folder = tempfile::tempdir().expect("a folder");
        let mut words = over_data("write", sum);
        words.push("--do_verify=0".to_owned());
        if by_fio(folder.path(), &words).is_none() {
            fathom_testing::skip("fio is not installed");
            return;
        }
        let content = std::fs::read(folder.path().join("data")).expect("written by fio");
        let (status, said, folder) = by_us(folder, &over_data("randread", sum));
        assert_eq!((status, said.as_str()), (Some(0), ""), "{sum}");
        let after = std::fs::read(folder.path().join("data")).expect("it is there");
        assert!(content == after, "{sum}: reading has changed it");
        // One byte of a header.
        let mut wrong = content;
        wrong[8192 + 16] ^= 1;
        std::fs::write(folder.path().join("data"), wrong).expect("a damaged file");
        let (status, said, folder) = by_us(folder, &over_data("read", sum));
        let data = folder.path().join("data");
        let bad = "verify: bad block at file DIR/data offset 8192: the block read is not the one \
                   written\n";
        assert_eq!((status, said.as_str()), (Some(3), bad), "{sum}");
        std::fs::remove_file(data).expect("it is there");
        let (status, said, folder) = by_us(folder, &over_data("write", sum));
        assert_eq!((status, said.as_str()), (Some(0), ""), "{sum}");
        let found = by_fio(folder.path(), &over_data("randread", sum));
        assert_eq!(found, Some(true), "{sum}");
    }
}

/// Through all intervals of a request, each of which has a header.
#[test]
fn patterns_run_on_through_requests_for_both() {
    for pattern in ["%o", "0x112233", "\"a\"%o"] {
        let with = |rw: &str, last: &[&str]| {
            let mut words = over_data(rw, "meta");
            words.extend([format!("--verify_pattern={pattern}")]);
            let all = ["--verify_interval=1k"];
            words.extend(all.iter().chain(last).map(|word| (*word).to_owned()));
            words
        };
        let folder = tempfile::tempdir().expect("a folder");
        let wrote = by_fio(folder.path(), &with("randwrite", &["--do_verify=0"]));
        if wrote.is_none() {
            fathom_testing::skip("fio is not installed");
            return;
        }
        let (status, said, folder) = by_us(folder, &with("randread", &[]));
        assert_eq!((status, said.as_str()), (Some(0), ""), "{pattern}");
        let data = folder.path().join("data");
        let by_other = std::fs::read(&data).expect("written by fio");
        std::fs::remove_file(&data).expect("it is there");
        let (status, said, folder) = by_us(folder, &with("randwrite", &[]));
        assert_eq!((status, said.as_str()), (Some(0), ""), "{pattern}");
        let found = by_fio(folder.path(), &with("randread", &[]));
        assert_eq!(found, Some(true), "{pattern}");
        // Behind the headers both have the same.
        let behind = |content: &[u8]| -> Vec<u8> {
            let blocks = content.chunks(1024);
            blocks.flat_map(|block| &block[40..]).copied().collect()
        };
        let ours = std::fs::read(&data).expect("written by us");
        assert!(behind(&ours) == behind(&by_other), "{pattern}");
        let mut wrong = ours;
        wrong[8192 + 1024 + 500] ^= 1;
        std::fs::write(&data, wrong).expect("a damaged file");
        let (status, _, _folder) = by_us(folder, &with("read", &[]));
        assert_eq!(status, Some(3), "{pattern}");
    }
}

/// As fio 3.33 says it of the same file: `"total_err" : 2`, `"first_error" : 84`, and
/// `errors    : total=2, first_error=84/<Invalid or incomplete multibyte or wide character>`.
#[test]
fn errors_that_do_not_end_a_job_are_counted() {
    let (status, _, folder) = by_us(
        tempfile::tempdir().expect("a folder"),
        &over_data("write", "crc32c"),
    );
    assert_eq!(status, Some(0));
    let path = folder.path().join("data");
    let mut wrong = std::fs::read(&path).expect("it is there");
    for block in [2, 5] {
        wrong[block * 4096 + 16] ^= 1;
    }
    std::fs::write(&path, wrong).expect("a damaged file");
    let mut words = over_data("read", "crc32c");
    words.extend([
        "--continue_on_error=verify".to_owned(),
        "--output-format=json,normal,terse".to_owned(),
    ]);
    let ours = std::iter::once("fio".to_owned()).chain(words);
    let (ended, _folder) = Cli::in_folder(folder, ours).end();
    let lines: Vec<&str> = ended.stdout.lines().map(str::trim).collect();
    let wanted = [
        "\"total_err\" : 2,",
        "\"first_error\" : 84,",
        "errors    : total=2, first_error=84/<Invalid or incomplete multibyte or wide character>",
    ];
    for line in wanted {
        let count = lines.iter().filter(|other| **other == line).count();
        assert_eq!(count, 1, "{line}\n{}", ended.stdout);
    }
    // They stand in the report, and do not make fio fail.
    assert_eq!(ended.status, Some(0));
    let terse = lines.iter().rfind(|line| line.starts_with("3;"));
    assert!(
        terse.is_some_and(|line| line.ends_with(";2;84")),
        "{terse:?}"
    );
}

/// The requests that a trace tells of, in their order: what, where and how long.
fn traced(folder: &std::path::Path) -> Vec<String> {
    let trace = std::fs::read_to_string(folder.join("trace")).expect("a trace");
    let lines = trace
        .lines()
        .map(|line| line.split(' ').collect::<Vec<_>>());
    lines
        .filter(|words| words.last().is_some_and(|last| last.parse::<u64>().is_ok()))
        .map(|words| words[words.len() - 3..].join(" "))
        .collect()
}

/// fio reads back what it has written after each pass of several.
#[test]
fn each_pass_of_several_is_read_back() {
    let mut words = over_data("write", "crc32c");
    let more = ["--loops=3", "--size=16k", "--write_iolog=trace"];
    words.extend(more.map(str::to_owned));
    let folder = tempfile::tempdir().expect("a folder");
    if by_fio(folder.path(), &words).is_none() {
        fathom_testing::skip("fio is not installed");
        return;
    }
    let expected = traced(folder.path());
    assert_eq!(expected.len(), 24);
    for name in ["data", "trace"] {
        std::fs::remove_file(folder.path().join(name)).expect("it is there");
    }
    let (status, said, folder) = by_us(folder, &words);
    assert_eq!((status, said.as_str()), (Some(0), ""));
    assert_eq!(traced(folder.path()), expected);
}

/// The errors of the jobs of a call that is made in an empty folder, by fio itself if it is there,
/// and by ours.
fn errors_of_both(words: &[&str]) -> (Option<Value>, Value) {
    let errors = |text: &str| {
        let report = text.find('{').map_or("", |begin| &text[begin..]);
        let report: Value = serde_json::from_str(report).unwrap_or_default();
        let jobs = report["jobs"].as_array().cloned().unwrap_or_default();
        jobs.iter().map(|job| job["error"].clone()).collect()
    };
    let mut fio = std::process::Command::new("fio");
    let folder = tempfile::tempdir().expect("a folder");
    let fio = fio.args(words).current_dir(folder.path()).output().ok();
    let by_fio = fio.map(|ended| errors(&String::from_utf8_lossy(&ended.stdout)));
    let words = ["fio", "--no-save", "--quiet"].iter().chain(words);
    (by_fio, errors(&Cli::new(words.copied()).end().0.stdout))
}

/// What was laid out before a load is none of what its jobs wrote, whatever it says.
#[test]
fn what_no_job_of_the_run_has_written_is_missed() {
    let load = "--output-format=json --filename=data --size=1m --bs=4k --ioengine=psync";
    let pattern = "--verify=pattern --verify_pattern=0xdeadbeef";
    let [some, all] = ["--number_ios=100 --do_verify=0", "--do_verify=0"];
    // The writer and what it checks, and the job that looks for what it wrote.
    let cases = [
        (
            format!("--rw=randwrite --verify=meta {some}"),
            "--rw=read --verify=meta",
            84,
        ),
        (
            format!("--rw=write {pattern} --io_size=512k {all}"),
            "--rw=read {pattern}",
            84,
        ),
        ("--rw=randwrite".to_owned(), "--rw=read {pattern}", 84),
        (
            format!("--rw=randwrite {pattern} {all}"),
            "--rw=read {pattern}",
            0,
        ),
    ];
    for (writer, looks, error) in cases {
        let looks = looks.replace("{pattern}", pattern);
        let call = format!("--name=w {load} {writer} --name=v --stonewall {load} {looks}");
        let words: Vec<&str> = call.split_whitespace().collect();
        let (by_fio, by_us) = errors_of_both(&words);
        assert_eq!(by_us, json!([0, error]), "{call}");
        assert_eq!(by_fio.unwrap_or_else(|| by_us.clone()), by_us, "{call}");
    }
}

/// Two blocks of 4 KiB of a file, each in the place of the other.
fn swap(path: &std::path::Path, one: usize, other: usize) {
    let content = std::fs::read(path).expect("a file");
    let mut swapped = content.clone();
    for (from, to) in [(one, other), (other, one)] {
        let part = &content[from * 4096..(from + 1) * 4096];
        swapped[to * 4096..(to + 1) * 4096].copy_from_slice(part);
    }
    std::fs::write(path, swapped).expect("a file");
}

/// Headers lie where fio has them whatever the sizes of requests, with random bytes behind them
/// whatever buffers would hold: each program checks what the other has written, and finds what
/// lies elsewhere than it was written.
#[test]
fn blocks_of_any_requests_are_checked_by_both() {
    let cases: [&[&str]; 9] = [
        &["--bssplit=4k/50:8k/50"],
        &["--bssplit=4k/50:8k/50", "--verify_pattern=0xdeadbeef"],
        &["--bsrange=4k-16k"],
        &["--bs=8k,4k"],
        &["--verify_interval=3000"],
        &["--verify_interval=8k"],
        &["--buffer_pattern=0x5a"],
        &["--zero_buffers=1"],
        &["--dedupe_percentage=50"],
    ];
    for more in cases {
        let with = |rw: &str| {
            let mut words = over_data(rw, "crc32c");
            words.extend(more.iter().map(|word| (*word).to_owned()));
            words
        };
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        if by_fio(folder.path(), &with("write")).is_none() {
            fathom_testing::skip("fio is not installed");
            return;
        }
        let (status, said, folder) = by_us(folder, &with("read"));
        assert_eq!((status, said.as_str()), (Some(0), ""), "{more:?}");
        swap(&data, 3, 9);
        let (status, _, folder) = by_us(folder, &with("read"));
        assert_eq!(status, Some(3), "{more:?}");

        std::fs::remove_file(&data).expect("it is there");
        let (status, said, folder) = by_us(folder, &with("randwrite"));
        assert_eq!((status, said.as_str()), (Some(0), ""), "{more:?}");
        let found = by_fio(folder.path(), &with("read"));
        assert_eq!(found, Some(true), "{more:?}");
        swap(&data, 3, 9);
        let found = by_fio(folder.path(), &with("read"));
        assert_eq!(found, Some(false), "{more:?}");
    }
}

/// A layout is no write of the load, for either program.
#[test]
fn what_no_request_has_written_is_found_wrong_by_both() {
    for sum in ["crc32c", "pattern"] {
        let with = |rw: &str, last: &[&str]| {
            let mut words = over_data(rw, sum);
            let all = ["--verify_pattern=0xdeadbeef"];
            words.extend(all.iter().chain(last).map(|word| (*word).to_owned()));
            words
        };
        let folder = tempfile::tempdir().expect("a folder");
        let (status, said, folder) = by_us(folder, &with("write", &["--number_ios=5"]));
        assert_eq!((status, said.as_str()), (Some(0), ""), "{sum}");
        let Some(passed) = by_fio(folder.path(), &with("read", &[])) else {
            fathom_testing::skip("fio is not installed");
            return;
        };
        let (status, _, folder) = by_us(folder, &with("read", &[]));
        assert_eq!((passed, status), (false, Some(3)), "{sum}");
        let written = with("read", &["--number_ios=5"]);
        assert_eq!(by_fio(folder.path(), &written), Some(true), "{sum}");
        let (status, _, _folder) = by_us(folder, &written);
        assert_eq!(status, Some(0), "{sum}");
    }
}

/// Holes of a file that was made here, and an end within a block: what reads leaves them as they
/// are, and what writes leaves all that is there.
#[test]
fn nothing_but_requests_touches_what_was_written() {
    let over = |rw: &str, last: &[&str]| {
        let mut words = over_data(rw, "crc32c");
        words.retain(|word| !word.starts_with("--verify") && !word.starts_with("--size"));
        words.extend(last.iter().map(|word| (*word).to_owned()));
        words
    };
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let (status, _, folder) = by_us(folder, &over("write", &["--size=65000", "--bs=1000"]));
    assert_eq!(status, Some(0));
    let whole = std::fs::read(&data).expect("a file");
    let file = std::fs::File::options().write(true).open(&data);
    let file = file.expect("a file");
    let hole = rustix::fs::FallocateFlags::PUNCH_HOLE | rustix::fs::FallocateFlags::KEEP_SIZE;
    if rustix::fs::fallocate(&file, hole, 16384, 8192).is_err() {
        fathom_testing::skip("the scratch file system makes no holes");
        return;
    }
    let before = std::fs::read(&data).expect("a file");
    let changed = |path: &std::path::Path| {
        let meta = std::fs::metadata(path).expect("a file");
        meta.modified().expect("a time")
    };
    let time = changed(&data);
    let (status, _, folder) = by_us(folder, &over("randread", &["--size=60k"]));
    assert_eq!((status, changed(&data)), (Some(0), time));
    assert!(std::fs::read(&data).expect("a file") == before);

    let one = ["--size=128k", "--number_ios=1"];
    // Whoever made the hole has changed the file.
    let (status, _, folder) = by_us(folder, &over("write", &one));
    assert_eq!(status, Some(4));
    let one = [&one[..], &["--overwrite"]].concat();
    let (status, _, _folder) = by_us(folder, &over("write", &one));
    assert_eq!(status, Some(0));
    let after = std::fs::read(&data).expect("a file");
    assert_eq!(after.len(), 128 << 10);
    let rest = (4096..16384).chain(24576..65000);
    let differ = rest.filter(|at| after[*at] != whole[*at]);
    assert_eq!(differ.count(), 0);
}
