//! What breaks while a run is in one of its phases: it is said, with a status that says so, and it
//! is in the result; nothing is called sound that is not.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use rustix::process::Signal;

use crate::siege::Siege;
use crate::siege::groups::fixtures::{WHOLE, rank};
use crate::siege::lab::contents::{EXT4, MIB, noise};
use crate::siege::lab::devices::{LoopDevice, Mount, on, system};
use crate::siege::line::GroupLines;
use crate::siege::result::Judgement;

/// Where the run stands when it happens.
#[derive(Clone, Copy)]
enum When {
    WarmUp,
    Measured,
    /// Nearly over.
    Late,
}

impl When {
    const ALL: [Self; 3] = [Self::WarmUp, Self::Measured, Self::Late];

    /// Milliseconds after the start of a run of 1 s warm-up and 2 s measured.
    fn milliseconds(self) -> u32 {
        match self {
            Self::WarmUp => 500,
            Self::Measured => 1800,
            Self::Late => 2800,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::WarmUp => "in the warm-up",
            Self::Measured => "in the measured time",
            Self::Late => "near the end",
        }
    }
}

/// What a run is done to, while it goes on.
struct Scene {
    target: PathBuf,
    device: Option<PathBuf>,
    folder: PathBuf,
    guards: Vec<Box<dyn std::any::Any>>,
}

impl Drop for Scene {
    fn drop(&mut self) {
        while self.guards.pop().is_some() {}
    }
}

/// What should come of it.
#[derive(Clone, Copy)]
enum Expect {
    /// A state as bad as this at least, in the measured time.
    Worse(&'static str),
    /// Nothing, since nothing was lost.
    Sound,
}

struct Fault {
    name: &'static str,
    scene: fn(&Path) -> Result<Scene>,
    load: &'static str,
    strike: fn(&Scene, &crate::siege::fathom::Running) -> Result<()>,
    expect: Expect,
}

const FAULTS: &[Fault] = &[
    Fault {
        name: "the file that is read is cut to nothing",
        scene: on_ext4,
        load: "--read 100 --direct",
        strike: |scene, _| cut(&scene.target, 0),
        expect: Expect::Worse("invalid"),
    },
    Fault {
        name: "the file that is read is cut to a half",
        scene: on_ext4,
        load: "--read 100 --direct",
        strike: |scene, _| cut(&scene.target, 8 * MIB as u64),
        expect: Expect::Worse("suspect"),
    },
    Fault {
        name: "the file that is read through the cache is cut to nothing",
        scene: on_ext4,
        load: "--read 100 --no-direct",
        strike: |scene, _| cut(&scene.target, 0),
        expect: Expect::Worse("invalid"),
    },
    Fault {
        name: "the file is removed",
        scene: on_ext4,
        load: "--read 100 --direct",
        strike: |scene, _| Ok(fs::remove_file(&scene.target)?),
        expect: Expect::Sound,
    },
    Fault {
        name: "the file is replaced by another",
        scene: on_ext4,
        load: "--read 0 --direct",
        strike: |scene, _| {
            let next = scene.target.with_extension("next");
            fs::write(&next, "somebody's")?;
            Ok(fs::rename(next, &scene.target)?)
        },
        expect: Expect::Sound,
    },
    Fault {
        name: "the device below fails (EIO on reads)",
        scene: raw,
        load: "--read 100 --direct",
        strike: |scene, _| cut(&scene.folder.join("backing"), 0),
        expect: Expect::Worse("suspect"),
    },
    Fault {
        name: "the file system below is full (ENOSPC)",
        scene: sparse_on_small,
        load: "--read 0 --no-direct",
        strike: |scene, _| {
            let room = rustix::fs::statvfs(scene.target.parent().context("a folder")?)?;
            let bytes = (room.f_bavail * room.f_bsize) as usize;
            let filler = scene.target.with_file_name("filler");
            // Whatever fits: the file system is full then.
            let _ = fs::write(filler, vec![1; bytes]);
            Ok(())
        },
        expect: Expect::Worse("suspect"),
    },
    Fault {
        name: "the file system is made read-only",
        scene: on_ext4,
        load: "--read 0 --direct",
        strike: |scene, _| {
            let place = scene.target.parent().context("a folder")?;
            // Refused as busy while a file is open for writing; then nothing happens.
            let _ = system(
                "mount",
                &["-o".as_ref(), "remount,ro".as_ref(), place.as_os_str()],
            );
            Ok(())
        },
        expect: Expect::Sound,
    },
    Fault {
        name: "the generator is stopped for 0.5 s",
        scene: on_ext4,
        load: "--read 100 --direct --rate 500IOPS",
        strike: |_, running| stop(running, 500),
        expect: Expect::Worse("suspect"),
    },
    Fault {
        name: "the generator is stopped for 0.15 s",
        scene: on_ext4,
        load: "--read 100 --direct --rate 500IOPS",
        strike: |_, running| stop(running, 150),
        expect: Expect::Worse("suspect"),
    },
];

fn cut(path: &Path, bytes: u64) -> Result<()> {
    Ok(File::options().write(true).open(path)?.set_len(bytes)?)
}

fn stop(running: &crate::siege::fathom::Running, milliseconds: u32) -> Result<()> {
    running.send(Signal::STOP)?;
    running.wait_ms(milliseconds)?;
    running.send(Signal::CONT)
}

fn on_ext4(folder: &Path) -> Result<Scene> {
    let backing = folder.join("backing");
    fs::write(&backing, noise(71, 64 * MIB))?;
    let device = LoopDevice::over(&backing, "--direct-io=on")?;
    on(EXT4, &device.path)?;
    let mount = Mount::new(&device.path, "-t ext4 -o noatime", &folder.join("mounted"))?;
    let target = mount.place.join("file");
    fs::write(&target, noise(72, 16 * MIB))?;
    File::open(&target)?.sync_all()?;
    Ok(Scene {
        target,
        device: None,
        folder: folder.to_owned(),
        guards: vec![Box::new(device), Box::new(mount)],
    })
}

fn raw(folder: &Path) -> Result<Scene> {
    let device = LoopDevice::holding(folder, &noise(73, 16 * MIB))?;
    File::open(&device.backing)?.sync_all()?;
    Ok(Scene {
        target: device.path.clone(),
        device: Some(device.path.clone()),
        folder: folder.to_owned(),
        guards: vec![Box::new(device)],
    })
}

/// A file of holes in a file system that has room for a part of it.
fn sparse_on_small(folder: &Path) -> Result<Scene> {
    let mount = Mount::new(
        Path::new("tmpfs"),
        "-t tmpfs -o size=24m",
        &folder.join("small"),
    )?;
    let target = mount.place.join("file");
    File::create(&target)?.set_len(64 * MIB as u64)?;
    Ok(Scene {
        target,
        device: None,
        folder: folder.to_owned(),
        guards: vec![Box::new(mount)],
    })
}

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for fault in FAULTS {
        for when in When::ALL {
            siege.go_on()?;
            strike(siege, fault, when, lines)?;
        }
    }
    starved(siege, lines)?;
    outputs(siege, lines)
}

fn strike(siege: &Siege, fault: &Fault, when: When, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let scene = (fault.scene)(folder.path())?;
    let given = match &scene.device {
        Some(device) => format!("--destroy {}=data", device.display()),
        None => "--overwrite".to_owned(),
    };
    let line = format!(
        "run load.toml --queue-depth 4 --warm-up 1s --time 2s --no-live --no-save \
         --output json:result.json {} --target {} {given}",
        fault.load,
        scene.target.display()
    );
    let place = tempfile::tempdir()?;
    fs::write(place.path().join("load.toml"), WHOLE)?;
    let running = siege.fathom.line(&line).inside(place.path()).start()?;
    running.wait_ms(when.milliseconds())?;
    (fault.strike)(&scene, &running)?;
    let ended = running.end()?;
    let found = Judgement::read(&place.path().join("result.json"));
    let done = format!("{}, {}", fault.name, when.name());
    // What happens in the warm-up alone is not in the result.
    let is_outside = matches!(when, When::WarmUp) && fault.name.contains("stopped");
    let (expected, is_met) = match (fault.expect, &found) {
        (Expect::Sound, Ok(found)) => (
            "a result, not invalid",
            ended.is_orderly() && rank(&found.state) < 3,
        ),
        (Expect::Worse(_), Ok(_)) if is_outside => ("a result", ended.is_orderly()),
        (Expect::Worse(state), Ok(found)) => {
            let is_bad = rank(&found.state) >= rank(state);
            (state, is_bad && ended.is_orderly())
        }
        (Expect::Sound, Err(_)) => ("a result", false),
        (Expect::Worse(_), Err(_)) => (
            "a result or an error",
            ended.is_orderly() && ended.status != Some(0),
        ),
    };
    let seen = match &found {
        Ok(found) => format!(
            "{}, {}, {} reads and {} writes",
            ended.told(),
            found.told(),
            found.completed("read"),
            found.completed("write")
        ),
        Err(_) => ended.told(),
    };
    lines.add(done, expected, seen, is_met);
    Ok(())
}

/// Limits of the process: what it cannot have it does without, or says so.
const LIMITS: &[&str] = &[
    "prlimit --nofile=4",
    "prlimit --nofile=8",
    "prlimit --nofile=12",
    "prlimit --nofile=16",
    "prlimit --nofile=24",
    "prlimit --memlock=0",
    "prlimit --fsize=4096",
    "prlimit --fsize=0",
    "prlimit --nproc=1",
    "prlimit --as=300000000",
    "prlimit --as=60000000",
    "prlimit --stack=1048576",
    "prlimit --data=20000000",
    "prlimit --cpu=1",
    "setpriv --bounding-set=-all --inh-caps=-all",
    "setpriv --reuid=65534 --regid=65534 --clear-groups",
    "env -i",
    "unshare --net",
    "taskset --cpu-list 0",
    "nice -n 19",
];

fn starved(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for limit in LIMITS {
        for engine in ["auto", "psync", "libaio", "io_uring"] {
            siege.go_on()?;
            let line = format!(
                "run random-read-4k --size 4MiB --time 300ms --warm-up 0s --no-live --engine \
                 {engine} --no-save --output json:result.json"
            );
            let folder = tempfile::tempdir()?;
            let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
            fs::set_permissions(folder.path(), open)?;
            let call = siege.fathom.line(&line).within(limit).inside(folder.path());
            let ended = call.patience_s(30).end()?;
            let left = folder.path().join("fathom-data.dat").exists();
            let is_cpu = limit.contains("--cpu=") && ended.signal.is_some();
            let result = fs::read_to_string(folder.path().join("result.json"));
            let lacks = result.is_ok_and(|text| text.contains("Too many open files"));
            let is_met = is_cpu || (ended.is_orderly() && !left && !lacks);
            let mut seen = ended.told();
            if lacks {
                seen.push_str("; the result lacks checks for want of descriptors");
            }
            if left {
                seen.push_str("; the scratch file is left behind");
            }
            lines.add(
                format!("{limit}: run --engine {engine}"),
                "a result, or an error; nothing left behind",
                seen,
                is_met,
            );
        }
    }
    Ok(())
}

/// Where a result cannot be written.
const OUTPUTS: &[(&str, Option<&str>)] = &[
    (
        "run random-read-4k --engine sim --time 1s --quiet --no-save --output json:/dev/full",
        None,
    ),
    (
        "run random-read-4k --engine sim --time 1s --quiet --no-save",
        Some("/dev/full"),
    ),
    ("history", Some("/dev/full")),
    ("profiles", Some("/dev/full")),
    ("devices", Some("/dev/full")),
    ("convert random-read-4k --to fio", Some("/dev/full")),
    ("generate completions bash", Some("/dev/full")),
    ("--help", Some("/dev/full")),
];

fn outputs(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for (line, stdout) in OUTPUTS {
        let mut call = siege.fathom.line(line);
        if let Some(path) = stdout {
            call = call.stdout(Path::new(path));
        }
        let ended = call.end()?;
        let where_to = stdout.map_or(String::new(), |path| format!(" >{path}"));
        lines.add(
            format!("{line}{where_to}"),
            "an error and a status other than 0",
            ended.told(),
            ended.is_orderly() && ended.status != Some(0) && !ended.stderr.is_empty(),
        );
    }
    Ok(())
}
