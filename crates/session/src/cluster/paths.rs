//! Where each member goes: names with its own in them, and windows of what all share.

use fathom_cluster::message::MemberPlace;
use fathom_core::spec::{Fill, Job, Walk, Workload};
use fathom_core::{Bytes, EngineKind};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Whether members have targets of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sharing {
    /// Each has its own file, or the device of its host.
    #[default]
    Spread,
    /// All have one target, and each its own part of the window.
    Disjoint,
    /// All have one target, which is as many times larger, and their parts take turns in it: a
    /// zone, a stride or, without either, a window of each.
    Interleaved,
    /// All have one target, and the whole window.
    Common,
}

/// Whether a name says itself where members differ.
fn is_told(text: &str) -> bool {
    ["{host}", "{rank}", "{index}"]
        .iter()
        .any(|name| text.contains(name))
}

/// Whether no two members have one name: a host may have several, and each counts its own.
fn is_own(text: &str) -> bool {
    text.contains("{rank}")
}

/// A name with the member's own in the place of `{host}`, `{rank}` and `{index}`.
pub(super) fn named(text: &str, place: &MemberPlace) -> String {
    text.replace("{host}", &place.host)
        .replace("{rank}", &place.rank.to_string())
        .replace("{index}", &place.index.to_string())
}

/// Where a member goes when the user said `path`. Of a directory it is a file in it, of a file that
/// members do not share one in the same folder; a device is itself.
pub(super) fn of_member(
    path: &str,
    role: Option<&str>,
    place: &MemberPlace,
    sharing: Sharing,
) -> PathBuf {
    let own = PathBuf::from(named(path, place));
    if sharing != Sharing::Spread || own == Path::new(EngineKind::nowhere().name()) {
        return own;
    }
    if own.is_dir() {
        let role = role.map(|role| format!("-{role}")).unwrap_or_default();
        return own.join(format!("fathom{role}.{}", place.rank));
    }
    let is_device = std::fs::metadata(&own).is_ok_and(|found| {
        use fathom_platform::unix::fs::FileTypeExt as _;
        found.file_type().is_block_device() || found.file_type().is_char_device()
    });
    if is_told(path) || is_device {
        return own;
    }
    let mut name = own.into_os_string();
    name.push(format!(".{}", place.rank));
    PathBuf::from(name)
}

/// Whether members have parts of what a job uses: not of many files, and not of a file that each
/// has by a name of its own.
pub(super) fn is_divided(job: &Job) -> bool {
    let all_own = !job.targets.is_empty() && job.targets.iter().all(|name| is_own(name));
    job.files.is_none() && !all_own
}

/// Gives the member its part of the window of every job, and to one that only reads that of the
/// member `shift` places further; `None` if a job says no window.
pub(super) fn share_out(workload: &mut Workload, place: &MemberPlace, shift: u32) -> Option<()> {
    let members = u64::from(place.members.max(1));
    let jobs = workload.phases.iter_mut().flat_map(|phase| &mut phase.jobs);
    for job in jobs.filter(|job| is_divided(job)) {
        let window = job.window.or(job.size)?;
        let turn = turn_of(job, place, shift);
        let unit = job.smallest_align().0.max(1);
        let part = window.0 / members / unit * unit;
        job.size = job.size.or(Some(Bytes(job.offset.0 + window.0)));
        job.offset = Bytes(job.offset.0 + turn * part);
        job.window = Some(Bytes(part));
    }
    Some(())
}

/// Puts the parts of all members into one target in turns, with sizes that are those of each
/// member. A job that only reads takes the part of the member `shift` places further.
pub(super) fn interleave(workload: &mut Workload, place: &MemberPlace, shift: u32) -> Option<()> {
    let members = u64::from(place.members.max(1));
    let jobs = workload.phases.iter_mut().flat_map(|phase| &mut phase.jobs);
    for job in jobs.filter(|job| is_divided(job)) {
        let turn = turn_of(job, place, shift);
        let window = job.window.or(job.size)?.0;
        let period = match (job.access.walk, job.access.stride) {
            (Walk::Zones { length, skip, .. }, _) => length.0.checked_add(skip.0)?,
            (_, Some(stride)) => stride.0,
            _ => window,
        };
        let of_all = period.checked_mul(members)?;
        match (&mut job.access.walk, &mut job.access.stride) {
            (Walk::Zones { length, skip, .. }, _) => *skip = Bytes(of_all - length.0),
            (_, Some(stride)) => *stride = Bytes(of_all),
            _ => {}
        }
        let (turns, rest) = match window.checked_rem(period.max(1))? {
            0 => (
                window / period.max(1) - u64::from(window > 0),
                period.min(window),
            ),
            rest => (window / period.max(1), rest),
        };
        job.offset = Bytes(job.offset.0.checked_add(turn.checked_mul(period)?)?);
        job.window = Some(Bytes(turns.checked_mul(of_all)?.checked_add(rest)?));
        job.size = match job.size {
            Some(size) => Some(Bytes(size.0.checked_mul(members)?)),
            None => None,
        };
    }
    Some(())
}

/// Numbers the tasks of IOR whose data a workload has through all members, each of which has as
/// many as jobs. A job that only reads has the data of the member `shift` places further.
pub(super) fn number_tasks(workload: &mut Workload, place: &MemberPlace, shift: u32) {
    for phase in &mut workload.phases {
        let tasks = phase.jobs.len() as u64;
        for job in &mut phase.jobs {
            let turn = turn_of(job, place, shift);
            if let Fill::Ior(data) = &mut job.data.fill {
                let task = u64::from(data.task) + turn * tasks;
                data.task = u32::try_from(task).unwrap_or(u32::MAX);
            }
        }
    }
}

/// The member whose part is read, if it is another one.
pub(super) fn shifted_to(place: &MemberPlace, shift: u32) -> Option<u32> {
    let rank = (u64::from(place.rank) + u64::from(shift)) % u64::from(place.members.max(1));
    Some(rank as u32).filter(|rank| *rank != place.rank)
}

/// The member whose file a job takes, where each has its own: if it only reads, that of the member
/// `shift` ranks further, of which only the rank is known.
pub(super) fn whose(job: &Job, place: &MemberPlace, shift: u32) -> MemberPlace {
    MemberPlace {
        rank: turn_of(job, place, shift) as u32,
        ..place.clone()
    }
}

/// Whose part a job takes.
fn turn_of(job: &Job, place: &MemberPlace, shift: u32) -> u64 {
    let shift = if job.destroys() { 0 } else { u64::from(shift) };
    (u64::from(place.rank) + shift) % u64::from(place.members.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::Op;
    use fathom_core::spec::{IoKind, Phase};

    fn place(rank: u32) -> MemberPlace {
        MemberPlace {
            rank,
            index: 1,
            members: 4,
            host: "db2".to_owned(),
        }
    }

    #[test]
    fn each_member_has_a_file_of_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().to_str().expect("plain");
        let of = |text: &str, role, sharing| of_member(text, role, &place(3), sharing);
        let spread = Sharing::Spread;
        assert_eq!(of(path, None, spread), folder.path().join("fathom.3"));
        assert_eq!(
            of(path, Some("wal"), spread),
            folder.path().join("fathom-wal.3")
        );
        assert_eq!(of("/data/f", None, spread), Path::new("/data/f.3"));
        assert_eq!(
            of("/data/{host}-{index}", None, spread),
            Path::new("/data/db2-1")
        );
        assert_eq!(of("/data/f", None, Sharing::Common), Path::new("/data/f"));
        assert_eq!(of("/dev/null", None, spread), Path::new("/dev/null"));
    }

    /// A job with zones, one with a stride, and one with neither, each of 12 bytes a member.
    fn three() -> Workload {
        let job = |name: &str, op| Job {
            name: name.to_owned(),
            size: Some(Bytes(12)),
            offset: Bytes(0),
            kinds: vec![IoKind::plain(op, Bytes(2))],
            ..Job::plain()
        };
        let mut zones = job("zones", Op::Write);
        zones.offset = Bytes(2);
        zones.window = Some(Bytes(10));
        zones.access.walk = Walk::Zones {
            done: Bytes(2),
            length: Bytes(2),
            skip: Bytes(2),
        };
        let mut stride = job("stride", Op::Read);
        stride.access.stride = Some(Bytes(4));
        let jobs = vec![zones, stride, job("plain", Op::Read)];
        Workload {
            phases: vec![Phase {
                jobs,
                ..Phase::plain()
            }],
            ..Workload::plain()
        }
    }

    /// Offset, window, size and the distance of two zones or steps.
    fn shape(job: &Job) -> (u64, Option<u64>, Option<u64>, u64) {
        let step = match (job.access.walk, job.access.stride) {
            (Walk::Zones { length, skip, .. }, _) => length.0 + skip.0,
            (_, stride) => stride.unwrap_or_default().0,
        };
        let bytes = |one: Option<Bytes>| one.map(|one| one.0);
        (job.offset.0, bytes(job.window), bytes(job.size), step)
    }

    #[test]
    fn tasks_of_ior_are_numbered_through_all_members() {
        let mut workload = three();
        for job in &mut workload.phases[0].jobs {
            job.data.fill = Fill::Ior("timestamp/1/7".parse().expect("data"));
        }
        number_tasks(&mut workload, &place(2), 3);
        let jobs = workload.phases[0].jobs.iter();
        let tasks = jobs.map(|job| match job.data.fill {
            Fill::Ior(data) => data.task,
            _ => u32::MAX,
        });
        // The first writes what is its own, the others read that of rank 1.
        assert_eq!(tasks.collect::<Vec<_>>(), [7, 4, 4]);
        let to = [0, 2, 4].map(|shift| shifted_to(&place(2), shift));
        assert_eq!(to, [None, Some(0), None]);
    }

    #[test]
    fn parts_take_turns() {
        let of = |rank, shift| {
            let mut workload = three();
            interleave(&mut workload, &place(rank), shift).expect("windows");
            let jobs = workload.phases[0].jobs.iter();
            jobs.map(shape).collect::<Vec<_>>()
        };
        let all = Some(48);
        let first = [
            (2, Some(34), all, 16),
            (0, Some(36), all, 16),
            (0, Some(12), all, 0),
        ];
        assert_eq!(of(0, 0), first);
        let third = [
            (10, Some(34), all, 16),
            (8, Some(36), all, 16),
            (24, Some(12), all, 0),
        ];
        assert_eq!(of(2, 0), third);
        let shifted = [
            (10, Some(34), all, 16),
            (0, Some(36), all, 16),
            (0, Some(12), all, 0),
        ];
        assert_eq!(of(2, 2), shifted);
    }
}
