//! A row of fio's reports, by the names of its JSON.

use crate::import::options::Done;
use fathom_core::Op;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Options by name, as they were given.
pub(in crate::import) type OptionMap = BTreeMap<String, String>;

#[derive(Debug, Default, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names are fio's")]
pub(in crate::import) struct Job {
    /// Missing in the empty row that fio adds where a group is added up of several sections.
    #[serde(default)]
    pub(in crate::import) jobname: String,
    #[serde(default)]
    pub(in crate::import) groupid: i64,
    #[serde(default)]
    pub(in crate::import) error: i32,
    #[serde(default)]
    pub(in crate::import) total_err: u64,
    #[serde(default)]
    pub(in crate::import) first_error: i32,
    #[serde(default)]
    pub(in crate::import) elapsed: u64,
    #[serde(default)]
    pub(in crate::import) job_start: Option<u64>,
    #[serde(default, rename = "job options")]
    pub(in crate::import) options: Option<OptionMap>,
    #[serde(default)]
    pub(in crate::import) read: Option<Direction>,
    #[serde(default)]
    pub(in crate::import) write: Option<Direction>,
    #[serde(default)]
    pub(in crate::import) trim: Option<Direction>,
    #[serde(default)]
    pub(in crate::import) mixed: Option<Direction>,
    #[serde(default)]
    pub(in crate::import) sync: Option<Sync>,
    /// Time at work in milliseconds, of all members together.
    #[serde(default)]
    pub(in crate::import) job_runtime: u64,
    #[serde(default)]
    pub(in crate::import) usr_cpu: f64,
    #[serde(default)]
    pub(in crate::import) sys_cpu: f64,
    #[serde(default)]
    pub(in crate::import) majf: u64,
    #[serde(default)]
    pub(in crate::import) minf: u64,
}

impl Job {
    /// Whether the result has only the sum of all directions.
    pub(in crate::import) fn is_mixed(&self) -> bool {
        self.mixed.is_some()
            && [&self.read, &self.write, &self.trim]
                .iter()
                .all(|d| d.is_none())
    }

    /// Whether it is the empty row that fio adds where a group is added up of several sections.
    pub(in crate::import) fn is_phantom(&self) -> bool {
        self.jobname.is_empty()
            && self
                .operations()
                .all(|(_, direction)| direction.total_ios == 0)
    }

    /// The directions that are there.
    pub(in crate::import) fn operations(&self) -> impl Iterator<Item = (Op, &Direction)> {
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
    pub(in crate::import) fn runtime_ms(&self) -> u64 {
        let times = self.operations().map(|(_, direction)| direction.runtime);
        times.max().unwrap_or(0)
    }

    /// What was done, to compare with what the options say. `rows` is how many rows of the group
    /// have its name.
    pub(in crate::import) fn done(&self, rows: usize) -> Done {
        let busy = self
            .operations()
            .filter(|(_, direction)| direction.total_ios > 0);
        Done {
            rows: rows as u64,
            members: self.members(),
            ops: busy.map(|(op, _)| op).collect(),
        }
    }

    /// How many clones and jobs it is the sum of, by their time at work; none when they do not
    /// follow from it.
    fn members(&self) -> Option<u64> {
        let longest = self.runtime_ms();
        let rounded = (self.job_runtime.saturating_add(longest / 2)).checked_div(longest)?;
        Some(rounded.max(1))
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::import) struct Direction {
    pub(in crate::import) io_bytes: u64,
    pub(in crate::import) bw_bytes: f64,
    pub(in crate::import) iops: f64,
    pub(in crate::import) runtime: u64,
    pub(in crate::import) total_ios: u64,
    pub(in crate::import) short_ios: u64,
    pub(in crate::import) clat_ns: Latency,
    pub(in crate::import) bw_min: f64,
    pub(in crate::import) bw_max: f64,
    pub(in crate::import) bw_mean: f64,
    pub(in crate::import) bw_dev: f64,
    pub(in crate::import) bw_samples: u64,
    pub(in crate::import) iops_min: f64,
    pub(in crate::import) iops_max: f64,
    pub(in crate::import) iops_mean: f64,
    pub(in crate::import) iops_stddev: f64,
    pub(in crate::import) iops_samples: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::import) struct Sync {
    pub(in crate::import) total_ios: u64,
    pub(in crate::import) lat_ns: Latency,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::import) struct Latency {
    pub(in crate::import) min: u64,
    pub(in crate::import) max: u64,
    pub(in crate::import) mean: f64,
    pub(in crate::import) stddev: f64,
    #[serde(rename = "N")]
    pub(in crate::import) count: Option<u64>,
    pub(in crate::import) percentile: BTreeMap<String, u64>,
    pub(in crate::import) bins: BTreeMap<String, u64>,
}
