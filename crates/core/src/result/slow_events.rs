//! Slow requests that belong together: a stall meets all that are outstanding at once.

use super::SlowRequest;

/// Slow requests that completed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowEvent {
    /// The first of them to complete, nanoseconds after the start of the phase.
    pub first_ns: u64,
    /// When the last of them completed, nanoseconds.
    pub last_ns: u64,
    /// How many.
    pub requests: usize,
    /// The longest service time among them, nanoseconds.
    pub longest_ns: u64,
}

/// The events behind slow requests, in the order of time: completions that are less than `apart_ns`
/// after one another are one event. With the median of all service times for that, two events of
/// storage that is idle in between are distinguished.
pub fn slow_events(slow: &[SlowRequest], apart_ns: u64) -> Vec<SlowEvent> {
    let mut slow: Vec<&SlowRequest> = slow.iter().collect();
    slow.sort_unstable_by_key(|one| one.completed_ns());
    let mut events: Vec<SlowEvent> = Vec::new();
    for one in slow {
        let at_ns = one.completed_ns();
        match events.last_mut() {
            Some(event) if at_ns == event.last_ns || at_ns - event.last_ns < apart_ns => {
                event.last_ns = at_ns;
                event.requests += 1;
                event.longest_ns = event.longest_ns.max(one.service_ns);
            }
            _ => events.push(SlowEvent {
                first_ns: at_ns,
                last_ns: at_ns,
                requests: 1,
                longest_ns: one.service_ns,
            }),
        }
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow(completed_ns: u64, service_ns: u64) -> SlowRequest {
        SlowRequest {
            issued_ns: completed_ns - service_ns,
            service_ns,
            ..SlowRequest::default()
        }
    }

    #[test]
    fn completions_closer_than_the_median_are_one_event() {
        let requests = [
            slow(9_000, 500),
            slow(1_000, 700),
            slow(1_099, 800),
            slow(1_199, 600),
            slow(1_198, 650),
        ];
        let event = |first_ns, last_ns, requests, longest_ns| SlowEvent {
            first_ns,
            last_ns,
            requests,
            longest_ns,
        };
        // 1,099 to 1,198 is 99: closer; 1,000 to 1,099 likewise.
        let found = slow_events(&requests, 100);
        let expected = [event(1_000, 1_199, 4, 800), event(9_000, 9_000, 1, 500)];
        assert_eq!(found, expected);
        // Exactly as far apart is apart.
        let apart = slow_events(&requests, 99);
        let expected = [
            event(1_000, 1_000, 1, 700),
            event(1_099, 1_099, 1, 800),
            event(1_198, 1_199, 2, 650),
            event(9_000, 9_000, 1, 500),
        ];
        assert_eq!(apart, expected);
    }

    #[test]
    fn what_completes_at_once_is_one_event_whatever_the_median() {
        let found = slow_events(&[slow(50, 5), slow(50, 6)], 0);
        assert_eq!(found.len(), 1);
        assert_eq!(slow_events(&[], 10), []);
    }
}
