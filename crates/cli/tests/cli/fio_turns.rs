//! When the files of a fio job are flushed.

use crate::command::Cli;

/// The requests of a job over files of 4 KiB blocks: file, first letter of the action, block.
fn requests(more: &[&str]) -> Vec<String> {
    let words = "fio --name=j --ioengine=psync --bs=4k --write_iolog=t.log --output=out --quiet";
    let (ended, folder) = Cli::new(words.split(' ').chain(more.iter().copied())).end();
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
fn a_flush_of_a_trace_is_where_the_request_before_it_was() {
    let found = requests(&["--rw=write", "--size=48k", "--fsync=4"]).join(" ");
    assert_eq!(
        found,
        "0w0 0w1 0w2 0w3 0s3 0w4 0w5 0w6 0w7 0s7 0w8 0w9 0w10 0w11 0s11"
    );
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
