//! A recorded load on a modelled volume: whether its credit would have lasted.

use super::observed::vector;
use crate::model::{Bound, Demand, ServedStep, VolumeModel as _};
use crate::models::System;
use fathom_core::Nanos;
use fathom_core::recording::Sample;
use serde::Serialize;

/// So often a recording is repeated at most until its loss of credit is even.
const MOST_TIMES: u32 = 32;
/// Backlogs of fewer requests are nothing: the rest of a division.
const NOTHING: f64 = 0.5;
/// Credit that falls by a smaller share of the bucket from one time to the next stays the same.
const SAME: f64 = 1e-9;
/// Losses of two times that differ by a smaller share are the same.
const EVEN: f64 = 1e-6;
/// Seconds by which a load may be delayed and still count as served: a limit evens out over as
/// much.
const HELD: f64 = 0.01;

/// What became of a recorded load.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Replay {
    /// Seconds of the recording.
    pub seconds: f64,
    /// Seconds in which requests had to wait for a limit.
    pub held_seconds: f64,
    /// Seconds after the start when they first had to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_held_seconds: Option<f64>,
    /// What held them first, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_by: Option<String>,
    /// The longest time that a request would have waited: the queue over the rate at which it was
    /// worked off.
    pub longest_wait_seconds: f64,
    /// Requests that still wait at the end.
    pub left: f64,
    /// The lowest levels of all buckets.
    pub lowest: Vec<Lowest>,
    /// If the recording went on and on, from which time on requests would have to wait: 1 is the
    /// recording itself. None where they never would. After a few times that lose the same
    /// credit, the rest is computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_in_repeat: Option<u32>,
}

/// The lowest level of a bucket.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lowest {
    /// Whose, as in `gp2 IOPS`; of several buckets of a name the emptiest.
    pub name: String,
    /// Tokens: requests or bytes.
    pub tokens: f64,
    /// Tokens when full.
    pub full: f64,
    /// When, seconds after the start.
    pub at_seconds: f64,
}

/// A recording that cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it does not say how long its moments are")]
pub struct NoLengths;

/// Plays a series of moments on a system, `growth` times as much as was recorded, from full
/// buckets (or as the system has them).
///
/// Within a moment the load is even. Requests that wait are served as soon as there is room, in
/// the sizes of the moment in which that is.
///
/// # Errors
///
/// [`NoLengths`] where a moment has no length.
pub fn replay(system: &System, samples: &[Sample], growth: f64) -> Result<Replay, NoLengths> {
    let moments: Option<Vec<Moment>> = samples.iter().map(|one| moment(one, growth)).collect();
    let moments = moments.ok_or(NoLengths)?;
    let mut system = system.clone();
    let mut player = Player::new(&system);
    player.play(&mut system, &moments);
    let mut found = player.into_replay(&system);
    let end = Nanos((found.seconds * 1e9) as u64);
    found.held_in_repeat = if found.held_seconds > HELD {
        Some(1)
    } else {
        repeats(&mut system, &moments, end)
    };
    Ok(found)
}

struct Moment {
    demand: Demand,
    span: Nanos,
}

fn moment(sample: &Sample, growth: f64) -> Option<Moment> {
    let load = vector(sample);
    Some(Moment {
        demand: Demand {
            open_iops: load.iops * growth,
            open: load.flow(),
            ..Demand::default()
        },
        span: Nanos(sample.length_ns?),
    })
}

/// Whether a recorded load, repeated for ever, is never delayed: as [`replay`] without its figures,
/// and over at the first request that waits.
///
/// # Errors
///
/// [`NoLengths`] where a moment has no length.
pub fn never_held(system: &System, samples: &[Sample], growth: f64) -> Result<bool, NoLengths> {
    let moments: Option<Vec<Moment>> = samples.iter().map(|one| moment(one, growth)).collect();
    let moments = moments.ok_or(NoLengths)?;
    let mut system = system.clone();
    let mut player = Player::new(&system);
    player.stops = true;
    player.play(&mut system, &moments);
    let lasts = player.held_seconds <= HELD;
    Ok(lasts && repeats(&mut system, &moments, player.at).is_none())
}

/// Plays on with what credit is left, until requests wait, the credit no longer falls, or falls
/// by the same each time: how often it lasts is then a division.
fn repeats(system: &mut System, moments: &[Moment], from: Nanos) -> Option<u32> {
    let mut begin = from;
    let mut before = shares(system, begin);
    let mut fell: Vec<f64> = Vec::new();
    for time in 2..=MOST_TIMES {
        let mut player = Player::new(system);
        player.at = begin;
        player.stops = true;
        player.play(system, moments);
        if player.held_seconds > HELD {
            return Some(time);
        }
        begin = player.at;
        let after = shares(system, begin);
        let pairs = before.iter().zip(&after);
        let falls: Vec<f64> = pairs.map(|(before, after)| before - after).collect();
        if falls.iter().all(|fall| *fall <= SAME) {
            return None;
        }
        let is_even = fell
            .iter()
            .zip(&falls)
            .all(|(one, other)| (one - other).abs() <= EVEN * other.abs().max(SAME));
        if !fell.is_empty() && is_even || time == MOST_TIMES {
            let lowest = player.lowest.iter().flatten();
            let lasts = lowest.zip(&falls).filter(|(_, fall)| **fall > SAME);
            let times = lasts.map(|((level, full, _), fall)| level / full / fall);
            let more = (times.fold(f64::INFINITY, f64::min) + EVEN) as u32;
            return Some(time.saturating_add(more).saturating_add(1));
        }
        fell = falls;
        before = after;
    }
    None
}

/// How full each bucket is, 0 to 1.
fn shares(system: &System, at: Nanos) -> Vec<f64> {
    let limiters = system.limiters().iter();
    let levels = limiters.filter_map(|limiter| limiter.credit(at));
    levels.map(|(level, full)| level / full).collect()
}

/// The state of a replay.
struct Player {
    begin: Nanos,
    at: Nanos,
    backlog: f64,
    held_seconds: f64,
    first_held: Option<(Nanos, Bound)>,
    longest_wait: f64,
    /// Whether the first request that waits ends it.
    stops: bool,
    /// Of each limiter: level and when.
    lowest: Vec<Option<(f64, f64, Nanos)>>,
}

impl Player {
    fn new(system: &System) -> Self {
        Self {
            begin: Nanos::ZERO,
            at: Nanos::ZERO,
            backlog: 0.0,
            held_seconds: 0.0,
            first_held: None,
            longest_wait: 0.0,
            stops: false,
            lowest: vec![None; system.limiters().len()],
        }
    }

    fn play(&mut self, system: &mut System, moments: &[Moment]) {
        self.begin = self.at;
        for moment in moments {
            if self.stops && self.held_seconds > HELD {
                return;
            }
            let demand = Demand {
                backlog: self.backlog,
                ..moment.demand.clone()
            };
            let served = system.serve(&demand, self.at, moment.span);
            for step in &served.steps {
                self.step(step, moment.demand.open_iops);
            }
            self.at = self.at + moment.span;
            self.note_levels(system);
        }
    }

    /// Follows the queue through a step of one rate.
    fn step(&mut self, step: &ServedStep, asked: f64) {
        let seconds = step.span.as_secs_f64();
        let grows = asked - step.open_iops;
        let waits = self.backlog > NOTHING || grows > asked * 1e-9;
        if waits {
            self.held_seconds += seconds;
            self.first_held.get_or_insert((step.at, step.bound));
        }
        self.backlog = (self.backlog + grows * seconds).max(0.0);
        if step.open_iops > 0.0 && self.backlog > NOTHING {
            self.longest_wait = self.longest_wait.max(self.backlog / step.open_iops);
        }
    }

    fn note_levels(&mut self, system: &System) {
        for (limiter, lowest) in system.limiters().iter().zip(&mut self.lowest) {
            if let Some((level, full)) = limiter.credit(self.at)
                && lowest.is_none_or(|(known, ..)| level < known)
            {
                *lowest = Some((level, full, self.at));
            }
        }
    }

    fn into_replay(self, system: &System) -> Replay {
        let since = |at: Nanos| (at - self.begin).as_secs_f64();
        let mut lowest: Vec<Lowest> = Vec::new();
        for (limiter, found) in system.limiters().iter().zip(self.lowest) {
            let Some((tokens, full, at)) = found else {
                continue;
            };
            let new = Lowest {
                name: limiter.title(),
                tokens,
                full,
                at_seconds: since(at),
            };
            match lowest.iter_mut().find(|known| known.name == new.name) {
                Some(known) if known.tokens / known.full > new.tokens / new.full => *known = new,
                Some(_) => {}
                None => lowest.push(new),
            }
        }
        let named = |bound: Bound| match bound {
            Bound::Limit(index) => Some(system.limiters()[usize::from(index)].title()),
            Bound::Spent(index) => {
                let name = system.limiters()[usize::from(index)].title();
                Some(format!("{name} without credit"))
            }
            Bound::Busy => Some("a device that is busy all the time".to_owned()),
            Bound::Demand | Bound::Outstanding => None,
        };
        let is_held = self.held_seconds > HELD;
        let first = self.first_held.filter(|_| is_held);
        Replay {
            seconds: since(self.at),
            held_seconds: if is_held { self.held_seconds } else { 0.0 },
            first_held_seconds: first.map(|(at, _)| since(at)),
            held_by: first.and_then(|(_, bound)| named(bound)),
            longest_wait_seconds: self.longest_wait,
            left: self.backlog,
            lowest,
            held_in_repeat: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use crate::layout::{Layout, Options};

    const HOUR: u64 = 3_600;

    fn gp2(text: &str) -> System {
        let catalog = Catalog::embedded();
        let day = "2018-11-01".parse().unwrap();
        let layout: Layout = text.parse().unwrap();
        layout
            .build(&catalog, day, &Options::default())
            .unwrap()
            .system
    }

    /// Hours at a rate, in moments of a minute.
    fn hours(hours: u64, iops: f64) -> Vec<Sample> {
        let sample = Sample {
            length_ns: Some(60_000_000_000),
            ios_per_second: iops,
            reads_per_second: Some(iops),
            writes_per_second: Some(0.0),
            read_bytes_per_second: iops * 4096.0,
            ..Sample::default()
        };
        vec![sample; (hours * HOUR / 60) as usize]
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1.0, "{found} is not {expected}");
    }

    #[test]
    fn a_constant_load_above_the_base_dries_the_bucket() {
        let found = replay(&gp2("gp2:250GiB"), &hours(12, 900.0), 1.0).unwrap();
        close(found.first_held_seconds.unwrap(), 36_000.0);
        assert_eq!(found.held_by.as_deref(), Some("gp2 IOPS without credit"));
        close(found.held_seconds, 2.0 * 3_600.0);
        // Two hours of 150 a second too many wait, at 750 a second.
        close(found.left, 7_200.0 * 150.0);
        close(found.longest_wait_seconds, 7_200.0 * 150.0 / 750.0);
        let full = replay(&gp2("gp2:250GiB"), &hours(1, 3_000.0), 1.0).unwrap();
        close(full.first_held_seconds.unwrap(), 2_400.0);
    }

    #[test]
    fn a_day_with_a_quiet_night_never_runs_dry() {
        let mut day = hours(8, 900.0);
        day.extend(hours(16, 300.0));
        let found = replay(&gp2("gp2:250GiB"), &day, 1.0).unwrap();
        assert_eq!((found.held_seconds, found.held_in_repeat), (0.0, None));
        let [lowest] = found.lowest.as_slice() else {
            panic!("one bucket: {:?}", found.lowest);
        };
        close(lowest.full - lowest.tokens, 4.32e6);
        close(lowest.at_seconds, 8.0 * 3_600.0);
        // A fifth more, and it does.
        let more = replay(&gp2("gp2:250GiB"), &day, 1.2).unwrap();
        assert_eq!(more.held_in_repeat, Some(1));
    }

    #[test]
    fn a_slow_loss_shows_when_it_is_repeated() {
        // 50 a second too many, by day and night: 4.32 M a day of 5.4 M.
        let found = replay(&gp2("gp2:250GiB"), &hours(24, 800.0), 1.0).unwrap();
        assert_eq!((found.held_seconds, found.held_in_repeat), (0.0, Some(2)));
    }

    #[test]
    fn a_short_recording_that_loses_a_little_each_time_runs_dry_too() {
        // Ten minutes at 50 a second too many: 30,000 of 5.4 million each time.
        let mut short = hours(1, 800.0);
        short.truncate(10);
        let found = replay(&gp2("gp2:250GiB"), &short, 1.0).unwrap();
        assert_eq!((found.held_seconds, found.held_in_repeat), (0.0, Some(181)));
        assert_eq!(never_held(&gp2("gp2:250GiB"), &short, 1.0), Ok(false));
        assert_eq!(never_held(&gp2("gp2:250GiB"), &short, 0.9), Ok(true));
    }

    #[test]
    fn moments_without_a_length_cannot_be_played() {
        let silent = Sample::default();
        assert_eq!(replay(&gp2("gp2:250GiB"), &[silent], 1.0), Err(NoLengths));
    }
}
