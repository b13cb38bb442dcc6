//! The devices before the run, while nobody of ours does anything: what goes on then is not ours.

use crate::plan::Plan;
use crate::prepare::Prepared;
use fathom_core::Nanos;
use fathom_core::result::TargetDevice;
use fathom_device::{DevNum, DiskActivity, Sampler, Topology};
use fathom_engine::Clock;
use fathom_load::control::{Control, Wish};

/// The longest wait between two looks at whether the user wants to end.
const STEP: Nanos = Nanos::from_millis(100);

/// Watches the devices of all targets as long as the plan says, and notes what each did a second.
pub(crate) fn watch_idle(
    plan: &Plan,
    prepared: &mut Prepared,
    clock: &mut Clock,
    control: &Control,
) {
    let topologies = prepared
        .targets
        .iter()
        .filter_map(|target| target.topology.as_ref());
    let devices: Vec<DevNum> = topologies
        .flat_map(Topology::witnesses)
        .map(|device| device.dev)
        .collect();
    let span = plan.explain.idle(plan.engine.kind);
    if devices.is_empty() || span == Nanos::ZERO {
        return;
    }
    let sampler = Sampler::new(devices);
    let Ok(before) = sampler.sample(clock.now().0) else {
        return;
    };
    let end = clock.now() + span;
    let mut now = clock.now();
    while now < end && control.wish() == Wish::Run {
        now = clock.wait_until(end.min(now + STEP), Nanos::ZERO);
    }
    let after = sampler.sample(clock.now().0);
    let Some(seen) = after.ok().and_then(|after| after.since(&before).ok()) else {
        return;
    };
    let described = prepared.infos.iter_mut().flat_map(|info| &mut info.devices);
    note(&seen, described);
}

fn note<'a>(seen: &[DiskActivity], described: impl Iterator<Item = &'a mut TargetDevice>) {
    for device in described {
        let activity = seen.iter().find(|one| one.name == device.name);
        if let (Some(one), Some(limits)) = (activity, &mut device.limits)
            && one.span_ns > 0
        {
            let ios = one.counters.reads + one.counters.writes;
            limits.idle_iops = Some(ios as f64 / (one.span_ns as f64 / 1e9));
        }
    }
}
