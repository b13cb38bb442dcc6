//! After a phase that wrote through the page cache: how long it takes until all of it is durable,
//! and what of it cannot be.

use fathom_core::result::{ErrorTally, PhaseResult};
use fathom_engine::{Clock, OpenTarget};
use fathom_load::observer::{Event, Observer};
use fathom_load::phase::errno_message;
use fathom_platform::io::Errno;

/// What came of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct WriteBack {
    /// How long it took; none where nothing can be durable.
    took_ns: Option<u64>,
    /// What failed, with the position of the job in its phase.
    errors: Vec<(usize, ErrorTally)>,
}

impl WriteBack {
    /// Flushes targets, each with the job that wrote to it.
    pub(crate) fn of(
        targets: &[(usize, &OpenTarget)],
        clock: &mut Clock,
        observer: &mut dyn Observer,
    ) -> Self {
        let mut found = Self::default();
        let began = clock.now();
        for (job, target) in targets {
            let path = &target.path.to_string_lossy();
            observer.event(&Event::WriteBack { path });
            if !found.note_flush(*job, path, fathom_platform::fs::fdatasync(&target.fd)) {
                return found;
            }
        }
        found.took_ns = Some(clock.now().saturating_sub(began).0);
        found
    }

    /// Notes how the flush of a target ended; whether it can be durable at all. One that fails ends
    /// nothing: what was measured before is reported, with what was lost of it.
    fn note_flush(
        &mut self,
        job: usize,
        path: &str,
        ended: fathom_platform::io::Result<()>,
    ) -> bool {
        match ended {
            Ok(()) => {}
            // As of /dev/null.
            Err(Errno::INVAL | Errno::ROFS) => return false,
            Err(errno) => {
                let errno = errno.raw_os_error();
                let tally = ErrorTally {
                    op: "flush".to_owned(),
                    errno,
                    message: errno_message(errno),
                    count: 1,
                    target: path.to_owned(),
                    first_offsets: Vec::new(),
                };
                self.errors.push((job, tally));
            }
        }
        true
    }

    /// Tells it in the result of the phase.
    pub(crate) fn note(self, result: &mut PhaseResult) {
        if let Some(ledger) = &mut result.ledger {
            ledger.write_back_ns = self.took_ns;
        }
        for (index, error) in self.errors {
            if let Some(job) = result.jobs.get_mut(index) {
                job.errors.push(error);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::result::JobResult;

    #[test]
    fn what_cannot_be_written_back_is_an_error_of_its_job() {
        let mut found = WriteBack::default();
        let goes_on = [
            found.note_flush(0, "/data/a", Ok(())),
            found.note_flush(1, "/data/b", Err(Errno::IO)),
            found.note_flush(0, "/dev/null", Err(Errno::INVAL)),
        ];
        assert_eq!(goes_on, [true, true, false]);
        let mut result = PhaseResult::empty("p");
        result.jobs = vec![JobResult::default(); 2];
        found.note(&mut result);
        let error = ErrorTally {
            op: "flush".to_owned(),
            errno: 5,
            message: errno_message(5),
            count: 1,
            target: "/data/b".to_owned(),
            first_offsets: Vec::new(),
        };
        let errors: Vec<_> = result.jobs.into_iter().map(|job| job.errors).collect();
        assert_eq!(errors, [vec![], vec![error]]);
    }
}
