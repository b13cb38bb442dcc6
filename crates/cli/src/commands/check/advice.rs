//! What an application's vendor advises of a machine and its file systems, held against what is
//! here.

use super::facts::Gathered;
use crate::args::{Advice, CatalogOptions, CheckArgs};
use crate::commands::catalog;
use crate::commands::here;
use crate::error::Problem;
use fathom_core::figure;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;

/// Whether something is as it is advised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kept {
    Yes,
    No,
    Unknown,
}

impl Kept {
    const fn word(self) -> &'static str {
        match self {
            Self::Yes => "as advised",
            Self::No => "not so",
            Self::Unknown => "unknown",
        }
    }

    const fn of(kept: Option<bool>) -> Self {
        match kept {
            Some(true) => Self::Yes,
            Some(false) => Self::No,
            None => Self::Unknown,
        }
    }
}

/// One piece of advice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Point {
    /// What it is about.
    pub(super) subject: String,
    /// What is here.
    pub(super) here: String,
    /// What is advised.
    pub(super) advised: String,
    pub(super) kept: Kept,
    /// What would make it so; empty where it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) remedy: String,
    /// Who advises it.
    pub(super) source: &'static str,
}

/// What the advice of SAS is about.
#[derive(Clone, Debug)]
struct Seen {
    file_system: Option<String>,
    /// `vm.dirty_ratio`, `vm.dirty_background_ratio` (percent of the memory that can be had) or,
    /// where those are 0, the same in bytes as a share of all memory.
    dirty_percent: Option<f64>,
    background_percent: Option<f64>,
    /// Bytes, by device.
    read_ahead: Vec<(String, u64)>,
    cores: u32,
    memory_bytes: Option<u64>,
    /// Name and bits a second that last, or why nobody knows.
    network: Result<(String, Option<f64>), String>,
}

const SCRIPT: &str = "rhel_iotest.sh of SAS";
const PROFILE: &str = "the tuned profile sas-performance of SAS's cloud deployments";
const SIZING: &str = "the SAS study: data over a network of 10 Gb/s or more";

/// Least read-ahead, bytes.
const READ_AHEAD: u64 = 4 << 20;
/// Least share of memory that may be dirty before writers wait, percent.
const DIRTY: f64 = 30.0;
/// Most that may be before the kernel begins to write, percent.
const BACKGROUND: f64 = 10.0;
/// Memory for each physical core, bytes: below it the script says so.
const MEMORY_PER_CORE: u64 = 8 << 30;
/// Network, bits a second.
const NETWORK: f64 = 10e9;

/// What is asked for, or nothing.
pub(super) fn of(args: &CheckArgs, gathered: &Gathered) -> Result<Vec<Point>, Problem> {
    Ok(match args.advice {
        None => Vec::new(),
        Some(Advice::Sas) => sas(&seen(args, gathered)?),
    })
}

fn seen(args: &CheckArgs, gathered: &Gathered) -> Result<Seen, Problem> {
    let vm = |name: &str| -> Option<f64> {
        let text = std::fs::read_to_string(Path::new("/proc/sys/vm").join(name)).ok()?;
        text.trim().parse().ok()
    };
    let memory = gathered.host.memory_bytes;
    let share = |ratio: &str, bytes: &str| {
        let of_bytes = || Some(vm(bytes)? / memory? as f64 * 100.0);
        vm(ratio).filter(|ratio| *ratio > 0.0).or_else(of_bytes)
    };
    Ok(Seen {
        file_system: gathered.facts.file_system.clone(),
        dirty_percent: share("dirty_ratio", "dirty_bytes"),
        background_percent: share("dirty_background_ratio", "dirty_background_bytes"),
        read_ahead: gathered.attached.read_ahead.clone(),
        cores: gathered.host.physical_cores,
        memory_bytes: memory,
        network: network(args)?,
    })
}

/// The network of the instance that was named, or that this is.
fn network(args: &CheckArgs) -> Result<Result<(String, Option<f64>), String>, Problem> {
    let known = catalog::known(&CatalogOptions::default())?;
    let name = match &args.instance.instance {
        Some(name) if name != here::WORD => name.clone(),
        asked => match here::instance(&known, args.instance.metadata) {
            Ok(name) => name,
            Err(problem) if asked.is_some() => return Err(problem),
            Err(_) => return Ok(Err("which instance this is cannot be seen".to_owned())),
        },
    };
    let row = known.catalog.instance(&name, None, known.at);
    let row = row.map_err(|error| catalog::unknown(&error))?;
    Ok(Ok((row.name.clone(), row.network_bits)))
}

/// What SAS advises.
fn sas(seen: &Seen) -> Vec<Point> {
    let mut points = vec![file_system(seen), dirty(seen), background(seen)];
    points.extend(seen.read_ahead.iter().map(read_ahead));
    points.push(memory(seen));
    points.push(network_point(seen));
    points
}

fn file_system(seen: &Seen) -> Point {
    let is_xfs = seen.file_system.as_deref().map(|name| name == "xfs");
    Point {
        subject: "file system".to_owned(),
        here: seen
            .file_system
            .clone()
            .unwrap_or_else(|| "none".to_owned()),
        advised: "xfs".to_owned(),
        kept: Kept::of(is_xfs),
        remedy: match is_xfs {
            Some(true) => String::new(),
            _ => "SASDATA, WORK and UTILLOC on file systems of xfs".to_owned(),
        },
        source: SCRIPT,
    }
}

fn dirty(seen: &Seen) -> Point {
    let kept = Kept::of(seen.dirty_percent.map(|percent| percent >= DIRTY));
    Point {
        subject: "vm.dirty_ratio".to_owned(),
        here: share(seen.dirty_percent),
        advised: format!("{DIRTY} % or more"),
        kept,
        remedy: unless(kept, format!("sysctl vm.dirty_ratio={DIRTY}")),
        source: PROFILE,
    }
}

fn background(seen: &Seen) -> Point {
    let kept = Kept::of(seen.background_percent.map(|percent| percent <= BACKGROUND));
    Point {
        subject: "vm.dirty_background_ratio".to_owned(),
        here: share(seen.background_percent),
        advised: format!("{BACKGROUND} % or less"),
        kept,
        remedy: unless(
            kept,
            format!("sysctl vm.dirty_background_ratio={BACKGROUND}"),
        ),
        source: PROFILE,
    }
}

fn read_ahead((device, bytes): &(String, u64)) -> Point {
    let kept = Kept::of(Some(*bytes >= READ_AHEAD));
    let sectors = READ_AHEAD / 512;
    Point {
        subject: format!("read-ahead of {device}"),
        here: figure::size(*bytes),
        advised: format!("{} or more", figure::size(READ_AHEAD)),
        kept,
        remedy: unless(kept, format!("blockdev --setra {sectors} /dev/{device}")),
        source: PROFILE,
    }
}

fn memory(seen: &Seen) -> Point {
    let each = seen
        .memory_bytes
        .map(|bytes| bytes / u64::from(seen.cores.max(1)));
    // What firmware keeps of it is not missing.
    let kept = Kept::of(each.map(|each| each >= MEMORY_PER_CORE / 10 * 9));
    Point {
        subject: "memory for each core".to_owned(),
        here: each.map_or_else(|| "unknown".to_owned(), figure::size),
        advised: format!("{} or more", figure::size(MEMORY_PER_CORE)),
        kept,
        remedy: unless(kept, "a machine with more memory for its cores".to_owned()),
        source: SCRIPT,
    }
}

fn network_point(seen: &Seen) -> Point {
    let (here, bits) = match &seen.network {
        Ok((name, Some(bits))) => {
            let gigabits = figure::significant(bits / 1e9);
            (format!("{gigabits} Gbit/s of {name}"), Some(*bits))
        }
        Ok((name, None)) => (format!("not in the catalogue for {name}"), None),
        Err(why) => (why.clone(), None),
    };
    let kept = Kept::of(bits.map(|bits| bits >= NETWORK));
    Point {
        subject: "network".to_owned(),
        here,
        advised: format!("{} Gbit/s or more", figure::significant(NETWORK / 1e9)),
        kept,
        remedy: match kept {
            Kept::Yes => String::new(),
            Kept::No => "another instance: `fathom plan --sas-cores N --network 10`".to_owned(),
            Kept::Unknown => "its name with --instance".to_owned(),
        },
        source: SIZING,
    }
}

fn share(percent: Option<f64>) -> String {
    percent.map_or_else(|| "unknown".to_owned(), figure::percent)
}

fn unless(kept: Kept, remedy: String) -> String {
    if kept == Kept::Yes {
        String::new()
    } else {
        remedy
    }
}

/// The points for people.
pub(super) fn text(points: &[Point]) -> String {
    let mut text = String::new();
    if points.is_empty() {
        return text;
    }
    text.push_str("\nWhat SAS advises\n");
    for point in points {
        let Point {
            subject,
            here,
            advised,
            kept,
            remedy,
            source,
        } = point;
        let word = kept.word();
        let _ = writeln!(text, "  {word:<10}  {subject}: {here}; advised: {advised}");
        let _ = writeln!(text, "              by {source}");
        if !remedy.is_empty() {
            let _ = writeln!(text, "              try: {remedy}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Seen {
        Seen {
            file_system: Some("xfs".into()),
            dirty_percent: Some(30.0),
            background_percent: Some(10.0),
            read_ahead: vec![("sdb".into(), 4 << 20)],
            cores: 16,
            memory_bytes: Some(126 << 30),
            network: Ok(("Standard_E32s_v3".into(), Some(16e9))),
        }
    }

    fn kept(seen: &Seen) -> Vec<Kept> {
        sas(seen).iter().map(|point| point.kept).collect()
    }

    #[test]
    fn what_is_just_enough_is_and_what_is_just_not_has_a_remedy() {
        assert_eq!(kept(&good()), [Kept::Yes; 6]);
        assert!(sas(&good()).iter().all(|point| point.remedy.is_empty()));
        let bad = Seen {
            file_system: Some("ext4".into()),
            dirty_percent: Some(29.9),
            background_percent: Some(10.1),
            read_ahead: vec![("sdb".into(), (4 << 20) - 1)],
            cores: 16,
            memory_bytes: Some(100 << 30),
            network: Ok(("x".into(), Some(9.9e9))),
        };
        assert_eq!(kept(&bad), [Kept::No; 6]);
        assert!(sas(&bad).iter().all(|point| !point.remedy.is_empty()));
    }

    #[test]
    fn what_nobody_knows_is_said_to_be_unknown() {
        let seen = Seen {
            network: Err("which instance this is cannot be seen".into()),
            file_system: None,
            dirty_percent: None,
            background_percent: None,
            read_ahead: Vec::new(),
            cores: 4,
            memory_bytes: None,
        };
        let expected = "
What SAS advises
  unknown     file system: none; advised: xfs
              by rhel_iotest.sh of SAS
              try: SASDATA, WORK and UTILLOC on file systems of xfs
  unknown     vm.dirty_ratio: unknown; advised: 30 % or more
              by the tuned profile sas-performance of SAS's cloud deployments
              try: sysctl vm.dirty_ratio=30
  unknown     vm.dirty_background_ratio: unknown; advised: 10 % or less
              by the tuned profile sas-performance of SAS's cloud deployments
              try: sysctl vm.dirty_background_ratio=10
  unknown     memory for each core: unknown; advised: 8 GiB or more
              by rhel_iotest.sh of SAS
              try: a machine with more memory for its cores
  unknown     network: which instance this is cannot be seen; advised: 10.0 Gbit/s or more
              by the SAS study: data over a network of 10 Gb/s or more
              try: its name with --instance
";
        assert_eq!(text(&sas(&seen)), expected);
    }
}
