//! How writes become durable, what they carry, how they are checked.

use super::{Maker, amount::Region};
use crate::settings::Checksum;
use crate::source::{Findings, Wrong};
use fathom_core::spec::fields::COMPAT;
use fathom_core::spec::{BlockForm, Data, Durability, Fill, IoKind, JobStop, SyncEvery, Verify};
use fathom_core::{Bytes, Op, Percent};
use fathom_tools::translation::Standing;

impl Maker<'_> {
    /// Refuses flushes of two kinds: one of them alone would be less than was asked for.
    pub(super) fn check_flushes(&self, writes: bool, findings: &mut Findings) -> Option<()> {
        let settings = self.settings;
        if !writes || settings.fsync == 0 || settings.fdatasync == 0 {
            return Some(());
        }
        let wrong = Wrong::new("a job flushes by fsync or by fdatasync", "one of them");
        self.error(findings, "fdatasync", wrong);
        None
    }

    /// Past or through the page cache, and when writes are flushed, if there are any.
    pub(super) fn durability(&self, writes: bool) -> Durability {
        let settings = self.settings;
        let sync = match (settings.fsync, settings.fdatasync) {
            _ if !writes => None,
            (0, 0) => None,
            (0, every) => Some((every, true)),
            (every, _) => Some((every, false)),
        };
        Durability {
            direct: settings.is_direct(),
            // O_SYNC says nothing of what goes through a mapping.
            write_through: settings.job.durability.write_through && writes && !settings.maps(),
            sync: sync.map(|(writes, data_only)| SyncEvery {
                writes: u32::try_from(writes).unwrap_or(u32::MAX),
                data_only,
            }),
        }
    }

    /// What direct requests through a mapping come to here.
    pub(super) fn note_mapping(&self, findings: &mut Findings) {
        let word = self.settings.word("ioengine");
        let direct = self.settings.maps() && self.settings.job.durability.direct;
        if let Some(word) = word.filter(|_| direct) {
            let message = "with direct=1 fio writes the pages of each request back and drops them; \
                           here they stay in the page cache";
            findings.note(Standing::Approximated, &word.what(), message);
        }
    }

    /// What the writes of a job carry.
    pub(super) fn data(&self, findings: &mut Findings) -> Option<Data> {
        let settings = self.settings;
        let plain = |fill| Data {
            fill,
            ..Data::PLAIN
        };
        let told = match self.checksum() {
            Checksum::Pattern => {
                if settings.verify_pattern.is_none() {
                    let message = "verify=pattern without a pattern, of which fio dies";
                    let wrong = Wrong::new(message, "verify_pattern=0xdeadbeef");
                    self.error(findings, "verify", wrong);
                    return None;
                }
                settings.verify_pattern
            }
            Checksum::On(_) if settings.verify_pattern.is_some() => {
                self.check_pattern_of_blocks(findings)?;
                settings.verify_pattern
            }
            Checksum::On(BlockForm::FioPattern) => {
                let message = "verify=pattern_hdr without a pattern, of which fio dies";
                let wrong = Wrong::new(message, "verify_pattern=0xdeadbeef");
                self.error(findings, "verify", wrong);
                return None;
            }
            Checksum::On(_) => None,
            Checksum::Off => settings.buffer_pattern,
        };
        if self.puts_in() {
            self.note_unused(told.is_some(), findings);
            return Some(told.map_or_else(|| self.shares(), plain));
        }
        let mixes = told.is_some_and(|fill| matches!(fill, Fill::Pattern(_)) && !fill.has_offset());
        let odd = settings.duplicate > 0 || settings.compressible > 0 && !mixes;
        if told.is_some() && odd {
            let message = "a pattern is not duplicate, and only unchecked behind random bytes";
            let wrong = Wrong::new(message, "a pattern, or shares of random data");
            let shares = ["buffer_compress_percentage", "dedupe_percentage"];
            let given = shares.into_iter().find(|name| settings.has(name));
            self.error(findings, given.unwrap_or(shares[0]), wrong);
            return None;
        }
        if let Some(fill) = told {
            let compressible_to = Percent(100.0 - settings.compressible as f64);
            return Some(Data {
                compressible_to,
                ..plain(fill)
            });
        }
        Some(self.shares())
    }

    /// Says what of the options of buffers has no effect, as with fio: what is checked carries
    /// what `verify` puts there, a pattern or random bytes.
    fn note_unused(&self, is_pattern: bool, findings: &mut Findings) {
        let settings = self.settings;
        let unused = [
            ("zero_buffers", settings.zeros),
            ("buffer_pattern", settings.buffer_pattern.is_some()),
            ("dedupe_percentage", settings.duplicate > 0),
            (
                "buffer_compress_percentage",
                is_pattern && settings.compressible > 0,
            ),
        ];
        for (name, _) in unused.into_iter().filter(|(_, is_given)| *is_given) {
            if let Some(word) = settings.word(name) {
                let message = "what is checked carries what `verify` puts there";
                findings.note(Standing::Ignored, &word.what(), message);
            }
        }
    }

    /// fio's pattern runs on through a request, where here it begins anew in each block of one
    /// where they differ.
    fn check_pattern_of_blocks(&self, findings: &mut Findings) -> Option<()> {
        let settings = self.settings;
        let (_, interval) = self.checked_block(&[]);
        let Some(Fill::Pattern(pattern)) = settings.verify_pattern else {
            return Some(());
        };
        let is_one = self.are_alike();
        let whole = interval.is_multiple_of(pattern.bytes().len() as u64) && !pattern.has_offset();
        if is_one || whole {
            return Some(());
        }
        if settings.verify_interval == 0 {
            if let Some(word) = settings.word("verify_pattern") {
                let message = "the pattern begins anew in each block that has a header, where \
                               fio's runs on through the request";
                findings.note(Standing::Approximated, &word.what(), message);
            }
            return Some(());
        }
        let wrong = Wrong::new(
            "a pattern that runs on through the verify_intervals of requests that differ",
            "one block size; or a verify_interval that is a multiple of its length, and no %o",
        );
        self.error(findings, "verify_pattern", wrong);
        None
    }

    /// Whether all requests are of one size, and each begins where another could end.
    fn are_alike(&self) -> bool {
        let size = self.largest_block().max(1);
        let aligns = self.settings.align.iter().flatten();
        self.has_one_block() && aligns.into_iter().all(|align| align.is_multiple_of(size))
    }

    /// `verify`, for which `verify_pattern` alone stands too.
    pub(super) fn checksum(&self) -> Checksum {
        let settings = self.settings;
        match settings.verify_pattern {
            Some(_) if !settings.has("verify") => Checksum::On(BlockForm::FioPattern),
            _ => settings.checksum,
        }
    }

    /// Whether what is written carries what `verify` puts there.
    fn puts_in(&self) -> bool {
        self.checksum() != Checksum::Off
    }

    /// Zeros, or random bytes as far as they are not to be compressed or found twice.
    fn shares(&self) -> Data {
        let settings = self.settings;
        let compressible_to = Percent(100.0 - settings.compressible as f64);
        if self.puts_in() {
            return Data {
                fill: Fill::Random,
                compressible_to,
                ..Data::PLAIN
            };
        }
        if settings.zeros {
            return Data {
                fill: Fill::Zero,
                ..Data::PLAIN
            };
        }
        // fio fills buffers anew for these, too.
        let anew = settings.refills || settings.compressible > 0 || settings.duplicate > 0;
        Data {
            fill: if anew || !settings.pattern.writes() {
                Fill::Random
            } else {
                Fill::Scrambled
            },
            compressible_to,
            duplicate: Percent(settings.duplicate as f64),
        }
    }

    /// The form of the blocks that are checked, and their size where it is not that of a request.
    pub(super) fn block_form(&self, kinds: &[IoKind]) -> (BlockForm, Option<Bytes>) {
        let form = match self.checksum() {
            Checksum::On(form) => form,
            Checksum::Pattern if self.verify(kinds) != Verify::Off => {
                return (BlockForm::FioBare, None);
            }
            Checksum::Pattern | Checksum::Off => {
                return (BlockForm::Fathom, None);
            }
        };
        let (interval, block) = self.checked_block(kinds);
        let fits = |kind: &IoKind| {
            kind.block_size.0.is_multiple_of(block) && kind.align.0.is_multiple_of(block)
        };
        let plain = self.verify(kinds) != Verify::Off;
        if form.is_own() || !plain || !form.fits(block) || !kinds.iter().all(fits) {
            return (BlockForm::Fathom, None);
        }
        (form, interval.map(Bytes))
    }

    /// Bytes of a block that is checked by itself, and whether that has to be said: as fio has
    /// it, `verify_interval` as far as writes are as long and a whole number of it, else the
    /// largest that all writes are a multiple of. What only reads has the sizes of writes too.
    fn checked_block(&self, kinds: &[IoKind]) -> (Option<u64>, u64) {
        let bounds = |direction| {
            let sizes = self.sizes(direction).into_iter().map(|(size, _)| size);
            sizes.fold((u64::MAX, 0), |(low, high), size| {
                (low.min(size), high.max(size))
            })
        };
        let (low, high) = bounds(1);
        let given = Some(self.settings.verify_interval).filter(|bytes| *bytes > 0);
        let mut interval = given.unwrap_or(low);
        if interval > low {
            interval = low;
        } else if self.settings.pattern.reads() {
            interval = interval.min(bounds(0).0);
        }
        if !low.is_multiple_of(interval.max(1)) || !high.is_multiple_of(interval.max(1)) {
            interval = greatest_common(low, high);
        }
        let interval = interval.max(1);
        let is_said = given.is_some() || kinds.iter().any(|kind| kind.block_size.0 != interval);
        (is_said.then_some(interval), interval)
    }

    /// After how many writes they are read back.
    pub(super) fn backlog(&self, kinds: &[IoKind]) -> Option<u32> {
        let writes = Some(self.settings.verify_backlog).filter(|writes| *writes > 0)?;
        (self.verify(kinds) == Verify::ReadWritten).then_some(writes)
    }

    /// Writes of a pass, where there are several that fio reads back one by one; of those whose
    /// number is not known beforehand it is said that they are not.
    pub(super) fn writes_of_pass(
        &self,
        kinds: &[IoKind],
        stop: &JobStop,
        region: &Region,
        findings: &mut Findings,
    ) -> Option<u32> {
        let settings = self.settings;
        let is_more = stop.bytes.is_some_and(|bytes| bytes.0 > region.amount);
        let goes_on = settings.pattern.random && self.keeps_no_map();
        // What notes no places goes on without an end of a pass, and fio reads it back once.
        if goes_on || self.verify(kinds) != Verify::ReadWritten || settings.verify_backlog > 0 {
            return None;
        }
        let word = if settings.loops > 1 {
            settings.word("loops")?
        } else {
            settings.word("io_size").filter(|_| is_more)?
        };
        let counted = !settings.pattern.reads() && self.has_one_block() && stop.ios.is_none();
        let bytes = stop.bytes.filter(|_| counted);
        let of_pass = |bytes: Bytes| (bytes.0 / settings.loops).min(region.amount);
        let pass = bytes.map(|bytes| of_pass(bytes) / settings.block[1].max(1));
        let writes = pass.and_then(|writes| u32::try_from(writes).ok());
        let field = COMPAT.field("verify_backlog");
        let writes = writes.filter(|writes| field.allows((*writes).into()));
        let message = if writes.is_some() {
            "what is read back after a pass is part of the measured time, where fio measures it \
             apart"
        } else {
            "what was written is read back once, after the last pass; fio reads it after each"
        };
        findings.note(Standing::Approximated, &word.what(), message);
        writes
    }

    /// How the requests of these kinds are checked.
    pub(super) fn verify(&self, kinds: &[IoKind]) -> Verify {
        let settings = self.settings;
        let has = |op| kinds.iter().any(|kind| kind.op == op);
        let checks = self.checksum() != Checksum::Off;
        match (checks, has(Op::Write), settings.does_verify) {
            (true, true, true) => Verify::ReadWritten,
            (true, true, false) => Verify::Stamp,
            (true, false, _) if has(Op::Read) => Verify::Check,
            _ => Verify::Off,
        }
    }
}

/// The greatest common divisor.
const fn greatest_common(one: u64, other: u64) -> u64 {
    let (mut large, mut small) = (one, other);
    while small > 0 {
        (large, small) = (small, large % small);
    }
    large
}
