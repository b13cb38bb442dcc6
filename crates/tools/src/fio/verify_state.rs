//! What a job has written, as fio keeps it in a file for a later job that verifies
//! (`verify_state_save`, `verify_state_load`).
//!
//! The layout is that of fio 3.33, told from files that it wrote; all numbers are little-endian:
//!
//! | bytes | content |
//! | --- | --- |
//! | 0–7 | version, 3 |
//! | 8–15 | bytes that follow the first 24 |
//! | 16–23 | CRC-32C of them, not inverted at the end |
//! | 24–31 | number of the places at the end that mean anything |
//! | 32–39 | depth of the queue, number of files |
//! | 40–47 | number of writes |
//! | 48–55 | number of the thread, from 0 |
//! | 56–111 | state of fio's generator of offsets |
//! | 112–175 | name of the job, with zeros behind it |
//! | 176– | places: file and offset of the last writes that completed, with room for `depth` |
//!
//! The offsets of fio's generator are not ours. So a state whose writes are known by their number
//! and by our seed alone has a version of its own, which fio refuses, and that seed in the place of
//! the generator.

use crc::{Algorithm, Crc};

const VERSION: u64 = 3;
const OWN_VERSION: u64 = u64::from_le_bytes(*b"FATHOM1\0");
const HEADER: usize = 24;
const FIXED: usize = 152;
const NAME_AT: usize = 88;
const NAME_BYTES: usize = 64;
const GENERATOR_AT: usize = 32;
const PLACE_BYTES: usize = 16;

static CRC_32C: Crc<u32> = Crc::<u32>::new(&Algorithm {
    width: 32,
    poly: 0x1edc_6f41,
    init: u32::MAX,
    refin: true,
    refout: true,
    xorout: 0,
    check: 0,
    residue: 0,
});

/// What is known of the writes of one clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::fio) struct VerifyState {
    /// Writes that were handed over, all of which have ended but perhaps the last `depth`.
    pub(in crate::fio) writes: u64,
    /// Writes that may have been in flight.
    pub(in crate::fio) depth: u32,
    /// Files of the job.
    pub(in crate::fio) files: u32,
    /// Number of the clone among all of the run, from 0.
    pub(in crate::fio) index: u64,
    /// Name of the job.
    pub(in crate::fio) name: String,
    /// Where they went.
    pub(in crate::fio) order: WriteOrder,
    /// File and offset of the last writes that completed.
    pub(in crate::fio) last: Vec<(u64, u64)>,
}

/// What tells where writes went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fio) enum WriteOrder {
    /// They went in the order of their places, or everywhere; or fio drew their places.
    Open,
    /// They are the first that Fathom makes of a job.
    Made {
        /// Seed of the run.
        seed: u64,
        /// Number of the phase, and of the job in it.
        job: (u32, u32),
        /// Bytes of a write.
        block: u64,
        /// Reads and writes that were handed over; 0 where there were no reads.
        requests: u64,
    },
}

/// Why a file is no state that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::fio) enum VerifyStateError {
    /// Too short for its own numbers, or a checksum that does not fit.
    #[error("it is damaged: its length or its checksum is not what it says")]
    Damaged,
    /// Written by another fio.
    #[error("it has version {0} of fio's form, where 3 is read, that of fio 3.33")]
    Version(u64),
}

impl VerifyState {
    /// Whether a file begins as a state does.
    pub(in crate::fio) fn begins(head: &[u8]) -> bool {
        let version = word(head, 0);
        version == Some(VERSION) && word(head, 16).is_some_and(|sum| sum <= u32::MAX.into())
            || version == Some(OWN_VERSION)
    }

    /// The bytes of its file.
    pub(in crate::fio) fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(FIXED + PLACE_BYTES * self.last.len());
        body.extend((self.last.len() as u64).to_le_bytes());
        body.extend(self.depth.to_le_bytes());
        body.extend(self.files.to_le_bytes());
        body.extend(self.writes.to_le_bytes());
        body.extend(self.index.to_le_bytes());
        let (version, generator) = match self.order {
            WriteOrder::Open => (VERSION, [0; 7]),
            WriteOrder::Made {
                seed,
                job,
                block,
                requests,
            } => {
                let job = u64::from(job.0) << 32 | u64::from(job.1);
                (OWN_VERSION, [1, seed, job, block, requests, 0, 0])
            }
        };
        body.extend(generator.iter().flat_map(|number| number.to_le_bytes()));
        let mut name = [0; NAME_BYTES];
        // A zero ends it.
        for (to, from) in name.iter_mut().take(NAME_BYTES - 1).zip(self.name.bytes()) {
            *to = from;
        }
        body.extend(name);
        for (file, offset) in &self.last {
            body.extend(file.to_le_bytes());
            body.extend(offset.to_le_bytes());
        }
        let head = [version, body.len() as u64, CRC_32C.checksum(&body).into()];
        let head = head.iter().flat_map(|number| number.to_le_bytes());
        head.chain(body.iter().copied()).collect()
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`VerifyStateError`]
    pub(in crate::fio) fn of_bytes(bytes: &[u8]) -> Result<Self, VerifyStateError> {
        let damaged = VerifyStateError::Damaged;
        let version = word(bytes, 0).ok_or(damaged)?;
        if version != VERSION && version != OWN_VERSION {
            return Err(VerifyStateError::Version(version));
        }
        let body = bytes.get(HEADER..).ok_or(damaged)?;
        let told = |at| word(body, at).ok_or(damaged);
        let is_whole = word(bytes, 8) == Some(body.len() as u64)
            && word(bytes, 16) == Some(CRC_32C.checksum(body).into());
        let places = body.get(FIXED..).ok_or(damaged)?;
        // Before there were as many writes, the rest of the places is there and means nothing.
        let known = told(0)?.checked_mul(PLACE_BYTES as u64);
        let known = known.and_then(|bytes| places.get(..usize::try_from(bytes).ok()?));
        let Some(known) = known.filter(|_| is_whole && places.len().is_multiple_of(PLACE_BYTES))
        else {
            return Err(damaged);
        };
        let [depth, files] = [8, 12].map(|at| {
            let four = body[at..].first_chunk();
            four.map_or(0, |four| u32::from_le_bytes(*four))
        });
        let order = if version == VERSION {
            WriteOrder::Open
        } else {
            let job = told(GENERATOR_AT + 16)?;
            WriteOrder::Made {
                seed: told(GENERATOR_AT + 8)?,
                job: ((job >> 32) as u32, job as u32),
                block: told(GENERATOR_AT + 24)?,
                requests: told(GENERATOR_AT + 32)?,
            }
        };
        let name = &body[NAME_AT..FIXED];
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        let pair = |place: &[u8]| Some((word(place, 0)?, word(place, 8)?));
        Ok(Self {
            writes: told(16)?,
            depth,
            files,
            index: told(24)?,
            name: String::from_utf8_lossy(name).into_owned(),
            order,
            last: known.chunks(PLACE_BYTES).filter_map(pair).collect(),
        })
    }

    /// How many of its first requests a job may read that goes where the writes went.
    ///
    /// # Errors
    ///
    /// Why that is not known.
    pub(in crate::fio) fn known(&self, pass: &Pass) -> Result<u64, String> {
        if let WriteOrder::Made {
            block, requests, ..
        } = self.order
        {
            return match requests {
                _ if Some(block) != pass.block => {
                    Err(format!("the writes were of {block} bytes each"))
                }
                0 if pass.mixed => Err("the job that wrote did not read".to_owned()),
                0 => Ok(self.writes),
                _ if !pass.mixed => Err("the job that wrote read as well".to_owned()),
                requests => Ok(requests),
            };
        }
        if pass.mixed {
            let message = "fio drew which of its requests were writes, and another program does \
                           not know them";
            return Err(message.to_owned());
        }
        if self.writes >= pass.requests {
            return Ok(self.writes);
        }
        if pass.random {
            return Err(format!(
                "fio drew the places of its {} writes, which are not all of the {} of a pass, and \
                 another program does not know where they are",
                self.writes, pass.requests
            ));
        }
        let certain = self.writes.saturating_sub(self.depth.into());
        let Some((offset, block)) = pass.line.zip(pass.block) else {
            return Ok(certain);
        };
        let ended = |number: &u64| {
            let at = offset.saturating_add(number.saturating_mul(block));
            self.last.contains(&(0, at))
        };
        Ok(certain + (certain..self.writes).take_while(ended).count() as u64)
    }
}

/// Where the requests of a job go that reads what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fio) struct Pass {
    /// Requests that reach each place once.
    pub(in crate::fio) requests: u64,
    /// Bytes of each, if they are all of one size.
    pub(in crate::fio) block: Option<u64>,
    /// Whether their order is drawn.
    pub(in crate::fio) random: bool,
    /// Whether some of them are reads and others writes.
    pub(in crate::fio) mixed: bool,
    /// Where they begin, if each of one file follows the one before without a gap.
    pub(in crate::fio) line: Option<u64>,
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let eight = bytes.get(at..)?.first_chunk()?;
    Some(u64::from_le_bytes(*eight))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> VerifyState {
        VerifyState {
            writes: 128,
            depth: 1,
            files: 1,
            index: 0,
            name: "job".to_owned(),
            order: WriteOrder::Open,
            last: vec![(0, 0x7_f000)],
        }
    }

    /// As fio 3.33 has written it after 512 KiB in blocks of 4 KiB.
    #[test]
    fn the_file_is_that_of_fio() {
        let bytes = state().to_bytes();
        let mut expected = vec![0; 192];
        expected[..20].copy_from_slice(&[
            3, 0, 0, 0, 0, 0, 0, 0, 0xa8, 0, 0, 0, 0, 0, 0, 0, 0x52, 0xca, 0xd9, 0x93,
        ]);
        (expected[24], expected[32], expected[36], expected[40]) = (1, 1, 1, 0x80);
        expected[112..115].copy_from_slice(b"job");
        expected[184..187].copy_from_slice(&[0, 0xf0, 7]);
        assert_eq!(bytes, expected);
        assert_eq!(VerifyState::of_bytes(&bytes), Ok(state()));
        assert!(VerifyState::begins(&bytes));
    }

    #[test]
    fn what_only_we_know_is_not_for_fio() {
        let order = WriteOrder::Made {
            seed: 7,
            job: (1, 2),
            block: 4096,
            requests: 0,
        };
        let made = VerifyState { order, ..state() };
        let bytes = made.to_bytes();
        assert_eq!(bytes[..8], *b"FATHOM1\0");
        assert_eq!(VerifyState::of_bytes(&bytes), Ok(made.clone()));
        let pass = Pass {
            requests: 1000,
            block: Some(4096),
            random: true,
            mixed: false,
            line: None,
        };
        assert_eq!(made.known(&pass), Ok(128));
        let mixed = Pass {
            mixed: true,
            ..pass
        };
        let why = "the job that wrote did not read".to_owned();
        assert_eq!(made.known(&mixed), Err(why));
        let order = WriteOrder::Made {
            seed: 7,
            job: (1, 2),
            block: 4096,
            requests: 200,
        };
        let both = VerifyState { order, ..state() };
        assert_eq!(VerifyState::of_bytes(&both.to_bytes()), Ok(both.clone()));
        assert_eq!(both.known(&mixed), Ok(200));
        let why = "the job that wrote read as well".to_owned();
        assert_eq!(both.known(&pass), Err(why));
        assert!(state().known(&mixed).is_err());
        let other = Pass {
            block: Some(8192),
            ..pass
        };
        let why = "the writes were of 4096 bytes each".to_owned();
        assert_eq!(made.known(&other), Err(why));
    }

    /// As fio 3.33 leaves it with a deeper queue than there were writes (number_ios=3, iodepth=4).
    #[test]
    fn places_may_be_fewer_than_there_is_room_for() {
        let whole = VerifyState {
            last: vec![(0, 4096), (0, 8192), (0, 0), (0, 0)],
            ..state()
        };
        let mut bytes = whole.to_bytes();
        for count in [0, 2] {
            bytes[HEADER] = count;
            let sum = u64::from(CRC_32C.checksum(&bytes[HEADER..]));
            bytes[16..24].copy_from_slice(&sum.to_le_bytes());
            let expected = VerifyState {
                last: whole.last[..count.into()].to_vec(),
                ..state()
            };
            assert_eq!(VerifyState::of_bytes(&bytes), Ok(expected));
        }
        // More than there are.
        bytes[HEADER] = 5;
        let sum = u64::from(CRC_32C.checksum(&bytes[HEADER..]));
        bytes[16..24].copy_from_slice(&sum.to_le_bytes());
        assert_eq!(
            VerifyState::of_bytes(&bytes),
            Err(VerifyStateError::Damaged)
        );
    }

    #[test]
    fn damage_is_found() {
        let bytes = state().to_bytes();
        let mut flipped = bytes.clone();
        flipped[130] ^= 1;
        let mut later = bytes.clone();
        later[0] = 4;
        let cases = [
            (&bytes[..7], VerifyStateError::Damaged),
            (&bytes[..191], VerifyStateError::Damaged),
            (&bytes[..100], VerifyStateError::Damaged),
            (&flipped[..], VerifyStateError::Damaged),
            (&later[..], VerifyStateError::Version(4)),
        ];
        for (bytes, error) in cases {
            assert_eq!(VerifyState::of_bytes(bytes), Err(error));
        }
    }

    #[test]
    fn what_may_be_in_flight_counts_if_it_is_named() {
        let line = Pass {
            requests: 100,
            block: Some(4096),
            random: false,
            mixed: false,
            line: Some(8192),
        };
        let of = |writes, last: &[u64], pass: &Pass| {
            let state = VerifyState {
                writes,
                depth: 4,
                last: last.iter().map(|at| (0, *at)).collect(),
                ..state()
            };
            state.known(pass).ok()
        };
        // The tenth to the thirteenth may be on their way: of these two in a row have ended.
        let at = |number: u64| 8192 + 4096 * number;
        let last = [at(5), at(9), at(10), at(12)];
        assert_eq!(of(13, &last, &line), Some(11));
        assert_eq!(of(13, &[], &line), Some(9));
        assert_eq!(of(2, &[at(0)], &line), Some(1));
        assert_eq!(of(100, &[], &line), Some(100));
        let files = Pass { line: None, ..line };
        assert_eq!(of(13, &last, &files), Some(9));
        let random = Pass {
            random: true,
            ..line
        };
        assert_eq!(of(13, &last, &random), None);
        assert_eq!(of(100, &last, &random), Some(100));
    }
}
