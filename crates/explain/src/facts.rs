//! Facts about tools: what they measure, and how they count.

use crate::evidence::{Direction, Evidence, Side};
use crate::number;

/// What a tool measures, or how it counts.
pub struct Fact {
    /// Stable word for scripts and readers.
    pub key: &'static str,
    /// Name of the program, as in [`Evidence::tool`].
    pub tool: &'static str,
    /// The fact, in a sentence.
    pub sentence: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
    /// Whether the number is of memory.
    pub is_memory: bool,
    /// When it applies, unless the reader says so.
    applies: fn(&Evidence) -> bool,
}

macro_rules! facts {
    ($($key:literal $tool:literal $memory:literal $applies:expr,
        $sentence:literal, $remedy:literal;)*) => {
        &[$(Fact {
            key: $key, tool: $tool, is_memory: $memory, applies: $applies,
            sentence: $sentence, remedy: $remedy,
        },)*]
    };
}

fn has_direction(evidence: &Evidence, direction: Direction) -> bool {
    evidence.side(direction).is_some()
}

/// Whether it is the first test of hdparm, which reads the same data again.
fn is_cached(evidence: &Evidence) -> bool {
    evidence.title.contains("cached")
}

/// Whether a load of sysbench writes and has its default flushes.
fn flushes(evidence: &Evidence) -> bool {
    has_direction(evidence, Direction::Write)
        && evidence.load.is_complete
        && evidence.option("file-fsync-freq") != Some("0")
}

/// Whether the mean of the intervals is above the rate, because jobs ended one after the other.
fn ends_apart(evidence: &Evidence) -> bool {
    evidence.load.jobs.is_some_and(|jobs| jobs > 1.0)
        && evidence.sides.iter().any(|side| {
            let of = |rate: Option<f64>| Some(side.samples?[2] / rate?);
            let is_above = |of: Option<f64>| of.is_some_and(|of| (1.1..3.0).contains(&of));
            is_above(of(side.rate)) || is_above(of(side.iops))
        })
}

/// Whether a command of ioping ends within ten seconds.
fn is_short_ioping(evidence: &Evidence) -> bool {
    let number = |name: &str| number::time(evidence.option(name)?).map(|ns| ns / 1e9);
    let count = evidence.option("c").and_then(number::plain);
    let pause = number("i").or_else(|| evidence.option("i").and_then(number::plain));
    count.is_some_and(|count| count <= 100.0 && count * pause.unwrap_or(1.0) < 10.0)
}

/// All of them.
pub const FACTS: &[Fact] = facts! {
    "hdparm-drive-cache" "hdparm" false |one| is_cached(one) && one.load.direct == Some(true),
        "hdparm -T --direct reads the same 2 MiB from the cache of the drive: the rate of its \
            link.",
        "Use -t --direct for the disk, and fio with more depth and size for what it can give.";
    "hdparm-cached" "hdparm" true |one| is_cached(one) && one.load.direct != Some(true),
        "hdparm -T measures memory, not the disk: it reads the same 2 MiB from the page cache.",
        "Use hdparm -t --direct for a first look at the disk, and fio for more.";
    "hdparm-short" "hdparm" false |one| one.title.contains("disk"),
        "hdparm -t reads the first sectors of the device in sequence for 3 s, one request at a \
            time, and its MB are MiB.",
        "It says nothing about random requests or writes.";
    "dd-unknown" "dd" false |one| one.load.command.is_empty() && has_direction(one,
         Direction::Both),
        "The output of dd does not show what it read and wrote, or whether it flushed.",
        "Add the command line to the paste.";
    "dd-binary" "dd" false |_| false,
        "This dd prints MB for units of 1,048,576 bytes, as busybox does.",
        "Multiply MB/s by 1.0486 to compare with GNU dd, which counts 1,000,000.";
    "diskspd-mb" "diskspd" false |_| false,
        "This version of DISKSPD heads a column MB/s that is in MiB/s.",
        "Multiply by 1.0486 to compare with MB/s.";
    "diskspd-cached" "diskspd" false |one| one.load.is_complete && one.load.direct == Some(false),
        "DISKSPD uses the software cache of Windows unless -Sh or -Su is given.",
        "Use -Sh.";
    "ioping-directory" "ioping" false |_| false,
        "On a directory ioping reads a temporary file of 1 MiB that it writes first.",
        "Use a larger working set (-S) or the device.";
    "ioping-asleep" "ioping" false |one| one.load.target.starts_with("/dev/nvme") &&
         one.mean_latency().is_some_and(|mean| mean > 1e6),
        "ioping waits between two requests (-i, 1 s by default): a drive that goes to sleep \
            meanwhile adds the time to wake up to each of them.",
        "Use -i 0, and limit the sleep of the drive (nvme_core.default_ps_max_latency_us).";
    "ioping-few" "ioping" false |one| is_short_ioping(one),
        "A few requests within a few seconds show what the storage did in that moment: averages \
            of such runs differ by chance.",
        "Use -c 1000 -i 0, or -w 60, and compare medians.";
    "ioping-cached" "ioping" true |one| one.option("C").is_some(),
        "ioping -C measures the page cache, not the disk.",
        "Use -D for direct I/O.";
    "sysbench-flush" "sysbench" false |one| flushes(one),
        "sysbench fileio flushes after each 100 requests (file-fsync-freq) and at the end, and \
            its latency mixes requests and flushes.",
        "Set --file-fsync-freq=0 or --file-fsync-all to know which is measured.";
    "fio-old-units" "fio" false |one| one.version.starts_with("2.") ||
         one.version.starts_with("1."),
        "fio before 3.0 prints KB and MB for units of 1,024, and latencies in microseconds.",
        "Multiply MB/s by 1.0486 to compare with fio 3, which prints both.";
    "fio-bytes" "fio" false |_| false,
        "fio prints small rates in B/s, between others in KB/s or MB/s.",
        "Read the unit of each number: a script that reads numbers alone is wrong by 1,000.";
    "fio-each-request" "fio" false |one| {
        let has = |name: &str| one.load.options.contains_key(name);
        (has("write_iops_log") || has("write_bw_log")) && !has("log_avg_msec")
            || one.sides.iter().any(|side| counts_each(one, side))
    },
        "Without log_avg_msec each line of a log of fio is one request: its rate counts 1.",
        "Set log_avg_msec=1000 for rates per second.";
    "fio-ends-apart" "fio" false |one| ends_apart(one),
        "The mean of fio's samples is of the time in which jobs ran. Its rate divides all \
            requests by the time of the longest job.",
        "Use time_based with one runtime, so that all jobs end together.";
    "fio-flush-on-close" "fio" false |one| one.option("fsync_on_close").is_some_and(|on| on != "0"),
        "fio stops its clock before the flush that fsync_on_close asks for, so the rate lacks it.",
        "Use end_fsync=1, which is counted.";
    "fio-both-units" "fio" false |_| false,
        "fio prints each rate twice: MiB/s of 1,048,576 bytes, and MB/s of 1,000,000 in brackets.",
        "Keep number and unit together: 1 MiB/s is 1.0486 MB/s.";
    "crystal-average" "crystaldiskmark" false |_| false,
        "CrystalDiskMark reports the best of several runs of 5 s.",
        "Expect less in a long run.";
    "iostat-util" "iostat" false |_| false,
        "%util is the share of time with at least one request; at 100 % a device that serves \
            requests in parallel may have room.",
        "Compare the queue (aqu-sz) and the wait (r_await, w_await) instead.";
    "iostat-first" "iostat" false |_| false,
        "If this is the first report of iostat, it covers the time since boot.",
        "Ignore it, or use iostat -y.";
    "iostat-svctm" "iostat" false |_| false,
        "svctm of old versions of iostat is computed from %util and is not a service time.",
        "Use r_await and w_await.";
    "mixed-units" "several tools" false |_| false,
        "These tools print different units: fio, DISKSPD, sysbench and most others MiB/s of \
            1,048,576 bytes, CrystalDiskMark, KDiskMark and GNU dd MB/s of 1,000,000.",
        "Convert before you compare: 1 MiB/s is 1.0486 MB/s.";
    "mixed-versions" "several tools" false |_| false,
        "The results are of versions that print different units and definitions.",
        "Repeat both with one version.";
    "vmstat-blocks" "vmstat" false |_| false,
        "vmstat counts blocks of 1 KiB of all devices together, and its first report covers the \
            time since boot.",
        "Use iostat -x for each device.";
    "ior-fixed" "ior" false |one| one.load.options.contains_key("-b") &&
         !one.load.options.contains_key("-D"),
        "Each task of IOR moves its own -b bytes and then waits: the rate falls when the fast \
            tasks are done, and the slowest task decides the result.",
        "Use -D 60 to stop all tasks at one time, and -w and -r in runs of their own.";
    "ior-reread" "ior" false |_| false,
        "IOR reads what it wrote: without -C the same node reads its own data, which its page \
            cache may hold.",
        "Use -C, -F with different nodes, or --posix.odirect.";
    "zpool-boot" "zpool" false |_| false,
        "Without an interval zpool iostat reports the average since the pool was imported.",
        "Use zpool iostat -y 5 for the present load.";
    "zpool-one" "zpool" false |_| false,
        "If this is the first report of zpool iostat, it is the average since the pool was \
            imported; later ones are of the interval.",
        "Use zpool iostat -y to leave it out.";
    "zpool-first" "zpool" false |_| false,
        "The first line of zpool iostat is the average for each second since the pool was \
            imported; the lines after it are of the interval.",
        "Use zpool iostat -y to leave it out.";
    "iozone-cached" "iozone" false |one| one.load.direct != Some(true),
        "iozone works through the page cache unless -I is given, and reads what it wrote.",
        "Use -I, or a file of twice the memory.";
    "mdtest-cached" "mdtest" false |_| false,
        "mdtest counts operations of metadata, and the same client reads what it created: its \
            cache may answer.",
        "Use -N to have each task read what another one made.";
    "ceph-osd-bench" "ceph" false |_| false,
        "ceph tell osd bench writes 1 GiB in requests of 4 MiB to one OSD, past the network and \
            without replicas.",
        "Give a total of at most 12 MiB and a size of 4096 for small writes.";
    "rados-objects" "rados" false |_| false,
        "rados bench writes and reads whole objects of 4 MiB by default, so its rate is \
            throughput of the cluster, not IOPS of a disk. Its MB are MiB.",
        "Use rbd bench or fio with the rbd engine for small requests.";
    "bonnie-characters" "bonnie++" false |_| false,
        "The columns Per Chr of bonnie++ move one character at a time, so a processor is full \
            there.",
        "Read the columns of blocks: those of characters say nothing about the disk.";
    "bonnie-cached" "bonnie++" false |_| false,
        "bonnie++ works through the page cache and counts on a file of twice the memory.",
        "Check that -s is twice the memory.";
};

/// Whether each sample of a rate is 1, far below the rate itself.
fn counts_each(one: &Evidence, side: &Side) -> bool {
    let is_one = |value: &f64| value.total_cmp(&1.0).is_eq();
    let samples = side.samples.iter().flatten().take(3);
    side.samples.is_some()
        && samples.clone().all(is_one)
        && one.iops_of(side).is_some_and(|rate| rate > 10.0)
}

/// The facts that apply to a result.
pub(crate) fn of(evidence: &Evidence) -> Vec<&'static Fact> {
    let own = FACTS
        .iter()
        .filter(|fact| [evidence.tool, "several tools"].contains(&fact.tool));
    own.filter(|fact| (fact.applies)(evidence) || evidence.facts.contains(&fact.key))
        .collect()
}
