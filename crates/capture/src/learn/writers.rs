//! The role of each request of a trace, flushes included.

use super::roles::Roles;
use crate::request::Request;
use fathom_core::Op;
use std::collections::BTreeMap;

/// Which role wrote last, by group and device: a flush is its.
#[derive(Clone, Debug, Default)]
pub(super) struct Writers(BTreeMap<(usize, u16), usize>);

impl Writers {
    /// The role of the next request; none of a flush of a group that writes nothing.
    pub(super) fn role_of(&mut self, roles: &Roles, request: &Request, op: Op) -> Option<usize> {
        let place = (roles.group_of(request), request.device);
        if op == Op::Flush {
            return self.0.get(&place).copied();
        }
        let role = roles.role_of(request, op)?;
        if op == Op::Write {
            self.0.insert(place, role);
        }
        Some(role)
    }
}
