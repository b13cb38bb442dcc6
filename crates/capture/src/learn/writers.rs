//! The role of each request of a trace, flushes included.

use super::roles::Roles;
use crate::request::Request;
use fathom_core::Op;
use std::collections::BTreeMap;

/// Which role wrote last, by group and device: a flush is its.
#[derive(Clone, Debug, Default)]
pub(super) struct Writers(BTreeMap<(usize, u16), usize>);

impl Writers {
    /// The role of the next request; none of a flush of a group that writes nothing, or of a kernel
    /// worker, which hands over what others asked for and may write for somebody else.
    pub(super) fn role_of(&mut self, roles: &Roles, request: &Request, op: Op) -> Option<usize> {
        let place = (roles.group_of(request), request.device);
        if op == Op::Flush {
            if roles.is_kernel_worker(place.0) {
                return None;
            }
            return self.0.get(&place).copied();
        }
        let role = roles.role_of(request, op)?;
        if op == Op::Write {
            self.0.insert(place, role);
        }
        Some(role)
    }
}

#[cfg(test)]
mod tests {
    use crate::Request;
    use crate::flags::Flags;
    use crate::learn::{Census, Roles, Survey};
    use crate::request::{Early, Task};
    use fathom_core::Op;

    #[test]
    fn a_kernel_worker_that_writes_little_does_not_own_the_flushes() {
        let tasks = ["server", "kworker/1:1H"].map(|name| Task {
            name: name.to_owned(),
            ..Task::default()
        });
        let request = |task: u32, op: Op, at_ns: u64, block: u64| Request {
            at_ns,
            service_ns: Some(200_000),
            device: 0,
            offset: block * 7919 % 100_000 * 8192,
            bytes: if op == Op::Flush { 0 } else { 8192 },
            flags: Flags::of_op(op),
            task,
            early: Early::default(),
        };
        let requests: Vec<Request> = (0..2000)
            .flat_map(|number| {
                let at_ns = number * 1_000_000;
                let worker = (number % 500 == 0).then(|| request(1, Op::Write, at_ns, number));
                let own = [
                    request(0, Op::Write, at_ns + 1000, number),
                    request(1, Op::Flush, at_ns + 300_000, 0),
                ];
                worker.into_iter().chain(own)
            })
            .collect();
        let mut census = Census::default();
        census.add(&requests, &tasks);
        let roles = Roles::of(census, 2_000_000_000, None);
        let mut survey = Survey::new(&roles);
        survey.add(&roles, &requests);
        let found = survey.finish(&roles);
        let found: Vec<_> = found
            .iter()
            .map(|role| (role.process.as_str(), role.requests, role.writes_per_flush))
            .collect();
        assert_eq!(found, [("server", 2004, Some(1))]);
    }
}
