//! Every option of DISKSPD 2.2, what it means, and how far Fathom honours it.
//!
//! The one list that notes, errors and the table in `docs/dialects/diskspd.md` are made from.

use fathom_tools::translation::Standing;

/// One form of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionForm {
    /// As it is written on the command line.
    pub form: &'static str,
    /// The element of an XML profile that says the same; empty when there is none.
    pub element: &'static str,
    /// What it asks for.
    pub meaning: &'static str,
    /// How far it is honoured.
    pub standing: Standing,
    /// In what it differs, or why it is not honoured.
    pub remark: &'static str,
    /// What to give instead.
    pub remedy: &'static str,
}

/// A form that is honoured to the letter.
const fn kept(form: &'static str, element: &'static str, meaning: &'static str) -> OptionForm {
    OptionForm {
        form,
        element,
        meaning,
        standing: Standing::Kept,
        remark: "",
        remedy: "",
    }
}

/// One that is honoured nearly.
const fn near(
    form: &'static str,
    element: &'static str,
    meaning: &'static str,
    remark: &'static str,
) -> OptionForm {
    OptionForm {
        standing: Standing::Approximated,
        remark,
        ..kept(form, element, meaning)
    }
}

/// One that changes nothing that is measured here.
const fn ignored(
    form: &'static str,
    element: &'static str,
    meaning: &'static str,
    remark: &'static str,
) -> OptionForm {
    OptionForm {
        standing: Standing::Ignored,
        ..near(form, element, meaning, remark)
    }
}

/// One that cannot be honoured.
const fn refused(
    form: &'static str,
    element: &'static str,
    meaning: &'static str,
    remark: &'static str,
    remedy: &'static str,
) -> OptionForm {
    OptionForm {
        standing: Standing::Refused,
        remedy,
        ..near(form, element, meaning, remark)
    }
}

pub(super) const HELP: OptionForm = kept("-?", "", "usage");
pub(super) const EXPERIMENT: OptionForm = ignored(
    "-:<flags>",
    "ExperimentFlags",
    "bits that change DISKSPD's own loop",
    "the bits are about DISKSPD's own loop",
);
pub(super) const PIN_DEFAULT: OptionForm =
    kept("-a, -ag", "", "pin threads to all processors in turn");
pub(super) const PIN_LIST: OptionForm = kept(
    "-a<cpu>[,<cpu>…]",
    "AffinityGroupAssignment",
    "pin threads to these processors in turn",
);
pub(super) const PIN_GROUP: OptionForm = refused(
    "-ag<group>,<cpu>[,…], group above 0",
    "AffinityGroupAssignment",
    "processors of a group",
    "Linux has no processor groups",
    "the number of the processor without a group, as in `-a64,65`",
);
pub(super) const BLOCK: OptionForm = kept(
    "-b<size>",
    "BlockSize",
    "bytes of a request, 64K without it",
);
pub(super) const BLOCK_HUGE: OptionForm = refused(
    "-b<size>, above 1G",
    "BlockSize",
    "requests of more than 1 GiB",
    "a request has 1 GiB at most",
    "as in `-b1G`",
);
pub(super) const BASE: OptionForm = kept(
    "-B<base>[:<length>]",
    "BaseFileOffset",
    "first byte used, and how many",
);
pub(super) const CREATE: OptionForm = near(
    "-c<size>",
    "FileSize",
    "make the files, of this size",
    "a file of this size that Fathom made is used again, where DISKSPD makes it anew; a \
             new one is filled with data, where DISKSPD leaves zeros",
);
pub(super) const COOL: OptionForm = kept("-C<seconds>", "Cooldown", "load after the measured time");
pub(super) const DURATION: OptionForm =
    kept("-d<seconds>", "Duration", "measured time, 10 without it");
pub(super) const DURATION_NONE: OptionForm = refused(
    "-d0",
    "Duration",
    "no measured time",
    "a duration of 0 seconds measures nothing",
    "as in `-d60`",
);
pub(super) const BUCKET: OptionForm = kept(
    "-D[<ms>]",
    "CalculateIopsStdDev",
    "deviation of IOPS over buckets of 1000 ms or as given",
);
pub(super) const BUCKET_FINE: OptionForm = near(
    "-D<ms>, below 100",
    "IoBucketDuration",
    "deviation of IOPS over short buckets",
    "the shortest bucket is 100 ms, so the deviation is over buckets of 100 ms",
);
pub(super) const TRACE: OptionForm = ignored(
    "-e<class>",
    "ETW",
    "Windows event tracing",
    "there is no Windows event tracing on Linux",
);
pub(super) const MAX: OptionForm = kept("-f<size>", "MaxFileSize", "first byte not used any more");
pub(super) const HINT: OptionForm = ignored(
    "-f<rst>",
    "SequentialScan",
    "hints to the Windows cache on opening",
    "Linux takes no such hints on opening; its read-ahead finds the order out by itself",
);
pub(super) const POOL: OptionForm = near(
    "-F<n>",
    "ThreadCount",
    "threads over all targets",
    "latencies are reported per target for up to 512 threads times targets of a pool; above that, \
     one distribution covers all",
);
pub(super) const RATE: OptionForm = near(
    "-g<n>",
    "Throughput",
    "bytes a millisecond of each thread and target",
    "requests go by the clock at equal gaps, where DISKSPD sends what its budget \
             allows; the rate is the same",
);
pub(super) const RATE_IOPS: OptionForm = near(
    "-g<n>i",
    "Throughput",
    "requests a second of each thread and target",
    "requests go by the clock at equal gaps, where DISKSPD sends what its budget \
             allows; the rate is DISKSPD's, in whole bytes a millisecond",
);
pub(super) const RATE_NONE: OptionForm = near(
    "-g<n>i, less than a byte a millisecond",
    "Throughput",
    "a rate that comes to nothing",
    "it comes to 0 bytes a millisecond in DISKSPD's whole numbers, which is no limit",
);
pub(super) const UNCACHED_H: OptionForm = kept("-h", "", "as -Sh");
pub(super) const BURST: OptionForm = near(
    "-i<n>",
    "BurstSize",
    "requests of a burst",
    "the pause counts from the last completion of a burst, and goes for all targets of \
             a thread",
);
pub(super) const THINK: OptionForm = near(
    "-j<ms>",
    "ThinkTime",
    "pause between two bursts",
    "the pause counts from the last completion of a burst, and goes for all targets of \
             a thread",
);
pub(super) const PRIORITY: OptionForm = near(
    "-I<1..2>",
    "IOPriority",
    "I/O priority very low or low",
    "very low is the idle class of Linux, low the last level of its best effort; what \
             schedules without priorities heeds neither",
);
pub(super) const PRIORITY_NORMAL: OptionForm = kept("-I3", "IOPriority", "I/O priority normal");
pub(super) const LARGE_PAGES: OptionForm = kept("-l", "UseLargePages", "large pages for buffers");
pub(super) const LATENCY: OptionForm = kept("-L", "MeasureLatency", "latency in the report");
pub(super) const NO_AFFINITY: OptionForm = kept("-n", "DisableAffinity", "threads are not pinned");
pub(super) const MAP_FLUSH: OptionForm = near(
    "-N<v|n|i>",
    "FlushType",
    "flush after each mapped write",
    "each is followed by an `msync` of its pages, which on persistent memory flushes the \
             processor's caches; there is no form without the drain",
);
pub(super) const OUTSTANDING: OptionForm = kept(
    "-o<n>",
    "RequestCount",
    "outstanding requests of each thread and target, 2 without it",
);
pub(super) const POOL_OUTSTANDING: OptionForm = near(
    "-O<n>",
    "RequestCount",
    "queue depth per thread over all targets",
    "a thread takes its targets in turn, where DISKSPD draws them; with one target \
             there is no difference",
);
pub(super) const POOL_OUTSTANDING_ALONE: OptionForm = ignored(
    "-O<n> without -F",
    "RequestCount",
    "outstanding requests of threads that are no pool",
    "DISKSPD accepts it but uses it only with `-F`; `-o` applies to each target",
);
pub(super) const WEIGHTS: OptionForm = OptionForm {
    form: "Weight",
    element: "Weight",
    meaning: "shares of targets in a pool of threads (XML only)",
    standing: Standing::Kept,
    remark: "",
    remedy: "",
};
pub(super) const THREAD_TARGETS: OptionForm = OptionForm {
    form: "ThreadTargets",
    element: "ThreadTargets",
    meaning: "threads chosen by number for a target (XML only)",
    standing: Standing::Kept,
    remark: "",
    remedy: "",
};
pub(super) const PARALLEL: OptionForm = refused(
    "-p",
    "ParallelAsyncIO",
    "each slot keeps a sequential position of its own",
    "not supported by Fathom: a thread has one position; with `-o1` it is the same",
    "leave `-p` out, or take `-t` threads",
);
pub(super) const PROGRESS: OptionForm = ignored(
    "-P[<n>]",
    "Progress",
    "a dot for each N completions",
    "progress is printed on standard error once a second",
);
pub(super) const RANDOM: OptionForm = kept(
    "-r[<align>]",
    "Random",
    "random, at multiples of the block or as given",
);
pub(super) const MIXED: OptionForm = kept(
    "-rs<percent>",
    "RandomRatio",
    "a share of random requests, the others go on from the last",
);
pub(super) const MIXED_WRITES: OptionForm = near(
    "-rs<percent> with -w1 to -w99",
    "RandomRatio",
    "a share of random requests of reads and writes",
    "each request draws anew whether it reads or writes, where DISKSPD keeps to one \
             within a sequential run; the shares are the same",
);
pub(super) const RANGE_PERCENT: OptionForm = kept(
    "-rdpct<io>/<target>[:…]",
    "Distribution",
    "parts of the target in percent, with a share of the requests each",
);
pub(super) const RANGE_ABSOLUTE: OptionForm = kept(
    "-rdabs<io>/<size>[:…]",
    "Distribution",
    "parts of the target in bytes, with a share of the requests each",
);
pub(super) const FORMAT: OptionForm = kept(
    "-R[p]<text|xml>",
    "ResultFormat",
    "form of the report; with p the profile alone",
);
pub(super) const SEQUENTIAL: OptionForm = kept(
    "-s[<stride>]",
    "StrideSize",
    "sequential, by blocks or as given",
);
pub(super) const STRIDE_ZERO: OptionForm = kept(
    "-s0",
    "StrideSize",
    "sequential by blocks; before DISKSPD 2.1, always the same place",
);
pub(super) const INTERLOCKED: OptionForm = kept(
    "-si[<stride>]",
    "InterlockedSequential",
    "one sequential position for all threads of a target",
);
pub(super) const CACHED: OptionForm =
    kept("-Sb", "", "through the page cache; the same without -S");
pub(super) const UNCACHED: OptionForm = kept(
    "-S, -Su",
    "DisableOSCache",
    "past the page cache (O_DIRECT)",
);
pub(super) const WRITE_THROUGH: OptionForm = kept(
    "-Sw",
    "WriteThrough",
    "writes complete when they are durable (O_DSYNC)",
);
pub(super) const UNCACHED_THROUGH: OptionForm =
    kept("-Sh", "DisableOSCache", "-Su and -Sw together");
pub(super) const LOCAL_UNCACHED: OptionForm = near(
    "-Sr",
    "DisableLocalCache",
    "past the local cache of a remote file system",
    "Linux has no such way to open a file; it goes through the page cache",
);
pub(super) const MAPPED: OptionForm = near(
    "-Sm",
    "MemoryMappedIo",
    "memory mapped",
    "a thread makes one copy at a time, so `-o` above 1 changes nothing; with `w` each \
             write is flushed as by `-Nv`",
);
pub(super) const LINUX_DIRECT: OptionForm = kept("-Sd", "", "O_DIRECT (diskspd-for-linux)");
pub(super) const LINUX_SYNC: OptionForm = kept("-Ss", "", "O_SYNC (diskspd-for-linux)");
pub(super) const THREADS: OptionForm = kept(
    "-t<n>",
    "ThreadsPerFile",
    "threads of each target, 1 without it",
);
pub(super) const THREAD_STRIDE: OptionForm = kept(
    "-T<size>",
    "ThreadStride",
    "distance between the starts of two threads",
);
pub(super) const VERBOSE: OptionForm = kept("-v", "Verbose", "more words");
pub(super) const VERBOSE_STATS: OptionForm = ignored(
    "-vs",
    "VerboseStats",
    "statistics of waiting",
    "Fathom's threads wait in another way, so there is no such table",
);
pub(super) const WRITES: OptionForm =
    kept("-w<percent>", "WriteRatio", "share of writes, 0 without it");
pub(super) const WARM_UP: OptionForm = kept(
    "-W<seconds>",
    "Warmup",
    "load before the measured time, 5 without it",
);
pub(super) const COMPLETION: OptionForm = ignored(
    "-x",
    "CompletionRoutines",
    "completion routines instead of completion ports",
    "Linux has neither; `--engine` before the options chooses the engine",
);
pub(super) const LINUX_ENGINE: OptionForm = ignored(
    "-xk, -xp",
    "",
    "kernel or POSIX AIO (diskspd-for-linux)",
    "Fathom takes the best engine there is; `--engine` before the options chooses one",
);
pub(super) const PROFILE: OptionForm = kept("-X<file>", "Profile", "an XML profile");
pub(super) const EVENT: OptionForm = ignored(
    "-ys<name>, -yf<name>, -yr<name>, -yp<name>",
    "",
    "signal or await Windows events",
    "Linux has no named events",
);
pub(super) const EVENT_SET: OptionForm = refused(
    "-ye<name>",
    "",
    "set a Windows event and end",
    "Linux has no named events",
    "a signal to the process (SIGINT) ends a run with a report",
);
pub(super) const SEED: OptionForm = near(
    "-z[<n>]",
    "RandSeed",
    "seed; without a number a new one each time",
    "the same seed gives the same requests in each run, but not those of DISKSPD",
);
pub(super) const COUNTING: OptionForm = kept(
    "without -Z",
    "WriteBufferContent",
    "bytes 0 to 255, repeated, in each write",
);
pub(super) const ZERO: OptionForm = kept("-Z, -Zz", "WriteBufferContent", "writes of zeros");
pub(super) const REFILL: OptionForm =
    kept("-Zr", "RandomWriteData", "fresh random bytes in each write");
pub(super) const SOURCE: OptionForm = near(
    "-Z<size>",
    "RandomDataSource",
    "writes from random places of a buffer of random bytes",
    "each write has fresh random bytes: it compresses as little, and repeats less",
);
pub(super) const SOURCE_FILE: OptionForm = kept(
    "-Z<size>,<file>",
    "RandomDataSource",
    "writes from random places of a file's content",
);
pub(super) const SOURCE_HUGE: OptionForm = refused(
    "-Z<size>,<file>, above 4G",
    "RandomDataSource",
    "writes from random places of more than 4 GiB of a file",
    "4 GiB are kept of a file at most, and no write of DISKSPD begins beyond",
    "a size up to 4G",
);
pub(super) const SOURCE_MISSING: OptionForm = near(
    "Pattern random without RandomDataSource",
    "WriteBufferContent",
    "random bytes from nowhere (XML only)",
    "DISKSPD fills no buffer then and writes the bytes 0 to 255, and so does Fathom; \
             RandomWriteData of the time span makes random ones",
);
pub(super) const LINUX_BUFFERS: OptionForm = ignored(
    "-Zs",
    "",
    "buffers of their own for reads and writes (diskspd-for-linux)",
    "every slot has a buffer of its own",
);
pub(super) const TARGET: OptionForm = kept("<path>", "Path", "a file or device");
pub(super) const PHYSICAL: OptionForm = refused(
    "#<n>, <drive>:",
    "Path",
    "a physical drive or a raw volume of Windows",
    "it names a Windows device",
    "the device on Linux, as in /dev/nvme1n1",
);
pub(super) const WINDOWS_PATH: OptionForm = refused(
    "<drive>:\\…, \\\\server\\share",
    "Path",
    "a Windows path",
    "it is a Windows path",
    "`--map-drive r=DIR` or `--target PATH` before the options, or a path of Linux",
);
pub(super) const TEMPLATE: OptionForm =
    kept("*<n>", "Path", "the n-th target given with a profile");
pub(super) const BURST_RATE: OptionForm = refused(
    "-i and -j with -g",
    "ThinkTime",
    "bursts of a limited rate",
    "bursts and a rate exclude each other in one job",
    "leave `-g` or `-i` and `-j` out",
);
pub(super) const POOL_MIXED: OptionForm = refused(
    "targets of different settings with ThreadCount",
    "ThreadCount",
    "a pool of threads over targets with settings of their own (XML only)",
    "the targets of a pool of threads have the same settings",
    "give the targets the same settings, or ThreadsPerFile instead of ThreadCount",
);
pub(super) const CREATE_DEVICE: OptionForm = ignored(
    "-c<size> of a device",
    "FileSize",
    "make a device",
    "a device has the size it has, as DISKSPD has it",
);
pub(super) const SPANS: OptionForm = near(
    "several TimeSpans with seeds, buckets or affinities of their own",
    "TimeSpan",
    "settings of each time span (XML only)",
    "the first time span's seed, bucket and affinity go for all",
);
pub(super) const PRECREATE: OptionForm = kept(
    "PrecreateFiles",
    "PrecreateFiles",
    "make files before the first time span (XML only)",
);

/// All forms, in the order of the alphabet as DISKSPD sorts its help.
pub static ROWS: &[OptionForm] = &[
    HELP,
    EXPERIMENT,
    PIN_DEFAULT,
    PIN_LIST,
    PIN_GROUP,
    BLOCK,
    BLOCK_HUGE,
    BASE,
    CREATE,
    COOL,
    DURATION,
    DURATION_NONE,
    BUCKET,
    BUCKET_FINE,
    TRACE,
    MAX,
    HINT,
    POOL,
    RATE,
    RATE_IOPS,
    RATE_NONE,
    UNCACHED_H,
    BURST,
    THINK,
    PRIORITY,
    PRIORITY_NORMAL,
    LARGE_PAGES,
    LATENCY,
    NO_AFFINITY,
    MAP_FLUSH,
    OUTSTANDING,
    POOL_OUTSTANDING,
    POOL_OUTSTANDING_ALONE,
    WEIGHTS,
    THREAD_TARGETS,
    PARALLEL,
    PROGRESS,
    RANDOM,
    MIXED,
    MIXED_WRITES,
    RANGE_PERCENT,
    RANGE_ABSOLUTE,
    FORMAT,
    SEQUENTIAL,
    STRIDE_ZERO,
    INTERLOCKED,
    CACHED,
    UNCACHED,
    WRITE_THROUGH,
    UNCACHED_THROUGH,
    LOCAL_UNCACHED,
    MAPPED,
    LINUX_DIRECT,
    LINUX_SYNC,
    THREADS,
    THREAD_STRIDE,
    VERBOSE,
    VERBOSE_STATS,
    WRITES,
    WARM_UP,
    COMPLETION,
    LINUX_ENGINE,
    PROFILE,
    EVENT,
    EVENT_SET,
    SEED,
    COUNTING,
    ZERO,
    REFILL,
    SOURCE,
    SOURCE_FILE,
    SOURCE_HUGE,
    SOURCE_MISSING,
    LINUX_BUFFERS,
    TARGET,
    PHYSICAL,
    WINDOWS_PATH,
    TEMPLATE,
    BURST_RATE,
    POOL_MIXED,
    CREATE_DEVICE,
    SPANS,
    PRECREATE,
];
