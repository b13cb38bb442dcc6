//! The targets of a time span as jobs.

use super::pool::{Group, groups};
use super::target::Used;
use super::{Work, ranges};
use crate::options;
use crate::profile::{Cache, Content, Target, TimeSpan};
use crate::source::At;
use fathom_core::spec::{
    Access, Arrivals, Compat, Cursor, CursorScope, Data, DataFile, Distribution, Durability, Fill,
    IoClass, IoKind, Job, Pacing, QueueScope, TargetOrder,
};
use fathom_core::units::{Bytes, Nanos, Percent, Rate};
use fathom_core::{EngineKind, Op};
use std::collections::HashSet;

/// The level of best effort that comes last.
pub(crate) const LAST_LEVEL: u32 = 7;

/// A target by its place in the time span, and what of it is used.
type UsedTarget<'a> = (usize, &'a Target, Used);

impl Work<'_> {
    /// One job for each target, or one for the threads of a pool that use the same targets.
    pub(super) fn jobs(&mut self, span: &TimeSpan, number: usize) -> Vec<Job> {
        let pool = span.threads > 0;
        let mut used = Vec::new();
        for (index, target) in span.targets.iter().enumerate() {
            let at = At::target(number, index);
            self.of_target(span, target, at);
            if let Some(part) = self.used(target, at) {
                used.push((index, target, part));
            }
        }
        if !pool {
            return used
                .iter()
                .map(|(index, target, part)| Job {
                    name: format!("target {}", index + 1),
                    targets: vec![target.path.clone()],
                    ..job(span, target, *part, 1)
                })
                .collect();
        }
        let groups = groups(span);
        let several = groups.len() > 1;
        let groups = groups.iter().enumerate();
        let jobs = groups.filter_map(|(index, group)| {
            let name = if several {
                format!("pool {}", index + 1)
            } else {
                "pool".to_owned()
            };
            self.pool(span, number, group, &used, name)
        });
        jobs.collect()
    }

    /// The job of threads with the same targets.
    fn pool(
        &mut self,
        span: &TimeSpan,
        number: usize,
        group: &Group,
        used: &[UsedTarget<'_>],
        name: String,
    ) -> Option<Job> {
        let mine: HashSet<usize> = group.targets.iter().map(|(index, _)| *index).collect();
        let used = used.iter().filter(|(index, ..)| mine.contains(index));
        let used: Vec<UsedTarget<'_>> = used.copied().collect();
        let (_, first, part) = *used.first()?;
        let same = |other: &Target| {
            let like_first = Target {
                path: first.path.clone(),
                weight: first.weight,
                thread_targets: first.thread_targets.clone(),
                ..other.clone()
            };
            like_first == *first
        };
        if !used.iter().all(|(_, target, _)| same(target)) {
            self.say(&options::POOL_MIXED, At::span(number));
        }
        let is_drawn = span.has_shared_queue() && used.len() > 1;
        let paths = used.iter().map(|(_, target, _)| target.path.clone());
        let threads = group.threads;
        let span = TimeSpan {
            threads,
            ..span.clone()
        };
        let mut job = Job {
            name,
            targets: paths.collect(),
            ..job(&span, first, shared_part(&used, part), used.len() as u64)
        };
        job.set_compat(|compat| {
            compat.target_order = is_drawn.then_some(TargetOrder::Drawn);
            compat.target_weights = weights(group, &used);
        });
        Some(job)
    }
}

/// How often each of the targets is drawn, where they differ.
fn weights(group: &Group, used: &[UsedTarget<'_>]) -> Vec<u32> {
    let of = |(index, ..): &UsedTarget<'_>| {
        let its = group.targets.iter().find(|(target, _)| target == index);
        its.map_or(1, |(_, share)| *share)
    };
    let weights: Vec<u32> = used.iter().map(of).collect();
    let alike = weights.iter().all(|weight| *weight == weights[0]);
    if alike { Vec::new() } else { weights }
}

/// The part that targets of a pool have in common: without one, each is used whole.
fn shared_part(used: &[UsedTarget<'_>], first: Used) -> Used {
    let windowed = used.iter().any(|(_, _, part)| part.window.is_some());
    let shortest = used.iter().map(|(_, _, part)| part.length).min();
    let length = shortest.unwrap_or(first.length);
    Used {
        window: windowed.then_some(Bytes(length)),
        length,
        ..first
    }
}

fn job(span: &TimeSpan, target: &Target, part: Used, targets: u64) -> Job {
    let threads = span.threads_of(target);
    let shared_queue = span.has_shared_queue();
    let queue_depth = if shared_queue {
        span.outstanding
    } else {
        target.outstanding
    };
    // What goes through a mapping is done when it has been begun.
    let queue_depth = if target.memory_mapped { 1 } else { queue_depth };
    let (io_class, io_level) = match target.priority {
        1 => (Some(IoClass::Idle), None),
        2 => (Some(IoClass::BestEffort), Some(LAST_LEVEL)),
        _ => (None, None),
    };
    Job {
        io_class,
        io_level,
        engine: target.memory_mapped.then_some(EngineKind::Mmap),
        threads,
        queue_depth,
        queue_scope: if shared_queue {
            QueueScope::Shared
        } else {
            QueueScope::PerTarget
        },
        size: part.size,
        offset: Bytes(target.base_bytes),
        window: part.window,
        access: access(target, part.length),
        pacing: pacing(target, u64::from(span.threads_of(target)) * targets),
        durability: Durability {
            direct: target.cache == Cache::Uncached,
            write_through: (target.write_through || target.flush.is_some())
                && target.write_percent > 0,
            ..Durability::PLAIN
        },
        data: data(&target.content),
        compat: Compat {
            data_file: data_file(&target.content),
            ..Compat::default()
        }
        .boxed(),
        kinds: kinds(target),
        ..Job::plain()
    }
}

fn access(target: &Target, length: u64) -> Access {
    let order = &target.order;
    let random = order.random_percent;
    Access {
        distribution: if random > 0 {
            ranges::distribution(&order.ranges, length)
        } else {
            Distribution::Uniform
        },
        stride: (random < 100).then_some(Bytes(order.stride_bytes)),
        cursor: if order.interlocked {
            Cursor::Shared
        } else {
            Cursor::Own {
                stride: Some(Bytes(target.thread_stride_bytes)),
            }
        },
        // DISKSPD has one position for reads and writes.
        cursor_scope: CursorScope::Shared,
        ..Access::PLAIN
    }
}

fn pacing(target: &Target, shares: u64) -> Pacing {
    let rate = target
        .throttle
        .map(|rate| rate.bytes_per_ms(target.block_bytes));
    if let Some(rate) = rate.filter(|rate| *rate > 0) {
        // By bytes, as DISKSPD's budget is: a load that cannot keep the rate goes on.
        return Pacing::Open {
            rate: Rate::BytesPerSecond(rate as f64 * 1000.0 * shares as f64),
            arrivals: Arrivals::Constant,
        };
    }
    match (target.burst, target.think_ms) {
        (Some(burst), Some(think)) => Pacing::Closed {
            think: Nanos::from_millis(u64::from(think)),
            burst: u64::from(burst),
        },
        _ => Pacing::CLOSED,
    }
}

fn data(content: &Content) -> Data {
    let plain = |fill| Data {
        fill,
        ..Data::PLAIN
    };
    match content {
        Content::Counting => plain(Fill::Counting),
        Content::Zero => plain(Fill::Zero),
        Content::Buffer { file: Some(_), .. } => plain(Fill::File),
        Content::Random | Content::Buffer { file: None, .. } => plain(Fill::Random),
    }
}

fn data_file(content: &Content) -> Option<DataFile> {
    let Content::Buffer { bytes, file } = content else {
        return None;
    };
    let path = file.clone()?;
    let size = Bytes(*bytes);
    Some(DataFile { path, size })
}

fn kinds(target: &Target) -> Vec<IoKind> {
    let order = &target.order;
    let align = if order.random_percent > 0 {
        order.stride_bytes
    } else {
        target.block_bytes
    };
    let shares = [
        (Op::Read, 100 - target.write_percent.min(100)),
        (Op::Write, target.write_percent),
    ];
    let present = shares.into_iter().filter(|(_, share)| *share > 0);
    present
        .map(|(op, share)| IoKind {
            op,
            block_size: Bytes(target.block_bytes),
            random: Percent(f64::from(order.random_percent)),
            align: Bytes(align),
            weight: f64::from(share),
        })
        .collect()
}
