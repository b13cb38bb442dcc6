//! What is already in a file or device: holes, and blocks that describe themselves.

use fathom_load::verify::Proof;
use fathom_platform::fd::AsFd;
use fathom_platform::fs::{Advice, SeekFrom};
use fathom_platform::io::Errno;
use fathom_platform::unix::fs::FileExt as _;
use std::fs::File;
use std::io;

/// Blocks that are looked at to tell whether a target is stamped.
const SAMPLES: u64 = 64;
/// Holes that are looked for; a file with more has enough of them.
const MOST_HOLES: usize = 10_000;

/// The parts of a file between two offsets that were never written: holes, and where the file
/// system knows the difference also what was only reserved. None where it does not tell.
pub(super) fn holes(file: &File, start: u64, end: u64) -> io::Result<Vec<(u64, u64)>> {
    let mut at = start;
    let mut found = Vec::new();
    while at < end && found.len() < MOST_HOLES {
        let hole = match fathom_platform::fs::seek(file, SeekFrom::Hole(at)) {
            Ok(hole) => hole,
            // Some file systems do not tell, and past the end there is nothing to tell.
            Err(Errno::INVAL | Errno::NXIO | Errno::OPNOTSUPP | Errno::NOSYS) => break,
            Err(errno) => return Err(errno.into()),
        };
        if hole >= end {
            break;
        }
        at = match fathom_platform::fs::seek(file, SeekFrom::Data(hole)) {
            Ok(data) => data.min(end),
            // No more data: the hole reaches to the end.
            Err(Errno::NXIO) => end,
            Err(errno) => return Err(errno.into()),
        };
        found.push((hole, at));
    }
    Ok(found)
}

/// Bytes of them.
pub(super) fn hole_bytes(file: &File, start: u64, end: u64) -> io::Result<u64> {
    let all = holes(file, start, end)?;
    Ok(all.iter().map(|(begin, end)| end - begin).sum())
}

/// Whether anything was written between two offsets of a file. Where the file system does not tell,
/// what lies before the end of the file was.
pub(crate) fn holds_data(file: impl AsFd, start: u64, end: u64) -> io::Result<bool> {
    match fathom_platform::fs::seek(&file, SeekFrom::Data(start)) {
        Ok(data) => Ok(data < end),
        Err(Errno::NXIO) => Ok(false),
        Err(Errno::INVAL | Errno::OPNOTSUPP | Errno::NOSYS) => {
            let stat = fathom_platform::fs::fstat(&file)?;
            Ok(u64::try_from(stat.st_size).is_ok_and(|size| size > start))
        }
        Err(errno) => Err(errno.into()),
    }
}

/// Whether blocks all over a range are right: describe themselves and are of the run's seed, or
/// have the derivable content.
pub(super) fn carries_proof(file: &File, start: u64, end: u64, proof: Proof) -> bool {
    let (unit, base) = proof.pieces();
    let first = start + (unit + base % unit - start % unit) % unit;
    let blocks = end.saturating_sub(first) / unit;
    if blocks == 0 {
        return false;
    }
    // Reading ahead would fill the page cache with what is measured later.
    let _ = fathom_platform::fs::fadvise(file, 0, None, Advice::Random);
    let mut block = vec![0; unit as usize];
    let all = (0..SAMPLES).all(|sample| {
        let number = u128::from(blocks - 1) * u128::from(sample) / u128::from(SAMPLES - 1);
        let offset = first + number as u64 * unit;
        file.read_exact_at(&mut block, offset).is_ok() && proof.check(&block, offset).wrong == 0
    });
    let _ = fathom_platform::fs::fadvise(file, 0, None, Advice::DontNeed);
    let _ = fathom_platform::fs::fadvise(file, 0, None, Advice::Normal);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_load::verify::Mark;

    #[test]
    fn holes_are_added_up() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(1 << 20).unwrap();
        file.write_all_at(&[1; 4096], 64 << 10).unwrap();
        file.write_all_at(&[1; 4096], 512 << 10).unwrap();
        if hole_bytes(&file, 0, 4096).unwrap() == 0 {
            fathom_testing::skip("the scratch file system does not tell of holes");
            return;
        }
        assert_eq!(hole_bytes(&file, 0, 1 << 20).unwrap(), (1 << 20) - 8192);
        assert_eq!(hole_bytes(&file, 64 << 10, 68 << 10).unwrap(), 0);
        assert_eq!(hole_bytes(&file, 64 << 10, 72 << 10).unwrap(), 4096);
    }

    #[test]
    fn stamps_are_told_from_everything_else() {
        let file = tempfile::tempfile().unwrap();
        let mut content = vec![7; 256 << 10];
        let mark = Mark {
            seed: 1,
            ..Mark::default()
        };
        let of = |seed| Proof::Stamps { seed: Some(seed) };
        of(1).lay(&mut content, 0, mark);
        file.write_all_at(&content, 0).unwrap();
        let size = content.len() as u64;
        assert!(carries_proof(&file, 0, size, of(1)));
        assert!(carries_proof(&file, 100, size - 100, of(1)));
        assert!(!carries_proof(&file, 0, size, of(2)));
        assert!(!carries_proof(&file, 0, size + 512, of(1)));
        assert!(!carries_proof(&file, 0, 0, of(1)));
        file.write_all_at(&[0], size - 1).unwrap();
        assert!(!carries_proof(&file, 0, size, of(1)));
    }
}
