//! The second pass over a trace: what each role is like.

use super::dispersion::Dispersion;
use super::ends::Ends;
use super::flushes::DeviceFlushes;
use super::kinds::Kinds;
use super::naming::{Evidence, names};
use super::popularity::Popularity;
use super::rate_bursts::Bins;
use super::rate_curve::{self, IntervalCounts};
use super::role::{INTERVALS_NS, Loop, Role};
use super::roles::{Draft, Manners, Roles};
use super::services::Services;
use super::writers::Writers;
use crate::flags::Flags;
use crate::request::Request;
use fathom_core::Op;
use fathom_core::spec::{Arrivals, Bursts, Distribution, IoKind, PauseLength, RateCurve};
use std::collections::BTreeMap;

/// Blocks whose requests are counted, all roles together: 40 MiB at most.
const MOST_BLOCKS: usize = 1 << 20;
/// Gaps that vary less, as a share of their mean, are equal.
const EQUAL_GAPS: f64 = 0.3;
/// A pause that is shorter, as a share of the time of a burst, is none.
const LEAST_THINK: f64 = 0.02;
/// Bursts of a trace that show how often they come.
const MANY_BURSTS: u64 = 20;
/// Flushes of a pattern at most, and how far the mean of a pattern is off at most if a longer one
/// is nearer.
const MOST_PATTERN: u32 = 20;
const PATTERN_ERROR: f64 = 0.01;
/// Threads of a role at most.
const MOST_THREADS: f64 = 256.0;

/// Adds a trace up for the second time.
#[derive(Debug)]
pub struct Survey {
    sums: Vec<Sums>,
    writers: Writers,
    /// Flushes of groups that write nothing.
    flushes: DeviceFlushes,
    services: Services,
    now_ns: u64,
}

/// Sums of one role.
#[derive(Debug)]
struct Sums {
    kinds: Kinds,
    ends: [Ends; 3],
    popularity: Popularity,
    dispersion: [Dispersion; 3],
    bins: Bins,
    course: IntervalCounts,
    latest_ns: Option<u64>,
    gaps: u64,
    gap_sum: f64,
    gap_squares: f64,
    durable: u64,
    flushes: u64,
    with_service: u64,
    /// Of requests and flushes, seconds.
    service_sum: f64,
}

impl Survey {
    /// For the roles of a trace.
    pub fn new(roles: &Roles) -> Self {
        let most = MOST_BLOCKS / roles.count().max(1);
        let sums = roles.drafts.iter();
        let sums = sums.map(|_| Sums::new(most, roles.length_ns));
        Self {
            sums: sums.collect(),
            writers: Writers::default(),
            flushes: DeviceFlushes::default(),
            services: Services::default(),
            now_ns: 0,
        }
    }

    /// Adds requests.
    pub fn add(&mut self, roles: &Roles, requests: &[Request]) {
        for request in requests {
            self.add_one(roles, request);
        }
    }

    fn add_one(&mut self, roles: &Roles, request: &Request) {
        let Some(op) = request.flags.op() else {
            return;
        };
        self.now_ns = self.now_ns.max(request.at_ns);
        let role = self.writers.role_of(roles, request, op);
        if role.is_none() && op == Op::Flush {
            // A kernel worker hands it over for somebody else.
            self.flushes.flushed(request, self.now_ns);
            if let Some(service_ns) = request.service_ns {
                self.services.add(op, 0, service_ns);
            }
        }
        let Some(role) = role else { return };
        let (Some(sums), Some(draft)) = (self.sums.get_mut(role), roles.drafts.get(role)) else {
            return;
        };
        if let Some(service_ns) = request.service_ns {
            self.services.add(op, request.bytes, service_ns);
            sums.with_service += u64::from(op != Op::Flush);
            sums.service_sum += service_ns as f64 / 1e9;
        }
        if op == Op::Flush {
            sums.flushes += 1;
            return;
        }
        if op == Op::Write {
            self.flushes.wrote(request, role, self.now_ns);
            let durable = [Flags::FUA, Flags::PREFLUSH];
            sums.durable += u64::from(durable.iter().any(|flag| request.flags.has(*flag)));
        }
        sums.add(draft, request, op, self.now_ns);
    }

    /// The service times so far.
    pub const fn services(&self) -> &Services {
        &self.services
    }

    /// The role of flushes whose group writes nothing, by device.
    pub(super) fn flushing(&self) -> BTreeMap<u16, usize> {
        self.flushes.owners()
    }

    /// Ends the pass.
    pub fn finish(mut self, roles: &Roles) -> Vec<Role> {
        for (role, count, service_s) in self.flushes.of_roles() {
            if let Some(sums) = self.sums.get_mut(role) {
                sums.flushes += count;
                sums.service_sum += service_s;
            }
        }
        let pairs = roles.drafts.iter().zip(&self.sums);
        let mut found: Vec<Role> = pairs.map(|(draft, sums)| sums.role(draft, roles)).collect();
        let kinds: Vec<_> = found
            .iter()
            .map(|role| (role.kind, role.process.as_str()))
            .collect();
        let names = names(&kinds);
        for (role, name) in found.iter_mut().zip(names) {
            role.name = name;
        }
        found
    }
}

impl Sums {
    fn new(most_blocks: usize, length_ns: u64) -> Self {
        Self {
            kinds: Kinds::default(),
            ends: Default::default(),
            popularity: Popularity::new(most_blocks),
            dispersion: INTERVALS_NS.map(|interval_ns| Dispersion::new(0, interval_ns)),
            bins: Bins::default(),
            course: IntervalCounts::new(length_ns),
            latest_ns: None,
            gaps: 0,
            gap_sum: 0.0,
            gap_squares: 0.0,
            durable: 0,
            flushes: 0,
            with_service: 0,
            service_sum: 0.0,
        }
    }

    fn add(&mut self, draft: &Draft, request: &Request, op: Op, now_ns: u64) {
        let ends = match op {
            Op::Read => 0,
            Op::Write => 1,
            _ => 2,
        };
        let follows = self.ends[ends].add(request.offset, request.bytes);
        self.kinds.add(op, request.offset, request.bytes, follows);
        if !follows.exactly {
            let space = draft.extents.bytes();
            let offset = draft.extents.packed(request.offset);
            self.popularity.add(request.bytes, offset, space);
        }
        for dispersion in &mut self.dispersion {
            dispersion.add(now_ns);
        }
        self.bins.add(now_ns);
        self.course.add(now_ns);
        if let Some(latest_ns) = self.latest_ns.replace(now_ns) {
            let gap = (now_ns - latest_ns) as f64 / 1e9;
            self.gaps += 1;
            self.gap_sum += gap;
            self.gap_squares += gap * gap;
        }
    }

    fn role(&self, draft: &Draft, roles: &Roles) -> Role {
        let kinds = self.kinds.list();
        let (reads, writes) = (
            self.kinds.requests(Op::Read),
            self.kinds.requests(Op::Write),
        );
        let all = self.kinds.all().max(1) as f64;
        let seconds = (roles.length_ns.max(1)) as f64 / 1e9;
        let of = |op| self.kinds.requests(op) as f64 * self.kinds.mean_bytes(op);
        let bytes = of(Op::Read) + of(Op::Write) + of(Op::Trim);
        let follows = |op| self.kinds.follows(op) * self.kinds.requests(op) as f64;
        let sequential = (follows(Op::Read) + follows(Op::Write) + follows(Op::Trim)) / all;
        let group = roles.groups.get(draft.main);
        let (process, thread) = match group {
            Some(group) => (group.process.as_str(), group.thread.as_str()),
            None => ("", ""),
        };
        // A log is known by requests that nearly follow: programs write its last page again.
        let near = draft.order();
        let evidence = Evidence {
            process,
            thread,
            reads: reads as f64 / ((reads + writes).max(1)) as f64,
            read_order: self.kinds.follows(Op::Read),
            write_order: if reads == 0 {
                near
            } else {
                self.kinds.follows(Op::Write)
            },
            read_bytes: of(Op::Read),
            written_bytes: of(Op::Write),
            mean_read_bytes: self.kinds.mean_bytes(Op::Read),
            durable: (self.flushes + self.durable) as f64 / writes.max(1) as f64,
        };
        let footprint_bytes = draft.extents.bytes();
        let manners = roles.manners_of(draft);
        let (pace, pauses, rate_curve) = self.pace(&manners, roles.length_ns);
        let has_flushes = self.flushes > 0 && writes > 0;
        let per_flush = writes as f64 / self.flushes.max(1) as f64;
        Role {
            name: String::new(),
            kind: evidence.kind(),
            process: if thread.is_empty() { process } else { thread }.to_owned(),
            device: draft.device,
            requests: self.kinds.all(),
            joined: draft.joined,
            iops: all / seconds,
            bytes_per_second: bytes / seconds,
            read_share: evidence.reads,
            sizes: self.kinds.sizes() as u64,
            sequential_share: sequential,
            run_bytes: bytes / all / (1.0 - sequential).max(1.0 / all),
            footprint_bytes,
            distribution: self.distribution(footprint_bytes, &kinds),
            pace,
            pauses,
            rate_curve,
            is_pace_known: manners.open + manners.closed > 0,
            dispersion: self.indexes(roles.length_ns),
            writes_per_flush: has_flushes.then(|| per_flush.round().clamp(1.0, 1e6) as u32),
            flush_pattern: if has_flushes {
                pattern(per_flush)
            } else {
                Vec::new()
            },
            is_write_through: writes > 0 && self.durable * 2 > writes,
            service_ns: self.service().map(|service| service * 1e9),
            extents: draft.extents.clone(),
            kinds,
        }
    }

    fn distribution(&self, footprint_bytes: u64, kinds: &[IoKind]) -> Distribution {
        if kinds.iter().all(|kind| kind.random.0 <= 0.0) {
            return Distribution::Uniform;
        }
        let commonest = self.kinds.commonest();
        let kind = kinds
            .iter()
            .find(|kind| Some((kind.op, kind.block_size.0)) == commonest);
        let (bytes, align) = match (kind, commonest) {
            (Some(kind), _) => (kind.block_size.0, kind.align.0),
            (None, Some((_, bytes))) => (bytes, bytes),
            (None, None) => (1, 1),
        };
        let blocks = 1 + footprint_bytes.saturating_sub(bytes) / align.max(1);
        self.popularity.distribution(bytes, blocks)
    }

    /// Mean service time of a request with its share of the flushes, seconds.
    fn service(&self) -> Option<f64> {
        (self.with_service > 0).then(|| self.service_sum / self.with_service as f64)
    }

    fn indexes(&self, length_ns: u64) -> [Option<f64>; 3] {
        self.dispersion.map(|one| one.index(length_ns))
    }

    /// The bursts of an open load, and the curve of its rate. Bursts of which the trace has only a
    /// few are a curve.
    fn changes(&self, length_ns: u64) -> (Option<Bursts>, Option<RateCurve>) {
        let iops = self.kinds.all() as f64 * 1e9 / length_ns.max(1) as f64;
        let mut indexes = self.indexes(length_ns);
        let bursts = self.bins.bursts(iops, length_ns, indexes);
        let many = bursts
            .filter(|one| one.clocked || one.every.0.saturating_mul(MANY_BURSTS) <= length_ns);
        let every_s = self.course.every_s();
        let expected = many.map_or(1.0, |one| one.dispersion(iops, every_s));
        let clock = bursts.filter(|one| one.clocked);
        let step_ns = clock.map_or(1, |one| one.every.0);
        let Some(curve) = self.course.curve(expected, step_ns) else {
            return (bursts, None);
        };
        for (index, interval_ns) in indexes.iter_mut().zip(INTERVALS_NS) {
            let interval_s = interval_ns as f64 / 1e9;
            // What varies over a longer time is the curve alone.
            let within = index.filter(|_| interval_s < every_s);
            *index = within.map(|index| rate_curve::without(&curve, index, iops, interval_s));
        }
        (self.bins.bursts(iops, length_ns, indexes), Some(curve))
    }

    fn pace(
        &self,
        manners: &Manners,
        length_ns: u64,
    ) -> (Loop, Vec<PauseLength>, Option<RateCurve>) {
        let seconds = length_ns.max(1) as f64 / 1e9;
        let (bursts, curve) = self.changes(length_ns);
        // What only writes at the ticks of a clock waits for the clock, though the requests of one
        // burst wait for each other.
        let is_clocked = bursts.is_some_and(|bursts| bursts.clocked);
        let is_by_clock = is_clocked && self.kinds.requests(Op::Read) == 0;
        if manners.closed <= manners.open || is_by_clock {
            let mean = self.gap_sum / self.gaps.max(1) as f64;
            let variance = self.gap_squares / self.gaps.max(1) as f64 - mean * mean;
            let is_even = self.gaps > 1 && variance.max(0.0).sqrt() < EQUAL_GAPS * mean;
            let arrivals = match bursts {
                Some(bursts) => Arrivals::Bursts(bursts),
                None if is_even => Arrivals::Constant,
                None => Arrivals::Poisson,
            };
            return (Loop::Open { arrivals }, Vec::new(), curve);
        }
        let closed = manners.closed as f64;
        let threads = (manners.closed_ns as f64 / 1e9 / seconds).round();
        let threads = threads.clamp(1.0, MOST_THREADS);
        let depth = (manners.depth / closed).round().clamp(1.0, 1024.0);
        // Flushes are among what a task does between two pauses.
        let requests = self.kinds.all().max(1) as f64;
        let own = requests / (requests + self.flushes as f64);
        let burst = (manners.burst / closed * own).round().max(1.0);
        // From the start of a burst to that of the next, and how long its requests take.
        let cycle = burst * threads * seconds / requests;
        let work = self.service().unwrap_or(0.0) * (burst / depth).max(1.0);
        let shape = manners.pauses.shape();
        let think = think(cycle, work, &shape.means_ns);
        let is_thinking = think > LEAST_THINK * cycle;
        let closed = Loop::Closed {
            threads: threads as u32,
            depth: depth as u32,
            burst: if is_thinking { burst as u64 } else { 1 },
            think_ns: if is_thinking {
                (think * 1e6) as u64 * 1000
            } else {
                0
            },
        };
        if is_thinking {
            (closed, shape.lengths, shape.curve)
        } else {
            (closed, Vec::new(), None)
        }
    }
}

/// Writes before successive flushes whose mean is this one; nothing where it is a whole number, or
/// as good as one.
fn pattern(per_flush: f64) -> Vec<u32> {
    let off = |flushes: f64| {
        let writes = (per_flush * flushes).round();
        (writes / flushes / per_flush - 1.0).abs()
    };
    let lengths = (1..=MOST_PATTERN).map(f64::from);
    let near = lengths
        .clone()
        .find(|flushes| off(*flushes) <= PATTERN_ERROR);
    let best = near.or_else(|| lengths.min_by(|a, b| off(*a).total_cmp(&off(*b))));
    let flushes = best.unwrap_or(1.0);
    let writes = (per_flush * flushes).round();
    if writes < 1.0 || (flushes - 1.0).abs() < 0.5 {
        return Vec::new();
    }
    let until = |number: u32| (f64::from(number) * writes / flushes).ceil() as u32;
    (0..flushes as u32)
        .map(|number| until(number + 1) - until(number))
        .collect()
}

/// The mean pause, in seconds, with which a cycle takes as long as it did, on average over equal
/// intervals with such pauses: where these are shorter, there are more cycles.
fn think(cycle: f64, work: f64, means_ns: &[f64]) -> f64 {
    if means_ns.len() < 2 || cycle <= work {
        return cycle - work;
    }
    let count = means_ns.len() as f64;
    let harmonic = count / means_ns.iter().map(|mean_ns| 1.0 / mean_ns).sum::<f64>();
    let cycles = |think: f64| {
        let each = means_ns.iter();
        let each = each.map(|mean_ns| cycle / (think * mean_ns / harmonic + work));
        each.sum::<f64>() / count
    };
    // Cycles become fewer as pauses become longer.
    let (mut low, mut high) = (0.0, cycle);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if cycles(middle) > 1.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn patterns_have_the_mean() {
        assert_eq!(pattern(1.0), Vec::<u32>::new());
        assert_eq!(pattern(7.04), Vec::<u32>::new());
        assert_eq!(pattern(1.5), [2, 1]);
        assert_eq!(pattern(0.4), [1, 0, 1, 0, 0]);
        let found = pattern(1.526);
        assert_eq!(found, [2, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1]);
    }
}
