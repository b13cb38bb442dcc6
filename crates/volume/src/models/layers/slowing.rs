//! A device that becomes slower by itself, as a hot one or one whose processor is kept from it.

use super::Layer;
use crate::model::{Admission, IoShape, VolumeModel};
use fathom_core::Nanos;

/// From an instant on all takes longer: at once, or more and more over a while.
#[derive(Clone, Copy, Debug)]
pub struct Slowing {
    at: f64,
    over: f64,
    speed: f64,
}

impl Slowing {
    /// Slower from `at` on; after `over` the speed is this share of what it was.
    pub fn new(at: Nanos, over: Nanos, speed: f64) -> Self {
        Self {
            at: at.0 as f64,
            over: over.0 as f64,
            speed: speed.clamp(0.01, 1.0),
        }
    }

    /// The volume's time at an instant: the integral of the speed.
    fn inside(&self, at: Nanos) -> f64 {
        let at = at.0 as f64;
        let since = (at - self.at).max(0.0);
        let ramp = since.min(self.over);
        let lost = 1.0 - self.speed;
        let on_ramp = if self.over > 0.0 {
            ramp - lost * ramp * ramp / (2.0 * self.over)
        } else {
            0.0
        };
        at.min(self.at) + on_ramp + self.speed * (since - ramp)
    }

    /// The instant at which the volume's time is this.
    fn outside(&self, inside: f64) -> Nanos {
        let since = inside - self.at;
        if since <= 0.0 {
            return Nanos(inside.ceil() as u64);
        }
        let lost = 1.0 - self.speed;
        let ramp_ends = self.over * (1.0 - lost / 2.0);
        let at = if since >= ramp_ends {
            self.over + (since - ramp_ends) / self.speed
        } else {
            // Solves since = t - lost t² / (2 over), the smaller root.
            let share = lost / self.over;
            2.0 * since / (1.0 + (1.0 - 2.0 * share * since).max(0.0).sqrt())
        };
        Nanos((self.at + at).ceil() as u64)
    }
}

impl Layer for Slowing {
    fn admit(&mut self, io: IoShape, at: Nanos, below: &mut dyn VolumeModel) -> Admission {
        let served = below.admit(io, Nanos(self.inside(at).round() as u64));
        Admission {
            done: self.outside(served.done.0 as f64).max(at),
            ..served
        }
    }

    fn instant_below(&self, at: Nanos) -> Nanos {
        Nanos(self.inside(at).round() as u64)
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{one_server, read};
    use super::*;

    #[test]
    fn it_is_as_fast_as_before_then_as_slow_as_it_gets() {
        let mut below = one_server(1_000_000);
        let mut slowing = Slowing::new(Nanos::from_secs(2), Nanos::from_secs(4), 0.5);
        let mut counts = [0; 10];
        let mut at = Nanos(0);
        while at < Nanos::from_secs(10) {
            counts[(at.0 / 1_000_000_000) as usize] += 1;
            at = slowing.admit(read(1), at, &mut below).done;
        }
        assert_eq!(counts, [1000, 1000, 938, 812, 688, 562, 500, 500, 500, 500]);
    }

    #[test]
    fn there_and_back_is_the_same_instant() {
        for over in [0, 1_000] {
            let slowing = Slowing::new(Nanos(500), Nanos(over), 0.3);
            for at in [0, 499, 500, 501, 900, 1_500, 9_999] {
                let back = slowing.outside(slowing.inside(Nanos(at)));
                assert!(back.0.abs_diff(at) <= 1, "{at}: {back}");
            }
        }
    }
}
