//! Builds models from expressions, and drives them one request at a time.

use fathom_core::{Nanos, Op};
use fathom_volume::catalog::{Catalog, Date};
use fathom_volume::layout::Options;
use fathom_volume::model::{Demand, Flow, FlowKind, IoShape, Served, VolumeModel};
use fathom_volume::models::ServiceLaw;
use fathom_volume::{Layout, System};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::LazyLock;

pub(crate) const KIB: u32 = 1024;

static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::embedded);

/// The model of an expression on a day, perhaps under an instance.
pub(crate) fn system(text: &str, instance: Option<&str>, day: &str) -> System {
    with_service(text, instance, day, 100e3)
}

/// The same with a service time in nanoseconds.
pub(crate) fn with_service(
    text: &str,
    instance: Option<&str>,
    day: &str,
    service_ns: f64,
) -> System {
    let at: Date = day.parse().expect("a day");
    let instance = instance.map(|name| CATALOG.instance(name, None, at).expect("a known instance"));
    let options = Options {
        instance,
        service: Some(ServiceLaw::Constant(service_ns)),
        ..Options::default()
    };
    let layout: Layout = text.parse().expect("an expression");
    let built = layout.build(&CATALOG, at, &options);
    built.expect("it can be built").system
}

/// A closed load of random requests.
pub(crate) fn closed(op: Op, bytes: u32, outstanding: u32) -> Demand {
    Demand {
        closed: Flow::of(op, f64::from(bytes)),
        outstanding: f64::from(outstanding),
        ..Demand::default()
    }
}

/// An open load of random requests.
pub(crate) fn open(op: Op, bytes: u32, iops: f64) -> Demand {
    Demand {
        open: Flow::of(op, f64::from(bytes)),
        open_iops: iops,
        ..Demand::default()
    }
}

pub(crate) fn seconds(seconds: u64) -> Nanos {
    Nanos::from_secs(seconds)
}

/// Requests served in all steps.
pub(crate) fn total(served: &Served) -> f64 {
    let each = served.steps.iter();
    each.map(|step| step.iops() * step.span.as_secs_f64()).sum()
}

/// Steps as (seconds, requests a second), both rounded.
pub(crate) fn course(served: &Served) -> Vec<(u64, u64)> {
    let step = |step: &fathom_volume::model::ServedStep| {
        let seconds = step.span.as_secs_f64().round() as u64;
        (seconds, step.iops().round() as u64)
    };
    served.steps.iter().map(step).collect()
}

/// Places and kinds of a discrete load: a small generator of its own, so that the tests depend on
/// no other.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) kinds: Vec<FlowKind>,
    size_bytes: u64,
    state: u64,
    next: Vec<u64>,
}

impl Source {
    pub(crate) fn new(flow: &Flow, size_bytes: u64) -> Self {
        Self {
            kinds: flow.normalized().kinds,
            size_bytes,
            state: 0x9e37_79b9_7f4a_7c15,
            next: vec![0; flow.kinds.len()],
        }
    }

    fn random(&mut self) -> u64 {
        // xorshift64*
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn unit(&mut self) -> f64 {
        (self.random() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn draw(&mut self) -> IoShape {
        let mut left = self.unit();
        let chosen = self.kinds.iter().position(|kind| {
            left -= kind.weight;
            left < 0.0
        });
        let index = chosen.unwrap_or(self.kinds.len() - 1);
        let kind = self.kinds[index];
        let bytes = kind.bytes as u64;
        let places = (self.size_bytes / bytes).max(1);
        let goes_on = self.unit() < kind.sequential && self.next[index] + bytes <= self.size_bytes;
        let offset = if goes_on {
            self.next[index]
        } else {
            self.random() % places * bytes
        };
        self.next[index] = offset + bytes;
        IoShape {
            op: kind.op,
            offset,
            bytes: bytes as u32,
        }
    }
}

/// Requests that a closed load completes in a time, one by one.
pub(crate) fn drive_closed(system: &mut System, flow: &Flow, outstanding: u32, span: Nanos) -> u64 {
    let mut source = Source::new(flow, system.size_bytes());
    let mut due: BinaryHeap<Reverse<Nanos>> =
        (0..outstanding).map(|_| Reverse(Nanos::ZERO)).collect();
    let mut completed = 0;
    while let Some(Reverse(at)) = due.pop() {
        if at >= span {
            break;
        }
        let done = system.admit(source.draw(), at).done;
        if done <= span {
            completed += 1;
        }
        due.push(Reverse(done));
    }
    completed
}
