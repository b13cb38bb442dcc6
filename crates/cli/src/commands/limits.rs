//! Limits that a live system is compared with: those of options, and those of the machine.

use super::catalog::known;
use super::volume_model::{impossible, instance, layout};
use crate::args::LimitArgs;
use crate::error::Problem;
use crate::exit::Exit;
use fathom_core::Cap;
use fathom_session::caps_below;
use fathom_session::live::Eye;
use fathom_volume::catalog::{Remark, RemarkKind};
use fathom_volume::layout::Options;
use std::path::PathBuf;

/// The limits that are known, and what is to be said of them.
pub(super) struct Limits {
    pub(super) caps: Vec<Cap>,
    /// Share of full buckets at the start, 0 to 1.
    pub(super) credit: f64,
    pub(super) notes: Vec<String>,
    /// Whether there are none.
    pub(super) is_unknown: bool,
}

/// The limits of the options, and those of the instance that this machine is.
///
/// # Errors
///
/// A volume or an instance that the catalogue does not have, or several disks for one volume.
pub(super) fn limits(args: &LimitArgs, has_paths: bool, eye: &Eye) -> Result<Limits, Problem> {
    let mut limits = Limits {
        caps: args.cap.clone(),
        credit: 1.0,
        notes: Vec::new(),
        is_unknown: false,
    };
    let known = known(&args.catalog)?;
    let instance = instance(&known, &args.instance)?;
    if let Some(text) = &args.volume {
        let disks = eye.disks().count();
        if !has_paths && disks != 1 {
            let thing = "--volume does not say which disks it is";
            let because = format!("{disks} disks are observed");
            let problem = Problem::new(Exit::Usage, thing).because(because);
            return Err(problem.remedy("name the disk of the volume, or a path on it"));
        }
        let options = Options {
            instance,
            ..Options::default()
        };
        let built = layout(text)?.build(&known.catalog, known.at, &options);
        let built = built.map_err(|error| impossible(&error))?;
        limits.caps.extend(built.caps);
        let orders = built.orders.iter();
        limits.credit = orders.map(|(_, order)| order.credit).fold(1.0, f64::min);
        // What is assumed of the time of a request has no part here.
        let is_about_limits = |remark: &&Remark| remark.kind != RemarkKind::Assumed;
        let remarks = built.remarks.iter().filter(is_about_limits);
        limits.notes.extend(remarks.map(ToString::to_string));
    } else if let Some(instance) = instance {
        let network = instance.network.as_ref();
        let all = network.map_or_else(Vec::new, |path| instance.limits(path, ""));
        limits.caps.extend(all.into_iter().map(|limit| limit.cap));
    }
    if instance.is_none() {
        let nodes: Vec<PathBuf> = eye
            .disks()
            .map(|name| ["/dev", name].iter().collect())
            .collect();
        let found = caps_below(nodes.iter().map(PathBuf::as_path));
        if let Some((caps, note)) = found.filter(|_| !nodes.is_empty()) {
            limits.caps.extend(caps);
            limits.notes.push(format!("note: {note}"));
        }
    }
    limits.is_unknown = limits.caps.is_empty();
    Ok(limits)
}
