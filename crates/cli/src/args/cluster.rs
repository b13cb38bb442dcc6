//! Options of a measurement from many hosts.

use super::seconds::seconds;
use clap::{Args, Parser, ValueEnum};
use fathom_cluster::HostList;
use fathom_cluster::transport::Launch;
use fathom_tools::ServerPlace;
use std::path::PathBuf;
use std::str::FromStr;

/// Hosts, and how they are reached.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Many hosts")]
pub(crate) struct ReachArgs {
    /// Hosts that are meant together, reached by ssh: names with ranges, as db[1-8],web3
    ///
    /// fathom must be on each of them. In a target, {host}, {rank} and {index} stand for the name
    /// of the host, the number of the member among all and among those of its host.
    #[arg(long, value_name = "HOSTS", conflicts_with = "hosts_file")]
    pub(crate) hosts: Option<HostList>,
    /// The same from a file: names in lines, with ranges; what follows a # is a comment
    #[arg(long, value_name = "FILE")]
    pub(crate) hosts_file: Option<PathBuf>,
    /// The program that runs another on a host, with its options, in the place of ssh
    ///
    /// It is run as PROGRAM HOST COMMAND, and must join its standard input and output to those of
    /// the command.
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) ssh: Option<String>,
    /// How fathom is called on the hosts, `fathom` without it
    #[arg(long, value_name = "COMMAND")]
    pub(crate) fathom: Option<String>,
    /// Bring this program to the hosts, and remove it afterwards; with a file, that one
    ///
    /// It goes into a new folder below the host's folder for temporary files. A static program runs
    /// on every Linux of its architecture.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
        default_missing_value = "/proc/self/exe", conflicts_with = "fathom")]
    pub(crate) push: Option<PathBuf>,
}

impl ReachArgs {
    /// An option that means something only with hosts, if one was given.
    pub(crate) fn stray(&self) -> Option<&'static str> {
        let given = [
            ("--ssh", self.ssh.is_some()),
            ("--fathom", self.fathom.is_some()),
            ("--push", self.push.is_some()),
        ];
        given
            .into_iter()
            .find(|(_, is_given)| *is_given)
            .map(|(name, _)| name)
    }

    /// Whether hosts are named.
    pub(crate) const fn is_meant(&self) -> bool {
        self.hosts.is_some() || self.hosts_file.is_some()
    }
}

/// Many hosts, one measurement.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Many hosts")]
pub(crate) struct ClusterArgs {
    #[command(flatten)]
    pub(crate) reach: ReachArgs,
    /// Servers that wait for a coordinator, which other programs' words can name.
    #[arg(skip)]
    pub(crate) servers: Vec<Server>,
    /// Members on each host
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) per_host: Option<u32>,
    /// A launcher that starts the members, as "srun -N4 -n16" or "mpirun -n 16"
    #[arg(long, value_name = "LAUNCHER", conflicts_with_all = ["launched", "hosts", "hosts_file"])]
    pub(crate) launch: Option<String>,
    /// This process is one of those that a launcher started (srun, mpirun, a Kubernetes Job)
    #[arg(long, conflicts_with_all = ["hosts", "hosts_file"])]
    pub(crate) launched: bool,
    /// How many members a launcher starts, where it does not say
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub(crate) members: Option<u32>,
    /// Where members find the coordinator: HOST:PORT, or file:PATH in a folder that all see
    #[arg(long, value_name = "WHERE")]
    pub(crate) rendezvous: Option<Rendezvous>,
    /// File with the secret that all members share, readable by its owner alone
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Each member has its own file or device; the default
    #[arg(long, conflicts_with = "shared")]
    pub(crate) spread: bool,
    /// All members have one target: each its own part of it, in one piece or in turns with others,
    /// or all the whole
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true,
        default_missing_value = "disjoint")]
    pub(crate) shared: Option<SharedArg>,
    /// Phases that only read take the part of the member N places further, whose data is in no
    /// cache of theirs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65535))]
    pub(crate) shift_reads: Option<u32>,
    /// Memory of all servers behind the targets together: smaller files may be answered from it
    #[arg(long, value_name = "SIZE")]
    pub(crate) server_memory: Option<fathom_core::Bytes>,
    /// Start without the members that did not come
    #[arg(long)]
    pub(crate) allow_missing: bool,
    /// Percent of the members that must finish, or the result is INVALID; 50 without it
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub(crate) invalid_below: Option<f64>,
    /// How long members may take to come; 5s for hosts, 60s for launchers
    #[arg(long, value_name = "DURATION", value_parser = seconds)]
    pub(crate) patience: Option<fathom_core::Nanos>,
    /// After how long without a sign of life a member, or the coordinator, counts as gone; 10s
    #[arg(long, value_name = "DURATION", value_parser = seconds)]
    pub(crate) silence: Option<fathom_core::Nanos>,
}

fn percent(text: &str) -> Result<f64, String> {
    let number: f64 = text
        .trim_end_matches('%')
        .parse()
        .map_err(|_| "no number".to_owned())?;
    if (0.0..=100.0).contains(&number) {
        Ok(number)
    } else {
        Err("a share is between 0 and 100 %".to_owned())
    }
}

impl ClusterArgs {
    /// Those that stand among the words of another program.
    pub(crate) fn of_words(words: Vec<String>) -> Result<Self, clap::Error> {
        #[derive(Parser)]
        #[command(no_binary_name = true)]
        struct Alone {
            #[command(flatten)]
            cluster: ClusterArgs,
        }
        Alone::try_parse_from(words).map(|alone| alone.cluster)
    }

    /// An option of how hosts are reached that servers have no use for, if one was given.
    pub(crate) fn beside_servers(&self) -> Option<&'static str> {
        let given = [
            ("--hosts", self.reach.hosts.is_some()),
            ("--hosts-file", self.reach.hosts_file.is_some()),
            ("--per-host", self.per_host.is_some()),
            ("--launch", self.launch.is_some()),
            ("--launched", self.launched),
            ("--members", self.members.is_some()),
            ("--rendezvous", self.rendezvous.is_some()),
        ];
        let first = given.into_iter().find(|(_, is_given)| *is_given);
        first
            .map(|(name, _)| name)
            .or_else(|| self.reach.stray())
            .filter(|_| !self.servers.is_empty())
    }

    /// Whether many hosts are meant.
    pub(crate) const fn is_meant(&self) -> bool {
        self.reach.is_meant() || self.launch.is_some() || self.launched || !self.servers.is_empty()
    }

    /// An option that means something only with many hosts, if one was given.
    pub(crate) fn stray(&self) -> Option<&'static str> {
        let given = [
            ("--per-host", self.per_host.is_some()),
            ("--members", self.members.is_some()),
            ("--rendezvous", self.rendezvous.is_some()),
            ("--token-file", self.token_file.is_some()),
            ("--spread", self.spread),
            ("--shared", self.shared.is_some()),
            ("--shift-reads", self.shift_reads.is_some()),
            ("--server-memory", self.server_memory.is_some()),
            ("--allow-missing", self.allow_missing),
            ("--invalid-below", self.invalid_below.is_some()),
            ("--patience", self.patience.is_some()),
            ("--silence", self.silence.is_some()),
        ];
        given
            .into_iter()
            .find(|(_, is_given)| *is_given)
            .map(|(name, _)| name)
            .or_else(|| self.reach.stray())
    }
}

/// A server that waits for a coordinator.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    /// The name of its host.
    pub(crate) host: String,
    /// How it is called.
    pub(crate) launch: Launch,
    /// Where it was said to be.
    pub(crate) place: ServerPlace,
}

/// How one target is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SharedArg {
    /// Each member has its own part of it.
    Disjoint,
    /// Parts take turns; sizes are those of each member.
    Interleaved,
    /// All have the whole.
    Common,
}

/// Where members find the coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rendezvous {
    /// A name or address and a port, where rank 0 is.
    Address(String),
    /// A file in a folder that all see.
    File(PathBuf),
}

impl FromStr for Rendezvous {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("file:") {
            return Ok(Self::File(path.into()));
        }
        let port = text.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        match port {
            Some(Ok(port)) if port > 0 => Ok(Self::Address(text.to_owned())),
            _ => Err("write HOST:PORT, or file:PATH".to_owned()),
        }
    }
}

/// Be one of the members of a measurement; started by the coordinator
///
/// The first line of standard input is the secret that all members share.
#[derive(Args, Debug)]
pub(crate) struct MemberArgs {
    /// Where the coordinator listens, addresses separated by commas; standard input and output
    /// without it
    #[arg(long, value_name = "ADDRESS", value_delimiter = ',')]
    pub(crate) connect: Vec<String>,
    /// Where the coordinator is found
    #[arg(long, value_name = "WHERE", conflicts_with = "connect")]
    pub(crate) rendezvous: Option<Rendezvous>,
    /// File with the secret, in the place of the first line
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Standard input is a socket that listens: be one member for each who calls there
    #[arg(long, conflicts_with_all = ["connect", "rendezvous"], requires = "token_file")]
    pub(crate) listening: bool,
    /// Write nothing, whatever the coordinator asks for
    #[arg(long)]
    pub(crate) read_only: bool,
}
