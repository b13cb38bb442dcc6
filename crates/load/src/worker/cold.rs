//! Passes over targets, after each of which what the page cache holds of them is dropped.

use crate::request::Window;
use crate::targets::JobTargets;
use fathom_core::spec::Job;
use fathom_engine::OpenTarget;
use std::sync::Arc;

/// The passes of one thread.
#[derive(Debug)]
pub struct ColdPasses {
    /// Bytes of a pass, and those that are left of this one.
    every: u64,
    left: u64,
    /// Bytes of the largest request.
    len: u64,
    targets: Box<[(Arc<OpenTarget>, Window)]>,
}

impl ColdPasses {
    /// Those of a job, if pages are dropped again.
    pub fn of(job: &Job, targets: &JobTargets) -> Option<Self> {
        let every = job.compat().cold_again?.0.max(1);
        let open = targets.open.iter().cloned();
        Some(Self {
            every,
            left: every,
            len: job.largest_io().0.max(1),
            targets: open.zip(targets.windows.iter().copied()).collect(),
        })
    }

    /// A request of `bytes` bytes is issued.
    #[inline]
    pub(super) fn issued(&mut self, len: u32) {
        self.left = self.left.saturating_sub(len.into());
    }

    /// Requests left of this pass, of which each is as long as the largest.
    pub(super) const fn requests(&self) -> u64 {
        self.left.div_ceil(self.len)
    }

    /// The same number of requests, issued together.
    pub(super) const fn issued_alike(&mut self, count: u32) {
        self.left = self.left.saturating_sub(self.len * count as u64);
    }

    /// Whether all requests of a pass are issued: the next one waits until these are done and the
    /// pages are dropped, which is no time of any request then.
    #[inline]
    pub(super) const fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Drops the pages between two passes, while nothing is in flight.
    #[cold]
    pub(super) fn drop_pages(&mut self) {
        self.left = self.every;
        for (target, window) in &self.targets {
            target.drop_pages(window.start, window.len);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::Bytes;
    use fathom_core::spec::Compat;
    use fathom_engine::OpenOptions;
    use rustix::io::ReadWriteFlags;
    use std::io::IoSliceMut;

    /// Whether a page of a file is in memory; none where the file system does not tell.
    fn is_cached(target: &OpenTarget) -> Option<bool> {
        let mut page = [0; 4096];
        let mut slices = [IoSliceMut::new(&mut page)];
        match rustix::io::preadv2(&target.fd, &mut slices, 0, ReadWriteFlags::NOWAIT) {
            Ok(4096) => Some(true),
            Err(rustix::io::Errno::AGAIN) => Some(false),
            _ => None,
        }
    }

    #[test]
    fn pages_are_dropped_after_each_pass_and_not_before() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let file = std::fs::File::create(&path).expect("a file");
        file.set_len(1 << 20).expect("room");
        std::io::Write::write_all(&mut &file, &vec![1; 1 << 20]).expect("bytes");
        file.sync_all().expect("they are written back");
        let options = OpenOptions {
            read: true,
            ..OpenOptions::default()
        };
        let target = OpenTarget::open(&path, &options).expect("it is there");
        let job = Job {
            compat: Compat {
                cold_again: Some(Bytes(16384)),
                ..Compat::default()
            }
            .boxed(),
            ..Job::plain()
        };
        let len = 1 << 20;
        let targets = JobTargets {
            open: vec![Arc::new(target)],
            windows: vec![Window { start: 0, len }],
            ..JobTargets::default()
        };
        let mut passes = ColdPasses::of(&job, &targets).expect("there are passes");
        let file = &targets.open[0];
        file.drop_pages(0, len);
        if is_cached(file) != Some(false) {
            fathom_testing::skip("the file system keeps its pages, or does not tell");
            return;
        }
        let mut seen = Vec::new();
        for _pass in 0..2 {
            for _request in 0..4 {
                passes.issued(4096);
                let mut page = [0; 4096];
                rustix::io::pread(&file.fd, &mut page, 0).expect("a page");
                seen.push((passes.is_over(), is_cached(file) == Some(true)));
            }
            passes.drop_pages();
            seen.push((passes.is_over(), is_cached(file) == Some(true)));
        }
        let within = (false, true);
        let pass = [within, within, within, (true, true), (false, false)];
        assert_eq!(seen, [pass, pass].concat());
    }
}
