//! The program under attack, in a world of its own: its home, its history and the folder in which
//! it is called are temporary, and it is killed when it does not end.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};

use anyhow::{Context as _, Result, ensure};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use tempfile::TempDir;

/// Longest that an attack may take before it counts as one that hangs.
const PATIENCE_MS: u32 = 60_000;

pub(crate) struct Fathom {
    binary: PathBuf,
    home: TempDir,
}

/// How a call ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: Option<i32>,
    pub(crate) signal: Option<i32>,
    pub(crate) is_hung: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The statuses by which it would have refused.
    refusals: &'static [i32],
}

/// One call, as it is put together.
pub(crate) struct Call<'a> {
    fathom: &'a Fathom,
    words: Vec<String>,
    folder: Option<PathBuf>,
    stdin: Option<PathBuf>,
    stdout: Option<PathBuf>,
    within: Vec<String>,
    patience_ms: u32,
}

/// A call that has begun, in a folder that goes with it.
pub(crate) struct Running {
    child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
    _streams: TempDir,
    folder: Option<TempDir>,
    /// The statuses by which it refuses.
    refusals: &'static [i32],
}

impl Fathom {
    pub(crate) fn new(binary: &Path) -> Result<Self> {
        ensure!(binary.is_file(), "{} is no program", binary.display());
        Ok(Self {
            binary: binary.to_owned(),
            home: tempfile::tempdir().context("cannot make a folder")?,
        })
    }

    pub(crate) fn call<W: Into<String>>(&self, words: impl IntoIterator<Item = W>) -> Call<'_> {
        Call {
            fathom: self,
            words: words.into_iter().map(Into::into).collect(),
            folder: None,
            stdin: None,
            stdout: None,
            within: Vec::new(),
            patience_ms: PATIENCE_MS,
        }
    }

    /// Calls it with words parted by blanks.
    pub(crate) fn line(&self, line: &str) -> Call<'_> {
        self.call(line.split_whitespace())
    }
}

impl Call<'_> {
    /// Where it is called; otherwise in an empty folder of its own.
    pub(crate) fn inside(mut self, folder: &Path) -> Self {
        self.folder = Some(folder.to_owned());
        self
    }

    pub(crate) fn stdin(mut self, path: &Path) -> Self {
        self.stdin = Some(path.to_owned());
        self
    }

    pub(crate) fn stdout(mut self, path: &Path) -> Self {
        self.stdout = Some(path.to_owned());
        self
    }

    /// Called by another program, as `prlimit --nofile=8`.
    pub(crate) fn within(mut self, line: &str) -> Self {
        self.within = line.split_whitespace().map(str::to_owned).collect();
        self
    }

    pub(crate) fn within_words(mut self, words: Vec<String>) -> Self {
        self.within = words;
        self
    }

    pub(crate) fn patience_s(mut self, seconds: u32) -> Self {
        self.patience_ms = seconds * 1000;
        self
    }

    pub(crate) fn start(self) -> Result<Running> {
        let streams = tempfile::tempdir().context("cannot make a folder")?;
        let own = match &self.folder {
            Some(_) => None,
            None => Some(tempfile::tempdir().context("cannot make a folder")?),
        };
        let folder = own.as_ref().map(TempDir::path);
        let folder = folder.or(self.folder.as_deref()).context("no folder")?;
        let mut command = match self.within.split_first() {
            Some((program, words)) => {
                let mut command = Command::new(program);
                command.args(words).arg(&self.fathom.binary);
                command
            }
            None => Command::new(&self.fathom.binary),
        };
        let stdin = self.stdin.as_deref().unwrap_or(Path::new("/dev/null"));
        let output = |name: &str| streams.path().join(name);
        let stdout = self.stdout.clone().unwrap_or_else(|| output("stdout"));
        let stdout_file = match &self.stdout {
            Some(path) => File::options().write(true).open(path),
            None => File::create(&stdout),
        };
        command
            .args(&self.words)
            .current_dir(folder)
            .env("HOME", self.fathom.home.path())
            .env_remove("XDG_DATA_HOME")
            .env_remove("FATHOM_STORE")
            .stdin(File::open(stdin).with_context(|| format!("{}", stdin.display()))?)
            .stdout(stdout_file.context("standard output")?)
            .stderr(File::create(output("stderr"))?);
        let child = command.spawn().context("the program cannot be started")?;
        Ok(Running {
            child,
            stdout,
            stderr: output("stderr"),
            _streams: streams,
            folder: own,
            refusals: refusals(&self.words),
        })
    }

    pub(crate) fn end(self) -> Result<Ended> {
        let patience_ms = self.patience_ms;
        Ok(self.start()?.end_within(patience_ms)?.0)
    }

    /// Also gives the folder in which it was called, if that was its own.
    pub(crate) fn end_with_folder(self) -> Result<(Ended, Option<TempDir>)> {
        let patience_ms = self.patience_ms;
        self.start()?.end_within(patience_ms)
    }
}

impl Running {
    pub(crate) fn send(&self, signal: Signal) -> Result<()> {
        kill_process(Pid::from_child(&self.child), signal).context("it cannot be signalled")
    }

    /// Waits this time, or until it has ended; true if it has.
    pub(crate) fn wait_ms(&self, milliseconds: u32) -> Result<bool> {
        let handle = pidfd_open(Pid::from_child(&self.child), PidfdFlags::empty())?;
        let timeout = Timespec {
            tv_sec: i64::from(milliseconds / 1000),
            tv_nsec: i64::from(milliseconds % 1000) * 1_000_000,
        };
        let mut fds = [PollFd::new(&handle, PollFlags::IN)];
        loop {
            match poll(&mut fds, Some(&timeout)) {
                Ok(ready) => return Ok(ready > 0),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    pub(crate) fn end_within(mut self, patience_ms: u32) -> Result<(Ended, Option<TempDir>)> {
        let is_hung = !self.wait_ms(patience_ms)?;
        if is_hung {
            self.child.kill().context("it cannot be killed")?;
        }
        let status = self.child.wait().context("it cannot be waited for")?;
        let ended = self.ended(status, is_hung);
        Ok((ended, self.folder.take()))
    }

    pub(crate) fn end(self) -> Result<Ended> {
        Ok(self.end_within(PATIENCE_MS)?.0)
    }

    fn ended(&self, status: ExitStatus, is_hung: bool) -> Ended {
        let is_regular = self.stdout.is_file();
        Ended {
            status: status.code(),
            signal: status.signal(),
            is_hung,
            stdout: if is_regular {
                read(&self.stdout)
            } else {
                String::new()
            },
            stderr: read(&self.stderr),
            refusals: self.refusals,
        }
    }
}

/// Three commands end in the numbers of the programs whose words they take.
fn refusals(words: &[String]) -> &'static [i32] {
    match words.first().map(String::as_str) {
        Some("diskspd") => &[1, 2, 3],
        Some("dd") => &[1, 2],
        Some("vdbench") => &[157],
        _ => &[2, 4],
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail when it has ended, which is as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(path: &Path) -> String {
    let mut bytes = Vec::new();
    // What cannot be read was not said.
    let _ = File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Ended {
    /// As the table shows it: the status, and the first thing that was said.
    pub(crate) fn told(&self) -> String {
        let how = match (self.is_hung, self.status, self.signal) {
            (true, ..) => "hung".to_owned(),
            (_, Some(status), _) => format!("status {status}"),
            (_, _, Some(signal)) => format!("killed by signal {signal}"),
            _ => "no status".to_owned(),
        };
        let error = self.stderr.lines().find(|line| line.starts_with("error"));
        match error {
            Some(line) => format!("{how}, {line}"),
            None => how,
        }
    }

    /// Whether it ended by its own will and without a defect that it noticed itself.
    pub(crate) fn is_orderly(&self) -> bool {
        !self.is_hung && self.status.is_some_and(|status| status != 101)
    }

    /// Whether it refused, as the exit statuses have it.
    pub(crate) fn is_refusal(&self) -> bool {
        self.status
            .is_some_and(|status| self.refusals.contains(&status))
    }
}
