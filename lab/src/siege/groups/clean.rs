//! Sound runs: profiles × engines × storage. A doubt is a false alarm, unless somebody else really
//! had the processors meanwhile, which is measured here and not asked of the program.

mod course;
mod truth;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use fathom_core::CodeWord;
use fathom_verdict::Code;

use crate::siege::Siege;
use crate::siege::groups::fixtures::rank;
use crate::siege::lab::contents::{EXT4, MIB, noise};
use crate::siege::lab::devices::{LoopDevice, Mount, on};
use crate::siege::line::GroupLines;
use crate::siege::result::Judgement;
use course::Watch;
use truth::{Device, Truth};
use xtask::zram::Zram;

const PROFILES: &[&str] = &[
    "random-read-4k",
    "random-write-4k",
    "sequential-read-1m",
    "sequential-write-1m",
    "random-mixed-8k",
    "oltp-db",
    "web-server-log",
    "workstation",
];

const ENGINES: &[&str] = &["psync", "libaio", "io_uring"];

/// What is measured: a path, words, and the codes that are true of it.
struct Storage {
    name: &'static str,
    target: PathBuf,
    words: String,
    codes: &'static [Code],
    /// Of a file system.
    device: Option<Device>,
    _guards: Vec<Box<dyn std::any::Any>>,
}

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let storages = [
        zram(),
        file_system(&folder.path().join("ext4"), "ext4", EXT4, 96 * MIB),
        file_system(
            &folder.path().join("xfs"),
            "xfs",
            "mkfs.xfs -q -f -K",
            300 * MIB,
        ),
        here(&folder.path().join("here")),
    ];
    let mut counted = Counted::default();
    let mut number = 0;
    for storage in storages {
        let storage = match storage {
            Ok(storage) => storage,
            Err(error) => {
                lines.skip(format!("{error:#}"));
                continue;
            }
        };
        for profile in PROFILES {
            for engine in ENGINES {
                for _ in 0..siege.attempts(6, 1) {
                    siege.go_on()?;
                    number += 1;
                    if !siege.is_of_slice(number) {
                        continue;
                    }
                    let load = Load { profile, engine };
                    one(siege, &storage, &load, &mut counted, lines)?;
                }
            }
        }
    }
    if !siege.is_whole() {
        return Ok(());
    }
    lines.add(
        format!("all {} runs together", counted.runs),
        "a false alarm in fewer than 1 of 100",
        format!(
            "{} false alarms; {} runs next to others who had the processors",
            counted.alarms, counted.beside
        ),
        counted.alarms * 100 < counted.runs.max(1),
    );
    Ok(())
}

#[derive(Default)]
struct Counted {
    runs: u32,
    alarms: u32,
    beside: u32,
}

struct Load {
    profile: &'static str,
    engine: &'static str,
}

fn one(
    siege: &Siege,
    storage: &Storage,
    load: &Load,
    counted: &mut Counted,
    lines: &mut GroupLines<'_>,
) -> Result<()> {
    let Load { profile, engine } = load;
    let line = format!(
        "run {profile} --size 32MiB --time 1s --warm-up 100ms --engine {engine} --quiet --no-save \
         --output json:result.json --target {} {}",
        storage.target.display(),
        storage.words
    );
    let merged = || storage.device.as_ref().map_or(Ok(0), Device::merged);
    let merged_before = merged()?;
    let before = Processors::now()?;
    let (ended, is_uneven) = std::thread::scope(|scope| {
        let watch = Watch::start(scope, storage.device.as_ref());
        let ended = siege.fathom.line(&line).end_with_folder();
        (ended, watch.end())
    });
    let (ended, folder) = ended?;
    let after = Processors::now()?;
    let folder = folder.context("a folder of its own")?;
    let found = Judgement::read(&folder.path().join("result.json"));
    let done = format!("{profile}, {engine}, {}", storage.name);
    counted.runs += 1;
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            counted.alarms += 1;
            lines.add(
                done,
                "a result",
                format!("{}, {error:#}", ended.told()),
                false,
            );
            return Ok(());
        }
    };
    let truth = Truth {
        of_storage: storage.codes,
        engine,
        others: after.others_since(&before),
        own_seconds: (after.ours - before.ours) / TICKS,
        user_ticks: after.user - before.user,
        others_seconds: after.others_ticks_since(&before) / TICKS,
        stolen: after.stolen_since(&before),
        is_uneven,
        whole_bytes: storage
            .device
            .as_ref()
            .map(Device::whole_bytes)
            .transpose()?,
        merged: merged()? - merged_before,
    };
    counted.beside += u32::from(!truth.is_quiet());
    let codes = found.codes.iter();
    let alarms: Vec<&CodeWord> = codes.filter(|code| !truth.holds(code, &found)).collect();
    let told: Vec<&str> = alarms
        .iter()
        .flat_map(|code| found.messages(code))
        .collect();
    counted.alarms += u32::from(!alarms.is_empty());
    let is_met = alarms.is_empty() && rank(&found.state) < 4 && ended.is_orderly();
    let seen = format!(
        "{}; others had {:.0} % of the processors; {}",
        found.told(),
        truth.others * 100.0,
        told.join(" / ")
    );
    lines.add(done, "no doubt that is not true", seen, is_met);
    Ok(())
}

fn zram() -> Result<Storage> {
    let zram = Zram::add(64 * MIB as u64)?;
    std::fs::write(zram.path(), noise(61, 64 * MIB))?;
    Ok(Storage {
        name: "zram",
        words: format!("--destroy {}=data", zram.path().display()),
        target: zram.path(),
        // The thread that asks does the work of this device.
        codes: &[
            Code::MemoryTarget,
            Code::GeneratorCpu,
            Code::IoWorkers,
            Code::NearCeiling,
        ],
        device: Some(Device::of(&zram.path())?),
        _guards: vec![Box::new(zram)],
    })
}

fn file_system(folder: &Path, name: &'static str, mkfs: &str, size: usize) -> Result<Storage> {
    std::fs::create_dir(folder)?;
    let backing = folder.join("backing");
    std::fs::write(&backing, noise(62, size))?;
    let device = LoopDevice::over(&backing, "--direct-io=on")?;
    on(mkfs, &device.path)?;
    let options = format!("-t {name} -o noatime");
    let mount = Mount::new(&device.path, &options, &folder.join("mounted"))?;
    Ok(Storage {
        name,
        target: mount.place.clone(),
        words: String::new(),
        codes: &[],
        device: Device::under(&mount.place)?,
        // Dropped in this order.
        _guards: vec![Box::new(mount), Box::new(device)],
    })
}

/// The file system of the temporary folder.
fn here(folder: &Path) -> Result<Storage> {
    std::fs::create_dir(folder)?;
    Ok(Storage {
        name: "here",
        target: folder.to_owned(),
        words: String::new(),
        // It belongs to others too.
        codes: &[Code::Neighbour, Code::BusyBefore, Code::Discards],
        device: Device::under(folder)?,
        _guards: Vec::new(),
    })
}

/// Ticks of the processors: those in use, all, and those of our children.
struct Processors {
    busy: f64,
    all: f64,
    /// What the hypervisor kept.
    stolen: f64,
    ours: f64,
    /// Those of ours outside the kernel.
    user: f64,
}

/// Ticks in a second.
const TICKS: f64 = 100.0;

impl Processors {
    fn now() -> Result<Self> {
        let numbers = |text: &str| -> Vec<f64> {
            let words = text.split_whitespace();
            words.filter_map(|word| word.parse().ok()).collect()
        };
        let stat = std::fs::read_to_string("/proc/stat")?;
        let ticks = numbers(stat.lines().next().unwrap_or_default());
        // Without guests, which are counted in the first two.
        let all: f64 = ticks.iter().take(8).sum();
        let idle: f64 = ticks.iter().skip(3).take(2).sum();
        let own = std::fs::read_to_string("/proc/self/stat")?;
        let own = numbers(own.rsplit(')').next().unwrap_or_default());
        // User and system time of the process and of its children; the first word is no number.
        let times = own.get(10..14).context("/proc/self/stat has no times")?;
        Ok(Self {
            busy: all - idle,
            all,
            stolen: ticks.get(7).copied().unwrap_or_default(),
            ours: times.iter().sum(),
            user: times[0] + times[2],
        })
    }

    fn stolen_since(&self, before: &Self) -> f64 {
        (self.stolen - before.stolen) / (self.all - before.all).max(1.0)
    }

    fn others_ticks_since(&self, before: &Self) -> f64 {
        let others = (self.busy - before.busy) - (self.ours - before.ours);
        others.max(0.0)
    }

    fn others_since(&self, before: &Self) -> f64 {
        let all = self.all - before.all;
        if all > 0.0 {
            self.others_ticks_since(before) / all
        } else {
            0.0
        }
    }
}
