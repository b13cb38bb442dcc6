//! Hosts that are simulated.

use super::SharedArg;
use clap::Args;
use fathom_cluster::{HostList, limits};
use std::str::FromStr;

/// Simulated hosts in one virtual time.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Many hosts")]
pub(crate) struct SimulatedArgs {
    /// Hosts to simulate: a count, or a host list such as db[1-8],web3
    ///
    /// Each host has its own volume and instance. With --shared all hosts use one volume. Sizes,
    /// threads, queue depths and rates apply to each member.
    #[arg(long, value_name = "N|HOSTS")]
    pub(crate) hosts: Option<SimulatedHosts>,
    /// Members per host; they share the volume of the host
    #[arg(long, value_name = "N", requires = "hosts",
        value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) per_host: Option<u32>,
    /// Share one volume between all members: separate parts (disjoint or interleaved), or the whole
    /// volume for each
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true,
        default_missing_value = "disjoint", requires = "hosts")]
    pub(crate) shared: Option<SharedArg>,
    /// In read-only phases, read the part of member N positions further
    #[arg(long, value_name = "N", requires = "hosts",
        value_parser = clap::value_parser!(u32).range(1..=65535))]
    pub(crate) shift_reads: Option<u32>,
}

/// Names of hosts that are simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SimulatedHosts(pub(crate) Vec<String>);

impl FromStr for SimulatedHosts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let most = limits::MEMBERS;
        match text.parse::<usize>() {
            Ok(count) if (1..=most).contains(&count) => Ok(Self(
                (1..=count).map(|number| format!("h{number}")).collect(),
            )),
            Ok(_) => Err(format!("between 1 and {most} hosts can be simulated")),
            Err(_) => match text.parse::<HostList>() {
                Ok(hosts) => Ok(Self(hosts.0)),
                Err(error) => Err(error.to_string()),
            },
        }
    }
}
