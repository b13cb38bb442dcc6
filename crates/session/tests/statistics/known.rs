//! The table of known bounds: loads and devices whose bound is known, one way or another, and what
//! is said of each. Every row names the right cause, or says that it cannot tell.
//!
//! What virtual time has not (heat, a control group, the processor) stands in the result as the
//! host would have told it. The siege has the ones that are cheap on real devices.

use crate::bench::{Load, cap, device, explained, judged, noisy, run_of, under};
use crate::culprits;
use fathom_core::result::{Bound, BoundKind, Mechanism, ProbeKind, RunResult};
use fathom_core::spec::{Arrivals, Pacing};
use fathom_core::{Cap, CapBurst, CapScope, CapUnit, Level, Nanos};
use fathom_engine::sim::VolumeModel;
use fathom_verdict::Code;
use fathom_volume::models::ServiceLaw;
use fathom_volume::models::layers::{Scope, Stall, StallTimes, Stalls};

const SEED: u64 = 7;
const KIB: u64 = 1024;

/// What is to be said.
#[derive(Clone, Copy, Debug)]
enum Truth {
    /// A limit or a cause with this name.
    Named(BoundKind, &'static str),
    /// One of these mechanisms made the rate fall, and is told first.
    Fell(Mechanism),
    /// It cannot be told: nothing may be named that holds.
    Unknown,
}

use BoundKind::{BeyondHost, Cap as AtCap, Generator, QueueDepth, Schedule};
use Truth::{Fell, Named, Unknown};

type KnownCase = (&'static str, fn() -> RunResult, Truth);

/// A closed load of 16 requests of 16 KiB, a third of a second of it at 200 requests a second.
const LOAD: Load = Load {
    block_bytes: 16 * KIB,
    queue_depth: 16,
    reads: 100.0,
    seconds: 20,
    sync: None,
};

fn iops(name: &str, value: f64) -> Cap {
    cap(name, CapUnit::Iops, value, None)
}

fn bytes(name: &str, value: f64) -> Cap {
    cap(name, CapUnit::BytesPerSecond, value, None)
}

/// A device that takes so many seconds for a request, behind limits that are known.
fn behind(load: Load, service_s: f64, instance: &[Cap], volume: &[Cap]) -> RunResult {
    let caps: Vec<Cap> = instance.iter().chain(volume).cloned().collect();
    explained(load, model(service_s, instance, volume), &caps)
}

fn model(service_s: f64, instance: &[Cap], volume: &[Cap]) -> Box<dyn VolumeModel> {
    let law = ServiceLaw::LogNormal(service_s * 1e9 / 0.045_f64.exp(), 0.3);
    noisy(Box::new(device(instance, volume, law, SEED)), SEED)
}

/// The limits that are far away in most rows.
fn far() -> Vec<Cap> {
    vec![
        iops("instance requests", 4000.0),
        bytes("instance bytes", 200e6),
    ]
}

fn of_volume(load: Load, caps: &[Cap]) -> RunResult {
    behind(load, 0.005, &far(), caps)
}

fn fell(mechanism: Mechanism) -> RunResult {
    culprits::told(mechanism, SEED)
}

/// A phase that was held at 500 requests a second by what the model has no words for, judged again
/// with what the kernel says beside it.
fn with_host(tell: impl FnOnce(&mut RunResult)) -> RunResult {
    let mut result = explained(LOAD, model(0.005, &[], &[iops("nobody's", 500.0)]), &[]);
    tell(&mut result);
    fathom_verdict::explain(&mut result, &[]);
    result
}

fn limited_by(line: &'static str) -> RunResult {
    with_host(|result| result.provenance.io_limits = vec![line.to_owned()])
}

fn caveat(result: &mut RunResult, code: Code) {
    let caveat = code.caveat(Level::Suspect, "the host says so");
    result
        .caveats
        .push(caveat.about(result.phases[0].name.clone()));
}

fn open(rate: &str, service_s: f64) -> RunResult {
    let pacing = Pacing::Open {
        rate: rate.parse().expect("a rate"),
        arrivals: Arrivals::Constant,
    };
    let mut result = run_of(LOAD, model(service_s, &[], &[]), |job| job.pacing = pacing);
    fathom_verdict::judge(&mut result);
    fathom_verdict::explain(&mut result, &[]);
    result
}

/// 200 requests of 256 KiB a second, which a limit counts as 3,200 of 16 KiB.
fn in_pieces() -> RunResult {
    let mut cap = iops("volume requests", 3200.0);
    cap.request_bytes = Some(16 * KIB);
    let model = model(0.005, &[], &[iops("volume requests", 200.0)]);
    explained(LARGE, model, &[cap])
}

fn of(scope: CapScope, mut cap: Cap) -> Cap {
    cap.scope = scope;
    cap
}

fn bucket(name: &str) -> Cap {
    let burst = CapBurst {
        value: 900.0,
        capacity: 6000.0,
    };
    cap(name, CapUnit::Iops, 300.0, Some(burst))
}

/// A device that stands still for a part of the doubling, and of nothing else.
fn stalled_probe() -> RunResult {
    let stall = Stall {
        at: Nanos::from_secs(27),
        length: Nanos::from_millis(2500),
    };
    let below = model(0.005, &[], &[iops("nobody's", 500.0)]);
    let stalls = Stalls::new(StallTimes::Listed(vec![stall]), Scope::All);
    explained(LOAD, under(below, stalls), &[])
}

const LARGE: Load = Load {
    block_bytes: 256 * KIB,
    ..LOAD
};
const MIXED: Load = Load {
    reads: 50.0,
    ..LOAD
};
const WRITES: Load = Load { reads: 0.0, ..LOAD };
const SINGLE: Load = Load {
    queue_depth: 1,
    ..LOAD
};

const KNOWN: [KnownCase; 36] = [
    // A limit, and the others far away.
    (
        "requests of a volume, read",
        || of_volume(LOAD, &[iops("volume requests", 500.0)]),
        Named(AtCap, "volume requests"),
    ),
    (
        "requests of a volume, written",
        || of_volume(WRITES, &[iops("volume requests", 500.0)]),
        Named(AtCap, "volume requests"),
    ),
    (
        "requests of a volume, both",
        || of_volume(MIXED, &[iops("volume requests", 500.0)]),
        Named(AtCap, "volume requests"),
    ),
    (
        "bytes of a volume, read",
        || of_volume(LARGE, &[bytes("volume bytes", 50e6)]),
        Named(AtCap, "volume bytes"),
    ),
    (
        "bytes of a volume, written",
        || {
            of_volume(
                Load {
                    reads: 0.0,
                    ..LARGE
                },
                &[bytes("volume bytes", 50e6)],
            )
        },
        Named(AtCap, "volume bytes"),
    ),
    (
        "requests of an instance",
        || {
            behind(
                LOAD,
                0.005,
                &[iops("instance requests", 500.0)],
                &[iops("volume requests", 2000.0)],
            )
        },
        Named(AtCap, "instance requests"),
    ),
    (
        "bytes of an instance",
        || {
            behind(
                LARGE,
                0.005,
                &[bytes("instance bytes", 50e6)],
                &[bytes("volume bytes", 150e6)],
            )
        },
        Named(AtCap, "instance bytes"),
    ),
    (
        "requests of reads alone",
        || of_volume(MIXED, &[of(CapScope::Reads, iops("volume reads", 250.0))]),
        Named(AtCap, "volume reads"),
    ),
    (
        "requests of writes alone",
        || of_volume(MIXED, &[of(CapScope::Writes, iops("volume writes", 250.0))]),
        Named(AtCap, "volume writes"),
    ),
    (
        "requests counted in pieces",
        || in_pieces(),
        Named(AtCap, "volume requests"),
    ),
    (
        "two limits that meet at this size",
        || {
            of_volume(
                LOAD,
                &[
                    iops("volume requests", 500.0),
                    bytes("volume bytes", 500.0 * 16_384.0),
                ],
            )
        },
        Unknown,
    ),
    (
        "a limit that nobody knows",
        || {
            explained(
                LOAD,
                model(0.005, &[], &[iops("volume requests", 500.0)]),
                &[],
            )
        },
        Named(BeyondHost, "outside this host"),
    ),
    // The queue, and the one who fills it.
    (
        "one read at a time",
        || of_volume(SINGLE, &[iops("volume requests", 2000.0)]),
        Named(QueueDepth, "queue depth"),
    ),
    (
        "one write at a time",
        || {
            of_volume(
                Load {
                    reads: 0.0,
                    ..SINGLE
                },
                &[iops("volume requests", 2000.0)],
            )
        },
        Named(QueueDepth, "queue depth"),
    ),
    (
        "four at a time, where thirty fit",
        || {
            behind(
                Load {
                    queue_depth: 4,
                    ..LOAD
                },
                0.01,
                &far(),
                &[iops("volume requests", 3000.0)],
            )
        },
        Named(QueueDepth, "queue depth"),
    ),
    (
        "sixteen at a time, where sixty fit",
        || behind(LOAD, 0.02, &far(), &[iops("volume requests", 3000.0)]),
        Named(QueueDepth, "queue depth"),
    ),
    (
        "a flush after each write",
        || {
            of_volume(
                Load {
                    sync: Some(1),
                    ..Load {
                        reads: 0.0,
                        ..SINGLE
                    }
                },
                &[iops("volume requests", 3000.0)],
            )
        },
        Named(QueueDepth, "flushes"),
    ),
    (
        "a schedule that is served",
        || open("100 IOPS", 0.005),
        Named(Schedule, "schedule"),
    ),
    (
        "a schedule that is not served",
        || open("9000 IOPS", 0.01),
        Unknown,
    ),
    (
        "threads without processor time",
        || with_host(|result| caveat(result, Code::GeneratorCpu)),
        Named(Generator, "generator CPU"),
    ),
    (
        "slots that nobody fills",
        || with_host(|result| result.phases[0].jobs[0].queue_depth_held = 7.0),
        Named(Generator, "generator"),
    ),
    // What made a rate fall.
    (
        "the credit of a volume",
        || {
            of_volume(
                Load {
                    seconds: 60,
                    ..LOAD
                },
                &[bucket("volume requests")],
            )
        },
        Named(AtCap, "volume requests"),
    ),
    (
        "the credit of an instance",
        || {
            behind(
                Load {
                    seconds: 60,
                    ..LOAD
                },
                0.005,
                &[bucket("instance requests")],
                &[iops("volume requests", 3000.0)],
            )
        },
        Named(AtCap, "instance requests"),
    ),
    (
        "fast cells of flash",
        || fell(Mechanism::FlashCache),
        Fell(Mechanism::FlashCache),
    ),
    (
        "a write-back cache",
        || fell(Mechanism::WriteCache),
        Fell(Mechanism::WriteCache),
    ),
    (
        "the limit of dirty pages",
        || fell(Mechanism::DirtyLimit),
        Fell(Mechanism::DirtyLimit),
    ),
    ("heat", || fell(Mechanism::Heat), Fell(Mechanism::Heat)),
    (
        "the processor's quota",
        || fell(Mechanism::Processor),
        Fell(Mechanism::Processor),
    ),
    (
        "garbage collection",
        || fell(Mechanism::Collection),
        Fell(Mechanism::Collection),
    ),
    // The control group.
    (
        "reads of a control group",
        || limited_by("io.max sda riops=500"),
        Named(AtCap, "io.max riops"),
    ),
    (
        "bytes of a control group",
        || limited_by("io.max sda rbps=8192000"),
        Named(AtCap, "io.max rbps"),
    ),
    (
        "reads of a control group, version 1",
        || limited_by("blkio.throttle.read_iops_device sda 500"),
        Named(AtCap, "blkio.throttle.read_iops_device riops"),
    ),
    (
        "a limit of writes, and only reads",
        || limited_by("io.max sda wiops=500"),
        Named(BeyondHost, "outside this host"),
    ),
    (
        "a limit that is far away",
        || limited_by("io.max sda riops=5000"),
        Named(BeyondHost, "outside this host"),
    ),
    // What has no cause that could be known.
    ("a stall while it is tried", stalled_probe, Unknown),
    (
        "neither limits nor probes",
        || judged(LOAD, model(0.005, &[], &[iops("nobody's", 500.0)]), &[]),
        Unknown,
    ),
];

/// Whether what is said is right, or that nobody can tell.
fn is_right(bound: &Bound, truth: Truth) -> bool {
    match truth {
        Named(kind, name) => (bound.kind, bound.name.as_str()) == (kind, name),
        Fell(mechanism) => bound.culprits.first().map(|one| one.mechanism) == Some(mechanism),
        Unknown => matches!(bound.kind, BoundKind::Unexplained | BoundKind::Ambiguous),
    }
}

#[test]
fn every_known_bound_is_named_or_nobody_can_tell() {
    let mut wrong = Vec::new();
    for (name, make, truth) in KNOWN {
        let result = make();
        let bound = result.phases[0].bound.as_deref();
        let told = bound.map_or("nothing", |bound| bound.sentence.as_str());
        println!("{name}: {told}");
        if !bound.is_some_and(|bound| is_right(bound, truth)) {
            wrong.push(format!("{name}: {told}, and it is {truth:?}"));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// Beside the table: what a probe shows at a limit that the table's rows do not double.
#[test]
fn a_doubling_that_stalled_is_not_the_loads_doing() {
    let result = stalled_probe();
    let kinds: Vec<ProbeKind> = result.probes.iter().map(|probe| probe.kind).collect();
    let is_doubled = kinds.contains(&ProbeKind::DoubleDepth);
    assert!(is_doubled, "{kinds:?}");
}
