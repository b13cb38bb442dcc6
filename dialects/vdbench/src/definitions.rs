//! What a parameter file defines.

use crate::loops::Loop;
use crate::parameter::{Parameter, Unit, Wrong, whole};
use crate::source::SourcePlace;
use fathom_core::op::Op;
use fathom_core::spec::Verify;

/// Everything that a file has.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    pub(crate) general: General,
    pub(crate) hosts: Named<Host>,
    pub(crate) storage: Named<Storage>,
    pub(crate) work: Named<Work>,
    pub(crate) file_systems: Named<FileSystem>,
    pub(crate) file_work: Named<FileWork>,
    pub(crate) runs: Named<Run>,
}

/// A definition with its name.
#[derive(Clone, Debug)]
pub(crate) struct Definition<T> {
    pub(crate) name: String,
    pub(crate) place: SourcePlace,
    pub(crate) is: T,
}

/// Definitions of one kind, in order; `default` changes those that follow it.
#[derive(Debug, Default)]
pub(crate) struct Named<T> {
    default: T,
    pub(crate) list: Vec<Definition<T>>,
    is_default: bool,
    taken: std::collections::HashSet<String>,
}

impl<T: Clone + Default> Named<T> {
    /// Begins one.
    pub(crate) fn begin(&mut self, parameter: &Parameter) -> Result<(), Wrong> {
        let name = parameter.text()?;
        self.is_default = name == "default";
        if self.is_default {
            return Ok(());
        }
        self.list.push(Definition {
            name: name.clone(),
            place: parameter.place.clone(),
            is: self.default.clone(),
        });
        if self.taken.insert(name.clone()) {
            return Ok(());
        }
        let message = format!("`{}={name}` is defined twice", parameter.key);
        Err((message, "a name of its own".to_owned()))
    }

    /// The one whose parameters are read.
    pub(crate) fn current(&mut self) -> &mut T {
        match self.list.last_mut().filter(|_| !self.is_default) {
            Some(last) => &mut last.is,
            None => &mut self.default,
        }
    }
}

/// Parameters of all runs.
#[derive(Clone, Debug)]
pub(crate) struct General {
    pub(crate) compression: f64,
    pub(crate) dedup: f64,
    pub(crate) verify: Verify,
    pub(crate) loops: u32,
}

impl Default for General {
    fn default() -> Self {
        Self {
            compression: 1.0,
            dedup: 1.0,
            verify: Verify::Off,
            loops: 1,
        }
    }
}

/// A machine that makes a part of the load.
#[derive(Clone, Debug, Default)]
pub(crate) struct Host {
    pub(crate) system: Option<String>,
}

/// How storage is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Flags {
    pub(crate) direct: bool,
    pub(crate) durable: bool,
    pub(crate) fsync: bool,
}

impl Flags {
    /// Reads `openflags`.
    pub(crate) fn read(parameter: &Parameter) -> Result<Self, Wrong> {
        let mut flags = Self::default();
        for flag in parameter.texts() {
            match flag.to_lowercase().as_str() {
                "o_direct" | "directio" => flags.direct = true,
                "o_dsync" | "o_sync" | "o_rsync" => flags.durable = true,
                "fsync" => flags.fsync = true,
                _ => {
                    let message = format!("the flag `{flag}` is not possible");
                    let remedy = "o_direct, o_dsync, o_sync or fsync";
                    return Err((message, remedy.to_owned()));
                }
            }
        }
        Ok(flags)
    }
}

/// Part of a target: percentages if both are 100 at most, else bytes.
pub(crate) type Part = (f64, f64);

/// Reads `range`.
pub(crate) fn part(parameter: &Parameter) -> Result<Part, Wrong> {
    match parameter.numbers(Unit::Bytes)?.as_slice() {
        [low, high] if 0.0 <= *low && low < high => Ok((*low, *high)),
        _ => Err((
            "a range has a start and a later end".to_owned(),
            "`range=(10,20)`".to_owned(),
        )),
    }
}

/// Storage: a file or a device.
#[derive(Clone, Debug)]
pub(crate) struct Storage {
    pub(crate) lun: Option<String>,
    pub(crate) size: Option<u64>,
    pub(crate) threads: u32,
    pub(crate) offset: u64,
    pub(crate) align: Option<u64>,
    pub(crate) part: Option<Part>,
    pub(crate) hit_area: u64,
    pub(crate) flags: Flags,
    /// The first number and how many there are, of names that end in one.
    pub(crate) count: Option<(u64, u64)>,
}

impl Default for Storage {
    fn default() -> Self {
        Self {
            lun: None,
            size: None,
            threads: 8,
            offset: 0,
            align: None,
            part: None,
            hit_area: 1 << 20,
            flags: Flags::default(),
            count: None,
        }
    }
}

/// Sizes, each with its share in percent.
pub(crate) type Sizes = Vec<(u64, f64)>;

/// Sizes that a range of them may have.
const MOST_SIZES: u64 = 256;

/// Reads sizes: one, pairs of a size and its share, or the smallest, the largest and their step.
pub(crate) fn sizes(parameter: &Parameter) -> Result<Sizes, Wrong> {
    let numbers = parameter.numbers(Unit::Bytes)?;
    let wrong = |message: &str, remedy: &str| Err((message.to_owned(), remedy.to_owned()));
    let size = |number: f64| whole(number).filter(|size| (1..=1 << 40).contains(size));
    if let &[least, most, step] = numbers.as_slice() {
        let (Some(least), Some(most), Some(step)) = (size(least), size(most), size(step)) else {
            return wrong("these are no sizes", "`xfersize=(4k,64k,4k)`");
        };
        let count = most.saturating_sub(least) / step + 1;
        if least >= most || count > MOST_SIZES {
            let remedy = "`xfersize=(4k,64k,4k)`, with 256 sizes at most";
            return wrong("these are no sizes in steps", remedy);
        }
        let share = 100.0 / count as f64;
        return Ok((0..count)
            .map(|step_of| (least + step_of * step, share))
            .collect());
    }
    let pairs: Vec<(f64, f64)> = match numbers.as_slice() {
        [one] => vec![(*one, 100.0)],
        several => several
            .chunks(2)
            .map(|pair| (pair[0], pair.get(1).copied().unwrap_or(-1.0)))
            .collect(),
    };
    let sum: f64 = pairs.iter().map(|(_, share)| share).sum();
    if pairs.iter().any(|(_, share)| *share < 0.0) || (sum - 100.0).abs() > 0.5 {
        let remedy = "`(4k,70,64k,30)`, with shares of 100 together";
        return wrong("these are no sizes, each with its share in percent", remedy);
    }
    let all = pairs.iter().filter(|(_, share)| *share > 0.0);
    let all: Option<Sizes> = all
        .map(|(bytes, share)| Some((size(*bytes)?, *share)))
        .collect();
    match all {
        Some(all) => Ok(all),
        None => wrong("a size is not possible", "whole bytes, 1 TiB at most"),
    }
}

/// A workload on storage.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    pub(crate) storage: Vec<String>,
    pub(crate) skew: Option<f64>,
    pub(crate) sizes: Sizes,
    pub(crate) reads: f64,
    pub(crate) random: f64,
    /// Sequential until the end of the storage.
    pub(crate) to_the_end: bool,
    pub(crate) read_hits: f64,
    pub(crate) write_hits: f64,
    pub(crate) part: Option<Part>,
    pub(crate) rate: Option<f64>,
    pub(crate) streams: u32,
    pub(crate) flags: Option<Flags>,
}

impl Default for Work {
    fn default() -> Self {
        Self {
            storage: Vec::new(),
            skew: None,
            sizes: vec![(4096, 100.0)],
            reads: 100.0,
            random: 100.0,
            to_the_end: false,
            read_hits: 0.0,
            write_hits: 0.0,
            part: None,
            rate: None,
            streams: 1,
            flags: None,
        }
    }
}

/// A tree of files.
#[derive(Clone, Debug)]
pub(crate) struct FileSystem {
    pub(crate) anchor: Option<String>,
    pub(crate) depth: u64,
    pub(crate) width: u64,
    pub(crate) files: u64,
    pub(crate) sizes: Sizes,
    pub(crate) everywhere: bool,
    pub(crate) flags: Flags,
}

impl Default for FileSystem {
    fn default() -> Self {
        Self {
            anchor: None,
            depth: 1,
            width: 1,
            files: 1,
            sizes: Vec::new(),
            everywhere: false,
            flags: Flags::default(),
        }
    }
}

/// What is done to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileOperation {
    pub(crate) op: Op,
    /// To directories, and not to files.
    pub(crate) of_directories: bool,
}

impl FileOperation {
    /// As vdbench calls it.
    pub(crate) const fn name(self) -> &'static str {
        match (self.op, self.of_directories) {
            (Op::Create, true) => "mkdir",
            (Op::Create, false) => "create",
            (Op::Unlink, true) => "rmdir",
            (Op::Unlink, false) => "delete",
            (Op::Stat, _) => "getattr",
            (Op::Write, _) => "write",
            _ => "read",
        }
    }

    /// The operation of this name.
    pub(crate) fn of(name: &str) -> Result<Self, Wrong> {
        let (op, of_directories) = match name.to_lowercase().as_str() {
            "read" => (Op::Read, false),
            "write" => (Op::Write, false),
            "create" => (Op::Create, false),
            "delete" => (Op::Unlink, false),
            "getattr" => (Op::Stat, false),
            "mkdir" => (Op::Create, true),
            "rmdir" => (Op::Unlink, true),
            _ => {
                let message = format!("the operation `{name}` is not possible");
                let remedy = "read, write, create, delete, getattr, mkdir or rmdir";
                return Err((message, remedy.to_owned()));
            }
        };
        Ok(Self { op, of_directories })
    }
}

/// A workload on files.
#[derive(Clone, Debug)]
pub(crate) struct FileWork {
    pub(crate) file_systems: Vec<String>,
    pub(crate) operation: FileOperation,
    /// Share of reads, which replaces the operation.
    pub(crate) reads: Option<f64>,
    pub(crate) random: bool,
    pub(crate) once: bool,
    pub(crate) transfer: u64,
    pub(crate) threads: u32,
    pub(crate) skew: Option<f64>,
    pub(crate) flags: Option<Flags>,
}

impl Default for FileWork {
    fn default() -> Self {
        let operation = FileOperation {
            op: Op::Read,
            of_directories: false,
        };
        Self {
            file_systems: Vec::new(),
            operation,
            reads: None,
            random: false,
            once: false,
            transfer: 4096,
            threads: 1,
            skew: None,
            flags: None,
        }
    }
}

/// Requests a second.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rates {
    Max,
    /// A run for each.
    List(Vec<f64>),
}

impl Rates {
    /// Reads `iorate` or `fwdrate`.
    pub(crate) fn read(parameter: &Parameter) -> Result<Self, Wrong> {
        match parameter
            .texts()
            .first()
            .map(|text| text.to_lowercase())
            .as_deref()
        {
            Some("max") => return Ok(Self::Max),
            Some("curve") => {
                let message = "a curve needs the largest rate, which a run has to find first";
                let remedy = "a list of rates, or `fathom ramp`";
                return Err((message.to_owned(), remedy.to_owned()));
            }
            _ => {}
        }
        let rates = parameter.numbers(Unit::Bytes)?;
        // Above this vdbench means the largest rate there is.
        if rates.iter().any(|rate| !(0.001..=1e9).contains(rate)) {
            let remedy = "`max`, or 1 to 1000000000 requests a second";
            return Err(("a rate is not possible".to_owned(), remedy.to_owned()));
        }
        Ok(Self::List(rates))
    }
}

/// A run of workloads.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) work: Vec<String>,
    pub(crate) storage: Vec<String>,
    pub(crate) file_work: Vec<String>,
    pub(crate) rates: Rates,
    pub(crate) elapsed_s: u64,
    pub(crate) interval_s: Option<u64>,
    pub(crate) warm_up_s: u64,
    pub(crate) constant: bool,
    pub(crate) bytes: Option<u64>,
    pub(crate) loops: Vec<(Loop, Vec<f64>)>,
    pub(crate) operations: Vec<FileOperation>,
    pub(crate) flags: Option<Flags>,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            work: Vec::new(),
            storage: Vec::new(),
            file_work: Vec::new(),
            rates: Rates::Max,
            elapsed_s: 30,
            interval_s: None,
            warm_up_s: 0,
            constant: false,
            bytes: None,
            loops: Vec::new(),
            operations: Vec::new(),
            flags: None,
        }
    }
}

impl Run {
    /// Adds a loop, which replaces one of its kind.
    pub(crate) fn looped(&mut self, what: Loop, from: &Parameter) -> Result<(), Wrong> {
        let values = what.values(from)?;
        self.loops.retain(|(other, _)| *other != what);
        self.loops.push((what, values));
        Ok(())
    }
}
