//! Warnings about a measurement of many hosts as a whole, in addition to those of each member.

use fathom_cluster::{MeasurementOutcome, MemberOutcome};
use fathom_core::result::{RunResult, TargetInfo};
use fathom_core::{Caveat, CodeWord, Level};
use fathom_verdict::{Code, togetherness};
use std::collections::BTreeMap;

/// Names that a sentence lists.
const NAMES: usize = 4;

/// What tells the devices below targets apart: where a network file system is mounted from; for
/// block devices the kernel's name and model, which is the same only on one host.
pub(super) fn devices(targets: &[TargetInfo]) -> Vec<String> {
    let remote = targets.iter().filter(|target| target.devices.is_empty());
    let remote = remote.filter(|target| !target.mount_point.is_empty());
    let mut names: Vec<String> = remote
        .map(|target| match target.mount_source.as_str() {
            "" => format!("{} on {}", target.file_system, target.mount_point),
            source => format!("{} from {source}", target.file_system),
        })
        .collect();
    let disks = targets.iter().flat_map(|target| &target.devices);
    names.extend(disks.filter(|disk| disk.leaf).map(|disk| disk.name.clone()));
    names.sort();
    names.dedup();
    names
}

/// All warnings, including those of the members.
pub(super) fn all(outcome: &MeasurementOutcome, result: &RunResult) -> Vec<Caveat> {
    let mut caveats = outcome.caveats();
    if result.cluster.is_some() {
        caveats.extend(one_machine(outcome));
        caveats.extend(one_device(outcome));
        caveats.extend(togetherness(result));
    }
    caveats.extend(of_members(outcome));
    caveats
}

fn list(names: &[String]) -> String {
    let shown = names
        .iter()
        .take(NAMES)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match names.len().saturating_sub(NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Members by what they have in common, where more than one has it.
fn together(
    outcome: &MeasurementOutcome,
    of: impl Fn(&MemberOutcome) -> Vec<String>,
) -> BTreeMap<String, Vec<String>> {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for member in &outcome.members {
        for key in of(member).into_iter().filter(|key| !key.is_empty()) {
            groups.entry(key).or_default().push(member.name.to_string());
        }
    }
    groups.retain(|_, members| members.len() > 1);
    groups
}

/// Hosts of different names that are one machine.
fn one_machine(outcome: &MeasurementOutcome) -> Option<Caveat> {
    let mut machines: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for member in &outcome.members {
        let Some(who) = &member.identity else {
            continue;
        };
        let hosts = machines.entry(&who.boot_id).or_default();
        if !who.boot_id.is_empty() && !hosts.contains(&member.name.host) {
            hosts.push(member.name.host.clone());
        }
    }
    let hosts = machines.into_values().find(|hosts| hosts.len() > 1)?;
    let message = format!(
        "{} are one machine: they run on one kernel and share its CPUs, page cache and devices",
        list(&hosts)
    );
    let caveat = Code::MembersOnOneMachine.caveat(Level::Qualified, message);
    Some(caveat.remedy("name each machine once; use --per-host for several members on one machine"))
}

/// The devices of a member, each with what tells its machine from others.
fn places(member: &MemberOutcome) -> Vec<String> {
    let identity = member.identity.as_ref();
    let boot = identity.map_or("", |who| who.boot_id.as_str());
    let devices = member.result.iter().flat_map(|result| &result.devices);
    devices.map(|device| format!("{boot}\n{device}")).collect()
}

/// Members of one machine on one device.
fn one_device(outcome: &MeasurementOutcome) -> Option<Caveat> {
    let (key, members) = together(outcome, places).into_iter().next()?;
    let device = key.split_once('\n').map_or("", |(_, device)| device);
    let message = format!(
        "{} share {device}. Together they measure one device",
        list(&members)
    );
    Some(Code::MembersOnOneDevice.caveat(Level::Note, message))
}

/// What members doubt themselves, each doubt once, with how many have it.
fn of_members(outcome: &MeasurementOutcome) -> Vec<Caveat> {
    let mut doubts: BTreeMap<(CodeWord, String), (Caveat, Vec<String>)> = BTreeMap::new();
    let all = outcome.finished();
    let shared = together(outcome, places);
    for member in &outcome.members {
        let is_shared = places(member).iter().any(|key| shared.contains_key(key));
        let own = member.result.iter().flat_map(|result| &result.doubts);
        // What a member of the same machine does to the device is no neighbour's.
        let own = own.filter(|doubt| !(is_shared && doubt.code == Code::Neighbour));
        for doubt in own {
            let key = (doubt.code.clone(), doubt.subject.clone());
            let caveat = Caveat::new(doubt.code.clone(), doubt.level, doubt.message.clone());
            let caveat = caveat
                .remedy(doubt.remedy.clone())
                .about(doubt.subject.clone());
            let (worst, members) = doubts
                .entry(key)
                .or_insert_with(|| (caveat.clone(), Vec::new()));
            if caveat.level > worst.level {
                *worst = caveat;
            }
            members.push(member.name.to_string());
        }
    }
    let told = doubts.into_values().map(|(mut caveat, members)| {
        let who = if members.len() == all {
            "all members".to_owned()
        } else {
            list(&members)
        };
        caveat.message = format!("{} ({who})", caveat.message);
        caveat
    });
    told.collect()
}
