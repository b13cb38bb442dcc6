//! What the I/O tests of SAS print, and below it what they do not say.
//!
//! The scripts' figure is the size of one file over the mean of the streams' times; the total is
//! printed next to it: all bytes over the time from the first to the last.
#![expect(
    clippy::format_push_string,
    reason = "a report is written once; growing sentences read better than write! does"
)]

use fathom_core::result::{DeviceUse, JobResult, PhaseResult, ResultField, RunResult, TargetInfo};
use fathom_core::table::{Align, Table};
use fathom_core::{Caveat, EngineKind, Level, Op, figure};

/// Bytes a second that SAS asks of a file system for each physical core: for all, and for heavy
/// analytics.
const ENOUGH: f64 = 100e6;
const HEAVY: f64 = 150e6;
/// Share of the reads that must have come from the device for them to be its own.
const OWN: f64 = 0.95;
/// How the workload of `rhel-iotest` is called.
const RHEL: &str = "rhel-iotest";
/// Begins of the names of workloads that ask what SAS asks.
const OF_SAS: [&str; 3] = [RHEL, "iotest", "sas-session"];
const WIDTH: usize = 100;
/// What the source of an import does not say.
const UNKNOWN: &str = "unknown";

/// As `iotest.sh`.
pub fn render(result: &RunResult) -> String {
    let test = Test::of(result);
    let mut text = test.status();
    text.push_str("\n\n\nRESULTS\n-------\n\n");
    text.push_str(&format!(
        "INVOCATION            : {}\n\n\n",
        test.invocation()
    ));
    text.push_str("TARGET DETAILS\n");
    text.push_str(&format!("  directory           : {}\n", test.directory()));
    text.push_str(&format!("  mount point         : {}\n", test.mount()));
    let size = match test.file_bytes() {
        None => UNKNOWN.to_owned(),
        Some(bytes) => {
            let megabytes = Hundredths(bytes * 100 / (1 << 20));
            format!("{bytes} bytes or {megabytes} megabytes")
        }
    };
    text.push_str(&format!("  filesize            : {size}\n\n\nSTATISTICS\n"));
    for (op, phase) in test.phases() {
        let mean = test.mean(phase);
        let name = op.name();
        let time = format!("  average {name} time in seconds");
        let rate = format!("  average {name} throughput rate");
        let unit = "megabytes per second";
        text.push_str(&format!(
            "{time:<35}: {:>7} {:>20}\n",
            mean.seconds.to_string(),
            ""
        ));
        text.push_str(&format!("{rate:<35}: {:>7} {unit:>20}\n", mean.rate_text()));
    }
    text.push_str("\n\n<<STATUS>> processing complete\n\n");
    text + &test.unsaid()
}

/// As `rhel_iotest.sh`, where each stream is a physical core.
pub fn render_rhel(result: &RunResult) -> String {
    let test = Test::of(result);
    let streams = test.streams();
    let place = test.target.map_or("", |target| target.mount_point.as_str());
    let mut text = format!(
        "\nPerforming iotest with {streams} iterations against the '{place}' file system...\n\n\
         RESULTS\n-------\nINVOCATION:  {}\n\nTARGET DETAILS\n",
        test.invocation()
    );
    let gigabytes = test.file_bytes().map_or_else(
        || UNKNOWN.to_owned(),
        |bytes| {
            let hundredths = Hundredths(bytes * 100 / (1 << 30));
            format!("{} gigabytes", hundredths.grouped())
        },
    );
    for (label, words) in [
        ("target dir:", test.directory().to_owned()),
        ("mount point:", test.mount()),
        ("iterations:", streams.to_string()),
        ("filesize:", gigabytes),
    ] {
        text.push_str(&format!("  {label:<12}  {words}\n"));
    }
    text.push_str("\nSTATISTICS\n");
    for (op, phase) in test.phases() {
        let label = format!("{} throughput rate:", op.name());
        let rate = test.mean(phase).rate;
        let rate = rate.map_or_else(|| "n/a".to_owned(), Hundredths::grouped);
        text.push_str(&format!(
            "  {label:<22}  {rate} megabytes/second per physical core\n"
        ));
    }
    text.push('\n');
    text + &test.unsaid()
}

/// Whether SAS's rule is kept; of several answers the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SasAnswer {
    /// Enough for each core.
    Kept,
    /// Something was not measured to the end.
    Untold,
    /// Too slow.
    Missed,
    /// The figures do not describe the file system.
    Invalid,
}

/// Whether SAS's rule is kept by a result of one of its tests.
pub fn sas_answer(result: &RunResult) -> SasAnswer {
    Test::of(result).judged().answer
}

/// Whether the file systems of a SAS installation are fast enough, and whether all of them are.
/// Each is a name and the result of `rhel-iotest`, whose streams are the physical cores.
pub fn sas_verdict(results: &[(&str, &RunResult)]) -> (String, SasAnswer) {
    let mut table = Table::default();
    table.column("file system", Align::Left);
    table.column("directory", Align::Left);
    table.column("write", Align::Right);
    table.column("read", Align::Right);
    table.column("verdict", Align::Left);
    let mut worst = SasAnswer::Kept;
    for (name, result) in results {
        let test = Test::of(result);
        let Judged {
            rates,
            words,
            answer,
        } = test.judged();
        worst = worst.max(answer);
        let shown = |rate: &Option<f64>| rate.map_or_else(|| "-".to_owned(), figure::megabytes);
        table.row(vec![
            (*name).to_owned(),
            test.directory().to_owned(),
            shown(&rates[0]),
            shown(&rates[1]),
            words,
        ]);
    }
    let mut text =
        "VERDICT\nMB/s for each physical core, all bytes over the time from the first to \
                    the last. SAS asks for\n100, and for 150 where analytics are heavy.\n\n"
            .to_owned();
    for line in table.lines(WIDTH, false) {
        text.push_str(&line);
        text.push('\n');
    }
    (text, worst)
}

/// What SAS would say of one file system for the machine's physical cores, in a sentence; none of a
/// result of another test.
pub fn sas_sentence(result: &RunResult) -> Option<String> {
    let name = &result.provenance.workload.name;
    if !OF_SAS.iter().any(|begin| name.starts_with(begin)) {
        return None;
    }
    let test = Test::of(result);
    let Judged { rates, words, .. } = test.judged();
    let shown = |rate: Option<f64>| rate.map_or_else(|| "-".to_owned(), figure::megabytes);
    let each = |count: u32, what: &str| match count {
        1 => format!("for the only {what}"),
        _ => format!("for each of {}", figure::plural(count.into(), what)),
    };
    let each = match test.cores() {
        Some(cores) => each(cores, "physical core"),
        None => each(test.streams(), "stream") + " (the number of cores is not known)",
    };
    Some(format!(
        "SAS: {words}; {} MB/s written and {} read {each}, where 100 are asked for and 150 for \
         heavy analytics",
        shown(rates[0]),
        shown(rates[1])
    ))
}

/// What SAS would say of a file system.
struct Judged {
    /// Bytes a second for each core, written and read.
    rates: [Option<f64>; 2],
    words: String,
    answer: SasAnswer,
}

impl Test<'_> {
    fn judged(&self) -> Judged {
        let cores = self.cores().unwrap_or(self.streams()).max(1);
        let per_core =
            |phase: Option<&PhaseResult>| phase.map(|phase| total_rate(phase) / f64::from(cores));
        let rates = [per_core(self.write), per_core(self.read)];
        let memory = self.read.map_or(0.0, from_memory);
        let cached = memory > 1.0 - OWN;
        // Reads from memory say nothing of the file system.
        let judged = if cached { &rates[..1] } else { &rates[..] };
        let least = judged.iter().flatten().copied().reduce(f64::min);
        // A figure that does not describe the file system says nothing of it.
        let caveats = &self.result.caveats;
        let is_invalid = caveats.iter().any(|one| one.level == Level::Invalid);
        let complete = rates.iter().all(Option::is_some) && !is_invalid;
        let mut words = match least {
            _ if is_invalid => "not judged: the result is INVALID".to_owned(),
            Some(rate) if complete && rate >= HEAVY => "enough for heavy analytics too".to_owned(),
            Some(rate) if complete && rate >= ENOUGH => {
                "enough, but not for heavy analytics".to_owned()
            }
            Some(rate) if complete => {
                format!(
                    "too slow: {} of what is needed",
                    figure::percent(rate / 1e6)
                )
            }
            _ => "not measured to the end".to_owned(),
        };
        if cached && !is_invalid {
            let share = figure::percent(memory * 100.0);
            words = format!("{words}, by the writes alone ({share} of the reads came from memory)");
        }
        Judged {
            rates,
            words,
            answer: match least {
                _ if is_invalid => SasAnswer::Invalid,
                Some(rate) if complete && rate >= ENOUGH => SasAnswer::Kept,
                Some(_) if complete => SasAnswer::Missed,
                _ => SasAnswer::Untold,
            },
        }
    }
}

/// A number with two decimals, as bc prints it: cut off, and without a zero before the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hundredths(u64);

impl Hundredths {
    /// As printf prints it with commas.
    fn grouped(self) -> String {
        figure::decimal(self.0 as f64 / 100.0, 2)
    }
}

impl std::fmt::Display for Hundredths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.0 / 100, self.0 % 100) {
            (0, 0) => f.write_str("0"),
            (0, part) => write!(f, ".{part:02}"),
            (whole, part) => write!(f, "{whole}.{part:02}"),
        }
    }
}

/// The scripts' arithmetic.
struct Mean {
    seconds: Hundredths,
    /// None when the mean is below a hundredth of a second, or the size of a file is unknown.
    rate: Option<Hundredths>,
}

impl Mean {
    fn rate_text(&self) -> String {
        self.rate
            .map_or_else(|| "n/a".to_owned(), |rate| rate.to_string())
    }
}

/// A result, taken as a test of streams.
struct Test<'a> {
    result: &'a RunResult,
    write: Option<&'a PhaseResult>,
    read: Option<&'a PhaseResult>,
    target: Option<&'a TargetInfo>,
}

impl<'a> Test<'a> {
    fn of(result: &'a RunResult) -> Self {
        let with = |op: Op| {
            let mut phases = result.phases.iter();
            phases.find(|phase| phase.jobs.iter().any(|job| job.ops.get(op).is_some()))
        };
        Self {
            result,
            write: with(Op::Write),
            read: with(Op::Read),
            target: result.provenance.targets.first(),
        }
    }

    /// The phases that there are, in the order in which the scripts print them.
    fn phases(&self) -> impl Iterator<Item = (Op, &'a PhaseResult)> {
        let read = self.read.map(|phase| (Op::Read, phase));
        read.into_iter()
            .chain(self.write.map(|phase| (Op::Write, phase)))
    }

    fn streams(&self) -> u32 {
        let jobs = self.write.or(self.read).map_or(0, |phase| phase.jobs.len());
        jobs as u32
    }

    /// Physical cores of the machine. `rhel-iotest` runs a stream on each.
    fn cores(&self) -> Option<u32> {
        let provenance = &self.result.provenance;
        let is_rhel = provenance.workload.name.starts_with(RHEL);
        let streams = is_rhel.then(|| self.streams());
        // Virtual time has no machine: that of the model is whoever reads it.
        let is_modelled = provenance.engine.is(EngineKind::is_virtual);
        let own = provenance.host.physical_cores.filter(|_| !is_modelled);
        streams.or(own)
    }

    /// None for an import, whose source does not tell.
    fn file_bytes(&self) -> Option<u64> {
        let bytes = self.target.map_or(0, |target| target.size_bytes);
        (bytes > 0 || !self.is_imported()).then_some(bytes)
    }

    fn is_imported(&self) -> bool {
        self.result.provenance.origin.is_imported()
    }

    fn invocation(&self) -> String {
        let words = &self.result.provenance.command_line;
        if self.is_imported() {
            return UNKNOWN.to_owned();
        }
        words.get(1..).unwrap_or_default().join(" ")
    }

    fn directory(&self) -> &'a str {
        let path = self.target.map_or("", |target| target.path.as_str());
        match path.rsplit_once('/') {
            None if self.is_imported() => UNKNOWN,
            Some(("", _)) => "/",
            Some((directory, _)) => directory,
            None => path,
        }
    }

    fn mount(&self) -> String {
        if self.is_imported() {
            return UNKNOWN.to_owned();
        }
        let Some(target) = self.target else {
            return String::new();
        };
        let device = target.devices.first();
        let device = device.map_or_else(|| "none".to_owned(), |dev| format!("/dev/{}", dev.name));
        format!(
            "{device} on {} type {} ({})",
            target.mount_point, target.file_system, target.mount_options
        )
    }

    /// What the script says while it is at work.
    fn status(&self) -> String {
        let mut text = String::new();
        for (op, phase) in [(Op::Write, self.write), (Op::Read, self.read)] {
            let Some(phase) = phase else { continue };
            let name = op.name();
            text.push_str(&format!("<<STATUS>> executing {name} testing\n"));
            for number in 1..=phase.jobs.len() {
                text.push_str(&format!("           launching iteration: {number}\n"));
            }
            text.push_str(&format!(
                "           waiting for all {name} tests to complete\n"
            ));
            text.push_str(&format!("           {name} test complete\n"));
        }
        text
    }

    fn mean(&self, phase: &PhaseResult) -> Mean {
        let hundredths = phase.jobs.iter().map(|job| job.active_ns / 10_000_000);
        let sum: u64 = hundredths.sum();
        let mean = sum / (phase.jobs.len() as u64).max(1);
        let megabytes = self.file_bytes().map(|bytes| bytes * 100 / (1 << 20));
        Mean {
            seconds: Hundredths(mean),
            rate: megabytes
                .filter(|_| mean > 0)
                .map(|megabytes| Hundredths(megabytes * 100 / mean)),
        }
    }

    fn unsaid(&self) -> String {
        let mut text = "WHAT THE SCRIPT DOES NOT SAY\n".to_owned();
        let mut table = Table::default();
        table.column("stream", Align::Left);
        for op in self.phases().map(|(op, _)| op.name()) {
            table.column(format!("{op} s"), Align::Right);
            table.column(format!("{op} MB/s"), Align::Right);
        }
        for number in 0..self.streams() as usize {
            let mut cells = vec![(number + 1).to_string()];
            for (_, phase) in self.phases() {
                cells.extend(phase.jobs.get(number).map_or_else(
                    || [String::new(), String::new()],
                    |job| {
                        let rate = if self.result.provenance.origin.knows(ResultField::Bytes) {
                            figure::megabytes(job_rate(job))
                        } else {
                            UNKNOWN.to_owned()
                        };
                        [figure::decimal(job.active_ns as f64 / 1e9, 2), rate]
                    },
                ));
            }
            table.row(cells);
        }
        for line in table.lines(WIDTH, false) {
            text.push_str(&line);
            text.push('\n');
        }
        text.push('\n');
        for (op, phase) in self.phases() {
            text.push_str(&self.phase_words(op, phase));
        }
        // The other script's verdict stands by itself, below all file systems.
        let is_rhel = self.result.provenance.workload.name.starts_with(RHEL);
        if let Some(verdict) = sas_sentence(self.result).filter(|_| !is_rhel) {
            text.push_str(&format!("verdict           {verdict}\n"));
        }
        text.push_str(&format!("state             {}\n", self.result.state.word()));
        for caveat in &self.result.caveats {
            text.push_str(&format!("{:18}{}\n", "", told(caveat)));
        }
        text
    }

    fn phase_words(&self, op: Op, phase: &PhaseResult) -> String {
        let name = op.name();
        let rates = phase.jobs.iter().map(job_rate);
        let sum: f64 = rates.clone().sum();
        let least = rates.reduce(f64::min).unwrap_or(0.0);
        let origin = match op {
            Op::Read => self.reads(phase),
            _ if !self.result.provenance.origin.knows(ResultField::Workload) => UNKNOWN.to_owned(),
            _ => writes(phase),
        };
        let entry = |label: &str, words: String| format!("{label:<18}{words}\n");
        if !self.result.provenance.origin.knows(ResultField::Bytes) {
            return entry(&format!("{name} total"), UNKNOWN.to_owned())
                + &entry(&format!("{name} origin"), origin);
        }
        entry(
            &format!("{name} total"),
            format!(
                "{} in {} s = {} MB/s: all bytes over the time from the first to the last",
                figure::volume(moved(phase)),
                figure::decimal(phase.measured_ns as f64 / 1e9, 2),
                figure::megabytes(total_rate(phase))
            ),
        ) + &entry(
            &format!("{name} streams"),
            format!(
                "mean {} MB/s, times {} = {} MB/s: more than the total unless all end at once; \
                 slowest {} MB/s",
                figure::megabytes(sum / phase.jobs.len().max(1) as f64),
                phase.jobs.len(),
                figure::megabytes(sum),
                figure::megabytes(least)
            ),
        ) + &entry(&format!("{name} origin"), origin)
    }

    fn reads(&self, phase: &PhaseResult) -> String {
        let spec = phase
            .jobs
            .first()
            .and_then(|job| self.result.job_spec(&phase.name, &job.name));
        if !self.result.provenance.origin.knows(ResultField::Workload) {
            return UNKNOWN.to_owned();
        }
        let before = match spec {
            Some(spec) if spec.durability.direct => "past the page cache",
            Some(spec) if spec.cold => "cold: the pages were dropped before",
            _ => "not cold: the files had just been written",
        };
        if phase.devices.is_empty() {
            return format!("{before}; no device could be watched");
        }
        let memory = from_memory(phase);
        let from = if memory > 1.0 - OWN {
            format!("{} came from memory", figure::percent(memory * 100.0))
        } else {
            "the device read it all".to_owned()
        };
        format!("{before}; {from}")
    }
}

/// All bytes over the time from the first to the last.
fn total_rate(phase: &PhaseResult) -> f64 {
    moved(phase) as f64 * 1e9 / phase.measured_ns.max(1) as f64
}

fn writes(phase: &PhaseResult) -> String {
    let flushed = phase.jobs.iter().any(|job| job.ops[Op::Flush].is_some());
    if flushed {
        return "each file was flushed at its end, inside the time".to_owned();
    }
    let written = sum(phase, |device| device.write_bytes);
    let left = moved(phase).saturating_sub(written);
    if phase.devices.is_empty() {
        return "nothing was flushed; no device could be watched".to_owned();
    }
    format!(
        "nothing was flushed: {} of {} were still in memory at the end",
        figure::volume(left),
        figure::volume(moved(phase))
    )
}

/// A caveat in one line: its code, its subject, what was seen.
fn told(caveat: &Caveat) -> String {
    let Caveat {
        code,
        message,
        subject,
        ..
    } = caveat;
    if subject.is_empty() {
        format!("{code}: {message}")
    } else {
        format!("{code} ({subject}): {message}")
    }
}

fn job_rate(job: &JobResult) -> f64 {
    let ops = [&job.ops[Op::Read], &job.ops[Op::Write]]
        .into_iter()
        .flatten();
    let bytes: u64 = ops.map(|op| op.bytes).sum();
    bytes as f64 * 1e9 / job.active_ns.max(1) as f64
}

fn moved(phase: &PhaseResult) -> u64 {
    let ops = phase
        .jobs
        .iter()
        .flat_map(|job| [&job.ops[Op::Read], &job.ops[Op::Write]]);
    ops.flatten().map(|op| op.bytes).sum()
}

fn sum(phase: &PhaseResult, get: fn(&DeviceUse) -> u64) -> u64 {
    phase.devices.iter().map(get).sum()
}

/// Share of the reads that no device has seen.
fn from_memory(phase: &PhaseResult) -> f64 {
    let asked = moved(phase);
    if asked == 0 || phase.devices.is_empty() {
        return 0.0;
    }
    let read = sum(phase, |device| device.read_bytes);
    (1.0 - read as f64 / asked as f64).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_bc() {
        let cases = [(0, "0"), (5, ".05"), (50, ".50"), (12_345, "123.45")];
        for (hundredths, text) in cases {
            assert_eq!(Hundredths(hundredths).to_string(), text);
        }
        assert_eq!(Hundredths(123_456_789).grouped(), "1,234,567.89");
    }
}
