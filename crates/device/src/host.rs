//! Facts about the machine that a result must carry to be believed elsewhere.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::sysfs::{text, value};

/// The machine. `None` means that the kernel does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HostInfo {
    /// Name of the host.
    pub hostname: Option<String>,
    /// Kernel release, as `6.18.44`.
    pub kernel_release: Option<String>,
    /// Instruction set this program was built for, as `x86_64`.
    pub architecture: String,
    /// Model name of the first CPU.
    pub cpu_model: Option<String>,
    /// CPUs online.
    pub cpu_count: u32,
    /// Processor packages; 1 where the kernel does not say.
    pub sockets: u32,
    /// Cores, each once however many threads it has; the CPUs online where the kernel does not
    /// say.
    pub physical_cores: u32,
    /// Main memory that the kernel manages.
    pub memory_bytes: Option<u64>,
    /// `kernel.io_uring_disabled`: 0 allowed, 1 only for a group and root, 2 not at all; none
    /// before kernel 6.6, which cannot forbid it.
    pub io_uring_disabled: Option<u8>,
    /// What the kernel takes the time from.
    pub clocksource: Option<String>,
    /// Who made the machine, by its firmware (DMI).
    pub vendor: Option<String>,
    /// The name in its firmware.
    pub product: Option<String>,
    /// The hypervisor or cloud it runs on; `unknown hypervisor` if the CPU says that there is one
    /// and the firmware does not say which; none on bare metal.
    pub virtualisation: Option<String>,
}

impl HostInfo {
    /// This machine.
    pub fn live() -> Self {
        let mut host = Self::read_below(Path::new("/proc"), Path::new("/sys"));
        if host.cpu_count == 0 {
            // Where they are not listed one by one.
            let count = std::thread::available_parallelism().map_or(0, usize::from);
            host.cpu_count = count as u32;
        }
        host
    }

    /// The machine described by these trees.
    pub fn read_below(proc: &Path, sys: &Path) -> Self {
        let kernel = proc.join("sys/kernel");
        let cpuinfo = text(proc, "cpuinfo").unwrap_or_default();
        let dmi = sys.join("class/dmi/id");
        let vendor = text(&dmi, "sys_vendor");
        let is_guest = colon_value(&cpuinfo, "flags")
            .map(|flags| flags.split_whitespace().any(|flag| flag == "hypervisor"));
        let cpu_count = online_cpus(&text(proc, "stat").unwrap_or_default());
        let (sockets, physical_cores) = physical_cores(&cpuinfo).unwrap_or((1, cpu_count));
        Self {
            hostname: text(&kernel, "hostname"),
            kernel_release: text(&kernel, "osrelease"),
            architecture: std::env::consts::ARCH.to_owned(),
            cpu_model: colon_value(&cpuinfo, "model name").map(str::to_owned),
            cpu_count,
            sockets,
            physical_cores,
            memory_bytes: text(proc, "meminfo").as_deref().and_then(memory_bytes),
            io_uring_disabled: value(&kernel, "io_uring_disabled"),
            clocksource: text(
                sys,
                "devices/system/clocksource/clocksource0/current_clocksource",
            ),
            product: text(&dmi, "product_name"),
            virtualisation: virtualisation(vendor.as_deref(), is_guest),
            vendor,
        }
    }
}

/// Packages and cores of `/proc/cpuinfo`: every pair of `physical id` and `core id` is a core.
fn physical_cores(cpuinfo: &str) -> Option<(u32, u32)> {
    let pairs: BTreeSet<(u32, u32)> = cpuinfo
        .split("\n\n")
        .filter_map(|cpu| {
            let number = |key| colon_value(cpu, key)?.parse().ok();
            Some((number("physical id")?, number("core id")?))
        })
        .collect();
    let sockets: BTreeSet<u32> = pairs.iter().map(|(socket, _)| *socket).collect();
    (!pairs.is_empty()).then_some((sockets.len() as u32, pairs.len() as u32))
}

/// The value of the first line `key : value`.
fn colon_value<'a>(lines: &'a str, key: &str) -> Option<&'a str> {
    lines.lines().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        (found.trim() == key).then(|| value.trim())
    })
}

/// Lines `cpu0`, `cpu1` … of `/proc/stat`: only CPUs online have one.
fn online_cpus(stat: &str) -> u32 {
    let is_cpu = |line: &&str| {
        line.strip_prefix("cpu")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    stat.lines().filter(is_cpu).count() as u32
}

fn memory_bytes(meminfo: &str) -> Option<u64> {
    let kib: u64 = colon_value(meminfo, "MemTotal")?
        .strip_suffix("kB")?
        .trim()
        .parse()
        .ok()?;
    Some(kib * 1024)
}

/// What firmware of virtual machines calls its maker, and what we call it.
const HYPERVISORS: &[(&str, &str)] = &[
    ("Alibaba Cloud", "Alibaba Cloud"),
    ("Amazon EC2", "Amazon EC2"),
    ("DigitalOcean", "DigitalOcean"),
    ("Google", "Google Compute Engine"),
    ("Hetzner", "Hetzner Cloud"),
    ("Microsoft Corporation", "Hyper-V"),
    ("Nutanix", "Nutanix AHV"),
    ("OpenStack Foundation", "OpenStack"),
    ("Parallels", "Parallels"),
    ("QEMU", "QEMU"),
    ("Red Hat", "KVM"),
    ("VMware", "VMware"),
    ("Xen", "Xen"),
    ("innotek GmbH", "VirtualBox"),
    ("oVirt", "oVirt"),
];

/// `is_guest` is the CPU's word, which only x86 gives; it settles the matter, because clouds rent
/// bare metal under the same vendor name.
fn virtualisation(vendor: Option<&str>, is_guest: Option<bool>) -> Option<String> {
    if is_guest == Some(false) {
        return None;
    }
    let vendor = vendor.unwrap_or_default();
    let known = HYPERVISORS
        .iter()
        .find(|(prefix, _)| vendor.starts_with(prefix));
    match known {
        Some((_, name)) => Some((*name).to_owned()),
        None => is_guest.map(|_| "unknown hypervisor".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn reads_a_captured_machine() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let file = dir.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        write("proc/sys/kernel/hostname", "db1\n");
        write("proc/sys/kernel/osrelease", "6.18.44\n");
        write("proc/sys/kernel/io_uring_disabled", "2\n");
        write(
            "proc/cpuinfo",
            "processor\t: 0\nmodel name\t: Example CPU @ 2.50GHz\nflags\t\t: fpu hypervisor sse\n\n\
             processor\t: 1\nmodel name\t: Example CPU @ 2.50GHz\nflags\t\t: fpu hypervisor sse\n",
        );
        write("proc/stat", "cpu  1 2 3\ncpu0 1 1 1\ncpu1 0 1 2\nctxt 5\n");
        write(
            "proc/meminfo",
            "MemTotal:       24684092 kB\nMemFree: 1 kB\n",
        );
        write("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
        write("sys/class/dmi/id/product_name", "m6i.large\n");
        write(
            "sys/devices/system/clocksource/clocksource0/current_clocksource",
            "tsc\n",
        );
        assert_eq!(
            HostInfo::read_below(&dir.path().join("proc"), &dir.path().join("sys")),
            HostInfo {
                hostname: Some("db1".into()),
                kernel_release: Some("6.18.44".into()),
                architecture: std::env::consts::ARCH.into(),
                cpu_model: Some("Example CPU @ 2.50GHz".into()),
                cpu_count: 2,
                sockets: 1,
                physical_cores: 2,
                memory_bytes: Some(24_684_092 * 1024),
                io_uring_disabled: Some(2),
                clocksource: Some("tsc".into()),
                vendor: Some("Amazon EC2".into()),
                product: Some("m6i.large".into()),
                virtualisation: Some("Amazon EC2".into()),
            }
        );
    }

    #[test]
    fn threads_of_a_core_are_one_core() {
        let cpu = |socket: u32, core: u32| {
            format!("processor\t: 9\nphysical id\t: {socket}\ncore id\t\t: {core}\n\n")
        };
        let cpus = [
            (0, 0),
            (0, 1),
            (1, 0),
            (1, 1),
            (0, 0),
            (0, 1),
            (1, 0),
            (1, 1),
        ];
        let cpuinfo: String = cpus.map(|(socket, core)| cpu(socket, core)).concat();
        assert_eq!(physical_cores(&cpuinfo), Some((2, 4)));
        assert_eq!(physical_cores("processor : 0\n"), None);
    }

    #[test]
    fn bare_metal_of_a_cloud_is_bare_metal() {
        let named = |vendor, is_guest| virtualisation(vendor, is_guest);
        assert_eq!(named(Some("Amazon EC2"), Some(false)), None);
        assert_eq!(named(Some("Amazon EC2"), None), Some("Amazon EC2".into()));
        assert_eq!(named(None, Some(true)), Some("unknown hypervisor".into()));
        assert_eq!(named(None, None), None);
        assert_eq!(named(Some("Example Computers"), None), None);
    }

    #[test]
    fn this_machine_has_a_kernel_and_a_cpu() {
        let host = HostInfo::live();
        assert!(host.kernel_release.is_some() && host.cpu_count > 0);
    }
}
