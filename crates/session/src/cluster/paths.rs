//! Where each member goes: names with its own in them, and windows of what all share.

use fathom_cluster::message::MemberPlace;
use fathom_core::Bytes;
use fathom_core::spec::Workload;
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
    /// All have one target, and the whole window.
    Common,
}

/// Whether a name says itself where members differ.
fn is_told(text: &str) -> bool {
    ["{host}", "{rank}", "{index}"]
        .iter()
        .any(|name| text.contains(name))
}

/// A name with the member's own in the place of `{host}`, `{rank}` and `{index}`.
pub(super) fn named(text: &str, place: &MemberPlace) -> String {
    text.replace("{host}", &place.host)
        .replace("{rank}", &place.rank.to_string())
        .replace("{index}", &place.index.to_string())
}

/// Where a member goes when the user said `path`. Of a directory it is a file in it, of a file that
/// members do not share one beside it; a device is itself.
pub(super) fn of_member(
    path: &str,
    role: Option<&str>,
    place: &MemberPlace,
    sharing: Sharing,
) -> PathBuf {
    let own = PathBuf::from(named(path, place));
    if sharing != Sharing::Spread || own == Path::new("null") {
        return own;
    }
    if own.is_dir() {
        let role = role.map(|role| format!("-{role}")).unwrap_or_default();
        return own.join(format!("fathom{role}.{}", place.rank));
    }
    let is_device = std::fs::metadata(&own).is_ok_and(|found| {
        use std::os::unix::fs::FileTypeExt as _;
        found.file_type().is_block_device() || found.file_type().is_char_device()
    });
    if is_told(path) || is_device {
        return own;
    }
    let mut name = own.into_os_string();
    name.push(format!(".{}", place.rank));
    PathBuf::from(name)
}

/// Gives the member its part of the window of every job; `None` if a job says no window.
pub(super) fn share_out(workload: &mut Workload, place: &MemberPlace) -> Option<()> {
    let (rank, members) = (u64::from(place.rank), u64::from(place.members.max(1)));
    for job in workload.phases.iter_mut().flat_map(|phase| &mut phase.jobs) {
        let window = job.window.or(job.size)?;
        let unit = job.smallest_align().0.max(1);
        let part = window.0 / members / unit * unit;
        job.size = job.size.or(Some(Bytes(job.offset.0 + window.0)));
        job.offset = Bytes(job.offset.0 + rank * part);
        job.window = Some(Bytes(part));
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
