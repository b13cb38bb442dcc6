//! The course of a load, as the device counts it while the program runs.

use std::sync::mpsc;
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

use super::truth::Device;

/// From one look at the counters to the next.
const GLANCE: Duration = Duration::from_millis(50);

/// The measured time of a run in glances.
const MEASURED: usize = 20;

/// Standard deviation of what is completed between two looks, of the mean, from which the pace is
/// not even. It is less than what the program asks for: the two see other slices.
const UNEVEN: f64 = 0.07;

/// Completions between two looks that say something of the pace: 400 vary by 5 % by chance.
const LEAST: f64 = 400.0;

/// Looks at a device until it gets the word to stop.
pub(super) struct Watch<'scope> {
    stop: mpsc::Sender<()>,
    thread: ScopedJoinHandle<'scope, Vec<u64>>,
}

impl<'scope> Watch<'scope> {
    pub(super) fn start<'env>(
        scope: &'scope Scope<'scope, 'env>,
        device: Option<&'env Device>,
    ) -> Self {
        let (stop, stopped) = mpsc::channel();
        let thread = scope.spawn(move || {
            let mut counts = Vec::new();
            let Some(device) = device else {
                return counts;
            };
            let mut before = device.completed().unwrap_or_default();
            while stopped.recv_timeout(GLANCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                let now = device.completed().unwrap_or_default();
                counts.push(now.saturating_sub(before));
                before = now;
            }
            counts
        });
        Self { stop, thread }
    }

    /// Ends it; whether the pace of the last second, where the load is measured, was uneven.
    pub(super) fn end(self) -> bool {
        // A thread that has ended needs no word.
        let _ = self.stop.send(());
        let counts = self.thread.join().unwrap_or_default();
        // What follows the load, as flushes of the file system, is far less; a slow part of the
        // load is not.
        let most = counts.iter().max().copied().unwrap_or(0);
        let last = counts.iter().rposition(|count| *count > most / 20);
        let last = last.unwrap_or(0);
        // The last slice is not whole, and the first may not be.
        let first = last.saturating_sub(MEASURED - 1);
        is_uneven(&counts[first..last])
    }
}

fn is_uneven(counts: &[u64]) -> bool {
    let number = counts.len() as f64;
    let mean = counts.iter().sum::<u64>() as f64 / number;
    // Chance alone makes fewer vary as much.
    if counts.len() < MEASURED / 2 || mean < LEAST {
        return false;
    }
    let squares = counts.iter().map(|count| (*count as f64 - mean).powi(2));
    (squares.sum::<f64>() / number).sqrt() > UNEVEN * mean
}

#[cfg(test)]
mod tests {
    use super::is_uneven;

    #[test]
    fn a_course_is_uneven_if_it_varies() {
        let turns = |low: u64, high: u64| -> Vec<u64> {
            let turns = (0..19).map(|number| if number % 2 == 0 { low } else { high });
            turns.collect()
        };
        assert!(!is_uneven(&turns(1000, 1000)));
        assert!(is_uneven(&turns(800, 1200)));
        assert!(!is_uneven(&turns(8, 12)));
        assert!(!is_uneven(&[100, 10_000]));
    }
}
