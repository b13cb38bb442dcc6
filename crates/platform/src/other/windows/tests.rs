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
fn a_file_is_open_until_its_handle_is_closed() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    assert!(is_open(file.path()).expect("it is there"));
    let path = file.into_temp_path();
    assert!(!is_open(&path).expect("it is there"));
    assert!(!has_integrity(&path).expect("it is there"));
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
