//! From a trace to a workload like it, its twin.
//!
//! A trace is read twice. [`Census`] finds who requests where, in order or not, and whether
//! requests wait for earlier ones; its [`Roles`] are those that a person gets. [`Survey`] then
//! measures each role: sizes, gaps, popular blocks, flushes. [`workload`] is made of both.
//! [`Axes`] are what original and twin are compared by, and [`fidelity()`] compares them.

mod axes;
mod buckets;
mod cell;
mod census;
mod demerit;
mod dispersion;
mod ends;
mod extents;
mod fidelity;
mod flushes;
mod kinds;
mod naming;
mod pace;
mod pauses;
mod popularity;
mod rate_bursts;
mod rate_curve;
mod reuse;
mod role;
mod role_filter;
mod roles;
mod services;
mod survey;
mod twin;
mod writers;

pub use axes::{Axes, Windows};
pub use census::Census;
pub use demerit::demerit;
pub use fidelity::{Axis, Fidelity, Measure, Obstacle, fidelity};
pub use naming::RoleKind;
pub use pace::LoadKind;
pub use role::{Loop, Role};
pub use role_filter::{RoleFilter, UnknownRole};
pub use roles::Roles;
pub use services::Services;
pub use survey::Survey;
pub use twin::workload;
