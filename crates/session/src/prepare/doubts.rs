//! Warnings about targets before anything is measured.

use fathom_core::caveat::{Caveat, Level};
use fathom_core::figure::size;
use fathom_verdict::Code;
use std::fmt::Display;
use std::path::Path;

/// Parts of its size that a file takes at least on a file system that stores it as it is: 19 of 20,
/// our threshold; inline ends and rounding stay below.
const STORED: (u64, u64) = (19, 20);

/// A file that was laid out and takes less room than it has bytes.
pub(super) fn shrunk(path: &Path, bytes: u64, allocated_bytes: u64) -> Option<Caveat> {
    let (parts, of) = STORED;
    if allocated_bytes == 0 || allocated_bytes >= bytes / of * parts {
        return None;
    }
    let message = format!(
        "{} has {} but occupies {} on its file system, which compresses or deduplicates it",
        path.display(),
        size(bytes),
        size(allocated_bytes)
    );
    Some(
        Code::FileShrunk
            .caveat(Level::Suspect, message)
            .remedy("disable compression for the directory, or measure the device below"),
    )
}

/// A target below which no device was found, with the cause.
pub(super) fn unknown(path: &Path, cause: &impl Display) -> Caveat {
    let cause = cause.to_string();
    // The number that Rust adds to what the system says.
    let cause = cause.split(" (os error ").next().unwrap_or_default();
    let message = format!("the devices below {} are unknown: {cause}", path.display());
    Code::DeviceUnknown.caveat(Level::Note, message).remedy(
        "make /sys and /proc readable (containers hide them). Without them no device counter \
         confirms the result",
    )
}

/// A file that a later run will take for somebody's.
pub(super) fn unmarked(path: &Path) -> Caveat {
    let message = format!(
        "the file system of {} has no extended attributes. A later run cannot recognise the file \
         as one of fathom's",
        path.display()
    );
    Code::FileUnmarked
        .caveat(Level::Note, message)
        .remedy("use --overwrite to use the file again")
}

/// What the replay of a trace leaves out or assumes.
pub(crate) fn replay_differs(remark: &str) -> Caveat {
    Code::ReplayDiffers
        .caveat(Level::Qualified, remark.trim_end_matches('.'))
        .remedy("record or export the trace again")
}

/// A file that was to be removed after the run, in which requests hang.
pub(crate) fn left(path: &Path) -> Caveat {
    let message = format!(
        "{} is not removed: the storage does not respond, and the system call would not return",
        path.display()
    );
    Code::StorageHangs
        .caveat(Level::Note, message)
        .remedy("run `fathom clean` on its directory when the storage responds again")
}

const WRITTEN: &str = "use a completely written file: let fathom create one in the same directory";

/// A file of which some was reserved and never written.
pub(super) fn unwritten(path: &Path, reserved_bytes: u64, used_bytes: u64) -> Caveat {
    let message = format!(
        "{} of the {} used in {} were reserved and never written. They are read as zeros without \
         device I/O",
        size(reserved_bytes),
        size(used_bytes),
        path.display()
    );
    Code::UnwrittenTarget
        .caveat(Level::Invalid, message)
        .remedy(WRITTEN)
}

/// A file with holes.
pub(super) fn sparse(path: &Path, hole_bytes: u64, used_bytes: u64) -> Caveat {
    let message = format!(
        "{} of the {} used in {} were never written. They are read without device I/O",
        size(hole_bytes),
        size(used_bytes),
        path.display()
    );
    Code::SparseTarget
        .caveat(Level::Invalid, message)
        .remedy(WRITTEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_verdict::{Code, Entry};

    const MIB: u64 = 1 << 20;

    /// The documentation shows what is said here.
    #[test]
    fn the_examples_are_what_is_said() {
        let path = Path::new("/data/mine.dat");
        let cause = fathom_device::DeviceError::Read {
            path: "/sys/dev/block/8:17".into(),
            source: std::io::Error::from_raw_os_error(2),
        };
        let said = [
            sparse(path, 1020 << 10, MIB),
            unwritten(path, 512 * MIB, 1024 * MIB),
            shrunk(path, 1024 * MIB, 37 * MIB).expect("less than 95 %"),
            unknown(path, &cause),
            unmarked(path),
        ];
        for caveat in said {
            let entry = Code::of(&caveat).and_then(Code::entry);
            assert_eq!(entry.and_then(Entry::example), Some(caveat));
        }
    }

    /// The verdict shows numbers of ours that it does not hold itself.
    #[test]
    fn the_thresholds_are_what_is_shown() {
        let shown = |name: &str| {
            let mut all = fathom_verdict::topics().flat_map(|topic| topic.entry.thresholds);
            all.find(|one| one.name == name).map(|one| one.values)
        };
        let (parts, of) = STORED;
        assert_eq!(shown("STORED"), Some(&[parts as f64 / of as f64][..]));
        let samples = f64::from(crate::prepare::placement::SAMPLES);
        assert_eq!(shown("SAMPLED_BLOCKS"), Some(&[samples][..]));
        let lag_ns = fathom_load::worker::ABORT_LAG.0 as f64;
        assert_eq!(shown("ABORT_LAG_NS"), Some(&[lag_ns][..]));
    }

    #[test]
    fn a_file_may_take_a_little_less_than_its_size() {
        assert_eq!(shrunk(Path::new("/a"), 2000, 1900), None);
        assert_eq!(shrunk(Path::new("/a"), 2000, 0), None);
        assert!(shrunk(Path::new("/a"), 2000, 1899).is_some());
    }
}
