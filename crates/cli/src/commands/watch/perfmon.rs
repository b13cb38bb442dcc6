//! Looks at the counters of Performance Monitor, where the system has it.

use crate::error::Problem;
use crate::exit::Exit;
use fathom_core::Nanos;
use fathom_core::recording::Moment;
use fathom_core::units::rfc3339;
use fathom_device::live_perfmon;
use fathom_device::perfmon::{self, Counters};
use fathom_engine::Clock;
use fathom_engine::clock::utc_now_ns;
use std::io;
use std::path::PathBuf;

/// What is looked at, and when that was done last.
pub(super) struct Perfmon {
    counters: Box<dyn Counters>,
    /// Instances; none for all.
    named: Vec<String>,
    last: Nanos,
}

impl Perfmon {
    /// None where the system has other counters.
    pub(super) fn open(devices: &[PathBuf]) -> Option<Result<Self, Problem>> {
        let counters = live_perfmon()?;
        let names = devices
            .iter()
            .map(|name| name.to_string_lossy().into_owned());
        Some(
            counters
                .map_err(|error| unreadable(&error))
                .map(|counters| Self {
                    counters,
                    named: names.collect(),
                    last: Nanos::ZERO,
                }),
        )
    }

    /// The first look, from which the first interval counts.
    pub(super) fn begin(&mut self, clock: &mut Clock) -> Result<Nanos, Problem> {
        self.counters
            .collect()
            .map_err(|error| unreadable(&error))?;
        self.last = clock.now();
        Ok(self.last)
    }

    /// What happened since the last look.
    pub(super) fn again(&mut self, clock: &mut Clock) -> Result<Moment, Problem> {
        let shown = perfmon::shown(&mut *self.counters).map_err(|error| unreadable(&error))?;
        let now = clock.now();
        let length_ns = (now - self.last).0;
        self.last = now;
        let mut devices = shown.devices;
        devices.retain(|one| is_meant(&self.named, &one.device));
        if devices.is_empty() && !self.named.is_empty() {
            let thing = format!("cannot watch {}", self.named.join(" "));
            return Err(Problem::new(Exit::Environment, thing)
                .because("Performance Monitor has no such disk")
                .remedy("use a number or a drive, as in `fathom watch 0 E:`"));
        }
        Ok(Moment {
            at: rfc3339(utc_now_ns()),
            length_ns,
            processors: shown.processors,
            devices,
            ..Moment::default()
        })
    }
}

/// Whether an instance, as `0 C: D:`, is one of these: by all of it, its number or a drive.
fn is_meant(named: &[String], instance: &str) -> bool {
    let is = |word: &str, name: &String| word.eq_ignore_ascii_case(name.trim_end_matches('\\'));
    let mut words = instance.split(' ').chain([instance]);
    named.is_empty() || words.any(|word| named.iter().any(|name| is(word, name)))
}

fn unreadable(error: &io::Error) -> Problem {
    Problem::new(
        Exit::Environment,
        "cannot read the counters of Performance Monitor",
    )
    .because(error.to_string())
    .remedy("rebuild them with `lodctr /r` as administrator")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Windows with two disks.
    struct Fake;

    impl Counters for Fake {
        fn collect(&mut self) -> io::Result<()> {
            Ok(())
        }

        fn values(&self, counter: usize) -> io::Result<Vec<(String, f64)>> {
            let of = |name: &str| (name.to_owned(), counter as f64);
            Ok(["0 C:", "1 E: F:", "_Total"].map(of).to_vec())
        }
    }

    #[test]
    fn a_disk_is_named_by_its_number_or_a_drive() {
        let seen = |names: &[&str]| {
            let mut look = Perfmon {
                counters: Box::new(Fake),
                named: names.iter().map(|&name| name.to_owned()).collect(),
                last: Nanos::ZERO,
            };
            let mut clock = Clock::monotonic();
            look.begin(&mut clock).ok()?;
            let moment = look.again(&mut clock).ok()?;
            let names = moment.devices.into_iter().map(|one| one.device);
            Some(names.collect::<Vec<_>>())
        };
        let both = vec!["0 C:".to_owned(), "1 E: F:".to_owned()];
        assert_eq!(seen(&[]), Some(both.clone()));
        assert_eq!(seen(&["1 e: f:", "0"]), Some(both.clone()));
        assert_eq!(seen(&[r"f:\"]), Some(both[1..].to_vec()));
        assert_eq!(seen(&["2"]), None);
    }
}
