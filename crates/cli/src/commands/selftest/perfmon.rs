//! Whether Performance Monitor of Windows counts what fathom requested.

use super::bench::{Bench, empty, op};
use super::step::{Answer, StepRow};
use fathom_core::result::RunResult;
use fathom_core::{Op, figure};
use fathom_device::live_perfmon;
use fathom_device::perfmon::{Counters, Shown, shown};
use fathom_engine::Clock;

const TEST: &str = "perfmon";

/// Bytes of Performance Monitor for each byte of the load that are still agreement: others use the
/// disk too, and both look at moments of their own.
const AGREE: std::ops::RangeInclusive<f64> = 0.95..=1.15;

/// No line on a system that has no Performance Monitor.
pub(super) fn lines(bench: &Bench<'_>) -> Vec<StepRow> {
    let skipped =
        |error: std::io::Error| vec![StepRow::new(TEST, Answer::Skipped, error.to_string())];
    match live_perfmon() {
        None => Vec::new(),
        Some(Err(error)) => skipped(error),
        Some(Ok(mut counters)) => match one(bench, &mut *counters) {
            Ok(line) => vec![line],
            Err(error) => skipped(error),
        },
    }
}

fn one(bench: &Bench<'_>, counters: &mut dyn Counters) -> std::io::Result<StepRow> {
    let spec = format!(
        "warm_up = \"0s\"\nblock_size = \"64KiB\"\n\
         read = 100\nrandom = 100\nqueue_depth = 8\nduration = \"{}s\"\n",
        bench.seconds()
    );
    let mut clock = Clock::monotonic();
    shown(counters)?;
    let before = clock.now();
    let result = match bench.measure(&spec, None) {
        Ok(result) => result,
        Err(refusal) => return Ok(refusal.line(TEST)),
    };
    let after = shown(counters)?;
    let seconds = (clock.now() - before).as_secs_f64();
    let Some(own) = op(&result, Op::Read) else {
        return Ok(empty(TEST));
    };
    let rate = disk_of(&result).and_then(|disk| rate_of(&after, &disk));
    Ok(compared(own.bytes, rate.map(|rate| rate * seconds)))
}

/// The number of the only disk of a result, by which Performance Monitor names it.
fn disk_of(result: &RunResult) -> Option<String> {
    let [target] = &result.provenance.targets[..] else {
        return None;
    };
    let [disk] = &target.devices[..] else {
        return None;
    };
    disk.name.strip_prefix("PhysicalDrive").map(str::to_owned)
}

/// Bytes a second that were read of a disk, whose instance is its number and its drives, as `0 C:
/// D:`.
fn rate_of(shown: &Shown, disk: &str) -> Option<f64> {
    let is_it = |instance: &str| instance.split(' ').next() == Some(disk);
    let found = shown.devices.iter().find(|moment| is_it(&moment.device));
    found.map(|moment| moment.sample.read_bytes_per_second)
}

fn compared(own: u64, theirs: Option<f64>) -> StepRow {
    let Some(theirs) = theirs else {
        let seen = "Performance Monitor has no counters of the one disk below the file";
        return StepRow::new(TEST, Answer::Skipped, seen);
    };
    let ratio = theirs / own.max(1) as f64;
    let seen = format!(
        "it counted {ratio:.3} bytes for each byte of {}",
        figure::volume(own)
    );
    if AGREE.contains(&ratio) {
        StepRow::new(TEST, Answer::Passed, seen)
    } else {
        let seen = format!("{seen}: a cache, or other users of the disk");
        StepRow::new(TEST, Answer::Skipped, seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::recording::{DeviceMoment, Sample};

    #[test]
    fn the_disk_is_found_by_its_number() {
        let moment = |device: &str, rate| DeviceMoment {
            device: device.to_owned(),
            sample: Sample {
                read_bytes_per_second: rate,
                ..Sample::default()
            },
        };
        let shown = Shown {
            devices: vec![
                moment("1 C:", 1.0),
                moment("11 E: F:", 2.0),
                moment("2", 3.0),
            ],
            ..Shown::default()
        };
        let found = ["1", "11", "2", "3"].map(|disk| rate_of(&shown, disk));
        assert_eq!(found, [Some(1.0), Some(2.0), Some(3.0), None]);
    }

    #[test]
    fn what_both_counted_is_compared() {
        let line = |answer, seen: &str| StepRow::new(TEST, answer, seen);
        let volume = figure::volume(1_000_000);
        assert_eq!(
            compared(1_000_000, Some(1_020_000.0)),
            line(
                Answer::Passed,
                &format!("it counted 1.020 bytes for each byte of {volume}")
            )
        );
        let seen = format!(
            "it counted 0.010 bytes for each byte of {volume}: a cache, or other users of the disk"
        );
        assert_eq!(
            compared(1_000_000, Some(10_000.0)),
            line(Answer::Skipped, &seen)
        );
        let seen = "Performance Monitor has no counters of the one disk below the file";
        assert_eq!(compared(1, None), line(Answer::Skipped, seen));
    }
}
