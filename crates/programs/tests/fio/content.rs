//! What the writes of fio's jobs carry, and how that is checked.

use super::*;
use fathom_core::spec::{BlockForm, Data, Fill, Job, Verify};
use fathom_tools::Standing;

const WORDS: [&str; 5] = [
    "--name=x",
    "--filename=/data/f",
    "--size=64k",
    "--rw=write",
    "--bs=16k",
];

fn with(more: &[&str]) -> Job {
    jobs(&[&WORDS[..], more].concat()).remove(0)
}

#[test]
fn a_pattern_is_the_bytes_of_a_file_whatever_they_are() {
    let expected = World.read_bytes(Path::new("pattern.bin")).expect("a file");
    for word in [
        "--buffer_pattern='pattern.bin'",
        "--verify_pattern='pattern.bin'",
    ] {
        let Fill::Pattern(pattern) = with(&[word]).data.fill else {
            panic!("{word} is a pattern");
        };
        assert_eq!(pattern.bytes(), expected, "{word}");
    }
}

#[test]
fn a_pattern_lies_behind_the_header_that_is_asked_for() {
    let of = |more: &[&str]| {
        let job = with(&[&["--verify_pattern=0xaaa"], more].concat());
        let Fill::Pattern(pattern) = job.data.fill else {
            panic!("{more:?} has a pattern");
        };
        (pattern.to_string(), job.compat().verify_as)
    };
    let found = [
        of(&[]),
        of(&["--verify=pattern_hdr"]),
        of(&["--verify=pattern"]),
        of(&["--verify=meta"]),
        of(&["--verify=md5", "--verify_interval=4k"]),
    ];
    let pattern = || "0aaa".to_owned();
    let expected = [
        (pattern(), BlockForm::FioPattern),
        (pattern(), BlockForm::FioPattern),
        (pattern(), BlockForm::FioBare),
        (pattern(), BlockForm::FioMeta),
        (pattern(), BlockForm::FioMd5),
    ];
    assert_eq!(found, expected);
}

/// Of requests that differ nobody can say afterwards where the one began in which a block lies.
#[test]
fn a_pattern_runs_on_through_requests_that_are_alike() {
    let words = [
        "--verify=crc32c",
        "--verify_pattern=%o",
        "--verify_interval=4k",
    ];
    assert_eq!(with(&words).compat().verify_as, BlockForm::FioCrc32c);
    for more in ["--bsrange=4k-16k", "--bs=4k,8k", "--blockalign=4k"] {
        let differ = [&WORDS[..], &words, &["--rw=randrw", more]].concat();
        let wrong = run(&differ, &[]).expect_err("it runs on into the next block");
        let message = "a pattern that runs on through the verify_intervals of requests that differ";
        assert_eq!(wrong[0].message, message, "{more}");
    }
}

/// As fio 3.33 writes them, by the lengths in the headers of its files.
#[test]
fn blocks_have_headers_whatever_their_sizes() {
    let of = |more: &[&str]| {
        let job = with(&[&["--verify=crc32c"], more].concat());
        assert_eq!(job.compat().verify_as, BlockForm::FioCrc32c, "{more:?}");
        job.compat().verify_interval.map(|bytes| bytes.0)
    };
    let found = [
        of(&[]),
        of(&["--bssplit=4k/50:8k/50"]),
        of(&["--bssplit=8k/50:12k/50"]),
        of(&["--bsrange=4k-16k", "--verify_pattern=0xdeadbeef"]),
        of(&["--bs=8k,4k"]),
        of(&["--bs=4k,8k"]),
        of(&["--bs=8k,4k", "--rw=read"]),
        of(&["--bs=8k,4k", "--rw=randrw"]),
        of(&["--bs=4k", "--verify_interval=3000"]),
        of(&["--bs=4k", "--verify_interval=1k"]),
        of(&["--bs=4k", "--verify_interval=8k"]),
    ];
    let of_block = Some(4096);
    let expected = [
        None,
        of_block,
        of_block,
        of_block,
        None,
        None,
        of_block,
        of_block,
        of_block,
        Some(1024),
        of_block,
    ];
    assert_eq!(found, expected);
}

/// fio 3.33 with each of these beside `verify=crc32c` writes random bytes behind its headers.
#[test]
fn what_is_checked_is_random_whatever_buffers_hold() {
    let of = |more: &[&str]| {
        let words = [&WORDS[..], &["--verify=crc32c"], more].concat();
        let translation = run(&words, &[]).expect("a line").translation;
        let ignored = translation.notes.iter();
        let ignored = ignored.filter(|note| note.standing == Standing::Ignored);
        let ignored: Vec<String> = ignored.map(|note| note.what.clone()).collect();
        (translation.workload.phases[0].jobs[0].data, ignored)
    };
    let pattern = Fill::Pattern("11".parse().expect("a pattern"));
    let with_fill = |fill| Data {
        fill,
        ..Data::PLAIN
    };
    let half = Data {
        compressible_to: fathom_core::Percent(50.0),
        ..Data::PLAIN
    };
    let cases: [(&[&str], Data, &[&str]); 6] = [
        (&["--zero_buffers"], Data::PLAIN, &["zero_buffers"]),
        (
            &["--buffer_pattern=0x22"],
            Data::PLAIN,
            &["buffer_pattern=0x22"],
        ),
        (
            &["--dedupe_percentage=50"],
            Data::PLAIN,
            &["dedupe_percentage=50"],
        ),
        (&["--buffer_compress_percentage=50"], half, &[]),
        (
            &["--verify_pattern=0x11", "--buffer_compress_percentage=50"],
            with_fill(pattern),
            &["buffer_compress_percentage=50"],
        ),
        (
            &["--verify_pattern=0x11", "--zero_buffers=1"],
            with_fill(pattern),
            &["zero_buffers=1"],
        ),
    ];
    for (words, data, ignored) in cases {
        let ignored = ignored.iter().map(|what| (*what).to_owned()).collect();
        assert_eq!(of(words), (data, ignored), "{words:?}");
    }
}

#[test]
fn writes_are_read_back_in_between_where_that_is_asked_for() {
    let of = |more: &[&str]| {
        let job = with(more);
        (job.verify, job.compat().verify_backlog)
    };
    let found = [
        of(&["--verify=md5"]),
        of(&["--verify=md5", "--verify_backlog=16"]),
        // After each pass, where it is known how many writes it has.
        of(&["--verify=md5", "--loops=3"]),
        of(&["--verify=md5", "--loops=3", "--io_size=32k"]),
        of(&["--verify=md5", "--loops=3", "--verify_backlog=16"]),
        of(&["--verify=md5", "--loops=3", "--rw=randrw"]),
        // More than a thread keeps in mind.
        of(&["--verify=md5", "--loops=3", "--size=32g"]),
        // Without checks there is nothing to read back.
        of(&["--verify_backlog=16"]),
        of(&["--verify=md5", "--verify_backlog=16", "--do_verify=0"]),
    ];
    let expected = [
        (Verify::ReadWritten, None),
        (Verify::ReadWritten, Some(16)),
        (Verify::ReadWritten, Some(4)),
        (Verify::ReadWritten, Some(2)),
        (Verify::ReadWritten, Some(16)),
        (Verify::ReadWritten, None),
        (Verify::ReadWritten, None),
        (Verify::Off, None),
        (Verify::Stamp, None),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_pattern_fills_what_can_be_compressed() {
    let of = |more: &[&str]| {
        let data = with(&[&["--buffer_pattern=0xaa"], more].concat()).data;
        (data.compressible_to.0, data.mixed_pattern().is_some())
    };
    assert_eq!(of(&[]), (100.0, false));
    assert_eq!(of(&["--buffer_compress_percentage=70"]), (30.0, true));
}

#[test]
fn flushes_and_the_one_at_the_end_are_told_apart() {
    let of = |more: &[&str]| {
        let job = with(more);
        let sync = job
            .durability
            .sync
            .map(|sync| (sync.writes, sync.data_only));
        (sync, job.sync_at_end)
    };
    assert_eq!(of(&["--fsync=2"]), (Some((2, false)), false));
    assert_eq!(of(&["--fdatasync=2"]), (Some((2, true)), false));
    assert_eq!(
        of(&["--fsync=2", "--end_fsync=1"]),
        (Some((2, false)), true)
    );
    assert_eq!(of(&["--end_fsync=1"]), (None, true));
    assert_eq!(of(&["--fsync_on_close=1"]), (None, true));
    assert_eq!(
        of(&[
            "--end_fsync=1",
            "--rw=randrw",
            "--time_based",
            "--runtime=9"
        ]),
        (None, true)
    );
    assert_eq!(of(&["--end_fsync=1", "--rw=read"]), (None, false));
    // A mix without writes.
    let reads = ["--rw=randrw", "--rwmixread=100"];
    for flush in ["--end_fsync=1", "--fsync=2"] {
        let words = [&reads[..], &[flush]].concat();
        assert_eq!(of(&words), (None, false), "{flush}");
    }
    assert_eq!(of(&[]), (None, false));
}

/// Without a map of blocks there is no end of a pass: fio 3.33 reads 246 blocks back of 768 that
/// three passes over 256 write.
#[test]
fn passes_without_a_map_are_read_back_once() {
    let backlog = |more: &[&str]| {
        let words = ["--rw=randwrite", "--verify=md5", "--loops=3"];
        with(&[&words[..], more].concat()).compat().verify_backlog
    };
    let found = [backlog(&[]), backlog(&["--norandommap"])];
    assert_eq!(found, [Some(4), None]);
}

/// What one section gives up is not what another keeps.
#[test]
fn files_go_only_where_all_sections_say_so() {
    let of = |sections: &str| {
        let global = "[global]\nrw=write\nsize=64k\ndirectory=/data\n";
        let run = as_written(&format!("{global}{sections}")).expect("a job file");
        let notes = run.translation.notes.iter();
        let notes = notes.filter(|note| note.what.starts_with("unlink")).count();
        (run.translation.wishes.keep_files, notes)
    };
    let found = [
        of("[a]\n[b]\n"),
        of("[a]\nunlink=1\n[b]\n"),
        of("[a]\n[b]\nunlink=1\n"),
        of("[a]\nunlink=1\n[b]\nunlink=1\n"),
    ];
    assert_eq!(found, [(true, 0), (true, 1), (true, 1), (false, 0)]);
}

/// As fio 3.33 has them in its report.
#[test]
fn disks_are_told_of_unless_no_section_wants_them() {
    let of = |sections: &str| {
        let global = "[global]\nrw=write\nsize=64k\ndirectory=/data\n";
        as_written(&format!("{global}{sections}"))
            .expect("a job file")
            .disk_util
    };
    let found = [
        of("[a]\n[b]\n"),
        of("[a]\ndisk_util=0\n[b]\n"),
        of("[a]\ndisk_util=0\n[b]\ndisk_util=0\n"),
    ];
    assert_eq!(found, [true, true, false]);
}

/// fio 3.33 wrote 64 KiB thrice of these 300 KiB, of which it counts what it reads back, too, and
/// read all of them back each time.
#[test]
fn a_larger_amount_is_read_back_after_each_pass() {
    let of = |options: &[&str]| {
        let words = [
            "--name=x",
            "--filename=/data/f",
            "--rw=randwrite",
            "--size=64k",
            "--io_size=300k",
        ];
        let words: Vec<&str> = words.iter().chain(options).copied().collect();
        let job = jobs(&words).swap_remove(0);
        let kib = job.stop.bytes.map(|bytes| bytes.0 >> 10);
        (kib, job.compat().verify_backlog)
    };
    assert_eq!(of(&["--verify=crc32c"]), (Some(192), Some(16)));
    let own = ["--verify=crc32c", "--verify_backlog=4"];
    assert_eq!(of(&own), (Some(192), Some(4)));
    // Without a map there is one pass of all.
    let free = ["--verify=crc32c", "--norandommap"];
    assert_eq!(of(&free), (Some(300), None));
    assert_eq!(of(&[]), (Some(300), None));
}
