//! Wine, where it is: a prefix of its own, and the library that Wine 8 lacks.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Result, ensure};
use tempfile::TempDir;

/// `ProcessPrng`, which Rust's standard library imports and Wine before 9 has not.
const LIBRARY: &str = "\
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size)
{ return RtlGenRandom(data, (ULONG)size); }
";

const COMPILER: &str = "x86_64-w64-mingw32-gcc";
/// Where the loader can be; the last is Debian's.
const LOADERS: [&str; 3] = ["wine64", "wine64-stable", "/usr/lib/wine/wine64"];

/// Wine with a prefix, which goes when this does.
pub(super) struct Wine {
    pub(super) version: String,
    loader: &'static str,
    home: TempDir,
}

impl Wine {
    /// Wine with a new prefix; none where it or the compiler is not there.
    pub(super) fn found() -> Result<Option<Self>> {
        let version = |program: &&str| Command::new(program).arg("--version").output();
        let is_there = |program: &&str| version(program).is_ok();
        let Some(loader) = LOADERS.into_iter().find(is_there) else {
            return Ok(None);
        };
        if !is_there(&COMPILER) {
            return Ok(None);
        }
        let told = version(&loader)?.stdout;
        let wine = Self {
            version: String::from_utf8_lossy(&told).trim().to_owned(),
            loader,
            home: tempfile::tempdir()?,
        };
        ensure!(wine.boot("-i")?.success(), "wineboot failed");
        wine.add_library()?;
        Ok(Some(wine))
    }

    fn prefix(&self) -> PathBuf {
        self.home.path().join("prefix")
    }

    /// Makes a folder a drive of its own.
    pub(super) fn has_drive(&self, letter: char, folder: &Path) -> std::io::Result<()> {
        let link = self.prefix().join(format!("dosdevices/{letter}:"));
        std::os::unix::fs::symlink(folder, link)
    }

    /// Makes a file the content of a volume that has no file system, `\\.\p:`.
    pub(super) fn has_volume(&self, letter: char, file: &Path) -> std::io::Result<()> {
        let link = self.prefix().join(format!("dosdevices/{letter}::"));
        std::os::unix::fs::symlink(file, link)
    }

    /// What it starts goes on, with the streams of this command.
    fn boot(&self, word: &str) -> std::io::Result<ExitStatus> {
        let mut command = self.command(Path::new("wineboot"));
        command
            .arg(word)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status()
    }

    /// A command for a program of Windows, with nothing of this environment but the path.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(self.loader);
        command
            .arg(program)
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("LANG", "C.UTF-8")
            .env("HOME", self.home.path());
        self.runs_in(&mut command);
        command
    }

    /// Has cargo run the tests for a target here.
    pub(super) fn runs_tests(&self, cargo: &mut Command, target: &str) {
        let target = target.to_uppercase().replace('-', "_");
        cargo.env(format!("CARGO_TARGET_{target}_RUNNER"), self.loader);
        self.runs_in(cargo);
    }

    fn runs_in(&self, command: &mut Command) {
        command
            .env("WINEPREFIX", self.prefix())
            .env("WINEDEBUG", "-all");
    }

    /// Adds the library that Wine lacks.
    fn add_library(&self) -> Result<()> {
        let source = self.home.path().join("library.c");
        std::fs::write(&source, LIBRARY)?;
        let system = self.prefix().join("drive_c/windows/system32");
        let compiled = Command::new(COMPILER)
            .args(["-shared", "-O1", "-o"])
            .arg(system.join("bcryptprimitives.dll"))
            .arg(&source)
            .arg("-ladvapi32")
            .status()?;
        ensure!(compiled.success(), "{COMPILER} failed");
        Ok(())
    }
}

impl Drop for Wine {
    fn drop(&mut self) {
        // Its server holds files of the prefix open.
        if let Err(error) = self.boot("-k") {
            eprintln!("Wine goes on: {error}");
        }
    }
}
