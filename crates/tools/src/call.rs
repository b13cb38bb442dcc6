//! A call of another program in its own words: from them to what is run, and from a result to what
//! that program would say.

use crate::diagnostic::Diagnostic;
use crate::dialects::Surroundings;
use crate::drives::Drive;
use crate::request_log::RequestLog;
use crate::servers::{Client, ServerPlace, Serving};
use crate::translation::Translation;
use fathom_core::Nanos;
use fathom_core::result::RunResult;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What a program is called with.
pub struct Given<'a> {
    /// Its words, its name left out.
    pub words: &'a [String],
    /// What Fathom adds to them.
    pub beside: &'a Beside,
    /// The world.
    pub surroundings: &'a dyn Surroundings,
    /// Reads an input whole; `-` is standard input.
    pub read: &'a dyn Fn(&str) -> io::Result<Vec<u8>>,
    /// Fathom's version.
    pub version: &'a str,
    /// The number of this process.
    pub process: u32,
}

/// Options for Fathom in addition to the words of the other program.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// Where drives of Windows are here.
    pub drives: Vec<Drive>,
    /// Paths in the place of those that the words name: `PATH`, or `NAME=PATH` for one of several.
    pub targets: Vec<String>,
    /// Drop what the page cache holds of files before they are read.
    pub cold: bool,
    /// Write random bytes instead of zeros.
    pub incompressible: bool,
    /// All that the program prints, in place of one screen.
    pub full: bool,
    /// Tasks, of a program that something else starts several times.
    pub tasks: Option<u32>,
    /// The measured time is given, whatever the input says.
    pub is_timed: bool,
    /// File for the table that the program writes.
    pub table: Option<PathBuf>,
}

/// What is answered to a call.
pub enum Reply {
    /// This, and nothing is run.
    Text(String),
    /// What the program runs for the call.
    Run(Box<dyn Call>),
    /// Several runs at once, of which one report tells.
    Apart(Box<dyn Apart>),
    /// To wait for others who want something run here.
    Serve(Serving),
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Refusal {
    /// All that is wrong with the words.
    Text(Vec<Diagnostic>),
    /// The program itself refuses the words.
    Said {
        /// What it says, to the letter.
        said: String,
        /// All that is wrong with them.
        wrong: Vec<Diagnostic>,
    },
    /// What is asked for is not there: what the program says on standard output.
    Absent(String),
    /// There are no words: what the program prints then on standard output.
    NoWords(String),
    /// A file that they name cannot be read.
    File {
        /// What cannot be done.
        thing: String,
        /// Why.
        error: io::Error,
        /// What would be right.
        remedy: &'static str,
    },
}

impl From<Vec<Diagnostic>> for Refusal {
    fn from(wrong: Vec<Diagnostic>) -> Self {
        Self::Text(wrong)
    }
}

/// The type of [`Program::call`](crate::Program).
pub type Answer = fn(&Given<'_>) -> Result<Reply, Refusal>;

/// Options of Fathom's own where they stand among the words of the other program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnWords {
    /// Devices whose contents may be destroyed.
    pub destroy: Vec<String>,
    /// Files that Fathom did not make may be overwritten.
    pub overwrite: bool,
    /// Files of results that Fathom did not make may be replaced.
    pub replace_results: bool,
    /// Nothing is written, whatever is asked for.
    pub read_only: bool,
    /// Show the workload as TOML and do nothing.
    pub print: bool,
    /// Show no progress, notes or warnings.
    pub quiet: bool,
    /// Show them also where standard error is no terminal.
    pub notes: bool,
    /// Show progress as plain lines.
    pub no_live: bool,
    /// Do not keep the run in the history.
    pub no_save: bool,
    /// File of the history, instead of the user's.
    pub store: Option<String>,
    /// Explain the slowest requests of each phase.
    pub blame: bool,
    /// Look at the input alone.
    pub parse_only: bool,
    /// Measured time of every phase, whatever the input says.
    pub time: Option<String>,
    /// File for what the program prints.
    pub output: Option<String>,
    /// Options of many hosts, each in one word with its value.
    pub cluster: Vec<String>,
    /// Hosts as the program names them, or files with names of hosts; paths are used as they are
    /// then, by all of them.
    pub clients: Vec<Client>,
}

/// Jobs by the name of their phase.
pub type JobsByPhase = BTreeMap<String, Vec<String>>;

/// A file that is written when a run is over, in the directory of the logs.
#[derive(Clone, Copy, Debug)]
pub struct LaterFile {
    /// File name in that directory.
    pub name: &'static str,
    /// Whether a file that begins so is of an earlier run, which may be replaced.
    pub is_own: fn(&[u8]) -> bool,
    /// What is written of a result.
    pub bytes: fn(&RunResult) -> Vec<u8>,
}

/// When a program says what a run has come to so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meanwhile {
    /// Time from one to the next; none for only when it is asked.
    pub every: Option<Nanos>,
}

/// What the program would say of a result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// On standard output, or in its file.
    pub out: String,
    /// On standard error.
    pub err: String,
    /// Whether the state of the result is printed separately, since `out` has no place for it.
    pub judged: bool,
}

/// A call that is to be run.
pub trait Call {
    /// What is run.
    fn translation(&self) -> &Translation;
    /// The same, to be changed by what is known only now.
    fn translation_mut(&mut self) -> &mut Translation;

    /// What was hardly meant.
    fn warnings(&self) -> &[Diagnostic] {
        &[]
    }

    /// Fathom's options among the words; none where they come before them.
    fn own(&self) -> Option<&OwnWords> {
        None
    }

    /// Takes the servers through which the clients among the words are reached, by rank.
    fn served_by(&mut self, servers: Vec<ServerPlace>) {
        let _ = servers;
    }

    /// The server that a line in a file of clients names, if it names one.
    fn server_of_line(&self, line: &str) -> Option<ServerPlace> {
        let _ = line;
        None
    }

    /// What is asked for that many hosts do not do, and what to use instead; `named` says whether
    /// the hosts have names before they come.
    fn not_of_many_hosts(&self, named: bool) -> Option<(&'static str, &'static str)> {
        let _ = named;
        None
    }

    /// Whether a file that begins so is a result that the program wrote, which may be replaced.
    fn is_own_result(&self, head: &[u8]) -> bool {
        let _ = head;
        false
    }

    /// The format of ours that is printed where none is asked for.
    fn format(&self) -> Option<&'static str> {
        None
    }

    /// One of our formats that is also written, and its file.
    fn table(&self) -> Option<(&'static str, &Path)> {
        None
    }

    /// A directory that has to be there before anything else.
    fn directory(&self) -> Option<&Path> {
        None
    }

    /// Whether its report says what is not as the other program would do it, so that standard
    /// error has that program's lines alone.
    fn reports_notes(&self) -> bool {
        false
    }

    /// Whether progress is shown.
    fn has_progress(&self) -> bool {
        true
    }

    /// The logs of requests that are written meanwhile; of one of many hosts, in files of its own.
    fn logs(&self, host: Option<&str>) -> Vec<RequestLog> {
        let _ = host;
        Vec::new()
    }

    /// Directory of files that are written later; the current one without it.
    fn logs_directory(&self) -> Option<&str> {
        None
    }

    /// The files that are written when it is over.
    fn later_files(&self) -> &[LaterFile] {
        &[]
    }

    /// Jobs of whose requests the generator's own time is wanted one by one.
    fn splits(&self) -> JobsByPhase {
        JobsByPhase::new()
    }

    /// Whether the program itself would call a run a failure in which a limit was missed (a load
    /// that was not steady, a rate that was not kept), or in which there were errors; none where
    /// Fathom's own statuses say so.
    fn fails(&self, result: &RunResult) -> Option<bool> {
        let _ = result;
        None
    }

    /// Jobs whose threads have figures of their own by target and interval.
    fn apart(&self) -> JobsByPhase {
        JobsByPhase::new()
    }

    /// How often it says what the run has come to so far, if it does; also when it is asked to by
    /// SIGUSR1.
    fn tells_meanwhile(&self) -> Option<Meanwhile> {
        None
    }

    /// What it says when the run begins, before anything is measured.
    fn said_before(&self) -> String {
        String::new()
    }

    /// What it says of a run that goes on.
    fn said_meanwhile(&self, result: &RunResult) -> String {
        let _ = result;
        String::new()
    }

    /// What the program would say of a result. `asked` says that another format was asked for,
    /// `quiet` that nobody wants more than the result.
    fn said(&self, result: &RunResult, asked: bool, quiet: bool) -> Said {
        let _ = (result, asked, quiet);
        Said::default()
    }
}

/// Several calls that are run at once, of which one report tells.
pub trait Apart {
    /// Fathom's options among the words.
    fn own(&self) -> &OwnWords;

    /// The calls, each with the words that make it by themselves.
    fn calls(&mut self) -> Vec<(&[String], &mut dyn Call)>;

    /// Whether a file that begins so is a result that the program wrote, which may be replaced.
    fn is_own_result(&self, head: &[u8]) -> bool;

    /// What the program would say of the results of the calls, by their number; nothing of one that
    /// has none.
    fn said(&self, results: &[Option<RunResult>]) -> Said;
}

impl fmt::Debug for Given<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Given")
            .field("words", &self.words)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.debug_tuple("Text").field(text).finish(),
            Self::Apart(apart) => f.debug_tuple("Apart").field(apart.own()).finish(),
            Self::Serve(serving) => f.debug_tuple("Serve").field(serving).finish(),
            Self::Run(call) => f.debug_tuple("Run").field(call.translation()).finish(),
        }
    }
}
