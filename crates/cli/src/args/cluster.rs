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
    /// Hosts to run on, reached by ssh: names or ranges, such as db[1-8],web3
    ///
    /// fathom must be installed on each host. A target may contain {host} (name of the host),
    /// {rank} (number of the member among all members) and {index} (its number on its host).
    #[arg(long, value_name = "HOSTS", conflicts_with = "hosts_file")]
    pub(crate) hosts: Option<HostList>,
    /// Read the hosts from a file, one name or range per line; # starts a comment
    #[arg(long, value_name = "FILE")]
    pub(crate) hosts_file: Option<PathBuf>,
    /// Program to use instead of ssh, with its options
    ///
    /// It is called as PROGRAM HOST COMMAND and must connect its standard input and output to those
    /// of COMMAND.
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) ssh: Option<String>,
    /// Command that starts fathom on the hosts [default: fathom]
    #[arg(long, value_name = "COMMAND")]
    pub(crate) fathom: Option<String>,
    /// Copy this program, or FILE, to the hosts for the run and remove it afterwards
    ///
    /// It goes into a new folder in the host's directory for temporary files. A static binary runs
    /// on every Linux of the same architecture.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
        default_missing_value = "/proc/self/exe", conflicts_with = "fathom")]
    pub(crate) push: Option<PathBuf>,
}

impl ReachArgs {
    /// The first option given that requires --hosts or --hosts-file.
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

    /// Whether --hosts or --hosts-file is given.
    pub(crate) const fn is_meant(&self) -> bool {
        self.hosts.is_some() || self.hosts_file.is_some()
    }
}

/// Options for one measurement across many hosts.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Many hosts")]
pub(crate) struct ClusterArgs {
    #[command(flatten)]
    pub(crate) reach: ReachArgs,
    /// Waiting servers, which only the command lines of other programs can name.
    #[arg(skip)]
    pub(crate) servers: Vec<Server>,
    /// Members per host
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) per_host: Option<u32>,
    /// Launcher that starts the members, such as "srun -N4 -n16" or "mpirun -n 16"
    #[arg(long, value_name = "LAUNCHER", conflicts_with_all = ["launched", "hosts", "hosts_file"])]
    pub(crate) launch: Option<String>,
    /// This process was started by a launcher (srun, mpirun, a Kubernetes Job)
    #[arg(long, conflicts_with_all = ["hosts", "hosts_file"])]
    pub(crate) launched: bool,
    /// Number of members that the launcher starts, if the launcher does not set it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub(crate) members: Option<u32>,
    /// Address of the coordinator: HOST:PORT, or file:PATH in a folder shared by all members
    #[arg(long, value_name = "WHERE")]
    pub(crate) rendezvous: Option<Rendezvous>,
    /// File with the secret shared by all members; only its owner may have read permission
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Give each member its own file or device (default)
    #[arg(long, conflicts_with = "shared")]
    pub(crate) spread: bool,
    /// Share one target between all members: separate parts (disjoint or interleaved), or the whole
    /// target for each
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true,
        default_missing_value = "disjoint")]
    pub(crate) shared: Option<SharedArg>,
    /// In read-only phases, read the part of member N positions further, to avoid the member's own
    /// cache
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65535))]
    pub(crate) shift_reads: Option<u32>,
    /// Total memory of all servers behind the targets; smaller files may be served from it
    #[arg(long, value_name = "SIZE")]
    pub(crate) server_memory: Option<fathom_core::Bytes>,
    /// Start even if some members do not join
    #[arg(long)]
    pub(crate) allow_missing: bool,
    /// Percentage of members that must finish; below it the result is INVALID [default: 50]
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub(crate) invalid_below: Option<f64>,
    /// Join timeout for members [default: 5s for hosts, 60s for launchers]
    #[arg(long = "join-timeout", alias = "patience")]
    #[arg(value_name = "DURATION", value_parser = seconds)]
    pub(crate) patience: Option<fathom_core::Nanos>,
    /// Keep-alive timeout for members and coordinator [default: 10s]
    #[arg(long = "keepalive", alias = "silence", value_name = "DURATION", value_parser = seconds)]
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
        Err("expected a percentage from 0 to 100".to_owned())
    }
}

impl ClusterArgs {
    /// Parses the cluster options in another program's command line.
    pub(crate) fn of_words(words: Vec<String>) -> Result<Self, clap::Error> {
        #[derive(Parser)]
        #[command(no_binary_name = true)]
        struct Alone {
            #[command(flatten)]
            cluster: ClusterArgs,
        }
        Alone::try_parse_from(words).map(|alone| alone.cluster)
    }

    /// The first option given that has no effect with waiting servers.
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

    /// Whether the run uses more than one host.
    pub(crate) const fn is_meant(&self) -> bool {
        self.reach.is_meant() || self.launch.is_some() || self.launched || !self.servers.is_empty()
    }

    /// The first option given that requires several hosts.
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
            ("--join-timeout", self.patience.is_some()),
            ("--keepalive", self.silence.is_some()),
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
    /// Host name.
    pub(crate) host: String,
    /// Command that starts it.
    pub(crate) launch: Launch,
    /// Address given by the user.
    pub(crate) place: ServerPlace,
}

/// How members share one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SharedArg {
    /// A separate, contiguous part for each member.
    Disjoint,
    /// Parts alternate block by block; sizes apply to each member.
    Interleaved,
    /// The whole target for every member.
    Common,
}

/// Address of the coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rendezvous {
    /// Name or address, and port, of rank 0.
    Address(String),
    /// File in a folder shared by all members.
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
            _ => Err("expected HOST:PORT or file:PATH".to_owned()),
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct MemberArgs {
    /// Listen addresses of the coordinator, comma-separated [default: standard input and output]
    #[arg(long, value_name = "ADDRESS", value_delimiter = ',')]
    pub(crate) connect: Vec<String>,
    /// Address of the coordinator
    #[arg(long, value_name = "WHERE", conflicts_with = "connect")]
    pub(crate) rendezvous: Option<Rendezvous>,
    /// Read the secret from FILE instead of the first line of input
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Standard input is a listening socket: serve one member per connection
    #[arg(long, conflicts_with_all = ["connect", "rendezvous"], requires = "token_file")]
    pub(crate) listening: bool,
    /// Write nothing, whatever the coordinator requests
    #[arg(long)]
    pub(crate) read_only: bool,
}
