//! A run that only reads and checks leaves what it checks alone, and says what is wrong with it.

use crate::command::Cli;
use tempfile::TempDir;

/// Bytes of the file.
const SIZE: usize = 1 << 20;
/// Bytes of a request.
const BLOCK: usize = 4096;

/// What is done to the file between writing and checking.
type Damage = fn(&mut Vec<u8>);

fn zero_block(content: &mut [u8], number: usize) {
    content[number * BLOCK..(number + 1) * BLOCK].fill(0);
}

const DAMAGES: [(&str, Damage); 7] = [
    ("zeroed", |content| content.fill(0)),
    ("random", scramble),
    ("block 0", |content| zero_block(content, 0)),
    ("block 16", |content| zero_block(content, 16)),
    ("block 64", |content| zero_block(content, 64)),
    ("block 255", |content| zero_block(content, 255)),
    ("truncated", |content| content.truncate(SIZE / 2)),
];

/// Bytes that nobody has stamped.
fn scramble(content: &mut Vec<u8>) {
    let mut state = 1_u64;
    for byte in content {
        state = state.wrapping_mul(6_364_136_223_846_793_005) + 1;
        *byte = (state >> 56) as u8;
    }
}

/// The words of a front end that writes the file with checks, or reads and checks it.
type FrontEnd = fn(&str, &str) -> Vec<String>;

fn of(words: &str) -> Vec<String> {
    words.split(' ').map(str::to_owned).collect()
}

fn fio(mode: &str, seed: &str) -> Vec<String> {
    of(&format!(
        "fio --name=v --filename=data --size=1m --bs=4k --ioengine=psync --verify=crc32c \
         --do_verify=1 --rw={mode} --randseed={seed} --quiet --no-save"
    ))
}

fn native(mode: &str, seed: &str) -> Vec<String> {
    of(&format!(
        "run {mode}.toml --target data --engine psync --seed {seed} --keep --quiet --no-save"
    ))
}

/// A specification that writes or reads 1 MiB with checks.
fn specification(op: &str) -> String {
    format!(
        "[[phase]]\nwarm_up = \"0s\"\n\
         [[phase.job]]\nsize = \"1MiB\"\ndirect = false\nverify = \"check\"\n\
         stop = {{ bytes = \"1MiB\" }}\n\
         [[phase.job.io]]\nop = \"{op}\"\nblock_size = \"4KiB\"\nrandom = \"0%\"\n"
    )
}

/// A file as a front end writes it.
fn written(words: FrontEnd, seed: &str) -> TempDir {
    let (ended, folder) = Cli::new(words("write", seed))
        .file("write.toml", specification("write"))
        .file("read.toml", specification("read"))
        .end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    folder
}

/// Reads and checks; that it ends with this status and leaves the file as it was.
#[track_caller]
fn check(folder: TempDir, words: Vec<String>, status: i32, case: &str) -> TempDir {
    let path = folder.path().join("data");
    let before = std::fs::read(&path).expect("the file is there");
    let (ended, folder) = Cli::in_folder(folder, words).end();
    let said = format!("{case}: {}{}", ended.stdout, ended.stderr);
    assert_eq!(ended.status, Some(status), "{said}");
    let after = std::fs::read(folder.path().join("data")).expect("the file is there");
    assert!(before == after, "the file was changed: {said}");
    for advice in ["--overwrite", "--destroy"] {
        let advises = said.contains(advice);
        assert!(!advises, "advises {advice}: {said}");
    }
    folder
}

/// What a run of another seed wrote is sound in itself: a seed orders requests, and no content.
fn each_damage(words: FrontEnd, read_only: &str) {
    for more in [None, Some(read_only)] {
        let reading = || {
            let mut all = words("read", "1");
            all.extend(more.map(str::to_owned));
            all
        };
        let mut folder = written(words, "1");
        let path = folder.path().join("data");
        let content = std::fs::read(&path).expect("the file is there");
        folder = check(folder, reading(), 0, "as written");
        for (case, damage) in DAMAGES {
            let mut damaged = content.clone();
            damage(&mut damaged);
            std::fs::write(&path, damaged).expect("it is ours");
            folder = check(folder, reading(), 3, case);
        }
        let folder = written(words, "2");
        check(folder, reading(), 0, "another seed");
    }
}

#[test]
fn fio_s_read_and_verify_finds_every_damage_and_mends_none() {
    // fio 3.33 does not compare the seed in a header either.
    each_damage(fio, "--readonly");
}

#[test]
fn a_verify_failure_has_the_number_that_fio_gives_it() {
    for (damage, expected) in [(false, "0"), (true, "84")] {
        let mut words = fio("read", "1");
        words.push("--output-format=terse".to_owned());
        let folder = written(fio, "1");
        if damage {
            let path = folder.path().join("data");
            let mut content = std::fs::read(&path).expect("the file is there");
            zero_block(&mut content, 16);
            std::fs::write(&path, content).expect("it is ours");
        }
        let (ended, _) = Cli::in_folder(folder, words).end();
        let error = ended.stdout.split(';').nth(4);
        assert_eq!(error, Some(expected), "{}{}", ended.stdout, ended.stderr);
    }
}

#[test]
fn a_run_that_reads_and_verifies_finds_every_damage_and_mends_none() {
    each_damage(native, "--read-only");
}

#[test]
fn what_is_not_there_is_not_made_to_be_verified() {
    let cases = [
        (fio("read", "1"), "data"),
        (native("read", "1"), "DIR/data"),
    ];
    for (words, path) in cases {
        let (ended, folder) = Cli::new(words)
            .file("read.toml", specification("read"))
            .end();
        let expected = format!(
            "error: cannot verify {path}\n  because: it does not exist, and the jobs on it only \
             read what another run wrote\n  try:     use the file kept by the writing run \
             (--keep)\n"
        );
        assert_eq!((ended.status, ended.stderr), (Some(4), expected));
        assert!(!folder.path().join("data").exists());
    }
}

#[test]
fn without_the_right_to_write_no_front_end_writes() {
    // Each with the status by which the program says that the run could not be made.
    let lines = [
        (
            4,
            "run write.toml --target PATH --engine psync --read-only --quiet --no-save",
        ),
        (
            1,
            "dd --read-only --quiet --no-save if=/dev/zero of=PATH bs=4k count=2 status=none",
        ),
        (
            1,
            "diskspd --read-only --quiet --no-save -c1M -b4K -w100 -d1 PATH",
        ),
    ];
    for (status, line) in lines {
        for (name, there) in [("absent", false), ("there", true)] {
            let words = of(&line.replace("PATH", name));
            let mut run = Cli::new(words).file("write.toml", specification("write"));
            if there {
                run = run.file(name, [7; 8192]);
            }
            let (ended, folder) = run.end();
            let said = format!("{line}: {}", ended.stderr);
            assert_eq!(ended.status, Some(status), "{said}");
            let reason = "  because: --read-only allows no write";
            assert_eq!(ended.stderr.lines().nth(1), Some(reason), "{said}");
            let content = std::fs::read(folder.path().join(name)).ok();
            assert_eq!(content, there.then(|| vec![7; 8192]), "{said}");
        }
    }
}
