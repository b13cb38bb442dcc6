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

#[test]
fn what_is_appended_is_known_to_be() {
    let file = "[global]\nfilename=/data/there\nfile_append=1\nrw=write\nsize=4k\nstonewall\n";
    let of = |more: &str| {
        let run = as_written(&format!("{file}{more}")).expect("a job file");
        let phases = run.translation.workload.phases.into_iter();
        let jobs = phases.flat_map(|phase| phase.jobs);
        jobs.map(|job| (job.offset.0 >> 10, job.fresh, job.append))
            .collect::<Vec<_>>()
    };
    // Each begins where the file ends by then, also behind what another has appended.
    assert_eq!(of("[a]\n[b]\n"), [(100, true, true); 2]);
    assert_eq!(of("[a]\nverify=md5\n"), [(100, false, false)]);
    assert_eq!(of("[a]\nnumjobs=2\n"), [(100, false, false); 2]);
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
