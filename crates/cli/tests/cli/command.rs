//! Runs the program and compares all that comes out of it.

use crate::executable::copy_program;
use crate::privileged::Group;
use crate::schemas;
use rustix::process::{Pid, Signal, geteuid, kill_process};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fathom");
const NOBODY: u32 = 65534;

/// A run of the program in a folder of its own.
pub(crate) struct Cli {
    folder: TempDir,
    home: TempDir,
    command: Command,
}

/// All that came out of it. The folder's path reads `DIR`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) status: Option<i32>,
    /// The signal that ended it, if it was not itself that did.
    pub(crate) signal: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Cli {
    /// The program with the given words.
    pub(crate) fn new<S: AsRef<OsStr>>(words: impl IntoIterator<Item = S>) -> Self {
        Self::in_folder(tempfile::tempdir().expect("a folder"), words)
    }

    /// The program with the words of a line.
    pub(crate) fn line(line: impl AsRef<str>) -> Self {
        Self::new(words(line.as_ref()))
    }

    /// The same in a folder that an earlier run has used.
    pub(crate) fn line_in(folder: TempDir, line: impl AsRef<str>) -> Self {
        Self::in_folder(folder, words(line.as_ref()))
    }

    /// The same in a folder that an earlier run has used.
    pub(crate) fn in_folder<S: AsRef<OsStr>>(
        folder: TempDir,
        words: impl IntoIterator<Item = S>,
    ) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(PROGRAM);
        command
            .args(words)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .env_remove("COLUMNS")
            .env_remove("NO_COLOR")
            .env("LC_ALL", "C.UTF-8");
        at_home(&mut command, &home);
        Self {
            folder,
            home,
            command,
        }
    }

    /// As a shell that asks for completions.
    pub(crate) fn asked_by(mut self, shell: &str) -> Self {
        self.command.env("FATHOM_COMPLETE", shell);
        self
    }

    /// With a history of its own.
    pub(crate) fn with_history(mut self, path: &Path) -> Self {
        self.command.env("FATHOM_STORE", path);
        self
    }

    /// With a file on standard input, open for writing too.
    pub(crate) fn fed(mut self, file: File) -> Self {
        self.command.stdin(file);
        self
    }

    /// With a variable of the environment.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Called by another name.
    pub(crate) fn called(mut self, name: &str) -> Self {
        self.command.arg0(name);
        self
    }

    /// A file in the folder.
    pub(crate) fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.folder.path().join(name), content).expect("a file");
        self
    }

    /// Where a name in the folder lies.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Drops the rights of root, if there are any. The program is copied to where nobody else's
    /// folders are in its way.
    pub(crate) fn without_rights(mut self) -> Self {
        if geteuid().is_root() {
            let copy = self.path("fathom");
            copy_program(Path::new(PROGRAM), &copy);
            let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(self.folder.path(), open).expect("it is ours");
            let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
            std::fs::set_permissions(self.home.path(), open).expect("it is ours");
            let words: Vec<_> = self.command.get_args().map(OsStr::to_owned).collect();
            let mut command = Command::new(copy);
            command.args(words).current_dir(self.folder.path());
            command.stdin(Stdio::null()).uid(NOBODY).gid(NOBODY);
            at_home(&mut command, &self.home);
            self.command = command;
        }
        self
    }

    /// Runs it in a control group, which it enters before it begins.
    pub(crate) fn within(mut self, group: &Group) -> Self {
        let words: Vec<_> = self.command.get_args().map(OsStr::to_owned).collect();
        let mut command = Command::new("sh");
        command
            .args(["-c", "echo $$ > \"$1\" && shift && exec \"$@\"", "sh"])
            .arg(group.members())
            .arg(PROGRAM)
            .args(words)
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        at_home(&mut command, &self.home);
        self.command = command;
        self
    }

    /// Starts it, with the usual dispositions of signals whatever ours are.
    pub(crate) fn start(self) -> Running {
        self.start_through(&["--default-signal=INT,TERM,HUP"])
    }

    /// Starts it with a signal ignored.
    pub(crate) fn start_ignoring(self, signal: &str) -> Running {
        let ignore = format!("--ignore-signal={signal}");
        self.start_through(&["--default-signal=INT,TERM,HUP", &ignore])
    }

    /// Starts it as the only program of a terminal, with the usual dispositions of signals; what
    /// it prints is lost, what it draws is read from there.
    pub(crate) fn start_on_terminal(self, terminal: File) -> OnTerminal {
        let copy = terminal.try_clone().expect("a copy");
        let own = self.command.get_envs();
        let own = own.filter_map(|(name, value)| Some((name, value?)));
        let mut command = Command::new("setsid");
        command
            .args(["--ctty", "env", "--default-signal=INT,TERM,HUP", PROGRAM])
            .args(self.command.get_args())
            .current_dir(self.folder.path())
            .env("TERM", "xterm-256color")
            .envs(own)
            .stdin(copy)
            .stderr(terminal)
            .stdout(Stdio::null());
        at_home(&mut command, &self.home);
        OnTerminal {
            child: command.spawn().expect("the program can be started"),
            folder: self.folder,
            _home: self.home,
        }
    }

    fn start_through(self, env: &[&str]) -> Running {
        let own = self.command.get_envs();
        let own = own.filter_map(|(name, value)| Some((name, value?)));
        let mut command = Command::new("env");
        command
            .args(env)
            .arg(PROGRAM)
            .args(self.command.get_args())
            .current_dir(self.folder.path())
            .envs(own)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        at_home(&mut command, &self.home);
        let mut child = command.spawn().expect("the program can be started");
        let stderr = child.stderr.take().expect("it is piped");
        Running {
            child,
            stderr: BufReader::new(stderr),
            told: String::new(),
            folder: self.folder,
            _home: self.home,
        }
    }

    /// Sends what it says to where the test wants it.
    pub(crate) fn stderr_to(mut self, place: impl Into<Stdio>) -> Self {
        self.command.stderr(place);
        self
    }

    /// Sends what it prints to where the test wants it.
    pub(crate) fn stdout_to(mut self, place: impl Into<Stdio>) -> Self {
        self.command.stdout(place);
        self
    }

    /// Runs it to its end, and gives the folder back.
    pub(crate) fn end(mut self) -> (Ended, TempDir) {
        let output = self.command.output().expect("the program can be started");
        (Ended::of(&output, self.folder.path()), self.folder)
    }

    /// Runs it and compares everything.
    #[track_caller]
    pub(crate) fn check(self, status: i32, stdout: &str, stderr: &str) -> TempDir {
        let (ended, folder) = self.end();
        let expected = Ended {
            status: Some(status),
            signal: None,
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
        };
        assert_eq!(ended, expected, "\n{}{}", ended.stdout, ended.stderr);
        folder
    }

    /// Runs it with nobody to read what it prints.
    #[track_caller]
    pub(crate) fn check_closed_stdout(mut self) {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = self.command.stdout(writer).output();
        let ended = Ended::of(
            &output.expect("the program can be started"),
            self.folder.path(),
        );
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    }

    /// Runs it, expects that it goes well and silently, and gives what it prints.
    #[track_caller]
    pub(crate) fn stdout(self) -> String {
        let (ended, _) = self.end();
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
        ended.stdout
    }
}

/// The words of a line as a shell reads them.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for sign in line.chars() {
        let last = words.last_mut().expect("there is one");
        match (sign, quote) {
            ('\'' | '"', None) => quote = Some(sign),
            (_, Some(open)) if sign == open => quote = None,
            (' ', None) => words.push(String::new()),
            _ => last.push(sign),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// No test writes into the history of whoever runs it.
fn at_home(command: &mut Command, home: &TempDir) {
    command
        .env("HOME", home.path())
        .env_remove("XDG_DATA_HOME")
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("FATHOM_CONFIG")
        .env_remove("FATHOM_STORE");
}

/// The program at work. It is killed if a test gives up on it.
pub(crate) struct Running {
    child: Child,
    stderr: BufReader<ChildStderr>,
    told: String,
    folder: TempDir,
    _home: TempDir,
}

impl Running {
    /// Where a name in its folder lies.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Waits until it says something that begins so.
    #[track_caller]
    pub(crate) fn wait_for_line(&mut self, begin: &str) {
        loop {
            let mut line = String::new();
            let length = self.stderr.read_line(&mut line).expect("UTF-8");
            assert_ne!(length, 0, "no line begins with {begin}:\n{}", self.told);
            self.told.push_str(&line);
            if line.starts_with(begin) {
                return;
            }
        }
    }

    /// Waits until it says something that begins so: what follows on that line.
    #[track_caller]
    pub(crate) fn line(mut self, begin: &str) -> (Self, String) {
        self.wait_for_line(begin);
        let last = self.told.lines().last().unwrap_or_default();
        let rest = last[begin.len()..].to_owned();
        (self, rest)
    }

    /// Waits until it prints something, which is lost.
    #[track_caller]
    pub(crate) fn wait_for_output(&mut self) {
        let pipe = self.child.stdout.as_mut().expect("it is piped");
        pipe.read_exact(&mut [0]).expect("it prints something");
    }

    pub(crate) fn number(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has not ended yet.
    pub(crate) fn is_there(&mut self) -> bool {
        self.child.try_wait().expect("it is ours").is_none()
    }

    /// Waits until it has made a file, which it has to do before it ends.
    pub(crate) fn wait_for_file(&mut self, name: &str) {
        while !self.path(name).exists() {
            assert!(self.is_there(), "it ended without {name}");
            std::thread::yield_now();
        }
    }

    pub(crate) fn send(&self, signal: Signal) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, signal).expect("it is still there");
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> (Ended, TempDir) {
        self.stderr.read_to_string(&mut self.told).expect("UTF-8");
        let mut stdout = String::new();
        let pipe = self.child.stdout.as_mut().expect("it is piped");
        pipe.read_to_string(&mut stdout).expect("UTF-8");
        let status = self.child.wait().expect("it is ours");
        schemas::check(&stdout);
        let ended = Ended {
            status: status.code(),
            signal: status.signal(),
            stdout,
            stderr: std::mem::take(&mut self.told),
        };
        let empty = tempfile::tempdir().expect("a folder");
        (ended, std::mem::replace(&mut self.folder, empty))
    }
}

/// The program at work on a terminal. It is killed if a test gives up on it.
pub(crate) struct OnTerminal {
    child: Child,
    folder: TempDir,
    _home: TempDir,
}

impl OnTerminal {
    /// Waits for its end.
    pub(crate) fn status(mut self) -> (Option<i32>, TempDir) {
        let status = self.child.wait().expect("it is ours");
        let empty = tempfile::tempdir().expect("a folder");
        (status.code(), std::mem::replace(&mut self.folder, empty))
    }
}

impl Drop for OnTerminal {
    fn drop(&mut self) {
        // Both fail when it has ended, which is as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail when it has ended, which is as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Ended {
    fn of(output: &Output, folder: &Path) -> Self {
        let read = |bytes: &[u8]| {
            let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
            text.replace(&*folder.to_string_lossy(), "DIR")
        };
        let stdout = read(&output.stdout);
        schemas::check(&stdout);
        Self {
            status: output.status.code(),
            signal: output.status.signal(),
            stdout,
            stderr: read(&output.stderr),
        }
    }
}
