//! `applications`: real applications are captured on a device of ours, then replayed and played by
//! their twins, on the same device and on another one. What was captured of the copies is compared
//! with the application, and windows of the application with each other.

mod disk;
mod load;
mod table;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use rustix::event::{Timespec, poll};
use serde_json::Value;

use disk::{Disk, Kind};
use load::{APPLICATIONS, Application};
use table::{Copy, Row};

use crate::siege::lab::devices::on;

/// Recorded seconds of each application without an option.
const SECONDS: u64 = 30;
/// What a copy is recorded for in addition, so that its first and last requests are in.
const EDGE_S: u64 = 3;
/// Until a capture has begun.
const BEGIN: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 500_000_000,
};

/// What the words of the command line ask for.
struct TrialOptions {
    binary: PathBuf,
    seconds: u64,
    /// Where the captures stay.
    keep: Option<PathBuf>,
    applications: Vec<&'static Application>,
}

impl TrialOptions {
    fn read(words: &[&str]) -> Result<Self> {
        let mut asked = Self {
            binary: PathBuf::from("target/release/fathom"),
            seconds: SECONDS,
            keep: None,
            applications: Vec::new(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || {
                words
                    .next()
                    .with_context(|| format!("{word} needs a value"))
            };
            match *word {
                "--binary" => asked.binary = value()?.into(),
                "--seconds" => asked.seconds = value()?.parse()?,
                "--keep" => asked.keep = Some(value()?.into()),
                name => {
                    let found = APPLICATIONS.iter().find(|one| one.name == name);
                    let known = APPLICATIONS.map(|one| one.name).join(", ");
                    asked
                        .applications
                        .push(found.with_context(|| format!("there is no {name}: {known}"))?);
                }
            }
        }
        if asked.applications.is_empty() {
            asked.applications = APPLICATIONS.iter().collect();
        }
        ensure!(
            asked.binary.is_file(),
            "there is no {}",
            asked.binary.display()
        );
        Ok(asked)
    }
}

/// Runs the trials, and prints a row for each copy; whether all were made.
pub(crate) fn run(words: &[&str]) -> Result<bool> {
    let asked = TrialOptions::read(words)?;
    ensure!(
        rustix::process::geteuid().is_root(),
        "captures and mounts need root"
    );
    let mut rows = Vec::new();
    let mut is_complete = true;
    for application in &asked.applications {
        if let Some(missing) = application.missing() {
            println!("skipped: {}: there is no {missing}", application.name);
            continue;
        }
        match trial(application, &asked) {
            Ok(of_one) => rows.extend(of_one),
            Err(error) => {
                is_complete = false;
                println!("{}: {error:#}", application.name);
            }
        }
    }
    println!("{}", table::text(&rows));
    Ok(is_complete)
}

/// An application on two devices, with its copies.
fn trial(application: &Application, asked: &TrialOptions) -> Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let stage = Stage {
        asked,
        folder: folder.path(),
    };
    let rows = copies(application, &stage);
    if let Some(keep) = &asked.keep {
        let kept = keep.join(application.name);
        std::fs::create_dir_all(&kept)?;
        for entry in folder.path().read_dir()? {
            let file = entry?.path();
            let is_capture = file.extension().is_some_and(|end| end == "capture");
            if let Some(name) = file.file_name().filter(|_| is_capture) {
                std::fs::copy(&file, kept.join(name))?;
            }
        }
    }
    rows
}

/// Captures the application and its copies, and compares them.
fn copies(application: &Application, stage: &Stage<'_>) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let first = stage.original(application, Kind::Disk)?;
    let twin = stage.folder.join("twin.toml");
    stage.fathom(&["learn", path(&first.capture)?, "-o", path(&twin)?])?;
    let second = stage.original(application, Kind::Memory)?;
    let played = ["run", path(&twin)?];
    let recorded = ["run", "--replay", path(&first.capture)?];
    for (copy, words, original) in [
        (Copy::Again, &[][..], &first),
        (Copy::AgainElsewhere, &[], &second),
        (Copy::Replay, &recorded, &first),
        (Copy::Twin, &played, &first),
        (Copy::TwinElsewhere, &played, &second),
    ] {
        let capture = match copy {
            Copy::Again | Copy::AgainElsewhere => original.again.clone(),
            _ => stage.copy(words, copy, &original.disk)?,
        };
        let against = [
            "learn",
            path(&original.capture)?,
            "--against",
            path(&capture)?,
        ];
        let answer = stage.fathom(&[&against[..], &["--json"]].concat())?;
        let document: Value = serde_json::from_str(&answer)?;
        rows.push(Row::read(application.name, copy, &document)?);
        eprintln!("{}: {}", application.name, copy.name());
    }
    Ok(rows)
}

/// A device, and what was captured there of an application, twice in succession: the second capture
/// shows how well the application repeats itself.
struct Original {
    disk: Disk,
    capture: PathBuf,
    again: PathBuf,
}

struct Stage<'a> {
    asked: &'a TrialOptions,
    folder: &'a Path,
}

impl Stage<'_> {
    /// Captures an application on a new file system on a new device.
    fn original(&self, application: &Application, kind: Kind) -> Result<Original> {
        let disk = Disk::new(kind)?;
        let capture = self.folder.join(format!("{}.capture", kind.name()));
        let mounted = disk.mount(&self.folder.join(kind.name()))?;
        let stage = application.prepare(&mounted.place)?;
        let seconds = self.asked.seconds;
        let again = self.folder.join(format!("{}-again.capture", kind.name()));
        let running = stage.start(2 * (seconds + EDGE_S))?;
        for file in [&capture, &again] {
            let recorded = self.capture(&disk, seconds, file)?;
            ended(recorded, "capture")?;
        }
        ended(running, application.name)?;
        Ok(Original {
            disk,
            capture,
            again,
        })
    }

    /// Captures a run of Fathom on a device, whose contents it overwrites.
    fn copy(&self, words: &[&str], copy: Copy, disk: &Disk) -> Result<PathBuf> {
        let capture = self.folder.join(format!("{}.capture", copy.name()));
        let seconds = self.asked.seconds;
        let recorded = self.capture(disk, seconds + 2 * EDGE_S, &capture)?;
        pause()?;
        let device = path(&disk.device.path)?;
        // A copy before may have overwritten what the file system is known by.
        let is_known = on("blkid", &disk.device.path).is_ok();
        let content = if is_known { "ext4" } else { "data" };
        let destroy = format!("{device}={content}");
        let time = format!("{seconds}s");
        let mut words = words.to_vec();
        words.extend([
            "--target",
            device,
            "--destroy",
            &destroy,
            "--no-save",
            "--quiet",
            // Requests to the driver are not to be split again.
            "--huge-pages",
        ]);
        if copy != Copy::Replay {
            words.extend(["--time", &time]);
        }
        self.fathom(&words)?;
        ended(recorded, "capture")?;
        Ok(capture)
    }

    fn capture(&self, disk: &Disk, seconds: u64, file: &Path) -> Result<Child> {
        let device = path(&disk.device.path)?;
        let time = format!("{seconds}s");
        let words = [
            "capture",
            "--device",
            device,
            "--time",
            &time,
            "-o",
            path(file)?,
        ];
        let child = Command::new(&self.asked.binary)
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()?;
        Ok(child)
    }

    /// What Fathom prints; a run may be SUSPECT.
    fn fathom(&self, words: &[&str]) -> Result<String> {
        let output = Command::new(&self.asked.binary)
            .args(words)
            .stdin(Stdio::null())
            .output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        let is_done = matches!(output.status.code(), Some(0 | 3));
        ensure!(is_done, "{}: {}", words.join(" "), said.trim());
        Ok(String::from_utf8(output.stdout)?)
    }
}

fn ended(mut child: Child, name: &str) -> Result<()> {
    let status = child.wait()?;
    if !status.success() {
        bail!("{name} ended with {status}");
    }
    Ok(())
}

fn pause() -> Result<()> {
    poll(&mut [], Some(&BEGIN))?;
    Ok(())
}

fn path(path: &Path) -> Result<&str> {
    path.to_str().context("a path of this trial is no text")
}
