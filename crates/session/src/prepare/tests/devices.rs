//! Block devices: loop and zram devices of the test's own.

use super::*;
use crate::fixture::{EmptyZram, Loop, no_children};
use std::io::Read as _;

fn destroyable(device: &Loop) -> Permissions {
    Permissions {
        destroy: vec![device.path.to_str().unwrap().parse().unwrap()],
        ..Permissions::default()
    }
}

const NO_LOOP: &str = "no right to attach a loop device";

#[test]
fn a_device_is_read_whole_and_written_by_permission_only() {
    let Some(device) = Loop::new(2 * MIB, 512) else {
        fathom_testing::skip(NO_LOOP);
        return;
    };
    let _no_children = no_children();
    let (prepared, laid_bytes) =
        prepare_psync(&plan(vec![job(Op::Read, None)], &[&device.path])).unwrap();
    assert_eq!((only_window(&prepared), laid_bytes), ((0, 2 * MIB), 0));
    drop(prepared);
    // The size that a workload gives to files neither limits a device nor asks too much of it.
    for size in [MIB, 8 * MIB] {
        let sized = plan(vec![job(Op::Read, Some(size))], &[&device.path]);
        let (prepared, _) = prepare_psync(&sized).unwrap();
        assert_eq!(only_window(&prepared), (0, 2 * MIB), "{size}");
    }
    let (prepared, _) = prepare_psync(&plan(vec![job(Op::Read, None)], &[&device.path])).unwrap();
    let info = &prepared.infos[0];
    assert_eq!(info.kind, "block device");
    let name = device.path.file_name().unwrap().to_str().unwrap();
    assert_eq!(info.devices[0].name, name);
    drop(prepared);

    let mut writing = plan(vec![job(Op::Write, None)], &[&device.path]);
    assert_eq!(
        refusal(&writing)[..2],
        [
            format!("cannot open {} for writing", device.path.display()),
            "it is a block device, and no --destroy names it".into(),
        ]
    );
    writing.permissions = destroyable(&device);
    let (prepared, laid_bytes) = prepare_psync(&writing).unwrap();
    assert_eq!(laid_bytes, 0);
    prepared.targets[0]
        .confirm(File::open(&device.path).unwrap())
        .unwrap();
    assert_eq!(
        refusal(&writing)[1],
        "the kernel reports that another program holds it exclusively"
    );
}

#[test]
fn a_device_whose_blocks_are_checked_is_stamped_first() {
    let Some(device) = Loop::new(2 * MIB, 512) else {
        fathom_testing::skip(NO_LOOP);
        return;
    };
    let _no_children = no_children();
    let checked = Job {
        offset: Bytes(MIB),
        window: Some(Bytes(MIB / 2)),
        verify: Verify::ReadBack,
        ..job(Op::Write, None)
    };
    let mut plan = plan(vec![checked], &[&device.path]);
    plan.permissions = destroyable(&device);
    assert_eq!(prepare_psync(&plan).unwrap().1, MIB / 2);
    assert_eq!(prepare_psync(&plan).unwrap().1, 0);
    let mut content = Vec::new();
    File::open(&device.path)
        .unwrap()
        .read_to_end(&mut content)
        .unwrap();
    let window = &content[MIB as usize..][..MIB as usize / 2];
    assert_eq!(fathom_load::verify::check(window, MIB, Some(11)).wrong, 0);
    assert!(content[..MIB as usize].iter().all(|byte| *byte == 0));
}

#[test]
fn an_odd_block_size_is_named_with_what_the_device_asks_for() {
    let Some(device) = Loop::new(2 * MIB, 4096) else {
        fathom_testing::skip(NO_LOOP);
        return;
    };
    let _no_children = no_children();
    let mut small = job(Op::Read, None);
    small.durability.direct = true;
    small.kinds[0].block_size = Bytes(512);
    assert_eq!(
        refusal(&plan(vec![small.clone()], &[&device.path])),
        [
            format!("cannot use {} for job `main`", device.path.display()),
            "its block size of 512 B is not a multiple of the 4 KiB that the target requires for \
             direct I/O"
                .into(),
            "use a multiple of 4KiB, or --no-direct".into(),
        ]
    );
    small.durability.direct = false;
    prepare_psync(&plan(vec![small], &[&device.path])).unwrap();
}

#[test]
fn a_device_is_not_larger_than_it_is() {
    let Some(device) = Loop::new(2 * MIB, 512) else {
        fathom_testing::skip(NO_LOOP);
        return;
    };
    let _no_children = no_children();
    let far = Job {
        offset: Bytes(2 * MIB),
        ..job(Op::Read, None)
    };
    assert_eq!(
        refusal(&plan(vec![far], &[&device.path]))[1],
        "it has 2,097,152 B, the job needs 2,101,248 B"
    );
}

#[test]
fn an_empty_device_says_so() {
    let Some(zram) = EmptyZram::new() else {
        fathom_testing::skip("no zram device can be added");
        return;
    };
    let path = zram.path();
    assert_eq!(
        refusal(&plan(vec![job(Op::Read, None)], &[&path])),
        [
            format!("cannot use {}", path.display()),
            "it has 0 bytes: nothing is attached, or it has no medium".into(),
            "attach a medium, or use another device".into(),
        ]
    );
}

/// Turns a link from one device to the other and back until it is dropped.
struct Flipping {
    stop: std::sync::Arc<std::sync::atomic::AtomicBool>,
    thread: Option<std::thread::JoinHandle<u64>>,
}

impl Flipping {
    fn begin(link: PathBuf, ends: [PathBuf; 2]) -> Self {
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let until = std::sync::Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let next = link.with_extension("next");
            let mut turns = 0;
            while !until.load(std::sync::atomic::Ordering::Relaxed) {
                for end in &ends {
                    fathom_platform::unix::fs::symlink(end, &next).unwrap();
                    std::fs::rename(&next, &link).unwrap();
                    turns += 1;
                }
            }
            turns
        });
        Self {
            stop,
            thread: Some(thread),
        }
    }
}

impl Drop for Flipping {
    fn drop(&mut self) {
        self.stop.store(true, std::sync::atomic::Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let turns = thread.join().unwrap_or_default();
            eprintln!("the link was turned {turns} times");
        }
    }
}

/// `FATHOM_FLIPS` tries, 300 if nobody says: laid out, opened and written as by a worker.
#[test]
fn a_link_that_flips_never_leads_a_write_astray() {
    let (Some(blank), Some(other)) = (Loop::new(MIB, 512), Loop::new(MIB, 512)) else {
        fathom_testing::skip(NO_LOOP);
        return;
    };
    let tries: u32 = std::env::var("FATHOM_FLIPS").map_or(300, |text| text.parse().unwrap());
    let mut kept = vec![7; MIB as usize];
    // What says that it was used as swap.
    kept[4086..4096].copy_from_slice(b"SWAPSPACE2");
    std::fs::write(&other.path, &kept).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link");
    let named_by = |path: &Path| Permissions {
        // What is written below is nothing that a run leaves.
        destroy: vec![format!("{}=data", path.display()).parse().unwrap()],
        ..Permissions::default()
    };
    let checked = Job {
        verify: Verify::ReadBack,
        ..job(Op::Write, None)
    };
    let mut plan = plan(vec![checked], &[&link]);
    fathom_platform::unix::fs::symlink(&other.path, &link).unwrap();
    let _no_children = no_children();
    // Standing still, both ways to name it are refused.
    for path in [&blank.path, &link] {
        plan.permissions = named_by(path);
        assert!(prepare_psync(&plan).is_err());
    }
    let flipping = Flipping::begin(link.clone(), [&blank, &other].map(|end| end.path.clone()));
    let mut obeyed = 0;
    for number in 0..tries {
        plan.permissions = named_by(if number % 2 == 0 { &blank.path } else { &link });
        let Ok((prepared, _)) = prepare_psync(&plan) else {
            continue;
        };
        let options = OpenOptions {
            write: true,
            ..OpenOptions::default()
        };
        let open = prepared.targets[0].open(&options).unwrap();
        fathom_platform::io::pwrite(&open.fd, &[number as u8; 4096], 8192).unwrap();
        fathom_platform::fs::fdatasync(&open.fd).unwrap();
        obeyed += 1;
    }
    drop(flipping);
    eprintln!("{obeyed} of {tries} tries were obeyed");
    assert!(std::fs::read(&other.path).unwrap() == kept);
    assert!(obeyed > 0);
}
