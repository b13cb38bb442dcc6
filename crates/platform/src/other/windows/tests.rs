//! The calls, made on a Windows or on what imitates one, which answers some of them.

use std::io::{ErrorKind, Write as _};

use super::*;
use crate::fs::SeekFrom;

const GEOMETRY: u32 = 0x0007_00A0;
const NO_QUESTION: u32 = 0x0007_0FFC;

#[test]
fn a_disk_answers_with_as_many_bytes_as_it_has() {
    let disk = device(r"\\.\PhysicalDrive0").expect("there is a disk");
    let found = control(&disk, GEOMETRY, &[], 256).expect("it has a size");
    // Cylinders, tracks, sectors and their size, then the size of the disk.
    assert!((32..=256).contains(&found.len()), "{}", found.len());
    let error = control(&disk, NO_QUESTION, &[1, 2, 3], 0).expect_err("nobody knows it");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(device(r"\\.\PhysicalDrive99").is_err());
}

#[test]
fn a_disk_is_opened_to_read_only() {
    use crate::fs::{FileType, Mode, fstat, open};
    let disk = Path::new(r"\\.\PhysicalDrive0");
    let place = open(disk, OFlags::PATH, Mode::empty()).expect("there is a disk");
    let found = fstat(&place).expect("it has a number");
    let kind = FileType::from_raw_mode(found.st_mode);
    assert_eq!((kind, found.st_rdev), (FileType::BlockDevice, 1 << 32));
    let writing = [
        OFlags::WRONLY,
        OFlags::RDWR,
        OFlags::CREATE,
        OFlags::TRUNC,
        OFlags::APPEND,
        OFlags::PATH | OFlags::RDWR,
    ];
    for flags in writing {
        let refused = open(disk, flags, Mode::empty()).map(drop);
        assert_eq!(refused, Err(Errno::ACCESS), "{flags:?}");
    }
    let missing = open(
        Path::new(r"\\.\PhysicalDrive99"),
        OFlags::PATH,
        Mode::empty(),
    );
    assert_eq!(missing.map(drop), Err(Errno::NOENT));
    if let Ok(open) = open(disk, OFlags::RDONLY, Mode::empty()) {
        // On a real Windows this takes an administrator. Wine has no length of a disk.
        let bytes = block_bytes(&open);
        assert!(bytes.is_ok_and(|bytes| bytes > 0) || emulator().is_some());
        let sector = ioctl_blksszget(&open).expect("it has sectors");
        assert!(sector.is_power_of_two(), "{sector}");
    }
}

#[test]
fn nobody_but_this_process_has_its_file_open() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let found = openers(file.path()).expect("the system answers");
    assert_eq!(found, []);
    assert!(!has_integrity(file.path()).expect("it is there"));
}

#[test]
fn this_process_uses_a_processor_and_memory() {
    let used = own_usage().expect("it is counted");
    // Wine counts neither faults nor switches.
    let faults = used.faults > 0 || emulator().is_some();
    assert!(used.peak_bytes > 1 << 20 && faults, "{used:?}");
    let switches = own_switches().expect("it is in the list");
    assert!(switches > 0 || emulator().is_some());
    let of_thread = thread_switches().expect("it is in the list");
    assert!(of_thread > 0 || emulator().is_some());
    assert!(of_thread <= own_switches().expect("it is in the list"));
    pin_thread(0).expect("there is a processor");
    assert_eq!(current_processor(), 0);
    assert!(pin_thread(1 << 20).is_err());
}

#[test]
fn the_parts_of_a_file_are_told_or_it_is_said_that_nobody_knows() {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(&[1; 8192]).expect("room");
    let found = seek(&file, SeekFrom::Data(0)).map_err(|errno| errno.raw_os_error());
    let extents = extents(&file, 0, 8192).map_err(|errno| errno.raw_os_error());
    if emulator().is_some() {
        let unknown = Errno::NOSYS.raw_os_error();
        assert_eq!((found, extents), (Err(unknown), Err(unknown)));
    } else {
        let expected = Extents {
            allocated_bytes: 8192,
            written_bytes: 8192,
            is_encoded: false,
        };
        assert_eq!((found, extents), (Ok(0), Ok(expected)));
    }
}

#[test]
fn the_machine_and_its_volumes_are_known() {
    let found = volume(&std::env::temp_dir()).expect("it is on a volume");
    assert!(found.root.is_absolute() && !found.file_system.is_empty());
    let [idle, kernel, user] = machine_times().expect("it counts");
    assert!(idle + kernel + user > 0);
    assert!(memory_bytes().expect("it has some") > 1 << 20);
    assert!(version().starts_with("Windows "), "{}", version());
}

#[test]
fn a_counter_of_the_processors_is_there_and_others_are_named() {
    let mut pdh = Pdh::of(&[r"\Processor(_Total)\% Processor Time"]).expect("it is there");
    pdh.collect().expect("a first look");
    let error = Pdh::of(&[r"\Nothing(*)\Nobody/sec"]).expect_err("it is not there");
    let begin = r"PdhAddEnglishCounter of \Nothing(*)\Nobody/sec answers 0x";
    assert!(error.to_string().starts_with(begin), "{error}");
}
