//! The coordinator's side: from a plan and a way to reach members to one judged result.

use super::checks;
use super::paths::Sharing;
use super::plan::{NotClustered, Travelling, series};
use super::result;
use crate::judged::Judged;
use crate::plan::Plan;
use fathom_cluster::drive::{Watcher, coordinate};
use fathom_cluster::link::Delivery;
use fathom_cluster::token::{Nonce, Token};
use fathom_cluster::transport::Transport;
use fathom_cluster::{Coordinator, Rules, Setup};
use fathom_core::State;
use fathom_engine::Clock;
use std::cell::RefCell;

/// Who measures together, and how.
#[derive(Clone, Debug)]
pub struct ClusterPlan {
    /// The host of each member as the user named it, by rank; empty where nobody did.
    pub hosts: Vec<String>,
    /// Whether members have targets of their own.
    pub sharing: Sharing,
    /// What members must know.
    pub token: Token,
    /// Random bytes that nobody else knows.
    pub entropy: Nonce,
    /// How much is waited for, and what is put up with.
    pub rules: Rules,
    /// How members are reached, in words.
    pub transport: String,
}

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// Many hosts cannot do this together.
    #[error(transparent)]
    NotClustered(#[from] NotClustered),
    /// The way to the members failed.
    #[error("cannot wait for the members: {0}")]
    Transport(#[from] std::io::Error),
    /// Members were missing, or could not prepare.
    #[error("{0}")]
    Abandoned(String),
}

/// Measures a plan with all members of a cluster, whom `transport` reaches, and judges what came
/// out.
///
/// # Errors
///
/// [`ClusterError`]; nothing has been measured then.
pub fn gather(
    plan: &Plan,
    cluster: &ClusterPlan,
    transport: &mut dyn Transport,
    watcher: &mut dyn Watcher,
) -> Result<Judged, ClusterError> {
    let started_utc_ns = fathom_engine::clock::utc_now_ns();
    let travelling = Travelling::of(plan, cluster.sharing)?;
    let setup = Setup {
        release: env!("CARGO_PKG_VERSION").to_owned(),
        token: cluster.token.clone(),
        entropy: cluster.entropy,
        delivery: Delivery::Stream,
        hosts: cluster.hosts.clone(),
        plan: travelling.to_bytes()?,
        seed: plan.workload.seed,
        series: series(&plan.workload),
        interval: plan.workload.interval,
        rules: cluster.rules,
    };
    let clock = RefCell::new(Clock::monotonic());
    let now = || clock.borrow_mut().now();
    let mut coordinator = Coordinator::new(setup, now());
    coordinate(&mut coordinator, transport, &now, watcher)?;
    let outcome = coordinator.outcome();
    if let Some(why) = outcome.abandoned {
        return Err(ClusterError::Abandoned(why));
    }
    let mut result = result::of(plan, cluster, &outcome, started_utc_ns);
    result.caveats = checks::all(&outcome, &result);
    result.state = State::of(&result.caveats);
    Ok(Judged::new(result))
}
