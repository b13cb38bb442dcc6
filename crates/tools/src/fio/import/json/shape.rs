//! The parts of fio's document that are used, by fio's names.

use crate::fio::import::options::Done;
use fathom_core::Op;
use serde::Deserialize;
use std::collections::BTreeMap;

pub(in crate::fio::import) type OptionMap = BTreeMap<String, String>;

#[derive(Debug, Deserialize)]
pub(super) struct Document {
    #[serde(rename = "fio version")]
    pub(super) version: String,
    #[serde(default)]
    pub(super) timestamp: Option<u64>,
    #[serde(default)]
    pub(super) timestamp_ms: Option<u64>,
    #[serde(default, rename = "global options")]
    pub(super) global_options: OptionMap,
    #[serde(default)]
    pub(super) jobs: Option<Vec<Job>>,
    #[serde(default)]
    pub(super) client_stats: Option<Vec<Job>>,
    /// Only in documents that Fathom has written.
    #[serde(default)]
    pub(super) fathom: Option<Fathom>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Fathom {
    pub(super) state: String,
    pub(super) caveats: Vec<Reason>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Reason {
    pub(super) code: String,
    pub(super) message: String,
}

#[derive(Debug, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names are fio's")]
pub(super) struct Job {
    /// Missing in the empty row that fio adds where a group is added up of several sections.
    #[serde(default)]
    pub(super) jobname: String,
    #[serde(default)]
    pub(super) groupid: i64,
    #[serde(default)]
    pub(super) error: i32,
    #[serde(default)]
    pub(super) total_err: u64,
    #[serde(default)]
    pub(super) first_error: i32,
    #[serde(default)]
    pub(super) elapsed: u64,
    #[serde(default)]
    pub(super) job_start: Option<u64>,
    #[serde(default, rename = "job options")]
    pub(super) options: Option<OptionMap>,
    #[serde(default)]
    pub(super) read: Option<Direction>,
    #[serde(default)]
    pub(super) write: Option<Direction>,
    #[serde(default)]
    pub(super) trim: Option<Direction>,
    #[serde(default)]
    pub(super) mixed: Option<Direction>,
    #[serde(default)]
    pub(super) sync: Option<Sync>,
    /// Time at work in milliseconds, of all members together.
    #[serde(default)]
    pub(super) job_runtime: u64,
    #[serde(default)]
    pub(super) usr_cpu: f64,
    #[serde(default)]
    pub(super) sys_cpu: f64,
    #[serde(default)]
    pub(super) majf: u64,
}

impl Job {
    /// Whether only the sum of all directions is told.
    pub(super) fn is_mixed(&self) -> bool {
        self.mixed.is_some()
            && [&self.read, &self.write, &self.trim]
                .iter()
                .all(|d| d.is_none())
    }

    /// Whether it is the empty row that fio adds where a group is added up of several sections.
    pub(super) fn is_phantom(&self) -> bool {
        self.jobname.is_empty()
            && self
                .operations()
                .all(|(_, direction)| direction.total_ios == 0)
    }

    /// The directions that are there.
    pub(super) fn operations(&self) -> impl Iterator<Item = (Op, &Direction)> {
        let directions = [
            (Op::Read, &self.read),
            (Op::Write, &self.write),
            (Op::Trim, &self.trim),
        ];
        directions
            .into_iter()
            .filter_map(|(op, direction)| Some((op, direction.as_ref()?)))
    }

    /// Longest time of a direction in milliseconds.
    pub(super) fn runtime_ms(&self) -> u64 {
        let times = self.operations().map(|(_, direction)| direction.runtime);
        times.max().unwrap_or(0)
    }

    /// What was done, to compare with what the options say. `rows` is how many rows of the group
    /// have its name.
    pub(super) fn done(&self, rows: usize) -> Done {
        let busy = self
            .operations()
            .filter(|(_, direction)| direction.total_ios > 0);
        Done {
            rows: rows as u64,
            members: self.members(),
            ops: busy.map(|(op, _)| op).collect(),
        }
    }

    /// How many clones and jobs it is the sum of, by their time at work; none when they cannot be
    /// told from it.
    fn members(&self) -> Option<u64> {
        let longest = self.runtime_ms();
        let rounded = (self.job_runtime.saturating_add(longest / 2)).checked_div(longest)?;
        Some(rounded.max(1))
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Direction {
    pub(super) io_bytes: u64,
    pub(super) bw_bytes: f64,
    pub(super) iops: f64,
    pub(super) runtime: u64,
    pub(super) total_ios: u64,
    pub(super) short_ios: u64,
    pub(super) clat_ns: Latency,
    pub(super) bw_min: f64,
    pub(super) bw_max: f64,
    pub(super) bw_mean: f64,
    pub(super) bw_dev: f64,
    pub(super) bw_samples: u64,
    pub(super) iops_min: f64,
    pub(super) iops_max: f64,
    pub(super) iops_mean: f64,
    pub(super) iops_stddev: f64,
    pub(super) iops_samples: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Sync {
    pub(super) total_ios: u64,
    pub(super) lat_ns: Latency,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Latency {
    pub(super) min: u64,
    pub(super) max: u64,
    pub(super) mean: f64,
    pub(super) stddev: f64,
    #[serde(rename = "N")]
    pub(super) count: Option<u64>,
    pub(super) percentile: BTreeMap<String, u64>,
    pub(super) bins: BTreeMap<String, u64>,
}
