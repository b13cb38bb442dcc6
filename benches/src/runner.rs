//! Running one side once: the tool, its cost and what it says.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;

use crate::cases::Tool;
use crate::child::{self, Cost};
use crate::interrupt::Interrupt;
use crate::invocation::Invocation;
use crate::reading::Reading;

/// Time a run may take beyond its measured seconds before it counts as hung.
const SLACK_NS: u64 = 60_000_000_000;

/// Peak memory is the largest of this number of runs, each of which may miss its peak by a little.
const MEMORY_RUNS: usize = 5;

/// Where the tools are.
#[derive(Debug)]
pub(crate) struct Tools {
    pub(crate) fio: PathBuf,
    pub(crate) bare: PathBuf,
    pub(crate) fathom: PathBuf,
}

impl Tools {
    /// fio from the search path; Fathom as given, or from the folder of this program.
    pub(crate) fn find(fathom: Option<&Path>) -> Result<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let fio = std::env::split_paths(&path)
            .map(|folder| folder.join("fio"))
            .find(|file| file.is_file())
            .context(
                "fio is not in PATH; install it with `apt install fio` or `dnf install fio`",
            )?;
        let here = std::env::current_exe()?;
        let bare = here.with_file_name("fathom-bare");
        let fathom = match fathom {
            Some(path) => path.to_owned(),
            None => here.with_file_name("fathom"),
        };
        ensure!(
            fathom.is_file(),
            "there is no {}; build it with `cargo build --profile dist`, or give --fathom PATH",
            fathom.display()
        );
        Ok(Self { fio, bare, fathom })
    }

    fn path(&self, tool: Tool) -> &Path {
        match tool {
            Tool::Fio => &self.fio,
            Tool::Bare => &self.bare,
            Tool::Fathom => &self.fathom,
        }
    }

    /// The first line the tool prints for `--version`.
    pub(crate) fn version(&self, tool: Tool) -> Result<String> {
        let path = self.path(tool);
        let output = Command::new(path)
            .arg("--version")
            .output()
            .with_context(|| format!("cannot start {}", path.display()))?;
        ensure!(
            output.status.success(),
            "{} --version: {}",
            path.display(),
            output.status
        );
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(text.lines().next().unwrap_or_default().trim().to_owned())
    }
}

/// One run, as kept in the JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Run {
    pub(crate) iops: f64,
    pub(crate) ios: u64,
    pub(crate) wall_ns: u64,
    pub(crate) user_ns: u64,
    pub(crate) kernel_ns: u64,
    pub(crate) first_io_ns: Option<u64>,
    #[serde(skip)]
    pub(crate) date: Option<String>,
}

impl Run {
    fn new(reading: Reading, cost: Cost) -> Self {
        Self {
            iops: reading.iops,
            ios: reading.ios,
            wall_ns: cost.wall_ns,
            user_ns: cost.user_ns,
            kernel_ns: cost.kernel_ns,
            first_io_ns: reading.first_io_ns,
            date: reading.date,
        }
    }

    /// User CPU of the whole process over its I/Os.
    pub(crate) fn user_ns_per_io(&self) -> f64 {
        self.user_ns as f64 / self.ios as f64
    }

    /// Kernel CPU of the whole process over its I/Os.
    pub(crate) fn kernel_ns_per_io(&self) -> f64 {
        self.kernel_ns as f64 / self.ios as f64
    }
}

/// Runs invocations one at a time.
#[derive(Debug)]
pub(crate) struct Runner<'a> {
    pub(crate) tools: &'a Tools,
    /// Where result files and what the tools print go.
    pub(crate) folder: &'a Path,
    pub(crate) seconds: u32,
    pub(crate) interrupt: &'a Interrupt,
}

impl Runner<'_> {
    /// Run once.
    ///
    /// # Errors
    /// The tool cannot be started, hangs, exits with a failure, or its result is unusable;
    /// [`Interrupted`](crate::interrupt::Interrupted) after a signal.
    pub(crate) fn run(&self, invocation: &Invocation) -> Result<Run> {
        self.interrupt.check()?;
        let limit_ns = u64::from(self.seconds) * 1_000_000_000 + SLACK_NS;
        let (status, cost) = child::run(&mut self.command(invocation)?, limit_ns, self.interrupt)
            .with_context(|| invocation.to_line())?;
        // An interrupted tool ends in its own way; what it measured is not a whole run.
        self.interrupt.check()?;
        if !status.success() {
            bail!("{}: {status}: {}", invocation.to_line(), self.last_words());
        }
        let text = fs::read_to_string(self.result_file())
            .with_context(|| format!("{}: no result", invocation.to_line()))?;
        let reading = match invocation.tool {
            Tool::Fio => Reading::of_fio(&text),
            Tool::Bare => Reading::of_bare(&text),
            Tool::Fathom => Reading::of_fathom(&text),
        };
        Ok(Run::new(
            reading.with_context(|| invocation.to_line())?,
            cost,
        ))
    }

    /// The peak resident memory in bytes over a few runs.
    pub(crate) fn peak_memory_bytes(&self, invocation: &Invocation) -> Result<u64> {
        let mut peak = 0;
        for _ in 0..MEMORY_RUNS {
            self.interrupt.check()?;
            peak = peak.max(child::peak_memory_bytes(&mut self.command(invocation)?)?);
        }
        Ok(peak)
    }

    /// What the tool prints goes to a file, so that this process sleeps while it runs.
    fn command(&self, invocation: &Invocation) -> Result<Command> {
        let result = self.result_file();
        if result.exists() {
            fs::remove_file(&result).with_context(|| result.display().to_string())?;
        }
        let printed =
            File::create(self.printed_file()).context("cannot make a file to print to")?;
        let mut command = Command::new(self.tools.path(invocation.tool));
        command
            .args(invocation.args_with_result(&result))
            .stdin(Stdio::null())
            .stdout(printed.try_clone()?)
            .stderr(printed);
        Ok(command)
    }

    fn result_file(&self) -> PathBuf {
        self.folder.join("result.json")
    }

    fn printed_file(&self) -> PathBuf {
        self.folder.join("printed.txt")
    }

    /// The end of what the tool printed.
    fn last_words(&self) -> String {
        let text = fs::read_to_string(self.printed_file()).unwrap_or_default();
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        match lines.as_slice() {
            [] => "it printed nothing".to_owned(),
            lines => lines[lines.len().saturating_sub(3)..].join(" / "),
        }
    }
}
