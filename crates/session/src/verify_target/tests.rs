//! Verification of files with known damage.

use super::*;
use fathom_load::observer::Silent;
use fathom_load::verify::{Mark, Stamp, WrongKind, generation, stamp};
use std::fs::File;
use std::io::Write as _;

const SEED: u64 = 3;
const SIZE: usize = (2 << 20) + 1536;

const fn mark(seed: u64) -> Mark {
    Mark {
        run: 5,
        seed,
        salt: 0,
    }
}

/// A stamped file: layout, then two workers over some of it.
fn stamped() -> Vec<u8> {
    let mut content: Vec<u8> = (0..SIZE).map(|n| (n / 7) as u8).collect();
    stamp(&mut content, 0, Stamp::laid(mark(SEED)));
    for (worker, write, at) in [(1, 1, 4096), (1, 9, 8192), (2, 4, 1 << 20)] {
        let block = &mut content[at..at + 4096];
        let by = Stamp {
            generation: generation(worker, write),
            ..Stamp::laid(mark(SEED))
        };
        stamp(block, at as u64, by);
    }
    content
}

fn file_with(content: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(content).unwrap();
    file.as_file().sync_all().unwrap();
    file
}

fn verify(path: &Path, offset: u64, len: u64, seed: Option<u64>) -> VerifyReport {
    verify_target(
        &Subject {
            path,
            opened: None,
            offset,
            len,
            proof: Proof::Stamps { seed },
            written: None,
        },
        &Control::new(),
        &mut Silent,
    )
    .unwrap()
}

/// What a clean check of the whole of [`stamped`] finds, whether or not direct I/O works here.
fn clean(path: &Path, found: &VerifyReport) -> VerifyReport {
    let worker = |blocks, oldest, newest| WorkerGenerations {
        blocks,
        oldest,
        newest,
    };
    VerifyReport {
        path: path.to_owned(),
        len: SIZE as u64,
        direct: found.direct,
        note: found.note.clone(),
        blocks: SIZE as u64 / 512,
        layout_blocks: SIZE as u64 / 512 - 24,
        workers: BTreeMap::from([(1, worker(16, 1, 9)), (2, worker(8, 4, 4))]),
        seeds: BTreeMap::from([(SEED, SIZE as u64 / 512)]),
        ..VerifyReport::default()
    }
}

#[test]
fn a_whole_file_is_clean() {
    let file = file_with(&stamped());
    let report = verify(file.path(), 0, SIZE as u64, Some(SEED));
    assert_eq!(report, clean(file.path(), &report));
    assert!(report.is_clean());
    assert_eq!(report.direct, report.note.is_none());
}

#[test]
fn damage_is_counted_by_kind_and_listed() {
    let mut content = stamped();
    content[100] ^= 1;
    content[512 * 3..512 * 4].fill(0);
    content.copy_within(0x10_0000..0x10_0200, 0x18_0000);
    stamp(
        &mut content[SIZE - 512..],
        SIZE as u64 - 512,
        Stamp::laid(mark(SEED + 1)),
    );
    let file = file_with(&content);
    let report = verify(file.path(), 0, SIZE as u64, Some(SEED));
    let good = clean(file.path(), &report);
    let at = |offset, kind| Wrong { offset, kind };
    let found_offset = 1 << 20;
    assert_eq!(
        report,
        VerifyReport {
            wrong: WrongBlocks {
                damaged: 1,
                misplaced: 1,
                zeros: 1,
                foreign: 1,
                ..WrongBlocks::default()
            },
            first_wrong: vec![
                at(0, WrongKind::Corrupt),
                at(512 * 3, WrongKind::Zeros),
                at(0x18_0000, WrongKind::Misplaced { found_offset }),
                at(SIZE as u64 - 512, WrongKind::ForeignSeed),
            ],
            layout_blocks: good.layout_blocks - 4,
            seeds: BTreeMap::from([(SEED, good.blocks - 4)]),
            ..good
        }
    );
    assert!(!report.is_clean());
    let any_seed = verify(file.path(), 0, SIZE as u64, None);
    assert_eq!(any_seed.wrong.foreign, 0);
    assert_eq!(
        any_seed.seeds,
        BTreeMap::from([(SEED, report.blocks - 4), (SEED + 1, 1)])
    );
}

#[test]
fn a_part_that_begins_anywhere_is_checked_alone() {
    let mut content = stamped();
    content[0] ^= 1;
    content[SIZE - 1] ^= 1;
    let file = file_with(&content);
    let report = verify(file.path(), 512, SIZE as u64 - 1024, Some(SEED));
    assert_eq!(
        (report.blocks, report.wrong.total()),
        (SIZE as u64 / 512 - 2, 0)
    );
}

#[test]
fn an_interrupt_is_told() {
    let file = file_with(&stamped());
    let control = Control::new();
    control.interrupt();
    let report = verify_target(
        &Subject {
            path: file.path(),
            opened: None,
            offset: 0,
            len: SIZE as u64,
            proof: Proof::Stamps { seed: None },
            written: None,
        },
        &control,
        &mut Silent,
    )
    .unwrap();
    assert_eq!((report.interrupted, report.blocks), (true, 0));
    assert!(!report.is_clean());
}

#[test]
fn what_cannot_be_verified_is_refused() {
    let file = file_with(&stamped());
    let path = file.path();
    let message = |offset, len| {
        verify_target(
            &Subject {
                path,
                opened: None,
                offset,
                len,
                proof: Proof::Stamps { seed: None },
                written: None,
            },
            &Control::new(),
            &mut Silent,
        )
        .unwrap_err()
        .to_string()
    };
    let name = path.display();
    assert_eq!(
        message(100, 512),
        format!(
            "cannot verify {name} from offset 100 for 512 bytes: self-describing blocks are 512 \
             bytes each; give multiples of 512"
        )
    );
    assert_eq!(
        message(0, 4 << 20),
        format!(
            "cannot verify {name} up to 4MiB: it ends at {}",
            Bytes(SIZE as u64)
        )
    );
    let error = verify_target(
        &Subject {
            path: Path::new("/absent"),
            opened: None,
            offset: 0,
            len: 512,
            proof: Proof::Stamps { seed: None },
            written: None,
        },
        &Control::new(),
        &mut Silent,
    );
    assert_eq!(
        error.unwrap_err().to_string(),
        "cannot open /absent to verify it: No such file or directory (os error 2)"
    );
}

#[test]
fn what_was_opened_is_checked_whatever_its_name_leads_to() {
    let file = file_with(&stamped());
    let opened: fathom_platform::fd::OwnedFd = File::open(file.path()).unwrap().into();
    // The first keeps its inode, and another takes its name.
    let elsewhere = file.path().with_extension("moved");
    std::fs::rename(file.path(), &elsewhere).unwrap();
    std::fs::write(file.path(), vec![1; SIZE]).unwrap();
    let subject = |opened| Subject {
        path: file.path(),
        opened,
        offset: 0,
        len: SIZE as u64,
        proof: Proof::Stamps { seed: Some(SEED) },
        written: None,
    };
    let check = |subject| verify_target(&subject, &Control::new(), &mut Silent).unwrap();
    assert!(check(subject(Some(&opened))).is_clean());
    assert_eq!(check(subject(None)).wrong.unstamped, SIZE as u64 / 512);
    std::fs::remove_file(elsewhere).unwrap();
}
