//! The load that both scripts make: every stream writes its file, then every stream reads it.

use fathom_core::op::Op;
use fathom_core::spec::{Data, Durability, Fill, Job, JobStop, Phase, SyncEvery};
use fathom_core::units::Bytes;
use fathom_tools::plain_job::{in_order, job, phase};

/// The streams of one directory.
#[derive(Clone, Debug)]
pub(super) struct Streams<'a> {
    pub(super) directory: &'a str,
    /// First part of the files' names.
    pub(super) program: &'a str,
    pub(super) count: u32,
    pub(super) blocks: u64,
    pub(super) block_kib: u64,
    /// Flush each file at its end, inside the time.
    pub(super) flush: bool,
    pub(super) incompressible: bool,
    pub(super) cold: bool,
}

impl Streams<'_> {
    /// Both phases.
    pub(super) fn phases(&self) -> Vec<Phase> {
        let jobs = |make: fn(&Self, u32) -> Job| (1..=self.count).map(|n| make(self, n)).collect();
        vec![
            phase("write", jobs(Self::writer)),
            phase("read", jobs(Self::reader)),
        ]
    }

    fn size(&self) -> Bytes {
        Bytes(self.blocks * self.block_kib * 1024)
    }

    fn one(&self, number: u32) -> Job {
        let directory = self.directory.trim_end_matches('/');
        let path = format!("{directory}/{}-dd-write.{number}", self.program);
        let mut job = job(format!("stream-{number}"));
        job.targets = vec![path];
        job.size = Some(self.size());
        job.stop = JobStop {
            ios: Some(self.blocks),
            ..JobStop::default()
        };
        job
    }

    fn writer(&self, number: u32) -> Job {
        let mut job = self.one(number);
        job.fresh = true;
        job.kinds = vec![in_order(Op::Write, Bytes(self.block_kib * 1024))];
        job.data = Data {
            fill: if self.incompressible {
                Fill::Random
            } else {
                Fill::Zero
            },
            ..Data::PLAIN
        };
        // A count beyond the type cannot be: the file would be larger than any file system.
        let writes = u32::try_from(self.blocks).unwrap_or(u32::MAX);
        job.durability = Durability {
            sync: self.flush.then_some(SyncEvery {
                writes,
                data_only: false,
            }),
            ..job.durability
        };
        job
    }

    fn reader(&self, number: u32) -> Job {
        let mut job = self.one(number);
        job.cold = self.cold;
        job.kinds = vec![in_order(Op::Read, Bytes(self.block_kib * 1024))];
        job
    }
}
