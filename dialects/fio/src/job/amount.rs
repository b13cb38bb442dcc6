//! Which part of its targets a job uses, and when it has done enough.

use super::Maker;
use crate::settings::Settings;
use crate::source::{Findings, Wrong};
use crate::values::Amount;
use fathom_core::spec::{IoKind, JobStop};
use fathom_core::{Bytes, Nanos};
use fathom_tools::translation::Standing;
use fathom_tools::writers::is_device_path;
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
    /// Whether it is of the whole files only because nothing of them is used.
    pub(super) is_unused: bool,
}

impl Maker<'_> {
    /// Bytes of each target that are asked for; none without a size.
    fn each(&self, targets: &[String], whole: Option<u64>) -> Option<u64> {
        let settings = self.settings;
        let files = targets.len() as u64;
        let all = match (self.settings.file_bytes, settings.size) {
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
        let file_bytes = self.settings.file_bytes;
        let unknown = whole.is_none() && self.surroundings.has_targets_elsewhere();
        if unknown && file_bytes.is_none() && is_all(settings) && is_timed(settings) {
            // All of a target that is somewhere else, for a time: nothing depends on its size.
            return Some(Region {
                file: None,
                offset: settings.offset.of(None).unwrap_or(0),
                window: None,
                length: u64::MAX,
                amount: 0,
                is_unused: false,
            });
        }
        let each = self.each(targets, whole);
        let offset = self.begin(targets, whole, clone, findings)?;
        if let Some(region) = self.beyond(targets, offset) {
            return Some(region);
        }
        let each = self.behind(each, offset, findings)?;
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
        let part = self.part_of_file(length);
        let length = part.unwrap_or_else(|| self.reached(length, rest));
        let pass = self.pass(length, rest, offset).saturating_mul(files);
        let pass = self.gone_on(pass, length.saturating_mul(files));
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
            length,
            amount,
            is_unused: false,
        })
    }

    /// All of the files for a part of a given size that begins where they end, or behind it: fio
    /// makes them and no request.
    fn beyond(&self, targets: &[String], offset: u64) -> Option<Region> {
        let settings = self.settings;
        let file_bytes = self
            .settings
            .file_bytes
            .filter(|_| settings.size.is_some())?;
        (offset >= file_bytes && file_bytes > 0).then_some(Region {
            file: Some(file_bytes),
            offset: 0,
            window: None,
            length: file_bytes,
            amount: file_bytes.saturating_mul(targets.len() as u64),
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
        each: Option<u64>,
        offset: u64,
        findings: &mut Findings,
    ) -> Option<Option<u64>> {
        let Some(file_bytes) = self.settings.file_bytes else {
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
    /// most `most` bytes.
    fn part_of_file(&self, most: u64) -> Option<u64> {
        let (file_bytes, size) = (self.settings.file_bytes?, self.settings.size?);
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
        let first = settings.offset.of(whole);
        let first = first.or_else(|| self.share_of_nothing("offset", targets, findings));
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

    /// Refuses files that would have to be made or made longer where none may be; what is
    /// used of each of them ends at `wanted`.
    pub(super) fn check_there(
        &self,
        targets: &[String],
        wanted: u64,
        findings: &mut Findings,
    ) -> Option<()> {
        if !self.settings.only_there || self.surroundings.is_elsewhere() {
            return Some(());
        }
        for path in targets {
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

    /// A part of `length` bytes, as far as requests in order reach in a target of which there are
    /// `rest` from its start on.
    fn reached(&self, length: u64, rest: Option<u64>) -> u64 {
        let settings = self.settings;
        let beyond = length.next_multiple_of(self.smallest_block().max(1));
        let in_order = !settings.pattern.random && settings.pattern_step.is_none();
        // fio rounds shares down.
        let is_share = matches!(settings.size, Some(Amount::Percent(_)));
        let is_plain = in_order && !is_share && self.has_one_block() && !settings.zoned;
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
            Some(writes) if !settings.pattern.reads() => writes_among(requests, writes.into()),
            _ => requests,
        }
    }

    /// When each clone has done enough.
    pub(super) fn stop(
        &self,
        region: &Region,
        kinds: &[IoKind],
        findings: &mut Findings,
    ) -> Option<JobStop> {
        let settings = self.settings;
        // fio counts writes; each has a trim before it here.
        let each = 1 + u64::from(settings.pattern.trims_first());
        let requests = self.requests_of_load(kinds).saturating_mul(each);
        let requests = requests.saturating_mul(settings.loops.max(1));
        let mut stop = JobStop {
            when_full: settings.fills,
            bytes: None,
            // With time_based fio makes them again and again.
            ios: (requests > 0 && !is_timed(settings)).then_some(requests),
            time: None,
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

/// How many of `requests` are writes. After each `backlog` writes these are read back, and fio
/// counts the reads too.
const fn writes_among(requests: u64, backlog: u64) -> u64 {
    let cycle = backlog.saturating_mul(2);
    let begun = requests % cycle;
    let first = if begun < backlog { begun } else { backlog };
    requests / cycle * backlog + first
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
        assert_eq!(
            [20, 100].map(|requests| writes_among(requests, 7)),
            [13, 51]
        );
        assert_eq!(
            [0, 1, 2, 3].map(|requests| writes_among(requests, 1)),
            [0, 1, 1, 2]
        );
    }
}
