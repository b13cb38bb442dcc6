//! The volumes of many hosts behind one model: one for each host, or one that all of them share.

use super::system::lowest;
use crate::model::{
    Admission, Demand, IoShape, Level, Served, ServedStep, VolumeModel, VolumeState,
};
use fathom_core::Nanos;

/// Who uses a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seat {
    volume: usize,
    /// Its number among those who use parts of the volume of their own, and how many those are.
    turn: (u64, u64),
}

/// Volumes of the same kind, and the members that use them, whose targets follow one another.
#[derive(Clone, Debug)]
pub struct Hosts {
    volumes: Vec<Box<dyn VolumeModel>>,
    seats: Vec<Seat>,
    /// Targets of each member.
    targets: u64,
    title: String,
}

impl Hosts {
    /// One volume for all of `members`, who all mean the same by a target.
    pub fn sharing(volume: Box<dyn VolumeModel>, members: usize, targets: usize) -> Self {
        let seat = Seat {
            volume: 0,
            turn: (0, 1),
        };
        Self {
            title: format!("{}, shared by {members} members", volume.title()),
            volumes: vec![volume],
            seats: vec![seat; members],
            targets: targets.max(1) as u64,
        }
    }

    /// One volume for each host; of the members by rank `hosts` says which is theirs, and members
    /// of one host have targets of their own on it.
    pub fn each(volumes: Vec<Box<dyn VolumeModel>>, hosts: &[usize], targets: usize) -> Self {
        let of = |volume: usize| hosts.iter().filter(move |host| **host == volume);
        let seat = |(rank, volume): (usize, &usize)| {
            let before = hosts[..rank].iter().filter(|host| *host == volume).count();
            Seat {
                volume: *volume,
                turn: (before as u64, of(*volume).count() as u64),
            }
        };
        let one = volumes.first().map_or("", |volume| volume.title());
        Self {
            title: format!("{one} of each of {} hosts", volumes.len()),
            seats: hosts.iter().enumerate().map(seat).collect(),
            targets: targets.max(1) as u64,
            volumes,
        }
    }

    /// Places of a volume: twice its bytes, since a target that begins within it may go round its
    /// end.
    fn stride(&self) -> u64 {
        let size = self.volumes.first().map_or(1, |one| one.size_bytes());
        size.max(1).saturating_mul(2)
    }
}

impl VolumeModel for Hosts {
    fn admit(&mut self, io: IoShape, at: Nanos) -> Admission {
        let stride = self.stride();
        let last = self.volumes.len() - 1;
        let volume = ((io.offset / stride) as usize).min(last);
        let own = IoShape {
            offset: io.offset % stride % (stride / 2),
            ..io
        };
        self.volumes[volume].admit(own, at)
    }

    /// By each volume its even share.
    fn serve(&mut self, demand: &Demand, at: Nanos, span: Nanos) -> Served {
        let count = self.volumes.len() as f64;
        let share = Demand {
            closed: demand.closed.clone(),
            outstanding: demand.outstanding / count,
            open: demand.open.clone(),
            open_iops: demand.open_iops / count,
            backlog: demand.backlog / count,
        };
        let served = self.volumes.iter_mut();
        let served = served.map(|volume| volume.serve(&share, at, span));
        // They are of one kind, and in closed form there is no chance: the first says it for all.
        let one = served.reduce(|first, _| first).unwrap_or_default();
        let step = |step: &ServedStep| ServedStep {
            closed_iops: step.closed_iops * count,
            open_iops: step.open_iops * count,
            ..*step
        };
        Served {
            steps: one.steps.iter().map(step).collect(),
            backlog: one.backlog * count,
        }
    }

    fn open_form(&self) -> Option<&'static str> {
        Some("what members do to each other is followed one request at a time")
    }

    fn state(&self, at: Nanos) -> VolumeState {
        let levels = self.volumes.iter().flat_map(|one| one.state(at).levels);
        let levels: Vec<Level> = levels.collect();
        let of_hosts = |name: &str, count: usize| match count {
            1 => name.to_owned(),
            count => format!("{name}, lowest of {count} hosts"),
        };
        VolumeState {
            levels: lowest(&levels, of_hosts),
        }
    }

    fn limits(&self) -> Vec<String> {
        self.volumes
            .first()
            .map_or_else(Vec::new, |one| one.limits())
    }

    fn size_bytes(&self) -> u64 {
        self.stride().saturating_mul(self.volumes.len() as u64)
    }

    fn place(&self, target: u64, _targets: u64) -> (u64, u64) {
        let (member, own) = (target / self.targets, target % self.targets);
        let Some(seat) = self.seats.get(member as usize) else {
            return (0, 0);
        };
        let (turn, turns) = seat.turn;
        let volume = &self.volumes[seat.volume];
        let (own_begin, size) = volume.place(own, self.targets);
        // Each goes on where the one before it would end, if all of a volume were shared out.
        let shift = size / (self.targets * turns) * turn;
        let begin = (own_begin + shift) % volume.size_bytes().max(1);
        (self.stride() * seat.volume as u64 + begin, size)
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn boxed(&self) -> Box<dyn VolumeModel> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{Device, Node, ServiceLaw, System};
    use fathom_core::Op;

    const KIB: u64 = 1 << 10;

    /// A volume of 64 KiB that serves one request at a time, each in 1 ms.
    fn volume() -> Box<dyn VolumeModel> {
        let device = Device::new(64 * KIB, ServiceLaw::Constant(1e6), 1).servers(1);
        let root = Node::Device(Box::new(device));
        System::new("one".to_owned(), root, Vec::new(), Vec::new()).boxed()
    }

    fn done_at(hosts: &mut Hosts, target: u64) -> u64 {
        let (base, _) = hosts.place(target, 0);
        let io = IoShape {
            op: Op::Read,
            offset: base,
            bytes: 512,
        };
        hosts.admit(io, Nanos::ZERO).done.0 / 1_000_000
    }

    #[test]
    fn a_volume_of_each_host_waits_for_its_own_members_only() {
        let mut hosts = Hosts::each(vec![volume(), volume()], &[0, 0, 1], 1);
        assert_eq!(hosts.title(), "one of each of 2 hosts");
        let done: Vec<u64> = (0..3).map(|member| done_at(&mut hosts, member)).collect();
        assert_eq!(done, [1, 2, 1]);
        let places: Vec<(u64, u64)> = (0..3).map(|target| hosts.place(target, 3)).collect();
        let size = 64 * KIB;
        assert_eq!(places, [(0, size), (32 * KIB, size), (128 * KIB, size)]);
    }

    #[test]
    fn a_shared_volume_waits_for_all() {
        let mut hosts = Hosts::sharing(volume(), 3, 2);
        assert_eq!(hosts.title(), "one, shared by 3 members");
        let done: Vec<u64> = (0..3)
            .map(|member| done_at(&mut hosts, 2 * member))
            .collect();
        assert_eq!(done, [1, 2, 3]);
        // The second target of each is the same.
        let places: Vec<(u64, u64)> = [1, 3, 5].map(|target| hosts.place(target, 6)).to_vec();
        assert_eq!(places, [(32 * KIB, 64 * KIB); 3]);
    }
}
