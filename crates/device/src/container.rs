//! The container and the pod that a process runs in, by the path of its control group and by the
//! folders that the kubelet keeps. No network is asked.

use crate::sysfs::names_in;
use serde::Serialize;
use std::path::Path;

/// Where the kubelet keeps the logs of each pod, in folders `NAMESPACE_NAME_UID`.
const POD_LOGS: &str = "/var/log/pods";
/// Digits of the identifier of a container.
const ID_DIGITS: usize = 64;

/// What a process runs in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Container {
    /// Identifier of the container, 64 hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Identifier of the pod.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pod_uid: Option<String>,
    /// Namespace and name of the pod, where the kubelet of this machine has a folder of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pod: Option<String>,
}

impl Container {
    /// That of a process by the paths of its control groups, as
    /// [`cgroups_of_task`](crate::cgroups_of_task) gives them; none outside containers.
    pub fn of(groups: &[String]) -> Option<Self> {
        Self::with_logs(groups, Path::new(POD_LOGS))
    }

    fn with_logs(groups: &[String], logs: &Path) -> Option<Self> {
        let parts = || groups.iter().flat_map(|path| path.split('/').rev());
        let id = parts().find_map(container_id);
        let pod_uid = parts().find_map(pod_uid);
        if id.is_none() && pod_uid.is_none() {
            return None;
        }
        let pod = pod_uid.as_ref().and_then(|uid| {
            let folders = names_in(logs).ok()?;
            folders.iter().find_map(|folder| {
                let pod = folder.strip_suffix(uid.as_str())?.strip_suffix('_')?;
                let (namespace, name) = pod.split_once('_')?;
                Some(format!("{namespace}/{name}"))
            })
        });
        Some(Self { id, pod_uid, pod })
    }
}

/// `docker-ID.scope`, `cri-containerd-ID.scope`, `crio-ID.scope`, `libpod-ID.scope` or `ID` alone.
fn container_id(part: &str) -> Option<String> {
    let part = part.strip_suffix(".scope").unwrap_or(part);
    let id = part.rsplit('-').next().unwrap_or(part);
    let is_id = id.len() == ID_DIGITS && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then(|| id.to_owned())
}

/// `podUID`, or `kubepods-burstable-podUID.slice` with underscores for dashes.
fn pod_uid(part: &str) -> Option<String> {
    let slice = part.strip_suffix(".slice");
    let uid = match slice {
        Some(slice) => slice.strip_prefix("kubepods")?.rsplit_once("-pod")?.1,
        None => part.strip_prefix("pod")?,
    };
    let is_uid = uid.len() >= 32 && uid.bytes().all(is_of_uid);
    is_uid.then(|| uid.replace('_', "-"))
}

fn is_of_uid(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || byte == b'-' || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_and_pods_are_known_by_their_groups() {
        let id = "0123456789abcdef".repeat(4);
        let uid = "1f2e3d4c-0000-4a5b-8c9d-001122334455";
        let logs = tempfile::tempdir().unwrap();
        let folder = logs.path().join(format!("shop_db-0_{uid}"));
        std::fs::create_dir(folder).unwrap();
        let of = |path: String| Container::with_logs(&[path], logs.path());
        let alone = Container {
            id: Some(id.clone()),
            ..Container::default()
        };
        for path in [
            format!("/docker/{id}"),
            format!("/system.slice/docker-{id}.scope"),
            format!("/machine.slice/libpod-{id}.scope/container"),
        ] {
            assert_eq!(of(path.clone()), Some(alone.clone()), "{path}");
        }
        let pod = Container {
            pod_uid: Some(uid.to_owned()),
            pod: Some("shop/db-0".to_owned()),
            ..alone
        };
        let below = uid.replace('-', "_");
        for path in [
            format!("/kubepods/burstable/pod{uid}/{id}"),
            format!(
                "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{below}.slice/\
                 cri-containerd-{id}.scope"
            ),
            format!("/kubepods.slice/kubepods-pod{below}.slice/crio-{id}.scope"),
        ] {
            assert_eq!(of(path.clone()), Some(pod.clone()), "{path}");
        }
        for path in [
            "/",
            "/user.slice/user-1000.slice/session-3.scope",
            "/podium",
        ] {
            assert_eq!(of(path.to_owned()), None, "{path}");
        }
    }
}
