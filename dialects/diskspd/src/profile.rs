//! What DISKSPD is asked to do, in its own terms: the same for a command line and an XML profile.

use super::tracing::EventClass;

/// Targets of one time span. More are refused rather than kept open at once.
pub(super) const MOST_TARGETS: usize = 1024;

/// A whole run: what goes for all time spans, and the time spans.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// `-v`: one more line in the report.
    pub verbose: bool,
    /// `-vs`: statistics of waiting.
    pub verbose_stats: bool,
    /// `-P`: completions for each dot of progress; 0 for none.
    pub progress: u32,
    /// `-R`: form of the report.
    pub format: ResultFormat,
    /// `-Rp`: show the profile and do nothing.
    pub print_only: bool,
    /// `-:`: bits that change DISKSPD's own working.
    pub experiment_flags: u32,
    /// `PrecreateFiles`: which files are made before the first time span.
    pub precreate: Option<String>,
    /// `-e`: kernel event tracing, the classes and flags asked for.
    pub tracing: Vec<&'static EventClass>,
    /// `-y`: named events, the letter and the name.
    pub events: Vec<(char, String)>,
    /// One after another.
    pub spans: Vec<TimeSpan>,
}

/// `-Rtext` and `-Rxml`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultFormat {
    /// Columns for people.
    #[default]
    Text,
    /// Elements for programs.
    Xml,
}

/// What runs at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeSpan {
    /// `-d`, seconds.
    pub duration_s: u32,
    /// `-W`, seconds.
    pub warm_up_s: u32,
    /// `-C`, seconds.
    pub cool_down_s: u32,
    /// `-z`.
    pub seed: u64,
    /// `-z` without a number: a new seed each time.
    pub fresh_seed: bool,
    /// `-F`: threads over all targets; 0 when each target has its own.
    pub threads: u32,
    /// `-O`: outstanding requests of a thread over all targets; 0 when each target has its own.
    pub outstanding: u32,
    /// `-n`: no affinity of threads.
    pub no_affinity: bool,
    /// `-a` with a list: processor group and processor.
    pub affinity: Vec<(u16, u8)>,
    /// `-x`.
    pub completion_routines: bool,
    /// `-L`: latencies are measured.
    pub measure_latency: bool,
    /// `-D`: milliseconds of a bucket; none when not asked for.
    pub iops_bucket_ms: Option<u32>,
    /// What is read and written.
    pub targets: Vec<Target>,
}

impl Default for TimeSpan {
    fn default() -> Self {
        Self {
            duration_s: 10,
            warm_up_s: 5,
            cool_down_s: 0,
            seed: 0,
            fresh_seed: false,
            threads: 0,
            outstanding: 0,
            no_affinity: false,
            affinity: Vec::new(),
            completion_routines: false,
            measure_latency: false,
            iops_bucket_ms: None,
            targets: Vec::new(),
        }
    }
}

impl TimeSpan {
    /// All threads of the span.
    pub fn thread_count(&self) -> u64 {
        match self.threads {
            0 => self.targets.iter().map(|t| u64::from(t.threads)).sum(),
            threads => u64::from(threads),
        }
    }

    /// Whether each thread of a pool has one queue for all its targets.
    pub const fn has_shared_queue(&self) -> bool {
        self.threads > 0 && self.outstanding > 0
    }

    /// Threads that use one of the targets.
    pub const fn threads_of(&self, target: &Target) -> u32 {
        match self.threads {
            0 => target.threads,
            threads => threads,
        }
    }
}

/// A file and what is done to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// A path, or `*N` for the N-th target given after the profile.
    pub path: String,
    /// `-b`: size of requests, bytes.
    pub block_bytes: u64,
    /// `-B`: first byte used.
    pub base_bytes: u64,
    /// `-f<size>`, or the end of `-B<base>:<length>`: first byte not used any more; none for the
    /// end of the target.
    pub max_bytes: Option<u64>,
    /// `-fs`.
    pub sequential_scan_hint: bool,
    /// `-fr`.
    pub random_access_hint: bool,
    /// `-ft`.
    pub temporary_hint: bool,
    /// `-l`: buffers in large pages.
    pub large_pages: bool,
    /// `-Sb`, `-Su`, `-Sr`.
    pub cache: Cache,
    /// `-Sw`.
    pub write_through: bool,
    /// `-Sm`.
    pub memory_mapped: bool,
    /// `-N`: how mapped views are flushed.
    pub flush: Option<MapFlush>,
    /// `-Z`.
    pub content: Content,
    /// `-p`: overlapping requests start at the same offset.
    pub parallel: bool,
    /// `-i`: requests of a burst.
    pub burst: Option<u32>,
    /// `-j`: milliseconds between two bursts.
    pub think_ms: Option<u32>,
    /// `-c`: size of the file that is made, bytes.
    pub file_bytes: Option<u64>,
    /// `-r`, `-s`: where requests go.
    pub order: Order,
    /// `-T`: distance between the starts of two threads, bytes.
    pub thread_stride_bytes: u64,
    /// `-o`: requests in flight for each thread and target.
    pub outstanding: u32,
    /// `-w`: share of writes, percent.
    pub write_percent: u32,
    /// `-g`, for each thread.
    pub throttle: Option<Throttle>,
    /// `-t`: number of threads for each target.
    pub threads: u32,
    /// `-I`: 1 very low, 2 low, 3 normal.
    pub priority: u8,
    /// Share of requests among the targets of a thread with `-O`.
    pub weight: u32,
    /// The threads of a pool that use it, with a share of their own; without any, all of them do.
    pub thread_targets: Vec<ThreadTarget>,
}

/// A thread of a pool at a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadTarget {
    /// Number of the thread, from 0.
    pub thread: u32,
    /// Share of its requests, in place of the target's.
    pub weight: Option<u32>,
}

/// Block size without `-b`, bytes.
pub const DEFAULT_BLOCK_BYTES: u64 = 64 << 10;

impl Default for Target {
    fn default() -> Self {
        Self {
            path: String::new(),
            block_bytes: DEFAULT_BLOCK_BYTES,
            base_bytes: 0,
            max_bytes: None,
            sequential_scan_hint: false,
            random_access_hint: false,
            temporary_hint: false,
            large_pages: false,
            cache: Cache::Cached,
            write_through: false,
            memory_mapped: false,
            flush: None,
            content: Content::Counting,
            parallel: false,
            burst: None,
            think_ms: None,
            file_bytes: None,
            order: Order::sequential(DEFAULT_BLOCK_BYTES),
            thread_stride_bytes: 0,
            outstanding: 2,
            write_percent: 0,
            throttle: None,
            threads: 1,
            priority: 3,
            weight: 1,
            thread_targets: Vec::new(),
        }
    }
}

/// How requests meet the page cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cache {
    /// Through it.
    #[default]
    Cached,
    /// Past it.
    Uncached,
    /// Past the local cache of a remote file system.
    LocalUncached,
}

/// `-N`: how a mapped write is made durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapFlush {
    /// `-Nv`.
    View,
    /// `-Nn`.
    NonVolatile,
    /// `-Ni`.
    NonVolatileNoDrain,
}

/// What writes carry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Bytes 0 to 255, repeated.
    #[default]
    Counting,
    /// `-Z`: buffers of zeros.
    Zero,
    /// `-Zr`: fresh random bytes for each write.
    Random,
    /// `-Z<size>`: a random part of a buffer.
    Buffer {
        /// Its size in bytes.
        bytes: u64,
        /// Where its content is from; random without.
        file: Option<String>,
    },
}

impl Content {
    /// Which of several counts, as DISKSPD fills its buffers: the highest.
    pub(super) const fn rank(&self) -> u8 {
        match self {
            Self::Counting => 0,
            Self::Random => 1,
            Self::Zero => 2,
            Self::Buffer { .. } => 3,
        }
    }
}

/// Where requests go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Share of requests that go to a random place: 0 sequential, 100 random.
    pub random_percent: u32,
    /// What random offsets are a multiple of, and the step of sequential requests, bytes.
    pub stride_bytes: u64,
    /// `-si`.
    pub interlocked: bool,
    /// `-rd`.
    pub ranges: Ranges,
}

impl Order {
    /// One request after the other.
    pub const fn sequential(stride_bytes: u64) -> Self {
        Self {
            random_percent: 0,
            stride_bytes,
            interlocked: false,
            ranges: Ranges::Uniform,
        }
    }
}

/// `-rd`: which parts of the target get which share of the requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ranges {
    /// All alike.
    #[default]
    Uniform,
    /// Percent of requests, percent of the target.
    Percent(Vec<(u32, u64)>),
    /// Percent of requests, bytes of the target.
    Absolute(Vec<(u32, u64)>),
}

/// `-g`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Throttle {
    /// Bytes a millisecond.
    BytesPerMs(u32),
    /// Requests a second.
    Iops(u32),
}

impl Throttle {
    /// Bytes a millisecond, as DISKSPD reckons them: whole ones, 0 for no limit.
    pub const fn bytes_per_ms(self, block_bytes: u64) -> u64 {
        match self {
            Self::BytesPerMs(bytes) => bytes as u64,
            Self::Iops(iops) => (iops as u64).saturating_mul(block_bytes) / 1000,
        }
    }
}
