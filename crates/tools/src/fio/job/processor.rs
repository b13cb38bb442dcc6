//! Sections that take processor time beside others and ask no storage for anything.

use super::{Maker, multiply};
use crate::fio::source::{Findings, Wrong};
use fathom_core::spec::{Durability, IoKind, Job, JobEngine, JobStop, Pacing};
use fathom_core::{Bytes, Nanos, Op};

/// Where requests would go that are not made; it is there, and nothing has to be laid out.
const NOWHERE: &str = "/dev/null";

/// More than there are in any time.
const MANY: u64 = 1 << 62;

impl Maker<'_> {
    /// A job for each clone, or one with as many threads.
    pub(super) fn of_processor(&self, findings: &mut Findings) -> Option<Vec<Job>> {
        let settings = self.settings;
        let burn = settings.burn;
        if burn.percent == 0 {
            let message = "nothing says how much processor time the job takes";
            self.error(findings, "ioengine", Wrong::new(message, "cpuload=50"));
            return None;
        }
        if settings.runtime == Nanos::ZERO && !burn.ends_with_others {
            let wrong = Wrong::new(
                "nothing ends a job that only takes processor time",
                "runtime=, or exit_on_io_done=1 beside other jobs",
            );
            self.error(findings, "ioengine", wrong);
            return None;
        }
        let time = Some(settings.runtime).filter(|_| !burn.ends_with_others);
        let think = Nanos(burn.chunk.0.saturating_mul(100 - burn.percent) / burn.percent);
        let pauses = think > Nanos::ZERO;
        let job = |clone: Option<u64>| Job {
            name: clone.map_or_else(
                || self.name.to_owned(),
                |clone| format!("{}.{clone}", self.name),
            ),
            targets: vec![NOWHERE.to_owned()],
            engine: Some(JobEngine::Cpu),
            size: Some(Bytes(4096)),
            burst_time: pauses.then_some(burn.chunk),
            pacing: if pauses {
                Pacing::Closed { think, burst: MANY }
            } else {
                Pacing::CLOSED
            },
            durability: Durability {
                direct: false,
                ..Durability::PLAIN
            },
            stop: JobStop {
                time,
                ..JobStop::default()
            },
            kinds: vec![IoKind::plain(Op::Read, Bytes(4096))],
            ..Job::plain()
        };
        let clones = settings.clones;
        if clones > 1 && !settings.group_reporting {
            return Some((0..clones).map(|clone| job(Some(clone))).collect());
        }
        let mut all = job(None);
        multiply(&mut all, clones as u32);
        Some(vec![all])
    }
}
