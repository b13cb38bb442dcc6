//! Results for the examples of checks: nothing in them is questionable until an example changes it.

pub(crate) use crate::probed::made_up;
use fathom_core::Op;
use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::result::{
    CacheUse, CountedIo, DeviceLimits, DeviceUse, Extents, Ledger, Link, MicroProbe, NetworkLink,
    NetworkUse, OpResult, PhaseResult, ProbeKind, RunResult, TargetDevice, TargetLayout, ThreadUse,
};
use fathom_core::spec::Job;

/// 60 s of random reads of 4 KiB, 32 at a time.
pub(crate) fn reads() -> RunResult {
    fixture::random_read()
}

/// Those, with micro-probes.
pub(crate) fn probed(probes: Vec<MicroProbe>) -> RunResult {
    made_up::run(probes)
}

/// 60 s of random writes of 8 KiB, 4 at a time.
pub(crate) fn writes() -> RunResult {
    let stream = Stream::random(Op::Write, 8192, series(5_000, 60));
    let jobs = vec![JobPlan::closed("log", 4, vec![stream])];
    fixture::run("log", &[("measure", jobs)])
}

/// 60 s of sequential reads of 1 MiB, 8 at a time.
pub(crate) fn scan() -> RunResult {
    let stream = Stream::sequential(Op::Read, 1 << 20, series(1_500, 60));
    let jobs = vec![JobPlan::closed("scan", 8, vec![stream])];
    fixture::run("scan", &[("measure", jobs)])
}

/// On a file system that another machine serves, over a link of 10 Gbit/s.
pub(crate) fn served(result: &mut RunResult) {
    "nfs4".clone_into(&mut result.provenance.targets[0].file_system);
    result.provenance.host.links = vec![NetworkLink {
        name: "eth0".to_owned(),
        bits_per_second: 10_000_000_000,
    }];
}

/// Over which `received` bytes a second came.
pub(crate) fn network(result: &mut RunResult, received: f64) {
    let phase = phase(result);
    let seconds = phase.measured_ns as f64 / 1e9;
    phase.ledger.get_or_insert_default().network = vec![NetworkUse {
        name: "eth0".to_owned(),
        bits_per_second: 10_000_000_000,
        received_bytes: (received * seconds) as u64,
        sent_bytes: 0,
    }];
}

pub(crate) fn phase(result: &mut RunResult) -> &mut PhaseResult {
    &mut result.phases[0]
}

pub(crate) fn counters(result: &mut RunResult) -> &mut DeviceUse {
    &mut result.phases[0].devices[0]
}

pub(crate) fn spec(result: &mut RunResult) -> &mut Job {
    &mut result.provenance.workload.phases[0].jobs[0]
}

pub(crate) fn disk(result: &mut RunResult) -> &mut TargetDevice {
    &mut result.provenance.targets[0].devices[0]
}

pub(crate) fn limits(result: &mut RunResult, limits: DeviceLimits) {
    disk(result).limits = Some(Box::new(limits));
}

pub(crate) fn layout(result: &mut RunResult, layout: TargetLayout) {
    result.provenance.targets[0].layout = Some(Box::new(layout));
}

pub(crate) fn extents(result: &mut RunResult, extents: Extents) {
    let found = TargetLayout {
        span_bytes: 64 << 30,
        extents: Some(extents),
        ..TargetLayout::default()
    };
    layout(result, found);
}

pub(crate) fn account(result: &mut RunResult) -> &mut Ledger {
    phase(result).ledger.get_or_insert_default()
}

pub(crate) fn usage(result: &mut RunResult) -> &mut ThreadUse {
    let worker = &mut phase(result).jobs[0].workers[0];
    worker.usage.get_or_insert_default()
}

pub(crate) fn reads_of(result: &mut RunResult) -> &mut OpResult {
    let read = phase(result).jobs[0].ops[Op::Read].as_mut();
    read.expect("it reads")
}

/// Direct reads of which the page cache has `end_bytes`, and the device moved a share.
pub(crate) fn kept(result: &mut RunResult, end_bytes: u64, percent: u64) {
    let read_bytes = counters(result).read_bytes;
    let tally = |read_bytes| CountedIo {
        read_bytes,
        ..CountedIo::default()
    };
    *account(result) = Ledger {
        tool: tally(read_bytes),
        device: Some(tally(read_bytes / 100 * percent)),
        caches: vec![CacheUse {
            target: "/data/fathom.dat".to_owned(),
            end_bytes,
            ..CacheUse::default()
        }],
        ..Ledger::default()
    };
}

pub(crate) fn times(medians: &[(ProbeKind, u64)]) -> Vec<MicroProbe> {
    let medians = medians.iter();
    medians
        .map(|(kind, median)| made_up::with_median(*kind, *median))
        .collect()
}

/// Writes with and without flushes.
pub(crate) fn flushed(write_ns: u64, flush_ns: u64) -> Vec<MicroProbe> {
    let mut probes = times(&[(ProbeKind::Write, write_ns)]);
    probes.push(made_up::with_flush(write_ns, flush_ns));
    probes
}

/// Random data at 200 MB/s, zeros and repeats at these rates.
pub(crate) fn rates(zeros: f64, repeated: f64) -> Vec<MicroProbe> {
    let kinds = [
        (ProbeKind::DataRandom, 2.0e8),
        (ProbeKind::DataZeros, zeros),
        (ProbeKind::DataRepeated, repeated),
    ];
    let kinds = kinds.into_iter();
    kinds
        .map(|(kind, rate)| made_up::with_rates(kind, |_| rate))
        .collect()
}

pub(crate) fn phase_ns(result: &mut RunResult) -> u64 {
    phase(result).measured_ns
}

/// An NVMe disk on a link with a number of transfers and lanes that could have four.
pub(crate) fn link(result: &mut RunResult, gigatransfers: f64, lanes: u32) {
    let link = Link {
        gigatransfers,
        lanes,
        most_gigatransfers: gigatransfers,
        most_lanes: 4,
    };
    let link = Some(link);
    limits(
        result,
        DeviceLimits {
            link,
            ..DeviceLimits::default()
        },
    );
}
