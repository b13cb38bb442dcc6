//! Made-up runs of DISKSPD command lines.

use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::result::{
    JobResult, ProcessorUse, RunResult, WorkerOp, WorkerResult, WorkerShare,
};
use fathom_core::summary::Spread;
use fathom_core::{Op, PerOp};
use fathom_diskspd::{self as diskspd, Profile};
use fathom_tools::Surroundings;
use std::io;
use std::path::Path;

/// A run with what it was asked for.
pub(crate) struct Made {
    pub(crate) result: RunResult,
    pub(crate) profile: Profile,
    pub(crate) argv: Vec<String>,
}

impl Made {
    pub(crate) fn text(&self) -> String {
        fathom_diskspd::layout::text(&self.result, &self.profile, &self.argv)
    }

    pub(crate) fn xml(&self) -> String {
        fathom_diskspd::layout::xml(&self.result, &self.profile)
    }
}

/// Files of 64 GiB everywhere.
struct Lab;

impl Surroundings for Lab {
    fn size_bytes(&self, _: &Path) -> Option<u64> {
        Some(64 << 30)
    }

    fn read(&self, _: &Path) -> io::Result<String> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }
}

/// The run of `line` whose jobs did these requests in each second.
fn made(line: &str, jobs: Vec<(&str, Vec<Stream>)>) -> Made {
    let argv: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let input = diskspd::read(&argv, &Lab).expect(line);
    let translation = input.translate(&Lab).expect(line);
    let plans = jobs
        .into_iter()
        .map(|(name, streams)| JobPlan::closed(name, 32, streams));
    let mut result = fixture::run("diskspd", &[("timespan 1", plans.collect())]);
    for (job, spec) in result.phases[0]
        .jobs
        .iter_mut()
        .zip(&translation.workload.phases[0].jobs)
    {
        job.threads = spec.threads;
        job.targets.clone_from(&spec.targets);
    }
    let known = result.provenance.targets.remove(0);
    result.provenance.targets = input.profile.spans[0]
        .targets
        .iter()
        .map(|target| fathom_core::result::TargetInfo {
            path: target.path.clone(),
            ..known.clone()
        })
        .collect();
    result.provenance.workload = translation.workload;
    Made {
        result,
        profile: input.profile,
        argv,
    }
}

/// Splits a job's requests evenly over its threads, and says so.
fn share_out(job: &mut JobResult) {
    let threads = u64::from(job.threads);
    let share = |op: Option<&fathom_core::result::OpResult>| {
        let op = op?;
        Some(WorkerOp {
            ios: op.ios / threads,
            bytes: op.bytes / threads,
            service_ns: Spread {
                count: op.service_ns.count / threads,
                mean: op.service_ns.mean,
                stddev: op.service_ns.stddev,
                min: op.service_ns.min as f64,
                max: op.service_ns.max as f64,
            },
            iops_by_interval: Spread {
                stddev: op.iops_by_interval.stddev / threads as f64,
                ..op.iops_by_interval
            },
        })
    };
    let (read, write) = (share(job.ops.get(Op::Read)), share(job.ops.get(Op::Write)));
    job.workers = (0..job.threads)
        .map(|thread| WorkerResult {
            thread,
            share: Some(WorkerShare {
                ops: PerOp::from_fn(|op| match op {
                    Op::Read => read,
                    Op::Write => write,
                    _ => None,
                }),
                iops_by_interval: read.or(write).unwrap_or_default().iops_by_interval,
                ..WorkerShare::default()
            }),
            ..WorkerResult::default()
        })
        .collect();
}

/// Four processors of two cores in two packages.
fn processors() -> Vec<ProcessorUse> {
    (0..4)
        .map(|number| ProcessorUse {
            number,
            core: number / 2,
            socket: number / 2,
            node: 0,
            user_percent: f64::from(number) * 2.5,
            kernel_percent: 12.25,
            idle_percent: 87.75 - f64::from(number) * 2.5,
        })
        .collect()
}

/// Reads and writes of one file by two threads, with everything switched on.
pub(crate) fn full() -> Made {
    let line = "diskspd -b4K -r -w30 -t2 -o32 -d8 -W5 -C1 -z7 -Sh -Z1M -D -L -v /data/a.dat";
    let mut reads = series(70_000, 8);
    reads[3] = 35_000;
    let streams = vec![
        Stream::random(Op::Read, 4096, reads),
        Stream::random(Op::Write, 4096, series(30_000, 8)),
    ];
    let mut made = made(line, vec![("target 1", streams)]);
    share_out(&mut made.result.phases[0].jobs[0]);
    made.result.phases[0].process.processors = processors();
    made
}

/// Sequential reads of two files, nothing switched on, threads not told apart.
pub(crate) fn plain() -> Made {
    let line = "diskspd -b64K -t2 -T1M -B1G:8G -g500i -n -fs -I1 /data/a.dat /data/b.dat";
    let streams = |rate| vec![Stream::sequential(Op::Read, 65_536, series(rate, 10))];
    made(
        line,
        vec![("target 1", streams(1000)), ("target 2", streams(900))],
    )
}

/// A pool of threads over two files, few requests, with hot ranges.
pub(crate) fn pool() -> Made {
    let line = "diskspd -b8K -F4 -O8 -rdpct90/10:0/10:5/20 -rs100 -w100 -Zr -a0,2 -L -D500 \
                /data/a.dat /data/b.dat";
    let streams = vec![Stream::random(Op::Write, 8192, vec![40, 41, 39, 40])];
    made(line, vec![("pool", streams)])
}

/// Two time spans, the second interrupted in its warm-up.
pub(crate) fn two_spans() -> Made {
    let mut made = plain();
    let mut second = made.profile.spans[0].clone();
    second.targets.truncate(1);
    second.targets[0].order.interlocked = true;
    made.profile.spans.push(second);
    let mut phase = made.result.phases[0].clone();
    phase.jobs.truncate(1);
    made.result.phases.push(phase);
    made
}

/// One file in two targets, with ranges in bytes that the second part of it does not hold.
pub(crate) fn twice() -> Made {
    let line = "diskspd -b4K -r -rdabs10/1G:20/1G:70/1T -t2 -L /data/a.dat /data/a.dat";
    let streams = |rate| vec![Stream::random(Op::Read, 4096, series(rate, 10))];
    let jobs = vec![("target 1", streams(1000)), ("target 2", streams(500))];
    let mut made = made(line, jobs);
    made.profile.spans[0].targets[1].max_bytes = Some(2 << 30);
    for job in &mut made.result.phases[0].jobs {
        share_out(job);
    }
    made
}

/// Ended before anything was measured.
pub(crate) fn interrupted() -> Made {
    let mut made = plain();
    let phase = &mut made.result.phases[0];
    phase.measured_ns = 0;
    phase.intervals.clear();
    for job in &mut phase.jobs {
        job.ops[Op::Read] = None;
    }
    made
}
