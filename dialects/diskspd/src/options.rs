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

/// A constant for each form, and all of them as [`ROWS`].
macro_rules! forms {
    ($($name:ident $standing:ident ($($word:expr),+);)+) => {
        $(pub(super) const $name: OptionForm = $standing($($word),+);)+

        /// All forms, in the order of the alphabet as DISKSPD sorts its help.
        pub static ROWS: &[OptionForm] = &[$($name),+];
    };
}

forms! {
    HELP kept ("-?", "", "usage");
    EXPERIMENT ignored ("-:<flags>", "ExperimentFlags", "bits that change DISKSPD's own loop",
        "the bits are about DISKSPD's own loop");
    PIN_DEFAULT kept ("-a, -ag", "", "pin threads to all processors in turn");
    PIN_LIST kept ("-a<cpu>[,<cpu>…]", "AffinityGroupAssignment",
        "pin threads to these processors in turn");
    PIN_GROUP refused ("-ag<group>,<cpu>[,…], group above 0", "AffinityGroupAssignment",
        "processors of a group", "Linux has no processor groups",
        "the number of the processor without a group, as in `-a64,65`");
    BLOCK kept ("-b<size>", "BlockSize", "bytes of a request, 64K without it");
    BLOCK_HUGE refused ("-b<size>, above 1G", "BlockSize", "requests of more than 1 GiB",
        "a request has 1 GiB at most", "as in `-b1G`");
    BASE kept ("-B<base>[:<length>]", "BaseFileOffset", "first byte used, and how many");
    CREATE near ("-c<size>", "FileSize", "make the files, of this size",
        "a file of this size that Fathom made is used again, where DISKSPD makes it anew; a new \
         one is filled with data, where DISKSPD leaves zeros");
    COOL kept ("-C<seconds>", "Cooldown", "load after the measured time");
    DURATION kept ("-d<seconds>", "Duration", "measured time, 10 without it");
    DURATION_NONE refused ("-d0", "Duration", "no measured time",
        "a duration of 0 seconds measures nothing", "as in `-d60`");
    BUCKET kept ("-D[<ms>]", "CalculateIopsStdDev",
        "deviation of IOPS over buckets of 1000 ms or as given");
    BUCKET_FINE near ("-D<ms>, below 100", "IoBucketDuration",
        "deviation of IOPS over short buckets",
        "the shortest bucket is 100 ms, so the deviation is over buckets of 100 ms");
    TRACE ignored ("-e<class>", "ETW", "Windows event tracing",
        "there is no Windows event tracing on Linux");
    MAX kept ("-f<size>", "MaxFileSize", "first byte not used any more");
    HINT ignored ("-f<rst>", "SequentialScan", "hints to the Windows cache on opening",
        "Linux takes no such hints on opening; its read-ahead finds the order out by itself");
    POOL near ("-F<n>", "ThreadCount", "threads over all targets",
        "latencies are reported per target for up to 512 threads times targets of a pool; above \
         that, one distribution covers all");
    RATE near ("-g<n>", "Throughput", "bytes a millisecond of each thread and target",
        "requests go by the clock at equal gaps, where DISKSPD sends what its budget allows; the \
         rate is the same");
    RATE_IOPS near ("-g<n>i", "Throughput", "requests a second of each thread and target",
        "requests go by the clock at equal gaps, where DISKSPD sends what its budget allows; the \
         rate is DISKSPD's, in whole bytes a millisecond");
    RATE_NONE near ("-g<n>i, less than a byte a millisecond", "Throughput",
        "a rate that comes to nothing",
        "it comes to 0 bytes a millisecond in DISKSPD's whole numbers, which is no limit");
    UNCACHED_H kept ("-h", "", "as -Sh");
    BURST near ("-i<n>", "BurstSize", "requests of a burst",
        "the pause counts from the last completion of a burst, and goes for all targets of a \
         thread");
    THINK near ("-j<ms>", "ThinkTime", "pause between two bursts",
        "the pause counts from the last completion of a burst, and goes for all targets of a \
         thread");
    PRIORITY near ("-I<1..2>", "IOPriority", "I/O priority very low or low",
        "very low is the idle class of Linux, low the last level of its best effort; what \
         schedules without priorities heeds neither");
    PRIORITY_NORMAL kept ("-I3", "IOPriority", "I/O priority normal");
    LARGE_PAGES kept ("-l", "UseLargePages", "large pages for buffers");
    LATENCY kept ("-L", "MeasureLatency", "latency in the report");
    NO_AFFINITY kept ("-n", "DisableAffinity", "threads are not pinned");
    MAP_FLUSH near ("-N<v|n|i>", "FlushType", "flush after each mapped write",
        "each is followed by an `msync` of its pages, which on persistent memory flushes the \
         processor's caches; there is no form without the drain");
    OUTSTANDING kept ("-o<n>", "RequestCount",
        "outstanding requests of each thread and target, 2 without it");
    POOL_OUTSTANDING near ("-O<n>", "RequestCount", "queue depth per thread over all targets",
        "a thread takes its targets in turn, where DISKSPD draws them; with one target there is no \
         difference");
    POOL_OUTSTANDING_ALONE ignored ("-O<n> without -F", "RequestCount",
        "outstanding requests of threads that are no pool",
        "DISKSPD accepts it but uses it only with `-F`; `-o` applies to each target");
    WEIGHTS kept ("Weight", "Weight", "shares of targets in a pool of threads (XML only)");
    THREAD_TARGETS kept ("ThreadTargets", "ThreadTargets",
        "threads chosen by number for a target (XML only)");
    PARALLEL refused ("-p", "ParallelAsyncIO", "each slot keeps a sequential position of its own",
        "not supported by Fathom: a thread has one position; with `-o1` it is the same",
        "leave `-p` out, or take `-t` threads");
    PROGRESS ignored ("-P[<n>]", "Progress", "a dot for each N completions",
        "progress is printed on standard error once a second");
    RANDOM kept ("-r[<align>]", "Random", "random, at multiples of the block or as given");
    MIXED kept ("-rs<percent>", "RandomRatio",
        "a share of random requests, the others go on from the last");
    MIXED_WRITES near ("-rs<percent> with -w1 to -w99", "RandomRatio",
        "a share of random requests of reads and writes",
        "each request draws anew whether it reads or writes, where DISKSPD keeps to one within a \
         sequential run; the shares are the same");
    RANGE_PERCENT kept ("-rdpct<io>/<target>[:…]", "Distribution",
        "parts of the target in percent, with a share of the requests each");
    RANGE_ABSOLUTE kept ("-rdabs<io>/<size>[:…]", "Distribution",
        "parts of the target in bytes, with a share of the requests each");
    FORMAT kept ("-R[p]<text|xml>", "ResultFormat", "form of the report; with p the profile alone");
    SEQUENTIAL kept ("-s[<stride>]", "StrideSize", "sequential, by blocks or as given");
    STRIDE_ZERO kept ("-s0", "StrideSize",
        "sequential by blocks; before DISKSPD 2.1, always the same place");
    INTERLOCKED kept ("-si[<stride>]", "InterlockedSequential",
        "one sequential position for all threads of a target");
    CACHED kept ("-Sb", "", "through the page cache; the same without -S");
    UNCACHED kept ("-S, -Su", "DisableOSCache", "past the page cache (O_DIRECT)");
    WRITE_THROUGH kept ("-Sw", "WriteThrough", "writes complete when they are durable (O_DSYNC)");
    UNCACHED_THROUGH kept ("-Sh", "DisableOSCache", "-Su and -Sw together");
    LOCAL_UNCACHED near ("-Sr", "DisableLocalCache", "past the local cache of a remote file system",
        "Linux has no such way to open a file; it goes through the page cache");
    MAPPED near ("-Sm", "MemoryMappedIo", "memory mapped",
        "a thread makes one copy at a time, so `-o` above 1 changes nothing; with `w` each write \
         is flushed as by `-Nv`");
    LINUX_DIRECT kept ("-Sd", "", "O_DIRECT (diskspd-for-linux)");
    LINUX_SYNC kept ("-Ss", "", "O_SYNC (diskspd-for-linux)");
    THREADS kept ("-t<n>", "ThreadsPerFile", "threads of each target, 1 without it");
    THREAD_STRIDE kept ("-T<size>", "ThreadStride", "distance between the starts of two threads");
    VERBOSE kept ("-v", "Verbose", "more words");
    VERBOSE_STATS ignored ("-vs", "VerboseStats", "statistics of waiting",
        "Fathom's threads wait in another way, so there is no such table");
    WRITES kept ("-w<percent>", "WriteRatio", "share of writes, 0 without it");
    WARM_UP kept ("-W<seconds>", "Warmup", "load before the measured time, 5 without it");
    COMPLETION ignored ("-x", "CompletionRoutines",
        "completion routines instead of completion ports",
        "Linux has neither; `--engine` before the options chooses the engine");
    LINUX_ENGINE ignored ("-xk, -xp", "", "kernel or POSIX AIO (diskspd-for-linux)",
        "Fathom takes the best engine there is; `--engine` before the options chooses one");
    PROFILE kept ("-X<file>", "Profile", "an XML profile");
    EVENT ignored ("-ys<name>, -yf<name>, -yr<name>, -yp<name>", "",
        "signal or await Windows events", "Linux has no named events");
    EVENT_SET refused ("-ye<name>", "", "set a Windows event and end", "Linux has no named events",
        "a signal to the process (SIGINT) ends a run with a report");
    SEED near ("-z[<n>]", "RandSeed", "seed; without a number a new one each time",
        "the same seed gives the same requests in each run, but not those of DISKSPD");
    COUNTING kept ("without -Z", "WriteBufferContent", "bytes 0 to 255, repeated, in each write");
    ZERO kept ("-Z, -Zz", "WriteBufferContent", "writes of zeros");
    REFILL kept ("-Zr", "RandomWriteData", "fresh random bytes in each write");
    SOURCE near ("-Z<size>", "RandomDataSource",
        "writes from random places of a buffer of random bytes",
        "each write has fresh random bytes: it compresses as little, and repeats less");
    SOURCE_FILE kept ("-Z<size>,<file>", "RandomDataSource",
        "writes from random places of a file's content");
    SOURCE_HUGE refused ("-Z<size>,<file>, above 4G", "RandomDataSource",
        "writes from random places of more than 4 GiB of a file",
        "4 GiB are kept of a file at most, and no write of DISKSPD begins beyond",
        "a size up to 4G");
    SOURCE_MISSING near ("Pattern random without RandomDataSource", "WriteBufferContent",
        "random bytes from nowhere (XML only)",
        "DISKSPD fills no buffer then and writes the bytes 0 to 255, and so does Fathom; \
         RandomWriteData of the time span makes random ones");
    LINUX_BUFFERS ignored ("-Zs", "",
        "buffers of their own for reads and writes (diskspd-for-linux)",
        "every slot has a buffer of its own");
    TARGET kept ("<path>", "Path", "a file or device");
    PHYSICAL refused ("#<n>, <drive>:", "Path",
        "a physical drive or a raw volume; on Windows itself it is read",
        "it names a Windows device", "the device on Linux, as in /dev/nvme1n1");
    WINDOWS_PATH refused ("<drive>:\\…, \\\\server\\share", "Path", "a Windows path",
        "it is a Windows path",
        "`--map-drive r=DIR` or `--target PATH` before the options, or a path of Linux");
    TEMPLATE kept ("*<n>", "Path", "the n-th target given with a profile");
    BURST_RATE refused ("-i and -j with -g", "ThinkTime", "bursts of a limited rate",
        "bursts and a rate exclude each other in one job", "leave `-g` or `-i` and `-j` out");
    POOL_MIXED refused ("targets of different settings with ThreadCount", "ThreadCount",
        "a pool of threads over targets with settings of their own (XML only)",
        "the targets of a pool of threads have the same settings",
        "give the targets the same settings, or ThreadsPerFile instead of ThreadCount");
    CREATE_DEVICE ignored ("-c<size> of a device", "FileSize", "make a device",
        "a device has the size it has, as DISKSPD has it");
    SPANS near ("several TimeSpans with seeds, buckets or affinities of their own", "TimeSpan",
        "settings of each time span (XML only)",
        "the first time span's seed, bucket and affinity go for all");
    PRECREATE kept ("PrecreateFiles", "PrecreateFiles",
        "make files before the first time span (XML only)");
}
