//! Which part of its targets a job uses, and when it has done enough.

use super::Maker;
use crate::fio::settings::Settings;
use crate::fio::source::{Findings, Wrong};
use crate::writers::is_device_path;
use fathom_core::spec::{IoKind, JobStop};
use fathom_core::{Bytes, Nanos};

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
}

impl Maker<'_> {
    /// Bytes of each target that are asked for; none without a size.
    fn each(&self, targets: &[String], whole: Option<u64>) -> Option<u64> {
        let settings = self.settings;
        let files = targets.len() as u64;
        let all = match (settings.file_bytes, settings.size) {
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
        if settings.file_bytes.is_none() {
            self.note_unequal(targets, findings);
        }
        let unknown = whole.is_none() && self.surroundings.is_elsewhere();
        if unknown && settings.file_bytes.is_none() && is_all(settings) && is_timed(settings) {
            // All of a target that is somewhere else, for a time: nothing depends on its size.
            return Some(Region {
                file: None,
                offset: settings.offset.of(None).unwrap_or(0),
                window: None,
                length: u64::MAX,
                amount: 0,
            });
        }
        let each = self.each(targets, whole);
        let increment = settings.offset_increment.of(whole);
        let first = if settings.appends {
            self.common_end(targets, findings)
        } else {
            settings.offset.of(whole)
        };
        let (Some(first), Some(increment)) = (first, increment) else {
            self.error(findings, "offset", self.of_nothing("an offset"));
            return None;
        };
        let offset = first.saturating_add(increment.saturating_mul(clone));
        let offset = match settings.offset_align {
            0 => offset,
            align => offset.div_ceil(align).saturating_mul(align),
        };
        let rest = whole.map(|whole| whole.saturating_sub(offset));
        let Some(length) = each.or(rest).filter(|length| *length > 0) else {
            let wrong = match settings.size {
                Some(_) => self.of_nothing("a size"),
                None => Wrong::new(
                    format!("the job `{}` has no size", self.name),
                    if unknown {
                        "add size=, as in `size=1g`, or --assume-size with that of the target"
                    } else {
                        "add size=, as in `size=1g` or --size=1g, or name a target that is there"
                    },
                ),
            };
            self.error(findings, "size", wrong);
            return None;
        };
        let is_share = settings.file_bytes.is_none()
            && matches!(settings.size, Some(crate::fio::values::Amount::Percent(_)));
        let amount = match (settings.file_bytes, settings.size) {
            // fio does no more than there is in the files.
            (Some(_), Some(size)) => {
                let all = self.pass(length).saturating_mul(files);
                size.of(Some(all)).unwrap_or(all).min(all)
            }
            _ => self.pass(length).saturating_mul(files),
        };
        Some(Region {
            file: each
                .filter(|_| !is_share)
                .map(|bytes| bytes.saturating_add(offset)),
            offset,
            // The size of a device is not ours to choose, so there it is a limit.
            window: each.filter(|_| offset > 0 || is_share || are_devices(targets)),
            length,
            amount,
        })
    }

    fn of_nothing(&self, what: &str) -> Wrong {
        Wrong::new(
            format!("{what} in percent of a target that is not there"),
            if self.surroundings.is_elsewhere() {
                "in bytes, or --assume-size with the size of the target"
            } else {
                "in bytes, or name a target that is there"
            },
        )
    }

    /// Bytes of one pass over a part of `length` bytes.
    fn pass(&self, length: u64) -> u64 {
        let settings = self.settings;
        let unit = self.smallest_block().max(1);
        let whole = length / unit * unit;
        let Some(step) = settings.pattern_step.filter(|_| !settings.pattern.random) else {
            return whole;
        };
        let stride = unit.saturating_add(step);
        let steps = 1 + length.saturating_sub(unit) / stride;
        // fio ends where a block ends with the part, and where the next one begins in it and does
        // not fit; where that would begin behind it, it begins anew, up to the amount.
        let next = steps.saturating_mul(stride);
        let last_end = next - step;
        if last_end == length || next < length {
            steps.saturating_mul(unit)
        } else {
            length.div_ceil(unit).saturating_mul(unit)
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
        let has_floor = floor.ios.is_some() || floor.bytes.is_some();
        // fio counts writes; each has a trim before it here.
        let each = 1 + u64::from(settings.pattern.trims_first());
        let requests = settings.requests.saturating_mul(each);
        let mut stop = JobStop {
            slowest: settings.job.stop.slowest,
            when_full: settings.fills,
            bytes: None,
            ios: (requests > 0).then_some(requests),
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
        let amount = match settings.io_size {
            None => Some(region.amount),
            Some(size) => size.of(Some(region.amount)),
        };
        let amount = amount
            .unwrap_or(0)
            .saturating_mul(settings.loops)
            .saturating_mul(each);
        if amount == 0 || kinds.is_empty() {
            let message = format!("the job `{}` has less than one block to do", self.name);
            self.error(findings, "size", Wrong::new(message, "a larger size"));
            return None;
        }
        stop.bytes = Some(Bytes(amount));
        Some(stop)
    }
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
    use crate::fio::values::Amount;
    let all = |amount: Amount| matches!(amount, Amount::Percent(percent) if percent >= 100.0);
    let at_begin = matches!(settings.offset_increment, Amount::Bytes(0))
        && matches!(settings.offset, Amount::Bytes(_));
    at_begin && settings.size.is_none_or(all)
}
