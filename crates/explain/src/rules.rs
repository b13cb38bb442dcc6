//! All rules: a file for each, and a line in the table.
//!
//! A rule knows evidence and no format. It says something only where numbers or settings in the
//! output support it; a false accusation is worse than silence.

mod above_disk;
mod alternating;
mod arc;
mod buffered;
mod burst;
mod busy;
mod busy_time;
mod cap;
mod closed_loop;
mod cpu;
mod default_block;
mod depth;
mod device_errors;
mod device_less;
mod device_more;
mod errors;
mod facts;
mod falls;
mod far_writes;
mod fast_read;
mod faster_than_disks;
mod few_samples;
mod flush;
mod host_cache;
mod hung;
mod joined;
mod layers;
mod link;
mod loads_differ;
mod memory;
mod metric;
mod new_file;
mod no_latency;
mod no_scaling;
mod parallel;
mod percentile;
mod plateau;
mod raid;
mod rate_limit;
mod records;
mod same_blocks;
mod same_load;
mod saturated;
mod seeks;
mod serial;
mod shared_devices;
mod short;
mod slow_disk;
mod slow_writes;
mod small_area;
mod source;
mod space;
mod submission;
mod two_modes;
mod unequal;
mod unflushed;
mod unmerged;
mod unseen_cache;
mod warm_up;
mod warnings;
mod zeros;

pub(crate) use same_load::{is_comparable, is_same};

use crate::decide::{Change, command, fathom};
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};

/// One question that is asked of each result.
pub struct Rule {
    /// Its stable code.
    pub code: &'static str,
    /// The data that it needs.
    pub needs: &'static str,
    /// What it finds, in words.
    pub about: &'static str,
    /// What it says about one of all results of a paste.
    pub(crate) look: fn(&[Evidence], usize) -> Option<Said>,
}

/// What a rule says.
pub(crate) struct Said {
    pub(crate) certainty: Certainty,
    pub(crate) effect: Effect,
    pub(crate) headline: String,
    pub(crate) sentence: String,
    pub(crate) remedy: String,
    pub(crate) decide: String,
    pub(crate) fathom: String,
    /// The things whose lines show it.
    pub(crate) things: &'static [&'static str],
}

impl Said {
    pub(crate) fn new(certainty: Certainty, effect: Effect, headline: impl Into<String>) -> Self {
        Self {
            certainty,
            effect,
            headline: headline.into(),
            sentence: String::new(),
            remedy: String::new(),
            decide: String::new(),
            fathom: String::new(),
            things: &[],
        }
    }

    pub(crate) fn because(mut self, sentence: impl Into<String>) -> Self {
        self.sentence = sentence.into();
        self
    }

    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// The command that decides: the same load with changes.
    pub(crate) fn decide(mut self, evidence: &Evidence, changes: &[Change]) -> Self {
        let decide = command(evidence, changes);
        // Where the tool has no word for the change, the same command decides nothing.
        if decide != command(evidence, &[]) {
            self.decide = decide;
        }
        self.fathom = fathom(evidence, changes);
        self
    }

    pub(crate) const fn by(mut self, things: &'static [&'static str]) -> Self {
        self.things = things;
        self
    }
}

macro_rules! look {
    ($module:ident) => {
        |all, index| $module::look(&all[index])
    };
    ($module:ident among) => {
        $module::look
    };
}

macro_rules! rules {
    ($($module:ident $code:literal $needs:literal $about:literal $($among:ident)?;)*) => {
        &[$(Rule {
            code: $code, needs: $needs, about: $about, look: look!($module $($among)?)
        },)*]
    };
}

/// All of them.
pub const RULES: &[Rule] = rules! {
    device_errors "device_errors" "words around the output" "errors of a device that the kernel \
        reports";
    errors "errors" "error count" "requests that failed";
    memory "memory" "latency or rate" "requests faster than any device answers";
    faster_than_disks "faster_than_disks" "rates of hdparm and of others" "a rate above that of \
        its own disks" among;
    source "source" "command line" "data from a source that is slower than a disk";
    device_less "device_idle" "requests and device counters" "the device served far fewer \
        requests than were issued";
    unflushed "not_flushed" "command line" "writes that end before the data is on the device";
    unseen_cache "page_cache" "direct I/O setting" "reads through the page cache of a file that \
        may be in memory";
    host_cache "host_cache" "rate, a mention of a guest" "requests of a guest that the memory of \
        the host may answer";
    arc "arc" "a mention of ZFS, file size" "reads that the cache of ZFS may answer";
    zeros "compressible" "data that is written" "zeros or compressible data";
    same_blocks "same_blocks" "job options" "several streams that read the same blocks";
    default_block "default_block" "block size" "a block size that does not fit the question";
    depth "depth" "depth levels, engine or latency" "the requested queue depth was not reached";
    submission "submission" "submission latency" "submission that waits for the device";
    short "short" "duration" "a measurement that is too short";
    cpu "processor" "processor shares" "the processor was the limit" among;
    flush "flush" "flush latency" "flushes take most of the time";
    cap "cap" "rate, block size" "a rate at a published limit, or at one that the text states";
    link "link" "rate" "a rate at the limit of a link";
    parallel "parallel" "commands that run at once, and one alone" "runs at the same time that are \
        each slower than one alone" among;
    buffered "buffered" "buffered and direct reads" "reads through the page cache that are slower \
        than direct ones" among;
    same_load "same_load" "two results and their commands" "the same load at very different \
        rates in one paste, or at one rate" among;
    no_scaling "no_scaling" "two results at different depths" "depth that gives no more random \
        reads" among;
    plateau "plateau" "results of several loads" "different loads that end at one rate" among;
    loads_differ "loads_differ" "two results and their commands" "loads that differ in what \
        explains their rates" among;
    falls "falls" "words around the output" "a rate that falls after a fast start";
    layers "layers" "a mention in the paste" "a network, a cipher or another layer above the disk";
    far_writes "far_writes" "block size, rate, direct I/O setting" "buffered writes that wait as \
        if there were no page cache";
    slow_writes "slow_writes" "results of reads and of writes" "single writes that take far longer \
        than single reads" among;
    records "records" "block size, a mention of ZFS" "random requests that are smaller than the \
        records of the file system";
    burst "burst" "time series" "a rate that falls to a lower level";
    hung "hung" "reports of a device" "a disk that has requests and ends none";
    busy_time "busy_time" "reports of a device" "a share of busy time that other columns \
        contradict";
    space "space" "space of a pool" "a pool that is nearly full";
    unmerged "unmerged" "two tables of one device" "requests that are merged in one table, and \
        not in the next" among;
    above_disk "above_disk" "reports of a device" "requests that wait although the disk has room, \
        or the disk below" among;
    slow_disk "slow_disk" "reports of a device" "a disk that needs long for a lone request" among;
    unequal "unequal_disks" "reports of several devices" "disks that are unequally fast under one \
        load" among;
    busy "disk_busy" "reports of a device" "a disk that has a request all the time";
    shared_devices "shared_devices" "command line" "jobs that use the same devices in turn";
    closed_loop "stalls" "percentiles" "stalls that a closed loop hides";
    alternating "uneven" "interval rates" "a rate that changes strongly from interval to interval";
    new_file "new_file" "command line" "writes to a file that was made for the run";
    warm_up "warm_up" "time series" "a slow start that is part of the mean";
    raid "raid" "counters of an array and its members" "writes that become several requests on \
        the members of a RAID" among;
    two_modes "two_modes" "percentiles" "two groups of latencies behind one mean";
    warnings "warnings" "warnings" "warnings that the tool itself gave";
    device_more "device_busy" "requests and device counters" "the device served more than was \
        issued";
    rate_limit "rate_limit" "job options" "a rate that the tool limits";
    joined "joined" "lines of a pool and of its disks" "requests that ZFS joins below the line \
        where they are counted" among;
    metric "metric" "words around the output" "a metric that is taken for a latency";
    fast_read "fast_read" "latency of single reads" "random reads that are faster than flash";
    seeks "seeks" "rate of random reads" "the pace of a hard disk";
    small_area "small_area" "file size" "a file that fits in a cache of the device";
    saturated "queueing" "depth, rate, latency" "a latency that is the queue's";
    serial "one_at_a_time" "depth, rate, latency" "a rate that is one over the latency";
    few_samples "few_samples" "percentiles, requests" "percentiles that rest on few requests";
    percentile "percentile" "flush setting, latencies" "percentiles of writes where those of \
        commits are needed";
    no_latency "no_latency" "job options" "latencies that were not recorded";
    facts "fact" "tool" "what the tool measures, and how it counts" among;
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_different() {
        let mut codes: Vec<&str> = RULES.iter().map(|rule| rule.code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), RULES.len());
    }
}
