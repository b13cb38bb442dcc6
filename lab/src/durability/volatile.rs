//! A disk with a volatile cache, to the sector: what was not flushed goes when power is cut.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use crate::nbd::{SECTOR, Storage};
use crate::siege::random::Random;

/// Sectors that the cache holds; more are written back, whichever comes.
const MOST: usize = 1024;

/// What it does when it is asked to keep something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// It does.
    Honest,
    /// A flush is acknowledged and not made.
    LiesAboutFlush,
    /// A write with FUA is acknowledged and stays in the cache.
    LosesFua,
}

/// A sector that only the cache has.
#[derive(Clone, Debug)]
struct Held {
    data: [u8; SECTOR as usize],
    /// The question, by its number, to which it was said that it, or an older content of the same
    /// sector, is kept.
    owed_since: Option<u64>,
}

/// What was dropped when power was cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Dropped {
    /// Sectors that had been said to be kept.
    pub(super) owed: u64,
    /// Of these, those of which that was said before the last such question.
    pub(super) surely_owed: u64,
}

/// The disk.
pub(crate) struct Volatile {
    medium: File,
    manner: Manner,
    cache: HashMap<u64, Held>,
    /// The sectors in the cache, in no order; some may have left it.
    known: Vec<u64>,
    /// Flushes and writes with FUA that were acknowledged.
    questions: u64,
    random: Random,
}

impl Volatile {
    pub(crate) fn new(medium: File, manner: Manner, random: Random) -> Self {
        Self {
            medium,
            manner,
            cache: HashMap::new(),
            known: Vec::new(),
            questions: 0,
            random,
        }
    }

    fn write_one_back(&mut self) -> io::Result<()> {
        let at = self.random.below(self.known.len() as u64) as usize;
        let number = self.known.swap_remove(at);
        match self.cache.remove(&number) {
            Some(held) => self.medium.write_all_at(&held.data, number * SECTOR),
            None => Ok(()),
        }
    }

    /// Empties the cache onto the medium.
    pub(super) fn write_back(&mut self) -> io::Result<()> {
        self.known.clear();
        for (number, held) in self.cache.drain() {
            self.medium.write_all_at(&held.data, number * SECTOR)?;
        }
        Ok(())
    }

    /// Power is cut: some of the cache was just being written back, the rest is gone.
    pub(super) fn cut(mut self) -> io::Result<Dropped> {
        let mut dropped = Dropped::default();
        let keeps_some = self.random.below(2) == 0;
        let mut held: Vec<(u64, Held)> = self.cache.drain().collect();
        held.sort_unstable_by_key(|(number, _)| *number);
        for (number, held) in held {
            if keeps_some && self.random.below(2) == 0 {
                self.medium.write_all_at(&held.data, number * SECTOR)?;
            } else if let Some(since) = held.owed_since {
                dropped.owed += 1;
                dropped.surely_owed += u64::from(since < self.questions);
            }
        }
        Ok(dropped)
    }
}

impl Storage for Volatile {
    fn size_bytes(&self) -> io::Result<u64> {
        Ok(self.medium.metadata()?.len())
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.medium.read_exact_at(buffer, offset)?;
        let sectors = buffer.chunks_exact_mut(SECTOR as usize);
        for (sector, number) in sectors.zip(offset / SECTOR..) {
            if let Some(held) = self.cache.get(&number) {
                sector.copy_from_slice(&held.data);
            }
        }
        Ok(())
    }

    fn write(&mut self, offset: u64, data: &[u8], fua: bool) -> io::Result<()> {
        self.questions += u64::from(fua);
        let keeps = fua && self.manner == Manner::Honest;
        let owes = fua && self.manner != Manner::Honest;
        for (sector, number) in data.chunks_exact(SECTOR as usize).zip(offset / SECTOR..) {
            if keeps {
                self.cache.remove(&number);
                self.medium.write_all_at(sector, number * SECTOR)?;
                continue;
            }
            let mut held = Held {
                data: [0; SECTOR as usize],
                owed_since: owes.then_some(self.questions),
            };
            held.data.copy_from_slice(sector);
            if let Some(old) = self.cache.get_mut(&number) {
                held.owed_since = old.owed_since.or(held.owed_since);
                *old = held;
            } else {
                self.cache.insert(number, held);
                self.known.push(number);
            }
        }
        while self.cache.len() > MOST {
            self.write_one_back()?;
        }
        Ok(())
    }

    /// Keeps what was written, or says so.
    fn flush(&mut self) -> io::Result<()> {
        self.questions += 1;
        if self.manner != Manner::LiesAboutFlush {
            return self.write_back();
        }
        for held in self.cache.values_mut() {
            held.owed_since.get_or_insert(self.questions);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disk(manner: Manner) -> (Volatile, File) {
        let medium = tempfile::tempfile().unwrap();
        medium.set_len(64 * SECTOR).unwrap();
        let again = medium.try_clone().unwrap();
        (Volatile::new(medium, manner, Random::new(1)), again)
    }

    fn first(medium: &File, number: u64) -> u8 {
        let mut byte = [0];
        medium.read_exact_at(&mut byte, number * SECTOR).unwrap();
        byte[0]
    }

    #[test]
    fn what_was_flushed_is_kept_and_the_rest_may_go() {
        let (mut disk, medium) = disk(Manner::Honest);
        disk.write(0, &[1; 1024], false).unwrap();
        assert_eq!((first(&medium, 0), first(&medium, 1)), (0, 0));
        disk.flush().unwrap();
        assert_eq!((first(&medium, 0), first(&medium, 1)), (1, 1));
        disk.write(0, &[2; 512], false).unwrap();
        disk.write(512, &[3; 512], true).unwrap();
        assert_eq!((first(&medium, 0), first(&medium, 1)), (1, 3));
        let mut both = [0; 1024];
        disk.read(0, &mut both).unwrap();
        assert_eq!((both[0], both[512]), (2, 3));
        assert_eq!(disk.cut().unwrap(), Dropped::default());
    }

    #[test]
    fn a_lie_is_owed_until_it_is_written_back() {
        let (mut liar, medium) = disk(Manner::LiesAboutFlush);
        liar.write(0, &[1; 512], false).unwrap();
        liar.flush().unwrap();
        // Written again, it is still the older content that is owed.
        liar.write(0, &[2; 512], false).unwrap();
        liar.write(512, &[2; 512], false).unwrap();
        liar.flush().unwrap();
        assert_eq!(first(&medium, 0), 0);
        let dropped = liar.cut().unwrap();
        let there = u64::from(first(&medium, 0) == 2) + u64::from(first(&medium, 1) == 2);
        assert_eq!(dropped.owed, 2 - there);
        assert_eq!(dropped.surely_owed, u64::from(first(&medium, 0) == 0));
        let (mut forgetful, medium) = disk(Manner::LosesFua);
        forgetful.write(0, &[1; 512], true).unwrap();
        assert_eq!(first(&medium, 0), 0);
        forgetful.flush().unwrap();
        assert_eq!(first(&medium, 0), 1);
    }

    #[test]
    fn a_full_cache_writes_something_back() {
        let medium = tempfile::tempfile().unwrap();
        medium.set_len(2 * MOST as u64 * SECTOR).unwrap();
        let mut disk = Volatile::new(medium, Manner::Honest, Random::new(1));
        for number in 0..2 * MOST as u64 {
            disk.write(number * SECTOR, &[1; 512], false).unwrap();
        }
        assert_eq!(disk.cache.len(), MOST);
        let mut all = vec![0; 2 * MOST * SECTOR as usize];
        disk.read(0, &mut all).unwrap();
        assert!(all.iter().all(|byte| *byte == 1));
    }
}
