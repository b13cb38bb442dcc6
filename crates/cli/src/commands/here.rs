//! The instance that this is, as far as the system shows it.

use super::catalog::Known;
use crate::error::{Problem, system_words};
use crate::exit::Exit;
use fathom_device::recognise::{CloudInstance, Platform, metadata, place};
use fathom_device::{HostInfo, Sysfs};
use fathom_volume::Cloud;
use fathom_volume::catalog::InstanceType;

/// The word for the instance of this machine.
pub(crate) const WORD: &str = "here";
/// Instances that are offered where only processors and memory are known.
const CANDIDATES: usize = 6;
/// Firmware keeps some memory for itself: a machine has at least this share of what its type says.
const MEMORY_LEFT: f64 = 0.9;

/// The type of the instance that this is.
pub(crate) fn instance(known: &Known, may_ask: bool) -> Result<String, Problem> {
    let seen = place(&Sysfs::default());
    let told = match &seen.instance {
        Some(_) => seen,
        None if may_ask => ask(seen.platform)?,
        None => return Err(not_seen(known, &seen, &HostInfo::live())),
    };
    told.instance
        .clone()
        .ok_or_else(|| not_seen(known, &told, &HostInfo::live()))
}

fn ask(platform: Platform) -> Result<CloudInstance, Problem> {
    metadata::ask(platform).map_err(|error| {
        Problem::new(Exit::Environment, "the metadata service does not respond")
            .because(system_words(&error))
            .remedy("set the instance with --instance")
    })
}

/// Why it is not known, and which it could be.
fn not_seen(known: &Known, seen: &CloudInstance, host: &HostInfo) -> Problem {
    let problem = Problem::new(Exit::Environment, "the instance of this machine is unknown");
    let because = match seen.platform {
        Platform::Other => "the firmware names no known cloud".to_owned(),
        platform => format!(
            "it runs on {}, where the firmware does not name the instance",
            platform.name()
        ),
    };
    let cloud = match seen.platform {
        Platform::Ec2 | Platform::Ec2Xen => Some(Cloud::Aws),
        Platform::Azure => Some(Cloud::Azure),
        Platform::Google | Platform::HyperV | Platform::Other => None,
    };
    let ask = if seen.platform.has_metadata() {
        "use --metadata, or its name"
    } else {
        "its name"
    };
    let names = cloud.map_or_else(Vec::new, |cloud| candidates(known, cloud, host));
    let remedy = match names.as_slice() {
        [] => ask.to_owned(),
        names => {
            let shown = names.get(..CANDIDATES).unwrap_or(names);
            let more = match names.len() - shown.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!(
                "{ask}. By its CPUs, and its memory if known, it could be {}{more}",
                shown.join(", ")
            )
        }
    };
    problem.because(because).remedy(remedy)
}

/// Types with the processors of a machine, and with its memory where the catalogue knows that.
fn candidates<'a>(known: &'a Known, cloud: Cloud, host: &HostInfo) -> Vec<&'a str> {
    let fits = |one: &&InstanceType| {
        let memory = one.memory_mib.zip(host.memory_bytes);
        let has = |(mib, bytes): (u64, u64)| {
            let share = bytes as f64 / (mib as f64 * 1_048_576.0);
            (MEMORY_LEFT..=1.0).contains(&share)
        };
        one.cloud == cloud
            && one.active_vcpus.or(one.vcpus) == Some(host.cpu_count)
            && memory.is_none_or(has)
    };
    let mut names: Vec<&str> = Vec::new();
    for one in known.catalog.instances().iter().filter(fits) {
        if !names.contains(&one.name.as_str()) {
            names.push(&one.name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_volume::Catalog;

    fn said(platform: Platform, cpu_count: u32, gib: u64) -> Problem {
        let known = Known {
            catalog: Catalog::embedded(),
            at: "2026-11-01".parse().unwrap(),
            is_today: false,
        };
        let seen = CloudInstance {
            platform,
            ..CloudInstance::default()
        };
        let host = HostInfo {
            cpu_count,
            // What firmware leaves of it.
            memory_bytes: Some((gib << 30) - (gib << 24)),
            ..HostInfo::default()
        };
        not_seen(&known, &seen, &host)
    }

    #[test]
    fn instances_of_the_same_size_are_offered_and_none_is_taken() {
        let expected = Problem::new(Exit::Environment, "the instance of this machine is unknown");
        let elsewhere = expected
            .clone()
            .because("the firmware names no known cloud");
        assert_eq!(said(Platform::Other, 2, 4), elsewhere.remedy("its name"));
        let azure = expected
            .clone()
            .because("it runs on Azure, where the firmware does not name the instance");
        let remedy = "use --metadata, or its name. By its CPUs, and its memory if known, it could \
                      be Standard_B2as_v2, Standard_B2s_v2, Standard_B2ms, Standard_D2ads_v5, \
                      Standard_D2ads_v6, Standard_D2ads_v7 and 22 more";
        assert_eq!(said(Platform::Azure, 2, 8), azure.remedy(remedy));
        let google = expected.because(
            "it runs on Google Compute Engine, where the firmware does not name \
                              the instance",
        );
        assert_eq!(
            said(Platform::Google, 2, 8),
            google.remedy("use --metadata, or its name")
        );
    }
}
