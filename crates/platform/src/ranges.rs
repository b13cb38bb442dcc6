//! Which parts of a file of Windows are read from its disk: those that are allocated, as far as the
//! data is valid. The system answers reads of all others with zeros, and the disk sees nothing of
//! them. A write beyond the valid data fills what lies between, and its caller waits for that.

use std::io::{Error, ErrorKind, Result};

/// Numbers of `winioctl.h`.
const FSCTL_QUERY_ALLOCATED_RANGES: u32 = 0x0009_40CF;
const FSCTL_QUERY_FILE_REGIONS: u32 = 0x0009_0284;
const FILE_REGION_USAGE_VALID_CACHED_DATA: u64 = 1;

/// Bytes of a range in an answer, and of a region; and those before the first region.
const RANGE: usize = 16;
const REGION: usize = 24;
const HEAD: usize = 16;
/// Ranges that are asked for at once.
const BATCH: usize = 64;

/// The call that asks a file system about an open file: a number of `winioctl.h`, what goes in, and
/// the room for the answer, which is cut to what fits.
pub(crate) trait Control {
    fn control(&self, code: u32, input: &[u8], room: usize) -> Result<Vec<u8>>;
}

/// Where a part of a file starts and ends.
type Part = (u64, u64);

/// The first part at or after an offset that was written, as far as the file system knows; none
/// where nothing more was.
///
/// # Errors
///
/// Unsupported where the file system knows neither what is allocated nor what is valid.
pub(crate) fn written(file: &impl Control, mut at: u64, size: u64) -> Result<Option<Part>> {
    loop {
        let allocated = known(allocated(file, at, size))?;
        let valid = known(valid(file, at, size))?;
        let (Some(allocated), Some(valid)) = (
            allocated.unwrap_or(Some((at, size))),
            valid.unwrap_or(Some((at, size))),
        ) else {
            return Ok(None);
        };
        if allocated == (at, size) && valid == (at, size) {
            return Ok(Some((at, size)));
        }
        let both = (allocated.0.max(valid.0), allocated.1.min(valid.1));
        if both.0 < both.1 {
            return Ok(Some(both));
        }
        at = both.0;
    }
}

/// Whether a file system answers such questions at all.
pub(crate) fn tells(file: &impl Control, size: u64) -> Result<bool> {
    let answers = [allocated(file, 0, size), valid(file, 0, size)].map(known);
    let [allocated, valid] = answers;
    Ok(allocated?.is_some() || valid?.is_some())
}

/// Bytes of a part of a file that are allocated, and those of them that were written.
///
/// # Errors
///
/// As of [`written`].
pub(crate) fn bytes(file: &impl Control, (start, end): Part) -> Result<(u64, u64)> {
    let sum = |next: &dyn Fn(u64) -> Result<Option<Part>>| {
        let (mut at, mut sum) = (start, 0);
        while at < end
            && let Some(part) = next(at)?
        {
            sum += part.1 - part.0;
            at = part.1;
        }
        Ok::<_, Error>(sum)
    };
    let allocated = |at| Ok(known(allocated(file, at, end))?.unwrap_or(Some((at, end))));
    Ok((sum(&allocated)?, sum(&|at| written(file, at, end))?))
}

/// None of what the file system has no answer to.
fn known<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(None),
        Err(error) => Err(error),
    }
}

/// The first allocated part between two offsets.
fn allocated(file: &impl Control, at: u64, size: u64) -> Result<Option<Part>> {
    let input = [at.to_le_bytes(), (size - at).to_le_bytes()].concat();
    let answer = file.control(FSCTL_QUERY_ALLOCATED_RANGES, &input, BATCH * RANGE)?;
    joined(answer.chunks_exact(RANGE), at, size)
}

/// The first part between two offsets whose data is valid.
fn valid(file: &impl Control, at: u64, size: u64) -> Result<Option<Part>> {
    let wanted = FILE_REGION_USAGE_VALID_CACHED_DATA;
    let input = [at, size - at, wanted].map(u64::to_le_bytes).concat();
    let room = HEAD + BATCH * REGION;
    let answer = file.control(FSCTL_QUERY_FILE_REGIONS, &input, room)?;
    let regions = answer.get(HEAD..).unwrap_or_default();
    joined(regions.chunks_exact(REGION), at, size)
}

/// The first part of entries that begin with an offset and a length, with those that follow on it.
fn joined<'a>(entries: impl Iterator<Item = &'a [u8]>, at: u64, size: u64) -> Result<Option<Part>> {
    let mut first: Option<Part> = None;
    for entry in entries {
        let number = |from: usize| {
            let bytes = entry
                .get(from..from + 8)
                .and_then(|bytes| bytes.try_into().ok());
            let number = bytes.map(i64::from_le_bytes);
            let number = number.and_then(|number| u64::try_from(number).ok());
            number.ok_or_else(|| Error::from(ErrorKind::InvalidData))
        };
        let begin = number(0)?;
        let (begin, end) = (begin.max(at), (begin + number(8)?).min(size));
        match &mut first {
            _ if begin >= end => {}
            None => first = Some((begin, end)),
            Some(first) if begin <= first.1 => first.1 = first.1.max(end),
            Some(_) => break,
        }
    }
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// A file system as Windows has them: what it answers to each question.
    struct Fake {
        allocated: Option<&'static [Part]>,
        valid_bytes: Option<u64>,
    }

    impl Control for Fake {
        fn control(&self, code: u32, input: &[u8], room: usize) -> Result<Vec<u8>> {
            let number = |at: usize| u64::from_le_bytes(input[at..at + 8].try_into().unwrap());
            let (at, end) = (number(0), number(0) + number(8));
            let mut answer = Vec::new();
            let unsupported = || Error::from(ErrorKind::Unsupported);
            if code == FSCTL_QUERY_ALLOCATED_RANGES {
                for (begin, stop) in self.allocated.ok_or_else(unsupported)? {
                    let (begin, stop) = (at.max(*begin), end.min(*stop));
                    if begin < stop {
                        answer.extend([begin, stop - begin].map(u64::to_le_bytes).concat());
                    }
                }
            } else {
                assert_eq!((code, number(16)), (FSCTL_QUERY_FILE_REGIONS, 1));
                let valid = self.valid_bytes.ok_or_else(unsupported)?.min(end);
                let count = u32::from(valid > at);
                answer.extend([0, count, count, 0].map(u32::to_le_bytes).concat());
                if valid > at {
                    answer.extend([at, valid - at, 1].map(u64::to_le_bytes).concat());
                }
            }
            assert!(answer.len() <= room);
            Ok(answer)
        }
    }

    /// What is allocated, up to where it is valid, and what was written.
    type Case = (Option<&'static [Part]>, Option<u64>, &'static [Part]);

    /// All that was written of a file of 8 MiB.
    fn all(fake: &Fake) -> Vec<Part> {
        let (mut at, mut found) = (0, Vec::new());
        while let Some(part) = written(fake, at, 8 * MIB).unwrap() {
            found.push(part);
            at = part.1;
            if at >= 8 * MIB {
                break;
            }
        }
        found
    }

    #[test]
    fn what_lies_beyond_the_valid_data_was_never_written() {
        let whole: &[Part] = &[(0, 8 * MIB)];
        let holes: &[Part] = &[(0, MIB), (MIB, 2 * MIB), (4 * MIB, 8 * MIB)];
        let cases: [Case; 7] = [
            // Its end was set, and nothing was written.
            (Some(whole), Some(0), &[]),
            (Some(whole), Some(3 * MIB), &[(0, 3 * MIB)]),
            (Some(whole), Some(8 * MIB), whole),
            (
                Some(holes),
                Some(5 * MIB),
                &[(0, 2 * MIB), (4 * MIB, 5 * MIB)],
            ),
            (Some(holes), Some(3 * MIB), &[(0, 2 * MIB)]),
            // A file system that knows one of both.
            (Some(holes), None, &[(0, 2 * MIB), (4 * MIB, 8 * MIB)]),
            (None, Some(MIB), &[(0, MIB)]),
        ];
        for (allocated, valid_bytes, expected) in cases {
            let fake = Fake {
                allocated,
                valid_bytes,
            };
            let sum = |parts: &[Part]| parts.iter().map(|(begin, end)| end - begin).sum::<u64>();
            let sums = (sum(allocated.unwrap_or(whole)), sum(expected));
            assert_eq!(bytes(&fake, (0, 8 * MIB)).unwrap(), sums);
            assert_eq!(all(&fake), expected, "{allocated:?} {valid_bytes:?}");
            assert!(tells(&fake, 8 * MIB).unwrap());
        }
        let silent = Fake {
            allocated: None,
            valid_bytes: None,
        };
        assert!(!tells(&silent, 8 * MIB).unwrap());
    }

    #[test]
    fn an_answer_that_is_no_range_is_an_error() {
        struct Odd;
        impl Control for Odd {
            fn control(&self, _: u32, _: &[u8], _: usize) -> Result<Vec<u8>> {
                Ok([u64::MAX, 1].map(u64::to_le_bytes).concat())
            }
        }
        let error = written(&Odd, 0, MIB).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
    }
}
