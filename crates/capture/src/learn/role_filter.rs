//! The requests of some roles.

use super::flushes::DeviceFlushes;
use super::roles::Roles;
use super::survey::Survey;
use super::writers::Writers;
use crate::request::Request;
use fathom_core::Op;
use std::collections::{BTreeMap, BTreeSet};

/// Picks the requests of roles out of the trace that they were learned from, in its order.
#[derive(Clone, Debug)]
pub struct RoleFilter {
    roles: Roles,
    wanted: BTreeSet<usize>,
    writers: Writers,
    flushes: DeviceFlushes,
    /// The roles of flushes that nobody's writes precede, by device.
    flushing: BTreeMap<u16, usize>,
}

/// No role has a name that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRole {
    /// The name that was given.
    pub name: String,
    /// Names of all roles.
    pub known: Vec<String>,
}

impl RoleFilter {
    /// For the roles with these names; the survey has seen all of the trace.
    ///
    /// # Errors
    ///
    /// [`UnknownRole`] of the first name that no role has.
    pub fn new(roles: Roles, survey: Survey, names: &[String]) -> Result<Self, UnknownRole> {
        let flushing = survey.flushing();
        let known: Vec<String> = survey
            .finish(&roles)
            .into_iter()
            .map(|role| role.name)
            .collect();
        let mut wanted = BTreeSet::new();
        for name in names {
            let Some(role) = known.iter().position(|other| other == name) else {
                let name = name.clone();
                return Err(UnknownRole { name, known });
            };
            wanted.insert(role);
        }
        Ok(Self {
            roles,
            wanted,
            writers: Writers::default(),
            flushes: DeviceFlushes::default(),
            flushing,
        })
    }

    /// Whether the next request of the trace is of one of the roles.
    pub(crate) fn takes(&mut self, request: &Request) -> bool {
        let Some(op) = request.flags.op() else {
            return false;
        };
        let role = self.writers.role_of(&self.roles, request, op);
        let role = match (op, role) {
            (Op::Flush, None) => {
                let writer = self.flushes.flushed(request, request.at_ns);
                writer.or_else(|| self.flushing.get(&request.device).copied())
            }
            _ => role,
        };
        if let (Op::Write, Some(role)) = (op, role) {
            self.flushes.wrote(request, role, request.at_ns);
        }
        role.is_some_and(|role| self.wanted.contains(&role))
    }
}
