//! Where moments go: lines on standard output.

use super::perfmon_csv::PerfmonCsv;
use super::rows::{self, HEADS};
use crate::args::WatchArgs;
use crate::commands::for_people;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::paragraph::{on_terminal, wrapped};
use crate::table::Table;
use crate::terminal;
use fathom_core::SmallSort as _;
use fathom_core::recording::{Moment, RECORDING_VERSION, RecordingHead, Sample};
use fathom_device::HostInfo;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;

/// Who we are, at the head of a recording.
pub(super) fn head() -> RecordingHead {
    RecordingHead {
        fathom_recording: RECORDING_VERSION,
        tool: format!("fathom {}", env!("CARGO_PKG_VERSION")),
        host: HostInfo::live().hostname,
    }
}

pub(super) fn json_line(value: &impl Serialize) -> Result<String, Problem> {
    let line = serde_json::to_string(value).map_err(|error| {
        Problem::new(Exit::Defect, "cannot write a sample as JSON").because(error.to_string())
    })?;
    Ok(line + "\n")
}

/// How moments are printed.
#[derive(Debug)]
enum Format {
    Text,
    Csv,
    Perfmon(PerfmonCsv),
    Json,
}

/// Moments on standard output.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches, each with its name"
)]
pub(super) struct LineSinks {
    format: Format,
    no_idle: bool,
    /// Whether devices that did nothing have no row of their own: of many hosts they are most.
    folds_idle: bool,
    has_misled: bool,
    /// Where the figures of processes come from, as a sentence.
    source: String,
    has_processes: bool,
}

impl LineSinks {
    pub(super) fn new(args: &WatchArgs, source: String) -> Self {
        Self {
            format: match (args.csv, args.json) {
                (true, _) => Format::Csv,
                (_, true) => Format::Json,
                _ if args.perfmon => Format::Perfmon(PerfmonCsv::default()),
                _ => Format::Text,
            },
            no_idle: args.no_idle,
            folds_idle: args.reach.is_meant(),
            has_misled: false,
            source,
            has_processes: false,
        }
    }

    /// What stands before the first moment.
    pub(super) fn begin(&self) -> Result<(), Error> {
        match self.format {
            Format::Text | Format::Perfmon(_) => Ok(()),
            Format::Csv => put(CSV_HEAD),
            Format::Json => put(&json_line(&head())?),
        }
    }

    pub(super) fn write(
        &mut self,
        moment: &Moment,
        seekers: &BTreeSet<String>,
    ) -> Result<(), Error> {
        let mut moment = moment.clone();
        if self.no_idle {
            moment.devices.retain(|one| !rows::is_idle(&one.sample));
        }
        match &mut self.format {
            Format::Text => {
                // The busiest first for a person; a program finds each where it was before.
                moment.devices.small_sort_by(|one, other| {
                    rows::load(&other.sample).total_cmp(&rows::load(&one.sample))
                });
                let idle = if self.folds_idle {
                    fold_idle(&mut moment)
                } else {
                    String::new()
                };
                let (text, misled) = table(&moment, seekers);
                let text = if idle.is_empty() {
                    text
                } else {
                    format!("{}\n{idle}\n", text.trim_end())
                };
                self.has_misled |= misled;
                self.has_processes |= !moment.processes.is_empty();
                put(&for_people(&on_terminal(text)))
            }
            Format::Csv => put(&csv(&moment)),
            Format::Perfmon(csv) => put(&csv.rows(&moment)),
            Format::Json => put(&json_line(&moment)?),
        }
    }

    /// A sentence below a moment, for people.
    pub(super) fn remark(&self, sentence: Option<String>) -> Result<(), Error> {
        match sentence.filter(|_| matches!(self.format, Format::Text)) {
            Some(sentence) => put(&(wrapped(&sentence) + "\n")),
            None => Ok(()),
        }
    }

    /// What stands after the last: sentences about the whole time, for people.
    pub(super) fn end(&self, sentences: impl Iterator<Item = String>) -> Result<(), Error> {
        for sentence in sentences.filter(|_| matches!(self.format, Format::Text)) {
            put(&wrapped(&sentence))?;
        }
        if self.has_misled {
            put(&wrapped(rows::MISLEADS))?;
        }
        if self.has_processes {
            put(&wrapped(&self.source))?;
        }
        Ok(())
    }
}

pub(super) fn put(text: &str) -> Result<(), Error> {
    let mut out = terminal::stdout();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Error::stdout(&error))
}

/// Takes the devices that did nothing out of a moment: a line with how many of each host.
fn fold_idle(moment: &mut Moment) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    moment.devices.retain(|one| {
        let is_idle = rows::is_idle(&one.sample);
        if is_idle {
            let host = one.device.split_once(':').map_or("", |(host, _)| host);
            *counts.entry(host.to_owned()).or_default() += 1;
        }
        !is_idle
    });
    if counts.is_empty() {
        return String::new();
    }
    let counts: Vec<String> = counts
        .iter()
        .map(|(host, count)| format!("{host} {count}"))
        .collect();
    format!("idle devices: {}\n", counts.join(", "))
}

/// A table of one moment, and whether a utilisation in it is marked.
fn table(moment: &Moment, seekers: &BTreeSet<String>) -> (String, bool) {
    let mut text = moment.at.clone();
    if let Some(shares) = &moment.processors {
        let _ = write!(text, "  {}", rows::processors(shares));
    }
    text.push('\n');
    let mut table = Table::new(&[&["device"], HEADS.as_slice()].concat());
    let mut misled = false;
    for one in &moment.devices {
        let is_marked = rows::misleads(&one.device, &one.sample, seekers);
        misled |= is_marked;
        let cells = rows::cells(&one.sample, is_marked);
        table.row([one.device.clone()].into_iter().chain(cells));
    }
    for one in &moment.groups {
        let name = format!("{} on {}", one.group, one.device);
        table.row([name].into_iter().chain(rows::cells(&one.sample, false)));
    }
    let _ = write!(text, "{table}");
    let processes: Vec<String> = moment.processes.iter().map(rows::process).collect();
    if !processes.is_empty() {
        let _ = writeln!(text, "by process, MB/s: {}", processes.join("; "));
    }
    if let Some(lost) = moment.block_trace.map(|trace| trace.lost_events)
        && lost > 0
    {
        let _ = writeln!(
            text,
            "{} of the block trace lost: the values per process are lower bounds",
            fathom_core::figure::plural(lost, "event")
        );
    }
    text.push('\n');
    (text, misled)
}

/// The first line of CSV.
pub(super) const CSV_HEAD: &str = "at,length_seconds,group,device,ios_per_second,\
    reads_per_second,writes_per_second,read_bytes_per_second,written_bytes_per_second,await_us,\
    read_await_us,write_await_us,queue_depth,busy_percent,discards_per_second,\
    flushes_per_second,iowait_percent,steal_percent\n";

fn csv(moment: &Moment) -> String {
    let shares = moment.processors.as_ref();
    let shares = shares.map(|shares| (shares.iowait_percent, shares.steal_percent));
    let timed = |sample: &Sample| Sample {
        at: Some(moment.at.as_str().into()),
        length_ns: Some(moment.length_ns),
        ..sample.clone()
    };
    let devices = moment.devices.iter();
    let devices = devices.map(|one| csv_row("", &one.device, &timed(&one.sample), shares));
    let groups = moment.groups.iter();
    let groups = groups.map(|one| csv_row(&one.group, &one.device, &timed(&one.sample), shares));
    devices.chain(groups).collect()
}

/// A line of CSV; an empty field for what is not known.
pub(super) fn csv_row(
    group: &str,
    device: &str,
    sample: &Sample,
    shares: Option<(f64, f64)>,
) -> String {
    let known = |number: Option<f64>| number.map_or_else(String::new, |one| format!("{one:.3}"));
    let micros = |ms: Option<f64>| ms.map_or_else(String::new, |ms| format!("{:.1}", ms * 1e3));
    let (iowait, steal) = shares.unzip();
    let fields = [
        quoted(sample.at.as_deref().unwrap_or_default()),
        known(sample.seconds()),
        quoted(group),
        quoted(device),
        known(Some(sample.ios_per_second)),
        known(sample.reads_per_second),
        known(sample.writes_per_second),
        known(Some(sample.read_bytes_per_second)),
        known(Some(sample.written_bytes_per_second)),
        micros(sample.await_ms),
        micros(sample.read_await_ms),
        micros(sample.write_await_ms),
        known(sample.queue_depth),
        known(sample.busy_percent),
        known(sample.discards_per_second),
        known(sample.flushes_per_second),
        known(iowait),
        known(steal),
    ];
    fields.join(",") + "\n"
}

/// A field of CSV (RFC 4180).
fn quoted(field: &str) -> String {
    let field = fathom_report::sheet::cell(field);
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::recording::{
        BlockTraceMoment, DeviceMoment, GroupMoment, ProcessDevice, ProcessMoment, ProcessorSample,
    };

    #[test]
    fn idle_devices_of_a_host_are_one_number() {
        let device = |name: &str, ios: f64| DeviceMoment {
            device: name.to_owned(),
            sample: Sample {
                ios_per_second: ios,
                ..Sample::default()
            },
        };
        let mut all = Moment {
            devices: vec![
                device("db1:loop0", 0.0),
                device("db1:sda", 5.0),
                device("db2:loop0", 0.0),
                device("db2:loop1", 0.0),
            ],
            ..Moment::default()
        };
        assert_eq!(fold_idle(&mut all), "idle devices: db1 1, db2 2\n");
        let left: Vec<&str> = all.devices.iter().map(|one| one.device.as_str()).collect();
        assert_eq!(left, ["db1:sda"]);
    }

    fn moment() -> Moment {
        let sample = Sample {
            ios_per_second: 300.0,
            reads_per_second: Some(200.0),
            writes_per_second: Some(100.0),
            read_bytes_per_second: 819_200.0,
            written_bytes_per_second: 6_553_600.0,
            await_ms: Some(1.0),
            read_await_ms: Some(0.5),
            write_await_ms: Some(2.0),
            queue_depth: Some(12.0),
            busy_percent: Some(99.9),
            discards_per_second: Some(0.0),
            ..Sample::default()
        };
        Moment {
            at: "2026-11-21T15:00:00.000Z".to_owned(),
            length_ns: 1_000_000_000,
            processors: Some(ProcessorSample {
                at: None,
                user_percent: 10.0,
                system_percent: 5.0,
                iowait_percent: 20.0,
                steal_percent: 0.5,
                context_switches_per_second: None,
            }),
            groups: vec![GroupMoment {
                group: "db,1".to_owned(),
                device: "vda".to_owned(),
                sample: Sample {
                    await_ms: None,
                    read_await_ms: None,
                    write_await_ms: None,
                    queue_depth: None,
                    busy_percent: None,
                    discards_per_second: None,
                    ..sample.clone()
                },
            }],
            devices: vec![DeviceMoment {
                device: "vda".to_owned(),
                sample,
            }],
            processes: vec![ProcessMoment {
                pid: 4711,
                name: "postgres".to_owned(),
                read_bytes_per_second: 819_200.0,
                written_bytes_per_second: 6_553_600.0,
                devices: vec![ProcessDevice {
                    device: "vda".to_owned(),
                    read_bytes_per_second: 819_200.0,
                    written_bytes_per_second: 2_000_000.0,
                }],
            }],
            block_trace: Some(BlockTraceMoment { lost_events: 12 }),
            blame: None,
        }
    }

    #[test]
    fn a_table_marks_what_misleads() {
        let (text, misled) = table(&moment(), &BTreeSet::new());
        let expected = include_str!("table.txt");
        assert_eq!((text.as_str(), misled), (expected, true));
        let seekers = BTreeSet::from(["vda".to_owned()]);
        assert!(!table(&moment(), &seekers).1);
    }

    #[test]
    fn csv_leaves_empty_what_is_not_known() {
        let expected = "\
2026-11-21T15:00:00.000Z,1.000,,vda,300.000,200.000,100.000,819200.000,6553600.000,1000.0,500.0,\
2000.0,12.000,99.900,0.000,,20.000,0.500
2026-11-21T15:00:00.000Z,1.000,\"db,1\",vda,300.000,200.000,100.000,819200.000,6553600.000,,,,,,,,\
20.000,0.500
";
        assert_eq!(csv(&moment()), expected);
        let row = csv(&moment());
        let fields = |line: &str| line.matches(',').count();
        assert_eq!(
            fields(CSV_HEAD),
            fields(row.lines().next().unwrap_or_default())
        );
    }
}
