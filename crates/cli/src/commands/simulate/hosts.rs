//! Many hosts in one virtual time: who takes part, on which volumes.

use super::super::volume_model::{self, Model};
use crate::args::{Fidelity, SharedArg, SimulateArgs};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_cluster::coordinator::seed_of;
use fathom_cluster::limits;
use fathom_core::spec::Workload;
use fathom_session::cluster::{Sharing, SimulatedMembers};
use fathom_volume::model::VolumeModel;
use fathom_volume::models::{Counted, Counts};
use std::sync::Arc;

/// Members to simulate, and where the answers of their volumes are counted.
pub(super) struct Party {
    pub(super) members: SimulatedMembers,
    pub(super) counts: Arc<Counts>,
    /// Why they are followed one request at a time.
    pub(super) why: String,
    /// How many times the size of one member a volume has to hold.
    pub(super) times: u64,
}

/// Those whom the options name, if they do; `first` is the model of the first host.
pub(super) fn gather(
    args: &SimulateArgs,
    workload: &Workload,
    first: &Model,
) -> Result<Option<Party>, Error> {
    let Some(hosts) = &args.many.hosts else {
        return Ok(None);
    };
    refuse(args)?;
    let per_host = args.many.per_host.unwrap_or(1);
    let members = hosts.0.iter();
    let members = members.flat_map(|host| vec![host.clone(); per_host as usize]);
    let members: Vec<String> = members.take(limits::MEMBERS + 1).collect();
    if members.len() > limits::MEMBERS {
        let thing = format!("{} hosts of {per_host} members are too many", hosts.0.len());
        return Err(Problem::new(Exit::Usage, thing)
            .because(format!("a measurement has {} at most", limits::MEMBERS))
            .remedy("fewer of either")
            .into());
    }
    let sharing = match args.many.shared {
        None => Sharing::Spread,
        Some(SharedArg::Disjoint) => Sharing::Disjoint,
        Some(SharedArg::Interleaved) => Sharing::Interleaved,
        Some(SharedArg::Common) => Sharing::Common,
    };
    let times = match sharing {
        Sharing::Spread => u64::from(per_host),
        Sharing::Interleaved => members.len() as u64,
        Sharing::Disjoint | Sharing::Common => 1,
    };
    let mut volumes = vec![first.whole.clone()];
    if sharing == Sharing::Spread {
        let seed = args.overrides.get("seed").unwrap_or(1);
        for host in 1..hosts.0.len() as u32 {
            // Volumes of one kind that all draw the same times would move in step.
            volumes.push(volume_model::build(args, workload, seed_of(seed, host))?.whole);
        }
    }
    let followed = Counted::over_all(volumes);
    let counts = followed[0].counts();
    Ok(Some(Party {
        counts,
        why: format!("{} members are followed together", members.len()),
        times,
        members: SimulatedMembers {
            hosts: members,
            sharing,
            shift_reads: args.many.shift_reads.unwrap_or(0),
            volumes: followed.iter().map(VolumeModel::boxed).collect(),
        },
    }))
}

/// Refuses what members are not asked.
fn refuse(args: &SimulateArgs) -> Result<(), Problem> {
    let refused = |thing: &str, cause: &str, remedy: &str| {
        let problem = Problem::new(Exit::Usage, thing).because(cause);
        Err(problem.remedy(remedy))
    };
    if args.fidelity == Fidelity::Fluid {
        return refused(
            "many hosts cannot be followed in closed form",
            "what members do to each other is followed one request at a time",
            "--fidelity discrete, or one host",
        );
    }
    if args.guess {
        return refused(
            "--guess has nothing to change",
            "what the rates tell is asked of one host",
            "without it, or without --hosts",
        );
    }
    if args.many.shared.is_some() && args.instance.instance.is_some() {
        return refused(
            "--instance cannot stand before a volume that many hosts share",
            "each host has an instance of its own, and the model of a volume one for all",
            "without --instance, or without --shared",
        );
    }
    Ok(())
}
