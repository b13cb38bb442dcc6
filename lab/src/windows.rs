//! `cargo lab windows`: `fathom.exe` under Wine, compared with the program for Linux byte for byte,
//! and the contract of engines with those of Windows.
//!
//! Wine shows what the program computes and prints. It shows nothing of disks: no number that is
//! measured here is one of storage.

mod cases;
mod engines;
mod iometer;
mod measuring;
mod namesake;
mod raw_device;
mod selftest;
mod suite;
mod wine;

use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use tempfile::TempDir;
use xtask::sources;

use cases::{CASES, INPUTS, REFUSED};
use wine::Wine;

const TARGET: &str = "x86_64-pc-windows-gnu";

/// What both programs are called, and where each says that it is.
struct Programs {
    linux: PathBuf,
    windows: PathBuf,
    wine: Wine,
}

/// What a command printed and how it ended.
#[derive(PartialEq, Eq)]
struct Answer {
    status: Option<i32>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

/// Runs the table with the programs that are given, or builds them. A text that an argument
/// contains chooses cases.
pub(crate) fn run(words: &[&str]) -> Result<bool> {
    let (given, only) = match words {
        ["--exe", exe, "--binary", binary, only @ ..] => {
            (Some((PathBuf::from(exe), PathBuf::from(binary))), only)
        }
        only => (None, only),
    };
    let Some(wine) = Wine::found()? else {
        println!("skipped: no Wine of 64 bits here (Debian's package wine64)");
        return Ok(true);
    };
    let (windows, linux) = given.map_or_else(built, Ok)?;
    let programs = Programs {
        linux: linux.canonicalize()?,
        windows: windows.canonicalize()?,
        wine,
    };
    let chosen = |line: &&str| only.is_empty() || only.iter().any(|part| line.contains(part));
    let folders = [inputs()?, inputs()?];
    let (mut equal, mut different) = (0, 0);
    for line in CASES.into_iter().filter(chosen) {
        let mut answers = [
            programs.on_linux(line, folders[0].path())?,
            programs.on_windows(line, folders[1].path())?,
        ];
        if answers[0] != answers[1] {
            // Now and then a process of Wine itself adds a line. What the program says stays.
            answers[1] = programs.on_windows(line, folders[1].path())?;
        }
        if answers[0] == answers[1] {
            equal += 1;
        } else {
            different += 1;
            show(line, &answers);
        }
    }
    different += files_that_differ(&folders)?;
    let mut refused = 0;
    for (line, expected) in REFUSED {
        let mut answer = programs.on_windows(line, folders[1].path())?;
        if answer.stderr != expected.as_bytes() {
            answer = programs.on_windows(line, folders[1].path())?;
        }
        let told = String::from_utf8_lossy(&answer.stderr).into_owned();
        let is_refused = answer.status == Some(4) && answer.stdout.is_empty() && told == expected;
        refused += usize::from(is_refused);
        if !is_refused {
            different += 1;
            println!("fathom {line}\n  status {:?}\n{told}", answer.status);
        }
    }
    let runs = if only.is_empty() {
        measuring::failures(&programs, folders[1].path())?
            + namesake::failures(&programs, folders[1].path())?
            + iometer::failures(&programs, folders[1].path())?
            + raw_device::failures(&programs, folders[1].path())?
            + suite::failures(&programs, folders[1].path())?
            + selftest::failures(&programs, folders[1].path())?
    } else {
        0
    };
    different += runs;
    println!(
        "{equal} commands print the same bytes under {} as on Linux, {refused} are refused with an \
         alternative, {different} differ",
        programs.wine.version
    );
    println!("{} passed, {different} failed", equal + refused);
    let engines = !only.is_empty() || engines::keep_their_contract(&programs.wine)?;
    Ok(different == 0 && engines)
}

/// Builds both programs: `fathom.exe` and the one for Linux.
fn built() -> Result<(PathBuf, PathBuf)> {
    let root = sources::root();
    for words in [&["--target", TARGET][..], &[]] {
        let status = Command::new("cargo")
            .current_dir(&root)
            .args(["build", "--locked", "--quiet", "--package", "fathom-cli"])
            .args(words)
            .status()?;
        ensure!(status.success(), "cargo build {words:?} failed");
    }
    let target = root.join("target");
    let exe = target.join(TARGET).join("debug/fathom.exe");
    Ok((exe, target.join("debug/fathom")))
}

/// A folder with a blank and an umlaut in its name, and the files that the commands name.
fn inputs() -> Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("größer als ").tempdir()?;
    for (name, source, form) in INPUTS {
        let path = sources::root().join(source);
        let text = std::fs::read(&path).with_context(|| format!("no {}", path.display()))?;
        std::fs::write(folder.path().join(name), form.of(text)?)?;
    }
    std::fs::create_dir(folder.path().join("ein Ordner"))?;
    Ok(folder)
}

impl Programs {
    fn on_linux(&self, line: &str, folder: &Path) -> Result<Answer> {
        ended(&mut Command::new(&self.linux), line, folder)
    }

    fn on_windows(&self, line: &str, folder: &Path) -> Result<Answer> {
        ended(&mut self.wine.command(&self.windows), line, folder)
    }
}

/// Runs a line in a folder. Its words have blanks between them, which `_` stands for in a name.
fn ended(command: &mut Command, line: &str, folder: &Path) -> Result<Answer> {
    let words = line.split(' ').map(|word| word.replace("␣", " "));
    let command = command
        .args(words)
        .current_dir(folder)
        .env("FATHOM_STORE", "ein Ordner/Verläufe.db")
        .env_remove("COLUMNS")
        .stdin(Stdio::null());
    // Not pipes: processes that Wine starts keep them open after the command has ended.
    let [mut stdout, mut stderr] = [tempfile::tempfile()?, tempfile::tempfile()?];
    let command = command
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?);
    let status = command.status()?.code();
    Ok(Answer {
        status,
        stdout: written(&mut stdout)?,
        stderr: written(&mut stderr)?,
    })
}

/// All that was written to a file.
fn written(file: &mut File) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The lines in which both answers differ.
fn show(line: &str, answers: &[Answer; 2]) {
    println!("fathom {line}");
    for (system, answer) in ["Linux", "Windows"].iter().zip(answers) {
        println!("  {system}: status {:?}", answer.status);
    }
    for bytes in [
        |one: &Answer| one.stdout.clone(),
        |one: &Answer| one.stderr.clone(),
    ] {
        let [linux, windows] = answers.each_ref().map(bytes);
        if linux == windows {
            continue;
        }
        let [linux, windows] =
            [linux, windows].map(|text| String::from_utf8_lossy(&text).into_owned());
        let mut pairs = linux.lines().zip(windows.lines());
        if let Some((one, other)) = pairs.find(|(one, other)| one != other) {
            println!("  - {one}\n  + {other}");
        } else {
            let shorter = linux.len().min(windows.len());
            let ends = (linux.get(shorter..), windows.get(shorter..));
            println!("  one ends with {:?}, the other with {:?}", ends.0, ends.1);
        }
    }
}

/// How many files the commands left that differ, but for databases.
fn files_that_differ(folders: &[TempDir; 2]) -> Result<usize> {
    let mut different = 0;
    for entry in std::fs::read_dir(folders[0].path())? {
        let name = entry?.file_name();
        let [linux, windows] = folders.each_ref().map(|folder| folder.path().join(&name));
        if !linux.is_file() {
            continue;
        }
        let Ok(other) = std::fs::read(&windows) else {
            bail!("{} is not there", windows.display());
        };
        if std::fs::read(&linux)? != other {
            different += 1;
            println!("the file {} differs", name.display());
        }
    }
    Ok(different)
}
