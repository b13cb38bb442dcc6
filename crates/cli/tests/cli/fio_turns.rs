//! Which file of a fio job a request goes to, and when it is flushed: held against traces of fio
//! 3.33.

use crate::command::Cli;

/// The requests of a job over files of 4 KiB blocks: file, first letter of the action, block.
fn requests(more: &[&str]) -> Vec<String> {
    let words = [
        "fio",
        "--name=j",
        "--ioengine=psync",
        "--bs=4k",
        "--write_iolog=t.log",
        "--output=out",
        "--quiet",
    ];
    let (ended, folder) = Cli::new([&words[..], more].concat()).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let trace = std::fs::read_to_string(folder.path().join("t.log")).expect("a trace");
    let requests = trace.lines().filter_map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let [_, file, action, offset, _] = words[..] else {
            return None;
        };
        let file = file.rsplit('.').next()?;
        let block = offset.parse::<u64>().ok()? / 4096;
        Some(format!("{file}{}{block}", &action[..1]))
    });
    requests.collect()
}

#[test]
fn so_many_files_are_gone_through_at_a_time() {
    let of = |more: &[&str]| {
        let words = ["--rw=write", "--nrfiles=4", "--size=64k"];
        requests(&[&words[..], more].concat()).join(" ")
    };
    assert_eq!(
        of(&["--openfiles=1"]),
        "0w0 0w1 0w2 0w3 1w0 1w1 1w2 1w3 2w0 2w1 2w2 2w3 3w0 3w1 3w2 3w3"
    );
    assert_eq!(
        of(&["--openfiles=2"]),
        "0w0 1w0 0w1 1w1 0w2 1w2 0w3 1w3 2w0 3w0 2w1 3w1 2w2 3w2 2w3 3w3"
    );
    assert_eq!(
        of(&["--openfiles=2", "--file_service_type=roundrobin:2"]),
        "0w0 0w1 1w0 1w1 0w2 0w3 1w2 1w3 2w0 2w1 3w0 3w1 2w2 2w3 3w2 3w3"
    );
    assert_eq!(
        of(&["--openfiles=3"]),
        "0w0 1w0 2w0 0w1 1w1 2w1 0w2 1w2 2w2 0w3 1w3 2w3 3w0 3w1 3w2 3w3"
    );
    let files = |more: &[&str]| -> String {
        let words = ["--rw=randread", "--nrfiles=4", "--size=64k"];
        let requests = requests(&[&words[..], more].concat());
        requests.iter().map(|one| &one[..1]).collect()
    };
    assert_eq!(files(&["--openfiles=1"]), "0000111122223333");
    assert_eq!(files(&["--openfiles=2"]), "0101010123232323");
    let sequential = ["--openfiles=2", "--file_service_type=sequential"];
    assert_eq!(files(&sequential), "0000111122223333");
}

#[test]
fn a_flush_of_a_trace_is_where_the_request_before_it_was() {
    let found = requests(&["--rw=write", "--size=48k", "--fsync=4"]).join(" ");
    assert_eq!(
        found,
        "0w0 0w1 0w2 0w3 0s3 0w4 0w5 0w6 0w7 0s7 0w8 0w9 0w10 0w11"
    );
}

/// Before each request for which the writes so far are a multiple, unless that was flushed last.
#[test]
fn a_mix_is_flushed_again_after_reads() {
    let found = requests(&["--rw=randrw", "--size=128k", "--fsync=2"]);
    let kinds: String = found.iter().map(|one| &one[1..2]).collect();
    let (mut expected, mut writes) = (String::new(), 0);
    for kind in kinds.chars().filter(|kind| *kind != 's') {
        if writes > 0 && writes % 2 == 0 {
            expected.push('s');
        }
        writes += u32::from(kind == 'w');
        expected.push(kind);
    }
    assert_eq!(kinds, expected);
}

#[test]
fn files_that_wait_for_a_flush_are_written_whole() {
    let mut found = requests(&[
        "--rw=write",
        "--size=48k",
        "--nrfiles=2",
        "--fsync=4",
        "--ioengine=posixaio",
        "--iodepth=4",
    ]);
    found.retain(|one| &one[1..2] == "w");
    found.sort();
    let all = (0..2).flat_map(|file| (0..6).map(move |block| format!("{file}w{block}")));
    assert_eq!(found, all.collect::<Vec<_>>());
}
