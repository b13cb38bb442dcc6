//! What a text came to, and where that is read.

use std::fmt;
use std::sync::mpsc;
use std::time::Duration;

/// What a text came to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measured {
    /// Processor time of reading it and of drawing what is wrong with it.
    pub(crate) read_ms: u64,
    /// Processor time of what is done with it then.
    pub(crate) then_ms: u64,
    pub(crate) findings: u64,
    pub(crate) characters: u64,
    /// The most memory of the process, the text itself included.
    pub(crate) peak_mib: u64,
}

impl Measured {
    fn numbers(&self) -> [u64; 5] {
        let Self {
            read_ms,
            then_ms,
            findings,
            characters,
            peak_mib,
        } = *self;
        [read_ms, then_ms, findings, characters, peak_mib]
    }

    fn of([read_ms, then_ms, findings, characters, peak_mib]: [u64; 5]) -> Self {
        Self {
            read_ms,
            then_ms,
            findings,
            characters,
            peak_mib,
        }
    }

    /// As one process tells it to another.
    pub(crate) fn line(&self) -> String {
        self.numbers().map(|number| number.to_string()).join(" ")
    }

    pub(crate) fn parse(line: &str) -> Result<Self, String> {
        let numbers: Option<Vec<u64>> = line
            .split_whitespace()
            .map(|word| word.parse().ok())
            .collect();
        let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
        numbers
            .map(Self::of)
            .ok_or_else(|| format!("it said `{line}`"))
    }

    pub(crate) fn is_within(&self, bars: &Self) -> bool {
        let pairs = self.numbers().into_iter().zip(bars.numbers());
        pairs.into_iter().all(|(found, bar)| found <= bar)
    }

    /// The worse of each number.
    pub(crate) fn worse(&self, other: &Self) -> Self {
        let (one, other) = (self.numbers(), other.numbers());
        Self::of(std::array::from_fn(|at| one[at].max(other[at])))
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            read_ms,
            then_ms,
            findings,
            characters,
            peak_mib,
        } = self;
        write!(
            f,
            "{read_ms:6} ms, then {then_ms:6} ms, {findings:3} findings in {characters:6} \
             characters, {peak_mib:5} MiB"
        )
    }
}

/// Processor time of the main thread so far.
pub(crate) fn processor_ms() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split_whitespace().next();
    first.and_then(|word| word.parse::<u64>().ok()).unwrap_or(0) / 1_000_000
}

/// The most memory that this process had at once.
pub(crate) fn peak_mib() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next());
    kib.and_then(|word| word.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// Ends the process when it takes too long.
pub(crate) fn give_up_after(seconds: u64) {
    std::thread::spawn(move || {
        let (keep, ended) = mpsc::channel::<()>();
        let _ = ended.recv_timeout(Duration::from_secs(seconds));
        drop(keep);
        eprintln!("given up after {seconds} s");
        std::process::exit(3);
    });
}
