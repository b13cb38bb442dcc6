//! What is said about the parts of a profile that no job holds.

use super::{INTERVAL_MS, Work};
use crate::options::{self, OptionForm};
use crate::profile::{Cache, Content, Order, Profile, Target, Throttle, TimeSpan};
use crate::source::At;
use fathom_core::spec::MAX_DATA_FILE_BYTES;
use fathom_tools::translation::{Note, Standing};

/// Largest request that a specification can hold.
const MAX_BLOCK_BYTES: u64 = 1 << 30;

impl Work<'_> {
    /// A note or an error, as the row has it.
    pub(super) fn say(&mut self, row: &OptionForm, at: At) {
        if row.standing == Standing::Refused {
            let error = self.source.refusal(row, at);
            self.errors.push(error);
        } else {
            self.notes.push(self.source.note(row, at));
        }
    }

    /// A note for each of several words of one option.
    fn say_words(&mut self, row: &OptionForm, words: impl Iterator<Item = String>) {
        let (start, _) = self.source.note(row, At::default());
        let notes = words.map(|word| (start, Note::new(row.standing, word, row.remark)));
        self.notes.extend(notes);
    }

    fn say_if(&mut self, rows: &[(bool, &OptionForm)], at: At) {
        for (_, row) in rows.iter().filter(|(applies, _)| *applies) {
            self.say(row, at);
        }
    }

    pub(super) fn of_profile(&mut self, profile: &Profile) {
        let classes = profile.tracing.iter();
        let classes = classes.map(|class| format!("-e{}", class.word));
        self.say_words(&options::TRACE, classes);
        let sets = profile.events.iter().any(|(kind, _)| *kind == 'e');
        let waits = profile.events.iter().filter(|(kind, _)| *kind != 'e');
        self.say_words(
            &options::EVENT,
            waits.map(|(kind, name)| format!("-y{kind}{name}")),
        );
        let spans = &profile.spans;
        let differs = spans.windows(2).any(|pair| {
            let of = |span: &TimeSpan| {
                let bucket = span.iops_bucket_ms;
                (span.seed, bucket, span.no_affinity, span.affinity.clone())
            };
            of(&pair[0]) != of(&pair[1])
        });
        self.say_if(
            &[
                (profile.experiment_flags != 0, &options::EXPERIMENT),
                (sets, &options::EVENT_SET),
                (profile.progress > 0, &options::PROGRESS),
                (profile.verbose_stats, &options::VERBOSE_STATS),
                (differs, &options::SPANS),
            ],
            At::default(),
        );
    }

    pub(super) fn of_span(&mut self, span: &TimeSpan, number: usize) {
        let at = At::span(number);
        let fine = span
            .iops_bucket_ms
            .is_some_and(|ms| ms < *INTERVAL_MS.start());
        let groups = span.affinity.iter().any(|(group, _)| *group > 0);
        self.say_if(
            &[
                (span.duration_s == 0, &options::DURATION_NONE),
                (span.seed != 0 && !span.fresh_seed, &options::SEED),
                (fine, &options::BUCKET_FINE),
                (groups, &options::PIN_GROUP),
                (span.completion_routines, &options::COMPLETION),
                (
                    span.has_shared_queue() && span.targets.len() > 1,
                    &options::POOL_OUTSTANDING,
                ),
                (
                    span.outstanding > 0 && span.threads == 0,
                    &options::POOL_OUTSTANDING_ALONE,
                ),
            ],
            at,
        );
    }

    pub(super) fn of_target(&mut self, span: &TimeSpan, target: &Target, at: At) {
        let hints =
            target.random_access_hint || target.sequential_scan_hint || target.temporary_hint;
        let mixed_writes = (1..100).contains(&target.write_percent);
        let mixed_order = (1..100).contains(&target.order.random_percent);
        let content = &target.content;
        let (drawn, held) = match content {
            Content::Buffer { bytes, file } => (file.is_none(), file.as_ref().map(|_| *bytes)),
            _ => (false, None),
        };
        self.say_if(
            &[
                (hints, &options::HINT),
                (
                    target.cache == Cache::LocalUncached,
                    &options::LOCAL_UNCACHED,
                ),
                (target.memory_mapped, &options::MAPPED),
                (target.flush.is_some(), &options::MAP_FLUSH),
                (drawn, &options::SOURCE),
                (
                    held.is_some_and(|bytes| bytes > MAX_DATA_FILE_BYTES),
                    &options::SOURCE_HUGE,
                ),
                (mixed_order && mixed_writes, &options::MIXED_WRITES),
                (target.priority < 3, &options::PRIORITY),
                (target.block_bytes > MAX_BLOCK_BYTES, &options::BLOCK_HUGE),
            ],
            at,
        );
        self.of_pacing(target, at);
        self.of_order(span, target, at);
    }

    fn of_pacing(&mut self, target: &Target, at: At) {
        let block = target.block_bytes;
        let nothing = target
            .throttle
            .is_some_and(|rate| rate.bytes_per_ms(block) == 0);
        let iops = matches!(target.throttle, Some(Throttle::Iops(_)));
        let rate = target.throttle.is_some() && !nothing;
        let bursts = target.burst.is_some();
        self.say_if(
            &[
                (nothing, &options::RATE_NONE),
                (rate && iops, &options::RATE_IOPS),
                (rate && !iops, &options::RATE),
                (bursts, &options::BURST),
                (bursts && rate, &options::BURST_RATE),
            ],
            at,
        );
    }

    fn of_order(&mut self, span: &TimeSpan, target: &Target, at: At) {
        let threads = span.threads_of(target);
        let Order {
            random_percent,
            interlocked,
            ..
        } = target.order;
        let apart = target.thread_stride_bytes;
        let several = target.parallel && target.outstanding > 1;
        self.say_if(&[(several, &options::PARALLEL)], at);
        if random_percent == 0 && threads > 1 && apart == 0 && !interlocked {
            let note = self.source.remark(
                if span.threads > 0 {
                    &options::POOL
                } else {
                    &options::THREADS
                },
                at,
                Standing::Kept,
                "every thread goes over the same blocks from the beginning; `-si` shares them out",
            );
            self.notes.push(note);
        }
        if interlocked && threads == 1 {
            let note = self.source.remark(
                &options::INTERLOCKED,
                at,
                Standing::Kept,
                "one thread has nobody to share its position with",
            );
            self.notes.push(note);
        }
        if target.parallel && target.outstanding == 1 {
            let note = self.source.remark(
                &options::PARALLEL,
                at,
                Standing::Kept,
                "with one outstanding request there is one position anyway",
            );
            self.notes.push(note);
        }
    }
}
