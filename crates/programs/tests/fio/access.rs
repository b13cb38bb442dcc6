//! Where the requests of fio's jobs go.

use super::*;
use fathom_core::Bytes;
use fathom_core::spec::ReadAhead;

/// fio tells the kernel of all buffered requests what they are, and so does a job; where reads are
/// at random that is what any job does.
#[test]
fn the_kernel_is_told_what_fio_tells_it() {
    let of = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        let all = ["--name=x", "--filename=/data/f", "--size=1m"];
        jobs(&[&all[..], &words[..]].concat())
            .remove(0)
            .compat()
            .read_ahead
    };
    let sequential = Some(ReadAhead::Sequential);
    for (words, expected) in [
        ("--rw=read", sequential),
        ("--rw=rw", sequential),
        ("--rw=randread", None),
        ("--rw=write", None),
        ("--rw=read --direct=1", None),
        ("--rw=read --fadvise_hint=0", None),
        ("--rw=randread --fadvise_hint=0", None),
        ("--rw=read --fadvise_hint=1", sequential),
    ] {
        assert_eq!(of(words), expected, "{words}");
    }
}

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

/// As fio 3.33 kept to them, by the places of its requests.
#[test]
fn a_share_of_filesize_is_a_part_of_each_file() {
    let of = |words: &[&str]| {
        let words = [&["--name=x", "--rw=randread", "--filesize=256k"], words].concat();
        let job = jobs(&words).remove(0);
        let kib = |bytes: Option<fathom_core::Bytes>| bytes.map(|bytes| bytes.0 >> 10);
        (job.offset.0 >> 10, kib(job.window), kib(job.stop.bytes))
    };
    assert_eq!(of(&["--size=75%"]), (0, Some(192), Some(192)));
    assert_eq!(
        of(&["--size=50%", "--nrfiles=2"]),
        (0, Some(128), Some(256))
    );
    assert_eq!(
        of(&["--size=50%", "--offset=64k"]),
        (64, Some(128), Some(128))
    );
    assert_eq!(of(&["--size=100%"]), (0, None, Some(256)));
}

/// As fio 3.33 does, but for how it draws: 21, 32, and of 1 MiB 128 and 94 requests.
#[test]
fn a_stride_of_a_mix_ends_when_one_direction_does() {
    let of = |words: &[&str]| {
        let first = ["--name=x", "--bs=8k", "--size=256k"];
        let job = jobs(&[&first[..], words].concat()).remove(0);
        job.stop.bytes.map(|bytes| bytes.0 >> 13)
    };
    let found = [
        of(&["--rw=read:4k"]),
        of(&["--rw=rw:4k"]),
        of(&["--rw=rw:4k", "--size=1m"]),
        of(&["--rw=rw:4k", "--size=1m", "--rwmixread=90"]),
        of(&["--rw=rw:4k", "--rwmixread=100"]),
        of(&["--rw=rw:8k", "--rwmixread=90"]),
        of(&["--rw=read:8k"]),
        of(&["--rw=read:8k", "--offset=64k"]),
    ];
    let expected = [21, 32, 128, 94, 21, 32, 32, 16];
    assert_eq!(found, expected.map(Some));
}

/// As fio 3.33 does: with 64 KiB of 256 before it, what is written is 192 KiB at most.
#[test]
fn a_file_ends_at_its_filesize_wherever_a_job_begins() {
    let of = |words: &[&str]| {
        let first = ["--name=x", "--rw=write", "--filesize=256k", "--offset=64k"];
        let job = jobs(&[&first[..], words].concat()).remove(0);
        let kib = |bytes: Option<fathom_core::Bytes>| bytes.map(|bytes| bytes.0 >> 10);
        (job.offset.0 >> 10, kib(job.size), kib(job.stop.bytes))
    };
    let found = [
        of(&[]),
        of(&["--size=64k"]),
        of(&["--size=1m"]),
        of(&["--size=64k", "--io_size=1m"]),
        of(&["--nrfiles=2"]),
    ];
    let ends = Some(256);
    let amounts = [192, 64, 192, 1024, 384];
    assert_eq!(found, amounts.map(|amount| (64, ends, Some(amount))));
    let behind = ["--name=x", "--rw=write", "--filesize=64k", "--offset=64k"];
    let refused = run(&behind, &[]).expect_err("there is nothing to do");
    let said = "the job `x` begins at 65536, and its files end at 65536";
    assert_eq!(refused[0].message, said);
}

/// As strace shows of fio 3.33: no fallocate and no ftruncate comes before the writes.
#[test]
fn files_that_are_made_when_they_are_opened_are_not_laid_out() {
    let of = |more: &[&str]| {
        let words = ["--name=x", "--filename=/data/new", "--size=64k"];
        jobs(&[&words[..], more].concat()).remove(0).fresh
    };
    let found = [
        of(&["--rw=randwrite"]),
        of(&["--rw=randwrite", "--create_on_open=1"]),
        of(&["--rw=write", "--overwrite=1"]),
        of(&["--rw=write", "--overwrite=1", "--create_on_open=1"]),
        // Holes would be left.
        of(&["--rw=randwrite", "--create_on_open=1", "--norandommap"]),
        of(&["--rw=randrw", "--create_on_open=1"]),
    ];
    assert_eq!(found, [false, true, false, true, false, false]);
}

/// fio 3.33 makes the file 1 MiB long before the first section begins: the second reads 256 blocks
/// of 4 KiB.
#[test]
fn a_file_of_which_a_later_section_uses_more_is_laid_out_before() {
    let of = |first: &str, second: &str| {
        let file = format!("[global]\nfilename=f\n[w]\nrw=write\nsize={first}\n[r]\nstonewall\n");
        let run = as_written(&format!("{file}size={second}\n")).expect("a job file");
        let phases = run.translation.workload.phases.into_iter();
        let jobs = phases.flat_map(|phase| phase.jobs);
        jobs.map(|job| job.fresh).collect::<Vec<_>>()
    };
    assert_eq!(of("512k", "1m"), [false, false]);
    assert_eq!(of("512k", "256k\noffset=512k"), [false, false]);
    assert_eq!(of("1m", "1m"), [true, false]);
    assert_eq!(of("1m", "512k\noffset=512k"), [true, false]);
}

#[test]
fn files_of_all_sections_and_of_one_are_one_list() {
    // fio 3.33 lays out 21845 bytes each of g1, g2 and j1, and nothing else.
    let file = "[global]\nfilename=g1:g2\nsize=64k\nrw=write\n[j]\nfilename=j1\n[l]\n";
    let mut run = as_written(file).expect("a job file");
    let jobs = run.translation.workload.phases.remove(0).jobs;
    let of = |job: fathom_core::spec::Job| (job.targets.join(":"), job.size.map(|size| size.0));
    let found: Vec<_> = jobs.into_iter().map(of).collect();
    let expected = [("g1:g2:j1", Some(21845)), ("g1:g2", Some(32768))];
    assert_eq!(
        found,
        expected.map(|(names, size)| (names.to_owned(), size))
    );
}

/// World with files of unequal size beside the one that is always there.
struct Unequal;

impl Surroundings for Unequal {
    fn size_bytes(&self, path: &Path) -> Option<u64> {
        match path.to_str() {
            Some("a") => Some(64 << 10),
            Some("b") => Some(130 << 10),
            _ => World.size_bytes(path),
        }
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        World.read(path)
    }

    fn variable(&self, name: &str) -> Option<String> {
        World.variable(name)
    }
}

/// The size of every target, and the amount, in KiB.
fn sizes(words: &str) -> (Option<u64>, u64) {
    let words: Vec<String> = ["--name=x", "--bs=4k"]
        .into_iter()
        .chain(words.split(' '))
        .map(str::to_owned)
        .collect();
    let line = CommandLine::parse(&words).expect("a line");
    let run = translate(&line, &[], &Unequal).unwrap_or_else(|found| panic!("{}", drawn(&found)));
    let job = &run.translation.workload.phases[0].jobs[0];
    let size = job.size.map(|size| size.0 >> 10);
    (size, job.stop.bytes.map_or(0, |bytes| bytes.0 >> 10))
}

#[test]
fn files_of_unequal_size_are_used_as_far_as_the_smallest_goes() {
    assert_eq!(sizes("--filename=a:b --rw=read"), (None, 128));
    assert_eq!(sizes("--filename=a:a --rw=read"), (None, 128));
}

#[test]
fn requests_in_order_reach_beyond_the_part_where_the_file_does() {
    let of = |words: &str| sizes(&format!("--filename=b {words}")).1;
    // fio 3.33 reads 25 blocks of 4 KiB here, 24 at random, and 24 where the file ends.
    assert_eq!(of("--rw=read --size=99k"), 100);
    assert_eq!(of("--rw=randread --size=99k"), 96);
    assert_eq!(of("--rw=read --size=130k"), 128);
    // With holes it ends with the part; at the end of the file it would begin anew.
    assert_eq!(of("--rw=read:8k --size=64k"), 24);
}

#[test]
fn a_number_of_requests_is_one_for_each_loop() {
    let ios = |more: &[&str]| {
        let words = ["--name=x", "--filename=/data/f", "--size=1m"];
        let words = [&words[..], &["--number_ios=10"], more].concat();
        jobs(&words)[0].stop.ios
    };
    assert_eq!(ios(&["--loops=3"]), Some(30));
    // fio 3.33 makes 12,687 in a second of which these are asked.
    assert_eq!(ios(&["--runtime=1", "--time_based"]), None);
    assert_eq!(ios(&["--runtime=1"]), Some(10));
}

#[test]
fn offsets_are_aligned_where_they_are_shares() {
    let of = |more: &[&str]| {
        let words = ["--name=x", "--filename=/data/there", "--size=4k"];
        jobs(&[&words[..], more].concat())[0].offset.0
    };
    // The file has 100 KiB.
    assert_eq!(of(&["--offset=5000", "--offset_align=8k"]), 5000);
    assert_eq!(of(&["--offset=33%"]), 36_864);
    assert_eq!(of(&["--offset=33%", "--offset_align=16k"]), 49_152);
}

/// fio 3.33 refuses what is missing or too short as well, and removes the latter.
#[test]
fn files_that_may_not_be_made_have_to_be_there() {
    let of = |more: &[&str]| {
        let words = ["--name=x", "--allow_file_create=0"];
        let run = run(&[&words[..], more].concat(), &[]);
        run.map(|_| ()).map_err(|found| found[0].message.clone())
    };
    assert_eq!(of(&["--filename=/data/there", "--size=100k"]), Ok(()));
    assert_eq!(of(&["--filename=/data/there"]), Ok(()));
    let short = "/data/there has 102400 bytes, and the job uses 106496";
    for rw in ["--rw=read", "--rw=write"] {
        let found = of(&["--filename=/data/there", "--size=104k", rw]);
        assert_eq!(found, Err(short.to_owned()));
    }
    assert_eq!(
        of(&["--filename=/data/f", "--size=100k"]),
        Err("/data/f is not there".to_owned())
    );
}

/// fio 3.33 writes such a file from its begin, and with `offset_increment` wherever the clones
/// that began before have come to.
#[test]
fn a_share_of_a_file_that_is_not_there_is_nothing() {
    let of = |more: &[&str]| {
        let words = ["--name=x", "--size=64k", "--rw=write"];
        let run = run(&[&words[..], more].concat(), &[]);
        let run = run.map_err(|found| found[0].message.clone())?;
        let notes = run.translation.notes.iter();
        let notes: Vec<String> = notes.map(|note| note.message.clone()).collect();
        let job = &run.translation.workload.phases[0].jobs[0];
        Ok((job.offset, job.size, notes))
    };
    let message = "a share of a file that is not there yet is nothing; when it is there, the job \
                   begins elsewhere";
    let made = Ok((Bytes(0), Some(Bytes(64 << 10)), vec![message.to_owned()]));
    assert_eq!(of(&["--filename=/data/f", "--offset=25%"]), made);
    let there = of(&["--filename=/data/there", "--offset=25%"]);
    assert_eq!(there.map(|found| found.0), Ok(Bytes(28 << 10)));
    let shares = [
        "--filename=/data/f",
        "--numjobs=2",
        "--offset_increment=25%",
    ];
    assert_eq!(
        of(&shares),
        Err("an offset in percent of a target that is not there".to_owned())
    );
}

#[test]
fn pages_are_dropped_before_each_pass() {
    let again = |words: &str| {
        let words = format!("--name=x --filename=/data/f --size=1m --rw=randread {words}");
        let words: Vec<&str> = words.split_whitespace().collect();
        let job = &jobs(&words)[0];
        (job.cold, job.compat().cold_again.map(|bytes| bytes.0 >> 10))
    };
    let timed = "--runtime=5 --time_based";
    let found = [
        again(""),
        again("--loops=3"),
        again(timed),
        again(&format!("{timed} --io_size=256k")),
        again(&format!("{timed} --direct=1")),
        again(&format!("{timed} --invalidate=0")),
    ];
    assert_eq!(
        found,
        [
            (true, None),
            (true, Some(1024)),
            (true, Some(1024)),
            (true, Some(256)),
            (false, None),
            (false, None),
        ]
    );
}
