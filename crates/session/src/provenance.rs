//! How a result came about: gathered once, after the run.

use crate::counters::limits::limits_of;
use crate::plan::{EnginePlan, Plan};
use fathom_core::EngineKind;
use fathom_core::result::{
    EngineInfo, Evidence, HostInfo, Missing, NetworkLink, Provenance, TargetInfo, Timings,
};
use fathom_device::{Cgroup, DeviceError, Sysfs};
use fathom_engine::{Clock, Selection};
use fathom_volume::model::VolumeModel;

/// Steps of the clock up to this are of no consequence, and change with each look.
const FINE_STEP_NS: u64 = 100;

/// What the run knows of its own origin.
#[derive(Debug)]
pub(crate) struct Origin<'a> {
    pub plan: &'a Plan,
    /// What served in the storage's stead.
    pub model: Option<&'a dyn VolumeModel>,
    /// The engine, and why.
    pub selection: Selection,
    /// Its features.
    pub flags: Vec<String>,
    /// Begin of the run, nanoseconds since 1970 in UTC.
    pub started_utc_ns: u64,
    /// How long the parts took.
    pub timings: Timings,
    /// Limits of block I/O at its start.
    pub io_limits: Result<Vec<String>, DeviceError>,
}

/// The provenance of a result.
pub(crate) fn of(origin: Origin<'_>, targets: Vec<TargetInfo>, clock: &mut Clock) -> Provenance {
    let workload = origin.plan.workload.clone();
    let missing = match &origin.io_limits {
        Ok(_) => Vec::new(),
        Err(_) => vec![Missing {
            evidence: Evidence::IoLimits,
            reason: "the control group cannot be read".to_owned(),
        }],
    };
    Provenance {
        origin: whence(origin.model, &origin.plan.engine),
        rebuilt: false,
        declared: origin.plan.declared.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command_line: origin.plan.command_line.clone(),
        started_at: fathom_core::units::rfc3339(origin.started_utc_ns),
        seed: workload.seed(),
        workload,
        host: host(),
        engine: EngineInfo {
            name: origin.selection.names(),
            reason: origin.selection.reason,
            flags: origin.flags,
            clock: clock.name().to_owned(),
            clock_cost_ns: clock.median_cost_ns(),
            clock_grain_ns: clock.step_ns().filter(|step| *step > FINE_STEP_NS),
        },
        targets,
        timings: origin.timings,
        io_limits: origin.io_limits.unwrap_or_default(),
        missing,
    }
}

/// The limits that are set for a device below a target, with its name.
pub(crate) fn io_limits(targets: &[TargetInfo]) -> Result<Vec<String>, DeviceError> {
    let is_below = |name: &str| {
        let mut devices = targets.iter().flat_map(|target| &target.devices);
        devices.any(|device| device.name == name)
    };
    Ok(limits_of(&Cgroup::own()?, &Sysfs::default(), is_below))
}

/// The model where virtual time has none of a volume: the same for all options of the engine, which
/// may be what two runs compare.
const OF_THE_ENGINE: &str = "engine sim";

/// Where the numbers come from: targets, or a model.
fn whence(model: Option<&dyn VolumeModel>, engine: &EnginePlan) -> fathom_core::result::Origin {
    let model = match model {
        Some(model) => model.title().to_owned(),
        // Its servers are options of the engine, and no other model.
        None if engine.kind.is_some_and(EngineKind::is_virtual) => OF_THE_ENGINE.to_owned(),
        None => return fathom_core::result::Origin::Measured,
    };
    fathom_core::result::Origin::Simulated { model }
}

fn links() -> Vec<NetworkLink> {
    let links = fathom_device::NetworkLink::live().into_iter();
    let told = links.map(|link| NetworkLink {
        name: link.name,
        bits_per_second: link.bits_per_second,
    });
    told.collect()
}

fn host() -> HostInfo {
    let host = fathom_device::HostInfo::live();
    let machine = [host.vendor, host.product]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ");
    HostInfo {
        hostname: host.hostname.unwrap_or_default(),
        kernel: host.kernel_release.unwrap_or_default(),
        cpu_model: host.cpu_model.unwrap_or_default(),
        cpus: host.cpu_count,
        physical_cores: Some(host.physical_cores).filter(|cores| *cores > 0),
        memory_bytes: host.memory_bytes.unwrap_or(0),
        memory_limit_bytes: Cgroup::own()
            .ok()
            .and_then(|group| group.memory_limit())
            .filter(|limit| host.memory_bytes.is_none_or(|all| *limit < all)),
        emulator: fathom_platform::emulator(),
        clock_source: host.clocksource.unwrap_or_default(),
        machine,
        links: links(),
    }
}
