//! One measurement from many hosts: a plan that travels, a member that carries its part out, and
//! the result of all.

mod added;
mod brief;
mod checks;
mod conversation;
mod course;
mod estate;
mod gathered;
mod legs;
mod members;
mod observer;
mod party;
mod paths;
mod phases;
mod plan;
mod result;
mod series;
mod simulated;
mod standings;
mod telling;
mod worker;

pub use crate::cluster_error::{ClusterError, NotClustered};
pub use gathered::{Cluster, ClusterPlan};
pub use paths::Sharing;
pub use simulated::SimulatedMembers;
pub use worker::{MemberOptions, admit, be_member};
