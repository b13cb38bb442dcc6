//! What the options in fio's JSON say of the load, as far as it can be said in a few words.

use super::shape::OptionMap;
use crate::{plain_bytes, plain_time};
use fathom_core::Op;
use fathom_core::result::ResultField;
use fathom_core::spec::{Data, Fill, IoKind, Job};
use fathom_core::units::{Bytes, Percent};
use fathom_tools::plain_job;
use fathom_tools::results::draft::{self, Draft};

/// Engines that hold one request for each thread.
const SYNCHRONOUS: [&str; 10] = [
    "sync",
    "psync",
    "vsync",
    "pvsync",
    "pvsync2",
    "mmap",
    "falloc",
    "ftruncate",
    "cpuio",
    "null",
];

/// Options that make the load more than one kind of request as fast as it goes.
const INVOLVED: [&str; 10] = [
    "bssplit",
    "bsrange",
    "blocksize_range",
    "bs_unaligned",
    "percentage_random",
    "rate",
    "rate_iops",
    "thinktime",
    "zonemode",
    "read_iolog",
];

/// fio's engine on Linux without `ioengine`.
const DEFAULT_ENGINE: &str = "psync";

/// The options of a job, its own and those of all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options<'a> {
    global: &'a OptionMap,
    own: Option<&'a OptionMap>,
}

/// What a row did, to compare with its options.
#[derive(Clone, Debug)]
pub(super) struct Done {
    /// Rows of the group with the same name.
    pub(super) rows: u64,
    /// How many clones it is the sum of, by their time at work; none when that is unknown.
    pub(super) members: Option<u64>,
    /// Operations of which there was at least one.
    pub(super) ops: Vec<Op>,
}

impl Done {
    fn agrees_with(&self, kinds: &[IoKind]) -> bool {
        self.ops
            .iter()
            .all(|op| kinds.iter().any(|kind| kind.op == *op))
    }
}

impl<'a> Options<'a> {
    pub(super) fn of(global: &'a OptionMap, own: Option<&'a OptionMap>) -> Self {
        Self { global, own }
    }

    fn get(&self, names: &[&str]) -> Option<&'a str> {
        let own = names.iter().find_map(|name| self.own?.get(*name));
        let any = own.or_else(|| names.iter().find_map(|name| self.global.get(*name)));
        any.map(String::as_str)
    }

    fn has(&self, name: &str) -> bool {
        self.get(&[name]).is_some()
    }

    /// Name of the engine, as far as the options are there.
    pub(super) fn engine(&self) -> String {
        match (self.own, self.get(&["ioengine"])) {
            (_, Some(engine)) => engine.to_owned(),
            (Some(_), None) => DEFAULT_ENGINE.to_owned(),
            (None, None) => String::new(),
        }
    }

    /// Outstanding requests that the engine allows.
    pub(super) fn possible_depth(&self, asked: u64, threads: u32) -> u64 {
        if SYNCHRONOUS.contains(&self.engine().as_str()) {
            asked.min(u64::from(threads))
        } else {
            asked
        }
    }

    /// `ramp_time` in nanoseconds.
    pub(super) fn ramp_ns(&self) -> u64 {
        let ramp = self.get(&["ramp_time"]).and_then(plain_time);
        ramp.map_or(0, |ramp| ramp.0)
    }

    /// The job in our terms; what does not follow from the options is listed as unknown.
    pub(super) fn spec(&self, name: &str, done: &Done, draft: &mut Draft) -> Job {
        if self.own.is_none() {
            return draft::unknown_load(name);
        }
        let number = |names: &[&str], default: u32| match self.get(names) {
            Some(text) => plain_bytes(text).and_then(|number| u32::try_from(number).ok()),
            None => Some(default),
        };
        // A row is one clone, or the sum of all. Of a sum over several sections fio names the first
        // and has the options of the last, so the time at work has to agree.
        let clones = number(&["numjobs"], 1);
        let clones = clones.map(|clones| {
            if done.rows == u64::from(clones) {
                1
            } else {
                clones
            }
        });
        let agrees = |clones: &u32| done.members.is_none_or(|found| found == u64::from(*clones));
        let clones = clones.filter(agrees);
        let depth = number(&["iodepth"], 1);
        if clones.is_none() {
            draft.unknown([ResultField::Threads, ResultField::QueueDepth]);
        }
        if depth.is_none() {
            draft.unknown([ResultField::QueueDepth]);
        }
        let mut job = plain_job::job(name);
        job.threads = clones.unwrap_or(0);
        job.queue_depth = depth.filter(|_| clones.is_some()).unwrap_or(0);
        job.targets = self.targets();
        let on = |name: &str| self.get(&[name]).is_some_and(|value| value != "0");
        job.durability.direct = on("direct") || self.get(&["buffered"]) == Some("0");
        job.size = self.get(&["size"]).and_then(plain_bytes).map(Bytes);
        self.data(&mut job.data);
        if INVOLVED.iter().any(|name| self.has(name)) {
            draft.unknown([ResultField::LoadModel, ResultField::Workload]);
        } else if let Some(kinds) = self.kinds().filter(|kinds| done.agrees_with(kinds)) {
            job.kinds = kinds;
        } else {
            draft.unknown([ResultField::Workload]);
        }
        job
    }

    /// What writes carry.
    fn data(&self, data: &mut Data) {
        let share = |name: &str| {
            let text = self.get(&[name])?;
            text.parse()
                .ok()
                .filter(|share| (0.0..=100.0).contains(share))
        };
        if self
            .get(&["zero_buffers"])
            .is_some_and(|value| value != "0")
        {
            data.fill = Fill::Zero;
        }
        data.compressible_to.0 -= share("buffer_compress_percentage").unwrap_or(0.0);
        data.duplicate.0 += share("dedupe_percentage").unwrap_or(0.0);
    }

    fn targets(&self) -> Vec<String> {
        let names = self.get(&["filename"]).unwrap_or_default();
        let names = names.split(':').filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    }

    /// The requests, of loads that are plain.
    fn kinds(&self) -> Option<Vec<IoKind>> {
        let block_size = match self.get(&["bs", "blocksize"]) {
            Some(text) => Bytes(plain_bytes(text)?),
            None => Bytes(4096),
        };
        let (random, ops) = match self.get(&["rw", "readwrite"]).unwrap_or("read") {
            "read" => (false, vec![Op::Read]),
            "write" => (false, vec![Op::Write]),
            "trim" => (false, vec![Op::Trim]),
            "randread" => (true, vec![Op::Read]),
            "randwrite" => (true, vec![Op::Write]),
            "randtrim" => (true, vec![Op::Trim]),
            "rw" | "readwrite" => (false, vec![Op::Read, Op::Write]),
            "randrw" => (true, vec![Op::Read, Op::Write]),
            _ => return None,
        };
        let percent = |name: &str| self.get(&[name]).map(|text| text.parse::<f64>().ok());
        let reads = match (percent("rwmixread"), percent("rwmixwrite")) {
            (Some(reads), _) => reads?,
            (None, Some(writes)) => 100.0 - writes?,
            (None, None) => 50.0,
        };
        let is_mix = ops.len() > 1;
        let kind = |op: Op| IoKind {
            random: if random { Percent::ALL } else { Percent::ZERO },
            weight: match op {
                Op::Read if is_mix => reads,
                _ if is_mix => 100.0 - reads,
                _ => 1.0,
            },
            ..plain_job::in_order(op, block_size)
        };
        Some(
            ops.into_iter()
                .map(kind)
                .filter(|kind| kind.weight > 0.0)
                .collect(),
        )
    }
}
