//! Which part of its targets a job uses, and when it has done enough.

use super::Maker;
use crate::fio::settings::Settings;
use crate::fio::source::{Findings, Wrong};
use crate::fio::values::Amount;
use crate::translation::Standing;
use crate::writers::is_device_path;
use fathom_core::spec::{IoKind, JobStop};
use fathom_core::{Bytes, Nanos, Op};
use std::path::Path;

/// The part of each target that is used.
pub(super) struct Region {
    /// Size of a target that has to be made, if it is known.
    pub(super) file: Option<u64>,
    pub(super) offset: u64,
    /// Length of the part; none for all that follows the offset.
    pub(super) window: Option<u64>,
    /// Length of the part in any case.
    pub(super) length: u64,
    /// Bytes of one pass over the parts of all targets, as fio counts them.
    pub(super) amount: u64,
    /// Where targets differ in size, where each of them ends.
    pub(super) ends: Vec<u64>,
    /// Whether it is of the whole files only because nothing of them is used.
    pub(super) is_unused: bool,
}

impl Region {
    /// Where what is used of a target ends; 0 where that is wherever it does itself.
    pub(super) fn end(&self, target: usize) -> u64 {
        self.ends.get(target).copied().or(self.file).unwrap_or(0)
    }
}

impl Maker<'_> {
    /// Bytes of each target that are asked for; none without a size.
    fn each(&self, targets: &[String], whole: Option<u64>) -> Option<u64> {
        let settings = self.settings;
        let files = targets.len() as u64;
        let all = match (self.file_bytes(targets), settings.size) {
            (Some(bytes), _) => return Some(bytes),
            (None, Some(size)) => size.of(whole.map(|whole| whole.saturating_mul(files))),
            (None, None) if settings.fills && !are_devices(targets) => self.room(targets),
            (None, None) => None,
        };
        all.map(|bytes| bytes / files)
    }

    /// The part of each target.
    pub(super) fn region(
        &self,
        targets: &[String],
        clone: u64,
        findings: &mut Findings,
    ) -> Option<Region> {
        let settings = self.settings;
        let files = targets.len() as u64;
        let whole = self.whole(targets);
        let file_bytes = self.file_bytes(targets);
        let unknown = whole.is_none() && self.surroundings.has_targets_elsewhere();
        if unknown && file_bytes.is_none() && is_all(settings) && is_timed(settings) {
            // All of a target that is somewhere else, for a time: nothing depends on its size.
            return Some(Region {
                file: None,
                offset: settings.offset.of(None).unwrap_or(0),
                window: None,
                length: u64::MAX,
                amount: 0,
                ends: Vec::new(),
                is_unused: false,
            });
        }
        let each = self.each(targets, whole);
        let offset = self.begin(targets, whole, clone, findings)?;
        if let Some(region) = self.beyond(targets, offset) {
            return Some(region);
        }
        let each = self.behind(targets, each, offset, findings)?;
        if let Some(region) = self.unequal(targets, offset, findings) {
            return Some(region);
        }
        if file_bytes.is_none() {
            self.note_unequal(targets, findings);
        }
        let rest = whole.map(|whole| whole.saturating_sub(offset));
        let Some(length) = each.or(rest).filter(|length| *length > 0) else {
            self.error(findings, "size", self.without_size(unknown));
            return None;
        };
        let each = self.grown(targets, each);
        let is_share = file_bytes.is_none() && matches!(settings.size, Some(Amount::Percent(_)));
        // In order, fio's last request reaches beyond the part where the target does.
        let each = each.map(|bytes| self.reached(bytes, rest));
        let part = self.part_of_file(targets, length);
        let length = part.unwrap_or_else(|| self.reached(length, rest));
        let pass = self.pass(length, rest, offset).saturating_mul(files);
        let pass = self.gone_on(pass, length.saturating_mul(files));
        // Zones are of all that there is of a target: its size is how much of them is used.
        let span = rest.filter(|rest| settings.strided && *rest > length);
        let pass = if settings.strided {
            let asked = length.saturating_mul(files);
            self.in_zones(asked, span.unwrap_or(length).saturating_mul(files))
        } else {
            pass
        };
        let each = if span.is_some() { span } else { each };
        let amount = match (file_bytes, settings.size) {
            _ if part.is_some() => pass,
            // No more than there is in the files.
            (Some(_), Some(size)) => size.of(Some(pass)).unwrap_or(pass).min(pass),
            _ => pass,
        };
        Some(Region {
            file: each
                .filter(|_| !is_share)
                .map(|bytes| bytes.saturating_add(offset)),
            offset,
            // The size of a device is not ours to choose, so there it is a limit.
            window: part.or(each.filter(|_| offset > 0 || is_share || are_devices(targets))),
            length: span.unwrap_or(length),
            amount,
            ends: Vec::new(),
            is_unused: false,
        })
    }

    /// All of the files for a part of a given size that begins where they end, or behind it: fio
    /// makes them and no request.
    fn beyond(&self, targets: &[String], offset: u64) -> Option<Region> {
        let settings = self.settings;
        let is_sized = settings.size.is_some() && !settings.appends;
        let file_bytes = self.file_bytes(targets).filter(|_| is_sized)?;
        (offset >= file_bytes && file_bytes > 0).then_some(Region {
            file: Some(file_bytes),
            offset: 0,
            window: None,
            length: file_bytes,
            amount: file_bytes.saturating_mul(targets.len() as u64),
            ends: Vec::new(),
            is_unused: true,
        })
    }

    /// What of each target lies behind the offset: `filesize` is where a file ends, `size` how
    /// much of it is used.
    #[expect(
        clippy::option_option,
        reason = "none where it is an error, and where no size is given"
    )]
    fn behind(
        &self,
        targets: &[String],
        each: Option<u64>,
        offset: u64,
        findings: &mut Findings,
    ) -> Option<Option<u64>> {
        let Some(file_bytes) = self.file_bytes(targets).filter(|_| !self.settings.appends) else {
            return Some(each);
        };
        let rest = file_bytes.saturating_sub(offset);
        if rest == 0 {
            let message = format!(
                "the job `{}` begins at {offset}, and its files end at {file_bytes}",
                self.name
            );
            let wrong = Wrong::new(message, "a larger filesize, or an earlier offset");
            self.error(findings, "filesize", wrong);
            return None;
        }
        Some(Some(rest))
    }

    /// The part of each file that a job keeps to where its size is a share of `filesize`, of at
    /// most so many bytes.
    fn part_of_file(&self, targets: &[String], most: u64) -> Option<u64> {
        let (file_bytes, size) = (self.file_bytes(targets)?, self.settings.size?);
        let Amount::Percent(_) = size else {
            return None;
        };
        let unit = self.smallest_block().max(1);
        let part = size.of(Some(file_bytes))?.min(most) / unit * unit;
        Some(part).filter(|part| *part > 0 && *part < most)
    }

    /// Where the part of a clone begins in each target.
    fn begin(
        &self,
        targets: &[String],
        whole: Option<u64>,
        clone: u64,
        findings: &mut Findings,
    ) -> Option<u64> {
        let settings = self.settings;
        let increment = settings.offset_increment.of(whole);
        let increment = increment.or_else(|| self.increment_of_nothing(targets, clone, findings));
        let first = if settings.appends {
            self.common_end(targets, findings)
        } else {
            let share = settings.offset.of(whole);
            share.or_else(|| self.share_of_nothing("offset", targets, findings))
        };
        let (Some(first), Some(increment)) = (first, increment) else {
            self.error(findings, "offset", self.of_nothing("an offset"));
            return None;
        };
        let offset = first.saturating_add(increment.saturating_mul(clone));
        // fio aligns only what was given in percent.
        let is_share = |amount| matches!(amount, Amount::Percent(percent) if percent > 0.0);
        Some(match settings.offset_align {
            _ if !is_share(settings.offset) && !is_share(settings.offset_increment) => offset,
            0 => offset.next_multiple_of(self.smallest_block().max(1)),
            align => offset.div_ceil(align).saturating_mul(align),
        })
    }

    /// Where a share of targets begins that are to be made, as fio has it.
    fn share_of_nothing(
        &self,
        option: &str,
        targets: &[String],
        findings: &mut Findings,
    ) -> Option<u64> {
        let is_made = self.each(targets, None).is_some() && self.are_absent(targets);
        if !is_made || self.surroundings.has_targets_elsewhere() {
            return None;
        }
        if let Some(word) = self.settings.word(option) {
            let message = "a share of a file that is not there yet is nothing; when it is there, \
                           the job begins elsewhere";
            findings.note(Standing::Kept, &word.what(), message);
        }
        Some(0)
    }

    /// The same of an increment, of a clone with files of its own: where all have one, fio begins
    /// wherever those before have come to.
    fn increment_of_nothing(
        &self,
        targets: &[String],
        clone: u64,
        findings: &mut Findings,
    ) -> Option<u64> {
        let is_shared = self.settings.clones > 1 && self.targets(clone + 1) == targets;
        if is_shared {
            return None;
        }
        self.share_of_nothing("offset_increment", targets, findings)
    }

    /// Refuses files that would have to be made or made longer where none may be; `end` says where
    /// what is used of each of them ends.
    pub(super) fn check_there(
        &self,
        targets: &[String],
        end: impl Fn(usize) -> u64,
        findings: &mut Findings,
    ) -> Option<()> {
        if !self.settings.only_there || self.surroundings.is_elsewhere() {
            return Some(());
        }
        for (file, path) in targets.iter().enumerate() {
            let wanted = end(file);
            if self.surroundings.has_targets_elsewhere() {
                let message = format!("whether {path} is there on other hosts is not known here");
                let wrong = Wrong::new(message, "without allow_file_create=0");
                self.error(findings, "allow_file_create", wrong);
                return None;
            }
            let message = match self.surroundings.size_bytes(Path::new(path)) {
                Some(_) if is_device_path(path) => continue,
                Some(there) if there >= wanted => continue,
                Some(there) => format!("{path} has {there} bytes, and the job uses {wanted}"),
                None => format!("{path} is not there"),
            };
            let remedy = "a file that is there at its full length, or without allow_file_create=0";
            self.error(findings, "allow_file_create", Wrong::new(message, remedy));
            return None;
        }
        Some(())
    }

    /// That nobody says how much there is to do.
    fn without_size(&self, unknown: bool) -> Wrong {
        match self.settings.size {
            Some(_) => self.of_nothing("a size"),
            None => Wrong::new(
                format!("the job `{}` has no size", self.name),
                if unknown && !self.surroundings.is_elsewhere() {
                    "add size=, as in `size=1g`: sizes on other hosts are not known here"
                } else if unknown {
                    "add size=, as in `size=1g`, or --assume-size with that of the target"
                } else {
                    "add size=, as in `size=1g` or --size=1g, or name a target that is there"
                },
            ),
        }
    }

    /// The parts of targets that are not of one size; none where they are.
    fn unequal(&self, targets: &[String], offset: u64, findings: &mut Findings) -> Option<Region> {
        let settings = self.settings;
        let there = |path: &String| self.surroundings.size_bytes(Path::new(path));
        let unit = self.smallest_block().max(1);
        let ends: Vec<u64> = match (settings.file_range, settings.size) {
            (Some((low, high)), _) => self.drawn(targets, low, high),
            (None, None) if settings.file_bytes.is_none() && !settings.fills => {
                targets.iter().map(there).collect::<Option<_>>()?
            }
            _ => return None,
        };
        let lengths = || {
            ends.iter()
                .map(|end| end.saturating_sub(offset) / unit * unit)
        };
        let is_range = settings.file_range.is_some();
        let differ = lengths().any(|length| Some(length) != lengths().next());
        let is_moved = settings.appends || settings.offset_increment_is_given();
        if !differ || is_moved && !is_range {
            return None;
        }
        if is_moved
            || !self.has_one_block()
            || settings.strided
            || settings.zoned
            || lengths().any(|it| it == 0)
        {
            let word = settings.word("filesize").filter(|_| is_range);
            if let Some(word) = word {
                let message = "files of unequal size with several block sizes, with zones, or \
                               whose parts begin elsewhere";
                let wrong = Wrong::new(message, "one block size that all files hold, or one size");
                findings.error(&word.place, wrong);
            }
            return None;
        }
        let all = lengths().fold(0, u64::saturating_add);
        let amount = settings.size.map_or(Some(all), |size| size.of(Some(all)));
        Some(Region {
            file: None,
            offset,
            window: None,
            length: lengths().min().unwrap_or(0),
            amount: amount.unwrap_or(all).min(all),
            ends: lengths()
                .map(|length| offset.saturating_add(length))
                .collect(),
            is_unused: false,
        })
    }

    /// How long files become that nothing gives a length but the writes to them: what is left at
    /// the end for no request is not part of them.
    fn grown(&self, targets: &[String], each: Option<u64>) -> Option<u64> {
        let unit = self.smallest_block().max(1);
        let grows = self.writes_lengthen(targets);
        each.map(|bytes| {
            if grows && bytes >= unit {
                bytes / unit * unit
            } else {
                bytes
            }
        })
    }

    /// Whether nothing but its own writes gives files their length.
    fn writes_lengthen(&self, targets: &[String]) -> bool {
        let settings = self.settings;
        let pattern = settings.pattern;
        let allocation = settings.word("fallocate");
        allocation.is_some_and(|word| matches!(word.text().trim(), "none" | "0" | "keep"))
            && pattern.writes()
            && !pattern.reads()
            && !pattern.trims()
            && !settings.overwrite
            && settings.pattern_step.is_none()
            && !settings.strided
            && self.has_one_block()
            && self.are_absent(targets)
    }

    /// How long a file becomes that has its length of writes in order, of which there are fewer
    /// than it holds.
    pub(super) fn written_length(
        &self,
        targets: &[String],
        region: &Region,
        stop: &JobStop,
    ) -> Option<u64> {
        let settings = self.settings;
        let unit = self.smallest_block().max(1);
        let by_ios = stop.ios.map(|ios| ios.saturating_mul(unit));
        let by_bytes = stop
            .bytes
            .map(|bytes| bytes.0.div_ceil(unit).saturating_mul(unit));
        let done = by_ios.into_iter().chain(by_bytes).min()?;
        let in_order = !settings.pattern.random && settings.runtime.0 == 0;
        let is_part = targets.len() == 1 && done < region.amount && done > 0;
        (in_order && is_part && self.writes_lengthen(targets))
            .then(|| region.offset.saturating_add(done))
    }

    /// The size that `filesize` gives all targets, if it is one.
    fn file_bytes(&self, targets: &[String]) -> Option<u64> {
        let settings = self.settings;
        let drawn = settings.file_range.and_then(|(low, high)| {
            let drawn = self.drawn(targets, low, high);
            let first = drawn.first().copied();
            first.filter(|first| drawn.iter().all(|size| size == first))
        });
        settings.file_bytes.or(drawn)
    }

    /// The sizes of targets from a range; one that is there in it keeps its own.
    fn drawn(&self, targets: &[String], low: u64, high: u64) -> Vec<u64> {
        let drawn = targets.iter().enumerate().map(|(file, path)| {
            let there = self.surroundings.size_bytes(Path::new(path));
            let kept = there.filter(|size| (low..=high).contains(size));
            kept.unwrap_or_else(|| self.drawn_size(low, high, file as u64))
        });
        drawn.collect()
    }

    /// A size from a range, the same in each run: a multiple of the block size.
    fn drawn_size(&self, low: u64, high: u64, file: u64) -> u64 {
        // The output function of SplitMix64.
        let mut drawn = (file + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        drawn = (drawn ^ (drawn >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        drawn = (drawn ^ (drawn >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        drawn ^= drawn >> 31;
        let unit = self.smallest_block().max(1);
        let size = low.saturating_add(drawn % (high - low).saturating_add(1).max(1));
        (size / unit * unit).max(low)
    }

    fn of_nothing(&self, what: &str) -> Wrong {
        Wrong::new(
            format!("{what} in percent of a target that is not there"),
            if self.surroundings.is_elsewhere() {
                "in bytes, or --assume-size with the size of the target"
            } else if self.surroundings.has_targets_elsewhere() {
                "in bytes: sizes on other hosts are not known here"
            } else {
                "in bytes, or name a target that is there"
            },
        )
    }

    /// A part of so many bytes, as far as requests in order reach in a target of which there are
    /// `rest` from its begin on.
    fn reached(&self, length: u64, rest: Option<u64>) -> u64 {
        let settings = self.settings;
        let beyond = length.next_multiple_of(self.smallest_block().max(1));
        let in_order = !settings.pattern.random && settings.pattern_step.is_none();
        // fio rounds shares down.
        let is_share = matches!(settings.size, Some(Amount::Percent(_)));
        let is_plain =
            in_order && !is_share && self.has_one_block() && !settings.strided && !settings.zoned;
        if is_plain && rest.is_some_and(|rest| beyond <= rest) {
            beyond
        } else {
            length
        }
    }

    /// Bytes of one pass over a part of `length` bytes from `offset` on, from whose begin to the
    /// end of the target there are `rest`, if that is there.
    fn pass(&self, length: u64, rest: Option<u64>, offset: u64) -> u64 {
        let settings = self.settings;
        let unit = self.smallest_block().max(1);
        let whole = length / unit * unit;
        let Some(step) = settings.pattern_step.filter(|_| !settings.pattern.random) else {
            return whole;
        };
        let stride = unit.saturating_add(step);
        let end = rest.unwrap_or(length).max(length);
        // Requests that begin in the part and end in the target.
        let begun = length.div_ceil(stride);
        let ended = 1 + end.saturating_sub(unit) / stride;
        let steps = begun.min(ended);
        let next = steps.saturating_mul(stride);
        let last_end = next - step;
        // Where the next one would begin behind the target, fio begins anew, up to the amount, if
        // the last did not end with it; else it has done enough. It counts from the offset to the
        // begin of the next, and from 0 to the end of the target.
        if next >= end.saturating_add(offset) && last_end < end {
            length.div_ceil(unit).saturating_mul(unit)
        } else {
            // In a mix each direction goes its own way, and the first at the end is the last.
            let shares = self.directions().into_iter().map(|(_, share)| share);
            let most = shares.fold(0.0, f64::max).max(1.0);
            let steps = (steps as f64 * 100.0 / most).round() as u64;
            steps.min(length.div_ceil(unit)).saturating_mul(unit)
        }
    }

    /// Bytes of a pass of a clone that makes several; none where it makes one, or ends before.
    pub(super) fn pass_bytes(&self, region: &Region) -> Option<u64> {
        let settings = self.settings;
        let asked = settings
            .io_size
            .and_then(|size| size.of(Some(region.amount)));
        let (pass, repeats) = if is_timed(settings) {
            let asked = asked.filter(|bytes| *bytes > 0);
            (
                asked.map_or(region.amount, |bytes| bytes.min(region.amount)),
                true,
            )
        } else {
            let all = self.total(region);
            (region.amount, all.is_some_and(|all| all > region.amount))
        };
        Some(pass).filter(|bytes| repeats && *bytes > 0)
    }

    /// Bytes of all passes of a clone; in whole requests where the size says how many.
    fn total(&self, region: &Region) -> Option<u64> {
        let settings = self.settings;
        let asked = match settings.io_size {
            None => None,
            Some(size) => Some(size.of(Some(region.amount))?),
        };
        let all = self.passes(region.amount, asked).total();
        Some(if self.has_one_block() && asked.is_none() {
            let unit = self.smallest_block().max(1);
            all.div_ceil(unit).saturating_mul(unit)
        } else {
            all
        })
    }

    /// The requests of `number_ios` that are the load's own: fio counts those too that read back
    /// between the writes. In a mix it is not known beforehand how many these are.
    fn requests_of_load(&self, kinds: &[IoKind]) -> u64 {
        let (settings, requests) = (self.settings, self.settings.requests);
        match self.backlog(kinds) {
            Some((writes, batch)) if !settings.pattern.reads() => {
                let backlog = u64::from(writes);
                writes_among(requests, backlog, batch.map_or(backlog, u64::from))
            }
            _ => requests,
        }
    }

    /// When each clone has done enough.
    pub(super) fn stop(
        &self,
        region: &Region,
        kinds: &[IoKind],
        _files: u64,
        findings: &mut Findings,
    ) -> Option<JobStop> {
        let settings = self.settings;
        let floor = self.floor(kinds, findings)?;
        let has_floor = [Op::Read, Op::Write]
            .iter()
            .any(|op| floor.of(*op) != (0, 0));
        // fio counts writes; each has a trim before it here.
        let each = 1 + u64::from(settings.pattern.trims_first());
        let requests = self.requests_of_load(kinds).saturating_mul(each);
        let requests = requests.saturating_mul(settings.loops.max(1));
        let mut stop = JobStop {
            slowest: settings.job.stop.slowest,
            when_full: settings.fills,
            bytes: None,
            // With time_based fio makes them again and again.
            ios: (requests > 0 && !is_timed(settings)).then_some(requests),
            time: None,
            floor: has_floor.then_some(floor),
            with_warm_up: false,
            as_before: false,
            ends_phase: settings.exit_all,
        };
        if is_timed(settings) {
            return Some(stop);
        }
        // fio counts the bytes of the ramp, and of requests only those after it.
        let ramps = settings.ramp > Nanos::ZERO || settings.steady_ramp > Nanos::ZERO;
        stop.with_warm_up = ramps && stop.ios.is_none();
        let amount = self.total(region).unwrap_or(0).saturating_mul(each);
        if amount == 0 || kinds.is_empty() {
            let message = format!("the job `{}` has less than one block to do", self.name);
            self.error(findings, "size", Wrong::new(message, "a larger size"));
            return None;
        }
        stop.bytes = Some(Bytes(amount));
        Some(stop)
    }
}

/// How many of so many requests are writes, where after `backlog` of them `batch` are read back,
/// and fio counts these reads.
const fn writes_among(requests: u64, backlog: u64, batch: u64) -> u64 {
    let cycle = batch.saturating_mul(2);
    if batch <= backlog {
        // So many stay behind, and each batch of reads makes room for as many writes.
        let rest = requests.saturating_sub(backlog);
        let begun = (rest % cycle).saturating_sub(batch);
        let first = requests - rest;
        return first + rest / cycle * batch + begun;
    }
    // The rest of a batch follows the writes one by one.
    let begun = requests % cycle;
    let in_turns = begun.saturating_sub(backlog.saturating_mul(2));
    let first = if begun < backlog { begun } else { backlog };
    requests / cycle * batch + first + in_turns.div_ceil(2)
}

/// Whether only the clock ends the job.
pub(super) fn is_timed(settings: &Settings) -> bool {
    settings.time_based && settings.runtime.0 > 0
}

/// Whether the targets are devices, by their names.
pub(super) fn are_devices(targets: &[String]) -> bool {
    targets.iter().all(|path| is_device_path(path))
}

/// Whether the whole of the targets is used.
fn is_all(settings: &Settings) -> bool {
    let all = |amount: Amount| matches!(amount, Amount::Percent(percent) if percent >= 100.0);
    let at_begin = matches!(settings.offset_increment, Amount::Bytes(0))
        && matches!(settings.offset, Amount::Bytes(_));
    at_begin && settings.size.is_none_or(all)
}

#[cfg(test)]
mod tests {
    use super::writes_among;

    /// As fio 3.33 counts: of 20 requests with verify_backlog=7, 13 are writes, and of 100, 51.
    #[test]
    fn reads_between_writes_are_among_the_requests() {
        let counted = |requests: u64, backlog: u64, batch: u64| {
            let (mut writes, mut waiting, mut left) = (0, 0, 0);
            for _ in 0..requests {
                if left > 0 && waiting > 0 {
                    (left, waiting) = (left - 1, waiting - 1);
                    continue;
                }
                (writes, waiting) = (writes + 1, waiting + 1);
                if left == 0 && waiting >= backlog {
                    left = batch;
                }
            }
            writes
        };
        assert_eq!(
            [(20, 7, 7), (100, 7, 7)].map(|(n, k, b)| counted(n, k, b)),
            [13, 51]
        );
        for (backlog, batch) in [(1, 1), (7, 7), (7, 3), (7, 1), (3, 7), (1, 5)] {
            for requests in 0..100 {
                let found = writes_among(requests, backlog, batch);
                let expected = counted(requests, backlog, batch);
                assert_eq!(found, expected, "{requests} of {backlog}, {batch}");
            }
        }
    }
}
