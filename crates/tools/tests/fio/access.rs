//! Where the requests of fio's jobs go.

use super::*;

#[test]
fn passes_of_several_sizes_go_over_each_block_once() {
    let of = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        let all = ["--name=x", "--filename=/data/f", "--size=1m"];
        let job = jobs(&[&all[..], &words[..]].concat()).remove(0);
        let sizes = job.kinds.iter().map(|kind| kind.block_size.0).collect();
        (job.access.without_repetition, sizes)
    };
    let split = "--rw=randwrite --bssplit=512/50:1k/50";
    assert_eq!(of(split), (true, vec![512, 1024]));
    assert_eq!(
        of(&format!("{split} --norandommap")),
        (false, vec![512, 1024])
    );
    assert_eq!(
        of(&format!("{split} --numjobs=2 --group_reporting")),
        (false, vec![512, 1024])
    );
    // A write that follows a trim is as long as that, whatever is said of writes.
    let pairs = "--rw=randtrimwrite --bs=4k,4k,8k";
    assert_eq!(of(pairs), (true, vec![8192, 8192]));
}

#[test]
fn lfsr_visits_each_block_once_also_without_a_map() {
    let words = [
        "--name=x",
        "--filename=/data/f",
        "--size=1m",
        "--rw=randread",
    ];
    let once = |more: &[&str]| {
        jobs(&[&words[..], more].concat())[0]
            .access
            .without_repetition
    };
    assert!(once(&[]));
    assert!(!once(&["--norandommap"]));
    assert!(once(&["--norandommap", "--random_generator=lfsr"]));
}

#[test]
fn no_more_is_done_in_a_pass_than_there_is_in_the_files() {
    let bytes = |words: &[&str]| {
        let words = [&["--name=x", "--filesize=256k"], words].concat();
        jobs(&words)[0].stop.bytes.map(|bytes| bytes.0 >> 10)
    };
    let found = [
        bytes(&["--size=1m"]),
        bytes(&["--size=1m", "--nrfiles=2"]),
        bytes(&["--size=128k"]),
        bytes(&["--size=100%%"]),
    ];
    assert_eq!(found, [Some(256), Some(512), Some(128), Some(256)]);
}
