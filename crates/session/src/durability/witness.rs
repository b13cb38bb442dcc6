//! The log or server that gets each acknowledgement before the next write.

use super::error::DurabilityError;
use fathom_device::{Door, Existing, Opened, System, Topology};
use fathom_durability::LogLine;
use fathom_platform::fs::FileType;
use fathom_platform::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::convert::Infallible;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::str::FromStr;
use std::time::Duration;

/// How long an answer over the network may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Said of one that is there no more.
const GONE: &str = "the connection was closed";

/// Longest line that is taken for an answer, bytes.
const LONGEST: u64 = 64 << 10;

/// The acknowledgement log or server, as named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogAddress {
    /// A file on other storage, a pipe or a serial line.
    File(PathBuf),
    /// `HOST:PORT`, where each line is said again.
    Host(String),
    /// `exec:COMMAND`, which says each line again.
    Command(String),
}

impl FromStr for LogAddress {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        if let Some(command) = text.strip_prefix("exec:") {
            return Ok(Self::Command(command.to_owned()));
        }
        let port = text.rsplit_once(':').map(|(_, port)| port);
        let is_host = !text.contains('/') && port.is_some_and(|port| port.parse::<u16>().is_ok());
        Ok(if is_host {
            Self::Host(text.to_owned())
        } else {
            Self::File(text.into())
        })
    }
}

impl fmt::Display for LogAddress {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(to),
            Self::Host(name) => to.write_str(name),
            Self::Command(command) => write!(to, "exec:{command}"),
        }
    }
}

/// An acknowledgement log or server. It has the line when [`tell`](Self::tell) returns.
pub struct Witness {
    name: String,
    ear: Ear,
}

enum Ear {
    /// A file: it is durable on its own storage.
    File(Opened),
    /// A serial line: it was sent.
    Terminal(File),
    /// A pipe: somebody else has it.
    Pipe(File),
    /// Who says each line again when it was kept.
    Echo(Echo),
    /// Nobody any more.
    None,
}

/// Both ends of somebody who answers.
struct Echo {
    to: Box<dyn Write>,
    from: BufReader<Box<dyn Read>>,
    child: Option<Child>,
}

impl fmt::Debug for Witness {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_tuple("Witness").field(&self.name).finish()
    }
}

impl Witness {
    /// Opens the acknowledgement log or server of a run on this target.
    ///
    /// # Errors
    ///
    /// [`DurabilityError`]
    pub fn find(place: &LogAddress, target: &Path) -> Result<Self, DurabilityError> {
        let name = place.to_string();
        let cannot = |error: io::Error| DurabilityError::Witness {
            name: name.clone(),
            cause: error.to_string(),
        };
        let ear = match place {
            LogAddress::File(path) => Ear::of_file(path, target)?,
            LogAddress::Host(address) => Ear::of_host(address).map_err(cannot)?,
            LogAddress::Command(command) => Ear::of_command(command).map_err(cannot)?,
        };
        Ok(Self { name, ear })
    }

    /// Removes a log that is still empty.
    pub fn take_back(mut self) {
        let nothing = Ear::None;
        if let Ear::File(opened) = std::mem::replace(&mut self.ear, nothing) {
            opened.take_back();
        }
    }

    /// Sends a line, and returns when it was received.
    ///
    /// # Errors
    ///
    /// [`DurabilityError::Witness`]
    pub fn tell(&mut self, line: &LogLine) -> Result<(), DurabilityError> {
        let text = format!("{line}\n");
        self.ear
            .hear(&text)
            .map_err(|error| DurabilityError::Witness {
                name: self.name.clone(),
                cause: error.to_string(),
            })
    }
}

impl Ear {
    fn of_file(path: &Path, target: &Path) -> Result<Self, DurabilityError> {
        let door = Door::beside([target]);
        // A log of earlier runs goes on; whatever else is there stays as it is.
        let is_log = |head: &[u8]| head.starts_with(b"fd1 ");
        let opened = door.open_where(path, Existing::Extended, &is_log)?;
        let kind = opened.file.metadata().map(|meta| meta.file_type());
        let kind = kind.map_err(|error| DurabilityError::Witness {
            name: path.display().to_string(),
            cause: error.to_string(),
        })?;
        if kind.is_fifo() {
            return Ok(Self::Pipe(opened.file));
        }
        if kind.is_char_device() {
            return Ok(Self::Terminal(opened.file));
        }
        if let Some(on) = shared(path, target) {
            opened.take_back();
            let witness = path.to_owned();
            return Err(DurabilityError::WitnessOnTarget { witness, on });
        }
        Ok(Self::File(opened))
    }

    fn of_host(address: &str) -> io::Result<Self> {
        let to = TcpStream::connect(address)?;
        to.set_nodelay(true)?;
        to.set_read_timeout(Some(PATIENCE))?;
        to.set_write_timeout(Some(PATIENCE))?;
        let from: Box<dyn Read> = Box::new(to.try_clone()?);
        Ok(Self::Echo(Echo {
            to: Box::new(to),
            from: BufReader::new(from),
            child: None,
        }))
    }

    fn of_command(command: &str) -> io::Result<Self> {
        let mut child = fathom_device::command("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        let to = child.stdin.take().ok_or_else(gone)?;
        let from: Box<dyn Read> = Box::new(child.stdout.take().ok_or_else(gone)?);
        Ok(Self::Echo(Echo {
            to: Box::new(to),
            from: BufReader::new(from),
            child: Some(child),
        }))
    }

    fn hear(&mut self, text: &str) -> io::Result<()> {
        match self {
            Self::File(opened) => {
                opened.file.write_all(text.as_bytes())?;
                opened.file.sync_data()
            }
            Self::None => Err(io::ErrorKind::NotConnected.into()),
            Self::Pipe(file) => file.write_all(text.as_bytes()),
            Self::Terminal(file) => {
                file.write_all(text.as_bytes())?;
                match fathom_platform::termios::tcdrain(&*file) {
                    // The null device has nothing to send.
                    Err(fathom_platform::io::Errno::NOTTY) => Ok(()),
                    drained => drained.map_err(Into::into),
                }
            }
            Self::Echo(Echo { to, from, .. }) => {
                // Whether it went before or after it could have heard this, is luck.
                let gone = |error: io::Error| match error.kind() {
                    io::ErrorKind::BrokenPipe => io::Error::other(GONE),
                    _ => error,
                };
                to.write_all(text.as_bytes()).map_err(gone)?;
                to.flush().map_err(gone)?;
                let mut answer = Vec::new();
                from.take(LONGEST).read_until(b'\n', &mut answer)?;
                if answer == text.as_bytes() {
                    return Ok(());
                }
                Err(io::Error::other(if answer.is_empty() {
                    GONE.to_owned()
                } else {
                    let answer = String::from_utf8_lossy(&answer);
                    format!("it does not echo the line, but `{}`", answer.trim_end())
                }))
            }
        }
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        // It ends when nobody talks to it any more.
        self.to = Box::new(io::sink());
        if let Some(child) = &mut self.child {
            let _ = child.wait();
        }
    }
}

/// What both lie on, if they share something: a file system, or a disk below.
fn shared(witness: &Path, target: &Path) -> Option<String> {
    let device = |path: &Path| {
        let meta = std::fs::metadata(path).ok().or_else(|| {
            let parent = path.parent().filter(|parent| *parent != Path::new(""));
            std::fs::metadata(parent.unwrap_or(Path::new("."))).ok()
        })?;
        let kind = FileType::from_raw_mode(meta.mode());
        (kind != FileType::BlockDevice).then(|| meta.dev())
    };
    let own = device(witness);
    if own.is_some() && own == device(target) {
        return Some("the same file system".to_owned());
    }
    let system = System::live().ok()?;
    let witness = Topology::of_path(&system, witness).ok()?;
    let target = Topology::of_path(&system, target).ok()?;
    let below = target.leaves();
    let both = witness.leaves().into_iter();
    let mut both = both.filter(|leaf| below.iter().any(|one| one.dev == leaf.dev));
    both.next().map(|leaf| leaf.path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_apart() {
        let place = |text: &str| text.parse::<LogAddress>().unwrap();
        let cases = [
            ("/log", LogAddress::File("/log".into())),
            ("log", LogAddress::File("log".into())),
            ("./a:1", LogAddress::File("./a:1".into())),
            ("a:b", LogAddress::File("a:b".into())),
            ("lab:7711", LogAddress::Host("lab:7711".to_owned())),
            ("[::1]:7711", LogAddress::Host("[::1]:7711".to_owned())),
            (
                "exec:ssh lab tee -a log",
                LogAddress::Command("ssh lab tee -a log".to_owned()),
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(place(text), expected, "{text}");
            assert_eq!(place(text).to_string(), text);
        }
    }

    fn line() -> LogLine {
        LogLine::Ack {
            run: 1,
            sequence: 2,
            time_ms: 3,
        }
    }

    fn told(command: &str) -> Result<(), String> {
        let place = LogAddress::Command(command.to_owned());
        let mut witness = Witness::find(&place, Path::new("/nowhere")).unwrap();
        let heard = witness.tell(&line()).and_then(|()| witness.tell(&line()));
        heard.map_err(|error| error.because())
    }

    #[test]
    fn who_says_it_again_has_heard() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        assert_eq!(told(&format!("tee {}", log.display())), Ok(()));
        let expected = format!("{line}\n{line}\n", line = line());
        assert_eq!(std::fs::read_to_string(log).unwrap(), expected);
        assert_eq!(
            told("head -n 1"),
            Err("the connection was closed".to_owned())
        );
        let wrong = "it does not echo the line, but `what`".to_owned();
        assert_eq!(told("read line; echo what; cat >/dev/null"), Err(wrong));
    }

    #[test]
    fn a_file_beside_the_target_is_no_witness() {
        let folder = tempfile::tempdir().unwrap();
        let [log, other] = ["log", "other"].map(|name| folder.path().join(name));
        let find = |path: &Path| {
            let found = Witness::find(&LogAddress::File(path.to_owned()), folder.path());
            found.map(drop).map_err(|error| error.thing())
        };
        let refused = format!("{} cannot be the acknowledgement log", log.display());
        assert_eq!(find(&log), Err(refused));
        assert!(!log.exists());
        std::fs::write(&other, "somebody's").unwrap();
        let refused = format!("cannot write {}", other.display());
        assert_eq!(find(&other), Err(refused));
    }
}
