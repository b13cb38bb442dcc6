//! How writes become durable, what they carry, how they are checked.

use super::{Maker, amount::Region};
use crate::fio::settings::Checksum;
use crate::fio::source::{Findings, Wrong};
use crate::translation::Standing;
use fathom_core::spec::fields::COMPAT;
use fathom_core::spec::{
    self, BlockForm, Data, Durability, Fill, IoKind, JobStop, SyncEvery, Verify,
};
use fathom_core::{Bytes, Op, Percent};

/// Bytes of a block that is a copy.
pub(in crate::fio) const COPY_BYTES: u64 = 4096;

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

    /// What the writes of a job of so many bytes carry.
    pub(super) fn data(&self, bytes: u64, findings: &mut Findings) -> Option<Data> {
        let settings = self.settings;
        self.check_working_set(findings)?;
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
                self.verify_pattern()
            }
            Checksum::On(_) if settings.verify_pattern.is_some() => {
                self.check_pattern_of_blocks(findings)?;
                self.verify_pattern()
            }
            Checksum::On(BlockForm::FioPattern) => {
                let message = "verify=pattern_hdr without a pattern, of which fio dies";
                let wrong = Wrong::new(message, "verify_pattern=0xdeadbeef");
                self.error(findings, "verify", wrong);
                return None;
            }
            Checksum::On(_) => None,
            Checksum::Off | Checksum::Null => settings.buffer_pattern,
        };
        if self.puts_in() {
            self.note_unused(told.is_some(), findings);
            return Some(told.map_or_else(|| self.shares(bytes), plain));
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
        Some(self.shares(bytes))
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

    /// The pattern of checked blocks, which may begin anew within a request.
    fn verify_pattern(&self) -> Option<Fill> {
        let every = self.settings.pattern_interval;
        Some(match self.settings.verify_pattern? {
            Fill::Pattern(pattern) => Fill::Pattern(pattern.anew_every(every)),
            Fill::Counting if every.is_some() => {
                let bytes: Vec<u8> = (0..=255).collect();
                let pattern = spec::Pattern::new([Some(bytes.as_slice())]).ok()?;
                Fill::Pattern(pattern.anew_every(every))
            }
            fill => fill,
        })
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
        let whole = match settings.pattern_interval {
            Some(every) => interval.is_multiple_of(every.get().into()),
            None => interval.is_multiple_of(pattern.bytes().len() as u64) && !pattern.has_offset(),
        };
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
            "one block size; or a verify_interval that is a multiple of its length, and no %o; or \
             of verify_pattern_interval",
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
        !matches!(self.checksum(), Checksum::Off | Checksum::Null)
    }

    /// Zeros, or random bytes as far as they are not to be compressed or found twice.
    fn shares(&self, bytes: u64) -> Data {
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
            duplicate_blocks: self.working_set(bytes),
            duplicate_apart: self.working_set(bytes).is_some() && !settings.duplicates_together,
        }
    }

    /// Whether fio has a set of blocks for copies to be of: it is told from the size, lies in one
    /// file, and leaves as many blocks to be copies as there are to be.
    fn check_working_set(&self, findings: &mut Findings) -> Option<()> {
        let settings = self.settings;
        if !settings.duplicates_of_set || settings.duplicate == 0 {
            return Some(());
        }
        let of_trace = settings.word("read_iolog").is_some() && settings.filenames.is_empty();
        let (copies, set) = (settings.duplicate, settings.duplicate_set);
        let (option, wrong) = if settings.word("size").is_none() {
            let message = "the blocks that others are copies of are a share of `size`";
            (
                "dedupe_mode",
                Wrong::new(message, "give the size of the job"),
            )
        } else if of_trace || self.targets(0).len() != 1 {
            let message = "the blocks that others are copies of are those of one file";
            let remedy = "a job for each file, with one name in `filename`";
            ("dedupe_mode", Wrong::new(message, remedy))
        } else if copies + set > 100 {
            let message = format!(
                "{set} % of the blocks are those that others are copies of, which does not leave \
                 {copies} % for copies"
            );
            let remedy = format!("dedupe_working_set_percentage up to {}", 100 - copies);
            ("dedupe_percentage", Wrong::new(message, remedy))
        } else {
            return Some(());
        };
        self.error(findings, option, wrong);
        None
    }

    /// How many blocks copies are of, where these are some of a job of so many bytes.
    fn working_set(&self, bytes: u64) -> Option<u64> {
        let settings = self.settings;
        let part = u128::from(bytes) * u128::from(settings.duplicate_set) / 100;
        let blocks = (part / u128::from(COPY_BYTES)).clamp(1, 1 << 32) as u64;
        (settings.duplicates_of_set && settings.duplicate > 0).then_some(blocks)
    }

    /// The form of the blocks that are checked, and their size where it is not that of a request.
    pub(super) fn block_form(&self, kinds: &[IoKind]) -> (BlockForm, Option<Bytes>) {
        let form = match self.checksum() {
            Checksum::On(form) => form,
            Checksum::Pattern if self.verify(kinds) != Verify::Off => {
                return (BlockForm::FioBare, None);
            }
            Checksum::Null if self.verify(kinds) != Verify::Off => {
                return (BlockForm::FioNull, None);
            }
            Checksum::Pattern | Checksum::Null | Checksum::Off => {
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

    /// Where the headers of blocks of this form lie, if not at their begin.
    #[expect(clippy::option_option, reason = "none where it is an error")]
    pub(super) fn header_place(
        &self,
        form: BlockForm,
        kinds: &[IoKind],
        findings: &mut Findings,
    ) -> Option<Option<u64>> {
        let offset = self.settings.verify_offset;
        let Some(word) = self.settings.word("verify_offset").filter(|_| offset > 0) else {
            return Some(None);
        };
        if !form.has_header() {
            let heads =
                matches!(self.checksum(), Checksum::On(_)) && self.verify(kinds) != Verify::Off;
            let (standing, message) = if heads {
                let message = "each 512 bytes describe themselves where they begin";
                (Standing::Approximated, message)
            } else {
                (Standing::Ignored, "the blocks have no headers")
            };
            findings.note(standing, &word.what(), message);
            return Some(None);
        }
        let (first, last) = form.header_places(self.checked_block(kinds).1);
        if (first..=last).contains(&offset) {
            return Some(Some(offset));
        }
        let wrong = Wrong::new(
            "a header over its own place, or beyond the end of its block, which fio itself finds \
             wrong",
            format!("choose {first} to {last}"),
        );
        self.error(findings, "verify_offset", wrong);
        None
    }

    /// After how many writes some are read back, and how many if not all of these.
    pub(super) fn backlog(&self, kinds: &[IoKind]) -> Option<(u32, Option<u32>)> {
        let settings = self.settings;
        let writes = Some(settings.verify_backlog).filter(|writes| *writes > 0)?;
        let reads_back = self.verify(kinds) == Verify::ReadWritten;
        let batch = Some(settings.verify_batch).filter(|batch| *batch > 0 && *batch != writes);
        reads_back.then_some((writes, batch))
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
        let is_null = self.checksum() == Checksum::Null;
        match (checks, has(Op::Write), settings.does_verify) {
            (true, true, true) => Verify::ReadWritten,
            (true, true, false) if !is_null => Verify::Stamp,
            (true, false, _) if has(Op::Read) && !is_null => Verify::Check,
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
