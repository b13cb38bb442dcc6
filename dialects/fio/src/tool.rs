//! Options of the command itself: those of fio that are no job options, and those that Fathom adds.

use super::layout::{FioStyle, Idleness};
use super::option::set;
use super::server;
use super::source::Wrong;
use super::terse::TerseVersion;
use super::values::plain_time;
use fathom_core::Nanos;
use fathom_core::nearest::nearest;
use fathom_core::rows;
use fathom_tools::call::OwnWords;
use fathom_tools::drives::{Drive, drive};
use fathom_tools::servers::ServerPlace;

/// A layout in which fio tells its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFormat {
    /// For people.
    Normal,
    /// As a JSON document.
    Json,
    /// JSON with all buckets of the histograms.
    JsonPlus,
    /// One line a job, fields separated by semicolons.
    Terse,
}

/// What can be asked about the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// What version it is.
    Version,
    /// The jobs as a command line.
    Command,
    /// Options of jobs: one by its name, or all with `all` or an empty one.
    Option(String),
    /// One engine by its name, or all with an empty one.
    Engines(String),
}

/// What the options that are no job options ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tool {
    /// Time from one report of the results so far to the next.
    pub status_every: Option<Nanos>,
    /// Options that are Fathom's own, or like them.
    pub own: OwnWords,
    /// Where a server is to listen, in place of a run.
    pub server: Option<ServerPlace>,
    /// File for the number of a server that goes on in the background.
    pub pid_file: Option<String>,
    /// Directory of the logs; the current one without it.
    pub logs_directory: Option<String>,
    /// Whether the bandwidth of all jobs together is logged.
    pub logs_bandwidth: bool,
    /// Layouts, in the order in which they are written; `normal` when empty.
    pub formats: Vec<OutputFormat>,
    /// Version of terse; fio's own choice without it.
    pub terse_version: Option<TerseVersion>,
    /// Only these sections.
    pub sections: Vec<String>,
    /// Paths to use where the input names none.
    pub targets: Vec<String>,
    /// Where drives of Windows are here.
    pub drives: Vec<Drive>,
    /// What is reported of idle processors, if anything is.
    pub idleness: Option<Idleness>,
    /// What is asked about the program, in place of a run.
    pub question: Option<Question>,
    /// What to report in more detail, in fio's words.
    pub debugged: Vec<String>,
    /// Jobs without `stonewall` run at once, as fio runs them, and nothing is said of it.
    pub as_written: bool,
    /// Jobs run one after another, whether there is a `stonewall` or not.
    pub one_by_one: bool,
}

impl Tool {
    /// Whether each option is printed as it is read, and nothing else is done.
    pub(super) fn tells_options(&self) -> bool {
        self.debugged.iter().any(|word| word == "parse")
    }

    /// Whether what jobs name is on other machines, and not on this one.
    pub(super) fn is_elsewhere(&self) -> bool {
        let is_hosts = |word: &String| word.starts_with("--hosts");
        !self.own.clients.is_empty() || self.own.cluster.iter().any(is_hosts)
    }

    /// The options among these that a server has a use for.
    pub(super) fn of_server(&self) -> Self {
        let is_of_server = |word: &&String| word.starts_with(TOKEN_FILE);
        let cluster = self.own.cluster.iter().filter(is_of_server);
        Self {
            server: self.server.clone(),
            pid_file: self.pid_file.clone(),
            own: OwnWords {
                quiet: self.own.quiet,
                notes: self.own.notes,
                read_only: self.own.read_only,
                cluster: cluster.cloned().collect(),
                ..OwnWords::default()
            },
            ..Self::default()
        }
    }

    /// The layouts that are asked for, in their order.
    pub fn styles(&self) -> Vec<FioStyle> {
        let has = |format| self.formats.contains(&format);
        let terse = || FioStyle::Terse(self.terse_version.unwrap_or_default());
        let json = if has(OutputFormat::JsonPlus) {
            FioStyle::JsonPlus
        } else {
            FioStyle::Json
        };
        let wanted = [
            (has(OutputFormat::Terse), terse()),
            (has(OutputFormat::Json) || has(OutputFormat::JsonPlus), json),
            (
                has(OutputFormat::Normal) || self.formats.is_empty(),
                FioStyle::Normal,
            ),
        ];
        let wanted = wanted.into_iter().filter(|(is_wanted, _)| *is_wanted);
        wanted.map(|(_, style)| style).collect()
    }
}

/// How the word of many hosts begins that names the file of the secret.
pub(super) const TOKEN_FILE: &str = "--token-file=";

type Set = fn(&mut Tool, &str) -> Result<(), Wrong>;

/// One option of the command.
pub(super) struct ToolOption {
    pub(super) name: &'static str,
    /// The letter that means the same, behind a single dash.
    pub(super) letter: Option<char>,
    pub(super) takes_value: bool,
    /// What it does, or why it is refused.
    pub(super) remark: &'static str,
    pub(super) set: Option<Set>,
}

impl ToolOption {
    const fn flag(name: &'static str, remark: &'static str, set: Set) -> Self {
        Self {
            name,
            letter: None,
            takes_value: false,
            remark,
            set: Some(set),
        }
    }

    const fn value(name: &'static str, remark: &'static str, set: Set) -> Self {
        let mut option = Self::flag(name, remark, set);
        option.takes_value = true;
        option
    }

    const fn refused(name: &'static str, remark: &'static str) -> Self {
        let mut option = Self::flag(name, remark, |_, _| Ok(()));
        option.set = None;
        option
    }

    const fn letter(mut self, letter: char) -> Self {
        self.letter = Some(letter);
        self
    }
}

const SHOWN: &str = "progress is shown on a terminal, unless --quiet";
const HOSTS: &str = "servers are sent what they run: --client=HOST JOBFILE";
const NO_TRIGGER: &str =
    "not supported by Fathom; a script can send SIGINT, which ends the run and reports it";
const NOT_HERE: &str = "it looks into fio itself";

/// Hands an option of many hosts on as one word.
macro_rules! handed_on {
    ($name:literal) => {
        |to, text| {
            let option = concat!("--", $name);
            to.own.cluster.push(if text.is_empty() {
                option.to_owned()
            } else {
                format!("{option}={text}")
            });
            Ok(())
        }
    };
}

pub(super) static TOOL_OPTIONS: &[ToolOption] = rows! { ToolOption;
    value("output", "write the result to this file",
        set!(to, text => to.own.output = Some(text.to_owned()))).letter('o');
    value("output-format", "normal, json, json+ or terse; several with commas",
        set!(to, text => to.formats = formats(text)?)).letter('F');
    flag("minimal", "terse", set!(to, _ => to.formats = vec![OutputFormat::Terse])).letter('m');
    flag("append-terse", "terse after the layout chosen",
        |to, _| {
            if to.formats.is_empty() {
                to.formats.push(OutputFormat::Normal);
            }
            to.formats.push(OutputFormat::Terse);
            Ok(())
        }).letter('f');
    value("terse-version", "2, 3, 4 or 5",
        |to, text| {
            let known = text.trim().parse().ok().and_then(TerseVersion::numbered);
            let Some(known) = known else {
                let message = format!("there is no version {} of terse", text.trim());
                return Err(Wrong::new(message, "2, 3 (fio's own choice), 4 or 5"));
            };
            to.terse_version = Some(known);
            Ok(())
        }).letter('V');
    value("section", "only this section; any number of times",
        set!(to, text => to.sections.push(text.to_owned()))).letter('x');
    flag("readonly",
        "nothing is written, whatever is asked for: targets are opened without the right to, jobs \
         that write are refused, and files are neither made, extended nor laid out",
        set!(to, _ => to.own.read_only = true)).letter('r');
    flag("parse-only", "read the input and do nothing; --notes tells what is not as in fio",
        set!(to, _ => to.own.parse_only = true)).letter('P');
    value("eta", SHOWN, |_, _| Ok(())).letter('e');
    value("eta-newline", SHOWN, |_, _| Ok(())).letter('E');
    value("eta-interval", SHOWN, |_, _| Ok(())).letter('O');
    value("status-interval",
        "an interim report at each interval, in the chosen layout; at least 100 ms. SIGUSR1 \
         requests one",
        |to, text| {
            let message = || format!("`{text}` is not a time");
            let every = plain_time(text).filter(|every| *every > Nanos::ZERO);
            let every = every.ok_or_else(|| Wrong::new(message(), "as in --status-interval=1"))?;
            to.status_every = Some(every);
            Ok(())
        }).letter('L');
    value("max-jobs", "there is room for all jobs", |_, _| Ok(())).letter('j');
    value("alloc-size", "memory is taken as needed", |_, _| Ok(())).letter('a');
    flag("warnings-fatal", "see `fathom fio --parse-only --notes`", |_, _| Ok(())).letter('w');
    flag("version",
        "the version of fio whose layouts these are; Fathom's own is that of `fathom --version`",
        set!(to, _ => to.question = Some(Question::Version))).letter('v');
    flag("showcmd", "the jobs as a command line, and nothing is run",
        set!(to, _ => to.question = Some(Question::Command))).letter('s');
    flag("cmdhelp", "all options of jobs, or with =NAME one of them",
        set!(to, text => to.question = Some(Question::Option(text.trim().to_owned())))).letter('c');
    flag("enghelp",
        "the engines by fio's names, or with =NAME one of them; status 1 if it is not there",
        set!(to, text => to.question = Some(Question::Engines(text.trim().to_owned()))))
        .letter('i');
    value("debug",
        "with --parse-only, parse tells each option as it is read; else there is nothing to tell",
        |to, text| {
            let words = text.split(',').map(|word| word.trim().to_owned());
            to.debugged.extend(words);
            Ok(())
        }).letter('d');
    flag("bandwidth-log",
        "the bandwidth of each direction over all jobs and seconds, in agg-read_bw.log and its \
         like; fio fills them only where it shows its progress",
        set!(to, _ => to.logs_bandwidth = true)).letter('b');
    refused("latency-log", "use write_lat_log").letter('l');
    refused("inflate-log", "logs are not compressed; `zcat` reads logs that gzip has compressed")
        .letter('X');
    value("aux-path", "directory of the logs",
        set!(to, text => to.logs_directory = Some(text.to_owned()))).letter('K');
    value("client",
        "a host, or a file with names of hosts, as --hosts. The protocol is Fathom's: servers of \
         fio do not understand it. fathom is reached by ssh there, and no server is needed. \
         HOST,PORT or sock:PATH, and with --token-file also HOST, is where `fathom fio --server` \
         listens. Each has the job files behind it, or those of the next that has some. Names that \
         jobs give are used as they are on each host, generated ones begin with the host's",
        set!(to, text => to.own.clients.push(server::client(text)?))).letter('C');
    flag("server",
        "wait for clients of `fathom fio` (those of fio have another protocol) that know the \
         secret, and run what they ask for; =HOST,PORT where to listen, or =sock:PATH. \
         --token-file names the secret, which is made where there is none; with --readonly it \
         writes nothing, with FATHOM_ALLOW=FILE what that list names; docs/many-hosts.md",
        set!(to, text => to.server = Some(server::place(text)?))).letter('S');
    value("daemonize", "the server goes on in the background, its number in this file",
        set!(to, text => to.pid_file = Some(text.to_owned()))).letter('D');
    refused("remote-config", HOSTS).letter('R');
    value("idle-prof", "system or percpu: what the kernel counted in the measured time",
        |to, text| {
            to.idleness = Some(match text.trim() {
                "system" => Idleness::System,
                "percpu" => Idleness::EachProcessor,
                other => {
                    let message = format!("`{other}` is not a valid value for idle CPUs");
                    return Err(Wrong::new(message, "system or percpu"));
                }
            });
            Ok(())
        }).letter('I');
    refused("crctest", NOT_HERE).letter('G');
    refused("cpuclock-test", NOT_HERE).letter('T');
    refused("memcpytest", NOT_HERE).letter('M');
    refused("trigger", NO_TRIGGER).letter('H');
    refused("trigger-file", NO_TRIGGER).letter('W');
    refused("trigger-timeout", NO_TRIGGER).letter('B');
    refused("trigger-remote", NO_TRIGGER).letter('J');
    // Those that Fathom adds.
    value("target",
        "path to use where the input names none, or in the place of the one file that it names; \
         NAME=PATH for each of several, or a folder",
        set!(to, text => to.targets.extend(text.split(',').map(str::to_owned))));
    value("map-drive",
        "where a drive of Windows is here, as r=/mnt/r for files and directories on r\\:\\",
        |to, text| {
            let said = drive(text).map_err(|message| {
                Wrong::new(message, "a letter and a folder, as in --map-drive=r=/mnt/r")
            })?;
            to.drives.push(said);
            Ok(())
        });
    value("destroy", "device whose contents may be destroyed",
        set!(to, text => to.own.destroy.push(text.to_owned())));
    flag("replace-results", "results and logs that Fathom did not make may be replaced",
        set!(to, _ => to.own.replace_results = true));
    value("time", "measured time, whatever the input says",
        set!(to, text => to.own.time = Some(text.to_owned())));
    flag("print", "show the workload as TOML and do nothing", set!(to, _ => to.own.print = true));
    flag("notes", "show notes and warnings also where standard error is no terminal",
        set!(to, _ => to.own.notes = true));
    flag("quiet", "show no progress, notes or warnings", set!(to, _ => to.own.quiet = true));
    flag("no-live", "show progress as plain lines", set!(to, _ => to.own.no_live = true));
    flag("no-save", "do not keep the run in the history", set!(to, _ => to.own.no_save = true));
    value("store", "file of the history", set!(to, text => to.own.store = Some(text.to_owned())));
    flag("blame",
        "name what the slowest block requests of each phase waited for (as root), on standard \
         error; docs/blame.md", set!(to, _ => to.own.blame = true));
    flag("as-written", "jobs without stonewall run at once", set!(to, _ => to.as_written = true));
    flag("one-by-one", "jobs run one after another", set!(to, _ => to.one_by_one = true));
    // Those of many hosts.
    value("hosts", "hosts that measure together, reached by ssh: db[1-8],web3; docs/many-hosts.md",
        handed_on!("hosts"));
    value("hosts-file", "the same from a file", handed_on!("hosts-file"));
    value("per-host", "members on each host", handed_on!("per-host"));
    value("ssh", "the program that runs another on a host", handed_on!("ssh"));
    value("fathom", "how fathom is called on the hosts", handed_on!("fathom"));
    value("launch", "a launcher that starts the members, as mpirun -n 16", handed_on!("launch"));
    value("members", "how many members a launcher starts", handed_on!("members"));
    value("rendezvous", "where members find the coordinator", handed_on!("rendezvous"));
    value("token-file", "file with the secret that all members share", handed_on!("token-file"));
    value("invalid-below", "percent of the members that must finish", handed_on!("invalid-below"));
    value("patience", "how long members may take to come", handed_on!("patience"));
    value("silence", "after how long without a sign of life one counts as gone",
        handed_on!("silence"));
    flag("launched", "this process is one of those that a launcher started",
        handed_on!("launched"));
    flag("spread", "each member has its own file or device", handed_on!("spread"));
    flag("shared", "all members have one target, each its part of it; =common: the whole",
        handed_on!("shared"));
    flag("allow-missing", "start without the members that did not come",
        handed_on!("allow-missing"));
};

pub(super) fn find(name: &str) -> Option<&'static ToolOption> {
    TOOL_OPTIONS.iter().find(|option| option.name == name)
}

/// The option of a single letter.
pub(super) fn of_letter(name: &str) -> Option<&'static ToolOption> {
    let letter: char = name.parse().ok()?;
    let mut fitting = TOOL_OPTIONS.iter();
    fitting.find(|option| option.letter == Some(letter))
}

fn formats(text: &str) -> Result<Vec<OutputFormat>, Wrong> {
    let known = [
        ("normal", OutputFormat::Normal),
        ("json", OutputFormat::Json),
        ("json+", OutputFormat::JsonPlus),
        ("terse", OutputFormat::Terse),
    ];
    let read = |word: &str| {
        let found = known.iter().find(|(name, _)| *name == word.trim());
        found.map(|(_, format)| *format).ok_or_else(|| {
            let close = nearest(word, known.iter().map(|(name, _)| *name));
            let message = format!("`{word}` is not an output format");
            Wrong::new(message, "normal, json, json+ or terse").suggest(close)
        })
    };
    text.split(',').map(read).collect()
}
