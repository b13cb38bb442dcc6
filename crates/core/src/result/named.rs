//! What a first line names of a result: the disk that was measured, its path, and how far the run
//! came.

use super::{EndReason, Origin, Provenance, RunResult, TargetDevice, TargetInfo};
use crate::figure::{duration, plural, volume};
use std::path::Path;

impl TargetInfo {
    /// The device whose counters say what reached the target, else the lowest.
    pub fn leaf(&self) -> Option<&TargetDevice> {
        let devices = &self.devices;
        devices.iter().find(|device| device.leaf).or(devices.last())
    }

    /// The path, or the folder of a file that Fathom made there for a while.
    pub fn place(&self) -> &Path {
        let path = Path::new(&self.path);
        let folder = path.parent().filter(|_| self.made_by_fathom);
        folder.unwrap_or(path)
    }
}

impl TargetDevice {
    /// Size and model, as in `275 GB virtio`.
    fn make(&self) -> String {
        // A disk of virtio has no model, and only such a disk has this name.
        let model = match (self.model.as_str(), self.name.starts_with("vd")) {
            ("", true) => "virtio",
            (model, _) => model,
        };
        let size = Some(self.size_bytes).filter(|bytes| *bytes > 0);
        let parts = [size.map(volume).unwrap_or_default(), model.to_owned()];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    }
}

impl Provenance {
    /// What was measured, as in `vda, 275 GB virtio, ext4`: the disk and the file system; the model
    /// of a simulation; the path where no disk is known.
    pub fn disk(&self) -> String {
        if let Origin::Simulated { model } = &self.origin {
            return model.clone();
        }
        let Some(first) = self.targets.first() else {
            return String::new();
        };
        let mut names: Vec<&str> = Vec::new();
        for device in self.targets.iter().filter_map(TargetInfo::leaf) {
            if !names.contains(&device.name.as_str()) {
                names.push(&device.name);
            }
        }
        let name = match names.as_slice() {
            [] if first.mount_source.is_empty() => self.place(),
            [] => first.mount_source.clone(),
            [only] => (*only).to_owned(),
            [one, others @ ..] => format!("{one} +{}", others.len()),
        };
        let make = first.leaf().map(TargetDevice::make).unwrap_or_default();
        let parts = [name, make, first.file_system.clone()];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(", ")
    }

    /// Where it was: the path, and how many others there were.
    pub fn place(&self) -> String {
        let mut places: Vec<&Path> = Vec::new();
        for target in &self.targets {
            if !places.contains(&target.place()) {
                places.push(target.place());
            }
        }
        match places.as_slice() {
            [] => String::new(),
            [only] => only.display().to_string(),
            [first, others @ ..] => format!("{} +{}", first.display(), others.len()),
        }
    }
}

impl RunResult {
    /// Phases of the workload that the run did not come to, by name and repeat. A ramp makes its
    /// own phases, and of a run without any phase there is nothing to say.
    pub fn not_run(&self) -> Vec<String> {
        if self.ramp.is_some() || self.phases.is_empty() {
            return Vec::new();
        }
        let workload = &self.provenance.workload;
        let all = (1..=workload.repeat).flat_map(|repeat| {
            let phases = workload.phases.iter();
            phases.map(move |phase| (repeat, phase.name.as_str()))
        });
        let left = all.filter(|(repeat, name)| {
            let mut ran = self.phases.iter();
            !ran.any(|phase| phase.name == *name && phase.repeat == *repeat)
        });
        left.map(|(repeat, name)| match workload.repeat {
            1 => name.to_owned(),
            _ => format!("{name}#{repeat}"),
        })
        .collect()
    }

    /// How far a run came that was stopped or killed: `interrupted after 4 of 7 phases`; none where
    /// it came to its end.
    pub fn interruption(&self) -> Option<String> {
        let provenance = &self.provenance;
        let is_cut = |phase: &&super::PhaseResult| phase.ended_by == EndReason::Interrupted;
        let cut = self.phases.iter().find(is_cut);
        let is_whole = cut.is_none() && !provenance.rebuilt && self.not_run().is_empty();
        if is_whole || provenance.origin.is_imported() {
            return None;
        }
        let done = self.phases.len() - self.phases.iter().filter(is_cut).count();
        let workload = &provenance.workload;
        let all = workload.phases.len() * workload.repeat as usize;
        let after = match (cut, workload.phases.as_slice()) {
            _ if self.ramp.is_some() => plural(done as u64, "step"),
            (Some(cut), [only]) if all == 1 => {
                let asked = only
                    .duration
                    .map(|asked| format!(" of {}", duration(asked.0)));
                duration(cut.measured_ns) + &asked.unwrap_or_default()
            }
            (Some(cut), _) => {
                return Some(format!(
                    "interrupted in phase {} of {all}, {}",
                    done + 1,
                    cut.name
                ));
            }
            (None, _) => format!("{done} of {}", plural(all as u64, "phase")),
        };
        Some(format!("interrupted after {after}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn a_disk_is_named_with_size_model_and_file_system() {
        let device = |name: &str, model: &str| TargetDevice {
            name: name.to_owned(),
            model: model.to_owned(),
            size_bytes: 275_000_000_000,
            leaf: true,
            ..TargetDevice::default()
        };
        let target = |path: &str, devices: Vec<TargetDevice>| TargetInfo {
            path: path.to_owned(),
            made_by_fathom: true,
            devices,
            ..TargetInfo::default()
        };
        let with = |targets: Vec<TargetInfo>| {
            let mut provenance = fixture::random_read().provenance;
            provenance.targets = targets;
            [provenance.disk(), provenance.place()]
        };
        let mut on_ext4 = target("/data/fathom-data.dat", vec![device("vda", "")]);
        on_ext4.file_system = "ext4".to_owned();
        let mut on_nfs = target("/mnt/a.dat", Vec::new());
        on_nfs.mount_source = "filer:/export".to_owned();
        on_nfs.file_system = "nfs4".to_owned();
        let two = ["sda", "sdb"].map(|name| target("/a/x", vec![device(name, "ACME 5")]));
        let cases = [
            (vec![on_ext4], ["vda, 275 GB virtio, ext4", "/data"]),
            (vec![on_nfs], ["filer:/export, nfs4", "/mnt"]),
            (two.to_vec(), ["sda +1, 275 GB ACME 5", "/a"]),
            (vec![target("/tmp/x", Vec::new())], ["/tmp", "/tmp"]),
            (Vec::new(), ["", ""]),
        ];
        for (targets, expected) in cases {
            assert_eq!(with(targets), expected.map(str::to_owned));
        }
    }

    #[test]
    fn an_interrupted_run_says_how_far_it_came() {
        let mut one = fixture::random_read();
        assert_eq!(one.interruption(), None);
        one.phases[0].measured_ns = 12_300_000_000;
        one.phases[0].ended_by = EndReason::Interrupted;
        let words = "interrupted after 12.3 s of 60.0 s";
        assert_eq!(one.interruption().as_deref(), Some(words));
        let phase = one.provenance.workload.phases[0].clone();
        let mut other = phase.clone();
        other.name = "second".to_owned();
        one.provenance.workload.phases = vec![phase, other];
        let words = "interrupted in phase 1 of 2, measure";
        assert_eq!(one.interruption().as_deref(), Some(words));
        one.phases[0].ended_by = EndReason::Duration;
        let words = "interrupted after 1 of 2 phases";
        assert_eq!(one.interruption().as_deref(), Some(words));
        assert_eq!(one.not_run(), ["second"]);
    }
}
