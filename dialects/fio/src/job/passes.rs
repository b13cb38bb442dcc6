//! What the passes of a job come to. `io_size` and `loops` both say how often targets are gone
//! over, and fio looks at either of them at a time of its own.

use super::Maker;
use fathom_core::spec::{Distribution, Verify};

/// What a clone does in the passes that it makes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passes {
    /// Bytes of one over all targets.
    pub(super) bytes: u64,
    /// Bytes that are asked for, if another amount than that of the passes.
    pub(super) asked: Option<u64>,
    /// Passes that are made in any case.
    pub(super) loops: u64,
    /// The largest request.
    pub(super) largest: u64,
    /// Whether there is no end of a pass before what is asked for is done.
    pub(super) endless: bool,
    /// What of its bytes is read back behind each, which fio counts as done, too.
    pub(super) read_back: f64,
}

impl Passes {
    /// Bytes of all of them.
    pub(super) fn total(self) -> u64 {
        let Self { bytes, loops, .. } = self;
        let Some(asked) = self.asked else {
            return bytes.saturating_mul(loops);
        };
        let most = asked.saturating_mul(loops);
        if self.endless || asked <= bytes || bytes == 0 {
            return most;
        }
        if self.read_back > 0.0 {
            // Passes are whole, and one is begun while there is room for a request.
            let each = bytes + (bytes as f64 * self.read_back).round() as u64;
            let begun = asked.saturating_sub(self.largest.max(1)) / each + 1;
            return bytes.saturating_mul(begun.max(loops));
        }
        // Less than a request is left for the next one to be begun.
        let (whole, left) = (asked / bytes, asked % bytes);
        let is_done = left > 0 && left < self.largest;
        if loops > 1 {
            let passes = whole + u64::from(left > 0 && !is_done);
            bytes.saturating_mul(passes.max(loops)).min(most)
        } else if is_done {
            bytes.saturating_mul(whole)
        } else {
            asked
        }
    }
}

impl Maker<'_> {
    /// The passes of a clone that come to `bytes` bytes each.
    pub(super) fn passes(&self, bytes: u64, asked: Option<u64>) -> Passes {
        let settings = self.settings;
        let is_random = settings.pattern.random;
        let shares = self.directions().into_iter().map(|(_, share)| share);
        let most = shares.fold(0.0, f64::max);
        let mixed = !is_random && most < 100.0 && asked.is_some_and(|asked| asked > bytes);
        let (bytes, largest) = if mixed {
            // A pass is over when either of the directions is, and that is not known.
            ((bytes as f64 * 100.0 / most).round() as u64, 0)
        } else {
            (bytes, self.largest_block())
        };
        Passes {
            bytes,
            asked,
            loops: settings.loops,
            largest,
            endless: is_random && self.keeps_no_map(),
            read_back: self.read_back(),
        }
    }

    /// What of the bytes of a pass is read back behind it.
    fn read_back(&self) -> f64 {
        if self.verify(&self.kinds()) != Verify::ReadWritten {
            return 0.0;
        }
        let directions = self.directions().into_iter();
        let writes = directions.filter(|(direction, _)| *direction == 1);
        writes.map(|(_, share)| share / 100.0).sum()
    }

    /// Bytes of a pass of which whole requests come to `whole`, and targets have `all`. Those at
    /// random that keep no map go on until they have had all of them, and so do those in order of
    /// two directions, each of which has its own position.
    pub(super) fn gone_on(&self, whole: u64, all: u64) -> u64 {
        let settings = self.settings;
        if settings.zoned || settings.pattern.trims() {
            return whole;
        }
        let goes_on = if settings.pattern.random {
            self.keeps_no_map()
        } else {
            let shares = self.directions().into_iter().map(|(_, share)| share);
            let most = shares.fold(0.0, f64::max);
            settings.pattern_step.is_none()
                && (all as f64 * most / 100.0) + self.largest_block() as f64 <= whole as f64
        };
        if goes_on { all.max(whole) } else { whole }
    }

    /// Whether nothing is noted of the places that requests at random have had.
    pub(super) fn keeps_no_map(&self) -> bool {
        let settings = self.settings;
        let is_skewed = |spots: &Distribution| *spots != Distribution::Uniform;
        let without_map = settings.repeats_blocks && !settings.visits_once;
        // Places between the blocks of a map are none that it has.
        let between = self.directions().into_iter().any(|(direction, _)| {
            let smallest = self
                .sizes(direction)
                .into_iter()
                .map(|(size, _)| size)
                .min();
            settings.align[direction].is_some_and(|align| Some(align) < smallest)
        });
        without_map || between || settings.spots.iter().any(is_skewed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What fio 3.33 does of 1000 KiB and of 1 MiB in requests of 64 KiB.
    #[test]
    fn passes_come_to_what_those_of_fio_do() {
        let total = |blocks: u64, asked: Option<u64>, loops: u64, endless: bool| {
            let passes = Passes {
                bytes: blocks << 16,
                asked: asked.map(|kib| kib << 10),
                loops,
                largest: 1 << 16,
                endless,
                read_back: 0.0,
            };
            passes.total().div_ceil(1 << 16)
        };
        assert_eq!(total(15, Some(3072), 1, false), 48);
        assert_eq!(total(15, Some(2048), 2, false), 45);
        assert_eq!(total(16, Some(2500), 1, false), 40);
        assert_eq!(total(16, Some(2500), 2, false), 48);
        assert_eq!(total(16, Some(2500), 2, true), 79);
        assert_eq!(total(16, Some(1028), 1, false), 16);
        assert_eq!(total(16, Some(512), 3, false), 24);
        assert_eq!(total(15, None, 3, false), 45);
    }

    /// How often fio 3.33 went over 64 KiB in requests of 4 KiB with `verify=crc32c`.
    #[test]
    fn what_is_read_back_is_part_of_what_is_asked_for() {
        let passes = |asked: u64, loops: u64, read_back: f64| {
            let passes = Passes {
                bytes: 64 << 10,
                asked: Some(asked << 10),
                loops,
                largest: 4096,
                endless: false,
                read_back,
            };
            passes.total() / passes.bytes
        };
        let of_writes = [100, 128, 131, 132, 160, 300].map(|asked| passes(asked, 1, 1.0));
        assert_eq!(of_writes, [1, 1, 1, 2, 2, 3]);
        assert_eq!([2, 3].map(|loops| passes(160, loops, 1.0)), [2, 3]);
        assert_eq!(passes(300, 1, 0.5), 4);
    }
}
