//! Layouts on the scratch file system, on tmpfs without direct I/O, and on one that is too small.

use super::*;
use crate::fixture::Mounted;
use fathom_load::observer::Silent;
use fathom_load::verify;
use std::fs::OpenOptions;

const DATA: Data = Data::PLAIN;

fn range<'a>(path: &'a Path, parts: &'a [(u64, u64)], stamped: bool) -> LayoutRange<'a> {
    LayoutRange {
        path,
        parts,
        data: DATA,
        mark: Mark {
            run: 7,
            seed: 9,
            salt: 9,
        },
        number: 0,
        proof: stamped.then_some(Proof::Stamps { seed: Some(9) }),
    }
}

fn create(path: &Path) -> File {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .open(path)
        .unwrap()
}

/// Tells what it heard of a layout.
#[derive(Default)]
struct Heard(Vec<(u64, u64)>);

impl Observer for Heard {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Layout {
            done_bytes,
            total_bytes,
            ..
        } = event
        {
            self.0.push((*done_bytes, *total_bytes));
        }
    }
}

#[test]
fn what_lies_around_the_range_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let size = (2 << 20) + 8192_usize;
    // In one block, over the bound of one, in several chunks, and with bounds that are aligned.
    for (start, end) in [
        (100, 200),
        (100, 4096),
        (4000, 4200),
        (100, 8192),
        (4096, 8000),
        (700, (1 << 20) + 1),
        (5000, size - 1),
    ] {
        std::fs::write(&path, vec![0xa5; size]).unwrap();
        let file = OpenOptions::new().read(true).write(true).open(&path);
        let parts = [(start as u64, end as u64)];
        let part = range(&path, &parts, true);
        let report = lay_out(&file.unwrap(), &part, &Control::new(), &mut Silent).unwrap();
        assert_eq!(report.written_bytes, (end - start) as u64, "{start}..{end}");
        let found = std::fs::read(&path).unwrap();
        assert_eq!(found.len(), size);
        let around = found[..start].iter().chain(&found[end..]);
        assert_eq!(
            around.filter(|byte| **byte != 0xa5).count(),
            0,
            "{start}..{end}"
        );
        // One of 256 random bytes is what was there.
        let same = found[start..end].iter().filter(|byte| **byte == 0xa5);
        assert!(same.count() <= (end - start) / 16, "{start}..{end}");
        let (first, last) = (start.next_multiple_of(512), end / 512 * 512);
        if first < last {
            let outcome = verify::check(&found[first..last], first as u64, Some(9));
            assert_eq!(outcome.wrong, 0, "{start}..{end}");
        }
    }
}

#[test]
fn every_byte_is_written_and_stamped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let file = create(&path);
    // Neither a whole number of chunks nor of pages.
    let size = (5 << 20) + 512 * 3;
    let mut heard = Heard::default();
    let report = lay_out(
        &file,
        &range(&path, &[(0, size)], true),
        &Control::new(),
        &mut heard,
    )
    .unwrap();
    assert_eq!(report.written_bytes, size);
    assert!(report.allocated_bytes.unwrap() >= size);
    assert_eq!(heard.0, [(0, size), (size, size)]);
    let content = std::fs::read(&path).unwrap();
    assert_eq!(content.len() as u64, size);
    let outcome = verify::check(&content, 0, Some(9));
    assert_eq!((outcome.blocks, outcome.wrong), (size / 512, 0));
}

#[test]
fn the_content_depends_on_the_salt_alone() {
    let folder = tempfile::tempdir().unwrap();
    let contents = ["a", "b"].map(|name| {
        let path = folder.path().join(name);
        let file = create(&path);
        let range = range(&path, &[(0, 3 << 20)], false);
        lay_out(&file, &range, &Control::new(), &mut Silent).unwrap();
        std::fs::read(&path).unwrap()
    });
    assert!(contents[0] == contents[1]);
    assert!(
        contents[0]
            .chunks(4096)
            .all(|block| block.iter().any(|byte| *byte != 0))
    );
}

#[test]
fn a_file_is_extended_where_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let file = create(&path);
    lay_out(
        &file,
        &range(&path, &[(0, 2 << 20)], true),
        &Control::new(),
        &mut Silent,
    )
    .unwrap();
    let more = range(&path, &[(2 << 20, 3 << 20)], true);
    let report = lay_out(&file, &more, &Control::new(), &mut Silent).unwrap();
    assert_eq!(report.written_bytes, 1 << 20);
    let content = std::fs::read(&path).unwrap();
    assert_eq!(verify::check(&content, 0, Some(9)).wrong, 0);
    assert_eq!(content.len(), 3 << 20);
}

/// Pages that others have a part in keep it, past the page cache and through it.
#[test]
fn nothing_beside_the_parts_is_touched() {
    let elsewhere = tempfile::tempdir_in("/dev/shm");
    for folder in [tempfile::tempdir(), elsewhere] {
        let Ok(folder) = folder else {
            fathom_testing::skip("/dev/shm is not writable");
            continue;
        };
        let path = folder.path().join("file");
        let file = create(&path);
        let before = vec![7; (3 << 20) + 1000];
        std::fs::write(&path, &before).unwrap();
        let mib = 1 << 20;
        let parts = [
            (100, 200),
            (5000, 9000),
            (mib - 10, mib + 10),
            (mib + 4096, 2 * mib + 5000),
            (before.len() as u64, 3 * mib + 2000),
        ];
        let range = range(&path, &parts, false);
        let report = lay_out(&file, &range, &Control::new(), &mut Silent).unwrap();
        let all = parts.iter().map(|(start, end)| end - start).sum::<u64>();
        assert_eq!(report.written_bytes, all);
        let after = std::fs::read(&path).unwrap();
        assert_eq!(after.len() as u64, 3 * mib + 2000);
        let is_laid = |at: u64| {
            parts
                .iter()
                .any(|(start, end)| (*start..*end).contains(&at))
        };
        let kept = (0..before.len()).filter(|at| !is_laid(*at as u64));
        assert_eq!(kept.filter(|at| after[*at] != 7).count(), 0);
        // Of random bytes one in 256 is a 7.
        for (start, end) in parts {
            let part = &after[start as usize..end as usize];
            let same = part
                .iter()
                .map(|byte| usize::from(*byte == 7))
                .sum::<usize>();
            assert!(
                same * 16 < part.len() + 64,
                "{start}: {same} of {}",
                part.len()
            );
        }
    }
}

#[test]
fn zeros_are_not_laid_out_as_zeros() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let file = create(&path);
    let zero = LayoutRange {
        data: Data {
            fill: Fill::Zero,
            ..DATA
        },
        ..range(&path, &[(0, 1 << 20)], false)
    };
    lay_out(&file, &zero, &Control::new(), &mut Silent).unwrap();
    let content = std::fs::read(&path).unwrap();
    let is_random = |sector: &[u8]| sector.iter().any(|byte| *byte != 0);
    assert_eq!(content.len(), 1 << 20);
    assert!(content.chunks(64).all(is_random));
}

#[test]
fn two_files_have_no_block_in_common() {
    let folder = tempfile::tempdir().unwrap();
    let content = |name: &str, number: u32| {
        let path = folder.path().join(name);
        let file = create(&path);
        let range = LayoutRange {
            number,
            ..range(&path, &[(0, 3 << 20)], false)
        };
        lay_out(&file, &range, &Control::new(), &mut Silent).unwrap();
        std::fs::read(&path).unwrap()
    };
    let all = [content("one", 0), content("other", 1)].concat();
    let blocks: std::collections::HashSet<&[u8]> = all.chunks(512).collect();
    assert_eq!(blocks.len(), all.len() / 512);
}

#[test]
fn an_interrupt_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let file = create(&path);
    let control = Control::new();
    control.interrupt();
    let error = lay_out(
        &file,
        &range(&path, &[(0, 1 << 20)], false),
        &control,
        &mut Silent,
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the layout of {} was interrupted after 0B", path.display())
    );
}

#[test]
fn a_full_file_system_has_its_own_error() {
    let Some(tmpfs) = Mounted::new("tmpfs", "size=2m") else {
        fathom_testing::skip("no right to mount a tmpfs");
        return;
    };
    let path = tmpfs.path().join("file");
    let file = create(&path);
    let error = lay_out(
        &file,
        &range(&path, &[(0, 8 << 20)], false),
        &Control::new(),
        &mut Silent,
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "cannot lay out 8MiB of {}: no space left after 0B",
            path.display()
        )
    );
}

#[test]
fn without_direct_io_the_page_cache_is_used_and_emptied() {
    let Ok(folder) = tempfile::tempdir_in("/dev/shm") else {
        fathom_testing::skip("/dev/shm is not writable");
        return;
    };
    let path = folder.path().join("file");
    let file = create(&path);
    let size = (1 << 20) + 100;
    let parts = [(0, size)];
    let range = range(&path, &parts, false);
    let report = lay_out(&file, &range, &Control::new(), &mut Silent).unwrap();
    assert_eq!(report.written_bytes, size);
    assert_eq!(std::fs::read(&path).unwrap().len() as u64, size);
}
