//! The coordinator's side: from a plan and a way to reach members to one judged result.

use super::checks;
use super::conversation::Conversation;
use super::members;
use super::paths::Sharing;
use super::plan::{Travelling, refuse_too_much, series, slots};
use super::result;
use super::standings::Standings;
use super::telling::Telling;
use crate::cluster_error::{ClusterError, NotClustered};
use crate::plan::Plan;
use crate::{Control, Observer, Wish};
use fathom_cluster::coordinator::MemberFate;
use fathom_cluster::link::Delivery;
use fathom_cluster::token::{Nonce, Token};
use fathom_cluster::transport::Transport;
use fathom_cluster::{Event, MemberOutcome, Rules, Setup};
use fathom_core::result::{MemberState, RunResult};
use fathom_core::{Bytes, State};
use std::cell::RefCell;
use std::io;
use std::rc::Rc;

/// Who measures together, and how.
#[derive(Clone, Debug)]
pub struct ClusterPlan {
    /// The host of each member as the user named it, by rank; empty where nobody did.
    pub hosts: Vec<String>,
    /// Whether members have targets of their own.
    pub sharing: Sharing,
    /// Phases that only read take the part of the member this number of ranks further.
    pub shift_reads: u32,
    /// Memory of all servers behind the targets, if the user knows it.
    pub server_memory: Option<Bytes>,
    /// What members must know.
    pub token: Token,
    /// Random bytes that nobody else knows.
    pub entropy: Nonce,
    /// How long to wait, and which failures are accepted.
    pub rules: Rules,
    /// How members are reached, in words.
    pub transport: String,
}

/// Members that measure one plan after another, until the last handle on them is dropped: then
/// they remove what they made, and go.
#[derive(Clone, Debug)]
pub struct Cluster {
    plan: Rc<ClusterPlan>,
    conversation: Rc<RefCell<Conversation>>,
    standings: Rc<RefCell<Standings>>,
}

impl Cluster {
    /// The members of `plan`, whom `transport` reaches. They are called when the first measurement
    /// begins.
    ///
    /// # Errors
    ///
    /// If the system gives no thread to speak with them.
    pub fn new(plan: ClusterPlan, transport: Box<dyn Transport>) -> io::Result<Self> {
        Ok(Self {
            standings: Rc::new(RefCell::new(Standings::new(&plan.hosts))),
            plan: Rc::new(plan),
            conversation: Rc::new(RefCell::new(Conversation::begin(transport)?)),
        })
    }

    /// How many members are expected.
    pub(super) fn members(&self) -> usize {
        self.plan.hosts.len()
    }

    /// Measures a plan with all members. The result is judged as far as that can be done.
    pub(crate) fn measure(
        &self,
        plan: &Plan,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<RunResult, ClusterError> {
        self.measure_after(0, plan, control, observer)
    }

    /// The same where as many phases were measured `before`: its own reports are numbered after
    /// them.
    pub(super) fn measure_after(
        &self,
        before: u32,
        plan: &Plan,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<RunResult, ClusterError> {
        let started_utc_ns = fathom_engine::clock::utc_now_ns();
        let setup = self.setup(plan)?;
        let interruptions = || match control.wish() {
            Wish::Run => 0,
            Wish::Finish => 1,
            Wish::Abort => 2,
        };
        let mut standings = self.standings.borrow_mut();
        let mut telling = Telling::new(plan, before, &mut standings, observer);
        let mut told = |event: Option<&Event>| telling.hear(event);
        let conversation = self.conversation.borrow();
        let outcome = conversation.measure(setup, &interruptions, &mut told)?;
        if let Some(why) = outcome.abandoned {
            // Those that were sent away for it had done all that they were asked for.
            let fate = |member: &MemberOutcome| match &member.fate {
                MemberFate::Lost(one) if *one == why => (MemberState::Finished, String::new()),
                _ => members::fate(member),
            };
            let fates = outcome.members.iter().map(fate).collect();
            return Err(ClusterError::Abandoned { why, fates });
        }
        let (transport, memory) = (&self.plan.transport, self.plan.server_memory);
        let mut result = result::of(plan, transport, memory, &outcome, started_utc_ns);
        result.caveats = checks::all(&outcome, &result);
        result.state = State::of(&result.caveats);
        Ok(result)
    }

    fn setup(&self, plan: &Plan) -> Result<Setup, NotClustered> {
        refuse_too_much(&plan.workload, self.plan.hosts.len())?;
        let travelling = Travelling::of(plan, self.plan.sharing, self.plan.shift_reads)?;
        Ok(Setup {
            release: env!("CARGO_PKG_VERSION").to_owned(),
            token: self.plan.token.clone(),
            entropy: self.plan.entropy,
            delivery: Delivery::Stream,
            hosts: self.plan.hosts.clone(),
            plan: travelling.to_bytes()?,
            seed: plan.workload.seed(),
            one_seed: travelling.has_one_seed(),
            series: series(&plan.workload),
            slots: slots(&plan.workload),
            rules: self.plan.rules,
            stays: true,
        })
    }
}
