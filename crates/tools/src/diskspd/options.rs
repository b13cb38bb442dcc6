//! Every option of DISKSPD 2.2, what it means, and how far Fathom honours it.
//!
//! The one list that notes, errors and the table in `docs/dialects/diskspd.md` are made from.

use crate::translation::Standing;

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
pub(super) const HELP: OptionForm = kept("-?", "", "usage");
pub(super) const EXPERIMENT: OptionForm = OptionForm {
    form: "-:<flags>",
    element: "ExperimentFlags",
    meaning: "bits that change DISKSPD's own loop",
    standing: Standing::Ignored,
    remark: "the bits are about DISKSPD's own loop",
    remedy: "",
};
pub(super) const PIN_DEFAULT: OptionForm =
    kept("-a, -ag", "", "pin threads to all processors in turn");
pub(super) const PIN_LIST: OptionForm = kept(
    "-a<cpu>[,<cpu>…]",
    "AffinityGroupAssignment",
    "pin threads to these processors in turn",
);
pub(super) const PIN_GROUP: OptionForm = OptionForm {
    form: "-ag<group>,<cpu>[,…], group above 0",
    element: "AffinityGroupAssignment",
    meaning: "processors of a group",
    standing: Standing::Approximated,
    remark: "Linux has no processor groups: group 1 is the processors 64 to 127, and so on, where \
             Windows also parts them by sockets",
    remedy: "",
};
pub(super) const PIN_BEYOND: OptionForm = OptionForm {
    form: "-ag<group>,<cpu>, group above 0, processor above 63",
    element: "AffinityGroupAssignment",
    meaning: "a processor that no group has",
    standing: Standing::Refused,
    remark: "a group has 64 processors at most",
    remedy: "a processor from 0 to 63, or its number without a group, as in `-a64,65`",
};
pub(super) const BLOCK: OptionForm = kept(
    "-b<size>",
    "BlockSize",
    "bytes of a request, 64K without it",
);
pub(super) const BLOCK_HUGE: OptionForm = OptionForm {
    form: "-b<size>, above 1G",
    element: "BlockSize",
    meaning: "requests of more than 1 GiB",
    standing: Standing::Refused,
    remark: "a request has 1 GiB at most",
    remedy: "as in `-b1G`",
};
pub(super) const BASE: OptionForm = kept(
    "-B<base>[:<length>]",
    "BaseFileOffset",
    "first byte used, and how many",
);
pub(super) const CREATE: OptionForm = OptionForm {
    form: "-c<size>",
    element: "FileSize",
    meaning: "make the files, of this size",
    standing: Standing::Approximated,
    remark: "a file of this size that Fathom made is used again, where DISKSPD makes it anew; a \
             new one is filled with data, where DISKSPD leaves zeros",
    remedy: "",
};
pub(super) const COOL: OptionForm = kept("-C<seconds>", "Cooldown", "load after the measured time");
pub(super) const DURATION: OptionForm =
    kept("-d<seconds>", "Duration", "measured time, 10 without it");
pub(super) const DURATION_NONE: OptionForm = OptionForm {
    form: "-d0",
    element: "Duration",
    meaning: "no measured time",
    standing: Standing::Refused,
    remark: "a duration of 0 seconds measures nothing",
    remedy: "as in `-d60`",
};
pub(super) const BUCKET: OptionForm = kept(
    "-D[<ms>]",
    "CalculateIopsStdDev",
    "deviation of IOPS over buckets of 1000 ms or as given",
);
pub(super) const BUCKET_FINE: OptionForm = OptionForm {
    form: "-D<ms>, below 100",
    element: "IoBucketDuration",
    meaning: "deviation of IOPS over short buckets",
    standing: Standing::Approximated,
    remark: "the shortest bucket is 100 ms, so the deviation is over buckets of 100 ms",
    remedy: "",
};
pub(super) const TRACE: OptionForm = OptionForm {
    form: "-e<class>",
    element: "ETW",
    meaning: "Windows event tracing",
    standing: Standing::Ignored,
    remark: "there is no Windows event tracing on Linux",
    remedy: "",
};
pub(super) const MAX: OptionForm = kept("-f<size>", "MaxFileSize", "first byte not used any more");
pub(super) const HINT: OptionForm = OptionForm {
    form: "-f<rst>",
    element: "SequentialScan",
    meaning: "hints to the Windows cache on opening",
    standing: Standing::Ignored,
    remark: "Linux takes no such hints on opening; its read-ahead finds the order out by itself",
    remedy: "",
};
pub(super) const POOL: OptionForm = OptionForm {
    form: "-F<n>",
    element: "ThreadCount",
    meaning: "threads over all targets",
    standing: Standing::Approximated,
    remark: "the distribution of latencies of each target is told of up to 512 threads times \
             targets of a pool, beyond that one for all of them",
    remedy: "",
};
pub(super) const RATE: OptionForm = OptionForm {
    form: "-g<n>",
    element: "Throughput",
    meaning: "bytes a millisecond of each thread and target",
    standing: Standing::Approximated,
    remark: "requests go by the clock at equal gaps, where DISKSPD sends what its budget \
             allows; the rate is the same",
    remedy: "",
};
pub(super) const RATE_IOPS: OptionForm = OptionForm {
    form: "-g<n>i",
    element: "Throughput",
    meaning: "requests a second of each thread and target",
    standing: Standing::Approximated,
    remark: "requests go by the clock at equal gaps, where DISKSPD sends what its budget \
             allows; the rate is DISKSPD's, in whole bytes a millisecond",
    remedy: "",
};
pub(super) const RATE_NONE: OptionForm = OptionForm {
    form: "-g<n>i, less than a byte a millisecond",
    element: "Throughput",
    meaning: "a rate that comes to nothing",
    standing: Standing::Approximated,
    remark: "it comes to 0 bytes a millisecond in DISKSPD's whole numbers, which is no limit",
    remedy: "",
};
pub(super) const UNCACHED_H: OptionForm = kept("-h", "", "as -Sh");
pub(super) const BURST: OptionForm = OptionForm {
    form: "-i<n>",
    element: "BurstSize",
    meaning: "requests of a burst",
    standing: Standing::Approximated,
    remark: "the pause counts from the last completion of a burst, and goes for all targets of \
             a thread",
    remedy: "",
};
pub(super) const THINK: OptionForm = OptionForm {
    form: "-j<ms>",
    element: "ThinkTime",
    meaning: "pause between two bursts",
    standing: Standing::Approximated,
    remark: "the pause counts from the last completion of a burst, and goes for all targets of \
             a thread",
    remedy: "",
};
pub(super) const PRIORITY: OptionForm = OptionForm {
    form: "-I<1..2>",
    element: "IOPriority",
    meaning: "I/O priority very low or low",
    standing: Standing::Approximated,
    remark: "very low is the idle class of Linux, low the last level of its best effort; what \
             schedules without priorities heeds neither",
    remedy: "",
};
pub(super) const PRIORITY_NORMAL: OptionForm = kept("-I3", "IOPriority", "I/O priority normal");
pub(super) const LARGE_PAGES: OptionForm = kept("-l", "UseLargePages", "large pages for buffers");
pub(super) const LATENCY: OptionForm = kept("-L", "MeasureLatency", "latency in the report");
pub(super) const NO_AFFINITY: OptionForm = kept("-n", "DisableAffinity", "threads are not pinned");
pub(super) const MAP_FLUSH: OptionForm = OptionForm {
    form: "-N<v|n|i>",
    element: "FlushType",
    meaning: "flush after each mapped write",
    standing: Standing::Approximated,
    remark: "each is followed by an `msync` of its pages, which on persistent memory flushes the \
             processor's caches; there is no form without the drain",
    remedy: "",
};
pub(super) const OUTSTANDING: OptionForm = kept(
    "-o<n>",
    "RequestCount",
    "outstanding requests of each thread and target, 2 without it",
);
pub(super) const POOL_OUTSTANDING: OptionForm = OptionForm {
    form: "-O<n>",
    element: "RequestCount",
    meaning: "outstanding requests of a thread over all targets",
    standing: Standing::Approximated,
    remark: "a thread takes its targets in turn, where DISKSPD draws them; with one target \
             there is no difference",
    remedy: "",
};
pub(super) const POOL_OUTSTANDING_ALONE: OptionForm = OptionForm {
    form: "-O<n> without -F",
    element: "RequestCount",
    meaning: "outstanding requests of threads that are no pool",
    standing: Standing::Ignored,
    remark: "DISKSPD takes it and heeds it only beside `-F`; `-o` counts for each target",
    remedy: "",
};
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
pub(super) const PARALLEL: OptionForm = OptionForm {
    form: "-p",
    element: "ParallelAsyncIO",
    meaning: "each slot keeps a sequential position of its own",
    standing: Standing::Approximated,
    remark: "each slot becomes a thread with one outstanding request: the same requests, but \
             more threads",
    remedy: "",
};
pub(super) const PARALLEL_STRIDE: OptionForm = OptionForm {
    form: "-p with -T",
    element: "ParallelAsyncIO",
    meaning: "positions of slots and a stride of threads",
    standing: Standing::Refused,
    remark: "slots of a position of their own cannot start apart by thread",
    remedy: "leave `-p` or `-T` out",
};
pub(super) const PARALLEL_MAPPED: OptionForm = OptionForm {
    form: "-p with -Sm",
    element: "ParallelAsyncIO",
    meaning: "positions of slots in a mapping",
    standing: Standing::Refused,
    remark: "what goes through a mapping is done when it has been begun, so it has no slots beside \
             each other",
    remedy: "leave `-p` out, or take `-t` threads",
};
pub(super) const PROGRESS: OptionForm = OptionForm {
    form: "-P[<n>]",
    element: "Progress",
    meaning: "a dot for each so many completions",
    standing: Standing::Ignored,
    remark: "progress is told on standard error once a second",
    remedy: "",
};
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
pub(super) const MIXED_WRITES: OptionForm = OptionForm {
    form: "-rs<percent> with -w1 to -w99",
    element: "RandomRatio",
    meaning: "a share of random requests of reads and writes",
    standing: Standing::Approximated,
    remark: "each request draws anew whether it reads or writes, where DISKSPD keeps to one \
             within a sequential run; the shares are the same",
    remedy: "",
};
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
pub(super) const LOCAL_UNCACHED: OptionForm = OptionForm {
    form: "-Sr",
    element: "DisableLocalCache",
    meaning: "past the local cache of a remote file system",
    standing: Standing::Approximated,
    remark: "Linux has no such way to open a file; it goes through the page cache",
    remedy: "",
};
pub(super) const MAPPED: OptionForm = OptionForm {
    form: "-Sm",
    element: "MemoryMappedIo",
    meaning: "memory mapped",
    standing: Standing::Approximated,
    remark: "a thread makes one copy at a time, so `-o` above 1 changes nothing; with `w` each \
             write is flushed as by `-Nv`",
    remedy: "",
};
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
pub(super) const VERBOSE_STATS: OptionForm = OptionForm {
    form: "-vs",
    element: "VerboseStats",
    meaning: "statistics of waiting",
    standing: Standing::Ignored,
    remark: "Fathom's threads wait in another way, so there is no such table",
    remedy: "",
};
pub(super) const WRITES: OptionForm =
    kept("-w<percent>", "WriteRatio", "share of writes, 0 without it");
pub(super) const WARM_UP: OptionForm = kept(
    "-W<seconds>",
    "Warmup",
    "load before the measured time, 5 without it",
);
pub(super) const COMPLETION: OptionForm = OptionForm {
    form: "-x",
    element: "CompletionRoutines",
    meaning: "completion routines instead of completion ports",
    standing: Standing::Ignored,
    remark: "Linux has neither; `--engine` before the options chooses the engine",
    remedy: "",
};
pub(super) const LINUX_ENGINE: OptionForm = OptionForm {
    form: "-xk, -xp",
    element: "",
    meaning: "kernel or POSIX AIO (diskspd-for-linux)",
    standing: Standing::Ignored,
    remark: "Fathom takes the best engine there is; `--engine` before the options chooses one",
    remedy: "",
};
pub(super) const PROFILE: OptionForm = kept("-X<file>", "Profile", "an XML profile");
pub(super) const EVENT: OptionForm = OptionForm {
    form: "-ys<name>, -yf<name>, -yr<name>, -yp<name>",
    element: "",
    meaning: "signal or await Windows events",
    standing: Standing::Ignored,
    remark: "Linux has no named events",
    remedy: "",
};
pub(super) const EVENT_SET: OptionForm = OptionForm {
    form: "-ye<name>",
    element: "",
    meaning: "set a Windows event and end",
    standing: Standing::Refused,
    remark: "Linux has no named events",
    remedy: "a signal to the process (SIGINT) ends a run with a report",
};
pub(super) const SEED: OptionForm = OptionForm {
    form: "-z[<n>]",
    element: "RandSeed",
    meaning: "seed; without a number a new one each time",
    standing: Standing::Approximated,
    remark: "the same seed gives the same requests in each run, but not those of DISKSPD",
    remedy: "",
};
pub(super) const COUNTING: OptionForm = kept(
    "without -Z",
    "WriteBufferContent",
    "bytes 0 to 255, repeated, in each write",
);
pub(super) const ZERO: OptionForm = kept("-Z, -Zz", "WriteBufferContent", "writes of zeros");
pub(super) const REFILL: OptionForm =
    kept("-Zr", "RandomWriteData", "fresh random bytes in each write");
pub(super) const SOURCE: OptionForm = OptionForm {
    form: "-Z<size>",
    element: "RandomDataSource",
    meaning: "writes from random places of a buffer of random bytes",
    standing: Standing::Approximated,
    remark: "each write has fresh random bytes: it compresses as little, and repeats less",
    remedy: "",
};
pub(super) const SOURCE_FILE: OptionForm = kept(
    "-Z<size>,<file>",
    "RandomDataSource",
    "writes from random places of a file's content",
);
pub(super) const SOURCE_HUGE: OptionForm = OptionForm {
    form: "-Z<size>,<file>, above 4G",
    element: "RandomDataSource",
    meaning: "writes from random places of more than 4 GiB of a file",
    standing: Standing::Refused,
    remark: "4 GiB are kept of a file at most, and no write of DISKSPD begins beyond",
    remedy: "a size up to 4G",
};
pub(super) const SOURCE_MISSING: OptionForm = OptionForm {
    form: "Pattern random without RandomDataSource",
    element: "WriteBufferContent",
    meaning: "random bytes from nowhere (XML only)",
    standing: Standing::Approximated,
    remark: "DISKSPD fills no buffer then and writes the bytes 0 to 255, and so does Fathom; \
             RandomWriteData of the time span makes random ones",
    remedy: "",
};
pub(super) const LINUX_BUFFERS: OptionForm = OptionForm {
    form: "-Zs",
    element: "",
    meaning: "buffers of their own for reads and writes (diskspd-for-linux)",
    standing: Standing::Ignored,
    remark: "every slot has a buffer of its own",
    remedy: "",
};
pub(super) const TARGET: OptionForm = kept("<path>", "Path", "a file or device");
pub(super) const PHYSICAL: OptionForm = OptionForm {
    form: "#<n>, <drive>:",
    element: "Path",
    meaning: "a physical drive or a raw volume of Windows",
    standing: Standing::Refused,
    remark: "it names a Windows device",
    remedy: "the device on Linux, as in /dev/nvme1n1",
};
pub(super) const WINDOWS_PATH: OptionForm = OptionForm {
    form: "<drive>:\\…, \\\\server\\share",
    element: "Path",
    meaning: "a Windows path",
    standing: Standing::Refused,
    remark: "it is a Windows path",
    remedy: "`--map-drive r=DIR` or `--target PATH` before the options, or a path of Linux",
};
pub(super) const TEMPLATE: OptionForm =
    kept("*<n>", "Path", "the n-th target given beside a profile");
pub(super) const BURST_RATE: OptionForm = OptionForm {
    form: "-i and -j with -g",
    element: "ThinkTime",
    meaning: "bursts of a limited rate",
    standing: Standing::Refused,
    remark: "bursts and a rate exclude each other in one job",
    remedy: "leave `-g` or `-i` and `-j` out",
};
pub(super) const PARALLEL_BURST: OptionForm = OptionForm {
    form: "-p with -i and -j",
    element: "ParallelAsyncIO",
    meaning: "bursts over slots of positions of their own",
    standing: Standing::Refused,
    remark: "a burst cannot be shared by slots that are threads",
    remedy: "leave `-p` or `-i` and `-j` out",
};
pub(super) const POOL_MIXED: OptionForm = OptionForm {
    form: "targets of different settings with ThreadCount",
    element: "ThreadCount",
    meaning: "a pool of threads over targets with settings of their own (XML only)",
    standing: Standing::Refused,
    remark: "the targets of a pool of threads have the same settings",
    remedy: "give the targets the same settings, or ThreadsPerFile instead of ThreadCount",
};
pub(super) const CREATE_DEVICE: OptionForm = OptionForm {
    form: "-c<size> of a device",
    element: "FileSize",
    meaning: "make a device",
    standing: Standing::Ignored,
    remark: "a device has the size it has, as DISKSPD has it",
    remedy: "",
};
pub(super) const SPANS: OptionForm = OptionForm {
    form: "several TimeSpans with seeds, buckets or affinities of their own",
    element: "TimeSpan",
    meaning: "settings of each time span (XML only)",
    standing: Standing::Approximated,
    remark: "the first time span's seed, bucket and affinity go for all",
    remedy: "",
};
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
    PIN_BEYOND,
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
    PARALLEL_STRIDE,
    PARALLEL_MAPPED,
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
    PARALLEL_BURST,
    POOL_MIXED,
    CREATE_DEVICE,
    SPANS,
    PRECREATE,
];
