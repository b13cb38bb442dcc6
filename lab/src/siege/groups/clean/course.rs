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

/// Looks at a device until it is told to stop.
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
        let last = counts.iter().rposition(|count| *count > 0).unwrap_or(0);
        // The last slice is not whole, and the first may not be.
        let first = last.saturating_sub(MEASURED - 1);
        is_uneven(&counts[first..last])
    }
}

fn is_uneven(counts: &[u64]) -> bool {
    if counts.len() < MEASURED / 2 {
        return false;
    }
    let number = counts.len() as f64;
    let mean = counts.iter().sum::<u64>() as f64 / number;
    let squares = counts.iter().map(|count| (*count as f64 - mean).powi(2));
    (squares.sum::<f64>() / number).sqrt() > UNEVEN * mean
}

#[cfg(test)]
mod tests {
    use super::is_uneven;

    #[test]
    fn a_course_is_uneven_if_it_varies() {
        assert!(!is_uneven(&[100; 19]));
        let turns: Vec<u64> = (0..19).map(|number| 80 + number % 2 * 40).collect();
        assert!(is_uneven(&turns));
        assert!(!is_uneven(&[1, 100]));
    }
}
