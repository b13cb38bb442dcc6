//! The processor's time-stamp counter, and its conversion to the kernel's time.

use super::NANOS_PER_SEC;
use crate::platform::monotonic_ns;

/// The counter and the kernel's clock, read at the same moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) ticks: u64,
    pub(super) ns: u64,
}

/// How long the rate is measured before its first use, in nanoseconds.
const CALIBRATION_NS: u64 = 100_000;

/// How long a conversion holds at most before the kernel is asked again.
const SPAN_LIMIT_NS: u64 = NANOS_PER_SEC;

/// Binary places of the rate.
const RATE_SHIFT: u32 = 40;

/// Errors up to this part of the coming span flow away over it; greater ones are taken in one
/// step, if that step is forward.
const SLEW_LIMIT_PART: u64 = 1024;

/// A straight line from counter to nanoseconds, good for a limited span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Anchor {
    base_ticks: u64,
    base_ns: u64,
    /// Nanoseconds a tick, times two to the power of `RATE_SHIFT`.
    slope: u64,
    /// Ticks from `base_ticks` for which the line holds.
    span_ticks: u64,
    /// From where the rate is measured.
    origin: Pair,
}

impl Anchor {
    /// Converts nothing.
    pub(super) const NEVER: Self = Self {
        base_ticks: 0,
        base_ns: 0,
        slope: 0,
        span_ticks: 0,
        origin: Pair { ticks: 0, ns: 0 },
    };

    /// The line through `pair` with the rate measured since `origin`.
    pub(super) fn first(origin: Pair, pair: Pair) -> Self {
        let rate = rate(origin, pair);
        let span_ns = (pair.ns - origin.ns).clamp(1, SPAN_LIMIT_NS);
        Self {
            base_ticks: pair.ticks,
            base_ns: pair.ns,
            slope: rate,
            span_ticks: to_ticks(span_ns, rate),
            origin: next_origin(origin, pair),
        }
    }

    /// The line that follows when the kernel says `pair`, and `last_ns` has been answered before.
    ///
    /// It starts where the present line is, or at the kernel's time when that is too far off,
    /// never before `last_ns`, and meets the kernel's time at the end of its span.
    pub(super) fn next(&self, pair: Pair, last_ns: u64) -> Self {
        let fresh = Self::first(self.origin, pair);
        let rate = fresh.slope;
        let span_ns = scale(fresh.span_ticks, rate).max(1);
        let predicted =
            self.base_ns + scale(pair.ticks.saturating_sub(self.base_ticks), self.slope);
        let near = predicted.abs_diff(pair.ns) <= span_ns / SLEW_LIMIT_PART;
        let base_ns = if near { predicted } else { pair.ns }.max(last_ns);
        let goal_ns = (pair.ns + span_ns).saturating_sub(base_ns);
        let slope = u128::from(rate) * u128::from(goal_ns) / u128::from(span_ns);
        Self {
            base_ns,
            slope: (slope as u64).clamp(rate / 2, rate * 2),
            ..fresh
        }
    }

    /// The nanoseconds at `ticks`, none beyond the span (or before the base).
    #[inline]
    pub(super) fn convert(&self, ticks: u64) -> Option<u64> {
        let since = ticks.wrapping_sub(self.base_ticks);
        (since < self.span_ticks).then(|| self.base_ns + scale(since, self.slope))
    }

    /// The nanoseconds at the start of the line.
    pub(super) fn base_ns(&self) -> u64 {
        self.base_ns
    }
}

/// `ticks` times `slope`, without its binary places.
#[inline]
fn scale(ticks: u64, slope: u64) -> u64 {
    ((u128::from(ticks) * u128::from(slope)) >> RATE_SHIFT) as u64
}

fn to_ticks(ns: u64, rate: u64) -> u64 {
    ((u128::from(ns) << RATE_SHIFT) / u128::from(rate.max(1))) as u64
}

fn rate(from: Pair, to: Pair) -> u64 {
    let ticks = to.ticks.saturating_sub(from.ticks).max(1);
    ((u128::from(to.ns - from.ns) << RATE_SHIFT) / u128::from(ticks)) as u64
}

/// The rate is measured over at least a second once there has been one, and over little more, so
/// that it follows the corrections of a time service.
fn next_origin(origin: Pair, pair: Pair) -> Pair {
    if pair.ns - origin.ns >= SPAN_LIMIT_NS {
        pair
    } else {
        origin
    }
}

/// Reads both clocks with the least delay between them: the narrowest of some attempts.
pub(super) fn read_pair() -> Pair {
    let mut best = Pair { ticks: 0, ns: 0 };
    let mut narrowest = u64::MAX;
    for _ in 0..4 {
        let before = read();
        let ns = monotonic_ns();
        let width = read().wrapping_sub(before);
        if width < narrowest {
            narrowest = width;
            best = Pair {
                ticks: before + width / 2,
                ns,
            };
        }
    }
    best
}

/// A pair that lies long enough in the past for a first rate.
pub(super) fn calibrate() -> Pair {
    let origin = read_pair();
    while monotonic_ns() < origin.ns + CALIBRATION_NS {
        std::hint::spin_loop();
    }
    origin
}

/// Whether the counter runs at a constant rate on all processors: it says so itself, and the
/// kernel, which watches it, counts with it.
#[cfg(target_arch = "x86_64")]
pub(super) fn is_trusted() -> bool {
    const SOURCE: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    const POWER_MANAGEMENT: u32 = 0x8000_0007;
    const INVARIANT_TSC: u32 = 1 << 8;
    #[expect(clippy::disallowed_methods, reason = "a file of the kernel's")]
    let source = || std::fs::read_to_string(SOURCE);
    let leaves = std::arch::x86_64::__cpuid(0x8000_0000).eax;
    leaves >= POWER_MANAGEMENT
        && std::arch::x86_64::__cpuid(POWER_MANAGEMENT).edx & INVARIANT_TSC != 0
        && source().is_ok_and(|source| source.trim() == "tsc")
}

/// Only x86-64 has a counter that is read here.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn is_trusted() -> bool {
    false
}

/// The counter.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn read() -> u64 {
    // SAFETY: every x86-64 processor has the instruction; a system that forbids it in user mode
    // does not count with it either, and then `is_trusted` keeps us from here.
    unsafe { std::arch::x86_64::_rdtsc() }
}

/// Never called, because nothing is trusted.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(super) fn read() -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = NANOS_PER_SEC;

    /// A counter of 2 ticks a nanosecond, seen after a millisecond.
    fn two_ticks() -> Anchor {
        let origin = Pair { ticks: 0, ns: 500 };
        let pair = Pair {
            ticks: 2_000_000,
            ns: 1_000_500,
        };
        Anchor::first(origin, pair)
    }

    #[test]
    fn ticks_are_multiplied_and_shifted() {
        let cases = [
            (0, 1 << RATE_SHIFT, 0),
            (1, 1 << RATE_SHIFT, 1),
            (7, 1 << (RATE_SHIFT - 1), 3),
            (3_000_000_000, (1 << RATE_SHIFT) / 3, 999_999_999),
            // One hour at 5 GHz, past 64 bits in between.
            (18_000_000_000_000, (1 << RATE_SHIFT) / 5, 3_599_999_999_996),
            (u64::MAX, 1 << RATE_SHIFT, u64::MAX),
        ];
        for (ticks, slope, ns) in cases {
            assert_eq!(scale(ticks, slope), ns, "{ticks} {slope}");
        }
    }

    #[test]
    fn the_first_line_holds_as_long_as_its_rate_was_measured() {
        let anchor = two_ticks();
        assert_eq!(
            anchor,
            Anchor {
                base_ticks: 2_000_000,
                base_ns: 1_000_500,
                slope: 1 << (RATE_SHIFT - 1),
                span_ticks: 2_000_000,
                origin: Pair { ticks: 0, ns: 500 },
            }
        );
        assert_eq!(anchor.convert(2_000_000), Some(1_000_500));
        assert_eq!(anchor.convert(3_999_999), Some(2_000_499));
        assert_eq!(anchor.convert(4_000_000), None);
        assert_eq!(anchor.convert(1_999_999), None);
    }

    #[test]
    fn without_an_error_the_line_goes_on_with_twice_the_span() {
        let anchor = two_ticks().next(
            Pair {
                ticks: 4_000_000,
                ns: 2_000_500,
            },
            2_000_000,
        );
        assert_eq!(anchor.convert(4_000_000), Some(2_000_500));
        assert_eq!(anchor.convert(7_999_999), Some(4_000_499));
        assert_eq!(anchor.convert(8_000_000), None);
    }

    #[test]
    fn the_span_ends_at_a_second_and_the_origin_moves_up() {
        let pair = Pair {
            ticks: 10 * SECOND,
            ns: 5 * SECOND + 500,
        };
        let anchor = two_ticks().next(pair, 0);
        assert_eq!(anchor.span_ticks, 2 * SECOND);
        assert_eq!(anchor.origin, pair);
    }

    #[test]
    fn a_small_error_flows_away() {
        // The line is 100 ns behind the kernel: no step, but at the end of the span they meet.
        let anchor = two_ticks().next(
            Pair {
                ticks: 4_000_000,
                ns: 2_000_600,
            },
            0,
        );
        assert_eq!(anchor.base_ns(), 2_000_500);
        let end = anchor.base_ticks + anchor.span_ticks;
        let met = anchor.base_ns() + scale(anchor.span_ticks, anchor.slope);
        let kernel = 2_000_600
            + scale(
                anchor.span_ticks,
                rate(
                    anchor.origin,
                    Pair {
                        ticks: 4_000_000,
                        ns: 2_000_600,
                    },
                ),
            );
        assert!(met.abs_diff(kernel) <= 1, "{met} and {kernel} at {end}");
    }

    #[test]
    fn a_great_error_forward_is_one_step() {
        let pair = Pair {
            ticks: 4_000_000,
            ns: 9_000_500,
        };
        assert_eq!(two_ticks().next(pair, 2_000_000).base_ns(), 9_000_500);
    }

    #[test]
    fn a_great_error_backward_holds_the_last_answer_and_slows_down() {
        let pair = Pair {
            ticks: 4_000_000,
            ns: 1_500_500,
        };
        let anchor = two_ticks().next(pair, 2_000_400);
        assert_eq!(anchor.base_ns(), 2_000_400);
        assert!(anchor.slope < rate(anchor.origin, pair));
        assert!(anchor.slope >= rate(anchor.origin, pair) / 2);
    }
}
