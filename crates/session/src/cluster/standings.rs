//! How members stand while they measure, for whoever watches them.

use fathom_cluster::Event;
use fathom_cluster::event::Name;
use fathom_cluster::glance::{Glance, Latest};
use fathom_load::observer::{HostNow, Standing};

/// All members.
#[derive(Debug)]
pub(super) struct Standings {
    members: Vec<Member>,
}

#[derive(Clone, Debug)]
struct Member {
    host: String,
    standing: Standing,
    latest: Option<Latest>,
    errors: u64,
}

impl Standings {
    /// Members of hosts with these names, by rank. None has connected yet.
    pub(super) fn new(hosts: &[String]) -> Self {
        let member = |host: &String| Member {
            host: host.clone(),
            standing: Standing::Awaited,
            latest: None,
            errors: 0,
        };
        Self {
            members: hosts.iter().map(member).collect(),
        }
    }

    /// Takes in what happened; whether it is worth a look.
    pub(super) fn take(&mut self, event: &Event) -> bool {
        match event {
            Event::Joined(name) => {
                if let Some(member) = self.of(name) {
                    member.standing = Standing::There;
                    member.host.clone_from(&name.host);
                }
                false
            }
            Event::Finished(name) => {
                self.set(name, Standing::Done);
                false
            }
            Event::HeardAgain(name) => self.set(name, Standing::There),
            Event::Silent(name, _) => self.set(name, Standing::Silent),
            Event::Missing(name, _) | Event::Failed(name, _) | Event::Lost(name, ..) => {
                self.set(name, Standing::Gone)
            }
            Event::Interval { glance, .. } => {
                self.report(glance);
                true
            }
            Event::Starting { .. } => {
                for member in &mut self.members {
                    (member.latest, member.errors) = (None, 0);
                }
                true
            }
            Event::Preparing { .. } => {
                // Those who have stayed go on.
                let done = self.members.iter_mut();
                for member in done.filter(|member| member.standing == Standing::Done) {
                    member.standing = Standing::There;
                }
                true
            }
            Event::Refused(..) | Event::Left(..) | Event::Abandoned(_) | Event::Told(..) => false,
        }
    }

    fn of(&mut self, name: &Name) -> Option<&mut Member> {
        self.members.get_mut(name.rank? as usize)
    }

    fn set(&mut self, name: &Name, standing: Standing) -> bool {
        let Some(member) = self.of(name) else {
            return false;
        };
        member.standing = standing;
        if standing == Standing::Gone {
            member.latest = None;
        }
        true
    }

    fn report(&mut self, glance: &Glance) {
        for (member, latest) in self.members.iter_mut().zip(&glance.members) {
            if member.standing != Standing::Gone {
                member.latest = *latest;
            }
            member.errors += latest.map_or(0, |one| one.errors);
        }
    }

    /// Each host, in the order of its first member.
    pub(super) fn hosts(&self) -> Vec<HostNow> {
        let mut hosts: Vec<HostNow> = Vec::new();
        let mut places = std::collections::BTreeMap::new();
        for member in &self.members {
            let place = *places.entry(&member.host).or_insert_with(|| {
                hosts.push(HostNow {
                    name: member.host.clone(),
                    standing: Standing::Done,
                    ..HostNow::default()
                });
                hosts.len() - 1
            });
            let host = &mut hosts[place];
            host.members += 1;
            host.standing = host.standing.max(member.standing);
            host.errors += member.errors;
            if let Some(latest) = &member.latest {
                let seconds = (latest.length_ns as f64 / 1e9).max(1e-9);
                host.iops += latest.ios as f64 / seconds;
                host.bytes_per_second += latest.bytes as f64 / seconds;
            }
        }
        hosts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_cluster::event::Counted;

    fn name(host: &str, rank: u32) -> Name {
        Name {
            host: host.to_owned(),
            rank: Some(rank),
        }
    }

    fn glance(ios: &[u64]) -> Event {
        let latest = |ios: &u64| {
            Some(Latest {
                ios: *ios,
                bytes: ios * 4096,
                errors: 1,
                length_ns: 500_000_000,
            })
        };
        Event::Interval {
            phase: 0,
            interval: 0,
            glance: Box::new(Glance {
                members: ios.iter().map(latest).collect(),
                row: None,
            }),
        }
    }

    #[test]
    fn members_of_a_host_are_added_up_and_the_worst_counts() {
        let hosts = ["a", "a", "b"].map(str::to_owned);
        let mut standings = Standings::new(&hosts);
        for (rank, host) in hosts.iter().enumerate() {
            assert!(!standings.take(&Event::Joined(name(host, rank as u32))));
        }
        assert!(standings.take(&glance(&[100, 50, 200])));
        let lost = Event::Lost(name("a", 1), "cut".to_owned(), None::<Counted>);
        assert!(standings.take(&lost));
        standings.take(&glance(&[100, 50, 200]));
        let host = |name: &str, members, standing, iops: f64, errors| HostNow {
            name: name.to_owned(),
            members,
            standing,
            iops,
            bytes_per_second: iops * 4096.0,
            errors,
        };
        assert_eq!(
            standings.hosts(),
            [
                host("a", 2, Standing::Gone, 200.0, 4),
                host("b", 1, Standing::There, 400.0, 2)
            ]
        );
        standings.take(&Event::Finished(name("b", 2)));
        let all = standings.hosts();
        assert_eq!(all[1].standing, Standing::Done);
    }
}
