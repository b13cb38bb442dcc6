//! How often a change of pace is seen, and how often one is seen that is not there: runs of known
//! truth, each with its seed.

use crate::bench::{Dice, Load, device, judged, under};
use fathom_core::Level;
use fathom_core::Nanos;
use fathom_core::result::RunResult;
use fathom_engine::sim::VolumeModel;
use fathom_verdict::Code;
use fathom_volume::model::{Admission, IoShape};
use fathom_volume::models::ServiceLaw;
use fathom_volume::models::layers::{Layer, Wobble};

/// What is planted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Plant {
    /// Nothing.
    Clean,
    /// Another speed from an instant on, as a factor, for a share of the run at its end.
    Step { factor: f64, share: f64 },
    /// Nothing is served for a share of the run.
    Standstill { share: f64 },
    /// Two speeds with this ratio, each for so long.
    Alternating { ratio: f64, half_ms: f64 },
}

impl Plant {
    /// For people.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Clean => "nothing".to_owned(),
            Self::Step { factor, share } => {
                format!("{factor} times the speed in the last {} %", share * 100.0)
            }
            Self::Standstill { share } => format!("a standstill of {} %", share * 100.0),
            Self::Alternating { ratio, half_ms } => {
                format!("speeds of {ratio} to 1 in turn, {half_ms} ms each")
            }
        }
    }
}

/// Speeds of a device over time.
#[derive(Clone, Debug)]
struct Speeds {
    /// End of each span, nanoseconds, and the speed until then; the last one goes on.
    spans: Vec<(f64, f64)>,
}

impl Speeds {
    fn of(plant: Plant, seconds: f64, dice: &mut Dice) -> Self {
        let run = seconds * 1e9;
        let spans = match plant {
            Plant::Clean => vec![],
            Plant::Step { factor, share } => vec![(run * (1.0 - share), 1.0), (f64::MAX, factor)],
            Plant::Standstill { share } => {
                let begin = run * dice.between(0.1, 0.95 - share);
                vec![(begin, 1.0), (begin + run * share, 1e-9), (f64::MAX, 1.0)]
            }
            Plant::Alternating { ratio, half_ms } => {
                let half = half_ms * 1e6;
                let count = (run / half).ceil() as u32 + 2;
                let speed = |index: u32| {
                    if index.is_multiple_of(2) {
                        1.0
                    } else {
                        1.0 / ratio
                    }
                };
                (0..count)
                    .map(|index| (half * f64::from(index + 1), speed(index)))
                    .collect()
            }
        };
        Self { spans }
    }

    /// The time of the device at an instant, or the other way round.
    fn mapped(&self, at: Nanos, is_outside: bool) -> Nanos {
        let (mut begin, mut inside) = (0.0, 0.0);
        let target = at.0 as f64;
        for (end, speed) in &self.spans {
            let (here, there) = if is_outside {
                (inside, begin)
            } else {
                (begin, inside)
            };
            let length = end - begin;
            let (long, rate) = if is_outside {
                (length * speed, 1.0 / speed)
            } else {
                (length, *speed)
            };
            if target < here + long {
                return Nanos((there + (target - here) * rate).round() as u64);
            }
            begin = *end;
            inside += length * speed;
        }
        let ahead = if is_outside {
            begin - inside
        } else {
            inside - begin
        };
        Nanos((target + ahead).round() as u64)
    }
}

impl Layer for Speeds {
    fn admit(&mut self, io: IoShape, at: Nanos, below: &mut dyn VolumeModel) -> Admission {
        let served = below.admit(io, self.mapped(at, false));
        Admission {
            done: self.mapped(served.done, true).max(at),
            ..served
        }
    }

    fn instant_below(&self, at: Nanos) -> Nanos {
        self.mapped(at, false)
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}

/// A run with something planted in it.
pub(crate) fn run(plant: Plant, seed: u64) -> RunResult {
    let mut dice = Dice::new(seed ^ 0x9ace);
    let seconds = dice.one_of(&[3, 6, 10]);
    let queue_depth = dice.one_of(&[1, 2, 4, 16, 32]);
    let service_ns = dice.between(1e6, 8e6) * f64::from(queue_depth).sqrt();
    let spread = dice.one_of(&[0.2, 0.5, 1.0]);
    let service = match dice.one_of(&[0, 1, 2]) {
        0 => ServiceLaw::Constant(service_ns),
        1 => ServiceLaw::Exponential(service_ns),
        _ => ServiceLaw::LogNormal(service_ns, spread),
    };
    let sigma = dice.between(0.005, 0.05);
    let period = Nanos(dice.between(50e6, 2e9) as u64);
    let wobble = Wobble::new(sigma, period, seed);
    let below = under(Box::new(device(&[], &[], service, seed)), wobble);
    let speeds = Speeds::of(plant, seconds as f64, &mut dice);
    let load = Load {
        block_bytes: 4096,
        queue_depth,
        reads: dice.one_of(&[0.0, 70.0, 100.0]),
        seconds,
        sync: dice.one_of(&[None, None, None, Some(16)]),
    };
    judged(load, under(below, speeds), &[])
}

/// Whether a result is doubted because of its pace, and how much.
pub(crate) fn level(result: &RunResult) -> Option<Level> {
    let codes = [Code::Standstill, Code::Uneven, Code::Trend];
    let caveats = result.caveats.iter();
    let of_pace = caveats.filter(|caveat| codes.iter().any(|code| code.is(caveat)));
    of_pace.map(|caveat| caveat.level).max()
}
